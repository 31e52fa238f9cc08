//! The histograms of many nodes, each passed on as soon as it is known.

use super::batch::Batch;
use super::bit_parallel::{LANES, Workspace};
use super::histogram::Histogram;
use super::single::SingleSearch;
use crate::probe;
use crate::reduction::Reduced;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::parallel::simd::Simd;
use webrank_base::parallel::tasks;
use webrank_base::parallel::workspaces::Pool;
use webrank_base::progress::{Progress, Unheard};

/// A batch with more levels than this is searched one source at a time, which keeps the table of
/// levels under 32 MB a thread.
pub const MAX_LEVELS: usize = 1 << 14;

/// How the batches are run; no choice changes a result.
#[derive(Debug, Clone, Copy)]
pub struct Engine {
    /// The vector instructions.
    pub simd: Simd,
    /// The number of levels above which a batch is searched one source at a time.
    pub max_levels: usize,
}

impl Default for Engine {
    fn default() -> Self {
        Engine {
            simd: Simd::best(),
            max_levels: MAX_LEVELS,
        }
    }
}

/// The results of searches from many nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Searched<A> {
    /// One state for each batch.
    pub states: Vec<A>,
    /// Arcs followed, each once for all searches that do so together.
    pub arcs: u64,
}

/// Searches from `leaders` (all or some of those of `graph`, in any order) and calls
/// `take(batch_state, node, histogram)` for every node that a leader stands for.
///
/// A batch of 512 leaders starts from `start()`; the result holds one state for each batch, in
/// the order of `leaders`, whatever the number of threads. Advances `progress` by one for each
/// leader.
///
/// # Errors
/// [`Interrupted`](webrank_base::error::Error::Interrupted) when the user stops the run.
pub fn histograms<A: Send>(
    graph: &Reduced,
    leaders: &[Node],
    engine: Engine,
    start: impl Fn() -> A + Sync,
    take: impl Fn(&mut A, Node, Histogram) + Sync,
    progress: &dyn Progress,
) -> Result<Searched<A>> {
    let all = |batches: &[&[Node]], search: &Search<A>| tasks::try_map(batches, |it| search(it));
    histograms_by(graph, leaders, engine, start, take, all, progress)
}

/// Searches from the leaders of a batch: its state, and the arcs followed.
pub(crate) type Search<'s, A> = dyn Fn(&[Node]) -> Result<(A, u64)> + Sync + 's;

/// [`histograms`], where `all` returns what the search finds in each of the batches, in their order.
pub(crate) fn histograms_by<A: Send>(
    graph: &Reduced,
    leaders: &[Node],
    engine: Engine,
    start: impl Fn() -> A + Sync,
    take: impl Fn(&mut A, Node, Histogram) + Sync,
    all: impl FnOnce(&[&[Node]], &Search<A>) -> Result<Vec<(A, u64)>>,
    progress: &dyn Progress,
) -> Result<Searched<A>> {
    let rooms = Pool::new(|| Workspace::new(graph.quotient().num_nodes()));
    let run = |leaders: &[Node]| {
        progress.check()?;
        let mut batch = Batch::new(graph, leaders);
        let mut levels = Vec::new();
        let Engine { simd, max_levels } = engine;
        let (done, mut arcs) = rooms.with(|room| {
            let before = room.arcs();
            let done = batch.search(graph, room, simd, max_levels, &mut levels);
            (done, room.arcs() - before)
        });
        let mut state = start();
        if done {
            batch.unfold(&levels, &mut |x, histogram| take(&mut state, x, histogram));
        } else {
            let mut search = SingleSearch::new(graph.num_nodes());
            for member in batch.members() {
                progress.check()?;
                take(
                    &mut state,
                    member.node,
                    search.histogram(graph.rows(), member.node),
                );
            }
            arcs += search.arcs();
        }
        progress.advance(leaders.len() as u64);
        Ok((state, arcs))
    };
    let batches: Vec<&[Node]> = leaders.chunks(LANES).collect();
    let batches = all(&batches, &run)?;
    let (states, arcs): (Vec<A>, Vec<u64>) = batches.into_iter().unzip();
    Ok(Searched {
        states,
        arcs: arcs.iter().sum(),
    })
}

/// An estimate of the seconds that searching from all leaders takes with the current number of
/// threads, of which up to eight batches per thread are timed.
///
/// The sample takes at most a sixteenth of the time estimated, or one batch a thread. Batches
/// differ, and so does the machine from minute to minute: expect an error by a factor of 1.5 either
/// way.
///
/// # Errors
/// [`Interrupted`](webrank_base::error::Error::Interrupted) when the user stops the run.
pub fn seconds(graph: &Reduced, engine: Engine, progress: &dyn Progress) -> Result<f64> {
    let batches: Vec<&[Node]> = graph.leaders().chunks(LANES).collect();
    let unheard = Unheard(progress);
    probe::seconds(batches.len(), progress, |parts| {
        let nodes: Vec<Node> = parts
            .iter()
            .flat_map(|&part| batches[part])
            .copied()
            .collect();
        histograms(graph, &nodes, engine, || (), |_, _, _| (), &unheard)?;
        Ok(())
    })
}

/// The memory, in bytes, that searching takes with `threads` threads: three masks a node of the
/// quotient and the table of levels for each thread that has a batch, and the reduced graph.
///
/// The table is counted for 256 levels; it grows to [`MAX_LEVELS`] (32 MB a thread) at worst.
pub fn memory(graph: &Reduced, threads: usize) -> u64 {
    let busy = threads.min(graph.leaders().len().div_ceil(LANES)) as u64;
    let state = 3 * LANES as u64 / 8 * graph.quotient().num_nodes() as u64;
    let table = 256 * 4 * LANES as u64;
    busy * (state + table) + graph.memory()
}
