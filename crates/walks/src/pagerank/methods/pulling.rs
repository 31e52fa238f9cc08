//! New scores of some nodes, given what comes along their arcs.

use super::fixed_point_kernels::{NODES, Update};
use super::nondangling::Live;
use crate::pagerank::equation::ConstantTerm;
use bytemuck::allocation::cast_vec;
use webrank_base::parallel::fixed_point_sum::{FixedSum, LANES};
use webrank_base::parallel::sums::INDICES_PER_TASK;
use webrank_base::parallel::tasks;

/// The findings of a sweep in some nodes. Live nodes have ||x - z||, ||z||, the largest entry of x G in
/// units, and the bits of the largest entry of |x - z|, whose order is that of numbers. All nodes have
/// the largest entry of x G.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SweepStats {
    pub(super) change: FixedSum,
    pub(super) mass: FixedSum,
    pub(super) largest: u64,
    pub(super) farthest: u64,
    pub(super) most: u64,
}

impl SweepStats {
    pub(super) fn of(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut all = SweepStats::default();
        for part in parts {
            all.change.merge(part.change);
            all.mass.merge(part.mass);
            all.largest = all.largest.max(part.largest);
            all.farthest = all.farthest.max(part.farthest);
            all.most = all.most.max(part.most);
        }
        all
    }

    /// As words that can be sent.
    pub(super) fn words(self) -> [u64; 7] {
        let [a, b] = self.change.words();
        let [c, d] = self.mass.words();
        [a, b, c, d, self.largest, self.farthest, self.most]
    }

    /// The statistics of the nodes of all workers, from their [words](Self::words).
    pub(super) fn of_words(parts: impl IntoIterator<Item = [u64; 7]>) -> Self {
        let parts = parts.into_iter();
        Self::of(
            parts.map(|[a, b, c, d, largest, farthest, most]| SweepStats {
                change: FixedSum::from_words([a, b]),
                mass: FixedSum::from_words([c, d]),
                largest,
                farthest,
                most,
            }),
        )
    }
}

/// The map x <- F(x) of a sweep.
pub(super) struct SweepMap<'a> {
    pub(super) alpha: f64,
    /// 1 / scale: a power of two, so that a product with it is a quotient.
    pub(super) unit: f64,
    pub(super) base: ConstantTerm<'a>,
    pub(super) live: Live<'a>,
    /// Whether dangling nodes get scores.
    pub(super) is_whole: bool,
}

impl SweepMap<'_> {
    /// Replaces the scores of entries from `first` on, given the sums of the shares of their
    /// predecessors; writes the changes of live nodes to `moved`.
    pub(super) fn nodes(
        &self,
        mut first: usize,
        scores: &mut [f64],
        moved: &mut [f32],
        inflows: &[u64],
    ) -> SweepStats {
        let (mut base, mut live) = ([0.0; NODES], [0; NODES / LANES]);
        let nodes = scores.chunks_mut(NODES).zip(moved.chunks_mut(NODES));
        SweepStats::of(
            nodes
                .zip(inflows.chunks(NODES))
                .map(|((scores, moved), inflows)| {
                    let base = &mut base[..scores.len()];
                    match self.live {
                        Live::Among(_) => self.base.write(first, base),
                        Live::Only(nodes) => {
                            let nodes = &nodes[first..first + base.len()];
                            self.base.write_of(nodes, base);
                        }
                    }
                    let live = &mut live[..scores.len().div_ceil(LANES)];
                    self.live.write(first, live);
                    first += scores.len();
                    let update = Update {
                        alpha: self.alpha,
                        unit: self.unit,
                        inflows,
                        base,
                        live,
                        is_whole: self.is_whole,
                        scores,
                        moved,
                    };
                    update.run()
                }),
        )
    }

    /// The scores that all nodes get, given the sums of the shares of their predecessors, in whose place
    /// they are written, and the largest of these. The scores have the bits of [`Self::nodes`].
    pub(super) fn all(&self, mut inflows: Vec<u64>) -> (Vec<f64>, u64) {
        let parts = inflows.chunks_mut(INDICES_PER_TASK).enumerate();
        let largest = tasks::map(parts, |(task, inflows)| {
            let mut scores = [0.0; INDICES_PER_TASK];
            let scores = &mut scores[..inflows.len()];
            self.base.write(task * INDICES_PER_TASK, scores);
            let mut largest = 0;
            for (inflow, score) in inflows.iter_mut().zip(scores) {
                largest = largest.max(*inflow);
                *score += self.alpha * (*inflow as f64 * self.unit);
                *inflow = score.to_bits();
            }
            largest
        });
        (cast_vec(inflows), largest.into_iter().fold(0, u64::max))
    }
}
