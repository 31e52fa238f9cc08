//! Decodes one successor list and checks every step.
//!
//! A list is parsed first (outdegree, reference, copy blocks, intervals, residuals) and assembled
//! afterwards, so that parsing alone yields offsets and outdegrees. The format is that of Boldi and
//! Vigna, "The WebGraph framework I: compression techniques", WWW 2004, as documented by the
//! `webgraph` crate.
//!
//! Every number read is compared with what the graph allows before it is used, so damaged bits
//! cause a [`Problem`] at worst.

use super::bits::PartReader;
use super::codes::{Bits, Order, ReadCode, read_code};
use super::meter::{CodeVisitor, Component, Field};
use super::properties::Properties;
use dsi_bitstream::codes::ToInt;
use dsi_bitstream::prelude::{BitSeek, WordError};
use std::marker::PhantomData;
use std::ops::Range;
use webrank_base::Node;

/// A fault of a successor list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Problem {
    #[error("the file ends inside a successor list")]
    End,
    #[error("outdegree {0} exceeds the number of nodes")]
    Outdegree(u64),
    #[error("a list refers {0} nodes back, beyond the window or the first node")]
    Reference(u64),
    #[error("copy blocks exceed the list they copy from")]
    Blocks,
    #[error("the list holds more successors than its outdegree")]
    TooMany,
    #[error("a successor lies outside the graph")]
    Outside,
    #[error("a successor occurs twice")]
    Twice,
    #[error("a number is longer than any in a graph")]
    LongCode,
    #[error("the list goes on where the next one starts according to the offsets")]
    Overlap,
    #[error("a part of the file cannot be read")]
    Unread,
}

impl From<WordError> for Problem {
    fn from(_: WordError) -> Self {
        Problem::End
    }
}

type Result<T> = std::result::Result<T, Problem>;

/// The functions that read each component.
struct Readers<R> {
    outdegree: ReadCode<R>,
    reference: ReadCode<R>,
    block_count: ReadCode<R>,
    block: ReadCode<R>,
    interval: ReadCode<R>,
    residual: ReadCode<R>,
}

/// A successor list as the file describes it.
#[derive(Default)]
pub(crate) struct List {
    /// Number of successors.
    pub(crate) outdegree: usize,
    /// Distance to the list it copies from; 0 if it copies nothing.
    pub(crate) reference: usize,
    /// The places of the referenced list that are copied, increasing.
    copies: Vec<Range<usize>>,
    /// Left extremes and lengths, increasing.
    intervals: Vec<(Node, usize)>,
    /// The other successors, increasing.
    residuals: Vec<Node>,
}

/// Parses successor lists one after the other.
pub(crate) struct Parser<E, R, L = ()> {
    bits: R,
    pub(crate) listener: L,
    /// The bits of the file that `bits` holds.
    held: Range<u64>,
    readers: Readers<R>,
    num_nodes: u64,
    window: u64,
    min_interval: u64,
    order: PhantomData<E>,
}

impl<E: Order, R: Bits<E>, L: CodeVisitor> Parser<E, R, L> {
    pub(crate) fn new(part: PartReader<R>, properties: &Properties, listener: L) -> Self {
        let codes = &properties.codes;
        Parser {
            bits: part.reader,
            listener,
            held: part.bits,
            order: PhantomData,
            readers: Readers {
                outdegree: read_code(codes.outdegrees),
                reference: read_code(codes.references),
                block_count: read_code(codes.block_counts),
                block: read_code(codes.blocks),
                interval: read_code(codes.intervals),
                residual: read_code(codes.residuals),
            },
            num_nodes: properties.nodes as u64,
            window: properties.window as u64,
            min_interval: properties.min_interval as u64,
        }
    }

    /// The position of the parser, in bits from the start of the file.
    #[inline]
    pub(crate) fn position(&mut self) -> u64 {
        position(&mut self.bits, &self.held)
    }

    #[inline]
    fn ends(&mut self, component: Component) {
        let (bits, held) = (&mut self.bits, &self.held);
        self.listener.end(component, || position(bits, held));
    }

    /// Moves to the start of a list.
    pub(crate) fn seek(&mut self, position: u64) -> Result<()> {
        let position = position.checked_sub(self.held.start);
        Ok(self.bits.set_bit_pos(position.ok_or(Problem::End)?)?)
    }

