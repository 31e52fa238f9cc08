//! What a worker has of a graph if only live nodes matter: those with successors.
//!
//! Dangling nodes give nothing, and what they get changes nothing for others. So sums for them need not
//! be made, or sent, before the end. When parts are opened, each worker tells the others which of the
//! nodes that they send sums for are live.

use super::Exchange;
use super::pieces::{Piece, Pieces};
use crate::error::Result;
use crate::graph::Node;
use crate::graph::shards::Range64;
use std::ops::Range;

/// The live nodes of a worker.
pub(crate) struct LivePieces {
    /// Their numbers, counted from the first node of the worker, in increasing order.
    pub(crate) nodes: Vec<Node>,
    /// The parts as if there were no other nodes: each is counted by its place among the live nodes of
    /// its worker. Their rows are those of [`Pieces::pieces`].
    pub(crate) pieces: Pieces,
    /// The sums that all workers together send each other in a sweep.
    pub(crate) sums_a_sweep: u64,
}

impl LivePieces {
    /// Those of a worker with nodes of these outdegrees, without parts.
    pub(super) fn new(range: Range64, mut outdegrees: Vec<u32>) -> Self {
        let live = (0..outdegrees.len()).filter(|&node| outdegrees[node] > 0);
        let mut nodes: Vec<Node> = live.map(|node| node as Node).collect();
        nodes.shrink_to_fit();
        outdegrees.retain(|&degree| degree > 0);
        outdegrees.shrink_to_fit();
        LivePieces {
            nodes,
            pieces: Pieces {
                range,
                pieces: Vec::new(),
                outdegrees,
                expected: Vec::new(),
                live: None,
            },
            sums_a_sweep: 0,
        }
    }

    /// The outdegrees of live nodes.
    pub(crate) fn outdegrees(&self) -> &[u32] {
        &self.pieces.outdegrees
    }

    /// The place of a node, if it is live.
    pub(crate) fn place(&self, node: Node) -> Option<usize> {
        self.nodes.binary_search(&node).ok()
    }

    /// The places of the live nodes of a range.
    pub(crate) fn places(&self, nodes: &Range<usize>) -> Range<usize> {
        let place = |node: usize| self.nodes.partition_point(|&live| (live as usize) < node);
        place(nodes.start)..place(nodes.end)
    }

    /// The rows of a part for nodes elsewhere that are live, given the nodes of all of these, the nodes of
    /// each worker, and what others have told and is not taken yet.
    pub(super) fn touched(
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

    /// Adds a part, in which these nodes are live, and these rows are for live nodes elsewhere.
    pub(super) fn push(&mut self, piece: &Piece, live: &[Node], rows: &[Node]) {
        let place = |row: usize| rows.partition_point(|&other| (other as usize) < row);
        let own = live.iter().map(|&node| node as usize);
        let away = rows.iter().map(|&row| row as usize);
        let rows_for = piece.rows_for.iter();
        let view = Piece {
            nodes: piece.sources.clone(),
            sources: piece.sources.clone(),
            own: piece.own.of_nodes(own),
            away: piece.away.of_nodes(away),
            rows_for: rows_for
                .map(|rows| place(rows.start)..place(rows.end))
                .collect(),
            inside: self.live_of(&piece.inside),
        };
        self.pieces.pieces.push(view);
    }

    /// Notes the nodes that other workers send something for.
    pub(super) fn expect(&mut self, exchange: &mut Exchange, expected: &[Vec<Node>]) -> Result<()> {
        let expected = expected.iter().map(|nodes| self.live_of(nodes));
        self.pieces.expected = expected.collect();
        let own: usize = self.pieces.expected.iter().map(Vec::len).sum();
        let all = exchange.gather([own as u64])?;
        self.sums_a_sweep = all.iter().map(|[count]| count).sum();
        Ok(())
    }

    /// The places of those of these nodes that are live.
    fn live_of(&self, nodes: &[Node]) -> Vec<Node> {
        let places = nodes.iter().filter_map(|&node| self.place(node));
        let mut places: Vec<Node> = places.map(|place| place as Node).collect();
        places.shrink_to_fit();
        places
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
