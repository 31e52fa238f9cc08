//! Betweenness of arcs: the sum over ordered pairs y != z of the fraction of shortest y-z paths
//! that take the arc. 0 for self-loops.
//!
//! One search a node, each over its own arcs: see [`super::single`]. O(n m). Girvan and Newman
//! 2002; Brandes 2008.

use super::count::{PathCount, Wide};
use super::single::Search;
use crate::error::Result;
use crate::graph::{Csr, Node, Successors};
use crate::parallel::workspaces::Pool;
use crate::progress::Progress;
use crate::scores::{Outcome, Run};
use rayon::prelude::*;
use serde_json::{Map, json};
use std::sync::Mutex;
use std::time::Instant;

/// One score per arc, and how it came to be.
#[derive(Debug, Clone)]
pub struct ArcScores {
    /// In the order of [`Csr::targets`].
    pub values: Vec<f64>,
    /// What was computed.
    pub run: Run,
}

/// Sums are cut into this many parts, each over consecutive sources.
const PARTS: usize = 64;

/// The betweenness of every arc; with `normalize`, divided by n (n - 1), the number of pairs.
///
/// Takes 8 bytes an arc for each thread and level of a tree of 64 sums. The bits depend on the
/// graph alone. Tells `progress` of n units.
///
/// # Errors
/// [`Interrupted`](crate::Error::Interrupted) when the user stops the run.
pub fn arc_betweenness(
    successors: Successors<Csr>,
    normalize: bool,
    progress: &dyn Progress,
) -> Result<ArcScores> {
    let rows = successors.0;
    let n = rows.num_nodes();
    progress.begin("searching", Some(n as u64));
    let rooms = Pool::new(|| Search::<f64>::new(n));
    let nodes: Vec<Node> = (0..n as Node).collect();
    let told = Mutex::new(progress);
    let leaf = n.div_ceil(PARTS).max(1);
    let mut values = sum(rows, &rooms, &nodes, leaf, progress, &told)?;
    progress.end();
    if normalize && n > 1 {
        let pairs = n as f64 * (n - 1) as f64;
        values.iter_mut().for_each(|value| *value /= pairs);
    }
    let mut parameters = Map::new();
    parameters.insert("normalize".into(), json!(normalize));
    let run = Run {
        measure: "arc-betweenness",
        method: "exact",
        parameters,
        outcome: Outcome::Exact,
    };
    Ok(ArcScores { values, run })
}

/// The bytes that [`arc_betweenness`] takes with `threads` threads besides the graph.
pub fn arc_memory(successors: Successors<Csr>, threads: usize) -> u64 {
    let rows = successors.0;
    let sums = 8 * rows.num_arcs() * (2 + PARTS.ilog2() as u64);
    threads as u64 * (sums + 24 * rows.num_nodes() as u64)
}

/// An estimate of the seconds of [`arc_betweenness`] with the current number of threads, from 32
/// sources a thread.
///
/// # Errors
/// [`Interrupted`](crate::Error::Interrupted) when the user stops the run.
pub fn arc_seconds(successors: Successors<Csr>, progress: &dyn Progress) -> Result<f64> {
    let rows = successors.0;
    let n = rows.num_nodes();
    let rooms = Pool::new(|| Search::<f64>::new(n));
    let threads = rayon::current_num_threads();
    let sampled = (32 * threads).min(n);
    let started = Instant::now();
    (0..threads).into_par_iter().try_for_each(|thread| {
        let mut values = vec![0.0; rows.num_arcs() as usize];
        rooms.with(|room| {
            for i in (thread..sampled).step_by(threads) {
                progress.check()?;
                let source = (2 * i + 1) * n / (2 * sampled);
                search(rows, room, source as Node, &mut values);
            }
            Ok(())
        })
    })?;
    Ok(started.elapsed().as_secs_f64() * n as f64 / sampled.max(1) as f64)
}

/// Sums over sources along a tree whose leaves are `leaf` sources.
fn sum<F: Fn() -> Search<f64> + Sync>(
    rows: &Csr,
    rooms: &Pool<Search<f64>, F>,
    sources: &[Node],
    leaf: usize,
    progress: &dyn Progress,
    told: &Mutex<&dyn Progress>,
) -> Result<Vec<f64>> {
    if sources.len() > leaf {
        let (left, right) = sources.split_at(sources.len().div_ceil(leaf) / 2 * leaf);
        let (left, right) = rayon::join(
            || sum(rows, rooms, left, leaf, progress, told),
            || sum(rows, rooms, right, leaf, progress, told),
        );
        let (mut left, right) = (left?, right?);
        for (sum, more) in left.iter_mut().zip(right) {
            *sum += more;
        }
        return Ok(left);
    }
    let mut values = vec![0.0; rows.num_arcs() as usize];
    rooms
        .with(|room| {
            for &source in sources {
                progress.check()?;
                search(rows, room, source, &mut values);
            }
            Ok(values)
        })
        .inspect(|_| {
            let one_at_a_time = told.lock().expect("a listener does not panic");
            one_at_a_time.advance(sources.len() as u64);
        })
}

fn search(rows: &Csr, room: &mut Search<f64>, source: Node, values: &mut [f64]) {
    if !add(rows, room, source, values) {
        add(
            rows,
            &mut Search::<Wide>::new(rows.num_nodes()),
            source,
            values,
        );
    }
}

fn add<C: PathCount>(rows: &Csr, room: &mut Search<C>, source: Node, values: &mut [f64]) -> bool {
    room.dependencies(rows, source, |arc, share| values[arc] += share, |_, _| ())
}
