//! The histograms of many nodes, each handed on as soon as it is known.

use super::histogram::Histogram;
use super::multi::{Batch, LANES, MAX_LEVELS, Workspace};
use super::simd::Simd;
use super::single::Search;
use crate::error::Result;
use crate::graph::Node;
use crate::progress::Progress;
use crate::reduction::{Member, Reduced};
use rayon::prelude::*;
use std::sync::Mutex;

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

/// Searches from `leaders` (all or some of those of `graph`, in an order of their making) and
/// calls `take(batch_state, node, histogram)` for every node that a leader stands for.
///
/// A batch of 512 leaders starts from `start()`; the result holds one state for each batch, in
/// the order of `leaders`, whatever the number of threads. Advances `progress` by one for each
/// leader.
///
/// # Errors
/// [`Interrupted`](crate::Error::Interrupted) when the user stops the run.
pub fn histograms<A: Send>(
    graph: &Reduced,
    leaders: &[Node],
    engine: Engine,
    start: impl Fn() -> A + Sync,
    take: impl Fn(&mut A, Node, Histogram) + Sync,
    progress: &dyn Progress,
) -> Result<Vec<A>> {
    let told = Mutex::new(());
    let run = |workspace: &mut Option<Workspace>, leaders: &[Node]| {
        progress.check()?;
        let workspace =
            workspace.get_or_insert_with(|| Workspace::new(graph.quotient().num_nodes()));
        let mut batch = Batch::new(graph, leaders);
        let mut state = start();
        match workspace.search(graph, &mut batch, engine.simd, engine.max_levels) {
            Some(levels) => unfold(&batch, levels, &mut |x, histogram| {
                take(&mut state, x, histogram)
            }),
            None => {
                let mut search = Search::new(graph.num_nodes());
                for member in batch.members() {
                    progress.check()?;
                    take(
                        &mut state,
                        member.node,
                        search.histogram(graph.rows(), member.node),
                    );
                }
            }
        }
        let _one_at_a_time = told.lock().expect("a listener does not panic");
        progress.advance(leaders.len() as u64);
        Ok(state)
    };
    leaders
        .par_chunks(LANES)
        .with_max_len(1)
        .map_init(|| None, run)
        .collect()
}

/// Derives the histogram of every member of a batch from the levels of its lane.
///
/// The histogram is written far distances first, so that one chain step down is one count
/// appended (the node above, now at distance 1), and level r of the search keeps its place
/// `levels - r` at every depth.
fn unfold(batch: &Batch, levels: &[[u32; LANES]], emit: &mut dyn FnMut(Node, Histogram)) {
    let mut counts: Vec<u32> = Vec::new();
    let mut above: Vec<Member> = Vec::new();
    for (lane, (_, members)) in batch.lanes().enumerate() {
        counts.clear();
        counts.extend(levels.iter().rev().map(|counts| counts[lane]));
        let uncorrect = |counts: &mut Vec<u32>, member: Member| {
            if member.depth > 0 {
                counts.pop();
            }
            if member.returned > 0 {
                counts[levels.len() - member.returned as usize] += 1;
            }
        };
        for &member in members {
            while above.last().is_some_and(|last| last.depth >= member.depth) {
                uncorrect(&mut counts, above.pop().expect("just seen"));
            }
            if member.depth > 0 {
                counts.push(1);
            }
            if member.returned > 0 {
                counts[levels.len() - member.returned as usize] -= 1;
            }
            above.push(member);
            emit(member.node, Histogram::new(&counts));
        }
        above.clear();
    }
}
