//! New scores of some nodes, given what comes along their arcs.

use crate::centrality::pagerank::equation::ConstantTerm;
use crate::parallel::fixed::{FixedSum, LANES, Lanes};
use crate::parallel::simd::Simd;
use pulp::NullaryFnOnce;
use std::array;

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
        first: usize,
        scores: &mut [f64],
        moved: &mut [f32],
        inflows: &[u64],
    ) -> Pulled {
        match self.base.constant() {
            Some(constant) => self.all(|_| constant, scores, moved, inflows),
            None => self.all(|index| self.base.at(first + index), scores, moved, inflows),
        }
    }

    fn all(
        &self,
        base: impl Fn(usize) -> f64,
        scores: &mut [f64],
        moved: &mut [f32],
        inflows: &[u64],
    ) -> Pulled {
        Simd::best().run(Kernel {
            pull: self,
            base,
            scores,
            moved,
            inflows,
        })
    }
}

struct Kernel<'a, 'b, B> {
    pull: &'a Pull<'b>,
    base: B,
    scores: &'a mut [f64],
    moved: &'a mut [f32],
    inflows: &'a [u64],
}

impl<B: Fn(usize) -> f64> NullaryFnOnce for Kernel<'_, '_, B> {
    type Output = Pulled;

    #[inline(always)]
    fn call(self) -> Pulled {
        let Kernel { pull, base, .. } = self;
        let mut found = Found::default();
        let (scores, last_scores) = self.scores.as_chunks_mut::<LANES>();
        let (moved, last_moved) = self.moved.as_chunks_mut::<LANES>();
        let (inflows, last_inflows) = self.inflows.as_chunks::<LANES>();
        let start = LANES * inflows.len();
        let nodes = scores.iter_mut().zip(moved).zip(inflows);
        for (chunk, ((scores, moved), inflows)) in nodes.enumerate() {
            let bases = array::from_fn(|lane| base(LANES * chunk + lane));
            found.pull(pull, bases, inflows, scores, moved, LANES);
        }
        let count = last_inflows.len();
        let (mut scores, mut moved, mut inflows) = ([0.0; LANES], [0.0; LANES], [0; LANES]);
        scores[..count].copy_from_slice(last_scores);
        inflows[..count].copy_from_slice(last_inflows);
        if count > 0 {
            let bases = array::from_fn(|lane| base(start + lane.min(count - 1)));
            found.pull(pull, bases, &inflows, &mut scores, &mut moved, count);
        }
        last_scores.copy_from_slice(&scores[..count]);
        last_moved.copy_from_slice(&moved[..count]);
        found.pulled()
    }
}

/// What is found side by side.
#[derive(Default)]
struct Found {
    change: Lanes,
    mass: Lanes,
    largest: [u64; LANES],
    farthest: [f64; LANES],
}

impl Found {
    /// New scores of the first `count` nodes; all others have none.
    #[inline(always)]
    fn pull(
        &mut self,
        pull: &Pull,
        bases: [f64; LANES],
        inflows: &[u64; LANES],
        scores: &mut [f64; LANES],
        moved: &mut [f32; LANES],
        count: usize,
    ) {
        let mut sizes = [0.0; LANES];
        for lane in 0..LANES {
            let new = pull.alpha * (inflows[lane] as f64 * pull.unit) + bases[lane];
            let new = if lane < count { new } else { 0.0 };
            let change = new - std::mem::replace(&mut scores[lane], new);
            moved[lane] = change as f32;
            let size = change.abs();
            sizes[lane] = size;
            self.largest[lane] = self.largest[lane].max(inflows[lane]);
            let farthest = self.farthest[lane];
            self.farthest[lane] = if size > farthest { size } else { farthest };
        }
        self.change.add(sizes);
        self.mass.add(*scores);
    }

    fn pulled(self) -> Pulled {
        Pulled {
            change: self.change.sum(),
            mass: self.mass.sum(),
            largest: self.largest.into_iter().fold(0, u64::max),
            farthest: self.farthest.into_iter().fold(0.0, f64::max).to_bits(),
        }
    }
}
