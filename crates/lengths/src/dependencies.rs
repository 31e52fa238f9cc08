//! The dependencies of sources on nodes and arcs by lengths, their memory and their time.

use super::distance::Distance;
use super::engine::{OnLengths, Prepared};
use super::path_lanes::{self, PathLanes};
use super::search::LengthSearch;
use super::source::Lengths;
use num_traits::ToPrimitive;
use webrank_base::Node;
use webrank_base::checkpoint::Checkpoint;
use webrank_base::error::Result;
use webrank_base::limits::Limits;
use webrank_base::parallel::{tasks, workspaces::Pool};
use webrank_base::progress::{Progress, Unheard};
use webrank_distances::betweenness::dependency_sums::{
    DependencySums, Items, OneByOne, SourceSearch, memory_of_sums, seconds_of_sums,
};
use webrank_distances::betweenness::path_count::PathCount;
use webrank_distances::betweenness::single_source::PathGraph;
use webrank_distances::probe;
use webrank_distances::traversal::bit_parallel::LANES;

impl<D: Distance> PathGraph for Prepared<D> {
    type Search<'g, C: PathCount>
        = LengthSearch<'g, D, C>
    where
        Self: 'g;

    fn paths<C: PathCount>(&self) -> LengthSearch<'_, D, C> {
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

impl<D: Distance> Prepared<D> {
    /// Makes searches for dependencies on nodes from 512 sources at a time, if lengths are small.
    fn path_lanes<'g>(&'g self, items: Items) -> Option<impl Fn() -> Lanes<'g, D> + 'g> {
        let (_, arcs, longest) = self.in_lanes()?;
        let cutoff = self.cutoff.as_ref().and_then(|it| it.big().to_u64());
        let cutoff = cutoff.unwrap_or(u64::MAX);
        Some(move || PathLanes::new(arcs, longest, cutoff, OneByOne::new(self, items)))
    }
}

/// Searches from 512 sources at a time, or from one after the other.
type Lanes<'g, D> = PathLanes<'g, OneByOne<'g, Prepared<D>>>;

/// The dependencies of sources on nodes.
pub(crate) fn sums_of<D: Distance>(
    graph: &Prepared<D>,
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
pub(crate) fn seconds<D: Distance>(
    graph: &Prepared<D>,
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

    fn run<D: Distance>(self, graph: Prepared<D>) -> Result<f64> {
        seconds(&graph, self.items, self.progress)
    }
}
