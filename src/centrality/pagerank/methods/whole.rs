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

use super::pulling::{Pull, Pulled};
use super::reduced_rank::in_fixed_point::{Extrapolation, Norms};
use super::whole_kernels::NODES;
use crate::centrality::pagerank::certificate::Certified;
use crate::centrality::pagerank::equation::{Equation, bound};
use crate::checkpoint::{Found, Saving};
use crate::cluster::{Exchange, FoundAmong, SavingAmong};
use crate::error::Result;
use crate::linear::file_vector::FileVector;
use crate::output::{Room, TemporaryFolder};
use crate::parallel::fixed::FixedSum;
use crate::parallel::sums::INDICES_PER_TASK;
use crate::parallel::tasks;
use std::sync::Arc;

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
    extrapolation: Extrapolation,
    /// The error of the last sweep.
    error: f64,
}

/// The result of a sweep: ||x - F(x)||, and a bound on the l1 error of F(x).
pub(super) struct Sweep {
    pub(super) change: f64,
    pub(super) error: f64,
}

/// What writes sums that are known already, for [`WholeScores::pull`].
pub(super) fn known(inflows: &[u64]) -> impl Iterator<Item = impl FnMut(&mut [u64]) + Send> {
    inflows.chunks(INDICES_PER_TASK).map(|mut rest| {
        move |into: &mut [u64]| {
            let (next, after) = rest.split_at(into.len());
            into.copy_from_slice(next);
            rest = after;
        }
    })
}

/// What is kept between two sweeps, in whatever form the graph is swept: a run may go on in the other.
pub(super) const STAGE: &str = "streamed sweeps";

