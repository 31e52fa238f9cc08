//! Columns of tables as attributes of nodes, in every format that has them.

use std::path::Path;
use webrank_base::progress::Silent;
use webrank_formats::export::{ExportFormat, Exported};
use webrank_graph::Csr;
use webrank_tables::table::{Cells, NamedColumn};

/// One column of each kind; the second node lacks all that it can lack, and names need care.
fn columns<'a>() -> Vec<NamedColumn<'a>> {
    let numbers = Cells::Numbers(Box::new(|row| [0.5, f64::NAN][row]));
    let ranks = Cells::Long(Box::new(|row| [1, 1 << 40][row]));
    let flags = Cells::Flags(Box::new(|row| row == 0));
    let mut texts = NamedColumn::new("2 <la\"bel>", Cells::Names(Box::new(|_| "a&\"b")));
    texts.present = Some(Box::new(|row| row == 0));
    let named = |name, cells| NamedColumn::new(name, cells);
    let counts = Cells::Counts(Box::new(|row| row as u32));
    vec![
        named("score", numbers),
        named("rank", ranks),
        named("certain", flags),
        texts,
        named("id", counts),
    ]
}

fn written(format: ExportFormat) -> String {
    let rows = Csr::from_arcs(2, [(0, 1)]).unwrap();
    let graph = Exported {
        rows: &rows,
        names: Some(&|node| ["x", "y"][node as usize]),
        weights: None,
        columns: columns(),
        progress: &Silent,
    };
    let mut bytes = Vec::new();
    graph.write(format, Path::new("graph"), &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn gml_has_attributes_of_nodes() {
    assert_eq!(
        written(ExportFormat::Gml),
        r#"graph [
  directed 1
  node [
    id 0
    label "x"
    score 0.5
    rank 1
    certain 1
    column_2__la_bel_ "a&amp;&quot;b"
    id_2 0
  ]
  node [
    id 1
    label "y"
    rank "1099511627776"
    certain 0
    id_2 1
  ]
  edge [
    source 0
    target 1
  ]
]
"#
    );
}

#[test]
fn dot_has_attributes_of_nodes() {
    assert_eq!(
        written(ExportFormat::Dot),
        r#"digraph {
  "x" [score="0.5", rank="1", certain="true", column_2__la_bel_="a&\"b", id="0"];
  "y" [rank="1099511627776", certain="false", id="1"];
  "x" -> "y";
}
"#
    );
}

#[test]
fn json_has_attributes_of_nodes() {
    let text = written(ExportFormat::Json);
    let (nodes, _) = text.split_once("], \"edges\"").unwrap();
    assert!(
        nodes.ends_with(
            r#""nodes": [
{"id": "x", "score": 0.5, "rank": 1, "certain": true, "2 <la\"bel>": "a&\"b", "id_2": 0},
{"id": "y", "rank": 1099511627776, "certain": false, "id_2": 1}
"#
        ),
        "{nodes}"
    );
}

#[test]
fn graphml_and_gexf_say_the_types_of_attributes() {
    let text = written(ExportFormat::GraphMl);
    for line in [
        r#"<key id="d0" for="node" attr.name="score" attr.type="double"/>"#,
        r#"<key id="d1" for="node" attr.name="rank" attr.type="long"/>"#,
        r#"<key id="d2" for="node" attr.name="certain" attr.type="boolean"/>"#,
        r#"<key id="d3" for="node" attr.name="2 &lt;la&quot;bel&gt;" attr.type="string"/>"#,
        r#"<data key="d1">1099511627776</data>"#,
        r#"<data key="d3">a&amp;&quot;b</data>"#,
    ] {
        assert!(text.contains(line), "{text}");
    }
    assert_eq!(text.matches("key=\"d0\"").count(), 1);
    let text = written(ExportFormat::Gexf);
    for line in [
        r#"<attribute id="1" title="rank" type="long"/>"#,
        r#"<attribute id="3" title="2 &lt;la&quot;bel&gt;" type="string"/>"#,
        r#"<attvalue for="2" value="false"/>"#,
        r#"<attvalue for="3" value="a&amp;&quot;b"/>"#,
    ] {
        assert!(text.contains(line), "{text}");
    }
    assert_eq!(text.matches("<attvalue for=\"0\"").count(), 1);
}

#[test]
fn lists_beside_a_table_of_nodes_have_a_header() {
    assert_eq!(written(ExportFormat::Csv), "Source,Target\n\"x\",\"y\"\n");
    assert_eq!(written(ExportFormat::Tsv), "Source\tTarget\nx\ty\n");
}
