//! The sums of some sources, and the words that they are in a checkpoint.

use super::distance::Distance;
use super::sums::{NodeSums, TermSum};
use super::whole::MOST_BITS;
use ethnum::U256;
use num_bigint::BigUint;

/// The sums of some sources.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Batch<D: Distance> {
    pub nodes: Vec<NodeSums<D>>,
    /// A row for each node, a column for each kind of terms.
    pub sums: Vec<TermSum>,
}

impl<D: Distance> Default for Batch<D> {
    fn default() -> Self {
        Batch {
            nodes: Vec::new(),
            sums: Vec::new(),
        }
    }
}

/// The words of a sum of terms.
const OF_TERMS: usize = 6;

impl<D: Distance> Batch<D> {
    /// The most words that so many nodes are.
    pub fn most_words(num_nodes: usize, num_terms: usize) -> usize {
        // Lengths of two numbers, each with the digits of a path, or of 2^32 paths.
        let of_node = 2 + 2 * (2 + MOST_BITS as usize / 64 + 2);
        num_nodes * (of_node + OF_TERMS * num_terms)
    }

    /// All sums as words; of numbers of any size, their digits behind their length.
    pub fn words(&self, num_terms: usize) -> Vec<u64> {
        let mut words = Vec::new();
        let mut terms = self.sums.chunks(num_terms.max(1));
        for node in &self.nodes {
            words.extend([node.reached.into(), node.print]);
            for number in [node.farthest.big(), D::of_sum(&node.distances)] {
                let digits = number.iter_u64_digits();
                words.push(digits.len() as u64);
                words.extend(digits);
            }
            for TermSum { units, doubt, real } in terms.next().into_iter().flatten() {
                let (high, low) = units.into_words();
                words.extend([low, low >> 64, high, high >> 64].map(|word| word as u64));
                words.extend([*doubt, real.to_bits()]);
            }
        }
        words
    }

    /// The sums that are these words; none if they are none.
    pub fn of_words(words: &[u64], num_terms: usize) -> Option<Self> {
        let mut batch = Batch::default();
        let mut words = words.iter().copied();
        while words.len() > 0 {
            let [reached, print] = [words.next()?, words.next()?];
            let mut number = || {
                let digits = usize::try_from(words.next()?).ok()?;
                let digits = digits.min(words.len());
                let digits = words.by_ref().take(digits);
                let bytes: Vec<u8> = digits.flat_map(u64::to_le_bytes).collect();
                Some(BigUint::from_bytes_le(&bytes))
            };
            let [farthest, distances] = [number()?, number()?];
            batch.nodes.push(NodeSums {
                reached: reached.try_into().ok()?,
                print,
                farthest: D::at_most(&farthest),
                distances: D::to_sum(&distances),
            });
            for _ in 0..num_terms {
                let mut half = || Some(u128::from(words.next()?) | u128::from(words.next()?) << 64);
                let [low, high] = [half()?, half()?];
                let (units, doubt) = (U256::from_words(high, low), words.next()?);
                let real = f64::from_bits(words.next()?);
                batch.sums.push(TermSum { units, doubt, real });
                if units >> 255u32 > U256::ZERO {
                    return None;
                }
            }
        }
        Some(batch)
    }
}
