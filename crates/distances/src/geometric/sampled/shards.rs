//! A sample of a graph that is cut into shards: each worker has the lanes and the sums of its nodes.
//!
//! Draws are those of a sample by passes ([`super::swept`]) on the whole graph, and so are the estimates, to the bit,
//! for any number of parts and workers. Nodes that few others reach are not searched from: they have wide
//! intervals.

use super::Sample;
use super::columns::{Asked, Findings, Sampled};
use super::draws::{Draws, GROUPS};
use super::estimates::ClassesOfNodes;
use super::sums::Sums;
use crate::geometric::measure::DistanceMeasure;
use crate::geometric::{Direction, DistanceScores};
use crate::traversal::bit_parallel::LANES;
use crate::traversal::hyperball::{Changes, OF_NODE, PartRows, PartSearches};
use crate::traversal::pulled::Counts;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::tasks;
use webrank_base::progress::{Progress, Unheard};
use webrank_cluster::{DistributedStage, DistributedVisitor, Exchange, State};

/// The names of the searches in checkpoints, with groups and without.
const ON_SHARDS: [&str; 2] = [
    "sampled distances on shards",
    "sampled distances on shards, without groups",
];

/// The bytes of a node of this process: its lanes, its number among those that lead to others, its sums.
pub(crate) fn bytes_of_held(
    measures: &[&dyn DistanceMeasure],
    num_nodes: usize,
    by_groups: bool,
) -> u64 {
    let sums = super::num_sums(measures, num_nodes);
    OF_NODE + size_of::<Node>() as u64 + Sums::memory(1, sums, by_groups)
}

/// True for a sample that needs sums of groups.
pub(crate) fn needs_groups(
    measures: &[&dyn DistanceMeasure],
    num_nodes: usize,
    wanted: Sample,
) -> bool {
    let asked = Asked::new(measures, Direction::In, wanted, num_nodes);
    asked.is_ok_and(|asked| asked.needs_groups())
}

/// A sample of a graph of which each worker has some nodes.
pub(crate) struct SampleOnShards<'a> {
    /// The rows of this worker.
    pub rows: &'a PartRows,
    /// The measures.
    pub measures: &'a [&'a dyn DistanceMeasure],
    /// The parameters of the sample.
    pub wanted: Sample,
    /// The number of nodes of the whole graph.
    pub num_nodes: usize,
    /// True if the sums of groups fit into the memory of this worker.
    pub has_room: bool,
}

/// The nodes of a worker that may be drawn.
struct OwnSources {
    leading: Vec<Node>,
    /// The number of the first one among those of all workers.
    first: usize,
}

/// The state between two batches of searches: the draws that are done, and the sums.
struct Swept(usize, Sums);

impl State for Swept {
    fn visit(&mut self, visitor: &mut DistributedVisitor) -> Result<()> {
        let mut done = [self.0 as u64];
        visitor.same(&mut done)?;
        self.0 = done[0] as usize;
        self.1.visit(visitor)
    }
}

