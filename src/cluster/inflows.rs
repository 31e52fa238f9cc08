//! Sums of whole numbers of predecessors, whichever worker has these, without a vector of them.
//!
//! A worker keeps a sum for each of its distinct rows, and one for each node that arcs from other parts
//! lead to. What a node gets follows from both whenever it is asked for.

use super::Exchange;
use super::pieces::{Piece, Pieces};
use crate::error::Result;
use crate::graph::Node;
use crate::linear::runs::PullRows;
use crate::memory::{filled, reserve, zeros};
use std::ops::Range;

/// The sums of the values of predecessors, modulo 2^64.
pub(crate) struct Inflows<'p> {
    pieces: &'p Pieces,
    /// For each part, the blocks of its rows that are needed, and of its rows of nodes elsewhere.
    blocks: Vec<[Vec<Range<usize>>; 2]>,
    sums: Sums,
    arrived: Arrived,
}

/// Sums over the distinct rows of parts, for whichever nodes.
#[derive(Default)]
pub(crate) struct Sums {
    /// For each part, those over its rows.
    own: Vec<Vec<u64>>,
    /// The same over rows of nodes elsewhere: of one part after the other.
    away: Vec<u64>,
}

impl Sums {
    fn new(pieces: &Pieces) -> Result<Self> {
        // Those of rows that no live node has are written only in the end.
        let zeros = |count| zeros(count, "sums over rows");
        let all = || pieces.pieces.iter();
        let most_away = all().map(|piece| piece.away.num_rows()).max();
        Ok(Sums {
            own: all()
                .map(|piece| zeros(piece.own.num_rows()))
                .collect::<Result<_>>()?,
            away: zeros(most_away.unwrap_or(0))?,
        })
    }
}

impl<'p> Inflows<'p> {
    /// 8 bytes for each distinct row, and 12 for each node that arcs from other parts lead to.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(crate) fn new(pieces: &'p Pieces) -> Result<Self> {
        Self::with(pieces, Sums::new(pieces)?)
    }

    /// The same with sums that others have [lent](Self::lend), over the same rows.
    ///
    /// # Errors
    /// As for [`Self::new`].
    pub(crate) fn with(pieces: &'p Pieces, sums: Sums) -> Result<Self> {
        Self::of_blocks(pieces, sums, PullRows::blocks)
    }

    /// The same for nodes that have few of the distinct rows: sums over others are not made.
    ///
    /// # Errors
    /// As for [`Self::new`].
    pub(crate) fn of_some(pieces: &'p Pieces) -> Result<Self> {
        Self::of_blocks(pieces, Sums::new(pieces)?, |rows| {
            let mut is_needed = vec![false; rows.num_rows()];
            for &row in rows.rows_of(0..rows.num_nodes()) {
                is_needed[row as usize] = true;
            }
            rows.live_blocks(|row| is_needed[row])
        })
    }

    fn of_blocks(
        pieces: &'p Pieces,
        sums: Sums,
        blocks: impl Fn(&PullRows) -> Vec<Range<usize>>,
    ) -> Result<Self> {
        let of_piece = |piece: &Piece| [blocks(&piece.own), blocks(&piece.away)];
        Ok(Inflows {
            blocks: pieces.pieces.iter().map(of_piece).collect(),
            sums,
            arrived: Arrived::new(pieces)?,
            pieces,
        })
    }

    /// Lends the sums to others, until they are [returned](Self::take_back).
    pub(crate) fn lend(&mut self) -> Sums {
        std::mem::take(&mut self.sums)
    }

    /// Takes back what was lent.
    pub(crate) fn take_back(&mut self, sums: Sums) {
        self.sums = sums;
    }

    /// Sends what the values of all nodes add up to for nodes of other workers: `before` has the sums of
    /// those of all sources of this worker before one, and before the end.
    ///
    /// # Errors
    /// If rows in a file cannot be read, or if another worker fails.
    pub(crate) fn send(&mut self, exchange: &mut Exchange, before: &[u64]) -> Result<()> {
        let arrived = &mut self.arrived;
        arrived.sums.fill(0);
        for (piece, [_, blocks]) in self.pieces.pieces.iter().zip(&self.blocks) {
            let sums = &mut self.sums.away[..piece.away.num_rows()];
            let before = &before[piece.sources.start..];
            piece.away.whole_sums(blocks, before, sums)?;
            let mut place = 0;
            piece.send(sums, exchange, |node, sum| {
                place = arrived.add(place, node, sum);
            })?;
        }
        Ok(())
    }

    /// Adds up the same values for nodes of this worker, with what others [send](Self::send). All workers
    /// must gather something before they exchange anything else.
    ///
    /// # Errors
    /// As for [`Self::send`].
    pub(crate) fn add_up(&mut self, exchange: &mut Exchange, before: &[u64]) -> Result<()> {
        let arrived = &mut self.arrived;
        let pieces = self.pieces.pieces.iter().zip(&self.blocks);
        for ((piece, [blocks, _]), sums) in pieces.zip(&mut self.sums.own) {
            let before = &before[piece.sources.start..];
            piece.own.whole_sums(blocks, before, sums)?;
        }
        self.pieces.receive_sums(exchange, |nodes, sums| {
            let both = nodes.iter().zip(sums);
            both.fold(0, |place, (&node, &sum)| arrived.add(place, node, sum));
        })
    }

    /// Writes the sums of consecutive nodes of this worker.
    pub(crate) fn write(&self, first: usize, into: &mut [u64]) {
        let end = first + into.len();
        let mut rest = &mut *into;
        for (piece, sums) in self.pieces.pieces.iter().zip(&self.sums.own) {
            let nodes = piece.nodes.start.max(first)..piece.nodes.end.min(end);
            if nodes.is_empty() {
                continue;
            }
            let (part, after) = rest.split_at_mut(nodes.len());
            rest = after;
            let nodes = nodes.start - piece.nodes.start..nodes.end - piece.nodes.start;
            for (into, &row) in part.iter_mut().zip(piece.own.rows_of(nodes)) {
                *into = sums[row as usize];
            }
        }
        self.arrived.add_to(first, into);
    }
}

