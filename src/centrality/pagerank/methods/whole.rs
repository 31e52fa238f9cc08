//! The power method with shares that are whole numbers: what all forms of it have in common.
//!
//! # Integers
//!
//! Shares are rounded to multiples of 2^-k and added as integers modulo 2^64. Integers add up to the
//! same sum in any order, so threads, processes and machines may add in any order, and results have
//! the same bits for any number of them. Norms are sums in fixed point ([`FixedSum`]) for the same
//! reason.
//!
//! # The certificate
//!
//! Rounding a share loses at most 2^-k / 2 on each of its arcs, so a sweep over m arcs has an l1
//! error of at most `alpha m 2^-(k+1)`, plus the few roundings of its floating-point operations. k
//! is as large as possible: no entry of x G exceeds the largest of the last sweep by more than the
//! l1 norm of the change of x since, and twice that bound must stay below 2^64.

use super::power_extrapolation::Schedule;
use crate::centrality::pagerank::certificate::Certified;
use crate::centrality::pagerank::equation::{Equation, bound};
use crate::cluster::{FoundAmong, SavingAmong};
use crate::error::{Error, Result};
use crate::memory::filled;
use crate::parallel::fixed::FixedSum;
use crate::parallel::sums::INDICES_PER_TASK;
use crate::parallel::tasks;

/// Units of roundoff in the relative error of an entry of F(x), without the rounding of shares: a
/// quotient, a conversion and a few products and sums, with a margin that what [`FixedSum`] cuts off,
/// n 2^-104, is far below.
const ENTRY_ROUNDOFFS: f64 = 20.0;

/// A score that is large in a graph with so many arcs that their roundings matter.
const LARGE: f64 = 0.01;

/// The number of units in 1 if no entry of x G exceeds this.
fn scale_for(largest: f64) -> f64 {
    f64::exp2(63.0 - largest.log2().ceil())
}

/// A bound on the l1 error of a computed F(x) of this norm: of the roundings of shares, and of the rest.
fn rounding(alpha: f64, num_arcs: u64, scale: f64, mass: f64) -> f64 {
    let of_shares = alpha * num_arcs as f64 * 0.5 / scale;
    of_shares + ENTRY_ROUNDOFFS * (f64::EPSILON / 2.0) * mass
}

/// What users should know before a run that is to reach a tolerance: that roundings do not allow it, if
/// a node has a score of [`LARGE`].
pub(crate) fn warning(alpha: f64, num_arcs: u64, tolerance: f64) -> Option<String> {
    let error = rounding(alpha, num_arcs, scale_for(LARGE), 1.0);
    let least = bound(alpha, 0.0, error);
    (least > tolerance).then(|| {
        format!(
            "on {num_arcs} arcs, roundings allow no certified error below {least:.1e} if a node has a \
             score of {LARGE}, and the tolerance is {tolerance:.1e}: give a tolerance of {least:.1e} \
             if that is enough"
        )
    })
}

/// The scores of some or all nodes between two sweeps.
pub(super) struct WholeScores<'a> {
    /// Its distributions are over these nodes, its number of nodes is that of the graph.
    equation: Equation<'a>,
    /// The number of arcs of the graph.
    num_arcs: u64,
    pub(super) scores: Vec<f64>,
    /// An upper bound on the entries of x G, for all nodes.
    largest: f64,
    /// The change of x in the two sweeps before an extrapolation.
    moved: Option<Vec<f32>>,
    schedule: Schedule,
}

/// The result of a sweep: ||x - F(x)||, and a bound on the l1 error of F(x).
pub(super) struct Sweep {
    pub(super) change: f64,
    pub(super) error: f64,
}

/// What a sweep finds in some nodes: ||x - z||, ||z||, and the largest entry of x G in units.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Pulled {
    pub(super) change: FixedSum,
    pub(super) mass: FixedSum,
    pub(super) largest: u64,
}

impl Pulled {
    pub(super) fn of(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut all = Pulled::default();
        for part in parts {
            all.change.merge(part.change);
            all.mass.merge(part.mass);
            all.largest = all.largest.max(part.largest);
        }
        all
    }
}

/// What a node gives to each of its successors, in units of 1 / scale.
#[inline]
pub(super) fn share(score: f64, outdegree: usize, scale: f64) -> u64 {
    (score / outdegree as f64 * scale + 0.5) as u64
}

/// What is kept between two sweeps, in whatever form the graph is swept: a run may go on in the other.
pub(super) const STAGE: &str = "streamed sweeps";

impl<'a> WholeScores<'a> {
    /// Starts from these scores.
    pub(super) fn new(equation: Equation<'a>, num_arcs: u64, scores: Vec<f64>) -> Self {
        WholeScores {
            schedule: Schedule::new(equation.alpha),
            equation,
            num_arcs,
            scores,
            largest: 1.0,
            moved: None,
        }
    }

    /// The number of units in 1.
    pub(super) fn scale(&self) -> f64 {
        scale_for(self.largest)
    }

