//! Other kinds of compression on the same numbers: patched frames of reference, and an asymmetric
//! numeral system. They are measured by encoding, each block of lists on its own.
//!
//! * PFOR-DELTA (FastPFOR of the crate `fastpfor`) packs 128 numbers in as many bits as most of them
//!   need, and stores the rest as exceptions. It is made for speed. It takes numbers below 2^32.
//! * The asymmetric numeral system (of the crate `constriction`) gives each number the bits of its
//!   probability, as no code with whole bits can: numbers below 16 as they are, larger ones by their
//!   magnitude and next two bits, with the other bits beside. So it comes near the entropy, without a
//!   table of all numbers. Its table of probabilities is counted.
//! * [`ans`](crate::ans) and [`pfor`](crate::pfor) are the same as they are taught: the first with the same
//!   symbols and precision, the second with blocks of 128 numbers, a tenth of which may be exceptions.

use crate::ans::{Coder, Frequencies};
use crate::bits::Bits;
use crate::pfor::{Exceptions, Pfor};
use constriction::stream::Encode;
use constriction::stream::model::DefaultContiguousCategoricalEntropyModel as Model;
use constriction::stream::stack::DefaultAnsCoder;
use fastpfor::{AnyLenCodec, FastPFor128};
use serde::Serialize;
use std::ops::AddAssign;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_graph::bvgraph::meter::{CodeVisitor, Component, Field};
use webrank_graph::codes::count::{BLOCK_BITS, FieldCounts};
use webrank_graph::codes::histogram::NumberDistribution;
use webrank_graph::{Compressed, Rows};

/// The bits of the numbers of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Yardsticks {
    /// Patched frames of reference; none if a number does not fit.
    pub pfor_delta: Option<u64>,
    /// The asymmetric numeral system.
    pub numeral_system: u64,
    /// The asymmetric numeral system as it is taught.
    pub taught_numeral_system: u64,
    /// PFOR-DELTA as it is taught, with linked exceptions.
    pub pfor_linked: u64,
    /// PFOR-DELTA with escaped exceptions.
    pub pfor_escaped: u64,
}

impl AddAssign for Yardsticks {
    fn add_assign(&mut self, other: Self) {
        let sum = self.pfor_delta.zip(other.pfor_delta);
        self.pfor_delta = sum.map(|(one, other)| one + other);
        self.numeral_system += other.numeral_system;
        self.taught_numeral_system += other.taught_numeral_system;
        self.pfor_linked += other.pfor_linked;
        self.pfor_escaped += other.pfor_escaped;
    }
}

/// Encodes the numbers of a graph, which were counted before. O(n + m), parallel.
///
/// # Errors
/// If the file is damaged.
pub fn measure(
    graph: &Compressed,
    counts: &FieldCounts,
    progress: &dyn Progress,
) -> Result<[Yardsticks; Field::COUNT]> {
    progress.begin("yardsticks", Some(graph.num_nodes() as u64));
    let models = Field::ALL.map(|field| Symbols::of(&counts[field]));
    let mut sums = Field::ALL.map(|field| Yardsticks {
        pfor_delta: Some(0),
        numeral_system: models[field as usize].table_bits,
        taught_numeral_system: models[field as usize].table_bits,
        pfor_linked: 0,
        pfor_escaped: 0,
    });
    let blocks = graph.blocks(BLOCK_BITS);
    for wave in blocks.chunks(2 * rayon::current_num_threads()) {
        progress.check()?;
        let parts = tasks::try_map(wave, |block| {
            let encoders = models.each_ref().map(Encoder::new);
            let encoders = graph.listen(Encoders(encoders), block.clone(), |_, _| Ok(()))?;
            progress.advance(block.len() as u64);
            Ok::<_, Error>(encoders.0.map(Encoder::finish))
        })?;
        for part in parts {
            let pairs = sums.iter_mut().zip(part);
            pairs.for_each(|(sum, bits)| *sum += bits);
        }
    }
    Ok(sums)
}

