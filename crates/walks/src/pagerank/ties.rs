//! Exact ties: nodes that the equation cannot distinguish.
//!
//! Partition the nodes into classes such that nodes of a class have equal entries in u and v, and,
//! for every class and every outdegree, equally many predecessors of that class and outdegree. Then
//! the PageRank map takes vectors that are constant on classes to such vectors. So its only fixed
//! point is constant on classes: nodes of a class have equal true scores. Nodes with equal
//! predecessors are tied, and so are, for example, corresponding nodes of mirrored halves of a
//! site.
//!
//! The coarsest such partition (McKay, "Practical graph isomorphism", 1981: the coarsest equitable
//! refinement) is found by splitting classes by the multiset of classes and outdegrees of
//! predecessors until nothing splits. Starting from all nodes together, this may take as many
//! rounds as the longest path has nodes. But tied nodes have scores that differ by no more than the
//! l1 error, so scores known to a small error separate almost all nodes in advance, and few rounds
//! are left.

use super::certificate::PageRankMap;
use std::ops::Range;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::blocks::split_mut;
use webrank_base::parallel::sums::compensated;
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_base::random::{GOLDEN, finalised};

/// Classes of nodes whose true scores are equal.
pub struct EqualScores {
    /// The nodes, grouped by class.
    order: Vec<Node>,
    /// The places in the order of the classes with two or more nodes.
    classes: Vec<Range<usize>>,
    /// For each node, the place in the order at which its class starts.
    class_of: Vec<u32>,
}

impl EqualScores {
    /// Finds all ties. `order` holds the nodes by decreasing `scores`, whose l1 error is at most
    /// `bound`.
    ///
    /// Each round takes at most O(n log n + m), in parallel; 24 bytes per node. If `max_rounds` do
    /// not suffice, as on very long paths, no ties are known.
    ///
    /// # Errors
    /// If rows cannot be read from the file that holds them, or if the user interrupts.
    pub fn new(
        map: &PageRankMap,
        order: &[Node],
        scores: &[f64],
        bound: f64,
        max_rounds: u32,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let mut ties = EqualScores {
            order: order.to_vec(),
            classes: Vec::new(),
            class_of: (0..order.len() as u32).collect(),
        };
        let mut start = 0;
        for group in order.chunk_by(|&a, &b| scores[a as usize] - scores[b as usize] <= bound) {
            ties.classes.push(start..start + group.len());
            start += group.len();
        }
        let n = map.walk.num_nodes();
        ties.split(|node| {
            let of = |d: &crate::pagerank::Distribution| d.weight(node as usize, n).to_bits();
            mix(of(map.equation.preference)) ^ map.equation.dangling.map_or(0, of)
        });
        let mut is_settled = false;
        for _ in 0..max_rounds {
            progress.check()?;
            let hash = |place: usize| mix(ties.shape(map, place));
            let hashes = tasks::tabulate(map.walk.live().len(), hash);
            let keys = map.walk.rows().hashes(&hashes)?;
            is_settled = !ties.split(|node| keys[map.walk.rows().row_of(node as usize)]);
            if is_settled {
                break;
            }
        }
        // Hashes separated the classes, but a proof must not rest on hashes.
        if !is_settled || !ties.hold(map)? {
            ties.classes.clear();
            ties.class_of = (0..n as u32).collect();
        }
        Ok(ties)
    }

    /// The class and the outdegree of a live node, which is all that its successors depend on.
    fn shape(&self, map: &PageRankMap, place: usize) -> u64 {
        let class = self.class_of[map.walk.live()[place] as usize] as u64;
        class << 32 | map.walk.live_outdegrees()[place] as u64
    }

    /// Splits classes by the keys of nodes; returns whether any class was split.
    fn split(&mut self, key: impl Fn(Node) -> u64 + Sync) -> bool {
        let classes = std::mem::take(&mut self.classes);
        let nodes = classes.iter().flat_map(|class| &self.order[class.clone()]);
        let mut keyed: Vec<(u64, Node)> = nodes.map(|&node| (0, node)).collect();
        tasks::update(&mut keyed, |_, (of_node, node)| *of_node = key(*node));
        let mut next = 0;
        let places: Vec<Range<usize>> = classes
            .iter()
            .map(|class| {
                next += class.len();
                next - class.len()..next
            })
            .collect();
        tasks::for_each(split_mut(&mut keyed, &places), |members| {
            members.sort_unstable();
        });
        let count = classes.len();
        for (class, place) in classes.into_iter().zip(places) {
            let mut start = class.start;
            for part in keyed[place].chunk_by(|a, b| a.0 == b.0) {
                for (node, &(_, member)) in self.order[start..].iter_mut().zip(part) {
                    *node = member;
                    self.class_of[member as usize] = start as u32;
                }
                if part.len() > 1 {
                    self.classes.push(start..start + part.len());
                }
                start += part.len();
            }
        }
        let left: usize = self.classes.iter().map(|class| class.len()).sum();
        left < keyed.len() || self.classes.len() > count
    }

    /// Whether the classes satisfy the module's definition, checked without hashes.
    ///
    /// # Errors
    /// If rows cannot be read.
    fn hold(&self, map: &PageRankMap) -> Result<bool> {
        let n = map.walk.num_nodes();
        let rows = map.walk.rows();
        let entries = |node: Node| {
            let of = |d: &crate::pagerank::Distribution| d.weight(node as usize, n);
            (of(map.equation.preference), map.equation.dangling.map(of))
        };
        let shapes = |row: usize| {
            let shape = |place: Node| self.shape(map, place as usize);
            let shapes = rows.with_row(row, |row| row.nodes().map(shape).collect());
            shapes.map(|mut shapes: Vec<u64>| {
                shapes.sort_unstable();
                shapes
            })
        };
        let holds = |class: usize| -> Result<bool> {
            let members = &self.order[self.classes[class].clone()];
            let row_of = |node: Node| rows.row_of(node as usize);
            let mut distinct: Vec<usize> = members.iter().map(|&node| row_of(node)).collect();
            distinct.sort_unstable();
            distinct.dedup();
            let of_first = entries(members[0]);
            if members.iter().any(|&node| entries(node) != of_first) {
                return Ok(false);
            }
            let Some((&first, others @ [_, ..])) = distinct.split_first() else {
                return Ok(true);
            };
            let first = shapes(first)?;
            for &row in others {
                if shapes(row)? != first {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        let held = tasks::try_map(tasks::ranges(self.classes.len()), |mut classes| {
            classes.try_fold(true, |held, class| Ok::<_, Error>(held && holds(class)?))
        })?;
        Ok(held.into_iter().all(|held| held))
    }

    /// True if the true scores of both nodes are known to be equal.
    pub fn tied(&self, a: Node, b: Node) -> bool {
        self.class_of[a as usize] == self.class_of[b as usize]
    }

    /// Gives all nodes of a class the same score, to the bit: their mean.
    ///
    /// The mean is no further from the common true score than the scores are on average, so the
    /// l1 error grows by no more than the roundings of the means, 4 u times the sum of the scores.
    pub fn level(&self, scores: &mut [f64]) {
        for class in &self.classes {
            let members = &self.order[class.clone()];
            let sum = compensated(members.iter().map(|&node| scores[node as usize]));
            let mean = sum / members.len() as f64;
            members
                .iter()
                .for_each(|&node| scores[node as usize] = mean);
        }
    }
}

/// A bijection that scatters its argument.
fn mix(key: u64) -> u64 {
    finalised(key.wrapping_add(GOLDEN))
}
