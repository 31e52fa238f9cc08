//! Rows over a BVGraph: the compressed successor lists, decoded by ranges and checked.

use super::bits::Words;
use super::decode::{Bits, List, Parser, Problem};
use super::offsets::Offsets;
use super::properties::{Endianness, Properties};
use crate::error::{Error, Result};
use crate::graph::{Node, Rows};
use crate::parallel::blocks;
use dsi_bitstream::prelude as bitstream;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::ops::Range;
use std::path::PathBuf;

/// A compressed graph in memory: the bits of its `.graph` file and the place of each list.
///
/// Nothing in the file is trusted. A scan checks that each list starts where the offsets say,
/// parses within bounds, and is strictly increasing.
pub struct Compressed {
    path: PathBuf,
    words: Words,
    properties: Properties,
    offsets: Offsets,
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
        };
        graph.offsets = match offsets {
            Some(offsets) => offsets,
            None => graph.locate()?,
        };
        graph.check_length()?;
        Ok(graph)
    }

    /// What the properties file declares.
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
    pub(crate) fn blocks(&self, weight: u64) -> Vec<Range<usize>> {
        blocks::cut_by(self.properties.nodes, weight, |node| {
            self.offsets.get(node) + node as u64
        })
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
    pub(crate) fn check_count(&self, arcs: u64) -> Result<()> {
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

    /// Finds the place of every list by parsing the file once, without assembling lists.
    fn locate(&self) -> Result<Offsets> {
        match self.properties.endianness {
            Endianness::Big => self.locate_with(self.words.reader::<bitstream::BE>()),
            Endianness::Little => self.locate_with(self.words.reader::<bitstream::LE>()),
        }
    }

    fn locate_with<E: bitstream::Endianness, R: Bits<E>>(&self, bits: R) -> Result<Offsets> {
        let n = self.properties.nodes;
        let mut parser = Parser::new(bits, &self.properties);
        let mut list = List::default();
        // A ring of the outdegrees that a list can refer to.
        let mut outdegrees = vec![0; self.properties.window.min(n) + 1];
        let ring = outdegrees.len();
        let offsets = Offsets::build(n, self.words.num_bits(), |node| {
            let start = parser.position();
            if start > self.words.num_bits() {
                return Err(self.damaged(node, start, Problem::End));
            }
            if node < n {
                parser
                    .parse(node as Node, &mut list, |back| {
                        Ok(outdegrees[(node - back) % ring])
                    })
                    .map_err(|problem| self.damaged(node, parser.position(), problem))?;
                outdegrees[node % ring] = list.outdegree;
            }
            Ok(start)
        })?;
        Ok(offsets)
    }

    fn damaged(&self, node: usize, bit: u64, problem: Problem) -> Error {
        Error::Damaged {
            path: self.path.clone(),
            node: node as u64,
            bit: bit.min(self.words.num_bits()),
            problem: problem.to_string(),
        }
    }

    fn scan<E: bitstream::Endianness, R: Bits<E>>(
        &self,
        new_reader: impl Fn() -> R,
        range: Range<usize>,
        visit: &mut dyn FnMut(Node, &[Node]),
    ) -> Result<()> {
        let mut scanner = Scanner {
            graph: self,
            parser: Parser::new(new_reader(), &self.properties),
            earlier: Earlier {
                graph: self,
                parser: Parser::new(new_reader(), &self.properties),
                rows: HashMap::new(),
            },
            first: range.start,
            starts: vec![0],
            arena: Vec::new(),
            list: List::default(),
            extras: Vec::new(),
            row: Vec::new(),
        };
        let mut offsets = self.offsets.iter_from(range.start);
        let start = offsets.next().unwrap_or(0);
        let seek = scanner.parser.seek(start);
        seek.map_err(|problem| self.damaged(range.start, start, problem))?;
        for node in range {
            visit(node as Node, scanner.next_row(node)?);
            let declared = offsets.next().unwrap_or(0);
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
        Ok(())
    }
}

impl Rows for Compressed {
    fn num_nodes(&self) -> usize {
        self.properties.nodes
    }

    /// The number of arcs that the properties declare; scans of the whole graph verify it.
    fn num_arcs(&self) -> u64 {
        self.properties.arcs
    }

    fn for_rows(&self, range: Range<usize>, visit: &mut dyn FnMut(Node, &[Node])) -> Result<()> {
        let words = &self.words;
        match self.properties.endianness {
            Endianness::Big => self.scan(|| words.reader::<bitstream::BE>(), range, visit),
            Endianness::Little => self.scan(|| words.reader::<bitstream::LE>(), range, visit),
        }
    }
}

/// The state of a scan: the rows since `first`, which later lists copy from.
struct Scanner<'c, E: bitstream::Endianness, R: Bits<E>> {
    graph: &'c Compressed,
    parser: Parser<E, R>,
    earlier: Earlier<'c, E, R>,
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

impl<E: bitstream::Endianness, R: Bits<E>> Scanner<'_, E, R> {
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

/// Rows before the start of a scan that lists of the scan refer to.
struct Earlier<'c, E: bitstream::Endianness, R: Bits<E>> {
    graph: &'c Compressed,
    parser: Parser<E, R>,
    rows: HashMap<usize, Vec<Node>>,
}

impl<E: bitstream::Endianness, R: Bits<E>> Earlier<'_, E, R> {
    /// The row of `wanted`. Follows its chain of references, whose length the format does not
    /// bound, down to a list that copies nothing. From there up, rows are assembled one at a time.
    fn row(&mut self, wanted: usize) -> Result<&[Node], Problem> {
        let mut chain = Vec::new();
        let mut node = wanted;
        while !self.rows.contains_key(&node) {
            chain.push(node);
            self.parser.seek(self.graph.offsets.get(node))?;
            match self.parser.reference(node as Node)? {
                0 => break,
                back => node -= back,
            }
        }
        let (mut list, mut extras) = (List::default(), Vec::new());
        let mut referenced = self.rows.get(&node).cloned().unwrap_or_default();
        for &node in chain.iter().rev() {
            self.parser.seek(self.graph.offsets.get(node))?;
            let outdegree = referenced.len();
            self.parser
                .parse(node as Node, &mut list, |_| Ok(outdegree))?;
            let mut row = Vec::new();
            list.assemble(&referenced, &mut extras, &mut row)?;
            referenced = row;
        }
        if !chain.is_empty() {
            self.rows.insert(wanted, referenced);
        }
        Ok(&self.rows[&wanted])
    }
}
