//! New scores of some nodes, given what comes along their arcs.

use super::whole_kernels::{NODES, Update};
use crate::centrality::pagerank::equation::ConstantTerm;
use crate::parallel::fixed::FixedSum;

/// What a sweep finds in some nodes: ||x - z||, ||z||, the largest entry of x G in units, and the bits
/// of the largest entry of |x - z|, whose order is that of numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Pulled {
    pub(super) change: FixedSum,
    pub(super) mass: FixedSum,
    pub(super) largest: u64,
    pub(super) farthest: u64,
}

impl Pulled {
    pub(super) fn of(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut all = Pulled::default();
        for part in parts {
            all.change.merge(part.change);
            all.mass.merge(part.mass);
            all.largest = all.largest.max(part.largest);
            all.farthest = all.farthest.max(part.farthest);
        }
        all
    }
}

/// The map x <- F(x) of a sweep.
pub(super) struct Pull<'a> {
    pub(super) alpha: f64,
    /// 1 / scale: a power of two, so that a product with it is a quotient.
    pub(super) unit: f64,
    pub(super) base: ConstantTerm<'a>,
}

impl Pull<'_> {
    /// Replaces the scores of nodes from `first` on, given the sums of the shares of their predecessors;
    /// writes their changes to `moved`.
    pub(super) fn nodes(
        &self,
        mut first: usize,
        scores: &mut [f64],
        moved: &mut [f32],
        inflows: &[u64],
    ) -> Pulled {
        let mut base = [0.0; NODES];
        let nodes = scores.chunks_mut(NODES).zip(moved.chunks_mut(NODES));
        Pulled::of(
            nodes
                .zip(inflows.chunks(NODES))
                .map(|((scores, moved), inflows)| {
                    let base = &mut base[..scores.len()];
                    self.base.write(first, base);
                    first += scores.len();
                    let update = Update {
                        alpha: self.alpha,
                        unit: self.unit,
                        inflows,
                        base,
                        scores,
                        moved,
                    };
                    update.run()
                }),
        )
    }
}
