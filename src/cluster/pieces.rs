//! What a worker has of a graph that is cut into shards: the rows of some consecutive parts, packed,
//! and which of its nodes other workers' arcs lead to.
//!
//! A worker combines what its nodes give to each node of another worker before it sends it. For which
//! nodes it sends something is told once, in an order that never changes.

use super::live::{LivePieces, tell_live};
use super::{Division, Exchange};
use crate::error::Result;
use crate::graph::bvgraph::load::decode;
use crate::graph::shards::{Part, Range64, Shards};
use crate::graph::{Compressed, Node, Rows};
use crate::linear::runs::compact::pack::Windows;
use crate::linear::runs::{LiveNodes, PullRows};
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
    /// The outdegrees of its nodes, or of its live nodes if rows have only these.
    pub(crate) outdegrees: Vec<u32>,
    /// The nodes for which each worker sends something, in their order, counted from the first of this
    /// worker; none for this one.
    pub(crate) expected: Vec<Vec<Node>>,
    /// Its live nodes, if the entries of rows are places among these.
    pub(crate) live: Option<Box<LivePieces>>,
}

/// A part of a worker, packed.
pub(crate) struct Piece {
    /// Its nodes, counted from the first of the worker.
    pub(crate) nodes: Range<usize>,
    /// What the entries of its rows are counted from the first of: its nodes, or their places among the
    /// live nodes of the worker.
    pub(crate) sources: Range<usize>,
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
        let mut opening = Opening::new(shards, exchange)?;
        let (mine, room) = opening.mine(room);
        let mut pieces = Vec::new();
        for part in mine {
            let part = opening.part(part)?;
            let nodes = opening.nodes(&part);
            let rows = [&part.own, &part.away];
            let counts = [part.num_nodes(), part.touched.len()];
            let packed = |at: usize| rows_of(rows[at], counts[at], None, &room, progress);
            pieces.push(opening.piece(&part, nodes, [packed(0)?, packed(1)?]));
        }
        let outdegrees = opening.outdegrees.into_iter();
        let (me, ranges) = (opening.me, opening.division.all_nodes());
        Ok(Pieces {
            range: ranges[me].clone(),
            pieces,
            outdegrees: outdegrees.map(AtomicU32::into_inner).collect(),
            expected: announce(exchange, opening.announced, ranges)?,
            live: None,
        })
    }

    /// The same where the entries of rows are places among the live nodes of their part: those with
    /// successors, which alone give something. Rows that live nodes have are side by side, so that sums
    /// over these take little else. All parts are open at the same time.
    ///
    /// # Errors
    /// As for [`Self::open`].
    pub(crate) fn open_live(
        shards: &Shards,
        exchange: &mut Exchange,
        room: &Room,
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
        let mut live = LivePieces::new(ranges[me].clone(), outdegrees);
        let mut told = tell_live(exchange, &counts, &expected, &live)?;
        let mut pieces = Vec::new();
        for part in parts {
            let nodes = opening.nodes(&part);
            let sources = live.places(&nodes);
            let in_part = live.nodes[sources.clone()].iter();
            let in_part: Vec<Node> = in_part.map(|node| node - nodes.start as Node).collect();
            let targets = live.touched(&part.touched, &ranges, me, &mut told);
            let packed = |rows: &Compressed, count: usize, targets: &[Node]| {
                let live = LiveNodes {
                    sources: &in_part,
                    targets,
                };
                rows_of(rows, count, Some(live), &room, progress)
            };
            let own = packed(&part.own, part.num_nodes(), &in_part)?;
            let away = packed(&part.away, part.touched.len(), &targets)?;
            let piece = Piece {
                sources,
                ..opening.piece(&part, nodes, [own, away])
            };
            drop(part);
            live.push(&piece, &in_part, &targets);
            pieces.push(piece);
        }
        live.expect(exchange, &expected)?;
        Ok(Pieces {
            range: ranges[me].clone(),
            pieces,
            outdegrees: Vec::new(),
            expected,
            live: Some(Box::new(live)),
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
}

/// A worker that opens its parts.
struct Opening<'s> {
    shards: &'s Shards,
    division: Division,
    me: usize,
    outdegrees: Vec<AtomicU32>,
    /// The nodes of each worker that this one sends something for, counted from the first of that worker.
    announced: Vec<Vec<u64>>,
}

impl<'s> Opening<'s> {
    fn new(shards: &'s Shards, exchange: &Exchange) -> Result<Self> {
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
    fn mine(&self, room: &Room) -> (Range<usize>, Room) {
        let mine = self.division.parts(self.me);
        let percent = 100 / (2 * mine.len().max(1)) as u64;
        (mine, room.part(percent))
    }

    /// Opens a part: counts outdegrees, and notes the nodes of others that its arcs lead to.
    fn part(&mut self, part: usize) -> Result<Part> {
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
    fn nodes(&self, part: &Part) -> Range<usize> {
        let first = part.range.start - self.division.nodes(self.me).start;
        first as usize..first as usize + part.num_nodes()
    }

    /// A part with these rows, whose entries are its nodes.
    fn piece(&self, part: &Part, nodes: Range<usize>, [own, away]: [PullRows; 2]) -> Piece {
        let place = |node: u64| part.touched.partition_point(|&touched| touched < node);
        let ranges = self.division.all_nodes();
        let mine = &ranges[self.me];
        let inside = part.touched_in(mine.clone()).iter();
        let rows_for = ranges.iter();
        Piece {
            sources: nodes.clone(),
            nodes,
            own,
            away,
            rows_for: rows_for
                .map(|range| place(range.start)..place(range.end))
                .collect(),
            inside: inside.map(|node| (node - mine.start) as Node).collect(),
        }
    }
}

/// The bytes a node and an arc while rows become lists in memory.
const FLAT: [u64; 2] = [48, 5];

/// The bytes a node besides while their entries become places.
const OF_PLACES: u64 = 6;

/// The rows of the first nodes, where those of all others are empty: lists in memory if there is room
/// for them, which are faster, and otherwise packed. Entries become places among live nodes, if given.
fn rows_of(
    rows: &Compressed,
    num_nodes: usize,
    live: Option<LiveNodes>,
    room: &Room,
    progress: &dyn Progress,
) -> Result<PullRows> {
    let [of_node, of_arc] = FLAT;
    let of_node = of_node + live.map_or(0, |_| OF_PLACES);
    let of_nodes = of_node.saturating_mul(rows.num_nodes() as u64);
    let flat = of_nodes.saturating_add(of_arc.saturating_mul(rows.num_arcs()));
    if flat <= room.bytes {
        let rows = decode(rows, progress)?;
        let flat = match live {
            Some(live) => PullRows::between(rows, live),
            None => PullRows::new(rows),
        };
        return Ok(flat.of_first(num_nodes));
    }
    // Larger windows are packed in less time, but what they take is missing for rows.
    let windows = Windows::within(room.bytes / 8);
    let besides = windows.bytes() - Windows::SMALLEST.bytes();
    let room = Room {
        bytes: room.bytes.saturating_sub(besides),
        ..room.clone()
    };
    PullRows::pack_all(rows, num_nodes, live, windows, room, progress)
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
