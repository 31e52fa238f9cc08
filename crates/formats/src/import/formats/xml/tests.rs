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
fn ids_that_are_not_declared_once_are_told() {
    let text = "<graphml><graph edgedefault='directed'><edge source='late' target='x'/><node id='a'/>\
        <node id='a'/><node id='late'/><edge source='a' target='y'/></graph></graphml>";
    let (graph, report) = super::super::tests::import_reporting("g.graphml", text);
    assert_eq!(named_arcs(&graph), named(&[("a", "y"), ("late", "x")]));
    let notes: Vec<String> = report.notes.iter().map(ToString::to_string).collect();
    for expected in [
        "2 ends of edges are declared by no node, the first is 'x'; they are nodes",
        "1 node is declared again, the first is 'a'; each id is one node",
    ] {
        assert!(notes.iter().any(|note| note == expected), "{notes:?}");
    }
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
            "<?xml version='1.0' encoding='EBCDIC-X'?>\n<graphml>",
            "line 1: the file is in EBCDIC-X",
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
            &format!("{labels}<node id='n0'/>"),
            "line 7: two nodes have the id 'n0'",
        ),
        (
            &format!("{labels}<edge source='n0' target='n1'/>"),
            "line 7: no node before this edge has the id 'n1'",
        ),
        (
            &format!("{labels}<edge source='n0' target='n0'><data key='w'>x</data></edge>"),
            "line 7: the weight 'x' is not a number",
        ),
        (
            &format!("{labels}<edge source='n0' target='n0'><data key='w'>-1</data></edge>"),
            "line 7: the weight -1 is negative",
        ),
        ("<gexf>\n</gexf>", "line 2: the file ends before a graph"),
        (
            &format!("{gexf}<edge source='a' target='b' type='x'/></graph></gexf>"),
            "line 2: the type 'x'",
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

/// A file of yEd: labels in drawings, groups of nodes, ports.
#[test]
fn graphml_of_yed_has_groups_and_drawn_labels() {
    let text = "<graphml xmlns:y='http://www.yworks.com/xml/graphml'>\
        <key for='node' id='d6' yfiles.type='nodegraphics'/><key for='port' id='d1'/>\
        <graph edgedefault='directed' id='G'><data key='d0'/>\
        <node id='n0'><data key='d5'/><data key='d6'><y:ShapeNode><y:NodeLabel>New\nYork\
        <y:LabelModel/></y:NodeLabel></y:ShapeNode></data><port name='p'/></node>\
        <node id='n1' yfiles.foldertype='group'><data key='d6'><y:ProxyAutoBoundsNode><y:Realizers>\
        <y:GroupNode><y:NodeLabel>East</y:NodeLabel></y:GroupNode><y:GroupNode><y:NodeLabel>2\
        </y:NodeLabel></y:GroupNode></y:Realizers></y:ProxyAutoBoundsNode></data>\
        <graph edgedefault='undirected' id='n1:'><node id='n1::n0'><data key='d6'><y:ShapeNode>\
        <y:NodeLabel hasText='false'/></y:ShapeNode></data></node><node id='n1::n1'><data key='d6'>\
        <y:ShapeNode><y:NodeLabel>New York</y:NodeLabel></y:ShapeNode></data></node>\
        <edge source='n1::n0' target='n1::n1'/></graph></node>\
        <edge source='n0' target='n1' sourceport='p'/><edge source='n1' target='n1::n1'/></graph>\
        <data key='d7'><y:Resources/></data></graphml>";
    let graph = import("g.graphml", text).unwrap();
    let expected = [
        ("East", "New York (n1::n1)"),
        ("New York", "East"),
        ("New York (n1::n1)", "n1::n0"),
        ("n1::n0", "New York (n1::n1)"),
    ];
    assert_eq!(named_arcs(&graph), named(&expected));
    let (_, report) = super::super::tests::import_reporting("g.graphml", text);
    let notes: Vec<String> = report.notes.iter().map(ToString::to_string).collect();
    assert!(notes[0].starts_with("1 graph within nodes"), "{notes:?}");
    assert!(
        notes[1].starts_with("1 node has the label of another"),
        "{notes:?}"
    );
}

#[test]
fn gexf_has_nodes_within_nodes_and_times() {
    let text = "<gexf><graph mode='dynamic' defaultedgetype='directed'><attributes class='edge' \
        mode='dynamic'><attribute id='w' title='weight'/></attributes><nodes><node id='a' start='1'>\
        <nodes><node id='b'/></nodes><edges><edge source='a' target='b'/></edges></node>\
        <node id='c' pid='a'><spells><spell start='1' end='2'/></spells></node></nodes><edges>\
        <edge source='b' target='c' end='9'><attvalues><attvalue for='w' value='2' end='3'/><attvalue \
        for='w' value='5' start='3'/></attvalues></edge><edge source='c' target='a' type='double'/>\
        </edges></graph></gexf>";
    let graph = import("g.gexf", text).unwrap();
    let expected = [("a", "b"), ("a", "c"), ("b", "c"), ("c", "a")];
    assert_eq!(named_arcs(&graph), named(&expected));
    assert_eq!(weights(&graph), Some(vec![1.0, 1.0, 2.0, 1.0]));
    let (_, report) = super::super::tests::import_reporting("g.gexf", text);
    let notes: Vec<String> = report.notes.iter().map(ToString::to_string).collect();
    let starts = [
        "2 nodes within nodes",
        "3 times of nodes and edges",
        "1 edge has several",
        "GEXF, ",
    ];
    assert_eq!(notes.len(), 4, "{notes:?}");
    assert!(
        notes
            .iter()
            .zip(starts)
            .all(|(note, start)| note.starts_with(start)),
        "{notes:?}"
    );
}

#[test]
fn files_may_be_in_other_encodings() {
    let text = "<?xml version=\"1.0\" encoding=\"ENCODING\"?>\n<graphml>\
        <graph edgedefault='directed'><edge source='Zürich' target='b'/></graph></graphml>";
    let expected = named(&[("Zürich", "b")]);
    let utf16 = |text: &str, is_big: bool| -> Vec<u8> {
        let units = text.encode_utf16();
        let bytes = units.map(|unit| {
            if is_big {
                unit.to_be_bytes()
            } else {
                unit.to_le_bytes()
            }
        });
        bytes.flatten().collect()
    };
    let latin1: Vec<u8> = text
        .replace("ENCODING", "iso-8859-1")
        .chars()
        .map(|c| c as u8)
        .collect();
    let of_utf16 = text.replace("ENCODING", "UTF-16");
    let marked = format!("\u{feff}{of_utf16}");
    for bytes in [
        latin1,
        utf16(&marked, false),
        utf16(&marked, true),
        utf16(&of_utf16, false),
        utf16(&of_utf16, true),
        // Some programs say UTF-16 and write UTF-8.
        of_utf16.into_bytes(),
        text.replace("ENCODING", "utf8").into_bytes(),
    ] {
        let graph = import("g.graphml", &bytes).unwrap();
        assert_eq!(named_arcs(&graph), expected);
    }
    let damaged = [b"\xff\xfe<\0a\0".as_slice(), b"\x00\xd8\x00"].concat();
    let options = ImportOptions {
        from: Some(crate::import::Format::GraphMl),
        ..Default::default()
    };
    let problem = problem("g.graphml", &damaged, &options);
    assert!(problem.contains("not UTF-16LE"), "{problem}");
}

#[test]
fn texts_and_flags_are_neither_weights_nor_labels() {
    let text = "<graphml><key id='w' for='edge' attr.name='weight' attr.type='string'/>\
                <key id='n' for='node' attr.name='name' attr.type='boolean'/>\
                <graph edgedefault='directed'><node id='a'><data key='n'>true</data></node><node id='b'/>\
                <edge source='a' target='b'><data key='w'>heavy</data></edge></graph></graphml>";
    let graph = import("g.graphml", text).unwrap();
    assert_eq!(named_arcs(&graph), named(&[("a", "b")]));
    assert_eq!(weights(&graph), None);
}
