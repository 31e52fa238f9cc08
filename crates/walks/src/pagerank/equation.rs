//! The equation that PageRank solves, for any form of the walk.

use super::Distribution;
use webrank_base::Node;

/// `F(x) = alpha x G + alpha D(x) u + (1 - alpha) v` without its G: see
/// [`crate::pagerank::certificate`].
#[derive(Debug, Clone, Copy)]
pub struct Equation<'a> {
    /// The number of nodes.
    pub num_nodes: usize,
    /// The probability of following an arc, in [0, 1).
    pub alpha: f64,
    /// The distribution from which restarts draw nodes: v.
    pub preference: &'a Distribution,
    /// The distribution from which a walk draws the next node after a dangling node: u. `None`
    /// means that it ends.
    pub dangling: Option<&'a Distribution>,
}

impl<'a> Equation<'a> {
    /// The terms of F(x) that do not depend on arcs, given the mass on dangling nodes.
    pub fn base(&self, dangling_mass: f64) -> ConstantTerm<'a> {
        self.combined(1.0 - self.alpha, self.alpha * dangling_mass)
    }

    /// The sum of these multiples of v and u.
    pub fn combined(&self, of_preference: f64, of_dangling: f64) -> ConstantTerm<'a> {
        let n = self.num_nodes;
        let mut base = ConstantTerm {
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

    /// The mass on dangling nodes of a vector that sums to one and has `mass` on the other nodes; 0
    /// if F loses that mass.
    pub fn dangling_mass(&self, mass: f64) -> f64 {
        match self.dangling {
            Some(_) => 1.0 - mass,
            None => 0.0,
        }
    }

    /// A certified bound on the l1 distance between z and the fixed point. z is F(x), computed with
    /// an l1 error of at most `error`, and `||x - z||` is `change`.
    pub fn bound(&self, change: f64, error: f64) -> f64 {
        bound(self.alpha, change, error)
    }
}

/// [`Equation::bound`], for any v and u.
pub(crate) fn bound(alpha: f64, change: f64, error: f64) -> f64 {
    // Covers the few roundings of the sums and of this formula itself.
    let slack = 1.0 + 1e-12;
    slack * (alpha * change + error) / (1.0 - alpha)
}

/// A multiple of v plus a multiple of u.
pub struct ConstantTerm<'a> {
    constant: f64,
    vectors: [(f64, Option<&'a [f64]>); 2],
}

impl ConstantTerm<'_> {
    /// The entry of every node, if all are the same.
    pub fn constant(&self) -> Option<f64> {
        let is_constant = self.vectors.iter().all(|(_, vector)| vector.is_none());
        is_constant.then_some(self.constant)
    }

    /// Writes the entries of consecutive nodes.
    pub(crate) fn write(&self, first: usize, into: &mut [f64]) {
        match self.constant() {
            Some(constant) => into.fill(constant),
            None => {
                for (node, entry) in (first..).zip(into) {
                    *entry = self.at(node);
                }
            }
        }
    }

    /// Writes the entries of these nodes.
    pub(crate) fn write_of(&self, nodes: &[Node], into: &mut [f64]) {
        match self.constant() {
            Some(constant) => into.fill(constant),
            None => {
                for (&node, entry) in nodes.iter().zip(into) {
                    *entry = self.at(node as usize);
                }
            }
        }
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
