//! Betweenness of nodes where shortest paths are those of the least sum of lengths.
//!
//! Distances are whole numbers, so paths tie if and only if their lengths are equal. Numbers of paths, sums
//! and ties are those of [`webrank_distances::betweenness`], by one search for each source, or for 512 together:
//! see `path_lanes`.

use super::cutoff::Cutoff;
use super::dependencies::{Timing, admit, seconds, sums_of};
use super::distance::Distance;
use super::engine::{OnLengths, Prepared};
use super::ranking::{TIME_BUDGET, afford, goes_on};
use super::source::{LengthSource, Lengths};
use ndarray::Array1;
use serde::ser::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::limits::Limits;
use webrank_base::phases::Phases;
use webrank_base::progress::Progress;
use webrank_distances::betweenness::dependency_sums::Items;
use webrank_distances::betweenness::exact::ends;
use webrank_distances::betweenness::modular::{Residue, affordable, residues};
use webrank_distances::betweenness::path_count::PathCount;
use webrank_distances::betweenness::sampled_paths::STAGE;
use webrank_distances::betweenness::sampled_sources::{SourceSums, estimate_by};
use webrank_distances::betweenness::ties::{RoundingTies, unite};
use webrank_distances::betweenness::{Betweenness, BetweennessMethod, GOES_ON, why_estimates};
use webrank_graph::{Direction, Graph, Predecessors, Size, Successors};
use webrank_measure::cost_model::{TimeEstimate, Times};
use webrank_measure::{About, Described, Measure, StoragePlan, parameters};
use webrank_scores::Scores;
use webrank_scores::ranked::Ranked;

/// The code of searches by lengths, and of their sums.
const CODE: u64 = 6 << 20;

/// Betweenness by lengths, with the parameters of [`Betweenness`].
#[derive(Debug, Clone)]
pub struct LengthBetweenness {
    /// The parameters.
    pub of: Betweenness,
    /// The lengths of the arcs.
    pub lengths: LengthSource,
    /// The longest path that counts.
    pub cutoff: Option<Cutoff>,
}

/// Adds what paths are to parameters.
pub(crate) fn with_lengths(
    mut parameters: Map<String, Value>,
    lengths: &LengthSource,
    cutoff: Option<Cutoff>,
) -> Map<String, Value> {
    parameters.insert("lengths".into(), lengths.name().into());
    if let Some(cutoff) = cutoff {
        parameters.insert("cutoff".into(), json!(cutoff));
    }
    parameters
}

impl Serialize for LengthBetweenness {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        with_lengths(parameters(&self.of), &self.lengths, self.cutoff).serialize(serializer)
    }
}

impl LengthBetweenness {
    fn check(&self) -> Result<()> {
        let is_sampled = self.of.method == BetweennessMethod::Sources;
        self.of.check_method()?;
        match self
            .cutoff
            .filter(|_| is_sampled && self.of.endpoints && self.of.sources.is_none())
        {
            Some(cutoff) => Err(Error::argument(
                "cutoff",
                cutoff.value(),
                "a sample of sources does not tell how many paths end in a node: with endpoints and a \
                 cutoff, take exact, or leave out one of them",
            )),
            None => Ok(()),
        }
    }

    fn read(&self, graph: &Graph, limits: &Limits, progress: &dyn Progress) -> Result<Lengths> {
        let lengths = self.lengths.read(graph, progress)?.in_lanes_by_reach();
        admit(&lengths, graph.num_nodes() as u64, limits)?;
        Ok(lengths)
    }
}

impl Described for LengthBetweenness {
    const ABOUT: About = About {
        definition: "sum over pairs y, z of the fraction of shortest y-z paths through x, by lengths",
        cost: "one search of each node: O(m log of the longest path)",
        ..Betweenness::ABOUT
    };
}

impl Measure for LengthBetweenness {
    fn forms_of(&self, graph: &Graph) -> Vec<StoragePlan> {
        vec![StoragePlan {
            takes_more: true,
            // Memory peaks while lengths are read, as decimals and as whole numbers.
            ..StoragePlan::in_memory(Size::of(graph).weighted_bytes(150, 40) + CODE)
        }]
    }

    fn seconds_of(&self, graph: &Graph, limits: &Limits, progress: &dyn Progress) -> Result<Times> {
        self.check()?;
        if self.of.method == BetweennessMethod::Approx {
            return Ok(vec![Some(self.seconds_of_paths(graph, limits, progress)?)]);
        }
        let lengths = self.read(graph, limits, progress)?;
        let memory = admit(&lengths, graph.num_nodes() as u64, limits)?;
        let share = match (self.of.method, &self.of.sources) {
            (BetweennessMethod::Sources, Some(given)) => given.len(),
            (BetweennessMethod::Sources, None) => self.of.samples.get(),
            _ => usize::MAX,
        };
        let n = graph.num_nodes().max(1);
        let timing = Timing {
            items: Items::Nodes { ends: false },
            progress,
        };
        let seconds = lengths.along(Direction::Out, self.cutoff, timing)?;
        let seconds = seconds * share.min(n) as f64 / n as f64;
        let estimate = TimeEstimate::about(seconds).with(memory);
        Ok(vec![Some(estimate.within(limits.time_or(TIME_BUDGET)))])
    }

    fn check_kept(&self, _graph: &Graph, _limits: &Limits) -> Result<()> {
        Ok(())
    }