impl SampleOnShards<'_> {
    /// Estimates for the nodes of this worker, and notes on how they were found.
    ///
    /// # Errors
    /// If a measure cannot be sampled, or not so; if there is not enough memory; if rows are in a file that cannot be
    /// read; if another worker fails; if the user interrupts.
    pub fn run(
        &self,
        exchange: &mut Exchange,
        progress: &dyn Progress,
    ) -> Result<(DistanceScores, Vec<String>)> {
        let mut measures = self.measures.iter();
        if let Some(measure) = measures.find(|measure| measure.with_diameter(1).is_some()) {
            return Err(Error::NoMethod {
                measure: measure.name(),
                method: "samples on shards, which do not find the diameter",
                remedy: "use HyperBall, or name the graph that was cut",
            });
        }
        let held = self.rows.num_nodes();
        let outdegrees = self.rows.outdegrees();
        let asked = Asked::new(self.measures, Direction::In, self.wanted, self.num_nodes)?;
        let asked = asked.of_held(held);
        let leading = tasks::select(held, |x| (outdegrees[x] > 0).then_some(x as Node));
        let counts = exchange.gather([leading.len() as u64])?;
        let counts: Vec<usize> = counts.into_iter().map(|[count]| count as usize).collect();
        let (first, sources) = (counts[..exchange.index()].iter().sum(), counts.iter().sum());
        if Node::try_from(sources).is_err() {
            let remedy = "2^32 nodes or more cannot be sampled";
            return Err(Error::argument(
                "number of nodes with successors",
                sources,
                remedy,
            ));
        }
        let sampled = Sampled {
            nodes: ClassesOfNodes {
                class: Box::new(|x| x),
                is_source: Box::new(|x| outdegrees[x] > 0),
            },
            degrees: self.rows.degrees(),
            sources,
        };
        let by_groups = self.is_by_groups(&asked, exchange)?;
        let own = OwnSources { leading, first };
        let pilot = |count, seed| {
            let draws = Draws::places(sources, count, seed);
            let asked_draws = (&asked, draws, true);
            let found = self.search(&own, asked_draws, None, exchange, &Unheard(progress))?;
            asked.error_of_best(&sampled, &found, |own| of_all(&own, exchange))
        };
        let (count, pilot) = asked.count(sources, sources as u64, pilot)?;
        let draws = Draws::places(sources, count.unwrap_or(sources), self.wanted.seed);
        let name = ON_SHARDS[usize::from(!by_groups)];
        let asked_draws = (&asked, draws, by_groups);
        let found = self.search(&own, asked_draws, Some(name), exchange, progress)?;
        let scores = DistanceScores {
            scores: asked.columns(&sampled, &found, |_, _| f64::NAN),
            rests: Vec::new(),
            reachable_share: None,
            arcs: 0,
        };
        let notes = pilot.into_iter().chain([note(by_groups)]);
        Ok((scores, notes.collect()))
    }

    /// Searches from draws; checkpoints are kept if the searches have a name.
    fn search<'m>(
        &self,
        own: &OwnSources,
        (asked, draws, by_groups): (&Asked<'m>, Draws, bool),
        name: Option<&str>,
        exchange: &mut Exchange,
        progress: &dyn Progress,
    ) -> Result<Findings<'m>> {
        let scales = asked.scales(draws.len(), if by_groups { GROUPS } else { 1 });
        let sums = Sums::within_memory(self.rows.num_nodes(), scales.len(), by_groups)?;
        let mut state = Swept(0, sums);
        let stage = DistributedStage::begin(name, exchange, progress, &mut state)?;
        progress.begin("sampling", Some(draws.len() as u64));
        progress.resume(state.0 as u64);
        while state.0 < draws.len() {
            let batch = state.0..draws.len().min(state.0 + LANES);
            stage.keep(
                (&format!("search {}", batch.start), false),
                exchange,
                &mut state,
            )?;
            let sources = batch.clone().filter_map(|draw| {
                let place = (draws.nodes[draw] as usize).checked_sub(own.first)?;
                Some((*own.leading.get(place)?, draws.lane(draw)))
            });
            let sources: Vec<_> = sources.collect();
            PartSearches(self.rows).run(&sources, exchange, progress, |level, changes| {
                let values: Vec<_> = scales.iter().map(|it| it.at_level(level)).collect();
                add(&mut state.1, changes, &values);
            })?;
            progress.advance(batch.len() as u64);
            state.0 = batch.end;
        }
        progress.end();
        stage.end()?;
        // A lane does not come back to its own node.
        Ok(Findings::new(draws, scales, (state.1, Vec::new())))
    }

    /// True if sums of groups are wanted and fit into the memory of every worker.
    fn is_by_groups(&self, asked: &Asked, exchange: &mut Exchange) -> Result<bool> {
        let rooms = exchange.gather([self.has_room.into()])?;
        let have_room = rooms.iter().all(|&[room]| room == 1);
        match asked.needs_groups() && !have_room {
            true => Err(Error::argument(
                "memory",
                "too small for estimated intervals",
                "give more, or more workers",
            )),
            false => Ok(have_room && !self.wanted.is_proved()),
        }
    }
}

/// Scores and errors of the best nodes of all workers, given those of this one.
fn of_all(own: &[[f64; 2]], exchange: &mut Exchange) -> Result<Vec<[f64; 2]>> {
    let own: Vec<u64> = own.iter().flatten().map(|it| it.to_bits()).collect();
    let lists = exchange.gather_lists(&own)?;
    let pair = |&[score, error]: &[u64; 2]| [f64::from_bits(score), f64::from_bits(error)];
    let all = lists.iter().flat_map(|list| list.as_chunks().0);
    Ok(all.map(pair).collect())
}

/// Adds terms of a level, and their squares, at the nodes that new lanes reach.
fn add(sums: &mut Sums, changes: &[Changes<Counts>], values: &[[u64; 2]]) {
    let extents: Vec<_> = changes.iter().map(Changes::extent).collect();
    let blocks = sums.blocks(&extents);
    tasks::for_each(blocks.into_iter().zip(changes), |(mut sums, changes)| {
        for (&node, counts) in changes.nodes.iter().zip(&changes.falls) {
            sums.add(node as usize, counts, values);
        }
    });
}

/// A note on what shards change.
fn note(by_groups: bool) -> String {
    let groups = match by_groups {
        true => "",
        false => ", and intervals are proved ones, which are wider",
    };
    format!(
        "the graph is cut into shards: nodes that few others reach are not exact, and have wide \
         intervals{groups}"
    )
}
