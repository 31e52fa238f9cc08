//! Random graphs, written by small and obvious writers, are read back as they were.

use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write;
use webrank_base::progress::Silent;
use webrank_formats::import::{ImportFiles, ImportOptions, read};

/// A graph whose nodes have names, and whose arcs have weights.
#[derive(Debug, Clone)]
struct Written {
    /// In order, all different.
    names: Vec<String>,
    arcs: BTreeMap<(usize, usize), f64>,
}

impl Written {
    /// These arcs in both directions, each with the weight of the first.
    fn undirected(mut self) -> Self {
        let arcs = std::mem::take(&mut self.arcs);
        for ((source, target), weight) in arcs {
            if !self.arcs.contains_key(&(source, target)) {
                self.arcs.insert((source, target), weight);
                self.arcs.insert((target, source), weight);
            }
        }
        self
    }

    fn edges(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        let arcs = self.arcs.iter().map(|(&(a, b), &weight)| (a, b, weight));
        arcs.filter(|(a, b, _)| a <= b)
    }
}

/// Graphs of up to 7 nodes; names have the characters that `names` allows.
fn graphs(names: &'static str) -> impl Strategy<Value = Written> {
    let weight = prop_oneof![Just(1.0), 1e-300..1e300f64, Just(0.1)];
    let arcs = proptest::collection::btree_map((0usize..7, 0usize..7), weight, 1..15);
    let names = proptest::collection::btree_set(names, 7);
    (names, arcs).prop_map(|(names, arcs)| Written {
        names: names.into_iter().collect(),
        arcs,
    })
}

/// Checks what is read from a file; `named` says whether the format holds names, `weighted` whether it
/// holds weights.
fn check(graph: &Written, file: &str, bytes: &[u8], named: bool, weighted: bool) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(file);
    std::fs::write(&path, bytes).unwrap();
    let sources = ImportFiles::new(&[path]).unwrap();
    let options = ImportOptions {
        allow_empty: true,
        ..ImportOptions::default()
    };
    let (read, _) = read(&sources, &options, &Silent)
        .unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(bytes)));
    let nodes = read.num_nodes() as u32;
    if named {
        let names: Vec<String> = (0..nodes)
            .map(|node| read.name(node).into_owned())
            .collect();
        assert_eq!(names, graph.names);
    } else {
        assert_eq!(nodes, 7);
        assert!(read.names().is_none());
    }
    let rows = read.successors(&Silent).unwrap();
    let arcs = (0..nodes).flat_map(|node| rows.row(node).iter().map(move |&to| (node, to)));
    let arcs: Vec<(usize, usize)> = arcs.map(|(a, b)| (a as usize, b as usize)).collect();
    assert_eq!(arcs, graph.arcs.keys().copied().collect::<Vec<_>>());
    let weights = read.weighted_successors(&Silent).unwrap();
    let weights = weights.map(|(_, weights)| weights);
    let expected = weighted.then(|| graph.arcs.values().copied().collect::<Vec<_>>());
    assert_eq!(weights, expected);
}

fn matrix_market(graph: &Written, symmetric: bool, weighted: bool) -> String {
    let field = if weighted { "real" } else { "pattern" };
    let symmetry = if symmetric { "symmetric" } else { "general" };
    let arcs = graph
        .arcs
        .iter()
        .filter(|((row, column), _)| !symmetric || row >= column);
    let arcs: Vec<_> = arcs.collect();
    let mut text = format!("%%MatrixMarket matrix coordinate {field} {symmetry}\n%x\n");
    writeln!(text, "7 7 {}", arcs.len()).unwrap();
    for ((row, column), weight) in arcs {
        write!(text, "{} {}", row + 1, column + 1).unwrap();
        let weight = if weighted {
            format!(" {weight}")
        } else {
            String::new()
        };
        writeln!(text, "{weight}").unwrap();
    }
    text
}

fn gzipped(text: &str) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), Default::default());
    std::io::Write::write_all(&mut gzip, text.as_bytes()).unwrap();
    gzip.finish().unwrap()
}

fn metis(graph: &Written, weighted: bool) -> String {
    let edges = graph
        .arcs
        .keys()
        .map(|(a, b)| 1 + usize::from(a == b))
        .sum::<usize>()
        / 2;
    let mut text = format!("7 {edges} {}\n", if weighted { "001" } else { "000" });
    for node in 0..7 {
        for ((_, target), weight) in graph.arcs.iter().filter(|((source, _), _)| *source == node) {
            write!(text, " {}", target + 1).unwrap();
            if weighted {
                write!(text, " {weight}").unwrap();
            }
        }
        text.push('\n');
    }
    text
}

fn adjacency(graph: &Written) -> String {
    let mut text = "# nodes and successors\n".to_owned();
    for (node, name) in graph.names.iter().enumerate() {
        text += name;
        for (_, target) in graph.arcs.keys().filter(|(source, _)| *source == node) {
            write!(text, "\t{}", graph.names[*target]).unwrap();
        }
        text.push('\n');
    }
    text
}

