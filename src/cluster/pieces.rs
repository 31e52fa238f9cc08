//! What a worker has of a graph that is cut into shards: the rows of some consecutive parts, packed,
//! and which of its nodes other workers' arcs lead to.
//!
//! A worker combines what its nodes give to each node of another worker before it sends it. For which
//! nodes it sends something is told once, in an order that never changes.

use super::Exchange;
use crate::error::{Error, Result};
use crate::graph::shards::{Part, Range64, Shards};
use crate::graph::{Node, Rows};
use crate::linear::runs::PullRows;
use crate::memory::{filled, reserve};
use crate::output::Room;
use crate::parallel::tasks;
use crate::progress::Progress;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Bits (plus nodes) that a task decodes at a time.
const BLOCK_BITS: u64 = 1 << 19;

/// The parts of a worker.
pub(crate) struct Pieces {
    /// Its nodes, by their numbers in the whole graph.
    pub(crate) range: Range64,
    pub(crate) pieces: Vec<Piece>,
    /// The outdegrees of its nodes.
    pub(crate) outdegrees: Vec<u32>,
    /// The nodes for which each worker sends something, in their order, counted from the first of this
    /// worker; none for this one.
    pub(crate) expected: Vec<Vec<Node>>,
}

/// A part of a worker, packed.
pub(crate) struct Piece {
    /// Its nodes, counted from the first of the worker.
    pub(crate) nodes: Range<usize>,
    /// For each of its nodes, the predecessors in the part.
    pub(crate) own: PullRows,
    /// For each node elsewhere with predecessors in the part, these.
    pub(crate) away: PullRows,
    /// Which of the rows of other nodes are for each worker.
    pub(crate) rows_for: Vec<Range<usize>>,
    /// The nodes of the rows for this worker.
    pub(crate) inside: Vec<Node>,
}

impl Pieces {
    /// Packs the parts of a worker, and tells the others for which of their nodes it sends something.
    ///
    /// # Errors
    /// If a part is damaged, if there is not enough memory or room, or if another worker fails.
    pub(crate) fn open(
        shards: &Shards,
        exchange: &mut Exchange,
        room: &Room,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let (me, workers) = (exchange.index(), exchange.workers());
        let ranges: Vec<Range64> = (0..workers)
            .map(|worker| range_of(shards, worker, workers))
            .collect();
        let n = (ranges[me].end - ranges[me].start) as usize;
        let outdegrees: Vec<u32> = filled(0, n, "the outdegrees")?;
        let outdegrees: Vec<AtomicU32> = outdegrees.into_iter().map(AtomicU32::new).collect();
        let mine = parts_of(me, workers, shards.plan().parts.len());
        let percent = 100 / (2 * mine.len().max(1)) as u64;
        let (mut pieces, mut announced) = (Vec::new(), vec![Vec::new(); workers]);
        for part in mine {
            let part = Part::open(shards, part)?;
            let first = (part.range.start - ranges[me].start) as usize;
            count_arcs(&part, &outdegrees[first..first + part.num_nodes()])?;
            for (to, range) in ranges.iter().enumerate().filter(|&(to, _)| to != me) {
                let nodes = part.touched_in(range.clone()).iter();
                announced[to].extend(nodes.map(|node| node - range.start));
            }
            pieces.push(Piece::new(
                &part,
                first,
                me,
                &ranges,
                &room.part(percent),
                progress,
            )?);
        }
        Ok(Pieces {
            range: ranges[me].clone(),
            pieces,
            outdegrees: outdegrees.into_iter().map(AtomicU32::into_inner).collect(),
            expected: announce(exchange, announced, &ranges)?,
        })
    }
}

impl Piece {
    fn new(
        part: &Part,
        first: usize,
        me: usize,
        ranges: &[Range64],
        room: &Room,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let all: Vec<Node> = (0..part.num_nodes() as Node).collect();
        let place = |node: u64| part.touched.partition_point(|&touched| touched < node);
        let inside = part.touched_in(ranges[me].clone());
        let inside = inside.iter().map(|node| (node - ranges[me].start) as Node);
        Ok(Piece {
            nodes: first..first + part.num_nodes(),
            own: PullRows::pack(&part.own, &all, room.clone(), progress)?,
            away: PullRows::pack(&part.away, &all, room.clone(), progress)?
                .of_first(part.touched.len()),
            rows_for: ranges
                .iter()
                .map(|range| place(range.start)..place(range.end))
                .collect(),
            inside: inside.collect(),
        })
    }
}

