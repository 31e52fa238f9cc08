//! A worker's part of a graph that is cut into shards: the rows of some consecutive parts, packed,
//! and which of its nodes other workers' arcs lead to.
//!
//! A worker combines what its nodes give to each node of another worker before it sends it. For which
//! nodes it sends something is told once, in an order that never changes.

use super::{Division, Exchange};
use std::ops::Range;
use std::sync::atomic::AtomicU32;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::memory::{filled, reserve};
use webrank_base::output::SpillBudget;
use webrank_base::progress::Progress;
use webrank_graph::bvgraph::load::decode;
use webrank_graph::shards::{Part, Range64, Shards};
use webrank_graph::{Compressed, Rows};
use webrank_linear::runs::RunRows;
use webrank_linear::runs::compact::pack::Windows;

/// The parts of a worker.
pub struct LocalPartition {
    /// Its nodes, by their numbers in the whole graph.
    pub range: Range64,
    /// The adjacency lists of each part.
    pub pieces: Vec<Piece>,
    /// The outdegrees of its nodes.
    pub outdegrees: Vec<u32>,
    /// The nodes for which each worker sends something, in their order, counted from the first of this
    /// worker; none for this one.
    pub expected: Vec<Vec<Node>>,
}

/// A part of a worker, packed.
pub struct Piece {
    /// Its nodes, counted from the first of the worker.
    pub nodes: Range<usize>,
    /// For each of its nodes, the predecessors in the part, counted from the first of these.
    pub own: RunRows,
    /// For each node elsewhere with predecessors in the part, these.
    pub away: RunRows,
    /// Which of the rows of other nodes are for each worker.
    pub rows_for: Vec<Range<usize>>,
    /// The nodes of the rows for this worker.
    pub inside: Vec<Node>,
}

impl LocalPartition {
    /// Packs the parts of a worker, and tells the others for which of their nodes it sends something.
    ///
    /// # Errors
    /// If a part is damaged, if there is not enough memory or room, or if another worker fails.
    pub fn open(
        shards: &Shards,
        exchange: &mut Exchange,
        room: &SpillBudget,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let mut opening = Opening::new(shards, exchange)?;
        let (mine, room) = opening.mine(room);
        let mut pieces = Vec::new();
        for part in mine {
            let part = opening.part(part)?;
            let nodes = opening.nodes(&part);
            let rows = [&part.own, &part.away];
            let counts = [part.num_nodes(), part.touched.len()];
            let packed = |at: usize| rows_of(rows[at], counts[at], &room, progress);
            let (rows_for, inside) = opening.bounds(&part);
            pieces.push(Piece {
                nodes,
                own: packed(0)?,
                away: packed(1)?,
                rows_for,
                inside,
            });
        }
        let outdegrees = opening.outdegrees.into_iter();
        let (me, ranges) = (opening.me, opening.division.all_nodes());
        Ok(LocalPartition {
            range: ranges[me].clone(),
            pieces,
            outdegrees: outdegrees.map(AtomicU32::into_inner).collect(),
            expected: announce(exchange, opening.announced, ranges)?,
        })
    }

    /// The bytes of the rows that are in memory.
    pub fn bytes_in_memory(&self) -> u64 {
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
        rows.map(RunRows::bytes_in_memory).sum()
    }
}

/// A worker that opens its parts.
pub(super) struct Opening<'s> {
    shards: &'s Shards,
    pub(super) division: Division,
    pub(super) me: usize,
    pub(super) outdegrees: Vec<AtomicU32>,
    /// The nodes of each worker that this one sends something for, counted from the first of that worker.
    pub(super) announced: Vec<Vec<u64>>,
}

impl<'s> Opening<'s> {
    pub(super) fn new(shards: &'s Shards, exchange: &Exchange) -> Result<Self> {
        let (me, workers) = (exchange.index(), exchange.workers());
        let division = Division::new(shards.plan(), exchange.weights());
        let n = division.num_nodes(me) as usize;
        let outdegrees: Vec<u32> = filled(0, n, "the outdegrees")?;
        Ok(Opening {
            shards,
            division,
            me,
            outdegrees: outdegrees.into_iter().map(AtomicU32::new).collect(),
            announced: vec![Vec::new(); workers],
        })
    }

