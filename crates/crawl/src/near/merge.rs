//! A graph with one node for each cluster.

use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::memory::{filled, reserve};
use webrank_graph::Csr;

/// A graph in which some nodes became one.
pub struct Merged {
    /// The number that each node had before: the representative of its set. They increase.
    pub nodes: Vec<Node>,
    /// The rows of successors.
    pub successors: Csr,
    /// The weights of the arcs, if they had any: sums over the arcs that became one.
    pub weights: Option<Vec<f64>>,
}

/// The treatment of arcs between two nodes of a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Within {
    /// They go: a link between two copies of a page recommends nothing.
    #[default]
    Dropped,
    /// They become an arc from the node to itself.
    Kept,
}

impl Merged {
    /// The bytes that a merged graph takes for each node before, and for each arc, without weights.
    pub const BYTES: (u64, u64) = (24, 4);

    /// Makes one node of all nodes with the same representative, with the arcs of all of them, each
    /// once. An arc from a node to itself stays; `within` says what becomes of arcs between two
    /// different nodes of a set. O(n + m log m).
    ///
    /// # Errors
    /// If there is not one representative for each node, or one that does not represent itself; if
    /// memory is short.
    pub fn of(
        rows: &Csr,
        weights: Option<&[f64]>,
        representatives: &[Node],
        within: Within,
    ) -> Result<Self> {
        let n = rows.num_nodes();
        check(n, representatives)?;
        let (nodes, number, members) = numbers(representatives)?;
        let (mut offsets, mut targets) = (Vec::new(), Vec::new());
        reserve(&mut offsets, nodes.len() + 1, WHAT)?;
        reserve(&mut targets, rows.num_arcs() as usize, WHAT)?;
        offsets.push(0);
        let mut sums = weights.map(|_| Vec::new());
        if let Some(sums) = &mut sums {
            reserve(sums, rows.num_arcs() as usize, WHAT)?;
        }
        let mut row: Vec<(Node, f64)> = Vec::new();
        for new in 0..nodes.len() {
            row.clear();
            for &node in members.of(new) {
                let first = rows.offsets()[node as usize] as usize;
                reserve(&mut row, rows.degree(node) as usize, WHAT)?;
                row.extend(
                    rows.row(node)
                        .iter()
                        .enumerate()
                        .filter_map(|(i, &target)| {
                            let to = number[target as usize];
                            let is_dropped =
                                to as usize == new && target != node && within == Within::Dropped;
                            let weight = weights.map_or(1.0, |weights| weights[first + i]);
                            (!is_dropped).then_some((to, weight))
                        }),
                );
            }
            // Stable, so that sums of weights are always in the same order.
            row.sort_by_key(|&(target, _)| target);
            for arcs in row.chunk_by(|one, other| one.0 == other.0) {
                targets.push(arcs[0].0);
                if let Some(sums) = &mut sums {
                    sums.push(arcs.iter().map(|&(_, weight)| weight).sum());
                }
            }
            offsets.push(targets.len() as u64);
        }
        Ok(Merged {
            successors: Csr::new(offsets, targets)?,
            nodes,
            weights: sums,
        })
    }
}

const WHAT: &str = "the merged graph";

fn check(n: usize, representatives: &[Node]) -> Result<()> {
    let given = representatives.len();
    if given != n {
        let remedy = format!("the graph has {n} nodes");
        return Err(Error::argument("number of representatives", given, remedy));
    }
    let represents = |&node: &Node| representatives.get(node as usize) == Some(&node);
    match representatives.iter().find(|node| !represents(node)) {
        Some(node) => {
            let remedy = "a representative must represent itself";
            Err(Error::argument("representative", node, remedy))
        }
        None => Ok(()),
    }
}

/// The nodes of each set.
struct Members {
    nodes: Vec<Node>,
    starts: Vec<Node>,
}

impl Members {
    fn of(&self, set: usize) -> &[Node] {
        &self.nodes[self.starts[set] as usize..self.starts[set + 1] as usize]
    }
}

/// The representatives, the new number of each node, and the nodes with each number.
fn numbers(representatives: &[Node]) -> Result<(Vec<Node>, Vec<Node>, Members)> {
    let n = representatives.len();
    let mut kept: Vec<Node> = Vec::new();
    reserve(&mut kept, n, WHAT)?;
    let mut number: Vec<Node> = filled(0, n, WHAT)?;
    for (node, &representative) in representatives.iter().enumerate() {
        if node as Node == representative {
            number[node] = kept.len() as Node;
            kept.push(representative);
        }
    }
    // Representatives have their numbers: the others take theirs.
    for node in 0..n {
        number[node] = number[representatives[node] as usize];
    }
    let mut starts: Vec<Node> = filled(0, kept.len() + 1, WHAT)?;
    number.iter().for_each(|&set| starts[set as usize + 1] += 1);
    for set in 0..kept.len() {
        starts[set + 1] += starts[set];
    }
    let mut nodes: Vec<Node> = filled(0, n, WHAT)?;
    let mut next = starts.clone();
    for (node, &set) in number.iter().enumerate() {
        nodes[next[set as usize] as usize] = node as Node;
        next[set as usize] += 1;
    }
    Ok((kept, number, Members { nodes, starts }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn merged_graphs_are_as_defined(
            arcs in prop::collection::btree_map((0u32..12, 0u32..12), 1u32..9, 0..60),
            sets in prop::collection::vec(0usize..5, 12),
            keeps: bool,
        ) {
            let within = if keeps { Within::Kept } else { Within::Dropped };
            // Any node of a set may represent it; here the last one.
            let last = |node: usize| sets.iter().rposition(|set| *set == sets[node]).unwrap();
            let representatives: Vec<Node> = (0..12).map(|node| last(node) as Node).collect();
            let rows = Csr::from_arcs(12, arcs.keys().copied()).unwrap();
            let weights: Vec<f64> = arcs.values().map(|&weight| weight.into()).collect();
            let merged = Merged::of(&rows, Some(&weights), &representatives, within).unwrap();
            let mut expected: BTreeMap<(Node, Node), f64> = BTreeMap::new();
            for (&(source, target), &weight) in &arcs {
                let ends = [source, target].map(|node| representatives[node as usize]);
                if source == target || ends[0] != ends[1] || keeps {
                    *expected.entry((ends[0], ends[1])).or_default() += f64::from(weight);
                }
            }
            let old = |node: Node| merged.nodes[node as usize];
            let found = (0..merged.nodes.len() as Node).flat_map(|node| {
                let row = merged.successors.row(node).iter();
                row.map(move |&target| (old(node), old(target)))
            });
            let found: Vec<((Node, Node), f64)> =
                found.zip(merged.weights.clone().unwrap()).collect();
            prop_assert_eq!(found, expected.into_iter().collect::<Vec<_>>());
            let alone = Merged::of(&rows, None, &representatives, within).unwrap();
            prop_assert!(alone.weights.is_none() && alone.successors == merged.successors);
        }
    }

    #[test]
    fn wrong_representatives_are_refused() {
        let rows = Csr::from_arcs(3, [(0, 1)]).unwrap();
        for (representatives, words) in [
            (&[0, 1][..], "the graph has 3 nodes"),
            (&[1, 2, 2], "must represent itself"),
            (&[0, 0, 7], "must represent itself"),
        ] {
            let problem = Merged::of(&rows, None, representatives, Within::Kept);
            let problem = problem.err().unwrap().to_string();
            assert!(problem.contains(words), "{problem}");
        }
    }
}
