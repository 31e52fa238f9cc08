//! Sums of the dependencies of sources on nodes or arcs, one search after the other.

use super::pairwise::{Parts, added, pairwise_sum, pairwise_sum_kept, visit_parts};
use super::path_count::{PathRatio, Wide};
use super::single_source::{DependencySearch, PathGraph, PathSearch};
use crate::probe;
use webrank_base::Node;
use webrank_base::checkpoint::{Checkpoint, StateVisitor};
use webrank_base::error::Result;
use webrank_base::parallel::workspaces::Pool;
use webrank_base::progress::Progress;

/// The number of partial sums, each over consecutive sources.
const PARTS: usize = 64;

/// The items that dependencies are summed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Items {
    /// Each node; with or without the number of paths that begin or end in it.
    Nodes {
        /// Paths count for their first and last nodes, too.
        ends: bool,
    },
    /// Each arc, by source and target.
    Arcs,
}

/// Sums of dependencies.
#[derive(Debug, Clone, PartialEq)]
pub struct DependencySums {
    /// The sum for each node or arc.
    pub values: Vec<f64>,
    /// For each node, the pairs that a path joins and that it is an end of; empty unless asked for.
    pub ends: Vec<u64>,
    /// The roundings behind a sum: see [`ties`](super::ties).
    pub roundings: u64,
}

impl Items {
    /// The sums of no source.
    pub fn none<G: PathGraph>(self, graph: &G) -> DependencySums {
        let n = graph.num_nodes();
        let (values, ends) = match self {
            Items::Nodes { ends } => (n, if ends { n } else { 0 }),
            Items::Arcs => (graph.num_arcs() as usize, 0),
        };
        DependencySums {
            values: vec![0.0; values],
            ends: vec![0; ends],
            roundings: 0,
        }
    }
}

/// Searches for the dependencies of sources.
pub trait SourceSearch: Send {
    /// Adds the dependencies of `sources` to `sums`. Advances `progress` by one for each source.
    ///
    /// # Errors
    /// [`Interrupted`](webrank_base::error::Error::Interrupted) when the user stops the run.
    fn add(
        &mut self,
        sources: &[Node],
        sums: &mut DependencySums,
        progress: &dyn Progress,
    ) -> Result<()>;
}

/// One search after the other.
pub struct OneByOne<'g, G: PathGraph + 'g> {
    graph: &'g G,
    room: DependencySearch<G::Search<'g, f64>>,
    items: Items,
}

impl<'g, G: PathGraph> OneByOne<'g, G> {
    /// A workspace for the items of a graph.
    pub fn new(graph: &'g G, items: Items) -> Self {
        let room = DependencySearch::new(graph.paths::<f64>(), graph.num_nodes());
        OneByOne { graph, room, items }
    }
}

impl<G: PathGraph> SourceSearch for OneByOne<'_, G> {
    fn add(
        &mut self,
        sources: &[Node],
        sums: &mut DependencySums,
        progress: &dyn Progress,
    ) -> Result<()> {
        for &source in sources {
            progress.check()?;
            sums.search(self.graph, &mut self.room, source, self.items);
            progress.advance(1);
        }
        Ok(())
    }
}

impl DependencySums {
    /// The dependencies of `sources` in a graph, one search after the other: see [`by`](Self::by).
    ///
    /// # Errors
    /// As for [`by`](Self::by).
    pub fn of<G: PathGraph>(
        graph: &G,
        sources: &[Node],
        items: Items,
        checkpoint: Option<&Checkpoint>,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let room = || OneByOne::new(graph, items);
        let none = || items.none(graph);
        Self::by(
            room,
            none,
            sources,
            ("sums of dependencies", checkpoint),
            progress,
        )
    }

