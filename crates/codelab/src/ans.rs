//! Asymmetric numeral systems, as they are taught: a state x, a natural number, is a stack of symbols.
//!
//! With precision d, symbols s have frequencies f_s that sum to 2^d, and c_s is the sum of those before s:
//!
//! * sym(r), for r below 2^d, is the s with c_s <= r < c_(s+1): so sym(c_s) = s where f_s > 0;
//! * push(s): x becomes 2^d floor(x / f_s) + c_s + (x mod f_s);
//! * pop: with r = x mod 2^d and s = sym(r), x becomes f_s floor(x / 2^d) + r - c_s.
//!
//! A push makes x 2^d / f_s times as large, which are the bits that s is worth. [`AnsState`] is such a number,
//! however large: n symbols take O(n^2). [`Coder`] keeps x from 2^32 to below 2^64: before a push that
//! would make it larger, it writes the lower 32 bits as a word, and after a pop that made it smaller, it
//! reads them back. J. Duda, "Asymmetric numeral systems", 2013.

use num_bigint::BigUint;
use std::collections::BinaryHeap;
use webrank_base::error::{Error, Result};

/// Frequencies of symbols, which sum to a power of two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frequencies {
    precision: u32,
    /// c_s, and 2^d behind the last.
    starts: Vec<u32>,
}

/// The largest precision.
pub const FINEST: u32 = 31;

impl Frequencies {
    /// Frequencies that sum to 2^`precision`, as close to the weights as that allows: 1 at least for each
    /// symbol whose weight is not 0. O(n log n).
    ///
    /// # Errors
    /// If there are more such symbols than 2^`precision`, or none; if the precision is not from 1 to
    /// [`FINEST`].
    pub fn of(weights: &[u64], precision: u32) -> Result<Self> {
        let count = weights.iter().filter(|&&weight| weight > 0).count();
        if !(1..=FINEST).contains(&precision) || count > 1 << precision || count == 0 {
            let problem = format!(
                "{count} symbols need frequencies of 1 at least that sum to 2^d, with d from 1 to \
                 {FINEST}: give another precision"
            );
            return Err(Error::argument("--precision", precision, problem));
        }
        let sum: u128 = weights.iter().map(|&weight| u128::from(weight)).sum();
        let rounded = |&weight: &u64| match weight {
            0 => 0,
            weight => ((u128::from(weight) << precision) / sum).max(1) as u32,
        };
        let mut frequencies: Vec<u32> = weights.iter().map(rounded).collect();
        settle(&mut frequencies, weights, precision);
        let mut starts = vec![0u32];
        for frequency in frequencies {
            starts.push(starts[starts.len() - 1] + frequency);
        }
        Ok(Frequencies { precision, starts })
    }

    /// d.
    pub fn precision(&self) -> u32 {
        self.precision
    }

    /// f_s; 0 for symbols that there are not.
    pub fn frequency(&self, symbol: usize) -> u32 {
        let end = self.starts.get(symbol + 1);
        end.map_or(0, |end| end - self.starts[symbol])
    }

    /// c_s.
    pub fn start(&self, symbol: usize) -> u32 {
        self.starts[symbol]
    }

    /// How many symbols there are.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// False: one symbol at least has a frequency.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// sym(r), for r below 2^d.
    pub fn symbol(&self, rest: u32) -> usize {
        self.starts.partition_point(|&start| start <= rest) - 1
    }
}

/// Adds to frequencies, or takes from them, until they sum to 2^`precision`: one after the other where that
/// gains the most bits, or costs the fewest.
fn settle(frequencies: &mut [u32], weights: &[u64], precision: u32) {
    let sum: i64 = frequencies.iter().map(|&one| i64::from(one)).sum();
    let missing = (1i64 << precision) - sum;
    let is_short = missing > 0;
    // Positive floating-point numbers are in the order of their bits.
    let gain = |symbol: usize, frequency: u32| {
        let (weight, f) = (weights[symbol] as f64, f64::from(frequency));
        let bits = weight
            * if is_short {
                (1.0 / f).ln_1p()
            } else {
                -(-1.0 / f).ln_1p()
            };
        (
            if is_short {
                bits.to_bits()
            } else {
                !bits.to_bits()
            },
            symbol,
        )
    };
    let may = |frequency: u32| {
        if is_short {
            frequency > 0
        } else {
            frequency > 1
        }
    };
    let candidates = frequencies
        .iter()
        .enumerate()
        .filter(|&(_, &frequency)| may(frequency));
    let mut heap: BinaryHeap<_> = candidates.map(|(symbol, &f)| gain(symbol, f)).collect();
    for _ in 0..missing.abs() {
        let Some((_, symbol)) = heap.pop() else {
            return;
        };
        let frequency = &mut frequencies[symbol];
        *frequency = if is_short {
            *frequency + 1
        } else {
            *frequency - 1
        };
        if may(*frequency) {
            heap.push(gain(symbol, *frequency));
        }
    }
}

