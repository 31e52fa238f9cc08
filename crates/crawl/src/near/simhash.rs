//! SimHash: 64 bits of a text that are nearly the same for texts that are nearly the same.
//!
//! Each n-gram of words (n consecutive words) has a hash h of 64 bits. Bit b of the fingerprint is 1
//! if the sum over all n-grams of tf x (1 if bit b of h is 1, otherwise -1) is positive, where tf is
//! how often the n-gram occurs. The probability that two fingerprints differ in a bit is the angle
//! between the vectors of term frequencies, divided by pi: Charikar, "Similarity estimation techniques
//! from rounding algorithms", STOC 2002.
//!
//! The hash of a word is xxh3-64 of its UTF-8 bytes, that of an n-gram is xxh3-64 of the hashes of its
//! words as little-endian bytes, both with the seed [`KEY`]: fingerprints are the same on all machines.

use super::words::Words;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The seed of all hashes; another one makes other fingerprints.
pub const KEY: u64 = 0x7765_6272_616e_6b31;

/// The fingerprint of a page without words, or that was not fetched: it is like no other.
pub const NONE: u64 = 0;

/// The words of an n-gram by default.
pub const WORDS: usize = 3;

/// The longest n-gram.
const MAX_WORDS: usize = 16;

/// The fingerprint of a text that comes part by part. A kilobyte of memory, whatever the text; about
/// 40 ns a word.
///
/// ```
/// use webrank_crawl::near::{SimHash, distance};
///
/// let of = |text: &str| SimHash::default().text(text).fingerprint();
/// let page = "a graph that holds the pages of the web and the links between them, on one machine";
/// assert_eq!(of(page), of(&page.to_uppercase()));
/// assert!(distance(of(page), of(&format!("{page} at last"))) < 32);
/// ```
#[derive(Debug, Clone)]
pub struct SimHash {
    words: Words,
    grams: Grams,
}

/// The sums of the bits of the hashes of n-grams.
#[derive(Debug, Clone)]
struct Grams {
    /// The words of an n-gram.
    n: usize,
    /// The hashes of the last words, the latest last.
    recent: [u64; MAX_WORDS],
    /// The number of words so far.
    words: u64,
    /// The number of n-grams so far.
    count: u64,
    /// How many of them have a 1 at each bit.
    ones: [u64; 64],
}

impl Default for SimHash {
    fn default() -> Self {
        SimHash::new(WORDS)
    }
}

impl SimHash {
    /// A fingerprint of n-grams of so many words: at least 1, and at most 16.
    pub fn new(n: usize) -> Self {
        SimHash {
            words: Words::default(),
            grams: Grams {
                n: n.clamp(1, MAX_WORDS),
                recent: [0; MAX_WORDS],
                words: 0,
                count: 0,
                ones: [0; 64],
            },
        }
    }

    /// Adds the words of a text, without numbers and dates; no word goes on in the next text.
    pub fn text(mut self, text: &str) -> Self {
        self.add(text);
        self
    }

    /// The same in place.
    pub fn add(&mut self, text: &str) {
        let grams = &mut self.grams;
        self.words.read(text, &mut |word| grams.add(word));
    }

    /// The fingerprint; [`NONE`] if there was no word. Of fewer words than an n-gram has, all make one
    /// n-gram.
    pub fn fingerprint(mut self) -> u64 {
        let grams = &mut self.grams;
        self.words.finish(&mut |word| grams.add(word));
        self.grams.fingerprint()
    }
}

impl Grams {
    fn add(&mut self, word: &str) {
        self.recent.rotate_left(1);
        self.recent[MAX_WORDS - 1] = xxh3_64_with_seed(word.as_bytes(), KEY);
        self.words += 1;
        if self.words >= self.n as u64 {
            self.count_gram(self.n);
        }
    }

    /// Counts the n-gram of the last `n` words.
    fn count_gram(&mut self, n: usize) {
        let mut bytes = [0; 8 * MAX_WORDS];
        let recent = &self.recent[MAX_WORDS - n..];
        for (place, hash) in bytes.chunks_exact_mut(8).zip(recent) {
            place.copy_from_slice(&hash.to_le_bytes());
        }
        let hash = xxh3_64_with_seed(&bytes[..8 * n], KEY);
        for (bit, ones) in self.ones.iter_mut().enumerate() {
            *ones += hash >> bit & 1;
        }
        self.count += 1;
    }

