//! A graph that is exported and imported again is the same, with names and weights, but for what a format
//! cannot hold.

use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::progress::Silent;
use webrank_formats::export::{ExportFormat, Exported};
use webrank_formats::import::{ImportFiles, ImportOptions, ImportReport, read};
use webrank_graph::Csr;
use webrank_graph::Graph;

/// A graph with odd names or none, and any weights or none.
#[derive(Debug)]
struct Sample {
    rows: Csr,
    names: Option<Vec<String>>,
    weights: Option<Vec<f64>>,
}

/// Arcs by the names of their ends, with their weights.
type Arcs = BTreeMap<(String, String), f64>;

impl Sample {
    fn name(&self, node: Node) -> String {
        match &self.names {
            Some(names) => names[node as usize].clone(),
            None => node.to_string(),
        }
    }

    fn arcs(&self) -> Arcs {
        let nodes = 0..self.rows.num_nodes() as Node;
        let ends = nodes.flat_map(|node| self.rows.row(node).iter().map(move |&to| (node, to)));
        let weight = |arc: usize| self.weights.as_ref().map_or(1.0, |weights| weights[arc]);
        ends.enumerate()
            .map(|(arc, (from, to))| ((self.name(from), self.name(to)), weight(arc)))
            .collect()
    }

    fn nodes(&self) -> BTreeSet<String> {
        let nodes = 0..self.rows.num_nodes() as Node;
        nodes.map(|node| self.name(node)).collect()
    }

    fn ends(&self) -> BTreeSet<String> {
        let arcs = self.arcs();
        arcs.into_keys().flat_map(|(from, to)| [from, to]).collect()
    }

    fn write(&self, format: ExportFormat, path: &Path) -> Result<u64> {
        let name = self.names.as_ref();
        let name = name.map(|names| move |node: Node| names[node as usize].as_str());
        let exported = Exported {
            rows: &self.rows,
            names: name.as_ref().map(|name| name as _),
            weights: self.weights.as_deref(),
            columns: Vec::new(),
            progress: &Silent,
        };
        exported.write(format, path, &mut File::create(path).unwrap())
    }
}

fn samples() -> impl Strategy<Value = Sample> {
    let name = "[ab ,\"'#%<>&;=\t\\\\|é日\u{200b}\u{202e}0-9_.-]{1,6}";
    let names = prop::collection::btree_set(name, 0..9);
    let arcs = prop::collection::vec((0u32..64, 0u32..64), 0..25);
    let weights = prop::collection::vec((1u64..1 << 52, -1000i32..1000), 25);
    (names, arcs, weights, any::<bool>(), any::<bool>()).prop_map(
        |(names, arcs, weights, named, weighted)| {
            let n = names.len();
            let arcs = arcs.into_iter().filter(|_| n > 0);
            let arcs = arcs.map(|(from, to)| (from % n as u32, to % n as u32));
            let rows = Csr::from_arcs(n, arcs).unwrap();
            let weight = |(digits, exponent)| (1.0 + digits as f64 / 3e15) * 2f64.powi(exponent);
            let weights = weights.into_iter().map(weight);
            let weights = weights.take(rows.num_arcs() as usize).collect();
            Sample {
                rows,
                names: named.then(|| names.into_iter().rev().collect()),
                weights: weighted.then_some(weights),
            }
        },
    )
}

fn import(path: &Path, ids: bool) -> Result<(Graph, ImportReport)> {
    // Lists may have more lines of nodes than of arcs.
    let is_list = path
        .extension()
        .is_some_and(|it| it == "csv" || it == "tsv");
    let options = ImportOptions {
        ids,
        allow_empty: true,
        from: is_list.then_some(webrank_formats::import::Format::Edges),
        ..ImportOptions::default()
    };
    read(&ImportFiles::new(&[path.to_owned()])?, &options, &Silent)
}

/// The nodes and arcs of a graph by names or numbers.
fn of(graph: &Graph) -> (BTreeSet<String>, Arcs) {
    let sample = Sample {
        rows: Csr::clone(&*graph.successors(&Silent).unwrap()),
        names: graph.names().map(|names| {
            let nodes = 0..graph.num_nodes() as Node;
            nodes.map(|node| names.get(node).to_owned()).collect()
        }),
        weights: graph
            .weighted_successors(&Silent)
            .unwrap()
            .map(|(_, weights)| weights),
    };
    (sample.nodes(), sample.arcs())
}

