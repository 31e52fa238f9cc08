//! The exact betweenness of every node: [`batched`] searches, end nodes, scale, ties.

mod batch;
pub mod batched;
mod checkpoint;
pub mod folded;
mod lane_values;
mod node_set;
mod pendant_paths;
mod source_weights;

use super::modular::{self, Residue, residues};
use super::path_count::PathCount;
use super::ties::{RoundingTies, unite};
use super::{Betweenness, BetweennessMethod};
use crate::geometric::reachable::Reachable;
use crate::geometric::{Direction, DistanceMeasure, geometric};
use crate::reduction::Reductions;
use batched::{BatchedBrandes, Dependencies};
use ndarray::Array1;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::simd::Simd;
use webrank_base::progress::{Progress, Unheard};
use webrank_graph::{Csr, Predecessors, Successors};
use webrank_scores::Scores;

/// The number of sources searched at a time: see `docs/src/measurements/betweenness.md`.
pub(super) const LANES: usize = 64;

/// A graph prepared for exact betweenness.
///
/// It is made once, so that the time of a run can be [estimated](Self::seconds) in advance.
pub struct ExactBetweenness<'g> {
    successors: Successors<'g, Csr>,
    predecessors: Predecessors<'g, Csr>,
    engine: BatchedBrandes<'g>,
}

impl<'g> ExactBetweenness<'g> {
    /// Reduces the graph; `predecessors` is the transpose of `successors`.
    pub fn new(successors: Successors<'g, Csr>, predecessors: Predecessors<'g, Csr>) -> Self {
        let (steps, simd) = (Reductions::ALL, Simd::best());
        ExactBetweenness {
            successors,
            predecessors,
            engine: BatchedBrandes::new(successors, predecessors, None, steps, simd),
        }
    }

    /// The number of progress units in a run: its searches.
    pub fn units(&self) -> u64 {
        self.engine.searches()
    }

    /// The bytes that a run with `threads` threads takes, without the graph.
    pub fn memory(&self, threads: usize) -> u64 {
        self.engine.memory::<LANES>(threads)
    }

    /// An estimate of the seconds that a run takes with the current number of threads, to about a
    /// factor of 1.5 either way.
    ///
    /// # Errors
    /// [`Interrupted`](Error::Interrupted) when the user stops the run.
    pub fn seconds(&self, progress: &dyn Progress) -> Result<f64> {
        self.engine.seconds::<LANES>(progress)
    }

    /// The betweenness of every node, up to the rounding of its sums; scores that rounding may have
    /// put in the wrong order are equal (see [`ties`](super::ties)).
    ///
    /// O(n m) at worst: one search for each class of nodes with equal successor lists, in batches.
    /// The bits depend on the graph alone. Reports [`units`](Self::units) units to `progress`.
    ///
    /// # Errors
    /// [`Interrupted`](Error::Interrupted) when the user stops the run.
    pub fn run(
        &self,
        params: &Betweenness,
        progress: &dyn Progress,
    ) -> Result<(Scores, RoundingTies)> {
        progress.begin("searching", Some(self.units()));
        let Dependencies { sums, roundings } = self.engine.run::<LANES>(progress)?;
        progress.end();
        let mut residues = if modular::affordable(self.successors.0) {
            residues(self.successors.0, false, progress)?.map(|residues| residues.nodes)
        } else {
            None
        };
        let mut values = Array1::from(sums);
        if params.endpoints {
            let ends = ends(self.successors, self.predecessors, progress)?;
            for (residue, &ends) in residues.iter_mut().flatten().zip(&ends) {
                *residue = residue.plus(Residue::new(ends as u64));
            }
            values += &ends;
        }
        values *= params.scale(values.len());
        // One rounding for the ends and one for the scale.
        let roundings = roundings + 2;
        let slice = values.as_slice_mut().expect("one column is contiguous");
        let ties = unite(slice, roundings, residues.as_deref());
        let run = params.record(BetweennessMethod::Exact, ties.outcome(slice));
        Ok((Scores::new(values, run), ties))
    }
}

/// The betweenness of every node: see [`ExactBetweenness::run`].
///
/// `predecessors` is the transpose of `successors`.
///
/// # Errors
/// [`Interrupted`](Error::Interrupted) when the user stops the run.
pub fn betweenness(
    successors: Successors<Csr>,
    predecessors: Predecessors<Csr>,
    params: &Betweenness,
    progress: &dyn Progress,
) -> Result<Scores> {
    let exact = ExactBetweenness::new(successors, predecessors);
    Ok(exact.run(params, progress)?.0)
}

/// For each node, the number of reachable pairs that it is an end of.
///
/// # Errors
/// [`Interrupted`](Error::Interrupted) when the user stops the run.
pub fn ends(
    successors: Successors<Csr>,
    predecessors: Predecessors<Csr>,
    progress: &dyn Progress,
) -> Result<Array1<f64>> {
    // The state that is kept is that of the searches before.
    let unkept = Unheard(progress);
    let progress = match progress.checkpoint() {
        Some(_) => &unkept,
        None => progress,
    };
    let reachable = |direction| {
        let measures = [&Reachable as &dyn DistanceMeasure];
        let found = geometric(predecessors, successors, direction, &measures, progress)?;
        Ok::<_, Error>(found.scores.into_iter().next().expect("one was asked for"))
    };
    Ok(reachable(Direction::In)?.values + reachable(Direction::Out)?.values)
}
