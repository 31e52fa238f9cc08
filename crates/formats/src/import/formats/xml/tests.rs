use super::super::tests::{arcs, import, import_with, named_arcs, problem, weights};
use crate::import::ImportOptions;

fn named(arcs: &[(&str, &str)]) -> Vec<(String, String)> {
    let arcs = arcs.iter().map(|&(a, b)| (a.to_owned(), b.to_owned()));
    arcs.collect()
}

const KEYS: &str = "<?xml version='1.0'?>\n<graphml xmlns='http://graphml.graphdrawing.org/xmlns'>\n\
    <key id='l' for='node' attr.name='Label' attr.type='string'/>\n\
    <key id='w' for='edge' attr.name='weight'><default> 2 </default></key>\n";

#[test]
fn graphml_has_edges_of_both_kinds() {
    let text = format!(
        "{KEYS}<graph edgedefault='undirected'><node id='a'/><node id='b &amp; c'/>\n\
         <edge source='a' target='b &amp; c'><data key='w'>0.5</data><data key='x'>9</data></edge>\
         <edge source='a' target='d' directed='true'/><edge source='d' target='d'/></graph></graphml>"
    );
    let graph = import("g.graphml", &text).unwrap();
    let expected = [("a", "b & c"), ("a", "d"), ("b & c", "a"), ("d", "d")];
    assert_eq!(named_arcs(&graph), named(&expected));
    assert_eq!(weights(&graph), Some(vec![0.5, 2.0, 0.5, 2.0]));
    let options = ImportOptions {
        unweighted: true,
        symmetric: true,
        ..Default::default()
    };
    let graph = import_with("g.graphml", text.as_bytes(), &options).unwrap();
    assert_eq!(weights(&graph), None);
    assert_eq!(arcs(&graph).len(), 5);
}

#[test]
fn labels_are_names_where_ids_are_made_up() {
    let nodes =
        "<node id='n0'><data key='l'>x &lt;<![CDATA[&]]>&#121;</data></node><node id='n1'/>";
    let edge = "<edge source='n0' target='n1'/>";
    let text = format!("{KEYS}<graph edgedefault='directed'>{nodes}{edge}</graph></graphml>");
    let graph = import("g.graphml", text).unwrap();
    assert_eq!(named_arcs(&graph), named(&[("x <&y", "n1")]));
    let gexf = "<gexf><graph defaultedgetype='directed'><attributes class='node'><attribute id='0'/>\
         </attributes><nodes><node id='0' label='New York'><attvalues/></node><node id='1' label='b'/>\
         </nodes><edges><edge source='0' target='1'/></edges></graph></gexf>";
    let graph = import("g.gexf", gexf).unwrap();
    assert_eq!(named_arcs(&graph), named(&[("New York", "b")]));
    assert_eq!(weights(&graph), None);
}

#[test]
fn gexf_has_edges_of_all_kinds() {
    let text = "<gexf><graph><nodes><node id='a' label='A'/><node id='lonely'/></nodes><edges>\
         <edge source='a' target='b'/><edge source='a' target='c' type='directed' weight='3'/>\
         <edge source='b' target='c' type='mutual'/></edges></graph></gexf>";
    let graph = import("g.xml", text).unwrap();
    let expected = [("a", "b"), ("a", "c"), ("b", "a"), ("b", "c"), ("c", "b")];
    assert_eq!(named_arcs(&graph), named(&expected));
    assert_eq!(weights(&graph), Some(vec![1.0, 3.0, 1.0, 1.0, 1.0]));
    assert_eq!(graph.num_nodes(), 4);
}

#[test]
fn gexf_has_weights_among_values() {
    let text = |default: &str| {
        format!(
            "<gexf><graph defaultedgetype='directed'><attributes class='node'><attribute id='w' \
             title='weight'/></attributes><attributes class='edge'><attribute id='w' title='Weight' \
             type='double'>{default}</attribute><attribute id='v' title='x'><default>9</default>\
             </attribute></attributes><nodes><node id='a'><attvalues><attvalue for='w' value='7'/>\
             </attvalues></node></nodes><edges><edge source='a' target='b'><attvalues><attvalue \
             for='v' value='8'/><attvalue for='w' value='0.5'/></attvalues></edge><edge source='a' \
             target='c'/><edge source='a' target='d' weight='3'><attvalues><attvalue for='w' \
             value='4'/></attvalues></edge></edges></graph></gexf>"
        )
    };
    let graph = import("g.gexf", text("")).unwrap();
    assert_eq!(weights(&graph), Some(vec![0.5, 1.0, 3.0]));
    let graph = import("g.gexf", text("<default> 2 </default>")).unwrap();
    assert_eq!(weights(&graph), Some(vec![0.5, 2.0, 3.0]));
    let plain = text("")
        .replace("for='w'", "for='z'")
        .replace(" weight='3'", "");
    assert_eq!(weights(&import("g.gexf", plain).unwrap()), None);
}