/// Encodes a list of numbers, which were counted before, in all ways. O(n).
pub fn encode(numbers: &[u64], counted: &NumberDistribution) -> Yardsticks {
    let symbols = Symbols::of(counted);
    let mut encoder = Encoder::new(&symbols);
    numbers.iter().for_each(|&number| encoder.add(number));
    let mut bits = encoder.finish();
    bits.numeral_system += symbols.table_bits;
    bits.taught_numeral_system += symbols.table_bits;
    bits
}

/// Numbers below are symbols of their own.
const LITERAL: u64 = 16;
/// Above, so many bits below the leading one are part of the symbol.
const DETAIL: u32 = 2;

/// The symbol of a number, and how many of its bits are beside.
fn symbol(number: u64) -> (usize, u32) {
    if number < LITERAL {
        return (number as usize, 0);
    }
    let magnitude = number.ilog2();
    let beside = magnitude - DETAIL;
    let detail = (number >> beside) as usize & ((1 << DETAIL) - 1);
    let octave = (magnitude - LITERAL.ilog2()) as usize;
    (LITERAL as usize + (octave << DETAIL) + detail, beside)
}

/// The bits of the probability of a symbol.
const PRECISION: u32 = 24;

/// The probabilities of the symbols of a field.
struct Symbols {
    /// None if there are fewer than two symbols, which take no bits.
    model: Option<Model>,
    /// The model of the system as it is taught.
    frequencies: Option<Frequencies>,
    table_bits: u64,
}

impl Symbols {
    fn of(numbers: &NumberDistribution) -> Self {
        let mut counts = vec![0; symbol(numbers.max()).0 + 1];
        for &(number, count) in numbers.counts() {
            counts[symbol(number).0] += count;
        }
        let shares: Vec<f64> = counts.iter().map(|&count| count as f64).collect();
        let model = Model::from_floating_point_probabilities_fast(&shares, None);
        Symbols {
            table_bits: u64::from(PRECISION) * counts.len() as u64,
            model: model.ok(),
            frequencies: Frequencies::of(&counts, PRECISION).ok(),
        }
    }
}

/// The two kinds of exceptions.
const TAUGHT_PFOR: [Pfor; 2] = [
    Pfor::usual(Exceptions::Linked),
    Pfor::usual(Exceptions::Escaped),
];

/// The numbers of a page of [`FastPFor128`].
const PAGE: usize = 1 << 16;

/// Encodes the numbers of a field in a block of lists.
struct Encoder<'m> {
    symbols: &'m Symbols,
    coder: DefaultAnsCoder,
    taught: Coder,
    beside: u64,
    page: Vec<u32>,
    packed: Vec<u32>,
    /// A block of PFOR-DELTA as it is taught.
    block: Vec<u64>,
    taught_pfor_bits: [u64; 2],
    /// None once a number was too large.
    pfor_bits: Option<u64>,
}

impl<'m> Encoder<'m> {
    fn new(symbols: &'m Symbols) -> Self {
        Encoder {
            symbols,
            coder: DefaultAnsCoder::new(),
            taught: Coder::default(),
            beside: 0,
            page: Vec::new(),
            packed: Vec::new(),
            block: Vec::new(),
            taught_pfor_bits: [0; 2],
            pfor_bits: Some(0),
        }
    }

    fn add(&mut self, number: u64) {
        let (symbol, beside) = symbol(number);
        self.beside += u64::from(beside);
        if let Some(model) = &self.symbols.model {
            let coded = self.coder.encode_symbol(symbol, model);
            debug_assert!(coded.is_ok(), "the symbol was counted");
        }
        if let Some(frequencies) = &self.symbols.frequencies {
            let coded = self.taught.push(frequencies, symbol);
            debug_assert!(coded.is_some(), "the symbol was counted");
        }
        self.block.push(number);
        if self.block.len() == TAUGHT_PFOR[0].block {
            self.pack_block();
        }
        match u32::try_from(number) {
            Ok(number) => self.page.push(number),
            Err(_) => self.pfor_bits = None,
        }
        if self.page.len() == PAGE {
            self.pack();
        }
    }

