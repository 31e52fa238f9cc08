//! A worker's part of a graph if only live nodes matter: those with successors.
//!
//! Dangling nodes give nothing, and what they get changes nothing for others. So only the rows of live
//! nodes are packed, and sums for others need not be made, or sent, before the end: then
//! [all rows](super::all_rows) are decoded once more. When parts are opened, each worker tells the others
//! which of the nodes that they send sums for are live.

use super::Exchange;
use super::all_rows::{AllRows, PartRows, Values, impossible_row};
use super::pieces::{LocalPartition, Opening, Piece, announce, flat_bytes, windows_within};
use std::ops::Range;
use std::sync::atomic::AtomicU32;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::output::SpillBudget;
use webrank_base::progress::Progress;
use webrank_graph::shards::{Range64, Shards};
use webrank_graph::{Compressed, Csr, Direction, Rows};
use webrank_linear::runs::RunRows;
use webrank_linear::runs::compact::pack::{NOWHERE, places_of};

/// The rows that a worker has opened.
pub enum LocalRows {
    /// Only live nodes give something.
    Live(Box<LivePieces>),
    /// All nodes give something.
    All(LocalPartition),
}

impl LocalRows {
    /// Opens the parts of a worker: for [`Direction::In`], scores come from predecessors, and only live
    /// nodes give something.
    ///
    /// # Errors
    /// If a part is damaged, if there is not enough memory or room, or if another worker fails.
    pub fn new(
        shards: &Shards,
        direction: Direction,
        exchange: &mut Exchange,
        room: &SpillBudget,
        progress: &dyn Progress,
    ) -> Result<Self> {
        match direction {
            Direction::In => {
                let live = LivePieces::open(shards, exchange, room, progress)?;
                Ok(LocalRows::Live(Box::new(live)))
            }
            Direction::Out => {
                LocalPartition::open(shards, exchange, room, progress).map(LocalRows::All)
            }
        }
    }

    /// The live nodes, if only these matter.
    pub fn live(&self) -> Option<&LivePieces> {
        match self {
            LocalRows::Live(live) => Some(live),
            LocalRows::All(_) => None,
        }
    }

    /// The bytes of the rows that are in memory.
    pub fn bytes_in_memory(&self) -> u64 {
        match self {
            LocalRows::Live(live) => live.pieces.bytes_in_memory(),
            LocalRows::All(pieces) => pieces.bytes_in_memory(),
        }
    }
}

/// The live nodes of a worker.
pub struct LivePieces {
    /// Their numbers, counted from the first node of the worker, in increasing order.
    pub nodes: Vec<Node>,
    /// The parts as if there were no other nodes: each is counted by its place among the live nodes of
    /// its worker.
    pub pieces: LocalPartition,
    /// The sums that all workers together send each other in a sweep.
    pub sums_a_sweep: u64,
    all: AllRows,
}

