//! Rows over a BVGraph: the compressed successor lists, decoded by ranges and checked.

use super::bits::{PartReader, Storage, Words, all};
use super::codes::{Bits, Order};
use super::decode::{List, Parser, Problem};
use super::earlier::{Checkpoints, Earlier};
use super::locate::locate;
use super::meter::CodeVisitor;
use super::offsets::Offsets;
use super::properties::{Endianness, Properties};
use crate::Rows;
use dsi_bitstream::prelude as bitstream;
use std::cmp::Ordering;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Mutex;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::{blocks, tasks};
use webrank_base::progress::Progress;

/// A compressed graph: the bits of its `.graph` file, in memory or read when they are needed, and
/// the place of each list.
///
/// Nothing in the file is trusted. A scan checks that each list starts where the offsets say,
/// parses within bounds, and is strictly increasing.
pub struct Compressed {
    path: PathBuf,
    words: Words,
    properties: Properties,
    offsets: Offsets,
    /// Rows on long chains of references.
    pub(super) checkpoints: Mutex<Checkpoints>,
}

impl Compressed {
    /// Assembles a graph from its parts; computes `offsets` when there are none.
    ///
    /// # Errors
    /// If the offsets are computed and the file turns out to be damaged, or if the file is longer
    /// than the lists in it.
    pub(crate) fn new(
        path: PathBuf,
        words: Words,
        properties: Properties,
        offsets: Option<Offsets>,
    ) -> Result<Self> {
        let mut graph = Compressed {
            path,
            words,
            properties,
            offsets: Offsets::default(),
            checkpoints: Mutex::default(),
        };
        graph.offsets = match offsets {
            Some(offsets) => offsets,
            None => locate(&graph)?,
        };
        graph.check_length()?;
        Ok(graph)
    }

    /// The content of the properties file.
    pub fn properties(&self) -> &Properties {
        &self.properties
    }

    /// xxh3-128 of the `.graph` file.
    pub fn checksum(&self) -> u128 {
        self.words.checksum()
    }

    /// Length of all lists in bits.
    pub fn num_bits(&self) -> u64 {
        self.offsets.get(self.properties.nodes)
    }

    /// The path of the `.graph` file.
    pub fn path(&self) -> &std::path::Path {
        &self.path
    }

    /// Cuts the nodes into blocks of lists that weigh about `weight` bits and nodes.
    pub fn blocks(&self, weight: u64) -> Vec<Range<usize>> {
        self.blocks_within(0..self.properties.nodes, weight)
    }

    /// [`Self::blocks`] of some of the nodes.
    pub(crate) fn blocks_within(&self, nodes: Range<usize>, weight: u64) -> Vec<Range<usize>> {
        let first = nodes.start;
        let blocks = blocks::cut_by(nodes.len(), weight, |node| {
            self.offsets.get(first + node) + node as u64
        });
        let blocks = blocks.into_iter();
        blocks
            .map(|block| first + block.start..first + block.end)
            .collect()
    }

    /// Refuses files that end before, or go on after, the last list.
    fn check_length(&self) -> Result<()> {
        let used = self.num_bits();
        let available = self.words.num_bits();
        let declared = self.properties.bits.unwrap_or(used);
        if used > available {
            return Err(Error::file(
                &self.path,
                format!(
                    "the file has {available} bits, but its lists take {used}; it is truncated: \
                     copy it again from its source"
                ),
            ));
        }
        // Writers pad to bytes or to words.
        if used != declared || available - used >= 128 {
            return Err(Error::file(
                &self.path,
                format!(
                    "the lists of {} nodes take {used} bits, but the properties declare \
                     {declared} and the file has {available}; graph and properties do not belong \
                     together",
                    self.properties.nodes
                ),
            ));
        }
        Ok(())
    }

    /// Compares the number of arcs that a scan of all rows has found, or any larger number, with
    /// what the properties declare.
    ///
    /// # Errors
    /// If they differ.
    pub fn check_count(&self, arcs: u64) -> Result<()> {
        let more_or_fewer = match arcs.cmp(&self.properties.arcs) {
            Ordering::Less => "fewer",
            Ordering::Equal => return Ok(()),
            Ordering::Greater => "more",
        };
        Err(Error::file(
            &self.path,
            format!(
                "the file holds {more_or_fewer} arcs than the {} that its properties declare; the \
                 two do not belong together, or one is damaged",
                self.properties.arcs
            ),
        ))
    }