/// What arrives from other parts.
struct Arrived {
    /// The nodes that arcs from other parts lead to, increasing.
    nodes: Vec<Node>,
    sums: Vec<u64>,
}

impl Arrived {
    fn new(pieces: &Pieces) -> Result<Self> {
        let lists = || {
            let inside = pieces.pieces.iter().map(|piece| &piece.inside);
            pieces.expected.iter().chain(inside)
        };
        let mut nodes = Vec::new();
        reserve(
            &mut nodes,
            lists().map(Vec::len).sum(),
            "the nodes of other parts",
        )?;
        nodes.extend(lists().flatten());
        nodes.sort_unstable();
        nodes.dedup();
        nodes.shrink_to_fit();
        Ok(Arrived {
            sums: filled(0, nodes.len(), "sums of other parts")?,
            nodes,
        })
    }

    /// Adds to the sum of a node. Returns its place, where to look for the next one.
    fn add(&mut self, place: usize, node: Node, sum: u64) -> usize {
        // Nodes come in order, but for those of several parts.
        let place = match self.nodes[place] <= node {
            true => place,
            false => 0,
        };
        let found = self.nodes[place..].iter().position(|&other| other >= node);
        let place = place + found.expect("every node is among them");
        self.sums[place] = self.sums[place].wrapping_add(sum);
        place
    }

    /// Adds the sums of consecutive nodes.
    fn add_to(&self, first: usize, into: &mut [u64]) {
        let start = self.nodes.partition_point(|&node| (node as usize) < first);
        for (&node, &sum) in self.nodes[start..].iter().zip(&self.sums[start..]) {
            let Some(entry) = into.get_mut(node as usize - first) else {
                break;
            };
            *entry = entry.wrapping_add(sum);
        }
    }
}