    fn pack(&mut self) {
        self.packed.clear();
        let packed = FastPFor128::default().encode(&self.page, &mut self.packed);
        let bits = packed.ok().map(|()| 32 * self.packed.len() as u64);
        self.pfor_bits = self.pfor_bits.zip(bits).map(|(sum, bits)| sum + bits);
        self.page.clear();
    }

    fn pack_block(&mut self) {
        for (sum, code) in self.taught_pfor_bits.iter_mut().zip(TAUGHT_PFOR) {
            let mut bits = Bits::default();
            code.encode(&self.block, &mut bits);
            *sum += bits.len();
        }
        self.block.clear();
    }

    fn finish(mut self) -> Yardsticks {
        self.pack_block();
        if !self.page.is_empty() {
            self.pack();
        }
        Yardsticks {
            pfor_delta: self.pfor_bits,
            numeral_system: self.beside + self.coder.num_valid_bits() as u64,
            taught_numeral_system: self.beside + self.taught.bits(),
            pfor_linked: self.taught_pfor_bits[0],
            pfor_escaped: self.taught_pfor_bits[1],
        }
    }
}

struct Encoders<'m>([Encoder<'m>; Field::COUNT]);

impl CodeVisitor for Encoders<'_> {
    fn number(&mut self, field: Field, number: u64) {
        self.0[field as usize].add(number);
    }

    fn end(&mut self, _: Component, _: impl FnOnce() -> u64) {}

    fn arcs(&mut self, _: Component, _: u64) {}

    fn start(&mut self, _: impl FnOnce() -> u64) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encode(numbers: &[u64]) -> Yardsticks {
        super::encode(
            numbers,
            &NumberDistribution::of(numbers.iter().copied()).unwrap(),
        )
    }

    #[test]
    fn symbols_and_the_bits_beside_them_are_the_number() {
        let mut before = None;
        for number in (0..5000).chain((5000..1 << 40).step_by(1 << 33)) {
            let (symbol, beside) = symbol(number);
            let rest = number & ((1 << beside) - 1);
            assert!(before < Some((symbol, rest)), "{number}");
            before = Some((symbol, rest));
        }
        assert_eq!(symbol(15), (15, 0));
        assert_eq!(symbol(16), (16, 2));
        assert_eq!(symbol(31), (19, 2));
        assert_eq!(symbol(32), (20, 3));
    }

    /// Numbers up to 15 are symbols, so the numeral system takes their entropy and a table.
    #[test]
    fn small_numbers_take_their_entropy() {
        let numbers: Vec<u64> = (0..100_000u64)
            .map(|i| (1 + i * i % 97).ilog2().into())
            .collect();
        let entropy = NumberDistribution::of(numbers.iter().copied())
            .unwrap()
            .entropy();
        let found = encode(&numbers);
        let ideal = entropy * numbers.len() as f64;
        for bits in [found.numeral_system, found.taught_numeral_system] {
            let bits = bits as f64;
            assert!(
                ideal < bits && bits < 1.001 * ideal + 500.0,
                "{bits}, {ideal}"
            );
        }
    }

    #[test]
    fn equal_numbers_take_nothing_and_large_ones_do_not_fit() {
        let equal = encode(&[0; 5000]);
        assert_eq!(equal.numeral_system, 24);
        // A table of one symbol, and the first state.
        assert_eq!(equal.taught_numeral_system, 24 + 33);
        assert_eq!(equal.pfor_linked, 40 * 22);
        let packed = encode(&[5; 128 * 100]).pfor_delta.unwrap();
        // Three bits each, and headers.
        assert!((3 * 12_800..4 * 12_800).contains(&packed), "{packed}");
        assert_eq!(encode(&[1 << 32, 1]).pfor_delta, None);
        assert!(encode(&[u32::MAX.into(); 300]).pfor_delta.unwrap() >= 32 * 300);
    }
}
