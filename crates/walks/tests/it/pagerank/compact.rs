//! PageRank over compact rows, in memory and in a file: the bits of rows in lists, and refusals.

use crate::pagerank::runs::*;
use proptest::prelude::*;
use std::path::Path;
use webrank_base::Node;
use webrank_base::limits::Limits;
use webrank_base::progress::Silent;
use webrank_graph::Csr;
use webrank_graph::Graph;
use webrank_graph::bundle::{BundleOptions, write_bundle};
use webrank_measure::Measure;
use webrank_scores::parameters::Damping;
use webrank_scores::parameters::Dangling;
use webrank_scores::ranked::Ranked;
use webrank_testing::graphs::webs;
use webrank_testing::graphs::*;
use webrank_walks::pagerank::Columns;
use webrank_walks::pagerank::Method;
use webrank_walks::pagerank::PageRank;
use webrank_walks::pagerank::StorageChoice;

/// The graph in a folder; without its transpose if it is `compact`.
fn on_disk(graph: &Arcs, folder: &Path, compact: bool) -> Graph {
    let path = folder.join(format!("{compact}.bv"));
    let successors = Csr::from_arcs(graph.0, graph.1.iter().copied()).unwrap();
    let options = BundleOptions {
        compact,
        ..BundleOptions::default()
    };
    write_bundle(&successors, None, &path, options).unwrap();
    Graph::open(&path).unwrap()
}

fn ranked(
    graph: &Graph,
    params: &PageRank,
    form: StorageChoice,
) -> webrank_base::error::Result<Ranked> {
    ranked_within(graph, params, form, Limits::default())
}

fn ranked_within(
    graph: &Graph,
    params: &PageRank,
    form: StorageChoice,
    limits: Limits,
) -> webrank_base::error::Result<Ranked> {
    let folder = tempfile::tempdir().unwrap();
    let params = PageRank {
        temp: Some(folder.path().to_owned()),
        ..params.clone().form(form)
    };
    let found = params.compute(graph, &limits, &Silent);
    assert_eq!(
        folder.path().read_dir().unwrap().count(),
        0,
        "a file is left"
    );
    found
}

/// All that a ranking says: the bits of the scores, the bounds, the order, what is proved.
fn said(ranked: &Ranked) -> String {
    let columns = ranked.columns().iter();
    let columns: Vec<_> = columns
        .map(|(header, scores)| (header, bits(scores), outcome(scores)))
        .collect();
    let proved = ranked.certainty().map(|certainty| certainty.certain());
    format!("{columns:?} {:?} {proved:?}", ranked.ranking().order())
}

/// The name of the form that was swept.
fn name(ranked: &Ranked) -> &str {
    ranked.form().unwrap()["name"].as_str().unwrap()
}

/// Checks that all forms say the same of a graph, by the method that all have.
fn check(graph: &Arcs, params: &PageRank) {
    let params = &params.clone().method(Method::Power);
    let folder = tempfile::tempdir().unwrap();
    let [graph, forward] = [false, true].map(|compact| on_disk(graph, folder.path(), compact));
    let expected = ranked(&graph, params, StorageChoice::Runs).unwrap();
    assert_eq!(name(&expected), "runs");
    for (form, expected_name) in [
        (StorageChoice::Compact, "compact"),
        (StorageChoice::Disk, "disk"),
    ] {
        for graph in [&graph, &forward] {
            let found = ranked(graph, params, form).unwrap();
            // Without rows, nothing is written.
            let is_empty = graph.num_nodes() == 0;
            assert!(name(&found) == expected_name || is_empty);
            assert_eq!(said(&found), said(&expected), "{form:?}");
            // Old iterates are in files, too, unless all must be in memory.
            let least = Limits::default().memory(1);
            if form == StorageChoice::Disk {
                let found = ranked_within(graph, params, form, least).unwrap();
                assert_eq!(said(&found), said(&expected), "with little memory");
            }
        }
    }
}

/// Parameters of every kind that sweeps need.
fn kinds(n: usize) -> Vec<PageRank> {
    let seeded = weights(
        &(0..n)
            .map(|node| f64::from(node % 3 == 1))
            .collect::<Vec<_>>(),
    );
    let plain = PageRank::default();
    vec![
        plain.clone(),
        PageRank {
            dangling: Dangling::None,
            damping: Damping::new(0.999).unwrap(),
            ..plain.clone()
        },
        PageRank {
            preference: seeded,
            dangling: Dangling::Uniform,
            ..plain.clone()
        },
        plain.clone().certify_top(n),
        plain.clone().columns(Columns::Derivative),
        plain.columns(Columns::alphas(&[0.5, 0.9]).unwrap()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn all_forms_have_the_same_bits(graph in webs(60)) {
        if graph.0 > 1 {
            kinds(graph.0).iter().for_each(|params| check(&graph, params));
        }
    }
}

#[test]
fn rows_of_many_blocks_have_the_same_bits() {
    let graph = large_graph();
    // The others are tried on small graphs.
    for params in kinds(graph.0).iter().step_by(2) {
        check(&graph, params);
    }
}

/// Every node points to most nodes, so rows are runs across many restarts of prefix sums, and to
/// node 0, whose row is the longest.
#[test]
fn the_smallest_and_the_longest_rows_have_the_same_bits() {
    for n in [0, 1, 2] {
        check(&Arcs(n, vec![]), &PageRank::default());
    }
    check(&Arcs(1, vec![(0, 0)]), &PageRank::default());
    let n = 100_000;
    let star = Arcs(n as usize, (0..n).map(|leaf| (leaf, 0)).collect());
    check(&star, &PageRank::default());
    let scattered = (0..n).step_by(2).map(|leaf| (leaf, n / 2));
    check(&Arcs(n as usize, scattered.collect()), &PageRank::default());
    check(&cycle(n), &PageRank::default());
    let wide = |node: Node| (node % 7..4000).map(move |target| (node, target));
    check(
        &Arcs(4000, (0..500).flat_map(wide).collect()),
        &PageRank::default(),
    );
}

#[test]
fn what_compact_rows_cannot_do_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let graph = on_disk(&cycle(10), folder.path(), false);
    let refusal = |params: PageRank, form| match ranked(&graph, &params, form) {
        Ok(_) => panic!("{params:?} is not refused"),
        Err(problem) => problem.to_string(),
    };
    for form in [StorageChoice::Compact, StorageChoice::Disk] {
        let methods = [Method::GaussSeidel, Method::Components];
        for params in methods.map(|method| PageRank::default().method(method)) {
            let said = refusal(params, form);
            assert!(
                said.contains("method") && said.contains("in memory"),
                "{said}"
            );
        }
        let said = refusal(PageRank::default().columns(Columns::Seeds(vec![3])), form);
        assert!(
            said.contains("each_seed") && said.contains("in memory"),
            "{said}"
        );
    }
    let alone = Graph::from_arcs(2, [(0, 1)]).unwrap();
    let said = ranked(&alone, &PageRank::default(), StorageChoice::Disk);
    let said = said.err().unwrap().to_string();
    assert!(said.contains("only a graph on disk"), "{said}");
}
