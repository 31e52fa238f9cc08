//! The rows of one of several workers, and the counters that workers send each other.
//!
//! A worker has the counters of its nodes. In a step it joins the counters of its nodes that have changed
//! for every node that they lead to. Counters for nodes of other workers are sent: one for each node,
//! whatever the number of arcs, and none if nothing has changed.

use super::joins::Joins;
use super::rows::SharedRows;
use super::slice::{Changes, Joined, Joining, NODES_PER_BLOCK, Slice};
use rayon::prelude::*;
use std::ops::Range;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::memory::filled;
use webrank_base::progress::Progress;
use webrank_cluster::Exchange;
use webrank_cluster::pieces::{LocalPartition, Piece, worker_of};
use webrank_linear::runs::Row;

/// Words of a message, about.
const WORDS_AT_ONCE: usize = 1 << 16;

/// The rows of a worker.
pub struct PartRows {
    /// The number of its first node in the whole graph.
    pub first: usize,
    pub(super) pieces: Vec<PieceRows>,
    /// The nodes for which each worker sends counters, counted from the first of this worker.
    expected: Vec<Vec<Node>>,
    degrees: Vec<u32>,
    /// The outdegrees of its nodes.
    outdegrees: Vec<u32>,
}

/// The rows of one of its parts.
pub(super) struct PieceRows {
    /// Its nodes, counted from the first of the worker.
    pub(super) nodes: Range<usize>,
    pub(super) own: SharedRows,
    pub(super) away: SharedRows,
    /// Which of the rows of other nodes are for each worker.
    rows_for: Vec<Range<usize>>,
    /// The place of the first of these among all that this worker announced to that one.
    places_for: Vec<usize>,
    /// The nodes of the rows for this worker.
    inside: Vec<Node>,
}

/// Counters for nodes, some of which may be named twice.
#[derive(Default)]
pub(super) struct Received {
    /// Nodes, counted from the first of the worker.
    pub(super) nodes: Vec<Node>,
    /// Their registers, one node after the other.
    pub(super) registers: Vec<u8>,
}

impl PartRows {
    /// Groups the nodes of a worker by their rows.
    ///
    /// # Errors
    /// If there is not enough memory, if rows in a file cannot be read, or if another worker fails.
    pub(crate) fn new(pieces: LocalPartition, exchange: &mut Exchange) -> Result<Self> {
        let mut announced = vec![0; exchange.workers()];
        let n = pieces.outdegrees.len();
        let rows = pieces.pieces.into_iter().map(|piece| {
            let rows_for = piece.rows_for.iter().map(Range::len);
            let places_for = announced.clone();
            let announce = |(before, rows): (&mut usize, usize)| *before += rows;
            announced.iter_mut().zip(rows_for).for_each(announce);
            PieceRows::new(piece, places_for)
        });
        let mut parts = PartRows {
            first: usize::try_from(pieces.range.start)
                .map_err(|_| Error::memory("node numbers", pieces.range.start))?,
            pieces: rows.collect::<Result<_>>()?,
            expected: pieces.expected,
            degrees: filled(0, n, "degrees")?,
            outdegrees: pieces.outdegrees,
        };
        parts.count_neighbours(exchange)?;
        Ok(parts)
    }

    pub(crate) fn num_nodes(&self) -> usize {
        self.degrees.len()
    }

    /// The number of the first node in the whole graph.
    pub(super) fn first(&self) -> usize {
        self.first
    }

    /// For each node, the number of other nodes in its row.
    pub(crate) fn degrees(&self) -> &[u32] {
        &self.degrees
    }

    /// The outdegrees of all nodes.
    pub(crate) fn outdegrees(&self) -> &[u32] {
        &self.outdegrees
    }

    /// Counts the neighbours of all nodes: in the same part, in other parts, of other workers.
    fn count_neighbours(&mut self, exchange: &mut Exchange) -> Result<()> {
        let me = exchange.index();
        let mut messages = vec![Vec::new(); exchange.workers()];
        for piece in &self.pieces {
            let degrees = &mut self.degrees[piece.nodes.clone()];
            for (degree, own) in degrees.iter_mut().zip(piece.own.degrees()?) {
                *degree += own;
            }
            let away = piece.away.counts(|_, row| row.len() as u32)?;
            for (to, rows) in piece.rows_for.iter().enumerate() {
                let counts = away[rows.clone()].iter();
                if to == me {
                    for (&node, count) in piece.inside.iter().zip(counts) {
                        self.degrees[node as usize] += count;
                    }
                } else {
                    messages[to].extend(counts.map(|&count| u64::from(count)));
                }
            }
        }
        for (to, counts) in messages.into_iter().enumerate() {
            if !counts.is_empty() {
                exchange.send(to, counts)?;
            }
        }
        let is_awaited = |nodes: &&Vec<Node>| !nodes.is_empty();
        for _ in 0..self.expected.iter().filter(is_awaited).count() {
            let (from, counts) = exchange.receive()?;
            let nodes = &self.expected[from];
            if counts.len() != nodes.len() {
                return Err(exchange.not_planned(from));
            }
            for (&node, count) in nodes.iter().zip(counts) {
                let degree = &mut self.degrees[node as usize];
                *degree = degree.wrapping_add(count as u32);
            }
        }
        exchange.gather([])?;
        Ok(())
    }

