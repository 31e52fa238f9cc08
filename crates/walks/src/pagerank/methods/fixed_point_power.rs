//! The power method on fixed-point integers, for rows that are pushed, exchanged or in files.
//!
//! Only the sources of inflows differ ([`InflowSums`]): all else is the same, and so are the bits of scores
//! ([`super::fixed_point`]).

use super::fixed_point::{FixedPointScores, STAGE, Step, Sweep};
use super::pulling::SweepStats;
use crate::pagerank::certificate::{Certified, Iteration};
use crate::pagerank::solver::Solver;
use webrank_base::Node;
use webrank_base::checkpoint::StateVisitor;
use webrank_base::error::Result;
use webrank_base::progress::Progress;
use webrank_cluster::{DistributedVisitor, Exchange, Listed, State};
use webrank_linear::StopRule;

/// The sums that nodes get along their arcs.
pub trait InflowSums {
    /// x <- F(x) for the nodes of this worker, which are given what comes along their arcs. Dangling nodes
    /// get scores if it is `is_whole`. Returns how the sweep began, and its statistics of these nodes.
    ///
    /// # Errors
    /// If rows cannot be read, or another worker fails.
    fn sweep(
        &mut self,
        nodes: &mut FixedPointScores,
        exchange: &mut Exchange,
        is_whole: bool,
    ) -> Result<(Step, SweepStats)>;

    /// The number of live nodes of this worker, which may have to be found.
    ///
    /// # Errors
    /// If rows cannot be read.
    fn num_live(&mut self) -> Result<usize>;

    /// The nodes that vectors have entries for, if not for all.
    fn listed(&self) -> Option<Listed<'_>> {
        None
    }
}

/// The state of an iteration, or of the part of one worker.
pub struct FixedPointPower<'a, 't, I> {
    nodes: FixedPointScores<'a>,
    inflows: I,
    exchange: &'a mut Exchange<'t>,
}

impl<'a, 't, I: InflowSums> FixedPointPower<'a, 't, I> {
    /// Iterates on these scores.
    pub(super) fn new(
        nodes: FixedPointScores<'a>,
        inflows: I,
        exchange: &'a mut Exchange<'t>,
    ) -> Self {
        FixedPointPower {
            nodes,
            inflows,
            exchange,
        }
    }

    /// This iteration, once the live nodes are known, before the first sweep.
    ///
    /// # Errors
    /// As for [`InflowSums::num_live`]; if another worker fails.
    pub(super) fn counted(mut self) -> Result<Self> {
        self.count_live()?;
        Ok(self)
    }

    fn count_live(&mut self) -> Result<()> {
        let counts = self.exchange.gather([self.inflows.num_live()? as u64])?;
        let counts = counts.iter().map(|[count]| *count as usize);
        self.nodes.count_live(counts.sum());
        Ok(())
    }

    /// Sweeps to a certificate, as the rule of the run says; returns it, and the number of sweeps.
    ///
    /// # Errors
    /// As for sweeps and checkpoints; if the user interrupts.
    pub(in crate::pagerank) fn solve(
        self,
        stop: &StopRule,
        progress: &dyn Progress,
    ) -> Result<(Certified, u32)> {
        progress.begin("iterate", None);
        let alpha = self.nodes.alpha();
        let mut solver = Solver::new(Box::new(self), alpha, stop, progress).kept()?;
        let certified = solver.solve(stop.tolerance.get())?;
        Ok((certified, solver.iterations()))
    }

    /// x <- F(x). Dangling nodes get scores if it is `is_whole`.
    fn apply(&mut self, is_whole: bool) -> Result<Sweep> {
        let (step, found) = self
            .inflows
            .sweep(&mut self.nodes, self.exchange, is_whole)?;
        let found = self.exchange.gather(found.words())?;
        self.nodes.swept(step, SweepStats::of_words(found))
    }
}

impl<I: InflowSums> Iteration for FixedPointPower<'_, '_, I> {
    fn sweep(&mut self) -> Result<f64> {
        self.nodes.extrapolate(self.exchange)?;
        Ok(self.apply(false)?.change)
    }

    fn certify(&mut self) -> Result<Certified> {
        let sweep = self.apply(true)?;
        Ok(self.nodes.certified(&sweep))
    }

    fn go_on(&mut self, certified: Certified) {
        self.nodes.scores = certified.scores;
        if let Some(listed) = self.inflows.listed() {
            leave(&mut self.nodes.scores, listed.nodes);
        }
    }

    fn floor(&self) -> f64 {
        self.nodes.floor()
    }

    fn stage(&self) -> Option<&'static str> {
        Some(STAGE)
    }

    fn first(&mut self, own: Vec<u64>) -> Result<Vec<u64>> {
        self.exchange.first(&own)
    }

    /// 32 bytes per node at most: between two sweeps, nothing is on its way.
    fn visit(&mut self, file: StateVisitor) -> Result<()> {
        if file.is_restoring() {
            // A combination of earlier iterates needs the number of live nodes.
            self.count_live()?;
        }
        self.nodes.visit(&mut DistributedVisitor {
            file,
            exchange: self.exchange,
            some: self.inflows.listed(),
        })
    }
}

/// Leaves the scores of these nodes.
pub(super) fn leave(scores: &mut Vec<f64>, nodes: &[Node]) {
    for (place, &node) in nodes.iter().enumerate() {
        scores[place] = scores[node as usize];
    }
    scores.truncate(nodes.len());
    scores.shrink_to_fit();
}
