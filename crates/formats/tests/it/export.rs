//! Graphs in formats of other programs, read back by small readers.

use super::export_readers::*;
use proptest::prelude::*;
use webrank_base::Node;
use webrank_formats::export::{ExportFormat, check_undirected};
use webrank_testing::graphs::digraphs;

proptest! {
    #[test]
    fn every_format_reads_back(
        (n, arcs) in digraphs(),
        weights in prop::option::of(0..1000u64),
        named in any::<bool>(),
    ) {
        let case = Case::new(n, &arcs, weights, named.then_some(NAMES));
        let expected = case.arcs();
        // A list of names alone does not show what separates them.
        if !arcs.is_empty() || !named {
            prop_assert_eq!(read_edges(&case, ExportFormat::Csv), expected.clone());
        }
        prop_assert_eq!(read_matrix_market(&case), expected.clone());
        prop_assert_eq!(read_npz(&case), expected.clone());
        prop_assert_eq!(read_parquet(&case), expected.clone());
        let scores: Vec<f64> = (0..n).map(|node| if node % 3 == 2 { f64::NAN } else { node as f64 / 7.0 }).collect();
        prop_assert_eq!(read_xml(&case, ExportFormat::GraphMl, &scores), expected.clone());
        prop_assert_eq!(read_xml(&case, ExportFormat::Gexf, &scores), expected.clone());
        let plain = Case::new(n, &arcs, weights, named.then_some(PLAIN));
        if !arcs.is_empty() || !named {
            prop_assert_eq!(read_edges(&plain, ExportFormat::Tsv), plain.arcs());
        }
    }

    #[test]
    fn undirected_graphs_read_back_and_others_are_refused(
        (n, mut arcs) in digraphs(),
        weights in prop::option::of(1..100u32),
    ) {
        let directed = Case::new(n, &arcs, None, None);
        let there = directed.arcs();
        let is_undirected = there.keys().all(|(i, j)| i != j && there.contains_key(&(j.clone(), i.clone())));
        prop_assert_eq!(check_undirected(&directed.rows, None).is_ok(), is_undirected);
        arcs.retain(|(i, j)| i != j);
        let reversed: Vec<_> = arcs.iter().map(|&(i, j)| (j, i)).collect();
        arcs.extend(reversed);
        let mut case = Case::new(n, &arcs, None, None);
        if let Some(weight) = weights {
            let of = |i: Node, j: Node| f64::from(weight + i * j + i + j);
            let rows = &case.rows;
            let all = (0..n as Node).flat_map(|i| rows.row(i).iter().map(move |&j| of(i, j)));
            case.weights = Some(all.collect());
        }
        check_undirected(&case.rows, case.weights.as_deref()).unwrap();
        prop_assert_eq!(read_metis(&case), case.arcs());
        if let Some(weights) = case.weights.as_mut().filter(|weights| !weights.is_empty()) {
            weights[0] += 1.0;
            let problem = check_undirected(&case.rows, case.weights.as_deref()).unwrap_err();
            prop_assert!(problem.to_string().contains("weighs something else"));
        }
    }
}

#[test]
fn what_a_format_cannot_hold_is_refused_in_one_line() {
    let arcs = [(0, 1), (1, 0)];
    let mut case = Case::new(12, &arcs, Some(3), Some(NAMES));
    for (format, words) in [
        (
            ExportFormat::Tsv,
            "the name '#h' of node 4 cannot stand between tabs; write .csv",
        ),
        (
            ExportFormat::Metis,
            "weighs 3.1, and weights in METIS files are whole numbers",
        ),
    ] {
        let problem = case.written(format).unwrap_err().to_string();
        assert!(problem.contains(words), "{problem}");
    }
    let mut names = NAMES;
    names[3] = "\u{1}";
    case.names = Some(names);
    let problem = case.written(ExportFormat::GraphMl).unwrap_err().to_string();
    assert!(
        problem.contains("XML cannot hold") && !problem.contains('\n'),
        "{problem}"
    );
}

#[test]
fn every_arc_of_a_large_graph_is_written() {
    let arcs: Vec<(Node, Node)> = (0..100_000).map(|x| (x, (x * 7 + 1) % 100_000)).collect();
    let case = Case::new(100_000, &arcs, None, None);
    let text = text(case.written(ExportFormat::Tsv).unwrap());
    let lines = arcs
        .iter()
        .map(|(source, target)| format!("{source}\t{target}"));
    assert!(text.lines().eq(lines));
}