    /// The bits of the file that this parser can reach.
    pub(crate) fn held(&self) -> Range<u64> {
        self.held.clone()
    }

    /// Reaches for another part of the file.
    pub(crate) fn replace(&mut self, part: PartReader<R>) {
        (self.bits, self.held) = (part.reader, part.bits);
    }

    /// Parses the list of `node` into `list`; `outdegree_back(r)` is the outdegree of the node
    /// `r` places before, for `r` from 1 to the window and at most `node`.
    #[inline]
    pub(crate) fn parse(
        &mut self,
        node: Node,
        list: &mut List,
        outdegree_back: impl FnOnce(usize) -> Result<usize>,
    ) -> Result<()> {
        list.reference = 0;
        list.copies.clear();
        list.intervals.clear();
        list.residuals.clear();
        let (bits, held) = (&mut self.bits, &self.held);
        self.listener.start(|| position(bits, held));
        list.outdegree = self.outdegree()?;
        let listener = &mut self.listener;
        listener.number(Field::Outdegree, list.outdegree as u64);
        self.ends(Component::Outdegrees);
        if list.outdegree == 0 {
            return Ok(());
        }
        let mut missing = list.outdegree as u64;
        list.reference = self.distance(node)?;
        if self.window != 0 {
            let listener = &mut self.listener;
            listener.number(Field::Reference, list.reference as u64);
        }
        self.ends(Component::References);
        if list.reference != 0 {
            let available = outdegree_back(list.reference)?;
            let rest = self.copy_blocks(list, available, missing)?;
            self.listener.arcs(Component::Blocks, missing - rest);
            self.ends(Component::Blocks);
            missing = rest;
        }
        if missing != 0 && self.min_interval != 0 {
            let rest = self.intervals(node, list, missing)?;
            self.listener.arcs(Component::Intervals, missing - rest);
            self.ends(Component::Intervals);
            missing = rest;
        }
        if missing != 0 {
            self.residuals(node, list, missing)?;
            self.listener.arcs(Component::Residuals, missing);
            self.ends(Component::Residuals);
        }
        Ok(())
    }

    /// Parses the start of a list: how far back it refers, or 0.
    #[inline]
    pub(crate) fn reference(&mut self, node: Node) -> Result<usize> {
        match self.outdegree()? {
            0 => Ok(0),
            _ => self.distance(node),
        }
    }

    /// Parses the first number of a list.
    #[inline]
    pub(super) fn outdegree(&mut self) -> Result<usize> {
        let outdegree = (self.readers.outdegree)(&mut self.bits)?;
        if outdegree > self.num_nodes {
            return Err(Problem::Outdegree(outdegree));
        }
        Ok(outdegree as usize)
    }

    /// The distance to the list that the one of `node` copies from, or 0.
    #[inline]
    fn distance(&mut self, node: Node) -> Result<usize> {
        if self.window == 0 {
            return Ok(0);
        }
        let distance = (self.readers.reference)(&mut self.bits)?;
        if distance > self.window.min(node as u64) {
            return Err(Problem::Reference(distance));
        }
        Ok(distance as usize)
    }

    /// Parses the copy blocks; returns how many successors are still missing.
    #[inline]
    fn copy_blocks(&mut self, list: &mut List, available: usize, missing: u64) -> Result<u64> {
        let num_blocks = (self.readers.block_count)(&mut self.bits)?;
        self.listener.number(Field::BlockCount, num_blocks);
        if num_blocks > available as u64 + 1 {
            return Err(Problem::Blocks);
        }
        let mut place = 0;
        let mut copied = 0;
        for block in 0..num_blocks {
            // Only the first block may be empty, so the others are written minus one.
            let length = (self.readers.block)(&mut self.bits)?;
            self.listener.number(Field::Block, length);
            let length = length.saturating_add((block != 0) as u64);
            if length > (available - place) as u64 {
                return Err(Problem::Blocks);
            }
            let end = place + length as usize;
            if block % 2 == 0 {
                copied += length;
                list.copies.push(place..end);
            }
            place = end;
        }
        // The rest behind the last block is copied if that block was skipped.
        if num_blocks % 2 == 0 {
            copied += (available - place) as u64;
            list.copies.push(place..available);
        }
        missing.checked_sub(copied).ok_or(Problem::TooMany)
    }

