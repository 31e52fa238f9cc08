//! Induced subgraphs and neighbourhoods against their definitions.

use proptest::prelude::*;
use std::collections::BTreeSet;
use webrank_base::Node;
use webrank_graph::Csr;
use webrank_graph::subgraph::{Subgraph, with_neighbours};
use webrank_testing::graphs::digraphs;

proptest! {
    #[test]
    fn subgraphs_are_as_defined((n, arcs) in digraphs(), chosen in any::<u16>(), weighted in any::<bool>()) {
        let nodes: Vec<Node> = (0..n as Node).filter(|node| chosen >> node & 1 == 1).collect();
        let rows = Csr::from_arcs(n, arcs.iter().copied()).unwrap();
        let arcs: BTreeSet<(Node, Node)> = arcs.into_iter().collect();
        let weight = |(i, j): (Node, Node)| f64::from(100 * i + j);
        let weights: Vec<f64> = arcs.iter().map(|&arc| weight(arc)).collect();
        let small = Subgraph::induced(nodes.clone(), &rows, weighted.then_some(&weights[..])).unwrap();
        prop_assert_eq!(&small.nodes, &nodes);
        let inside: Vec<(Node, Node)> = arcs.iter().copied().filter(|(i, j)| nodes.contains(i) && nodes.contains(j)).collect();
        let found: Vec<(Node, Node)> = (0..nodes.len()).flat_map(|new| {
            let targets = small.successors.row(new as Node).iter();
            targets.map(|&target| (nodes[new], nodes[target as usize])).collect::<Vec<_>>()
        }).collect();
        prop_assert_eq!(&found, &inside);
        let expected = weighted.then(|| inside.iter().map(|&arc| weight(arc)).collect::<Vec<_>>());
        prop_assert_eq!(small.weights, expected);
        let near = (0..n as Node).filter(|x| {
            let touches = |y: &Node| arcs.contains(&(*x, *y)) || arcs.contains(&(*y, *x));
            nodes.contains(x) || nodes.iter().any(touches)
        });
        prop_assert_eq!(with_neighbours(&nodes, &rows).unwrap(), near.collect::<Vec<_>>());
    }
}
