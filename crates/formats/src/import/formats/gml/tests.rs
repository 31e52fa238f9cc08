use super::super::tests::{import, import_with, named_arcs, problem, weights};
use super::*;
use crate::import::ImportOptions;

fn arcs_of(text: &str) -> Vec<String> {
    let graph = import("g.gml", text).unwrap_or_else(|problem| panic!("{problem}: {text}"));
    let arcs = named_arcs(&graph).into_iter();
    arcs.map(|(source, target)| format!("{source} {target}"))
        .collect()
}

#[test]
fn variants_of_writers_are_read() {
    for text in [
        // networkx
        "graph [\n  directed 1\n  node [\n    id 0\n    label \"a\"\n  ]\n  node [\n    id 1\n    \
         label \"b\"\n  ]\n  edge [\n    source 0\n    target 1\n  ]\n]\n",
        // igraph
        "Creator \"igraph version 0.10\"\nVersion 1\ngraph\n[\n  directed 1\n  node\n  [\n    id 0\n    \
         label \"a\"\n  ]\n  node\n  [\n    id 1\n    label \"b\"\n  ]\n  edge\n  [\n    source 0\n    \
         target 1\n  ]\n]\n",
        // Edges first, gaps, negative ids, comments, nested lists, one line.
        "# a comment [\n\nCreator \"x [ y\" graph [ edge [ target 7 graphics [ Line [ point [ x 1 ] ] ] \
         source -3 ] node [ label \"b\" id 7 ] node [ graphics [ id 7 label \"c\" ] id -3 label \"a\" ] \
         # more\n directed 1 ]",
        // yEd, old Macs, ids as texts and reals.
        "Creator\t\"yFiles\"\rgraph\r[\r\tdirected\t1\r\tnode\r\t[\r\t\tid\t\"0\"\r\t\tlabel\t\"a\"\r\t]\r\
         \tnode [ id 1.0 label \"b\" ]\r\tedge [ source 0 target +1 ]\r]\r",
    ] {
        assert_eq!(arcs_of(text), ["a b"], "{text}");
        let first = First::new("x".as_ref(), text.as_bytes(), true);
        assert!(matches!(recognise(&first), Verdict::Is(_)), "{text}");
    }
}

#[test]
fn edges_are_undirected_by_default() {
    let text = "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]";
    assert_eq!(arcs_of(text), ["1 2", "2 1"]);
    let text = text.replace("graph [", "graph [ directed 0");
    assert_eq!(arcs_of(&text), ["1 2", "2 1"]);
}

#[test]
fn labels_are_names_if_all_are_different() {
    let text = |labels: [&str; 2]| {
        let [one, two] = labels.map(|label| format!("label {label}"));
        format!(
            "graph [ directed 1 node [ id 5 {one} ] node [ id 6 {two} ] edge [ source 5 target 6 ] ]"
        )
    };
    for (labels, expected) in [
        (["\"x\"", "\"y z\""], "x y z"),
        (["\"x\"", "\"x\""], "5 6"),
        (["\"x\"", "\"\""], "5 6"),
        (["\"x\ny\"", "\"z\""], "5 6"),
        (["17", "18"], "17 18"),
        (["\"caf&#233; &quot;Q&quot;\"", "\"R&D\""], "café \"Q\" R&D"),
    ] {
        assert_eq!(arcs_of(&text(labels)), [expected]);
    }
    let options = ImportOptions {
        ids: true,
        ..Default::default()
    };
    let graph = import_with("g.gml", text(["\"x\"", "\"y\""]).as_bytes(), &options).unwrap();
    assert_eq!(graph.num_nodes(), 7);
}

#[test]
fn weights_are_weight_or_else_value() {
    let text = |edges: &str| {
        let text = format!("graph [ directed 1 node [ id 1 ] node [ id 2 ] {edges} ]");
        weights(&import("g.gml", text).unwrap())
    };
    assert_eq!(text("edge [ source 1 target 2 value 4 ]"), Some(vec![4.0]));
    assert_eq!(
        text("edge [ source 1 target 2 value 4 weight 1.5E1 ] edge [ source 2 target 1 value 3 ]"),
        Some(vec![15.0, 1.0])
    );
    assert_eq!(text("edge [ source 1 target 2 value \"many\" ]"), None);
    assert_eq!(
        text("edge [ source 1 target 2 weight \"0.5\" ]"),
        Some(vec![0.5])
    );
}

#[test]
fn damage_is_refused_with_its_line() {
    for (text, words) in [
        (
            "graph [\n node [\n  label \"x\"\n ]\n]",
            "line 4: a node without 'id'",
        ),
        (
            "graph [\n node [ id 1 ]\n node [ id 1 ]\n]",
            "line 3: a second node with the id '1'; the first is in line 2",
        ),
        (
            "graph [\n node [ id 1 ]\n edge [ source 1 target 2 ]\n]",
            "line 3: no node has the id '2'",
        ),
        ("graph [\n edge [ source 1 ]\n]", "line 2: an edge without"),
        (
            "graph [\n node [ id 1 label \"x ]\n]\n",
            "line 2: a quotation mark is never closed",
        ),
        (
            "graph [\n node [ id 1 ]\n",
            "line 3: the file ends within a list",
        ),
        ("graph [\n]\ngraph [ ]", "line 3: a second graph"),
        ("graph [\n directed yes\n]", "line 2: 'directed' is 'yes'"),
        ("graph [\n ] ]", "line 2: ']' where a key"),
        ("graph [\n node ] ]", "line 2: ']' where a value"),
        (
            "graph [\n node [ id 1 ]\n edge [ source 1 target 1 weight x ] ]",
            "line 3: the weight 'x'",
        ),
    ] {
        let problem = problem(
            "g.gml",
            text,
            &ImportOptions {
                from: Some(crate::import::Format::Gml),
                ..Default::default()
            },
        );
        assert!(
            problem.contains("g.gml, ") && problem.contains(words),
            "{problem}"
        );
    }
    let deep = format!("graph [ {} ", "a [ ".repeat(2000));
    let problem = problem("g.gml", deep, &ImportOptions::default());
    assert!(problem.contains("nested too deeply"), "{problem}");
}

#[test]
fn other_texts_are_not_gml() {
    for text in [
        "graph node\n",
        "graph { a -- b }",
        "graph\tnode\n[\tx\n",
        "graph,node\n[,x\n",
        "a b\nb c\n",
        "{\"graph\": []}",
        "",
        "version 1\nb [x]\n",
    ] {
        let first = First::new("x".as_ref(), text.as_bytes(), true);
        assert_eq!(recognise(&first), Verdict::No, "{text}");
    }
}
