//! A sorted table of permuted fingerprints, compressed, in which neighbours are looked up.
//!
//! Fingerprints next to each other in the order share their first bits. A block of 1024 bytes begins
//! with a whole fingerprint; of the XOR of each of the next ones with the one before, it has the place
//! of the highest bit, in a Huffman code, and the bits below. The key of a block is its last
//! fingerprint: keys are searched by interpolation, and one block or a few are decoded. Section 3.3 of
//! the paper.

use super::distance;
use super::permutation::Permutation;
use dsi_bitstream::prelude::{
    BE, BitRead, BitWrite, BufBitReader, BufBitWriter, MemWordReader, MemWordWriterVec,
};
use rayon::prelude::*;
use std::collections::HashMap;
use sux::func::codec::{Codec, Coder, Decoder, HuffmanConf, HuffmanDecoder};
use webrank_base::error::Result;
use webrank_base::memory::reserve;

/// The 32-bit words of a block.
const WORDS: usize = 256;

/// The bits of a block.
const BITS: u32 = 32 * WORDS as u32;

/// See the [module](self).
pub(super) struct Table {
    order: Permutation,
    /// How many bits are in front.
    front: u32,
    /// The last fingerprint of each block.
    keys: Vec<u64>,
    /// The blocks, one after the other.
    blocks: Vec<u32>,
    code: Code,
}

impl Table {
    /// A table with the bits of `front` in front. The words differ from each other.
    pub(super) fn new(words: &[u64], front: u64) -> Result<Self> {
        let order = Permutation::with_front(front);
        let mut sorted: Vec<u64> = Vec::new();
        reserve(&mut sorted, words.len(), WHAT)?;
        sorted.extend(words.iter().map(|&word| order.apply(word)));
        sorted.par_sort_unstable();
        let code = Code::of(&sorted);
        let (mut keys, mut blocks, mut rest) = (Vec::new(), Vec::new(), &sorted[..]);
        while let Some((&first, others)) = rest.split_first() {
            let (block, last, count) = code.block(first, others);
            reserve(&mut keys, 1, WHAT)?;
            keys.push(last);
            reserve(&mut blocks, WORDS, WHAT)?;
            blocks.extend(block);
            rest = &others[count..];
        }
        Ok(Table {
            order,
            front: front.count_ones(),
            keys,
            blocks,
            code,
        })
    }

    /// The bytes of the table.
    pub(super) fn memory(&self) -> u64 {
        4 * self.blocks.len() as u64 + 8 * self.keys.len() as u64
    }

    /// Calls `found` for the fingerprints that agree with the query in front and are at a distance of
    /// at most `k`.
    pub(super) fn near(&self, query: u64, k: u32, found: &mut dyn FnMut(u64)) {
        let query = self.order.apply(query);
        let behind = u64::MAX.checked_shr(self.front).unwrap_or(0);
        let (low, high) = (query & !behind, query | behind);
        let first = first_at_least(&self.keys, low);
        for (&key, block) in self.keys.iter().zip(self.blocks.chunks(WORDS)).skip(first) {
            self.code.read(block, key, &mut |word| {
                if (low..=high).contains(&word) && distance(query, word) <= k {
                    found(self.order.undo(word));
                }
                word < high
            });
            if key >= high {
                return;
            }
        }
    }
}

const WHAT: &str = "a table of fingerprints";

/// The place of the first key that is at least `goal`; the number of keys if there is none. Every
/// second step halves what is left, so that the steps are few whatever the keys.
fn first_at_least(keys: &[u64], goal: u64) -> usize {
    let (mut low, mut high, mut halves) = (0, keys.len(), false);
    while low < high {
        let (first, last) = (keys[low], keys[high - 1]);
        if goal <= first {
            return low;
        }
        if goal > last {
            return high;
        }
        let middle = match halves {
            true => low + (high - low) / 2,
            false => {
                let share = u128::from(goal - first) * (high - 1 - low) as u128;
                low + (share / u128::from(last - first)) as usize
            }
        };
        match keys[middle] < goal {
            true => low = middle + 1,
            false => high = middle,
        }
        halves = !halves;
    }
    low
}

/// A Huffman code of the places of highest bits.
struct Code {
    /// The word of each place and its length.
    words: [(u64, u32); 64],
    decoder: HuffmanDecoder<u8>,
    /// The length of the longest word.
    longest: u32,
}

/// Counts are scaled to this sum: no word is longer than a reader looks ahead.
const SCALE: u64 = 1 << 20;

