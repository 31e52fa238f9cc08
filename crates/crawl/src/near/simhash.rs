//! SimHash: 64 bits of a text that are nearly the same for texts that are nearly the same.
//!
//! Each part of a text, n consecutive words or characters ([`Signals`]), has a hash h of 64 bits. Bit b of
//! the fingerprint is 1 if the sum over all different parts of w x (1 if bit b of h is 1, otherwise -1) is
//! positive, where w is the weight of the part, usually how often it occurs. The probability that two
//! fingerprints differ in a bit is the angle between the vectors of weights, divided by pi: Charikar,
//! "Similarity estimation techniques from rounding algorithms", STOC 2002.
//!
//! The hash of a word is xxh3-64 of its UTF-8 bytes, that of several words is xxh3-64 of the hashes of the
//! words as little-endian bytes, and that of characters is xxh3-64 of their UTF-8 bytes, all with the seed
//! [`KEY`]: fingerprints are the same on all machines.

use super::signals::{LONGEST, Signals, TermWeights, TextUnit};
use super::words::Words;
use std::collections::HashMap;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The seed of all hashes; another one makes other fingerprints.
pub const KEY: u64 = 0x7765_6272_616e_6b31;

/// The fingerprint of a page without words, or that was not fetched: it is like no other. A fingerprint
/// whose bits are all 0 is written as 1.
pub const NONE: u64 = 0;

/// The fingerprint of a text that comes bit by bit. A kilobyte of memory, whatever the text, and 20 bytes for
/// each different part unless weights are counts; about 40 ns a word.
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

/// The sums of the bits of the hashes of parts.
#[derive(Debug, Clone)]
struct Grams {
    signals: Signals,
    /// The hashes of the last words, or the last characters, the latest last.
    recent: [u64; LONGEST],
    /// The number of words or characters so far.
    units: u64,
    sums: Sums,
    /// How often each part occurs, unless it counts as often.
    frequencies: HashMap<u64, u64>,
}

/// How much of the weight has a 1 at each bit, and all of it.
#[derive(Debug, Clone)]
struct Sums {
    ones: [u64; 64],
    total: u64,
}

impl Sums {
    fn add(&mut self, hash: u64, weight: u64) {
        for (bit, ones) in self.ones.iter_mut().enumerate() {
            *ones += (hash >> bit & 1) * weight;
        }
        self.total += weight;
    }
}

impl Default for SimHash {
    fn default() -> Self {
        SimHash::of(Signals::default())
    }
}

impl SimHash {
    /// A fingerprint of so many words at a time: at least 1, and at most 16.
    pub fn new(n: usize) -> Self {
        SimHash::of(Signals {
            unit: TextUnit::Words(n.min(LONGEST) as u32),
            ..Signals::default()
        })
    }

    /// A fingerprint of these signals.
    pub fn of(signals: Signals) -> Self {
        SimHash {
            words: Words::default(),
            grams: Grams {
                signals,
                recent: [0; LONGEST],
                units: 0,
                sums: Sums {
                    ones: [0; 64],
                    total: 0,
                },
                frequencies: HashMap::new(),
            },
        }
    }

    /// Adds the words of a text, without numbers and dates; no word goes on in the next text.
    pub fn text(mut self, text: &str) -> Self {
        self.add(text);
        self
    }

    /// As [`text`](Self::text), in place.
    pub fn add(&mut self, text: &str) {
        let grams = &mut self.grams;
        self.words.read(text, &mut |word| grams.add(word));
    }

    /// The fingerprint; [`NONE`] if there was no word. Fewer words or characters than a part has make one
    /// part.
    pub fn fingerprint(mut self) -> u64 {
        let grams = &mut self.grams;
        self.words.finish(&mut |word| grams.add(word));
        self.grams.fingerprint()
    }
}

impl Grams {
    fn add(&mut self, word: &str) {
        match self.signals.unit {
            TextUnit::Words(_) => self.push(xxh3_64_with_seed(word.as_bytes(), KEY)),
            TextUnit::Characters(_) => {
                let characters = word.chars().chain([' ']);
                characters.for_each(|character| self.push(u64::from(character)));
            }
        }
    }

    /// Adds a word by its hash, or a character.
    fn push(&mut self, unit: u64) {
        self.recent.rotate_left(1);
        self.recent[LONGEST - 1] = unit;
        self.units += 1;
        let n = self.signals.unit.length();
        if self.units >= n as u64 {
            self.count(n);
        }
    }