/// The parts of a graph that each worker has: consecutive ones.
pub(crate) fn parts_of(worker: usize, workers: usize, num_parts: usize) -> Range<usize> {
    let start = |worker: usize| worker * num_parts / workers;
    start(worker)..start(worker + 1)
}

/// The nodes of a worker.
pub(crate) fn range_of(shards: &Shards, worker: usize, workers: usize) -> Range64 {
    let all = &shards.plan().parts;
    let parts = parts_of(worker, workers, all.len());
    match (all[parts.clone()].first(), all[parts].last()) {
        (Some(first), Some(last)) => first.range().start..last.range().end,
        _ => 0..0,
    }
}

/// Adds the outdegrees of a part.
fn count_arcs(part: &Part, outdegrees: &[AtomicU32]) -> Result<()> {
    for rows in [&part.own, &part.away] {
        let is_away = std::ptr::eq(rows, &part.away);
        let arcs = tasks::try_map(rows.blocks(BLOCK_BITS), |block| {
            let mut arcs = 0;
            rows.try_rows(block, &mut |node, row| {
                if is_away {
                    part.check_away(node, row)?;
                }
                arcs += row.len() as u64;
                for &source in row {
                    outdegrees[source as usize].fetch_add(1, Relaxed);
                }
                Ok(())
            })?;
            Ok::<u64, Error>(arcs)
        })?;
        rows.check_count(arcs.into_iter().sum())?;
    }
    Ok(())
}

/// Tells every worker for which of its nodes this one sends something; returns what the others tell.
fn announce(
    exchange: &mut Exchange,
    announced: Vec<Vec<u64>>,
    ranges: &[Range64],
) -> Result<Vec<Vec<Node>>> {
    let me = exchange.index();
    let counts: Vec<u64> = announced.iter().map(|nodes| nodes.len() as u64).collect();
    let counts = exchange.gather_lists(&counts)?;
    for (to, nodes) in announced
        .into_iter()
        .enumerate()
        .filter(|(_, nodes)| !nodes.is_empty())
    {
        exchange.send(to, nodes)?;
    }
    let mut expected: Vec<Vec<Node>> = vec![Vec::new(); ranges.len()];
    let to_come = |from: usize| counts[from].get(me).copied().unwrap_or(0);
    let mut missing = (0..ranges.len())
        .filter(|&from| from != me && to_come(from) > 0)
        .count();
    while missing > 0 {
        let (from, nodes) = exchange.receive()?;
        let is_inside = |&node: &u64| node < ranges[me].end - ranges[me].start;
        if nodes.len() as u64 != to_come(from)
            || !nodes.iter().all(is_inside)
            || !expected[from].is_empty()
        {
            return Err(exchange.not_planned(from));
        }
        reserve(&mut expected[from], nodes.len(), "the nodes of other parts")?;
        expected[from].extend(nodes.into_iter().map(|node| node as Node));
        missing -= 1;
    }
    // Nobody sends anything else before everybody knows what it is for.
    exchange.gather([])?;
    Ok(expected)
}

/// Sends a number for each node of each worker to worker 0; returns those of all nodes to it, none to
/// the others.
///
/// # Errors
/// If another worker fails, or has other nodes than planned.
pub(crate) fn gathered(
    exchange: &mut Exchange,
    shards: &Shards,
    mut numbers: Vec<f64>,
) -> Result<Option<Vec<f64>>> {
    let workers = exchange.workers();
    if exchange.index() > 0 {
        exchange.send(0, numbers.iter().map(|number| number.to_bits()).collect())?;
        exchange.gather([])?;
        return Ok(None);
    }
    let mut parts = vec![Vec::new(); workers];
    for _ in 1..workers {
        let (from, words) = exchange.receive()?;
        let range = range_of(shards, from, workers);
        if words.len() as u64 != range.end - range.start || !parts[from].is_empty() {
            return Err(exchange.not_planned(from));
        }
        parts[from] = words;
    }
    for part in parts {
        numbers.extend(part.into_iter().map(f64::from_bits));
    }
    exchange.gather([])?;
    Ok(Some(numbers))
}