impl LivePieces {
    /// Packs the rows of the live nodes of a worker, and tells the others for which of their nodes it
    /// sends something. All parts are open until the end.
    ///
    /// # Errors
    /// If a part is damaged, if there is not enough memory or room, or if another worker fails.
    pub(crate) fn open(
        shards: &Shards,
        exchange: &mut Exchange,
        room: &SpillBudget,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let mut opening = Opening::new(shards, exchange)?;
        let (mine, room) = opening.mine(room);
        let parts = mine.map(|part| opening.part(part));
        let parts = parts.collect::<Result<Vec<_>>>()?;
        let counts: Vec<usize> = opening.announced.iter().map(Vec::len).collect();
        let (me, ranges) = (opening.me, opening.division.all_nodes().to_vec());
        let expected = announce(exchange, std::mem::take(&mut opening.announced), &ranges)?;
        let outdegrees = std::mem::take(&mut opening.outdegrees).into_iter();
        let outdegrees = outdegrees.map(AtomicU32::into_inner).collect();
        let mut live = Self::new(ranges[me].clone(), outdegrees);
        let mut told = tell_live(exchange, &counts, &expected, &live)?;
        for part in parts {
            let nodes = opening.nodes(&part);
            let places = live.places(&nodes);
            let in_part = live.nodes[places.clone()].iter();
            let in_part: Vec<Node> = in_part.map(|node| node - nodes.start as Node).collect();
            let away = live.touched(&part.touched, &ranges, me, &mut told);
            let (rows_for, inside) = opening.bounds(&part);
            let place = |row: usize| away.partition_point(|&other| (other as usize) < row);
            let place_of = places_of(part.num_nodes(), &in_part)?;
            let packed = |rows, targets| {
                let rows = LiveRows {
                    rows,
                    targets,
                    place_of: &place_of,
                    progress,
                };
                rows.packed(&room)
            };
            live.pieces.pieces.push(Piece {
                nodes: places,
                own: packed(&part.own, &in_part)?,
                away: packed(&part.away, &away)?,
                rows_for: rows_for
                    .iter()
                    .map(|rows| place(rows.start)..place(rows.end))
                    .collect(),
                inside: live.live_of(&inside),
            });
            live.all.parts.push(PartRows {
                own: part.own,
                away: part.away,
                nodes,
                rows_for,
                inside,
            });
        }
        let of_live = expected.iter().map(|nodes| live.live_of(nodes));
        live.pieces.expected = of_live.collect();
        live.all.expected = expected;
        let own: usize = live.pieces.expected.iter().map(Vec::len).sum();
        let all = exchange.gather([own as u64])?;
        live.sums_a_sweep = all.iter().map(|[count]| count).sum();
        Ok(live)
    }

    /// The pieces of a worker with nodes of these outdegrees, without parts.
    fn new(range: Range64, mut outdegrees: Vec<u32>) -> Self {
        let num_nodes = outdegrees.len();
        let live = (0..num_nodes).filter(|&node| outdegrees[node] > 0);
        let mut nodes: Vec<Node> = live.map(|node| node as Node).collect();
        nodes.shrink_to_fit();
        outdegrees.retain(|&degree| degree > 0);
        outdegrees.shrink_to_fit();
        LivePieces {
            nodes,
            pieces: LocalPartition {
                range,
                pieces: Vec::new(),
                outdegrees,
                expected: Vec::new(),
            },
            sums_a_sweep: 0,
            all: AllRows::new(num_nodes),
        }
    }

    /// The number of nodes of the worker, dangling ones included.
    pub fn num_nodes(&self) -> usize {
        self.all.num_nodes
    }

    /// The sums of the values of the predecessors of all nodes of the worker, modulo 2^64: `before` has
    /// those of all live nodes before one, and before the end. All workers take this step together.
    ///
    /// # Errors
    /// If a file cannot be read, if there is not enough memory, or if another worker fails.
    pub fn sums_of_all(&self, exchange: &mut Exchange, before: &[u64]) -> Result<Vec<u64>> {
        let place_of = places_of(self.num_nodes(), &self.nodes)?;
        self.all.sums(exchange, &Values { place_of, before })
    }

    /// The place of a node, if it is live.
    fn place(&self, node: Node) -> Option<usize> {
        self.nodes.binary_search(&node).ok()
    }

    /// The places of the live nodes of a range.
    fn places(&self, nodes: &Range<usize>) -> Range<usize> {
        let place = |node: usize| self.nodes.partition_point(|&live| (live as usize) < node);
        place(nodes.start)..place(nodes.end)
    }

    /// The rows of a part for nodes elsewhere that are live, given the nodes of all of these, the nodes of
    /// each worker, and what others have told and is not taken yet.
    fn touched(
        &self,
        touched: &[u64],
        ranges: &[Range64],
        me: usize,
        told: &mut [Told],
    ) -> Vec<Node> {
        let mut rows = Vec::new();
        let mut row = 0;
        for (worker, range) in ranges.iter().enumerate() {
            while let Some(node) = touched.get(row).filter(|node| **node < range.end) {
                let is_live = match worker == me {
                    true => self.place((node - range.start) as Node).is_some(),
                    false => told[worker].next(),
                };
                rows.extend(is_live.then_some(row as Node));
                row += 1;
            }
        }
        rows
    }

