//! Betweenness of nodes where shortest paths are those of the least sum of lengths.
//!
//! Distances are whole numbers, so paths tie if and only if their lengths are equal. Numbers of paths, sums
//! and ties are those of [`webrank_distances::betweenness`], by one search for each source, or for 512 together:
//! see `path_lanes`.

use super::approx::{self, Seconds};
use super::cutoff::Cutoff;
use super::distance::Plus;
use super::engine::{OnLengths, Prepared};
use super::path_lanes::{self, PathLanes};
use super::ranking::{TIME_BUDGET, afford, goes_on};
use super::search::LengthSearch;
use super::source::{LengthSource, Lengths};
use ndarray::Array1;
use num_traits::ToPrimitive;
use serde::ser::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use webrank_base::Node;
use webrank_base::checkpoint::Checkpoint;
use webrank_base::error::{Error, Result};
use webrank_base::limits::Limits;
use webrank_base::parallel::{tasks, workspaces::Pool};
use webrank_base::phases::Phases;
use webrank_base::progress::{Progress, Unheard};
use webrank_distances::betweenness::dependency_sums::{
    DependencySums, Items, OneByOne, SourceSearch, memory_of_sums, seconds_of_sums,
};
use webrank_distances::betweenness::exact::ends;
use webrank_distances::betweenness::modular::{Residue, affordable, residues};
use webrank_distances::betweenness::path_count::PathCount;
use webrank_distances::betweenness::sampled_sources::{SourceSums, estimate_by};
use webrank_distances::betweenness::single_source::PathGraph;
use webrank_distances::betweenness::ties::{RoundingTies, unite};
use webrank_distances::betweenness::{Betweenness, BetweennessMethod};
use webrank_distances::probe;
use webrank_distances::traversal::bit_parallel::LANES;
use webrank_graph::{Direction, Graph, Predecessors, Size, Successors};
use webrank_measure::cost_model::TimeEstimate;
use webrank_measure::{About, Measure, StoragePlan, parameters};
use webrank_scores::Scores;
use webrank_scores::ranked::Ranked;

impl<D: Plus<A>, A: Clone + Ord + Send + Sync> PathGraph for Prepared<D, A> {
    type Search<'g, C: PathCount>
        = LengthSearch<'g, D, A, C>
    where
        Self: 'g;

    fn paths<C: PathCount>(&self) -> LengthSearch<'_, D, A, C> {
        LengthSearch::new(&self.arcs, self.cutoff.as_ref())
    }

    fn num_nodes(&self) -> usize {
        self.arcs.num_nodes()
    }

    fn num_arcs(&self) -> u64 {
        self.arcs.num_arcs() as u64
    }
}

/// The bytes of a node that counts of paths, their arcs and dependencies take.
const COUNTS: u64 = 56;

/// The code of searches by lengths, and of their sums.
const CODE: u64 = 6 << 20;

/// Betweenness by lengths, with the parameters of [`Betweenness`].
#[derive(Debug, Clone)]
pub struct LengthBetweenness {
    /// The parameters; the method auto is exact.
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
        let lengths = self.lengths.read(graph, progress)?;
        if self.of.method == BetweennessMethod::Approx {
            approx::admit(&lengths, limits)?;
            return Ok(lengths);
        }
        let lengths = lengths.in_lanes_by_reach();
        admit(&lengths, graph.num_nodes() as u64, limits)?;
        Ok(lengths)
    }
}

/// Checks that searches and sums of so many numbers fit into memory.
pub(crate) fn admit(lengths: &Lengths, sums: u64, limits: &Limits) -> Result<u64> {
    let threads = rayon::current_num_threads();
    let rows = &lengths.successors;
    let lanes = lengths.lanes.as_ref().map_or(0, |(_, longest)| {
        path_lanes::memory(rows.num_nodes(), rows.num_arcs(), *longest)
    });
    let memory = lengths
        .memory(threads, COUNTS)
        .saturating_add(2 * memory_of_sums(sums, threads))
        .saturating_add(lanes.saturating_mul(threads as u64));
    limits
        .admit_more("searching by lengths", memory)
        .map(|()| memory)
}

impl Measure for LengthBetweenness {
    const ABOUT: About = About {
        definition: "sum over pairs y, z of the fraction of shortest y-z paths through x, by lengths",
        cost: "one search of each node: O(m log of the longest path)",
        ..Betweenness::ABOUT
    };

    fn needs(&self, graph: &Graph) -> u64 {
        // Memory peaks while lengths are read: decimals and their whole numbers are both there.
        Size::of(graph).weighted_bytes(150, 40) + CODE
    }