    fn fingerprint(mut self) -> u64 {
        if self.words == 0 {
            return NONE;
        }
        if self.count == 0 {
            self.count_gram(self.words as usize);
        }
        // The sum is positive where more than half of the n-grams have a 1.
        let bits = self.ones.iter().enumerate();
        let set = bits.filter(|&(_, &ones)| 2 * ones > self.count);
        let fingerprint = set.fold(0, |bits, (bit, _)| bits | 1 << bit);
        match fingerprint {
            // One of 2^64; the last bit tells it from none.
            NONE => 1,
            fingerprint => fingerprint,
        }
    }
}

/// How many bits two fingerprints differ in: their Hamming distance.
#[inline]
pub fn distance(a: u64, b: u64) -> u32 {
    (a ^ b).count_ones()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    /// The definition, by a table of term frequencies and sums with signs.
    fn by_definition(words: &[&str], n: usize) -> u64 {
        let hashes = words
            .iter()
            .map(|word| xxh3_64_with_seed(word.as_bytes(), KEY));
        let hashes: Vec<u64> = hashes.collect();
        if hashes.is_empty() {
            return NONE;
        }
        let mut frequency: HashMap<Vec<u8>, i64> = HashMap::new();
        for gram in hashes.windows(n.min(hashes.len())) {
            let bytes = gram.iter().flat_map(|hash| hash.to_le_bytes()).collect();
            *frequency.entry(bytes).or_default() += 1;
        }
        let mut fingerprint = 0;
        for bit in 0..64 {
            let sum: i64 = frequency
                .iter()
                .map(|(gram, tf)| match xxh3_64_with_seed(gram, KEY) >> bit & 1 {
                    1 => *tf,
                    _ => -tf,
                })
                .sum();
            fingerprint |= u64::from(sum > 0) << bit;
        }
        fingerprint.max(1)
    }

    proptest! {
        #[test]
        fn fingerprints_are_as_defined(
            words in prop::collection::vec("[a-e]{1,2}", 0..60),
            n in 1usize..=MAX_WORDS,
            cut in 0usize..60,
        ) {
            // `am` is a word of dates, but there are no numbers.
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let cut = cut.min(words.len());
            let fingerprint = SimHash::new(n)
                .text(&words[..cut].join(" "))
                .text(&words[cut..].join("\n"))
                .fingerprint();
            prop_assert_eq!(fingerprint, by_definition(&words, n));
        }

        #[test]
        fn no_text_is_too_strange(text in any::<String>()) {
            let words = text.chars().any(char::is_alphabetic);
            let fingerprint = SimHash::default().text(&text).fingerprint();
            prop_assert!(words || fingerprint == NONE);
        }
    }

    /// A change of the hash, of the key or of the rules for words would change all fingerprints that
    /// were ever written.
    #[test]
    fn fingerprints_never_change() {
        let of = |n, text: &str| SimHash::new(n).text(text).fingerprint();
        assert_eq!(of(3, ""), NONE);
        assert_eq!(of(3, "2026-11-23 17:05"), NONE);
        assert_eq!(of(3, "word"), FIXED[0]);
        assert_eq!(of(3, "To be, or not to be: that is the question"), FIXED[1]);
        assert_eq!(of(1, "To be, or not to be: that is the question"), FIXED[2]);
    }

    /// By another implementation of xxh3, in Python.
    const FIXED: [u64; 3] = [
        0xec25_d498_4520_0780,
        0x2220_a013_ba42_0c09,
        0x41ad_0873_4431_a402,
    ];

    #[test]
    fn copies_of_a_page_are_near_and_other_pages_are_far() {
        let text = |salt: u32| {
            let word = |i: u32| {
                let hash = xxh3_64_with_seed(&(1000 * salt + i).to_le_bytes(), 7);
                let letter = |at: u32| char::from(b'a' + (hash >> (5 * at) & 15) as u8);
                (0..6).map(letter).collect::<String>()
            };
            (0..800).map(word).collect::<Vec<_>>().join(" ")
        };
        let of = |text: &str| SimHash::default().text(text).fingerprint();
        let (one, other) = (text(1), text(2));
        let copy = format!("Printed on 23 November 2026. {one}");
        let later = format!("Printed on 2 May 2027. {one}");
        assert_eq!(of(&copy), of(&later));
        assert!(distance(of(&one), of(&copy)) <= 6);
        assert!(distance(of(&one), of(&other)) > 16);
    }
}
