//! Betweenness of arcs: the sum over ordered pairs y != z of the fraction of shortest y-z paths
//! that take the arc. 0 for self-loops.
//!
//! One search per node: see [`super::single_source`]. O(n m). Girvan and Newman 2002; Brandes 2008.

use super::dependency_sums::{DependencySums, Items, memory_of_sums, seconds_of_sums};
use super::modular::{self, residues};
use super::seconds::afford;
use super::single_source::PathGraph;
use super::ties::{RoundingTies, unite};
use rayon::prelude::*;
use serde::Serialize;
use serde_json::{Map, Value};
use std::sync::Arc;
use webrank_base::Node;
use webrank_base::checkpoint::Checkpoint;
use webrank_base::error::Result;
use webrank_base::limits::Limits;
use webrank_base::phases::Phases;
use webrank_base::progress::Progress;
use webrank_graph::Size;
use webrank_graph::{Csr, Graph, Successors};
use webrank_measure::parameters;
use webrank_scores::Run;

/// Betweenness of arcs with its parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct ArcBetweenness {
    /// Whether to divide by n (n - 1), the number of pairs.
    pub normalize: bool,
}

/// The arcs of a graph with their scores.
pub struct RankedArcs {
    successors: Arc<Csr>,
    values: Vec<f64>,
    order: Vec<usize>,
    run: Run,
    notes: Vec<String>,
    phases: Phases,
}

impl ArcBetweenness {
    /// The bytes that reading the graph takes at most. The bytes of searching
    /// are checked before it begins.
    pub fn needs(&self, graph: &Graph) -> u64 {
        Size::of(graph).bytes(60, 76)
    }

    /// Ranks the arcs of a graph.
    ///
    /// # Errors
    /// If that would exceed the time budget, if there is not enough memory, if a file turns out to
    /// be damaged, or if the user interrupts.
    pub fn compute(
        &self,
        graph: &Graph,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<RankedArcs> {
        let mut phases = Phases::start();
        let successors = graph.successors(progress)?;
        phases.done("load");
        let rows = Successors(&*successors);
        // A run that goes on was within its budget when it began.
        let goes_on = progress.checkpoint().is_some_and(Checkpoint::is_found);
        let seconds = || match goes_on {
            true => Ok(0.0),
            false => seconds_of_sums(rows.0, Items::Arcs, progress),
        };
        let memory = arc_memory(rows, rayon::current_num_threads());
        let what = "exact betweenness of arcs";
        afford(what, memory, seconds, limits, progress)?;
        let (values, ties) = arc_betweenness(rows, self.normalize, progress)?;
        phases.done("search");
        Ok(RankedArcs::new(
            successors,
            (values, ties),
            parameters(self),
            phases,
        ))
    }
}

impl RankedArcs {
    /// Arcs by their betweenness.
    pub fn new(
        successors: Arc<Csr>,
        (values, ties): (Vec<f64>, RoundingTies),
        parameters: Map<String, Value>,
        mut phases: Phases,
    ) -> Self {
        let mut order: Vec<usize> = (0..values.len()).collect();
        // The sort is stable: arcs with equal scores stay in the order of sources and targets.
        order.par_sort_by(|&a, &b| values[b].total_cmp(&values[a]));
        phases.done("rank");
        let run = Run {
            measure: "arc-betweenness",
            method: "exact",
            parameters,
            outcome: ties.outcome(&values),
        };
        RankedArcs {
            successors,
            values,
            order,
            run,
            notes: ties.note("arcs").into_iter().collect(),
            phases,
        }
    }

    /// Adds a note for people.
    pub fn noting(mut self, note: Option<String>) -> Self {
        self.notes.extend(note);
        self
    }

    /// The score of every arc, in the order of sources and targets.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The places of the arcs in [`values`](Self::values), best first; ties by source and target.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// The source and the target of the arc at this place.
    pub fn ends(&self, arc: usize) -> (Node, Node) {
        let offsets = self.successors.offsets();
        let source = offsets.partition_point(|&offset| offset <= arc as u64) - 1;
        (source as Node, self.successors.targets()[arc])
    }

    /// The measure, the method, and the certainty of the result.
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// Notes for people.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The durations of the phases.
    pub fn phases(&self) -> &Phases {
        &self.phases
    }
}

/// The betweenness of every arc, in the order of [`Csr::targets`]; with `normalize`, divided by
/// n (n - 1). Scores that rounding may have put in the wrong order are equal: see [`super::ties`].
///
/// Takes 8 bytes per arc for each thread and for each level of a tree of 64 sums. The bits depend
/// on the graph alone. Reports n units to `progress`.
///
/// # Errors
/// [`Interrupted`](webrank_base::error::Error::Interrupted) when the user stops the run.
pub fn arc_betweenness(
    successors: Successors<Csr>,
    normalize: bool,
    progress: &dyn Progress,
) -> Result<(Vec<f64>, RoundingTies)> {
    arc_betweenness_in(successors.0, normalize, progress)
}

/// [`arc_betweenness`] for shortest paths of any kind.
///
/// # Errors
/// As for [`arc_betweenness`].
pub fn arc_betweenness_in<G: PathGraph>(
    graph: &G,
    normalize: bool,
    progress: &dyn Progress,
) -> Result<(Vec<f64>, RoundingTies)> {
    let n = graph.num_nodes();
    let nodes: Vec<Node> = (0..n as Node).collect();
    progress.begin("searching", Some(n as u64));
    let sums = DependencySums::of(graph, &nodes, Items::Arcs, progress.checkpoint(), progress)?;
    progress.end();
    let mut values = sums.values;
    if normalize && n > 1 {
        let pairs = n as f64 * (n - 1) as f64;
        values.iter_mut().for_each(|value| *value /= pairs);
    }
    let residues = if modular::affordable(graph) {
        residues(graph, true, progress)?.map(|residues| residues.arcs)
    } else {
        None
    };
    // One more for the division.
    let ties = unite(&mut values, sums.roundings + 1, residues.as_deref());
    Ok((values, ties))
}

/// The bytes that [`arc_betweenness`] takes with `threads` threads, without the graph.
pub fn arc_memory(successors: Successors<Csr>, threads: usize) -> u64 {
    let rows = successors.0;
    memory_of_sums(rows.num_arcs(), threads) + 32 * threads as u64 * rows.num_nodes() as u64
}