impl<'a> WholeScores<'a> {
    /// Starts from these scores. There is memory for `room`.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(super) fn new(
        equation: Equation<'a>,
        num_arcs: u64,
        scores: Vec<f64>,
        room: &Room,
    ) -> Result<Self> {
        Ok(WholeScores {
            extrapolation: Extrapolation::new(equation.num_nodes, scores.len(), room)?,
            equation,
            num_arcs,
            scores,
            largest: 1.0,
            error: 0.0,
        })
    }

    /// Starts from scores in a file, of which pieces of so many nodes are in memory at a time.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(super) fn in_pieces(
        equation: Equation<'a>,
        num_arcs: u64,
        pieces: usize,
        folder: &Arc<TemporaryFolder>,
    ) -> Result<Self> {
        let none = Self::new(equation, num_arcs, Vec::new(), &Room::in_memory())?;
        Ok(WholeScores {
            extrapolation: Extrapolation::in_pieces(equation.num_nodes, pieces, folder)?,
            ..none
        })
    }

    /// The number of units in 1.
    pub(super) fn scale(&self) -> f64 {
        scale_for(self.largest)
    }

    /// x <- F(x), given the mass on all dangling nodes and, for consecutive pieces of
    /// [`INDICES_PER_TASK`] nodes, what writes the sums of the shares of the predecessors of its next
    /// nodes.
    pub(super) fn pull<W: FnMut(&mut [u64]) + Send>(
        &mut self,
        scale: f64,
        dangling_mass: FixedSum,
        inflows: impl Iterator<Item = W>,
    ) -> Pulled {
        let pull = self.map(scale, dangling_mass);
        let moved = self.extrapolation.moved.chunks_mut(INDICES_PER_TASK);
        let pieces = self.scores.chunks_mut(INDICES_PER_TASK);
        let pieces = pieces.zip(moved).zip(inflows).enumerate();
        let parts = tasks::map(pieces, |(piece, ((scores, moved), mut write_inflows))| {
            let mut first = piece * INDICES_PER_TASK;
            let mut inflows = [0; NODES];
            let nodes = scores.chunks_mut(NODES).zip(moved.chunks_mut(NODES));
            Pulled::of(nodes.map(|(scores, moved)| {
                let inflows = &mut inflows[..scores.len()];
                write_inflows(inflows);
                let pulled = pull.nodes(first, scores, moved, inflows);
                first += scores.len();
                pulled
            }))
        });
        Pulled::of(parts)
    }

    /// The map of a sweep, given the mass on all dangling nodes.
    pub(super) fn map(&self, scale: f64, dangling_mass: FixedSum) -> Pull<'a> {
        let dangling_mass = self
            .equation
            .dangling
            .map_or(0.0, |_| dangling_mass.value());
        Pull {
            alpha: self.equation.alpha,
            unit: 1.0 / scale,
            base: self.equation.base(dangling_mass),
        }
    }

    /// Begins a sweep over scores in a file.
    ///
    /// # Errors
    /// If there is no file for the changes.
    pub(super) fn begin(&mut self) -> Result<()> {
        self.extrapolation.begin()
    }

    /// Writes the changes of the nodes of a piece.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn put_moved(&self, first: usize, moved: &[f32]) -> Result<()> {
        self.extrapolation.put(first, moved)
    }

    /// Ends a sweep in which all nodes together have found this.
    ///
    /// # Errors
    /// If the change cannot be kept.
    pub(super) fn swept(&mut self, scale: f64, pulled: Pulled) -> Result<Sweep> {
        let (change, mass) = (pulled.change.value(), pulled.mass.value());
        let largest = pulled.largest as f64 / scale;
        self.largest = (largest + change).min(mass.max(1.0));
        self.error = rounding(self.equation.alpha, self.num_arcs, scale, mass);
        self.extrapolation.keep(Norms {
            sum: change,
            largest: f64::from_bits(pulled.farthest),
        })?;
        Ok(Sweep {
            change,
            error: self.error,
        })
    }

    /// Extrapolates when it is due, with all other workers.
    ///
    /// # Errors
    /// If what was kept cannot be read, or another worker fails.
    pub(super) fn extrapolate(&mut self, exchange: &mut Exchange) -> Result<()> {
        let moved = self
            .extrapolation
            .apply(&mut self.scores, self.error, exchange)?;
        self.largest += moved;
        Ok(())
    }

    /// The same for scores in a file.
    ///
    /// # Errors
    /// If files cannot be read or written.
    pub(super) fn extrapolate_in_file(&mut self, scores: &FileVector<f64>) -> Result<()> {
        self.largest += self.extrapolation.apply_in_file(scores, self.error)?;
        Ok(())
    }

    /// Hands out the scores after this sweep, with a certified bound on the l1 error of those of all
    /// nodes.
    pub(super) fn certified(&mut self, sweep: &Sweep) -> Certified {
        Certified {
            bound: self.equation.bound(sweep.change, sweep.error),
            scores: std::mem::take(&mut self.scores),
        }
    }

    /// Takes the scores back.
    pub(super) fn go_on(&mut self, certified: Certified) {
        self.scores = certified.scores;
    }

    /// About the least bound that rounding allows.
    pub(super) fn floor(&self) -> f64 {
        let of_shares = self.num_arcs as f64 * self.largest * f64::exp2(-64.0);
        let error = of_shares + ENTRY_ROUNDOFFS * f64::EPSILON / 2.0;
        self.equation.bound(0.0, error)
    }

    /// 32 bytes a node at most.
    pub(super) fn save(&mut self, to: &mut SavingAmong) -> Result<()> {
        to.same(&[self.largest, self.error])?;
        to.of_nodes(&self.scores)?;
        self.extrapolation.save(to)
    }

    /// The same for scores in a file.
    pub(super) fn save_in_file(&self, scores: &FileVector<f64>, to: &mut Saving) -> Result<()> {
        to.numbers(&[self.largest, self.error])?;
        scores.save(to)?;
        self.extrapolation.save_in_file(to)
    }

    /// Goes on from what [`Self::save_in_file`] has written, or [`Self::save`].
    pub(super) fn restore_in_file(
        &mut self,
        scores: &FileVector<f64>,
        from: &mut Found,
    ) -> Result<()> {
        let mut numbers = [0.0; 2];
        from.fill(&mut numbers)?;
        [self.largest, self.error] = numbers;
        scores.restore(from)?;
        self.extrapolation.restore_in_file(from)
    }

    /// Goes on from what [`Self::save`] has written.
    pub(super) fn restore(&mut self, from: &mut FoundAmong) -> Result<()> {
        let mut numbers = [0.0; 2];
        from.same(&mut numbers)?;
        [self.largest, self.error] = numbers;
        from.of_nodes(&mut self.scores)?;
        self.extrapolation.restore(from)
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
            let room = Room::in_memory();
            let scores = WholeScores::new(equation, num_arcs, vec![0.99, LARGE], &room);
            let mut scores = scores.unwrap();
            scores.largest = LARGE;
            let mut mass = FixedSum::default();
            mass.add(1.0);
            let pulled = Pulled {
                mass,
                ..Pulled::default()
            };
            let sweep = scores.swept(scores.scale(), pulled).unwrap();
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