    fn kept_parameters(&self, graph: &Graph, limits: &Limits) -> Result<Map<String, Value>> {
        let parameters = self.of.kept_parameters(graph, limits)?;
        let mut parameters = with_lengths(parameters, &self.lengths, self.cutoff);
        parameters.insert("lengths".into(), self.lengths.hash(graph)?);
        Ok(parameters)
    }

    fn compute(&self, graph: &Graph, limits: &Limits, progress: &dyn Progress) -> Result<Ranked> {
        self.check()?;
        let of_paths = || self.of_sampled_paths(graph, limits, progress);
        if self.of.method == BetweennessMethod::Approx {
            return of_paths();
        }
        if progress
            .checkpoint()
            .is_some_and(|kept| kept.is_found_at(STAGE))
        {
            return Ok(of_paths()?.noting([GOES_ON.to_owned()]));
        }
        match self.of_searches(graph, limits, progress) {
            Err(problem @ (Error::TakesLonger { .. } | Error::NeedsMemory { .. }))
                if self.of.may_approximate() =>
            {
                Ok(of_paths()?.noting([why_estimates(&problem)]))
            }
            ranked => ranked,
        }
    }
}

impl LengthBetweenness {
    /// Scores by searches from all nodes, or from some.
    fn of_searches(
        &self,
        graph: &Graph,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<Ranked> {
        let mut phases = Phases::start();
        let lengths = self.read(graph, limits, progress)?;
        let note = lengths.note.clone();
        phases.done("load");
        let job = OfNodes {
            of: &self.of,
            graph,
            is_cut: self.cutoff.is_some(),
            limits,
            progress,
        };
        let (mut scores, ties) = lengths.along(Direction::Out, self.cutoff, job)?;
        scores.run.parameters = with_lengths(scores.run.parameters, &self.lengths, self.cutoff);
        phases.done("search");
        let ranked = Ranked::single(graph, scores, phases)?;
        Ok(ranked
            .noting(note)
            .noting(ties.and_then(|ties| ties.note("nodes"))))
    }
}

/// Scores all nodes.
struct OfNodes<'a> {
    of: &'a Betweenness,
    graph: &'a Graph,
    is_cut: bool,
    limits: &'a Limits,
    progress: &'a dyn Progress,
}

impl OnLengths for OfNodes<'_> {
    type Found = (Scores, Option<RoundingTies>);

    fn run<D: Distance>(self, graph: Prepared<D>) -> Result<Self::Found> {
        let (n, progress) = (graph.arcs.num_nodes(), self.progress);
        if self.of.method != BetweennessMethod::Sources {
            if !goes_on(progress) {
                let seconds = seconds(&graph, Items::Nodes { ends: false }, progress)?;
                afford("exact betweenness", seconds, self.limits)?;
            }
            let (scores, ties) = self.exactly(&graph)?;
            return Ok((scores, Some(ties)));
        }
        let sums = |sources: &[Node], ends: bool| {
            progress.begin("searching", Some(sources.len() as u64));
            // Ends are counted after the sums.
            let kept = progress.checkpoint().filter(|_| !ends);
            let items = Items::Nodes { ends };
            let sums = sums_of(&graph, sources, items, kept, progress)?;
            progress.end();
            Ok(sums)
        };
        let (successors, predecessors) = self.graph.both(progress)?;
        let has_others = |x: Node| {
            let rows = [&successors, &predecessors];
            rows.iter().all(|rows| rows.row(x).iter().any(|&y| y != x))
        };
        let searches = SourceSums {
            exact: &|| Ok(self.exactly(&graph)?.0),
            sums: &|sources| Ok(sums(sources, false)?.values),
            ends_from: &|sources| {
                let ends = sums(sources, true)?.ends;
                Ok(ends.into_iter().map(|count| count as f64).collect())
            },
            // Without a cutoff, lengths do not change what is reached.
            ends: &|| {
                debug_assert!(!self.is_cut);
                ends(
                    Successors(&successors),
                    Predecessors(&predecessors),
                    progress,
                )
            },
            is_between: &has_others,
        };
        Ok((estimate_by(self.of, n, &searches)?, None))
    }
}

impl OfNodes<'_> {
    fn exactly<D: Distance>(&self, graph: &Prepared<D>) -> Result<(Scores, RoundingTies)> {
        let (n, progress) = (graph.arcs.num_nodes(), self.progress);
        let nodes = match &graph.lanes {
            Some((order, _)) => order.clone(),
            None => (0..n as Node).collect(),
        };
        let ends = self.of.endpoints;
        progress.begin("searching", Some(n as u64));
        let (items, kept) = (Items::Nodes { ends }, progress.checkpoint());
        let sums = sums_of(graph, &nodes, items, kept, progress)?;
        progress.end();
        let mut residues = match affordable(graph) {
            true => residues(graph, false, progress)?.map(|residues| residues.nodes),
            false => None,
        };
        for (residue, &ends) in residues.iter_mut().flatten().zip(&sums.ends) {
            *residue = residue.plus(Residue::new(ends));
        }
        let mut values = sums.values;
        for (value, &ends) in values.iter_mut().zip(&sums.ends) {
            *value += ends as f64;
        }
        let scale = self.of.scale(n);
        values.iter_mut().for_each(|value| *value *= scale);
        // One rounding for the ends and one for the scale.
        let ties = unite(&mut values, sums.roundings + 2, residues.as_deref());
        let run = self
            .of
            .record(BetweennessMethod::Exact, ties.outcome(&values));
        Ok((Scores::new(Array1::from(values), run), ties))
    }
}
