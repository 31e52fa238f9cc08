//! Betweenness of arcs where shortest paths are those of the least sum of lengths: see
//! [`betweenness`](super::betweenness).

use super::betweenness::with_lengths;
use super::cutoff::Cutoff;
use super::dependencies::{Timing, admit};
use super::distance::Distance;
use super::engine::{OnLengths, Prepared};
use super::ranking::{afford, goes_on};
use super::source::LengthSource;
use serde_json::{Map, Value};
use std::sync::Arc;
use webrank_base::error::Result;
use webrank_base::limits::Limits;
use webrank_base::phases::Phases;
use webrank_base::progress::Progress;
use webrank_distances::betweenness::arcs::{ArcBetweenness, RankedArcs, arc_betweenness_in};
use webrank_distances::betweenness::dependency_sums::{Items, seconds_of_sums};
use webrank_distances::betweenness::ties::RoundingTies;
use webrank_graph::{Direction, Graph, Size};
use webrank_measure::cost_model::TimeEstimate;
use webrank_measure::parameters;

/// Betweenness of arcs by lengths.
#[derive(Debug, Clone)]
pub struct LengthArcBetweenness {
    /// The parameters.
    pub of: ArcBetweenness,
    /// The lengths of the arcs.
    pub lengths: LengthSource,
    /// The longest path that counts.
    pub cutoff: Option<Cutoff>,
}

impl LengthArcBetweenness {
    /// Peak memory while the graph is read, in bytes. The memory of searches is checked before they begin.
    pub fn needs(&self, graph: &Graph) -> u64 {
        Size::of(graph).weighted_bytes(60, 76)
    }

    /// About how long it takes.
    ///
    /// # Errors
    /// As for [`Self::compute`].
    pub fn seconds(&self, graph: &Graph, progress: &dyn Progress) -> Result<TimeEstimate> {
        let lengths = self.lengths.read(graph, progress)?;
        let items = Items::Arcs;
        let seconds = lengths.along(Direction::Out, self.cutoff, Timing { items, progress })?;
        Ok(TimeEstimate::about(seconds))
    }

    /// The parameters that identify the work of a checkpoint.
    ///
    /// # Errors
    /// If lengths cannot be read.
    pub fn kept_parameters(&self, graph: &Graph) -> Result<Map<String, Value>> {
        let parameters = parameters(&self.of);
        let mut parameters = with_lengths(parameters, &self.lengths, self.cutoff);
        parameters.insert("lengths".into(), self.lengths.hash(graph)?);
        Ok(parameters)
    }

    /// Ranks the arcs of a graph.
    ///
    /// # Errors
    /// If lengths cannot be read or are not positive; if it would exceed the time budget or memory; if the
    /// user interrupts.
    pub fn compute(
        &self,
        graph: &Graph,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<RankedArcs> {
        let mut phases = Phases::start();
        let lengths = self.lengths.read(graph, progress)?;
        admit(&lengths, graph.num_arcs(), limits)?;
        let (successors, note) = (Arc::clone(&lengths.successors), lengths.note.clone());
        phases.done("load");
        let job = OfArcs {
            normalize: self.of.normalize,
            limits,
            progress,
        };
        let found = lengths.along(Direction::Out, self.cutoff, job)?;
        phases.done("search");
        let parameters = with_lengths(parameters(&self.of), &self.lengths, self.cutoff);
        Ok(RankedArcs::new(successors, found, parameters, phases).noting(note))
    }
}

/// Scores all arcs.
struct OfArcs<'a> {
    normalize: bool,
    limits: &'a Limits,
    progress: &'a dyn Progress,
}

impl OnLengths for OfArcs<'_> {
    type Found = (Vec<f64>, RoundingTies);

    fn run<D: Distance>(self, graph: Prepared<D>) -> Result<Self::Found> {
        if !goes_on(self.progress) {
            let seconds = seconds_of_sums(&graph, Items::Arcs, self.progress)?;
            afford("exact betweenness of arcs", seconds, self.limits)?;
        }
        arc_betweenness_in(&graph, self.normalize, self.progress)
    }
}
