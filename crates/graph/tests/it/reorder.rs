//! A graph in another order is the same graph: arcs, weights and names, whatever the numbers.

use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use webrank_base::Node;
use webrank_base::progress::Silent;
use webrank_graph::Graph;
use webrank_graph::bundle::{BundleOptions, write_graph};
use webrank_graph::codes::Coding;
use webrank_graph::recode::Recoding;
use webrank_graph::reorder::{Order, Reordering};
use webrank_graph::{Csr, StoredGraph};
use webrank_testing::graphs::{checked, digraphs};

const ORDERS: [Order; 5] = [
    Order::Names,
    Order::Given,
    Order::Degree,
    Order::Bfs,
    Order::Llp,
];

fn reorder(from: &Path, order: Order, codes: &str, to: &Path) {
    let source = StoredGraph::open(from).unwrap();
    let mut coding = Coding::default();
    coding.set_codes(codes).unwrap();
    let recoding = Recoding {
        coding,
        replace: true,
    };
    let reordering = Reordering::new(&source, order, &recoding.coding, &Silent).unwrap();
    reordering.recode(&recoding, to, &Silent).unwrap();
}

/// The arcs by name, with their weights.
fn arcs(graph: &Graph) -> BTreeMap<(String, String), f64> {
    let rows = graph.successors(&Silent).unwrap();
    let weights = graph.weighted_successors(&Silent).unwrap();
    let weight = |arc: usize| weights.as_ref().map_or(1.0, |(_, weights)| weights[arc]);
    let nodes = 0..rows.num_nodes() as Node;
    let ends = nodes.flat_map(|node| rows.row(node).iter().map(move |&to| (node, to)));
    let name = |node: Node| graph.name(node).into_owned();
    let named = ends.enumerate();
    named
        .map(|(arc, (from, to))| ((name(from), name(to)), weight(arc)))
        .collect()
}

fn names(graph: &Graph) -> Vec<String> {
    let nodes = 0..graph.num_nodes() as Node;
    nodes.map(|node| graph.name(node).into_owned()).collect()
}

/// The order as it is defined, slowly.
fn expected(graph: &Graph, order: Order) -> Option<Vec<String>> {
    let rows = graph.successors(&Silent).unwrap();
    let n = graph.num_nodes() as Node;
    let mut nodes: Vec<Node> = (0..n).collect();
    match order {
        Order::Given => {}
        Order::Names if graph.names().is_none() => {}
        Order::Names => nodes.sort_by_key(|&node| graph.name(node).into_owned()),
        Order::Degree => {
            let degree = |node| (0..n).filter(|&x| rows.row(x).contains(&node)).count();
            nodes.sort_by_key(|&node| std::cmp::Reverse(degree(node)));
        }
        Order::Bfs => {
            nodes.clear();
            let mut turn = 0;
            while nodes.len() < n as usize {
                nodes.extend((0..n).find(|node| !nodes.contains(node)));
                while turn < nodes.len() {
                    let row = rows.row(nodes[turn]);
                    row.iter().for_each(|to| {
                        if !nodes.contains(to) {
                            nodes.push(*to)
                        }
                    });
                    turn += 1;
                }
            }
        }
        Order::Llp => return None,
    }
    let name = |node: Node| graph.name(node).into_owned();
    Some(nodes.into_iter().map(name).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn the_same_graph_in_every_order(
        (n, list) in digraphs(),
        named in any::<bool>(),
        weighted in any::<bool>(),
        compact in any::<bool>(),
        auto in any::<bool>(),
    ) {
        let folder = TempDir::new().unwrap();
        let [from, to] = ["a.bv", "b.bv"].map(|name| folder.path().join(name));
        let rows = Csr::from_arcs(n, list).unwrap();
        // Not in the order of the numbers.
        let of_nodes: Vec<Box<str>> = (0..n).map(|x| format!("n{}", x * 7 % 13).into()).collect();
        let weights: Vec<f64> = (0..rows.num_arcs()).map(|arc| 0.1 + arc as f64).collect();
        let options = BundleOptions { replace: false, compact };
        let weights = weighted.then_some(&weights[..]);
        write_graph(&rows, named.then_some(&of_nodes[..]), weights, &from, options).unwrap();
        let before = Graph::open(&from).unwrap();
        for order in ORDERS {
            reorder(&from, order, if auto { "auto" } else { "default" }, &to);
            let source = StoredGraph::open(&to).unwrap();
            checked(&source).unwrap();
            prop_assert_eq!(source.has_transpose(), !compact);
            let after = Graph::from_source(source).unwrap();
            prop_assert_eq!(after.num_arcs(), before.num_arcs());
            prop_assert_eq!(arcs(&after), arcs(&before), "{:?}", order);
            let mut all = [names(&before), names(&after)];
            if let Some(expected) = expected(&before, order) {
                prop_assert_eq!(&all[1], &expected, "{:?}", order);
            }
            all.iter_mut().for_each(|names| names.sort());
            prop_assert_eq!(&all[0], &all[1]);
            let left = fs::read_dir(folder.path()).unwrap().count();
            prop_assert_eq!(left, 2);
        }
    }
}

#[test]
fn an_order_has_the_same_bytes_for_any_number_of_threads() {
    let folder = TempDir::new().unwrap();
    for order in ORDERS {
        let written = [1, 3].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let to = folder.path().join(format!("{threads}.bv"));
            let from = Path::new(webrank_testing::at!("graphs/debian.bv"));
            let pool = pool.build().unwrap();
            let codes = if order == Order::Given {
                "auto"
            } else {
                "default"
            };
            pool.install(|| reorder(from, order, codes, &to));
            let files = ["graph.graph", "names.txt.zst", "manifest.json"];
            files.map(|file| fs::read(to.join(file)).unwrap())
        });
        assert!(written[0] == written[1]);
    }
}

/// Where it is known to help, it does: dependencies in the order of names are scattered.
#[test]
fn label_propagation_makes_a_graph_smaller() {
    let folder = TempDir::new().unwrap();
    let to = folder.path().join("b.bv");
    let bits = |path: &Path| {
        StoredGraph::open(path)
            .unwrap()
            .compressed()
            .unwrap()
            .num_bits()
    };
    let from = Path::new(webrank_testing::at!("graphs/debian.bv"));
    reorder(from, Order::Llp, "default", &to);
    let (before, after) = (bits(from), bits(&to));
    assert!(after * 100 < before * 82, "{after} of {before}");
}