    /// The parts, and the room for rows of each.
    pub(super) fn mine(&self, room: &SpillBudget) -> (Range<usize>, SpillBudget) {
        let mine = self.division.parts(self.me);
        let percent = 100 / (2 * mine.len().max(1)) as u64;
        (mine, room.part(percent))
    }

    /// Opens a part: counts outdegrees, and notes the nodes of others that its arcs lead to.
    pub(super) fn part(&mut self, part: usize) -> Result<Part> {
        let part = Part::open(self.shards, part)?;
        part.count_successors(&self.outdegrees[self.nodes(&part)])?;
        let ranges = self.division.all_nodes().iter().enumerate();
        for (to, range) in ranges.filter(|&(to, _)| to != self.me) {
            let nodes = part.touched_in(range.clone()).iter();
            self.announced[to].extend(nodes.map(|node| node - range.start));
        }
        Ok(part)
    }

    /// The nodes of a part, counted from the first of the worker.
    pub(super) fn nodes(&self, part: &Part) -> Range<usize> {
        let first = part.range.start - self.division.nodes(self.me).start;
        first as usize..first as usize + part.num_nodes()
    }

    /// Which of the rows of a part for other nodes are for each worker, and the nodes of those for this
    /// one.
    pub(super) fn bounds(&self, part: &Part) -> (Vec<Range<usize>>, Vec<Node>) {
        let place = |node: u64| part.touched.partition_point(|&touched| touched < node);
        let ranges = self.division.all_nodes();
        let rows_for = ranges.iter();
        let rows_for = rows_for.map(|range| place(range.start)..place(range.end));
        let mine = &ranges[self.me];
        let inside = part.touched_in(mine.clone()).iter();
        let inside = inside.map(|node| (node - mine.start) as Node);
        (rows_for.collect(), inside.collect())
    }
}

/// The bytes a node and an arc while rows become lists in memory.
const FLAT: [u64; 2] = [48, 9];

/// The bytes while so many rows with so many arcs become lists in memory.
pub(super) fn flat_bytes(num_rows: usize, num_arcs: u64) -> u64 {
    let [of_row, of_arc] = FLAT;
    let of_rows = of_row.saturating_mul(num_rows as u64);
    of_rows.saturating_add(of_arc.saturating_mul(num_arcs))
}

/// The windows in which rows are packed, and the room that these leave: larger ones take less time, but
/// what they take is missing for rows.
pub(super) fn windows_within(room: &SpillBudget) -> (Windows, SpillBudget) {
    let windows = Windows::within(room.bytes / 8);
    let besides = windows.bytes() - Windows::SMALLEST.bytes();
    let room = SpillBudget {
        bytes: room.bytes.saturating_sub(besides),
        ..room.clone()
    };
    (windows, room)
}

/// The rows of the first nodes, where those of all others are empty: lists in memory if there is room
/// for them, which are faster, and otherwise packed.
fn rows_of(
    rows: &Compressed,
    num_nodes: usize,
    room: &SpillBudget,
    progress: &dyn Progress,
) -> Result<RunRows> {
    if flat_bytes(rows.num_nodes(), rows.num_arcs()) <= room.bytes {
        let flat = RunRows::new(decode(rows, progress)?);
        return Ok(flat.of_first(num_nodes));
    }
    let (windows, room) = windows_within(room);
    RunRows::pack_all(rows, num_nodes, windows, room, progress)
}

/// The worker that has the node of a row of another node, given the rows for each worker.
pub fn worker_of(row: Node, rows_for: &[Range<usize>]) -> usize {
    let is_before = |rows: &Range<usize>| rows.end <= row as usize;
    rows_for.partition_point(is_before)
}

/// Tells every worker for which of its nodes this one sends something; returns what the others tell.
pub(super) fn announce(
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