    /// Hands all rows to `visit`, in parallel.
    ///
    /// # Errors
    /// If the file is damaged or cannot be read, or holds another number of arcs than its properties
    /// declare; if the user interrupts.
    pub fn scan_all(
        &self,
        what: &'static str,
        progress: &dyn Progress,
        visit: impl Fn(Node, &[Node]) + Sync,
    ) -> Result<()> {
        progress.begin(what, Some(self.num_nodes() as u64));
        let mut arcs = 0;
        for wave in self
            .blocks(SCANNED_BITS)
            .chunks(8 * rayon::current_num_threads())
        {
            progress.check()?;
            let counts = tasks::try_map(wave, |range| {
                let mut count = 0;
                self.for_rows(range.clone(), &mut |node, row| {
                    count += row.len() as u64;
                    visit(node, row);
                })?;
                Ok::<u64, Error>(count)
            })?;
            arcs += counts.into_iter().sum::<u64>();
            progress.advance(wave.iter().map(|range| range.len() as u64).sum());
        }
        progress.end();
        self.check_count(arcs)
    }

    /// Where the bits are.
    pub(super) fn storage(&self) -> &Storage {
        &self.words.storage
    }

    /// Length of the file in bits.
    pub(super) fn available(&self) -> u64 {
        self.words.num_bits()
    }

    /// The bits of the list of a node.
    pub fn bits_of(&self, node: usize) -> Range<u64> {
        self.offsets.get(node)..self.offsets.get(node + 1)
    }

    pub(super) fn damaged(&self, node: usize, bit: u64, problem: Problem) -> Error {
        Error::Damaged {
            path: self.path.clone(),
            node: node as u64,
            bit: bit.min(self.words.num_bits()),
            problem: problem.to_string(),
        }
    }

    /// As [`Rows::try_rows`], with a listener to the parser, which is returned.
    pub fn listen<L: CodeVisitor>(
        &self,
        listener: L,
        range: Range<usize>,
        visit: impl FnMut(Node, &[Node]) -> Result<()>,
    ) -> Result<L> {
        use bitstream::{BE, LE};
        match (&self.words.storage, self.properties.endianness) {
            (Storage::Memory(words), Endianness::Big) => {
                self.scan::<BE, _, L>(|_| Ok(all(words)), listener, range, visit)
            }
            (Storage::Memory(words), Endianness::Little) => {
                self.scan::<LE, _, L>(|_| Ok(all(words)), listener, range, visit)
            }
            (Storage::File(file), Endianness::Big) => {
                self.scan::<BE, _, L>(|bits| file.part(bits), listener, range, visit)
            }
            (Storage::File(file), Endianness::Little) => {
                self.scan::<LE, _, L>(|bits| file.part(bits), listener, range, visit)
            }
        }
    }

    fn scan<E: Order, R: Bits<E>, L: CodeVisitor>(
        &self,
        part: impl Fn(Range<u64>) -> Result<PartReader<R>>,
        listener: L,
        range: Range<usize>,
        mut visit: impl FnMut(Node, &[Node]) -> Result<()>,
    ) -> Result<L> {
        let last = self.offsets.get(range.end);
        let mut offsets = self.offsets.iter_from(range.start);
        let start = offsets.next().unwrap_or(0);
        // Offsets never decrease, whatever the file says.
        let reach = |from: u64, to: u64| from..to.max(last.min(from.saturating_add(PART)));
        let mut scanner = Scanner {
            graph: self,
            parser: Parser::new(part(reach(start, start))?, &self.properties, listener),
            earlier: Earlier::new(self, &part),
            first: range.start,
            starts: vec![0],
            arena: Vec::new(),
            list: List::default(),
            extras: Vec::new(),
            row: Vec::new(),
        };
        let seek = scanner.parser.seek(start);
        seek.map_err(|problem| self.damaged(range.start, start, problem))?;
        for node in range {
            let declared = offsets.next().unwrap_or(0);
            if declared > scanner.parser.held().end {
                let start = scanner.parser.position();
                scanner.parser.replace(part(reach(start, declared))?);
                let seek = scanner.parser.seek(start);
                seek.map_err(|problem| self.damaged(node, start, problem))?;
            }
            visit(node as Node, scanner.next_row(node)?)?;
            let actual = scanner.parser.position();
            if actual != declared {
                return Err(Error::Damaged {
                    path: self.path.clone(),
                    node: node as u64,
                    bit: actual,
                    problem: format!(
                        "the list ends here, but at bit {declared} according to the offsets; if \
                         the .offsets or .ef file is stale, delete it and it will be computed"
                    ),
                });
            }
        }
        Ok(scanner.parser.listener)
    }
}

