//! One application of the PageRank map, and the certificate of what it returns.
//!
//! `F(x) = alpha x G + alpha D(x) u + (1 - alpha) v`, where D(x) is the mass of x on dangling
//! nodes. F contracts the l1 norm by alpha. So if z is F(x) computed with an error of at most
//! delta in the l1 norm, and x* = F(x*), then
//!
//!     ||z - x*|| <= delta + ||F(x) - F(x*)|| <= delta + alpha (||x - z|| + ||z - x*||),
//!
//! hence `||z - x*|| <= (alpha ||x - z|| + delta) / (1 - alpha)`. All terms of F are nonnegative,
//! so delta is at most ||z|| times the relative error of one entry: a gathered sum
//! ([`sums::ROUNDOFFS`]), the division by the outdegree, the product with alpha, the two terms
//! added, and the errors of those terms themselves.

use super::sums;
use super::walk::{Distribution, RandomWalk, share};
use crate::graph::Node;
use crate::graph::blocks::split_mut;
use rayon::prelude::*;

/// The map F.
pub struct PageRankMap<'a, 'g> {
    /// The walk.
    pub walk: &'a RandomWalk<'g>,
    /// The probability of following an arc, in [0, 1).
    pub alpha: f64,
    /// Where a walk that does not follow an arc goes on: v.
    pub preference: &'a Distribution,
    /// Where a walk goes on from a dangling node: u. `None` means that it ends.
    pub dangling: Option<&'a Distribution>,
}

/// What one application of F returns.
pub struct Application {
    /// z = F(x).
    pub z: Vec<f64>,
    /// The share that each successor of a node receives of z.
    pub contributions: Vec<f64>,
    /// The mass of z on dangling nodes.
    pub dangling_mass: f64,
    /// Certified bound on the l1 distance of z from the fixed point.
    pub bound: f64,
}

/// Units of roundoff in the relative error of an entry of F(x), with a margin.
const ENTRY_ROUNDOFFS: f64 = sums::ROUNDOFFS + 80.0;

impl PageRankMap<'_, '_> {
    /// Applies F to `x`, given its contributions and its mass on dangling nodes; the vectors of
    /// `reuse` are overwritten. O(n + m), parallel over blocks, pulling: each task owns the
    /// entries that it writes.
    pub fn apply(
        &self,
        x: &[f64],
        contributions: &[f64],
        dangling_mass: f64,
        reuse: (Vec<f64>, Vec<f64>),
    ) -> Application {
        let n = self.walk.num_nodes();
        let (mut z, mut new_contributions) = reuse;
        z.resize(n, 0.0);
        new_contributions.resize(n, 0.0);
        let blocks = self.walk.blocks();
        let sums: Vec<[f64; 3]> = blocks
            .par_iter()
            .zip(split_mut(&mut z, blocks))
            .zip(split_mut(&mut new_contributions, blocks))
            .map(|((block, z), shares)| {
                let (mut change, mut mass) = (0.0, 0.0);
                let mut dangling = sums::Compensated::default();
                for (place, node) in block.clone().enumerate() {
                    let inflow = sums::gathered(self.row(node), |j| contributions[j as usize]);
                    let score = self.alpha * inflow + self.base(node, n, dangling_mass);
                    let outdegree = self.walk.outdegrees()[node];
                    z[place] = score;
                    shares[place] = share(score, outdegree);
                    change += (score - x[node]).abs();
                    mass += score;
                    if outdegree == 0 {
                        dangling.add(score);
                    }
                }
                [change, mass, dangling.value()]
            })
            .collect();
        let total = |of: usize| sums::compensated(sums.iter().map(|block| block[of]));
        Application {
            bound: self.bound(total(0), total(1)),
            dangling_mass: total(2),
            z,
            contributions: new_contributions,
        }
    }

    fn row(&self, node: usize) -> &[Node] {
        self.walk.predecessors().row(node as Node)
    }

    /// `(1 - alpha) v_i + alpha D u_i`.
    #[inline]
    pub fn base(&self, node: usize, n: usize, dangling_mass: f64) -> f64 {
        let teleport = (1.0 - self.alpha) * self.preference.weight(node, n);
        match self.dangling {
            Some(u) => teleport + self.alpha * dangling_mass * u.weight(node, n),
            None => teleport,
        }
    }

    /// The certified bound for z = F(x), given ||x - z|| and ||z||.
    fn bound(&self, change: f64, mass: f64) -> f64 {
        let roundoff = f64::EPSILON / 2.0;
        // Block sums of up to 2^15 terms and the arithmetic of this very formula.
        let slack = 1.0 + 1e-10;
        let delta = ENTRY_ROUNDOFFS * roundoff * mass;
        slack * (self.alpha * change + delta) / (1.0 - self.alpha)
    }

    /// The smallest bound that rounding lets [`Self::apply`] return.
    pub fn floor(&self) -> f64 {
        self.bound(0.0, 1.0)
    }

    /// The mass of `x` on dangling nodes.
    pub fn dangling_mass(&self, x: &[f64]) -> f64 {
        let per_block = self.walk.blocks().par_iter().map(|block| {
            let nodes = block.clone().filter(|&node| self.walk.is_dangling(node));
            sums::compensated(nodes.map(|node| x[node]))
        });
        let per_block: Vec<f64> = per_block.collect();
        sums::compensated(per_block.into_iter())
    }
}
