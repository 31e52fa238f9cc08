//! What a worker has of a graph that is cut into shards: the rows of some consecutive parts, packed,
//! and which of its nodes other workers' arcs lead to.
//!
//! A worker combines what its nodes give to each node of another worker before it sends it. For which
//! nodes it sends something is told once, in an order that never changes.

use super::{Division, Exchange};
use crate::error::Result;
use crate::graph::bvgraph::load::decode;
use crate::graph::shards::{Part, Range64, Shards};
use crate::graph::{Compressed, Node, Rows};
use crate::linear::runs::PullRows;
use crate::linear::runs::compact::pack::Windows;
use crate::memory::{filled, reserve};
use crate::output::Room;
use crate::progress::Progress;
use std::ops::Range;
use std::sync::atomic::AtomicU32;

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
        let division = Division::new(shards.plan(), exchange.weights());
        let ranges = division.all_nodes();
        let n = (ranges[me].end - ranges[me].start) as usize;
        let outdegrees: Vec<u32> = filled(0, n, "the outdegrees")?;
        let outdegrees: Vec<AtomicU32> = outdegrees.into_iter().map(AtomicU32::new).collect();
        let mine = division.parts(me);
        let percent = 100 / (2 * mine.len().max(1)) as u64;
        let (mut pieces, mut announced) = (Vec::new(), vec![Vec::new(); workers]);
        for part in mine {
            let part = Part::open(shards, part)?;
            let first = (part.range.start - ranges[me].start) as usize;
            part.count_successors(&outdegrees[first..first + part.num_nodes()])?;
            for (to, range) in ranges.iter().enumerate().filter(|&(to, _)| to != me) {
                let nodes = part.touched_in(range.clone()).iter();
                announced[to].extend(nodes.map(|node| node - range.start));
            }
            pieces.push(Piece::new(
                &part,
                first,
                me,
                ranges,
                &room.part(percent),
                progress,
            )?);
        }
        Ok(Pieces {
            range: ranges[me].clone(),
            pieces,
            outdegrees: outdegrees.into_iter().map(AtomicU32::into_inner).collect(),
            expected: announce(exchange, announced, ranges)?,
        })
    }

    /// The bytes of the rows that are in memory.
    pub(crate) fn bytes_in_memory(&self) -> u64 {
        self.pieces.iter().map(Piece::bytes_in_memory).sum()
    }
}

impl Piece {
    /// The number of nodes elsewhere that its arcs lead to.
    pub(crate) fn num_touched(&self) -> usize {
        self.away.num_nodes()
    }

    /// The bytes of the rows, if they are in memory.
    fn bytes_in_memory(&self) -> u64 {
        let rows = [&self.own, &self.away].into_iter();
        rows.map(PullRows::bytes_in_memory).sum()
    }

    fn new(
        part: &Part,
        first: usize,
        me: usize,
        ranges: &[Range64],
        room: &Room,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let place = |node: u64| part.touched.partition_point(|&touched| touched < node);
        let inside = part.touched_in(ranges[me].clone());
        let inside = inside.iter().map(|node| (node - ranges[me].start) as Node);
        Ok(Piece {
            nodes: first..first + part.num_nodes(),
            own: rows_of(&part.own, part.num_nodes(), room, progress)?,
            away: rows_of(&part.away, part.touched.len(), room, progress)?,
            rows_for: ranges
                .iter()
                .map(|range| place(range.start)..place(range.end))
                .collect(),
            inside: inside.collect(),
        })
    }
}

/// The bytes a node and an arc while rows become lists in memory.
const FLAT: [u64; 2] = [48, 5];

/// The rows of the first nodes, where those of all others are empty: lists in memory if there is room
/// for them, which are faster, and otherwise packed.
fn rows_of(
    rows: &Compressed,
    num_nodes: usize,
    room: &Room,
    progress: &dyn Progress,
) -> Result<PullRows> {
    let [of_node, of_arc] = FLAT;
    let of_nodes = of_node.saturating_mul(rows.num_nodes() as u64);
    let flat = of_nodes.saturating_add(of_arc.saturating_mul(rows.num_arcs()));
    if flat <= room.bytes {
        return Ok(PullRows::new(decode(rows, progress)?).of_first(num_nodes));
    }
    // Larger windows are packed in less time, but what they take is missing for rows.
    let windows = Windows::within(room.bytes / 8);
    let besides = windows.bytes() - Windows::SMALLEST.bytes();
    let room = Room {
        bytes: room.bytes.saturating_sub(besides),
        ..room.clone()
    };
    PullRows::pack_all(rows, num_nodes, windows, room, progress)
}

/// The worker that has the node of a row of another node, given the rows for each worker.
pub(crate) fn worker_of(row: Node, rows_for: &[Range<usize>]) -> usize {
    let is_before = |rows: &Range<usize>| rows.end <= row as usize;
    rows_for.partition_point(is_before)
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
    let division = Division::new(shards.plan(), exchange.weights());
    let mut parts = vec![Vec::new(); workers];
    for _ in 1..workers {
        let (from, words) = exchange.receive()?;
        if words.len() as u64 != division.num_nodes(from) || !parts[from].is_empty() {
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
