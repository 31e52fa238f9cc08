//! Sums of whole numbers of predecessors, whichever worker has these, without a vector of them.
//!
//! A worker keeps a sum for each of its distinct rows, and one for each node that arcs from other parts
//! lead to. The sum of a node follows from both whenever it is asked for.

use super::Exchange;
use super::pieces::LocalPartition;
use std::ops::Range;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::memory::{filled, reserve, zeros};

/// The sums of the values of predecessors, modulo 2^64.
pub struct Inflows<'p> {
    pieces: &'p LocalPartition,
    /// For each part, the blocks of its rows, and of its rows of nodes elsewhere.
    blocks: Vec<[Vec<Range<usize>>; 2]>,
    /// For each part, the sums over its distinct rows.
    own: Vec<Vec<u64>>,
    /// The sums over rows of nodes elsewhere: of one part after the other.
    away: Vec<u64>,
    arrived: Arrived,
}

impl<'p> Inflows<'p> {
    /// 8 bytes for each distinct row, and 12 for each node that arcs from other parts lead to.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new(pieces: &'p LocalPartition) -> Result<Self> {
        let sums = |count| zeros(count, "sums over rows");
        let all = || pieces.pieces.iter();
        let most_away = all().map(|piece| piece.away.num_rows()).max();
        let own = all().map(|piece| sums(piece.own.num_rows()));
        let blocks = all().map(|piece| [piece.own.blocks(), piece.away.blocks()]);
        Ok(Inflows {
            blocks: blocks.collect(),
            own: own.collect::<Result<_>>()?,
            away: sums(most_away.unwrap_or(0))?,
            arrived: Arrived::new(pieces)?,
            pieces,
        })
    }

    /// None, which take no memory.
    pub fn none(pieces: &'p LocalPartition) -> Self {
        Inflows {
            pieces,
            blocks: Vec::new(),
            own: Vec::new(),
            away: Vec::new(),
            arrived: Arrived::default(),
        }
    }

    /// Sends what the values of all nodes add up to for nodes of other workers: `before` has the sums of
    /// those of all nodes of this worker before one, and before the end.
    ///
    /// # Errors
    /// If rows in a file cannot be read, or if another worker fails.
    pub fn send(&mut self, exchange: &mut Exchange, before: &[u64]) -> Result<()> {
        let arrived = &mut self.arrived;
        arrived.sums.fill(0);
        for (piece, [_, blocks]) in self.pieces.pieces.iter().zip(&self.blocks) {
            let sums = &mut self.away[..piece.away.num_rows()];
            let before = &before[piece.nodes.start..];
            piece.away.whole_sums(blocks, before, sums)?;
            arrived.add(&piece.inside, piece.send(sums, exchange)?);
        }
        Ok(())
    }

    /// Adds up the same values for nodes of this worker, with what others [send](Self::send). All workers
    /// must gather something before they exchange anything else.
    ///
    /// # Errors
    /// As for [`Self::send`].
    pub fn add_up(&mut self, exchange: &mut Exchange, before: &[u64]) -> Result<()> {
        let arrived = &mut self.arrived;
        let pieces = self.pieces.pieces.iter().zip(&self.blocks);
        for ((piece, [blocks, _]), sums) in pieces.zip(&mut self.own) {
            let before = &before[piece.nodes.start..];
            piece.own.whole_sums(blocks, before, sums)?;
        }
        self.pieces.receive_sums(exchange, |nodes, sums| {
            arrived.add(nodes, sums.iter().copied());
        })
    }

    /// Writes the sums of consecutive nodes of this worker.
    pub fn write(&self, first: usize, into: &mut [u64]) {
        let end = first + into.len();
        let mut rest = &mut *into;
        for (piece, sums) in self.pieces.pieces.iter().zip(&self.own) {
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

/// The sums that arrive from other parts.
#[derive(Default)]
struct Arrived {
    /// The nodes that arcs from other parts lead to, increasing.
    nodes: Vec<Node>,
    sums: Vec<u64>,
}

impl Arrived {
    fn new(pieces: &LocalPartition) -> Result<Self> {
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

    /// Adds to the sums of some of the nodes, which are in increasing order.
    fn add(&mut self, nodes: &[Node], sums: impl Iterator<Item = u64>) {
        let first = nodes.first().copied().unwrap_or_default();
        let mut place = self.nodes.partition_point(|&other| other < first);
        for (&node, sum) in nodes.iter().zip(sums) {
            let steps = self.nodes[place..]
                .iter()
                .take_while(|&&other| other < node);
            place += steps.count();
            self.sums[place] = self.sums[place].wrapping_add(sum);
        }
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
