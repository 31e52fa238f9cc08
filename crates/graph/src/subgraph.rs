//! Induced subgraphs: some nodes, and all arcs between them.

use super::{Csr, Rows};
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::memory::{filled, reserve};

/// An induced subgraph. Its nodes are numbered in their order in the whole graph.
pub struct Subgraph {
    /// The number in the whole graph of each node.
    pub nodes: Vec<Node>,
    /// The rows of successors.
    pub successors: Csr,
    /// The weights of the arcs, if the whole graph has them.
    pub weights: Option<Vec<f64>>,
}

/// No node.
const NONE: Node = Node::MAX;

impl Subgraph {
    /// The arcs between these nodes, which increase. Scans the rows once; weights are in the order of
    /// the arcs.
    ///
    /// # Errors
    /// If the rows cannot be read, or there is not enough memory.
    pub fn induced(nodes: Vec<Node>, rows: &dyn Rows, weights: Option<&[f64]>) -> Result<Self> {
        let n = rows.num_nodes();
        let mut number: Vec<Node> = filled(NONE, n, "nodes")?;
        for (new, &old) in nodes.iter().enumerate() {
            number[old as usize] = new as Node;
        }
        let mut offsets = Vec::new();
        reserve(&mut offsets, nodes.len() + 1, "the rows of nodes")?;
        offsets.push(0);
        let mut targets: Vec<Node> = Vec::new();
        let mut kept = weights.map(|_| Vec::new());
        let (mut arcs, mut result) = (0, Ok(()));
        rows.for_rows(0..n, &mut |node, row| {
            let before = arcs;
            arcs += row.len();
            if number[node as usize] == NONE || result.is_err() {
                return;
            }
            for (i, &target) in row.iter().enumerate() {
                let target = number[target as usize];
                if target == NONE {
                    continue;
                }
                let added = reserve(&mut targets, 1, "arcs").and_then(|()| match &mut kept {
                    Some(kept) => reserve(kept, 1, "weights"),
                    None => Ok(()),
                });
                if added.is_err() {
                    result = added;
                    return;
                }
                targets.push(target);
                if let (Some(kept), Some(weights)) = (&mut kept, weights) {
                    kept.push(weights[before + i]);
                }
            }
            offsets.push(targets.len() as u64);
        })?;
        result?;
        Ok(Subgraph {
            // The order of nodes is kept, so rows increase.
            successors: Csr::new(offsets, targets)?,
            nodes,
            weights: kept,
        })
    }

    /// The memory that it takes by node of the whole graph, beside the arcs.
    pub const BYTES_OF_NODE: u64 = 24;
}

/// These nodes and all that have an arc to or from one of them, in increasing order. Scans the rows
/// once.
///
/// # Errors
/// If the rows cannot be read, or there is not enough memory.
pub fn with_neighbours(nodes: &[Node], rows: &dyn Rows) -> Result<Vec<Node>> {
    let n = rows.num_nodes();
    let mut is_chosen = filled(false, n, "nodes")?;
    nodes
        .iter()
        .for_each(|&node| is_chosen[node as usize] = true);
    let mut is_near = is_chosen.clone();
    rows.for_rows(0..n, &mut |node, row| {
        if is_chosen[node as usize] {
            row.iter()
                .for_each(|&target| is_near[target as usize] = true);
        } else if row.iter().any(|&target| is_chosen[target as usize]) {
            is_near[node as usize] = true;
        }
    })?;
    let near = (0..n).filter(|&node| is_near[node]);
    Ok(near.map(|node| node as Node).collect())
}