impl Code {
    /// The code for the differences in a sorted table.
    fn of(sorted: &[u64]) -> Self {
        let mut counts = [0u64; 64];
        for pair in sorted.windows(2) {
            counts[highest(pair[0] ^ pair[1]) as usize] += 1;
        }
        let all = sorted.len().max(1) as u64;
        let scaled =
            |count: u64| (u128::from(count) * u128::from(SCALE) / u128::from(all)) as usize;
        let counts = (0..).zip(counts);
        let counts: HashMap<u8, usize> = counts
            .map(|(place, count)| (place, scaled(count).max(1)))
            .collect();
        let coder = HuffmanConf::unlimited().build_coder(&counts);
        let mut words = [(0, 0); 64];
        for (place, word) in (0u8..).zip(&mut words) {
            let length = coder.codeword_len(place);
            // The first bit of a word is its lowest.
            let bits = coder.encode(place).unwrap_or(0) as u64;
            *word = (bits.reverse_bits() >> (64 - length), length);
        }
        let decoder = coder.into_decoder();
        Code {
            words,
            longest: decoder.max_codeword_len(),
            decoder,
        }
    }

    /// A block of `first` and as many of the `others` as fit; the last of them, and their number.
    fn block(&self, first: u64, others: &[u64]) -> (Vec<u32>, u64, usize) {
        let words = MemWordWriterVec::new(Vec::with_capacity(WORDS));
        let mut out = BufBitWriter::<BE, _>::new(words);
        let mut write = |bits: u64, length: u32| {
            let written = out.write_bits(bits, length as usize);
            written.expect("a list grows");
        };
        write(first, 64);
        let (mut used, mut last, mut count) = (64, first, 0);
        for &word in others {
            let different = last ^ word;
            let place = highest(different);
            let (bits, length) = self.words[place as usize];
            used += length + place;
            if used > BITS {
                break;
            }
            write(bits, length);
            write(different ^ 1 << place, place);
            (last, count) = (word, count + 1);
        }
        let words = out.into_inner().expect("a list grows");
        let mut block = words.into_inner();
        block.resize(WORDS, 0);
        (block, last, count)
    }

    /// Calls `each` with the fingerprints of a block, which ends with `key`, until it returns false.
    fn read(&self, block: &[u32], key: u64, each: &mut dyn FnMut(u64) -> bool) {
        let mut bits = BufBitReader::<BE, _>::new(MemWordReader::new_inf(block));
        let Ok(mut word) = bits.read_bits(64);
        while each(word) && word != key {
            let Ok(ahead) = bits.peek_bits(self.longest as usize);
            let Some(place) = self.decoder.decode(ahead as usize) else {
                return;
            };
            let Ok(()) = bits.skip_bits(self.words[place as usize].1 as usize);
            let Ok(below) = bits.read_bits(place.into());
            word ^= 1 << place | below;
        }
    }
}

/// The place of the highest bit of a number that is not 0.
fn highest(number: u64) -> u32 {
    63 - number.leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn keys_are_found(mut keys in prop::collection::vec(any::<u64>(), 0..200), goal: u64, near: bool) {
            let goal = if near { keys.first().map_or(goal, |key| key ^ goal >> 60) } else { goal };
            keys.sort_unstable();
            let expected = keys.partition_point(|&key| key < goal);
            prop_assert_eq!(first_at_least(&keys, goal), expected);
        }

        #[test]
        fn tables_hold_what_was_put_in(
            words in prop::collection::btree_set(any::<u64>(), 0..2000),
            narrow in 0u32..60,
            front: u64,
            query: u64,
        ) {
            // Few bits make many neighbours.
            let words: std::collections::BTreeSet<u64> =
                words.into_iter().map(|word| word >> narrow).collect();
            let words: Vec<u64> = words.into_iter().collect();
            let table = Table::new(&words, front).unwrap();
            let query = query >> narrow;
            for k in [2, 10, 64] {
                let mut found = Vec::new();
                table.near(query, k, &mut |word| found.push(word));
                found.sort_unstable();
                let agrees = |word: &u64| (word ^ query) & front == 0 && distance(*word, query) <= k;
                let expected: Vec<u64> = words.iter().copied().filter(agrees).collect();
                prop_assert_eq!(found, expected);
            }
        }
    }

    #[test]
    fn a_fingerprint_takes_what_the_paper_says() {
        // Neighbours among 2^d random fingerprints of 64 bits share about d bits: in the paper 2^34
        // fingerprints shrink to about half; the fewer there are, the less.
        let words: Vec<u64> = (0..1u64 << 16)
            .map(|i| xxhash_rust::xxh3::xxh3_64(&i.to_le_bytes()))
            .collect();
        let table = Table::new(&words, u64::MAX << 32).unwrap();
        let bits = 8.0 * table.memory() as f64 / words.len() as f64;
        assert!((50.0..53.0).contains(&bits), "{bits}");
    }
}
