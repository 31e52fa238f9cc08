//! Scores for the power method with shares that are integers: the same for all forms of it
//! ([`super::fixed_point_power`]).
//!
//! # Live nodes
//!
//! A node is *live* if walks go on from it. The scores y of live nodes determine all others, so these are
//! iterated on, and dangling nodes count together: they have the mass that live nodes leave,
//! `D = max(0, 1 - |y|)` (Ipsen and Selee, "PageRank computation, with special attention to dangling
//! nodes", 2007). A sweep is `y <- alpha y G + alpha D u + (1 - alpha) v` on live nodes. Dangling nodes
//! get scores, by the same formula, in the sweeps that end with a certificate.
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
//! Let s be the vector of y and D, and T the map of a sweep on such vectors: T lumps dangling nodes to
//! one state, so it contracts the l1 norm by alpha, as F does. The change of a sweep is
//! `||s - T(s)|| = |y - T(y)| + |D - T(D)|`, where T keeps the total but for its distance from one, so
//! the second term follows from the sums of both vectors. Scores of all nodes made from s are F of a
//! vector whose error is that of s, so their l1 error is at most `alpha ||s - T(s)|| / (1 - alpha)`
//! without roundings.
//!
//! Rounding a share loses at most 2^-k / 2 on each of its arcs, so a sweep over m arcs has an l1
//! error of at most `alpha m 2^-(k+1)`, plus the few roundings of its floating-point operations. k
//! is as large as possible: no entry of y G exceeds the largest of the last sweep by more than the
//! l1 norm of the change of y since, and twice that bound must stay below 2^64. The part of dangling
//! nodes counts only where they get scores; it is at most the mass of y before that is known.

use super::fixed_point_kernels::NODES;
use super::nondangling::Live;
use super::pulling::{SweepMap, SweepStats};
use super::reduced_rank::in_fixed_point::{Extrapolation, Norms};
use crate::pagerank::certificate::Certified;
use crate::pagerank::equation::{Equation, bound};
use std::sync::Arc;
use webrank_base::error::Result;
use webrank_base::file_vector::FileVector;
use webrank_base::output::{SpillBudget, TemporaryFolder};
use webrank_base::parallel::fixed_point_sum::FixedSum;
use webrank_base::parallel::sums::INDICES_PER_TASK;
use webrank_base::parallel::tasks;
use webrank_cluster::{DistributedVisitor, Exchange, State};

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

/// A warning before a run that is to reach a tolerance: roundings do not allow it, if a node has a
/// score of [`LARGE`].
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
pub struct FixedPointScores<'a> {
    /// Its distributions are over these nodes, its number of nodes is that of the graph.
    equation: Equation<'a>,
    /// The number of arcs of the graph.
    num_arcs: u64,
    pub(super) scores: Vec<f64>,
    /// Where they are, if not in memory.
    file: Option<&'a FileVector<f64>>,
    /// The number of live nodes of the graph, or that of all before it is known.
    num_live: usize,
    /// An upper bound on the entries of x G of live nodes.
    largest: f64,
    /// The bound for all nodes.
    most: f64,
    extrapolation: Extrapolation,
    /// The error of the last sweep.
    error: f64,
}

/// The beginning of a sweep.
#[derive(Clone, Copy)]
pub struct Step {
    /// The number of units in 1.
    pub(super) scale: f64,
    /// The mass on live nodes.
    pub(super) mass: FixedSum,
    /// Whether dangling nodes get scores.
    pub(super) is_whole: bool,
}

/// The result of a sweep: the change, and a bound on the l1 error of F(x).
pub(super) struct Sweep {
    pub(super) change: f64,
    pub(super) error: f64,
}

/// Writers of sums that are known already, for [`FixedPointScores::pull`].
pub(super) fn known(inflows: &[u64]) -> impl Iterator<Item = impl FnMut(&mut [u64]) + Send> {
    inflows.chunks(INDICES_PER_TASK).map(|mut rest| {
        move |into: &mut [u64]| {
            let (next, after) = rest.split_at(into.len());
            into.copy_from_slice(next);
            rest = after;
        }
    })
}

/// The stage between two sweeps, in whatever form the graph is swept: a run may go on in the other.
pub(super) const STAGE: &str = "sweeps over live nodes";