fn pajek(graph: &Written, undirected: bool, weighted: bool) -> String {
    let mut text = "*Vertices 7\n".to_owned();
    for (node, name) in graph.names.iter().enumerate() {
        writeln!(text, "{} \"{name}\"", node + 1).unwrap();
    }
    let weight = |weight: f64| match weighted {
        true => format!(" {weight}"),
        false => String::new(),
    };
    if undirected {
        text += "*Edges\n";
        for (a, b, x) in graph.edges() {
            writeln!(text, "{} {}{}", a + 1, b + 1, weight(x)).unwrap();
        }
    } else {
        text += "*Arcs\n";
        for ((a, b), x) in &graph.arcs {
            writeln!(text, "{} {}{}", a + 1, b + 1, weight(*x)).unwrap();
        }
    }
    text
}

fn escaped(name: &str) -> String {
    let name = name.replace('&', "&amp;").replace('<', "&lt;");
    name.replace('"', "&quot;").replace('>', "&#62;")
}

fn graphml(graph: &Written, undirected: bool, labelled: bool) -> String {
    let kind = if undirected { "undirected" } else { "directed" };
    let mut text = format!(
        "<graphml><key id=\"w\" for=\"edge\" attr.name=\"weight\"/><key id=\"l\" for=\"node\" \
         attr.name=\"name\"/>\n<graph edgedefault=\"{kind}\">\n"
    );
    let id = |node: usize| match labelled {
        true => format!("n{node}"),
        false => escaped(&graph.names[node]),
    };
    for (node, name) in graph.names.iter().enumerate() {
        let name = escaped(name);
        let id = id(node);
        writeln!(
            text,
            "<node id=\"{id}\"><data key=\"l\">{name}</data></node>"
        )
        .unwrap();
    }
    let all: Vec<(usize, usize, f64)> = match undirected {
        true => graph.edges().collect(),
        false => graph.arcs.iter().map(|(&(a, b), &x)| (a, b, x)).collect(),
    };
    for (a, b, weight) in all {
        let (a, b) = (id(a), id(b));
        write!(text, "<edge source=\"{a}\" target=\"{b}\">").unwrap();
        writeln!(text, "<data key=\"w\">{weight}</data></edge>").unwrap();
    }
    text + "</graph></graphml>"
}

fn gexf(graph: &Written, undirected: bool) -> String {
    let kind = if undirected { "undirected" } else { "directed" };
    let mut text = format!("<gexf><graph defaultedgetype=\"{kind}\"><nodes>\n");
    for (node, name) in graph.names.iter().enumerate() {
        writeln!(text, "<node id=\"{node}\" label=\"{}\"/>", escaped(name)).unwrap();
    }
    text += "</nodes><edges>";
    let all: Vec<(usize, usize, f64)> = match undirected {
        true => graph.edges().collect(),
        false => graph.arcs.iter().map(|(&(a, b), &x)| (a, b, x)).collect(),
    };
    for (a, b, weight) in all {
        writeln!(
            text,
            "<edge source=\"{a}\" target=\"{b}\" weight=\"{weight}\"/>"
        )
        .unwrap();
    }
    text + "</edges></graph></gexf>"
}

fn arrow(graph: &Written) -> Vec<u8> {
    use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
    use arrow_ipc::writer::FileWriter;
    use std::sync::Arc;
    let names = |end: fn(&(usize, usize)) -> usize| -> ArrayRef {
        let names = graph.arcs.keys().map(|arc| graph.names[end(arc)].as_str());
        Arc::new(StringArray::from_iter_values(names))
    };
    let weights: ArrayRef = Arc::new(Float64Array::from_iter_values(graph.arcs.values().copied()));
    let columns = [
        ("source", names(|arc| arc.0)),
        ("target", names(|arc| arc.1)),
        ("weight", weights),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let mut writer = FileWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    for start in (0..batch.num_rows()).step_by(4) {
        let rows = 4.min(batch.num_rows() - start);
        writer.write(&batch.slice(start, rows)).unwrap();
    }
    writer.into_inner().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn numbered_formats(graph in graphs("[a-z]{1,3}"), weighted: bool) {
        let text = matrix_market(&graph, false, weighted);
        check(&graph, "g.mtx", text.as_bytes(), false, weighted);
        let both = graph.undirected();
        let text = matrix_market(&both, true, weighted);
        check(&both, "g.mtx.gz", &gzipped(&text), false, weighted);
        // METIS has no edges from a node to itself.
        let mut both = both;
        both.arcs.retain(|(a, b), _| a != b);
        let text = metis(&both, weighted);
        check(&both, "g.metis", text.as_bytes(), false, weighted);
    }

    #[test]
    fn named_formats(
        graph in graphs("[a-zé][a-zé &<>'#%]{0,3}[a-zé]"),
        weighted: bool,
        undirected: bool,
        labelled: bool,
    ) {
        check(&graph, "g.adjlist", adjacency(&graph).as_bytes(), true, false);
        let graph = if undirected { graph.undirected() } else { graph };
        let text = pajek(&graph, undirected, weighted);
        check(&graph, "g.net", text.as_bytes(), true, weighted);
        let _ = labelled;
                {
            let text = graphml(&graph, undirected, labelled);
            check(&graph, "g.graphml", text.as_bytes(), true, true);
            check(&graph, "g.gexf", gexf(&graph, undirected).as_bytes(), true, true);
        }
                {
            let mut graph = graph;
            // A table of arcs holds no other nodes.
            for node in 0..7 {
                graph.arcs.entry((node, 0)).or_insert(1.0);
            }
            check(&graph, "g.arrow", &arrow(&graph), true, true);
        }
    }
}