    fn forms_of(&self, graph: &Graph) -> Vec<StoragePlan> {
        vec![StoragePlan {
            takes_more: true,
            ..StoragePlan::in_memory(self.needs(graph))
        }]
    }

    fn seconds_of(
        &self,
        graph: &Graph,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<Vec<Option<TimeEstimate>>> {
        self.check()?;
        let lengths = self.read(graph, limits, progress)?;
        if self.of.method == BetweennessMethod::Approx {
            let memory = approx::admit(&lengths, limits)?;
            let sampled = Seconds(self.sampled(graph, progress));
            let seconds = lengths.along(Direction::Out, self.cutoff, sampled)?;
            return Ok(vec![Some(TimeEstimate::about(seconds).with(memory))]);
        }
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
        let mut phases = Phases::start();
        self.check()?;
        let lengths = self.read(graph, limits, progress)?;
        let note = lengths.note.clone();
        phases.done("load");
        if self.of.method == BetweennessMethod::Approx {
            let sampled = self.sampled(graph, progress);
            let mut found = lengths.along(Direction::Out, self.cutoff, sampled)?;
            let parameters = &mut found.scores.run.parameters;
            *parameters = with_lengths(std::mem::take(parameters), &self.lengths, self.cutoff);
            phases.done("search");
            return Ok(found.ranked(graph, &self.of, phases)?.noting(note));
        }
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

impl<D: Plus<A>, A: Clone + Ord + Send + Sync> Prepared<D, A> {
    /// Makes searches for dependencies on nodes from 512 sources at a time, if lengths are small.
    fn path_lanes<'g>(&'g self, items: Items) -> Option<impl Fn() -> Lanes<'g, D, A> + 'g> {
        let (_, arcs, longest) = self.in_lanes()?;
        let cutoff = self.cutoff.as_ref().and_then(|it| it.big().to_u64());
        let cutoff = cutoff.unwrap_or(u64::MAX);
        Some(move || PathLanes::new(arcs, longest, cutoff, OneByOne::new(self, items)))
    }
}

/// Searches from 512 sources at a time, or from one after the other.
type Lanes<'g, D, A> = PathLanes<'g, OneByOne<'g, Prepared<D, A>>>;

/// The dependencies of sources on nodes.
pub(crate) fn sums_of<D: Plus<A>, A: Clone + Ord + Send + Sync>(
    graph: &Prepared<D, A>,
    sources: &[Node],
    items: Items,
    kept: Option<&Checkpoint>,
    progress: &dyn Progress,
) -> Result<DependencySums> {
    let stage = "sums of dependencies, from 512 sources at a time";
    match graph.path_lanes(items) {
        Some(lanes) => DependencySums::by(
            lanes,
            || items.none(graph),
            sources,
            (stage, kept),
            progress,
        ),
        None => DependencySums::of(graph, sources, items, kept, progress),
    }
}

/// An estimate of the seconds that the dependencies of all nodes take.
fn seconds<D: Plus<A>, A: Clone + Ord + Send + Sync>(
    graph: &Prepared<D, A>,
    items: Items,
    progress: &dyn Progress,
) -> Result<f64> {
    let lanes = graph.path_lanes(items).filter(|_| items != Items::Arcs);
    let (Some(lanes), Some((order, _))) = (lanes, &graph.lanes) else {
        return seconds_of_sums(graph, items, progress);
    };
    let rooms = Pool::new(|| (lanes(), items.none(graph)));
    let batches: Vec<&[Node]> = order.chunks(LANES).collect();
    probe::seconds(batches.len(), progress, |parts| {
        tasks::try_map(parts.iter(), |&part| {
            rooms.with(|(room, sums)| room.add(batches[part], sums, &Unheard(progress)))
        })?;
        Ok(())
    })
}

/// Times searches.
pub(crate) struct Timing<'a> {
    pub items: Items,
    pub progress: &'a dyn Progress,
}

impl OnLengths for Timing<'_> {
    type Found = f64;

    fn run<D: Plus<A>, A: Clone + Ord + Send + Sync>(self, graph: Prepared<D, A>) -> Result<f64> {
        seconds(&graph, self.items, self.progress)
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

    fn run<D: Plus<A>, A: Clone + Ord + Send + Sync>(
        self,
        graph: Prepared<D, A>,
    ) -> Result<Self::Found> {
        let (n, progress) = (graph.num_nodes(), self.progress);
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
    fn exactly<D: Plus<A>, A: Clone + Ord + Send + Sync>(
        &self,
        graph: &Prepared<D, A>,
    ) -> Result<(Scores, RoundingTies)> {
        let (n, progress) = (graph.num_nodes(), self.progress);
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