/// Bits (plus nodes) that a task decodes at a time.
const SCANNED_BITS: u64 = 1 << 19;

/// Bits that a scan reads from a file at a time, unless a list is longer.
const PART: u64 = 1 << 21;

impl Rows for Compressed {
    fn num_nodes(&self) -> usize {
        self.properties.nodes
    }

    /// The number of arcs that the properties declare; scans of the whole graph verify it.
    fn num_arcs(&self) -> u64 {
        self.properties.arcs
    }

    fn try_rows(
        &self,
        range: Range<usize>,
        visit: &mut dyn FnMut(Node, &[Node]) -> Result<()>,
    ) -> Result<()> {
        self.listen((), range, visit)
    }

    // Sweeps call it: one call through a pointer per row, not two.
    fn for_rows(&self, range: Range<usize>, visit: &mut dyn FnMut(Node, &[Node])) -> Result<()> {
        self.listen((), range, |node, row| {
            visit(node, row);
            Ok(())
        })
    }
}

/// The state of a scan: the rows since `first`, which later lists copy from.
struct Scanner<'c, E, R, L, P> {
    graph: &'c Compressed,
    parser: Parser<E, R, L>,
    earlier: Earlier<'c, E, R, P>,
    /// The node whose row is the first in the arena.
    first: usize,
    /// Where each row in the arena starts, and where the last one ends.
    starts: Vec<usize>,
    arena: Vec<Node>,
    list: List,
    extras: Vec<Node>,
    row: Vec<Node>,
}

/// Above this many arena entries, rows that no later list can refer to are dropped.
const ARENA: usize = 1 << 15;

impl<E: Order, R: Bits<E>, L: CodeVisitor, P: Fn(Range<u64>) -> Result<PartReader<R>>>
    Scanner<'_, E, R, L, &P>
{
    fn next_row(&mut self, node: usize) -> Result<&[Node]> {
        if self.arena.len() > ARENA {
            self.drop_old_rows(node);
        }
        let (first, starts, earlier) = (self.first, &self.starts, &mut self.earlier);
        let held = |back: usize| (back <= node - first).then(|| node - back - first);
        let parsed = self
            .parser
            .parse(node as Node, &mut self.list, |back| match held(back) {
                Some(index) => Ok(starts[index + 1] - starts[index]),
                None => earlier.row(node - back).map(|row| row.len()),
            });
        let list = &self.list;
        let assembled = parsed.and_then(|()| {
            let referenced = match held(list.reference) {
                _ if list.reference == 0 => &[],
                Some(index) => &self.arena[starts[index]..starts[index + 1]],
                None => earlier.row(node - list.reference)?,
            };
            self.row.clear();
            list.assemble(referenced, &mut self.extras, &mut self.row)
        });
        if let Err(problem) = assembled {
            if let Some(failure) = self.earlier.failure.take() {
                return Err(failure);
            }
            let is_part = self.parser.held().end < self.graph.available();
            let problem = match problem {
                Problem::End if is_part => Problem::Overlap,
                problem => problem,
            };
            return Err(self.graph.damaged(node, self.parser.position(), problem));
        }
        self.arena.extend_from_slice(&self.row);
        self.starts.push(self.arena.len());
        Ok(&self.row)
    }

    /// Keeps the rows of the last `window` nodes before `node`.
    fn drop_old_rows(&mut self, node: usize) {
        let keep = node
            .saturating_sub(self.graph.properties.window)
            .max(self.first);
        let index = keep - self.first;
        let cut = self.starts[index];
        // Rows are moved only if they are no larger than the rows dropped.
        if cut < self.arena.len() / 2 {
            return;
        }
        self.arena.drain(..cut);
        self.starts.drain(..index);
        self.starts.iter_mut().for_each(|start| *start -= cut);
        self.first = keep;
    }
}