    /// Parses the intervals; returns how many successors are still missing.
    #[inline]
    fn intervals(&mut self, node: Node, list: &mut List, mut missing: u64) -> Result<u64> {
        let count = (self.readers.interval)(&mut self.bits)?;
        self.listener.number(Field::IntervalCount, count);
        if count > missing {
            return Err(Problem::TooMany);
        }
        let mut end = 0;
        for interval in 0..count {
            let gap = (self.readers.interval)(&mut self.bits)?;
            self.listener.number(Field::IntervalStart, gap);
            let start = if interval == 0 {
                offset_from(node, gap)?
            } else {
                // At least one node lies between two intervals.
                gap.saturating_add(end + 1)
            };
            let length = (self.readers.interval)(&mut self.bits)?;
            self.listener.number(Field::IntervalLength, length);
            let length = length.saturating_add(self.min_interval);
            missing = missing.checked_sub(length).ok_or(Problem::TooMany)?;
            if start.saturating_add(length) > self.num_nodes {
                return Err(Problem::Outside);
            }
            end = start + length;
            list.intervals.push((start as Node, length as usize));
        }
        Ok(missing)
    }

    /// Parses `missing` residuals.
    #[inline]
    fn residuals(&mut self, node: Node, list: &mut List, missing: u64) -> Result<()> {
        let first = (self.readers.residual)(&mut self.bits)?;
        self.listener.number(Field::FirstResidual, first);
        let mut residual = offset_from(node, first)?;
        for _ in 1..missing {
            if residual >= self.num_nodes {
                return Err(Problem::Outside);
            }
            list.residuals.push(residual as Node);
            let gap = (self.readers.residual)(&mut self.bits)?;
            self.listener.number(Field::Residual, gap);
            residual = gap.saturating_add(residual + 1);
        }
        if residual >= self.num_nodes {
            return Err(Problem::Outside);
        }
        list.residuals.push(residual as Node);
        Ok(())
    }
}

/// The position, in bits from the start of the file, of a reader of the bits `held`.
fn position(bits: &mut impl BitSeek, held: &Range<u64>) -> u64 {
    let position = bits.bit_pos().unwrap_or(u64::MAX);
    position.saturating_add(held.start)
}

/// The node at a signed distance from `node`, written as a natural number.
#[inline]
fn offset_from(node: Node, natural: u64) -> Result<u64> {
    let distance: i64 = natural.to_int();
    u64::try_from(distance.saturating_add(node as i64)).map_err(|_| Problem::Outside)
}

impl List {
    /// Appends the successors to `row`, which must be empty, given the list that this one refers
    /// to. `extras` is scratch space.
    #[inline]
    pub(crate) fn assemble(
        &self,
        referenced: &[Node],
        extras: &mut Vec<Node>,
        row: &mut Vec<Node>,
    ) -> Result<()> {
        if self.intervals.is_empty() && self.copies.is_empty() {
            row.extend_from_slice(&self.residuals);
            return Ok(());
        }
        if self.copies.is_empty() {
            self.merge_intervals(row);
            return match row.is_sorted_by(|a, b| a < b) {
                true => Ok(()),
                false => Err(Problem::Twice),
            };
        }
        self.merge_intervals(extras);
        if extras.is_empty() {
            for range in &self.copies {
                row.extend_from_slice(&referenced[range.clone()]);
            }
            return Ok(());
        }
        let mut next = 0;
        for &copied in self
            .copies
            .iter()
            .flat_map(|range| &referenced[range.clone()])
        {
            while next < extras.len() && extras[next] < copied {
                row.push(extras[next]);
                next += 1;
            }
            row.push(copied);
        }
        row.extend_from_slice(&extras[next..]);
        if row.is_sorted_by(|a, b| a < b) {
            Ok(())
        } else {
            Err(Problem::Twice)
        }
    }

    /// Merges intervals and residuals into `extras`, whatever it holds.
    #[inline]
    fn merge_intervals(&self, extras: &mut Vec<Node>) {
        extras.clear();
        let mut residuals = self.residuals.as_slice();
        for &(start, length) in &self.intervals {
            let before = residuals.partition_point(|&residual| residual < start);
            extras.extend_from_slice(&residuals[..before]);
            residuals = &residuals[before..];
            // Cannot overflow: the interval ends within the graph.
            extras.extend((start..).take(length));
        }
        extras.extend_from_slice(residuals);
    }
}
