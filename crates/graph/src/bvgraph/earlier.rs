//! Rows before the start of a scan that lists of the scan copy from.
//!
//! The format does not bound the length of a chain of references. So rows at regular distances on
//! long chains are kept for all scans: otherwise every scan would follow the chain to its start, in
//! quadratic time.

use super::bits::PartReader;
use super::codes::{Bits, Order};
use super::compressed::Compressed;
use super::decode::{List, Parser, Problem};
use std::collections::{HashMap, VecDeque};
use std::ops::Range;
use std::sync::{Arc, PoisonError};
use webrank_base::Node;
use webrank_base::error::{Error, Result};

/// Rows before the start of a scan.
pub(super) struct Earlier<'c, E, R, P> {
    graph: &'c Compressed,
    part: P,
    parser: Option<Parser<E, R>>,
    rows: HashMap<usize, Vec<Node>>,
    /// Why the file could not be read, after [`Problem::Unread`].
    pub(super) failure: Option<Error>,
}

/// References that a scan follows before it looks for checkpoints, and between two of them.
const LONG: usize = 64;

/// Bits read before a list: chains lead backwards.
const LEAD: u64 = 1 << 15;

impl<'c, E: Order, R: Bits<E>, P: Fn(Range<u64>) -> Result<PartReader<R>>> Earlier<'c, E, R, P> {
    pub(super) fn new(graph: &'c Compressed, part: P) -> Self {
        Earlier {
            graph,
            part,
            parser: None,
            rows: HashMap::new(),
            failure: None,
        }
    }

    /// The row of `wanted`. Follows its chain of references down to a row that is known or copies
    /// nothing. From there up, rows are assembled one at a time.
    pub(super) fn row(&mut self, wanted: usize) -> Result<&[Node], Problem> {
        let mut chain = Vec::new();
        let mut node = wanted;
        let mut referenced = Vec::new();
        loop {
            if let Some(row) = self.rows.get(&node) {
                referenced.extend_from_slice(row);
                break;
            }
            if chain.len() >= LONG
                && let Some(row) = self.checkpoint(node)
            {
                referenced.extend_from_slice(&row);
                break;
            }
            chain.push(node);
            match self.parser_at(node)?.reference(node as Node)? {
                0 => break,
                back => node -= back,
            }
        }
        let (mut list, mut extras) = (List::default(), Vec::new());
        for (step, &node) in chain.iter().rev().enumerate() {
            let outdegree = referenced.len();
            self.parser_at(node)?
                .parse(node as Node, &mut list, |_| Ok(outdegree))?;
            let mut row = Vec::new();
            list.assemble(&referenced, &mut extras, &mut row)?;
            referenced = row;
            if chain.len() > LONG && step % LONG == LONG - 1 {
                self.keep(node, &referenced);
            }
        }
        if chain.len() > LONG {
            self.lock().followed += chain.len() as u64;
        }
        if !chain.is_empty() {
            self.rows.insert(wanted, referenced);
        }
        Ok(&self.rows[&wanted])
    }

    /// A parser at the start of a list.
    fn parser_at(&mut self, node: usize) -> Result<&mut Parser<E, R>, Problem> {
        let bits = self.graph.bits_of(node);
        let held = self.parser.as_ref().map(Parser::held);
        if held.is_none_or(|held| bits.start < held.start || bits.end > held.end) {
            let part = (self.part)(bits.start.saturating_sub(LEAD)..bits.end);
            let part = part.map_err(|failure| {
                self.failure = Some(failure);
                Problem::Unread
            })?;
            match &mut self.parser {
                Some(parser) => parser.replace(part),
                None => self.parser = Some(Parser::new(part, self.graph.properties(), ())),
            }
        }
        let parser = self.parser.as_mut().expect("there is one now");
        parser.seek(bits.start)?;
        Ok(parser)
    }

    fn lock(&self) -> std::sync::MutexGuard<'c, Checkpoints> {
        let checkpoints = self.graph.checkpoints.lock();
        checkpoints.unwrap_or_else(PoisonError::into_inner)
    }

    fn checkpoint(&self, node: usize) -> Option<Arc<[Node]>> {
        self.lock().rows.get(&node).cloned()
    }

    fn keep(&self, node: usize, row: &[Node]) {
        self.lock().keep(node, row);
    }
}

/// Rows on long chains, the latest [`Checkpoints::ENTRIES`] of their entries.
#[derive(Default)]
pub(super) struct Checkpoints {
    rows: HashMap<usize, Arc<[Node]>>,
    order: VecDeque<usize>,
    entries: usize,
    /// References followed on long chains.
    pub(super) followed: u64,
}

impl Checkpoints {
    /// 4 bytes each.
    const ENTRIES: usize = 1 << 20;
    /// The cost of a row besides its own entries.
    const ROW: usize = 32;

    fn keep(&mut self, node: usize, row: &[Node]) {
        if self.rows.insert(node, row.into()).is_none() {
            self.order.push_back(node);
            self.entries += row.len() + Self::ROW;
        }
        while self.entries > Self::ENTRIES {
            let oldest = self
                .order
                .pop_front()
                .and_then(|node| self.rows.remove(&node));
            self.entries -= oldest.map_or(self.entries, |row| row.len() + Self::ROW);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Rows, StoredGraph};
    use dsi_bitstream::prelude::*;

    #[test]
    fn long_chains_are_not_followed_to_their_start_by_every_scan() {
        let n = 100_000u64;
        let mut bits = BufBitWriter::<BE, _>::new(MemWordWriterVec::new(Vec::<u64>::new()));
        let mut written = 0;
        for node in 0..n {
            written += bits.write_gamma(1).unwrap();
            if node == 0 {
                // No reference, no intervals, a residual.
                written += bits.write_unary(0).unwrap() + bits.write_gamma(0).unwrap();
                written += bits.write_zeta3(10).unwrap();
            } else {
                // All of the list before.
                written += bits.write_unary(1).unwrap() + bits.write_gamma(0).unwrap();
            }
        }
        let words = bits.into_inner().unwrap().into_inner();
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        bytes.truncate(written.div_ceil(8));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("chain");
        std::fs::write(path.with_extension("graph"), bytes).unwrap();
        let properties = format!("graphclass=BVGraph\nnodes={n}\narcs={n}\n");
        std::fs::write(path.with_extension("properties"), properties).unwrap();
        let source = StoredGraph::open(&path).unwrap();
        for graph in [source.compressed().unwrap(), source.streamed().unwrap()] {
            let blocks = graph.blocks(1 << 13);
            assert!(blocks.len() > 50);
            for block in blocks {
                graph
                    .for_rows(block, &mut |_, row| assert_eq!(row, [5]))
                    .unwrap();
            }
            let followed = graph.checkpoints.lock().unwrap().followed;
            assert!((n / 2..2 * n).contains(&followed), "{followed} references");
        }
    }
}