/// A state of any size.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AnsState(pub BigUint);

impl AnsState {
    /// Pushes a symbol; none if it has no frequency.
    pub fn push(&mut self, frequencies: &Frequencies, symbol: usize) -> Option<()> {
        let frequency = Some(frequencies.frequency(symbol)).filter(|&f| f > 0)?;
        let (quotient, rest) = (&self.0 / frequency, &self.0 % frequency);
        self.0 = (quotient << frequencies.precision) + rest + frequencies.start(symbol);
        Some(())
    }

    /// Pops the symbol that was pushed last.
    pub fn pop(&mut self, frequencies: &Frequencies) -> usize {
        let quotient = &self.0 >> frequencies.precision;
        let rest = &self.0 - (&quotient << frequencies.precision);
        let rest = u32::try_from(rest).expect("it is below 2^31");
        let symbol = frequencies.symbol(rest);
        self.0 = quotient * frequencies.frequency(symbol) + rest - frequencies.start(symbol);
        symbol
    }
}

/// The least state between operations.
const LEAST: u64 = 1 << 32;

/// A state of 64 bits, and words of 32 that it has written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coder {
    state: u64,
    words: Vec<u32>,
}

impl Default for Coder {
    fn default() -> Self {
        Coder {
            state: LEAST,
            words: Vec::new(),
        }
    }
}

impl Coder {
    /// Begins with a state, or with 2^32 more if it is below 2^32.
    pub fn from_state(state: u64) -> Self {
        let state = if state < LEAST { state + LEAST } else { state };
        Coder {
            state,
            words: Vec::new(),
        }
    }

    /// Pushes a symbol; none if it has no frequency.
    #[inline]
    pub fn push(&mut self, frequencies: &Frequencies, symbol: usize) -> Option<()> {
        let frequency = u64::from(Some(frequencies.frequency(symbol)).filter(|&f| f > 0)?);
        let d = frequencies.precision;
        // Beyond, the push would reach 2^64. With a frequency of 2^d, nothing does.
        if self.state >> (64 - d) >= frequency {
            self.words.push(self.state as u32);
            self.state >>= 32;
        }
        let start = u64::from(frequencies.start(symbol));
        self.state = ((self.state / frequency) << d) + start + self.state % frequency;
        Some(())
    }

    /// Pops the symbol that was pushed last; none if a word is missing, so that the code is damaged.
    #[inline]
    pub fn pop(&mut self, frequencies: &Frequencies) -> Option<usize> {
        let rest = (self.state & ((1 << frequencies.precision) - 1)) as u32;
        let symbol = frequencies.symbol(rest);
        let (frequency, start) = (frequencies.frequency(symbol), frequencies.start(symbol));
        self.state =
            u64::from(frequency) * (self.state >> frequencies.precision) + u64::from(rest - start);
        if self.state < LEAST {
            self.state = self.state << 32 | u64::from(self.words.pop()?);
        }
        Some(symbol)
    }

    /// True if all symbols have been popped.
    pub fn is_empty(&self) -> bool {
        self.state == LEAST && self.words.is_empty()
    }

