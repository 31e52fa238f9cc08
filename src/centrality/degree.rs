//! Indegree and outdegree: the number of arcs into, or out of, a node, self-loops included.
//!
//! The baselines that other measures are compared with. O(n) from the offsets of the rows.

use crate::graph::{Csr, Predecessors, Successors};
use crate::scores::{Outcome, Run, Scores};

/// The number of predecessors of every node.
pub fn indegree(graph: Predecessors<Csr>) -> Scores {
    degrees(graph.0, "indegree")
}

/// The number of successors of every node.
pub fn outdegree(graph: Successors<Csr>) -> Scores {
    degrees(graph.0, "outdegree")
}

fn degrees(rows: &Csr, measure: &'static str) -> Scores {
    let nodes = 0..rows.num_nodes() as u32;
    Scores {
        values: nodes.map(|x| rows.degree(x) as f64).collect(),
        run: Run {
            measure,
            method: "exact",
            parameters: Default::default(),
            outcome: Outcome::Exact,
        },
    }
}
