//! The numbers of a graph, counted by field: those in a file, or those that a compressor would write.

use super::histogram::{NumberDistribution, NumberHistogram};
use crate::bvgraph::compress::Scanned;
use crate::bvgraph::meter::{CodeVisitor, Component, Field};
use crate::{Compressed, Direction, Rows};
use std::convert::Infallible;
use std::io;
use std::ops::{Index, Range};
use webgraph::prelude::{
    BvComp, CompFlags, DynCodesEstimator, Encode, EncodeAndEstimate, OffsetsWriter,
};
use webrank_base::error::{Error, Result};
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;

/// How often each number occurs in each field of the lists of a graph.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FieldCounts([NumberDistribution; Field::COUNT]);

impl Index<Field> for FieldCounts {
    type Output = NumberDistribution;

    fn index(&self, field: Field) -> &NumberDistribution {
        &self.0[field as usize]
    }
}

/// Bits (plus nodes) that a task decodes at a time.
pub const BLOCK_BITS: u64 = 1 << 20;

impl FieldCounts {
    /// The distributions of all fields, in their order.
    pub fn into_fields(self) -> [NumberDistribution; Field::COUNT] {
        self.0
    }

    /// Counts the numbers in a file. O(n + m), parallel.
    ///
    /// # Errors
    /// If the file is damaged, or if there is not enough memory.
    pub fn of(graph: &Compressed, progress: &dyn Progress) -> Result<Self> {
        progress.begin("count", Some(graph.num_nodes() as u64));
        let mut tally = Tally::default();
        let blocks = graph.blocks(BLOCK_BITS);
        // A few at a time: the counts of a block may be long.
        for wave in blocks.chunks(2 * rayon::current_num_threads()) {
            progress.check()?;
            let parts = tasks::try_map(wave, |block| {
                let tally = graph.listen(Tally::default(), block.clone(), |_, _| Ok(()))?;
                progress.advance(block.len() as u64);
                Ok::<_, Error>(tally)
            })?;
            parts.into_iter().for_each(|part| tally.merge(part));
        }
        graph.check_count(tally.arcs)?;
        tally.finish()
    }

    /// Counts the numbers that the compressor writes with these codes, window and limits, for all rows
    /// in one part; it writes nothing. As slow as compression, on one core.
    ///
    /// # Errors
    /// If rows cannot be read, or if there is not enough memory.
    pub fn of_rows(rows: &dyn Rows, flags: &CompFlags, progress: &dyn Progress) -> Result<Self> {
        let rows = Scanned {
            num_nodes: rows.num_nodes(),
            parts: std::iter::once(0..rows.num_nodes()).collect(),
            direction: Direction::Out,
            scan: &|range, visit| rows.try_rows(range, visit),
        };
        Self::of_scanned(&rows, flags, progress)
    }

    /// The counts of rows that are about to be compressed, parallel by parts.
    pub(crate) fn of_scanned(
        rows: &Scanned,
        flags: &CompFlags,
        progress: &dyn Progress,
    ) -> Result<Self> {
        progress.begin("count", Some(rows.num_nodes as u64));
        let mut tally = Tally::default();
        for wave in rows.parts.chunks(2 * rayon::current_num_threads()) {
            progress.check()?;
            let parts = tasks::try_map(wave, |part| {
                let tally = Tally::of_part(rows, part.clone(), flags)?;
                progress.advance(part.len() as u64);
                Ok::<_, Error>(tally)
            })?;
            parts.into_iter().for_each(|part| tally.merge(part));
        }
        progress.end();
        tally.finish()
    }
}

/// Counts what a parser reads or a compressor writes.
#[derive(Default)]
pub(super) struct Tally {
    fields: [NumberHistogram; Field::COUNT],
    arcs: u64,
}

impl Tally {
    /// The numbers that the compressor writes for a part.
    fn of_part(rows: &Scanned, part: Range<usize>, flags: &CompFlags) -> Result<Self> {
        let cannot = |problem: String| Error::Rows { problem };
        let mut tally = Tally::default();
        let encoder = Counter {
            tally: &mut tally,
            lengths: DynCodesEstimator::new(flags).map_err(|e| cannot(format!("{e:#}")))?,
        };
        let offsets = OffsetsWriter::from_write(io::sink(), true);
        let mut compressor = BvComp::new(
            encoder,
            offsets.map_err(|e| cannot(format!("{e:#}")))?,
            flags.compression_window,
            flags.max_ref_count,
            flags.min_interval_length,
            part.start,
            (),
        );
        (rows.scan)(part, &mut |_, row| {
            let pushed = compressor.push(row.iter().map(|&target| (target as usize, ())));
            pushed.map_err(|e| cannot(format!("{e:#}")))
        })?;
        compressor.flush().map_err(|e| cannot(format!("{e:#}")))?;
        Ok(tally)
    }