    /// Sends other workers the counters that nodes of this one have joined for nodes elsewhere: for each
    /// part, some of the rows of other nodes and their registers. Returns what there is for nodes of
    /// this one.
    ///
    /// # Errors
    /// If another worker fails, or sends what is not planned.
    fn exchange(
        &self,
        joined: Vec<Vec<Joined>>,
        width: usize,
        exchange: &mut Exchange,
    ) -> Result<Received> {
        let me = exchange.index();
        let mut counts = vec![0u64; exchange.workers()];
        for (piece, joined) in self.pieces.iter().zip(&joined) {
            for &row in joined.iter().flat_map(|joined| &joined.nodes) {
                counts[worker_of(row, &piece.rows_for)] += 1;
            }
        }
        counts[me] = 0;
        let counts = exchange.gather_lists(&counts)?;
        let mut received = Received::default();
        for (piece, joined) in self.pieces.iter().zip(joined) {
            let mut messages = vec![Vec::new(); exchange.workers()];
            for part in joined {
                let registers = part.registers.chunks_exact(width);
                for (&row, registers) in part.nodes.iter().zip(registers) {
                    let to = worker_of(row, &piece.rows_for);
                    let place = row as usize - piece.rows_for[to].start;
                    if to == me {
                        received.nodes.push(piece.inside[place]);
                        received.registers.extend_from_slice(registers);
                        continue;
                    }
                    let words: &mut Vec<u64> = &mut messages[to];
                    words.push((piece.places_for[to] + place) as u64);
                    let (registers, _) = registers.as_chunks();
                    words.extend(registers.iter().map(|&bytes| u64::from_le_bytes(bytes)));
                    if words.len() >= WORDS_AT_ONCE {
                        exchange.send(to, std::mem::take(words))?;
                    }
                }
            }
            for (to, words) in messages.into_iter().enumerate() {
                if !words.is_empty() {
                    exchange.send(to, words)?;
                }
            }
        }
        let of_me = |counts: &Vec<u64>| counts.get(me).copied().unwrap_or(0);
        let mut awaited: Vec<u64> = counts.iter().map(of_me).collect();
        while awaited.iter().any(|&count| count > 0) {
            let (from, words) = exchange.receive()?;
            let entries = words.chunks_exact(1 + width / 8);
            let is_whole = entries.remainder().is_empty() && !words.is_empty();
            let left = awaited[from].checked_sub(entries.len() as u64);
            let (Some(left), true) = (left, is_whole) else {
                return Err(exchange.not_planned(from));
            };
            awaited[from] = left;
            for entry in entries {
                let node = self.expected[from].get(entry[0] as usize);
                let node = node.ok_or_else(|| exchange.not_planned(from))?;
                received.nodes.push(*node);
                let registers = entry[1..].iter().flat_map(|word| word.to_le_bytes());
                received.registers.extend(registers);
            }
        }
        Ok(received)
    }
}

impl PieceRows {
    fn new(piece: Piece, places_for: Vec<usize>) -> Result<Self> {
        Ok(PieceRows {
            nodes: piece.nodes,
            own: SharedRows::new(piece.own)?,
            away: SharedRows::new(piece.away)?,
            rows_for: piece.rows_for,
            places_for,
            inside: piece.inside,
        })
    }
}

impl Received {
    /// The nodes and their registers.
    pub(super) fn iter(&self, width: usize) -> impl Iterator<Item = (Node, &[u8])> {
        let registers = self.registers.chunks_exact(width);
        self.nodes.iter().copied().zip(registers)
    }
}

impl<J: Joins> Slice<'_, J> {
    /// Sends other workers the counters of modified nodes, joined for each node that they lead to;
    /// returns what they send.
    pub(super) fn exchange(
        &self,
        parts: &PartRows,
        exchange: &mut Exchange,
        progress: &dyn Progress,
    ) -> Result<Received> {
        let mut away = Vec::new();
        for piece in &parts.pieces {
            let first = piece.nodes.start as Node;
            let join = |joining: &mut Joining, row: Row, nodes: &[Node]| {
                if self.join_modified(&mut joining.of_row, row, first, None) {
                    for &node in nodes {
                        joining.joined.nodes.push(node);
                        joining.joined.registers.extend_from_slice(&joining.of_row);
                    }
                }
            };
            away.push(self.visit(&piece.away, progress, join)?);
        }
        parts.exchange(away, self.width, exchange)
    }

    /// Raises registers to received ones, after all others are stored; returns all changes of the step.
    pub(super) fn receive(
        &mut self,
        received: Received,
        stored: Vec<Changes<J::Change>>,
    ) -> Vec<Changes<J::Change>> {
        if received.nodes.is_empty() {
            return stored;
        }
        let mut falls = Vec::new();
        for changes in stored {
            falls.extend(changes.nodes.into_iter().zip(changes.falls));
        }
        let mut before = vec![0; self.width];
        for (node, registers) in received.iter(self.width) {
            let own = &mut self.registers[node as usize * self.width..][..self.width];
            before.copy_from_slice(own);
            J::join(own, registers);
            if before != own {
                falls.push((node, J::change(&before, own)));
            }
        }
        falls.par_sort_by_key(|&(node, _)| node);
        falls.dedup_by(|(node, fall), (first, sum)| {
            let is_same = node == first;
            if is_same {
                *sum = J::both(*sum, *fall);
            }
            is_same
        });
        self.modified = falls.iter().map(|&(node, _)| node).collect();
        let changes = falls.chunks(NODES_PER_BLOCK).map(|block| {
            let (nodes, falls) = block.iter().copied().unzip();
            Changes { nodes, falls }
        });
        changes.collect()
    }
}
