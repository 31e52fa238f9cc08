//! The PageRank map, and the certificate of a vector close to its fixed point.
//!
//! `F(x) = alpha x G + alpha D(x) u + (1 - alpha) v`, where D(x) is the mass of x on dangling
//! nodes. F contracts the l1 norm by alpha. So if z is F(x) computed with an error of at most
//! delta in the l1 norm, and x* = F(x*), then
//!
//! ```text
//! ||z - x*|| <= delta + ||F(x) - F(x*)|| <= delta + alpha (||x - z|| + ||z - x*||),
//! ```
//!
//! hence `||z - x*|| <= (alpha ||x - z|| + delta) / (1 - alpha)`, whichever way x was found. All
//! terms of F are nonnegative, so delta is at most ||z|| times the relative error of one entry: a
//! sum of shares ([`sums::ROUNDOFFS`]), each share a division, the sum over dangling nodes, and a
//! few products and additions.

use super::sums::{self, INDICES_PER_TASK};
use super::walk::{Distribution, RandomWalk};
use crate::graph::Node;
use crate::graph::blocks::split_mut;
use rayon::prelude::*;
use std::ops::Range;

/// The map F.
pub struct PageRankMap<'a> {
    /// The walk.
    pub walk: &'a RandomWalk,
    /// The probability of following an arc, in [0, 1).
    pub alpha: f64,
    /// Where a walk that does not follow an arc goes on: v.
    pub preference: &'a Distribution,
    /// Where a walk goes on from a dangling node: u. `None` means that it ends.
    pub dangling: Option<&'a Distribution>,
}

/// A method that finds the fixed point of F by sweeps over the arcs.
pub trait Iteration {
    /// One sweep; returns by how much it changed the scores of live nodes, in the l1 norm.
    fn sweep(&mut self) -> f64;

    /// The certificate of where the iteration stands: see [`PageRankMap::certify`].
    fn certify(&self) -> Certified;
}

/// A vector close to the fixed point.
pub struct Certified {
    /// The vector.
    pub scores: Vec<f64>,
    /// Certified bound on its l1 distance to the fixed point.
    pub bound: f64,
}

/// Units of roundoff in the relative error of an entry of F(x), with a margin.
pub(crate) const ENTRY_ROUNDOFFS: f64 = 2.0 * sums::ROUNDOFFS + 20.0;