    /// x <- F(x), given the mass on all dangling nodes and, for consecutive pieces of
    /// [`INDICES_PER_TASK`] nodes, the sums of the shares of their predecessors.
    pub(super) fn pull<I: Iterator<Item = u64> + Send>(
        &mut self,
        scale: f64,
        dangling_mass: FixedSum,
        inflows: impl Iterator<Item = I>,
    ) -> Pulled {
        let dangling_mass = self
            .equation
            .dangling
            .map_or(0.0, |_| dangling_mass.value());
        let base = self.equation.base(dangling_mass);
        let alpha = self.equation.alpha;
        // One part per piece, empty if nothing is kept.
        let mut nothing = Vec::new();
        let moved = self.moved.as_mut().unwrap_or(&mut nothing);
        let mut moved = moved.chunks_mut(INDICES_PER_TASK);
        let moved = std::iter::repeat_with(|| moved.next().unwrap_or_default());
        let pieces = self.scores.chunks_mut(INDICES_PER_TASK);
        let pieces = pieces.zip(moved).zip(inflows).enumerate();
        let parts = tasks::map(pieces, |(piece, ((scores, moved), inflows))| {
            let start = piece * INDICES_PER_TASK;
            let mut pulled = Pulled::default();
            for (index, (score, inflow)) in scores.iter_mut().zip(inflows).enumerate() {
                pulled.largest = pulled.largest.max(inflow);
                let new = alpha * (inflow as f64 / scale) + base.at(start + index);
                let old = std::mem::replace(score, new);
                pulled.change.add((new - old).abs());
                pulled.mass.add(new);
                if let Some(moved) = moved.get_mut(index) {
                    *moved += (new - old) as f32;
                }
            }
            pulled
        });
        Pulled::of(parts)
    }

    /// Ends a sweep in which all nodes together have found this.
    pub(super) fn swept(&mut self, scale: f64, pulled: Pulled) -> Sweep {
        let (change, mass) = (pulled.change.value(), pulled.mass.value());
        let largest = pulled.largest as f64 / scale;
        self.largest = (largest + change).min(mass.max(1.0));
        self.schedule.count(change);
        Sweep {
            change,
            error: rounding(self.equation.alpha, self.num_arcs, scale, mass),
        }
    }

    /// Starts to record the change of x two sweeps before an extrapolation; extrapolates when it is
    /// due. `all` adds up what the changes of all nodes are.
    pub(super) fn extrapolate(
        &mut self,
        all: impl FnOnce(FixedSum) -> Result<FixedSum>,
    ) -> Result<()> {
        if self.schedule.next_needs_memory() {
            let n = self.scores.len();
            let mut moved = Vec::new();
            let too_large = |_| Error::memory("an extrapolation", 4 * n as u64);
            moved.try_reserve_exact(n).map_err(too_large)?;
            moved.resize(n, 0.0);
            self.moved = Some(moved);
        }
        if !self.schedule.is_due() {
            return Ok(());
        }
        // A certificate may have been due when the record was to start.
        let Some(moved) = self.moved.take() else {
            return Ok(());
        };
        let weight = self.equation.alpha * self.equation.alpha;
        let weight = weight / (1.0 - weight);
        tasks::update_with(&mut self.scores, &moved, |x, &moved| {
            *x = (*x + weight * moved as f64).max(0.0);
        });
        let sums = tasks::map(tasks::ranges(moved.len()), |range| {
            let mut sum = FixedSum::default();
            moved[range]
                .iter()
                .for_each(|moved| sum.add(moved.abs().into()));
            sum
        });
        self.largest += weight * all(FixedSum::of(sums))?.value();
        Ok(())
    }

    /// The scores after this sweep, and a certified bound on the l1 error of those of all nodes.
    pub(super) fn certified(&self, sweep: &Sweep) -> Certified {
        Certified {
            bound: self.equation.bound(sweep.change, sweep.error),
            scores: self.scores.clone(),
        }
    }

    /// About the least bound that rounding allows.
    pub(super) fn floor(&self) -> f64 {
        let of_shares = self.num_arcs as f64 * self.largest * f64::exp2(-64.0);
        let error = of_shares + ENTRY_ROUNDOFFS * f64::EPSILON / 2.0;
        self.equation.bound(0.0, error)
    }

    /// 12 bytes a node at most.
    pub(super) fn save(&self, to: &mut SavingAmong) -> Result<()> {
        to.same(&[self.largest])?;
        to.same(&self.schedule.place())?;
        to.of_nodes(&self.scores)?;
        to.of_nodes(self.moved.as_deref().unwrap_or(&[]))
    }

    /// Goes on from what [`Self::save`] has written.
    pub(super) fn restore(&mut self, from: &mut FoundAmong) -> Result<()> {
        let (mut largest, mut place) = ([0.0], [0; 5]);
        from.same(&mut largest)?;
        from.same(&mut place)?;
        [self.largest] = largest;
        self.schedule.go_on(place);
        from.of_nodes(&mut self.scores)?;
        let mut moved = filled(0.0, self.scores.len(), "an extrapolation")?;
        self.moved = from.of_nodes(&mut moved)?.then_some(moved);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::centrality::pagerank::Distribution;

    /// The warning comes if a run with a score of one hundredth could not be certified.
    #[test]
    fn tolerances_that_roundings_do_not_allow_are_told() {
        for (alpha, num_arcs) in [
            (0.85, 10),
            (0.85, 1 << 37),
            (0.85, 1_000_000_000_000),
            (0.99, 1 << 36),
        ] {
            let equation = Equation {
                num_nodes: 2,
                alpha,
                preference: &Distribution::Uniform,
                dangling: None,
            };
            let mut scores = WholeScores::new(equation, num_arcs, vec![0.99, LARGE]);
            scores.largest = LARGE;
            let mut mass = FixedSum::default();
            mass.add(1.0);
            let pulled = Pulled {
                mass,
                ..Pulled::default()
            };
            let sweep = scores.swept(scores.scale(), pulled);
            let least = scores.certified(&sweep).bound;
            assert!(warning(alpha, num_arcs, 1.001 * least).is_none());
            let said = warning(alpha, num_arcs, 0.999 * least).unwrap();
            assert!(said.contains(&format!("below {least:.1e}")), "{said}");
            assert_eq!(said.lines().count(), 1);
        }
        // The default tolerance is in reach of every public crawl.
        assert_eq!(warning(0.85, 128_700_000_000, 1e-9), None);
        assert!(warning(0.85, 1_000_000_000_000, 1e-9).is_some());
    }
}