    /// The dependencies of `sources`, along a tree of 64 parts: the bits depend on the graph, the kind of
    /// search and the sources alone. Advances `progress` by one for each source. Names the stage of the
    /// checkpoint, and does not search again what it holds.
    ///
    /// # Errors
    /// [`Interrupted`](webrank_base::error::Error::Interrupted) when the user stops the run, or [`Stopped`](webrank_base::error::Error::Stopped) if there is a
    /// checkpoint; if its file cannot be read or written.
    pub fn by<R: SourceSearch>(
        room: impl Fn() -> R + Sync,
        none: impl Fn() -> Self + Sync,
        sources: &[Node],
        (stage, checkpoint): (&'static str, Option<&Checkpoint>),
        progress: &dyn Progress,
    ) -> Result<Self> {
        let rooms = Pool::new(room);
        let leaf = sources.len().div_ceil(PARTS).max(1);
        let search_all = |sources: &[Node]| {
            let mut sums = none();
            rooms.with(|room| room.add(sources, &mut sums, progress))?;
            Ok(sums)
        };
        let plus = |left: DependencySums, right: DependencySums| DependencySums {
            values: added(left.values, right.values),
            ends: left
                .ends
                .iter()
                .zip(&right.ends)
                .map(|(a, b)| a + b)
                .collect(),
            roundings: left.roundings.max(right.roundings),
        };
        let mut sums = match checkpoint {
            None => pairwise_sum(sources, leaf, &search_all, &plus)?,
            Some(checkpoint) => {
                let (keeping, found) = checkpoint.begin(stage, progress)?;
                let count = sources.len().div_ceil(leaf);
                let mut known = Parts::new();
                if let Some(mut found) = found {
                    let visitor = StateVisitor::Restore(Some(&mut found));
                    visit_parts(visitor, &mut known, count, &none, Self::visit)?;
                    found.end()?;
                }
                let done: usize = known.keys().map(|(first, end)| end - first).sum();
                progress.resume((done * leaf).min(sources.len()) as u64);
                let save = |parts: &mut Parts<Self>, count| {
                    let done: usize = parts.keys().map(|(first, end)| end - first).sum();
                    keeping.keep(&format!("part {done} of {count}"), |to| {
                        let visitor = StateVisitor::Save(Some(to));
                        visit_parts(visitor, parts, count, &none, Self::visit)
                    })
                };
                let sums =
                    pairwise_sum_kept(sources, leaf, &search_all, &plus, known, &keeping, &save)?;
                keeping.end()?;
                sums
            }
        };
        // The additions within a leaf and in the tree above.
        sums.roundings += leaf as u64 + PARTS.ilog2() as u64 + 1;
        Ok(sums)
    }

    fn visit(&mut self, visitor: &mut StateVisitor) -> Result<()> {
        visitor.numbers(&mut self.values)?;
        visitor.numbers(&mut self.ends)?;
        visitor.numbers(std::slice::from_mut(&mut self.roundings))
    }

    /// Adds the dependencies of a source.
    fn search<G: PathGraph>(
        &mut self,
        graph: &G,
        room: &mut DependencySearch<impl PathSearch<Count = f64>>,
        source: Node,
        items: Items,
    ) {
        if !self.add(room, source, items) {
            let paths = graph.paths::<Wide>();
            self.add(
                &mut DependencySearch::new(paths, graph.num_nodes()),
                source,
                items,
            );
        }
    }

    fn add<S: PathSearch<Count: PathRatio>>(
        &mut self,
        room: &mut DependencySearch<S>,
        source: Node,
        items: Items,
    ) -> bool {
        let values = &mut self.values;
        let is_done = match items {
            Items::Arcs => room.dependencies(source, |arc, share| values[arc] += share, |_, _| ()),
            Items::Nodes { .. } => {
                room.dependencies(source, |_, _| (), |node, sum| values[node as usize] += sum)
            }
        };
        if is_done {
            self.roundings = self.roundings.max(room.roundings());
            if let (Items::Nodes { ends: true }, [_, reached @ ..]) = (items, room.reached()) {
                self.ends[source as usize] += reached.len() as u64;
                reached
                    .iter()
                    .for_each(|&node| self.ends[node as usize] += 1);
            }
        }
        is_done
    }
}

/// The bytes that sums take with `threads` threads, without the graph and the searches: those of a leaf,
/// and of each level of a tree of 64.
pub fn memory_of_sums(count: u64, threads: usize) -> u64 {
    threads as u64 * 8 * count * (2 + u64::from(PARTS.ilog2()))
}

/// An estimate of the seconds that the dependencies of all nodes take with the current number of
/// threads.
///
/// # Errors
/// [`Interrupted`](webrank_base::error::Error::Interrupted) when the user stops the run.
pub fn seconds_of_sums<G: PathGraph>(
    graph: &G,
    items: Items,
    progress: &dyn Progress,
) -> Result<f64> {
    let n = graph.num_nodes();
    let room = || (OneByOne::new(graph, items), items.none(graph));
    probe::seconds_from_each(n, progress, room, |(search, sums), source| {
        sums.search(graph, &mut search.room, source, items);
    })
}