    /// The places of those of these nodes that are live.
    fn live_of(&self, nodes: &[Node]) -> Vec<Node> {
        let places = nodes.iter().filter_map(|&node| self.place(node));
        let mut places: Vec<Node> = places.map(|place| place as Node).collect();
        places.shrink_to_fit();
        places
    }
}

/// Some rows of a part, whose entries are places among its live nodes.
struct LiveRows<'a> {
    rows: &'a Compressed,
    /// The nodes that have these rows, in increasing order.
    targets: &'a [Node],
    place_of: &'a [Node],
    progress: &'a dyn Progress,
}

impl LiveRows<'_> {
    /// These rows as lists in memory if there is room for them, which are faster, and otherwise packed.
    fn packed(&self, room: &SpillBudget) -> Result<RunRows> {
        if flat_bytes(self.num_nodes(), self.num_arcs()) <= room.bytes {
            return Ok(RunRows::new(Csr::of_rows(self)?));
        }
        let (windows, room) = windows_within(room);
        RunRows::pack_rows(self, windows, room, self.progress)
    }
}

impl Rows for LiveRows<'_> {
    fn num_nodes(&self) -> usize {
        self.targets.len()
    }

    /// At most as many: those of all rows.
    fn num_arcs(&self) -> u64 {
        self.rows.num_arcs()
    }

    fn try_rows(
        &self,
        range: Range<usize>,
        visit: &mut dyn FnMut(Node, &[Node]) -> Result<()>,
    ) -> Result<()> {
        self.progress.check()?;
        let targets = &self.targets[range.clone()];
        let (Some(&first), Some(&last)) = (targets.first(), targets.last()) else {
            return Ok(());
        };
        let mut targets = targets.iter().zip(range).peekable();
        let mut places = Vec::new();
        let nodes = first as usize..last as usize + 1;
        self.rows.try_rows(nodes, &mut |node, row| {
            let Some((_, row_number)) = targets.next_if(|&(&target, _)| target == node) else {
                return Ok(());
            };
            places.clear();
            for &source in row {
                let place = self.place_of.get(source as usize);
                let place = place.filter(|&&place| place != NOWHERE);
                places.push(*place.ok_or_else(|| impossible_row(self.rows, node))?);
            }
            visit(row_number as Node, &places)
        })
    }
}

/// Which nodes of another worker are live: a bit for each that something is sent for, in that order.
#[derive(Clone, Default)]
pub(super) struct Told {
    words: Vec<u64>,
    taken: usize,
}

impl Told {
    fn next(&mut self) -> bool {
        let bit = self.taken;
        self.taken += 1;
        self.words[bit / 64] >> (bit % 64) & 1 == 1
    }
}

/// Tells every worker which of the nodes that it sends something for are live; returns what others tell of
/// theirs, of which there are so many.
pub(super) fn tell_live(
    exchange: &mut Exchange,
    counts: &[usize],
    expected: &[Vec<Node>],
    live: &LivePieces,
) -> Result<Vec<Told>> {
    for (to, nodes) in expected.iter().enumerate() {
        if nodes.is_empty() {
            continue;
        }
        let word = |nodes: &[Node]| {
            let bits = nodes.iter().enumerate();
            bits.fold(0u64, |word, (bit, &node)| {
                word | u64::from(live.place(node).is_some()) << bit
            })
        };
        exchange.send(to, nodes.chunks(64).map(word).collect())?;
    }
    let mut told = vec![Told::default(); counts.len()];
    for _ in 0..counts.iter().filter(|&&count| count > 0).count() {
        let (from, words) = exchange.receive()?;
        if words.len() != counts[from].div_ceil(64) || !told[from].words.is_empty() {
            return Err(exchange.not_planned(from));
        }
        told[from].words = words;
    }
    exchange.gather([])?;
    Ok(told)
}

#[cfg(test)]
mod tests;