    /// The bits of the words and the state.
    pub fn bits(&self) -> u64 {
        32 * self.words.len() as u64 + u64::from(64 - self.state.leading_zeros())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The table of a system: state x is in column sym(x mod 2^d), and is the k-th there, from 0 on: what
    /// pops to (k, s).
    fn table(frequencies: &Frequencies, states: u64) -> Vec<Vec<u64>> {
        let mut columns = vec![Vec::new(); frequencies.len()];
        for x in 0..states {
            let rest = (x % (1 << frequencies.precision())) as u32;
            let is_of = |&s: &usize| {
                (frequencies.start(s)..frequencies.start(s) + frequencies.frequency(s))
                    .contains(&rest)
            };
            let symbol = (0..frequencies.len()).find(is_of).unwrap();
            columns[symbol].push(x);
        }
        columns
    }

    /// A push of s goes from k to the k-th state of s: the definition, without formulas.
    #[test]
    fn a_push_goes_to_the_next_state_of_its_symbol() {
        let frequencies = Frequencies::of(&[5, 1, 2], 3).unwrap();
        assert_eq!([0, 1, 2].map(|s| frequencies.start(s)), [0, 5, 6]);
        for (symbol, column) in table(&frequencies, 800).into_iter().enumerate() {
            for (k, x) in column.into_iter().enumerate() {
                let mut state = AnsState(k.into());
                state.push(&frequencies, symbol).unwrap();
                assert_eq!(state, AnsState(x.into()));
                assert_eq!(state.pop(&frequencies), symbol);
                assert_eq!(state, AnsState(k.into()));
            }
        }
        assert_eq!(AnsState::default().push(&frequencies, 3), None);
    }

    #[test]
    fn frequencies_sum_to_a_power_of_two() {
        let of = |weights: &[u64], precision| {
            let found = Frequencies::of(weights, precision).unwrap();
            (0..weights.len())
                .map(|s| found.frequency(s))
                .collect::<Vec<_>>()
        };
        assert_eq!(of(&[10, 1, 1], 4), [14, 1, 1]);
        assert_eq!(of(&[2, 1, 1], 2), [2, 1, 1]);
        assert_eq!(of(&[1000, 1, 0, 1], 3), [6, 1, 0, 1]);
        assert_eq!(of(&[3], 1), [2]);
        assert_eq!(of(&[u64::MAX, u64::MAX, 1], 31)[2], 1);
        for (weights, precision) in [
            (&[1, 1, 1][..], 1),
            (&[], 4),
            (&[0], 4),
            (&[1, 1], 0),
            (&[1], 32),
        ] {
            assert!(Frequencies::of(weights, precision).is_err());
        }
    }

    #[test]
    fn the_state_takes_the_bits_that_symbols_are_worth() {
        let weights = [10, 3, 2, 1];
        let frequencies = Frequencies::of(&weights, 4).unwrap();
        let symbols: Vec<usize> = (0..4000)
            .map(|i| [0, 0, 1, 0, 0, 2, 0, 3, 1, 0][i * i % 10])
            .collect();
        let (mut state, mut coder) = (AnsState(1u32.into()), Coder::default());
        for &symbol in &symbols {
            state.push(&frequencies, symbol).unwrap();
            coder.push(&frequencies, symbol).unwrap();
        }
        let worth = symbols
            .iter()
            .map(|&s| -(weights[s] as f64 / 16.0).log2())
            .sum::<f64>();
        assert!(
            (state.0.bits() as f64 - worth).abs() < 0.01 * worth,
            "{worth}"
        );
        assert!((coder.bits() as f64 - worth - 32.0).abs() < 0.01 * worth);
    }

    proptest! {
        #[test]
        fn a_stack_of_symbols(
            weights in prop::collection::vec(0..1000u64, 1..20),
            precision in 5..=FINEST,
            places in prop::collection::vec(any::<prop::sample::Index>(), 0..300),
        ) {
            let there: Vec<usize> = (0..weights.len()).filter(|&s| weights[s] > 0).collect();
            prop_assume!(!there.is_empty());
            let frequencies = Frequencies::of(&weights, precision).unwrap();
            let sum: u64 = (0..weights.len()).map(|s| u64::from(frequencies.frequency(s))).sum();
            prop_assert_eq!(sum, 1 << precision);
            let symbols: Vec<usize> = places.iter().map(|place| there[place.index(there.len())]).collect();
            let (mut state, mut coder) = (AnsState::default(), Coder::default());
            for &symbol in &symbols {
                state.push(&frequencies, symbol).unwrap();
                coder.push(&frequencies, symbol).unwrap();
            }
            for &symbol in symbols.iter().rev() {
                prop_assert_eq!(state.pop(&frequencies), symbol);
                prop_assert_eq!(coder.pop(&frequencies), Some(symbol));
            }
            prop_assert_eq!(state, AnsState::default());
            prop_assert!(coder.is_empty());
        }

        #[test]
        fn damaged_words_end_without_a_panic(words in prop::collection::vec(any::<u32>(), 0..5), state: u64) {
            let frequencies = Frequencies::of(&[5, 1, 1], 7).unwrap();
            let mut coder = Coder { state, words };
            let mut count = 0;
            while count < 1000 && coder.pop(&frequencies).is_some() {
                count += 1;
            }
        }
    }
}
