//! A score is 0 if no walk gets to the node, also where walks would go on from dangling nodes to it.

use webrank_base::Node;
use webrank_base::limits::Limits;
use webrank_graph::Graph;
use webrank_measure::Measure;
use webrank_scores::parameters::{Damping, Dangling, Distribution};
use webrank_walks::pagerank::{Method, PageRank};

/// A ring with chords, from which no arc leads to the other nodes: a path that ends, and single nodes.
const RING: Node = 701;
const NODES: usize = 1000;

fn arcs() -> Vec<(Node, Node)> {
    let ring =
        (0..RING).flat_map(|node| [1, 7, 31].map(|step| (node, (node * step + step) % RING)));
    let path = (RING..RING + 100).map(|node| (node, node + 1));
    ring.chain(path).collect()
}

fn from_first(method: Method, arcs: Vec<(Node, Node)>) -> Vec<f64> {
    let mut weights = vec![0.0; NODES];
    weights[0] = 1.0;
    let measure = PageRank {
        damping: Damping::new(0.95).unwrap(),
        preference: Distribution::from_weights(weights).unwrap(),
        dangling: Dangling::Uniform,
        method,
        ..PageRank::default()
    };
    let graph = Graph::from_arcs(NODES, arcs).unwrap();
    let limits = Limits::default().tolerance(1e-12).unwrap();
    let ranked = measure.run_within(&graph, &limits);
    ranked.unwrap().values().to_vec()
}

#[test]
fn nodes_that_walks_enter_from_dangling_nodes_alone_have_no_score_if_none_is_reached() {
    for method in [
        Method::Auto,
        Method::Power,
        Method::GaussSeidel,
        Method::Components,
    ] {
        let scores = from_first(method, arcs());
        for (node, &score) in scores.iter().enumerate() {
            assert_eq!(
                score > 0.0,
                node < RING as usize,
                "{method:?} {node} {score:e}"
            );
        }
        // A way out makes all of them reached.
        let mut arcs = arcs();
        arcs.push((RING - 1, NODES as Node - 1));
        assert!(from_first(method, arcs).iter().all(|&score| score > 0.0));
    }
}