proptest! {
    #[test]
    fn what_is_exported_is_imported_again(sample in samples()) {
        let folder = TempDir::new().unwrap();
        let has_arcs = sample.rows.num_arcs() > 0;
        for (format, file) in [
            (ExportFormat::Tsv, "g.tsv"),
            (ExportFormat::Csv, "g.csv"),
            (ExportFormat::MatrixMarket, "g.mtx"),
            (ExportFormat::Parquet, "g.parquet"),
            (ExportFormat::GraphMl, "g.graphml"),
            (ExportFormat::Gexf, "g.gexf"),
            (ExportFormat::Npz, "g.npz"),
            (ExportFormat::Gml, "g.gml"),
            (ExportFormat::Dot, "g.gv"),
            (ExportFormat::Json, "g.json"),
        ] {
            let path = folder.path().join(file);
            let lost = match sample.write(format, &path) {
                Ok(lost) => lost,
                Err(problem) => {
                    // Names that cannot stand between tabs, and backslashes before quotation marks.
                    let problem = problem.to_string();
                    let words = match format {
                        ExportFormat::Dot => "which DOT cannot hold",
                        _ => "write .csv",
                    };
                    let is_known = [ExportFormat::Tsv, ExportFormat::Dot].contains(&format);
                    prop_assert!(is_known && problem.contains(words), "{}", problem);
                    continue;
                }
            };
            let is_list = [ExportFormat::Tsv, ExportFormat::Csv, ExportFormat::Parquet].contains(&format);
            if is_list && !has_arcs {
                // A list without arcs does not show its columns.
                continue;
            }
            let ids = is_list && sample.names.is_none();
            let (graph, report) = import(&path, ids).unwrap();
            let (nodes, arcs) = of(&graph);
            let mut expected = sample.arcs();
            if !format.has_names() && let Some(names) = &sample.names {
                // Numbers stand for names.
                let number = |name: &String| names.iter().position(|it| it == name).unwrap();
                let text = |name: &String| number(name).to_string();
                let arcs = expected.iter();
                expected = arcs.map(|((a, b), &weight)| ((text(a), text(b)), weight)).collect();
            }
            prop_assert_eq!(&arcs, &expected, "{}", file);
            if has_arcs {
                prop_assert_eq!(report.weighted, sample.weights.is_some(), "{}", file);
            }
            if !format.has_names() {
                prop_assert_eq!(nodes.len(), sample.rows.num_nodes(), "{}", file);
            } else if is_list {
                let isolated = sample.rows.num_nodes() - sample.ends().len();
                prop_assert!(lost == isolated as u64 || lost == 0, "{}", file);
                let found: BTreeSet<_> = match ids {
                    // Nodes up to the largest number.
                    true => nodes.intersection(&sample.ends()).cloned().collect(),
                    false => nodes,
                };
                let all = if lost == 0 && !ids { sample.nodes() } else { sample.ends() };
                prop_assert_eq!(found, all, "{}", file);
            } else {
                prop_assert_eq!(nodes, sample.nodes(), "{}", file);
            }
        }
    }

    #[test]
    fn metis_files_are_imported_again(sample in samples(), weights in any::<bool>()) {
        let nodes = 0..sample.rows.num_nodes() as Node;
        let ends = nodes.flat_map(|node| sample.rows.row(node).iter().map(move |&to| (node, to)));
        let ends = ends.filter(|(from, to)| from != to);
        let arcs = ends.flat_map(|(from, to)| [(from, to), (to, from)]);
        let rows = Csr::from_arcs(sample.rows.num_nodes(), arcs).unwrap();
        let weights = weights.then(|| {
            let nodes = 0..rows.num_nodes() as Node;
            let of = |node: Node| rows.row(node).iter().map(move |&to| f64::from(1 + node + to));
            nodes.flat_map(of).collect()
        });
        let sample = Sample { rows, names: None, weights };
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("g.metis");
        sample.write(ExportFormat::Metis, &path).unwrap();
        let (graph, _) = import(&path, false).unwrap();
        prop_assert_eq!(of(&graph), (sample.nodes(), sample.arcs()));
    }

    /// However rows are cut into groups and pages.
    #[test]
    fn parquet_files_of_several_row_groups_are_imported(
        groups in prop::collection::vec(prop::collection::vec((0i64..40, 0i64..40), 0..12), 1..6),
        nullable in any::<bool>(),
    ) {
        use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
        use parquet::file::writer::SerializedFileWriter;
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("g.parquet");
        let how = if nullable { "OPTIONAL" } else { "REQUIRED" };
        let schema = format!(
            "message arcs {{ {how} BYTE_ARRAY source (UTF8); {how} INT64 target; {how} INT64 weight; }}"
        );
        let schema = Arc::new(parquet::schema::parser::parse_message_type(&schema).unwrap());
        let mut writer =
            SerializedFileWriter::new(File::create(&path).unwrap(), schema, Arc::default()).unwrap();
        for rows in &groups {
            let levels = nullable.then(|| vec![1i16; rows.len()]);
            let texts: Vec<ByteArray> =
                rows.iter().map(|(from, _)| from.to_string().as_str().into()).collect();
            let targets: Vec<i64> = rows.iter().map(|row| row.1).collect();
            let mut group = writer.next_row_group().unwrap();
            let mut column = group.next_column().unwrap().unwrap();
            column.typed::<ByteArrayType>().write_batch(&texts, levels.as_deref(), None).unwrap();
            column.close().unwrap();
            let ones = vec![1i64; rows.len()];
            for values in [&targets, &ones] {
                let mut column = group.next_column().unwrap().unwrap();
                column.typed::<Int64Type>().write_batch(values, levels.as_deref(), None).unwrap();
                column.close().unwrap();
            }
            group.close().unwrap();
        }
        writer.close().unwrap();
        let (graph, report) = import(&path, false).unwrap();
        let mut expected = Arcs::new();
        for (from, to) in groups.iter().flatten() {
            *expected.entry((from.to_string(), to.to_string())).or_default() += 1.0;
        }
        prop_assert_eq!(report.weighted, true);
        prop_assert_eq!(of(&graph).1, expected);
    }
}