    fn merge(&mut self, other: Tally) {
        let fields = self.fields.iter_mut().zip(other.fields);
        fields.for_each(|(field, other)| field.merge(other));
        self.arcs += other.arcs;
    }

    fn finish(self) -> Result<FieldCounts> {
        let fields: Result<Vec<NumberDistribution>> = self
            .fields
            .into_iter()
            .map(NumberHistogram::finish)
            .collect();
        let fields = <[NumberDistribution; Field::COUNT]>::try_from(fields?);
        Ok(FieldCounts(fields.expect("one for each field")))
    }
}

impl CodeVisitor for Tally {
    #[inline]
    fn number(&mut self, field: Field, number: u64) {
        self.fields[field as usize].add(number);
    }

    #[inline(always)]
    fn end(&mut self, _: Component, _: impl FnOnce() -> u64) {}

    #[inline(always)]
    fn arcs(&mut self, _: Component, count: u64) {
        self.arcs += count;
    }

    #[inline(always)]
    fn start(&mut self, _: impl FnOnce() -> u64) {}
}

/// A file to the compressor: it counts the numbers, and says how long they would be.
struct Counter<'t> {
    tally: &'t mut Tally,
    lengths: DynCodesEstimator,
}

macro_rules! fields {
    ($($method:ident => $field:ident),* $(,)?) => {
        $(fn $method(&mut self, number: u64) -> Result<usize, Infallible> {
            self.tally.number(Field::$field, number);
            self.lengths.$method(number)
        })*
    };
}

impl Encode for Counter<'_> {
    type Error = Infallible;

    fields! {
        write_outdegree => Outdegree,
        write_reference_offset => Reference,
        write_block_count => BlockCount,
        write_block => Block,
        write_interval_count => IntervalCount,
        write_interval_start => IntervalStart,
        write_interval_len => IntervalLength,
        write_first_residual => FirstResidual,
        write_residual => Residual,
    }

    fn start_node(&mut self, _: usize) -> Result<usize, Infallible> {
        Ok(0)
    }

    fn end_node(&mut self, _: usize) -> Result<usize, Infallible> {
        Ok(0)
    }

    fn flush(&mut self) -> Result<usize, Infallible> {
        Ok(0)
    }
}

impl EncodeAndEstimate for Counter<'_> {
    type Estimator<'a>
        = &'a mut DynCodesEstimator
    where
        Self: 'a;

    fn estimator(&mut self) -> Self::Estimator<'_> {
        &mut self.lengths
    }
}

/// The bytes of the counts of all numbers at most, of which so many are distinct. Numbers from 1024 on are
/// counted in sorted lists, 16 bytes each and up to 8 for those that wait; the longest list is merged into
/// another. A list of successors has one first residual and one first interval, which may be any of twice as
/// many numbers as there are nodes; the distances between the others add up to less than there are nodes.
/// Random graphs have half as many distinct numbers, and real ones a tenth.
pub fn bytes_of_counts(nodes: u64, arcs: u64, min_interval: u64, distinct: u64) -> u64 {
    let firsts = nodes.min(arcs);
    let residuals = nodes.min(arcs - firsts);
    let intervals = match min_interval {
        0 => 0,
        length => (2 * nodes).min((arcs - firsts - residuals) / length),
    };
    // Lengths that are all different have sums of about the half of their squares.
    let lengths = 8 * (8 * arcs).isqrt();
    let all = (firsts + residuals + intervals + lengths).min(distinct);
    let longest = firsts.max(intervals).min(all);
    all.saturating_mul(24)
        .saturating_add(longest.saturating_mul(16))
}

/// How many distinct numbers so many bits hold at most: their words differ, so n of them have n times the
/// logarithm of n bits.
pub fn distinct_numbers(bits: u64) -> u64 {
    bits / u64::from((bits / 100).max(1 << 10).ilog2())
}