impl<'a> FixedPointScores<'a> {
    /// Starts from these scores. There is memory for `room`.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(super) fn new(
        equation: Equation<'a>,
        num_arcs: u64,
        scores: Vec<f64>,
        room: &SpillBudget,
    ) -> Result<Self> {
        Ok(FixedPointScores {
            extrapolation: Extrapolation::new(equation.num_nodes, scores.len(), room)?,
            equation,
            num_arcs,
            scores,
            file: None,
            num_live: equation.num_nodes,
            largest: 1.0,
            most: 1.0,
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
        scores: &'a FileVector<f64>,
        pieces: usize,
        folder: &Arc<TemporaryFolder>,
    ) -> Result<Self> {
        let none = Self::new(equation, num_arcs, Vec::new(), &SpillBudget::in_memory())?;
        Ok(FixedPointScores {
            file: Some(scores),
            extrapolation: Extrapolation::in_pieces(equation.num_nodes, pieces, folder)?,
            ..none
        })
    }

    /// Tells how many nodes of the graph are live, before the first sweep ends.
    pub(super) fn count_live(&mut self, num_live: usize) {
        self.num_live = num_live;
        self.extrapolation.count_nodes(num_live);
    }

    /// The number of units in 1, for a sweep in which dangling nodes get scores, or do not.
    pub(super) fn scale(&self, is_whole: bool) -> f64 {
        scale_for(match is_whole {
            true => self.most.max(self.largest),
            false => self.largest,
        })
    }

    /// x <- F(x), given for consecutive pieces of [`INDICES_PER_TASK`] entries what writes the sums of
    /// the shares of the predecessors of its next nodes.
    pub(super) fn pull<W: FnMut(&mut [u64]) + Send>(
        &mut self,
        step: Step,
        live: Live,
        inflows: impl Iterator<Item = W>,
    ) -> SweepStats {
        let pull = self.map(step, live);
        let moved = self.extrapolation.moved.chunks_mut(INDICES_PER_TASK);
        let pieces = self.scores.chunks_mut(INDICES_PER_TASK);
        let pieces = pieces.zip(moved).zip(inflows).enumerate();
        let parts = tasks::map(pieces, |(piece, ((scores, moved), mut write_inflows))| {
            let mut first = piece * INDICES_PER_TASK;
            let mut inflows = [0; NODES];
            let nodes = scores.chunks_mut(NODES).zip(moved.chunks_mut(NODES));
            SweepStats::of(nodes.map(|(scores, moved)| {
                let inflows = &mut inflows[..scores.len()];
                write_inflows(inflows);
                let pulled = pull.nodes(first, scores, moved, inflows);
                first += scores.len();
                pulled
            }))
        });
        SweepStats::of(parts)
    }

    /// Whether walks go on from dangling nodes, and there are any.
    fn goes_on(&self) -> bool {
        self.equation.dangling.is_some() && self.num_live < self.equation.num_nodes
    }

    /// The map of a sweep.
    pub(super) fn map<'l>(&self, step: Step, live: Live<'l>) -> SweepMap<'l>
    where
        'a: 'l,
    {
        let mass = step.mass.value();
        let dangling_mass = match self.goes_on() {
            true => self.equation.dangling_mass(mass).max(0.0),
            false => 0.0,
        };
        SweepMap {
            alpha: self.equation.alpha,
            unit: 1.0 / step.scale,
            base: self.equation.base(dangling_mass),
            live,
            is_whole: step.is_whole,
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
    pub(super) fn swept(&mut self, step: Step, pulled: SweepStats) -> Result<Sweep> {
        let (moved, mass) = (pulled.change.value(), pulled.mass.value().max(1.0));
        let bound = |units: u64| units as f64 / step.scale;
        self.largest = (bound(pulled.largest) + moved).min(mass);
        let most = match step.is_whole {
            true => bound(pulled.most),
            false => self.most,
        };
        self.most = (most + moved).min(mass);
        self.error = rounding(self.equation.alpha, self.num_arcs, step.scale, mass);
        self.extrapolation.keep(Norms {
            sum: moved,
            largest: f64::from_bits(pulled.farthest),
        })?;
        let of_dangling = match self.goes_on() {
            true => {
                let excess = (step.mass.value() - 1.0).max(0.0);
                step.mass.distance(pulled.mass) + (1.0 - self.equation.alpha) * excess
            }
            false => 0.0,
        };
        Ok(Sweep {
            change: moved + of_dangling,
            error: self.error,
        })
    }

    /// Extrapolates when it is due, with all other workers.
    ///
    /// # Errors
    /// If files cannot be read or written, or another worker fails.
    pub(super) fn extrapolate(&mut self, exchange: &mut Exchange) -> Result<()> {
        let (extrapolation, error) = (&mut self.extrapolation, self.error);
        let moved = match self.file {
            None => extrapolation.apply(&mut self.scores, error, exchange)?,
            Some(scores) => extrapolation.apply_in_file(scores, error, exchange)?,
        };
        self.largest += moved;
        self.most += moved;
        Ok(())
    }

    /// Hands out the scores after this sweep, in which dangling nodes got some, with a certified bound on
    /// the l1 error of those of all nodes.
    pub(super) fn certified(&mut self, sweep: &Sweep) -> Certified {
        Certified {
            bound: self.equation.bound(sweep.change, sweep.error),
            scores: std::mem::take(&mut self.scores),
        }
    }

    /// The factor by which a sweep contracts.
    pub(super) fn alpha(&self) -> f64 {
        self.equation.alpha
    }

    /// About the least bound that rounding allows.
    pub(super) fn floor(&self) -> f64 {
        let of_shares = self.num_arcs as f64 * self.most * f64::exp2(-64.0);
        let error = of_shares + ENTRY_ROUNDOFFS * f64::EPSILON / 2.0;
        self.equation.bound(0.0, error)
    }
}

/// The state between two sweeps: the same for scores in memory, in files, or of several workers. Lists have
/// an entry for each node. Entries of dangling nodes are not read.
impl State for FixedPointScores<'_> {
    fn visit(&mut self, visitor: &mut DistributedVisitor) -> Result<()> {
        let mut numbers = [self.largest, self.most, self.error];
        visitor.same(&mut numbers)?;
        [self.largest, self.most, self.error] = numbers;
        match self.file {
            Some(scores) => scores.visit(&mut visitor.file)?,
            None => _ = visitor.of_nodes(&mut self.scores)?,
        }
        self.extrapolation.visit(visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use webrank_scores::parameters::Distribution;

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
            let room = SpillBudget::in_memory();
            let scores = FixedPointScores::new(equation, num_arcs, vec![0.99, LARGE], &room);
            let mut scores = scores.unwrap();
            (scores.largest, scores.most) = (LARGE, LARGE);
            let mut mass = FixedSum::default();
            mass.add(1.0);
            let pulled = SweepStats {
                mass,
                ..SweepStats::default()
            };
            let step = Step {
                scale: scores.scale(false),
                mass,
                is_whole: false,
            };
            let sweep = scores.swept(step, pulled).unwrap();
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