#[test]
fn compressed_exports_are_imported_again() {
    let folder = TempDir::new().unwrap();
    let names = ["b", "a,c", "\"d\""].map(str::to_owned).to_vec();
    let sample = Sample {
        rows: Csr::from_arcs(3, [(0, 1), (1, 1), (1, 2)]).unwrap(),
        names: Some(names),
        weights: Some(vec![0.1, 1e300, 5e-324]),
    };
    for file in [
        "g.csv.gz",
        "g.csv.zst",
        "g.graphml.gz",
        "g.gexf.zst",
        "g.gml.gz",
        "g.dot.zst",
        "g.json.gz",
    ] {
        let path = folder.path().join(file);
        sample
            .write(ExportFormat::of(&path).unwrap(), &path)
            .unwrap();
        let (graph, _) = import(&path, false).unwrap();
        assert_eq!(of(&graph), (sample.nodes(), sample.arcs()), "{file}");
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn first_arcs_that_look_like_headers_or_counts_stay_arcs() {
    let folder = TempDir::new().unwrap();
    for (names, arcs, weights) in [
        (Some(["from", "to", "x", "y"]), vec![(0, 1), (1, 2)], None),
        (
            Some(["source", "target", "x", "y"]),
            vec![(0, 1), (1, 2)],
            None,
        ),
        (
            Some(["follower", "followed", "ann", "bob"]),
            vec![(0, 1), (2, 3), (3, 2)],
            None,
        ),
        (
            Some(["ann", "bob", "cat", "dan"]),
            vec![(0, 1), (1, 2)],
            Some(vec![1_217_567_877.0, 1_217_567_890.0]),
        ),
        (None, vec![(5, 2), (5, 3), (5, 4)], None),
    ] {
        let n = if names.is_some() { 4 } else { 6 };
        let sample = Sample {
            rows: Csr::from_arcs(n, arcs).unwrap(),
            names: names.map(|names| names.map(str::to_owned).to_vec()),
            weights,
        };
        for (format, file) in [(ExportFormat::Tsv, "g.tsv"), (ExportFormat::Csv, "g.csv")] {
            let path = folder.path().join(file);
            sample.write(format, &path).unwrap();
            let text = fs::read_to_string(&path).unwrap();
            assert!(text.starts_with("source"), "{text}");
            let sources = ImportFiles::new(std::slice::from_ref(&path)).unwrap();
            let (graph, _) = read(&sources, &ImportOptions::default(), &Silent).unwrap();
            assert_eq!(of(&graph).1, sample.arcs(), "{text}");
        }
    }
}
