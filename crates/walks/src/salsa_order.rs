//! The order of SALSA's scores with weights, without rounding.
//!
//! With n_C members of a group C that has the weight w_C, the score of a member of the degree d is
//! `n_C d / (n w_C)`. Degrees and w_C are sums of doubles, which are whole numbers of a power of two
//! ([`webrank_linear::exact_sum`]), so scores are fractions. Scores of nodes that are close in doubles are
//! compared as such, and rounded once.

use num_bigint::BigUint;
use std::cmp::Ordering;
use std::collections::HashMap;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::parallel::tasks;
use webrank_graph::Direction;
use webrank_linear::Matrix;
use webrank_linear::exact_sum::{ExactSum, nearest, unit_of};
use webrank_linear::matrix::rounding_of;
use webrank_linear::wide::exponent_of;
use webrank_scores::Outcome;
use webrank_scores::settled::{Settled, close_rows};

/// The most bits of all sums that are held at a time: 128 MB.
const MOST_BITS: u64 = 1 << 30;

/// The bits that a sum takes besides its own.
const OF_SUM: u64 = 512;

/// The group of a node that is in none.
const NONE: Node = Node::MAX;

/// The hubs (`Out`) or the authorities (`In`) of a matrix with rows of predecessors.
pub(super) struct Members<'a> {
    pub(super) matrix: &'a Matrix,
    pub(super) side: Direction,
    /// The group of each node; the largest number for none.
    pub(super) groups: &'a [Node],
}

/// A score but for the factor that all have: `members * degree / arcs`.
struct Share<'a> {
    members: u32,
    degree: &'a BigUint,
    arcs: &'a BigUint,
}

impl Share<'_> {
    fn compared(&self, other: &Share) -> Ordering {
        // Most ties are of equal numbers, or of nodes that are alone in their groups.
        let is_alone = |share: &Share| share.degree == share.arcs;
        if is_alone(self) && is_alone(other)
            || (self.degree, self.arcs) == (other.degree, other.arcs)
        {
            return self.members.cmp(&other.members);
        }
        let one = other.arcs * self.degree * self.members;
        let two = self.arcs * other.degree * other.members;
        one.cmp(&two)
    }

    fn nearest(&self, of: u64) -> f64 {
        let score = nearest(&(self.degree * self.members), &(self.arcs * of), 0);
        // 0 is for nodes that are in no group.
        score.max(f64::from_bits(1))
    }
}

impl Members<'_> {
    /// Orders nodes with close scores by exact numbers, and gives them the nearest doubles; returns the
    /// numbers that order equal doubles, and what is known then.
    ///
    /// # Errors
    /// If a score is NaN.
    pub(super) fn settle(&self, scores: &mut [f64]) -> Result<(Vec<u64>, Outcome)> {
        let rows = self.matrix.rows();
        let n = rows.num_nodes();
        let longest = (0..n as Node).map(|node| rows.degree(node)).max();
        // That of a degree, of a group's weight, and of a few operations.
        let rounding = 4.0 * (rounding_of(longest.unwrap_or(0)) + 8.0 * f64::EPSILON);
        let close = close_rows(scores, rounding)?;
        let weights = || self.matrix.weights().unwrap_or(&[]).iter().copied();
        let (unit, largest) = (unit_of(weights()), weights().fold(0.0, f64::max));
        let bits = (exponent_of(largest) - unit).max(0) as u64 + OF_SUM;
        let count: usize = close.iter().map(Vec::len).sum();
        let mut settled = Settled::new(scores);
        // There may be a group for each node.
        if 2 * count as u64 * bits > MOST_BITS {
            return Ok((settled.into_rests(), Outcome::rounded(rounding, scores)));
        }
        let [degrees, arcs] = self.sums(close.iter().flatten().copied(), unit);
        let mut members = vec![0u32; n];
        let in_groups = self.groups.iter().filter(|&&group| group != NONE);
        in_groups.for_each(|&group| members[group as usize] += 1);
        let all = tasks::count(n, |node| self.groups[node] != NONE) as u64;
        for row in &close {
            let share = |&node: &Node| {
                let group = self.groups[node as usize];
                let share = Share {
                    members: members[group as usize],
                    degree: &degrees[&node],
                    arcs: &arcs[&group],
                };
                (share, node)
            };
            let rounded = |share: &Share| Some(share.nearest(all));
            settled.settle(
                row,
                row.iter().map(share).collect(),
                Share::compared,
                rounded,
            );
        }
        Ok((settled.into_rests(), Outcome::Exact))
    }

    /// The degrees of these nodes and the weights of their groups, in units of 2^unit.
    fn sums(&self, nodes: impl Iterator<Item = Node>, unit: i32) -> [HashMap<Node, BigUint>; 2] {
        let [mut degrees, mut arcs] = [HashMap::new(), HashMap::new()];
        for node in nodes {
            degrees.insert(node, ExactSum::default());
            arcs.insert(self.groups[node as usize], ExactSum::default());
        }
        for authority in 0..self.matrix.num_nodes() as Node {
            for (hub, weight) in self.matrix.row(authority) {
                let node = match self.side {
                    Direction::In => authority,
                    Direction::Out => hub,
                };
                let sums = [
                    degrees.get_mut(&node),
                    arcs.get_mut(&self.groups[node as usize]),
                ];
                sums.into_iter()
                    .flatten()
                    .for_each(|sum| sum.add(weight, unit));
            }
        }
        let whole = |sums: HashMap<Node, ExactSum>| {
            let sums = sums.into_iter();
            sums.map(|(node, sum)| (node, sum.whole())).collect()
        };
        [whole(degrees), whole(arcs)]
    }
}
