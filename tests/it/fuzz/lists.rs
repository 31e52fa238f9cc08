//! Targets for lists of nodes, and of what belongs to nodes and arcs.

use webrank_graph::Csr;
use webrank_graph::arc_weights::parse_weights;
use webrank_tables::text::keys::NodeKeys;
use webrank_tables::text::names::{LineEnds, Names};
use webrank_tables::text::node_list::{nodes_in, parse_nodes};
use webrank_tables::text::node_values::parse_values;
use webrank_tables::text::records::Records;
use webrank_testing::fuzz::{clean, written};

/// Five names that are hard to write, as in the tests of each parser.
fn hard_names() -> Names {
    let path = written("hard", "a\na,b\nb c\n#c\n\"d\n".as_bytes());
    Names::read(&path, 5, LineEnds::Feed).expect("five names")
}

/// Weights of the arcs of a graph of five nodes.
pub fn weights(bytes: &[u8]) {
    let names = hard_names();
    let graph = Csr::from_arcs(5, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 4)]).expect("a graph");
    let keys = NodeKeys::new(5, Some(&names));
    if let Some(weights) = clean(parse_weights(Records::of_bytes(bytes), &graph, keys)) {
        assert_eq!(weights.len(), 5);
        assert!(
            weights
                .iter()
                .all(|&weight| weight.is_finite() && weight >= 0.0)
        );
    }
}

/// Values of five nodes.
pub fn preferences(bytes: &[u8]) {
    let names = hard_names();
    for names in [None, Some(&names)] {
        let parsed = parse_values(Records::of_bytes(bytes), NodeKeys::new(5, names), 5);
        if let Some(values) = clean(parsed) {
            assert_eq!(values.values.len(), 5);
            assert!(
                values
                    .values
                    .iter()
                    .all(|&value| value.is_finite() && value >= 0.0)
            );
        }
    }
}

/// Some of five nodes.
pub fn nodes(bytes: &[u8]) {
    let names = hard_names();
    for names in [None, Some(&names)] {
        let keys = NodeKeys::new(5, names);
        let records = Records::of_bytes(bytes).whole_lines();
        if let Some(nodes) = clean(parse_nodes(records, keys)) {
            assert!(nodes.len() <= 5 && nodes.iter().all(|&node| node < 5));
        }
        if let Ok(nodes) = nodes_in(&String::from_utf8_lossy(bytes), keys) {
            assert!(nodes.iter().all(|&node| node < 5));
        }
    }
}