    /// Counts the part of the last `n` words or characters.
    fn count(&mut self, n: usize) {
        let mut bytes = [0; 8 * LONGEST];
        let mut length = 0;
        for unit in &self.recent[LONGEST - n..] {
            let place = &mut bytes[length..length + 8];
            length += match self.signals.unit {
                TextUnit::Words(_) => {
                    place.copy_from_slice(&unit.to_le_bytes());
                    8
                }
                // Only characters were pushed.
                TextUnit::Characters(_) => char::from_u32(*unit as u32)
                    .unwrap_or(' ')
                    .encode_utf8(place)
                    .len(),
            };
        }
        let hash = xxh3_64_with_seed(&bytes[..length], KEY);
        match self.signals.weights {
            TermWeights::Count => self.sums.add(hash, 1),
            TermWeights::Once | TermWeights::Log => *self.frequencies.entry(hash).or_default() += 1,
        }
    }

    fn fingerprint(mut self) -> u64 {
        if self.units == 0 {
            return NONE;
        }
        if self.units < self.signals.unit.length() as u64 {
            self.count(self.units as usize);
        }
        for (hash, tf) in &self.frequencies {
            self.sums.add(*hash, self.signals.weights.of(*tf));
        }
        // The sum is positive where more than half of the weight has a 1.
        let bits = self.sums.ones.iter().enumerate();
        let bits = bits.take(self.signals.bits as usize);
        let set = bits.filter(|&(_, &ones)| 2 * ones > self.sums.total);
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

    /// The definition, by a table of frequencies and sums with signs.
    fn by_definition(words: &[&str], signals: Signals) -> u64 {
        let units: Vec<Vec<u8>> = match signals.unit {
            TextUnit::Words(_) => {
                let hash = |word: &&str| xxh3_64_with_seed(word.as_bytes(), KEY).to_le_bytes();
                words.iter().map(|word| hash(word).to_vec()).collect()
            }
            TextUnit::Characters(_) => {
                let text: String = words.iter().flat_map(|word| [*word, " "]).collect();
                text.chars().map(|it| it.to_string().into_bytes()).collect()
            }
        };
        if units.is_empty() {
            return NONE;
        }
        let mut frequency: HashMap<Vec<u8>, i64> = HashMap::new();
        for part in units.windows(signals.unit.length().min(units.len())) {
            *frequency.entry(part.concat()).or_default() += 1;
        }
        let mut fingerprint = 0;
        for bit in 0..signals.bits {
            let sum: i64 = frequency
                .iter()
                .map(|(part, tf)| {
                    let weight = match signals.weights {
                        TermWeights::Count => *tf,
                        TermWeights::Once => 1,
                        TermWeights::Log => 1 + (*tf as f64).log2().floor() as i64,
                    };
                    match xxh3_64_with_seed(part, KEY) >> bit & 1 {
                        1 => weight,
                        _ => -weight,
                    }
                })
                .sum();
            fingerprint |= u64::from(sum > 0) << bit;
        }
        fingerprint.max(1)
    }

    fn any_signals() -> impl Strategy<Value = Signals> {
        let unit = (1u32..=LONGEST as u32, any::<bool>()).prop_map(|(n, words)| match words {
            true => TextUnit::Words(n),
            false => TextUnit::Characters(n),
        });
        let weights = prop::sample::select(vec![
            TermWeights::Count,
            TermWeights::Once,
            TermWeights::Log,
        ]);
        (unit, 1u32..=64, weights).prop_map(|(unit, bits, weights)| Signals {
            unit,
            bits,
            weights,
        })
    }

    proptest! {
        #[test]
        fn fingerprints_are_as_defined(
            words in prop::collection::vec("[a-eé東]{1,2}", 0..60),
            signals in any_signals(),
            cut in 0usize..60,
        ) {
            // `am` is a word of dates, but there are no numbers. A character of Chinese is a word.
            let text = words.join(" ").replace('東', " 東 ");
            let words: Vec<&str> = text.split_whitespace().collect();
            let cut = cut.min(words.len());
            let fingerprint = SimHash::of(signals)
                .text(&words[..cut].join(" "))
                .text(&words[cut..].join("\n"))
                .fingerprint();
            prop_assert_eq!(fingerprint, by_definition(&words, signals));
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
        let unit = TextUnit::Characters(5);
        for (bits, weights, expected) in [
            (64, TermWeights::Count, FIXED[3]),
            (64, TermWeights::Log, FIXED[4]),
            (32, TermWeights::Once, FIXED[5]),
        ] {
            let signals = Signals {
                unit,
                bits,
                weights,
            };
            let text = "To be, or not to be: that is to be or not to be, or to be or not";
            assert_eq!(SimHash::of(signals).text(text).fingerprint(), expected);
        }
    }

    /// By another implementation of xxh3, in Python.
    const FIXED: [u64; 6] = [
        0xec25_d498_4520_0780,
        0x2220_a013_ba42_0c09,
        0x41ad_0873_4431_a402,
        0x8157_6afd_54e6_932f,
        0x8547_2abf_d4e6_932e,
        0x0000_0000_d0e6_932d,
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