#[test]
fn what_is_no_graph_is_refused_with_its_line() {
    let graph = "<graphml>\n<graph edgedefault='directed'>\n";
    let labels = format!(
        "{KEYS}<graph edgedefault='directed'>\n<node id='n0'><data key='l'>x</data></node>\n"
    );
    let gexf = "<gexf><graph defaultedgetype='directed'>\n";
    for (text, words) in [
        (
            "<graphml>\n</graphml>\n",
            "line 3: the file ends before a graph",
        ),
        (
            "<graphml>\n<graph>",
            "line 2: the graph does not say whether",
        ),
        (
            "<?xml version='1.0' encoding='ISO-8859-1'?>\n<graphml>",
            "line 1: the file is in ISO-8859-1",
        ),
        (
            "<graphml>\n<key/>",
            "line 2: an element key without attribute id",
        ),
        (
            &format!("{graph}<node/>"),
            "line 3: an element node without attribute id",
        ),
        (&format!("{graph}<node id=''/>"), "line 3: a name is empty"),
        (
            &format!("{graph}<edge source='a'/>"),
            "line 3: an element edge without",
        ),
        (
            &format!("{graph}<edge source='a' target='b' directed='x'/>"),
            "line 3: directed is",
        ),
        (
            &format!("{graph}<hyperedge/>"),
            "line 3: an edge of several nodes",
        ),
        (
            &format!("{graph}<node id='a'><graph/></node>"),
            "line 3: a graph within a node",
        ),
        (
            &format!("{graph}</graph><graph/>"),
            "line 3: a second graph",
        ),
        (&format!("{graph}<node id='&x;'/>"), "line 3: "),
        (
            &format!("{graph}<node id='a'>\n"),
            "line 4: the file ends within an element",
        ),
        (&format!("{graph}</node>\n"), "line 3: "),
        (
            &format!("{graph}{}", "<a>".repeat(200)),
            "line 3: elements are nested too deeply",
        ),
        (
            &format!("{labels}<node id='n1'><data key='l'>x</data></node>"),
            "line 7: two nodes have the label 'x'",
        ),
        (
            &format!("{labels}<node id='n0'/>"),
            "line 7: two nodes have the id 'n0'",
        ),
        (
            &format!("{labels}<edge source='n0' target='n1'/>"),
            "line 7: no node before this edge has the id 'n1'",
        ),
        (
            &format!("{labels}<edge source='n0' target='n0'><data key='w'>x</data></edge>"),
            "line 7: 'x' is not a number",
        ),
        (
            &format!("{labels}<edge source='n0' target='n0'><data key='w'>0</data></edge>"),
            "line 7: the weight 0 is not positive",
        ),
        ("<gexf>\n</gexf>", "line 2: the file ends before a graph"),
        (
            &format!("{gexf}<edge source='a' target='b' type='x'/></graph></gexf>"),
            "line 2: the type 'x'",
        ),
        (
            &format!("{gexf}<node id='a'><nodes/></node></graph></gexf>"),
            "line 2: nodes within a node",
        ),
        (
            &format!("{gexf}<edge source='a' target='b' weight='-1'/></graph></gexf>"),
            "line 2: the weight -1",
        ),
    ] {
        let problem = problem("g.xml", text, &ImportOptions::default());
        assert!(
            problem.contains("g.xml, ") && problem.contains(words),
            "{text}: {problem}"
        );
    }
}

#[test]
fn long_texts_are_refused_before_they_fill_the_memory() {
    let text = format!("<graphml a='{}'/>", "x".repeat(17 << 20));
    let problem = problem(
        "g.graphml",
        "<graphml/>".to_owned() + &text,
        &ImportOptions::default(),
    );
    assert!(problem.contains("longer than 16 MiB"), "{problem}");
}