impl PageRankMap<'_> {
    /// True if the equation is the same for both nodes: they have the same predecessors and the
    /// same entries in u and v.
    pub fn same_row(&self, a: Node, b: Node) -> bool {
        let row_of = |node: Node| self.walk.rows().row_of(node as usize);
        row_of(a) == row_of(b)
            && self.preference.same(a, b)
            && self.dangling.is_none_or(|u| u.same(a, b))
    }

    /// The terms of F(x) that do not depend on arcs, for a mass on dangling nodes.
    pub fn base(&self, dangling_mass: f64) -> Base<'_> {
        self.combined(1.0 - self.alpha, self.alpha * dangling_mass)
    }

    /// The vector with these multiples of v and u.
    pub fn combined(&self, of_preference: f64, of_dangling: f64) -> Base<'_> {
        let n = self.walk.num_nodes();
        let mut base = Base {
            constant: 0.0,
            vectors: [(0.0, None); 2],
        };
        let terms = [
            (of_preference, Some(self.preference)),
            (of_dangling, self.dangling),
        ];
        for (slot, (factor, distribution)) in base.vectors.iter_mut().zip(terms) {
            match distribution {
                Some(Distribution::Uniform) => base.constant += factor / n as f64,
                Some(Distribution::Dense(weights)) => *slot = (factor, Some(weights)),
                None => {}
            }
        }
        base
    }

    /// The mass on dangling nodes of a vector that sums to one and has `mass` on the others; 0 if F
    /// loses it.
    pub fn dangling_mass(&self, mass: f64) -> f64 {
        match self.dangling {
            Some(_) => 1.0 - mass,
            None => 0.0,
        }
    }

    /// Applies F, without shortcuts, to the vector x that live nodes share out in these parts and
    /// whose entries on dangling nodes follow from these. O(n + m).
    ///
    /// The result has equal bits for nodes with equal rows and equal entries in u and v.
    pub fn certify(&self, shares: &[f64]) -> Certified {
        let (rows, outdegrees) = (self.walk.rows(), self.walk.live_outdegrees());
        let sums = self.inflows(shares);
        let score = |place: usize| shares[place] * outdegrees[place] as f64;
        let mass = self.sum_over(shares.len(), score);
        // Any x will do as long as it is not negative.
        let base = self.base(self.dangling_mass(mass).max(0.0));
        // z without its base, and what x has on dangling nodes.
        let mut z = vec![0.0; self.walk.num_nodes()];
        let [dangling_mass] = self.over_nodes(&mut z, |nodes, z| {
            for (z, node) in z.iter_mut().zip(nodes.clone()) {
                *z = self.alpha * sums[rows.row_of(node)];
            }
            let dangling = self.walk.dangling_within(nodes.clone());
            let of_dangling = dangling.map(|node| z[node - nodes.start] + base.at(node));
            [sums::chained(of_dangling)]
        });
        let dangling_mass = self.dangling.map_or(0.0, |_| dangling_mass);
        let new_base = self.base(dangling_mass);
        let live = self.walk.live();
        let [mass, change] = self.over_nodes(&mut z, |nodes, z| {
            for (z, node) in z.iter_mut().zip(nodes.clone()) {
                *z += new_base.at(node);
            }
            let of_live = self.walk.live_within(nodes.clone());
            let changes =
                of_live.map(|place| (z[live[place] as usize - nodes.start] - score(place)).abs());
            let dangling = self.walk.dangling_within(nodes.clone());
            let of_dangling = dangling.map(|node| (new_base.at(node) - base.at(node)).abs());
            [
                sums::chained(z.iter().copied()),
                sums::chained(changes) + sums::chained(of_dangling),
            ]
        });
        Certified {
            bound: self.bound(change, mass),
            scores: z,
        }
    }

    /// The sums of shares over all rows, term by term.
    pub(crate) fn inflows(&self, shares: &[f64]) -> Vec<f64> {
        let rows = self.walk.rows();
        let blocks = rows.blocks();
        let mut inflows = vec![0.0; rows.num_rows()];
        blocks
            .par_iter()
            .zip(split_mut(&mut inflows, &blocks))
            .for_each(|(block, inflows)| {
                for (inflow, row) in inflows.iter_mut().zip(block.clone()) {
                    *inflow = rows.exact_sum(row, |j| shares[j as usize]);
                }
            });
        inflows
    }

    /// The sum of a term for each index below `count`.
    pub(crate) fn sum_over(&self, count: usize, term: impl Fn(usize) -> f64 + Sync) -> f64 {
        sums::sum_of_tasks(count, |indices| sums::chained(indices.map(&term)))
    }

    /// Hands out the entries of some consecutive nodes at a time; adds up what tasks return.
    fn over_nodes<const K: usize>(
        &self,
        entries: &mut [f64],
        task: impl Fn(Range<usize>, &mut [f64]) -> [f64; K] + Sync,
    ) -> [f64; K] {
        let parts: Vec<[f64; K]> = entries
            .par_chunks_mut(INDICES_PER_TASK)
            .enumerate()
            .map(|(index, entries)| {
                let start = index * INDICES_PER_TASK;
                task(start..start + entries.len(), entries)
            })
            .collect();
        std::array::from_fn(|of| sums::compensated(parts.iter().map(|part| part[of])))
    }

    /// About the least bound that rounding allows.
    pub fn floor(&self) -> f64 {
        floor(self.alpha)
    }

    fn bound(&self, change: f64, mass: f64) -> f64 {
        certified_bound(self.alpha, change, mass)
    }
}

/// The certified bound for z = F(x), given ||x - z|| and ||z||.
pub(crate) fn certified_bound(alpha: f64, change: f64, mass: f64) -> f64 {
    let roundoff = f64::EPSILON / 2.0;
    // The few roundings of the sums and of this very formula.
    let slack = 1.0 + 1e-12;
    let delta = ENTRY_ROUNDOFFS * roundoff * mass;
    slack * (alpha * change + delta) / (1.0 - alpha)
}

/// About the least bound that rounding allows for a vector that sums to one.
pub(crate) fn floor(alpha: f64) -> f64 {
    certified_bound(alpha, 0.0, 1.0)
}

/// A multiple of v plus a multiple of u.
pub struct Base<'a> {
    constant: f64,
    vectors: [(f64, Option<&'a [f64]>); 2],
}

impl Base<'_> {
    /// The entry of every node, if all are the same.
    pub fn constant(&self) -> Option<f64> {
        let is_constant = self.vectors.iter().all(|(_, vector)| vector.is_none());
        is_constant.then_some(self.constant)
    }

    /// The entry of a node.
    #[inline]
    pub fn at(&self, node: usize) -> f64 {
        let mut entry = self.constant;
        for (factor, weights) in self.vectors {
            if let Some(weights) = weights {
                entry += factor * weights[node];
            }
        }
        entry
    }
}
