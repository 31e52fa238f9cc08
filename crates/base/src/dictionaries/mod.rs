//! Dictionaries that keep no keys, and so take few bits, but answer wrongly for a stranger now and then.
//!
//! * [`Signed`]: a key has its place in the list, checked by a signature of r bits at that place: n (b + r) +
//!   1.23 n bits for places of b bits;
//! * [`SelfSigned`]: the value of a key is its signature: n r + 1.23 n bits, and whether a key is there;
//! * [`Bloom`]: r hash functions, and r / ln 2 = 1.44 r bits for each key.
//!
//! A stranger is taken for a key with probability 2^-r. A look-up in the first two reads three cells; in the
//! last, r bits for a key, and two on average for a stranger. B. Bloom, 1970; D. Belazzougui and others,
//! "Monotone minimal perfect hashing", 2009.

pub mod function;
pub mod hypergraph;
mod stored;

use crate::error::{Error, Result};
use crate::memory::zeros;
pub use function::{CellLayout, Function};
use hypergraph::Drawn;
use xxhash_rust::xxh3::xxh3_128_with_seed;

/// A set of keys that holds a stranger with some probability.
pub trait Dictionary {
    /// True for each key, and for a stranger with a probability of 2^-r.
    fn contains(&self, key: &[u8]) -> bool;
    /// The bits that it takes.
    fn bits(&self) -> u64;
}

/// Keys in order, with signatures.
#[derive(Debug, Clone)]
pub struct Signed {
    places: Function,
    signatures: crate::bits::Bits,
    width: u32,
}

impl Signed {
    /// The dictionary of different keys, with signatures of `width` bits. O(n).
    ///
    /// # Errors
    /// If keys are not different, or too many; if `width` is not from 1 to 64; if memory is short.
    pub fn new<K: AsRef<[u8]>>(keys: &[K], width: u32) -> Result<Self> {
        check_width(width)?;
        let of_place = crate::bits::width(keys.len().saturating_sub(1) as u64);
        let places = Function::new(keys, of_place, CellLayout::Hinges, |place, _| place as u64)?;
        let mut signatures = crate::bits::Bits::default();
        for key in keys {
            signatures.push(places.get_drawn(key.as_ref()).1.draw(), width);
        }
        Ok(Signed {
            places,
            signatures,
            width,
        })
    }

    /// The place of a key; none, or with a probability of 2^-r some place, for a stranger.
    #[inline]
    pub fn place(&self, key: &[u8]) -> Option<u64> {
        let (place, mut drawn) = self.places.get_drawn(key);
        let is_there = place < self.places.keys()
            && self
                .signatures
                .get(place * u64::from(self.width), self.width)
                == low(drawn.draw(), self.width);
        is_there.then_some(place)
    }
}

impl Dictionary for Signed {
    fn contains(&self, key: &[u8]) -> bool {
        self.place(key).is_some()
    }

    fn bits(&self) -> u64 {
        self.places.bits() + self.signatures.len()
    }
}

/// Keys whose values are signatures.
#[derive(Debug, Clone)]
pub struct SelfSigned {
    signatures: Function,
    width: u32,
}

impl SelfSigned {
    /// The dictionary of different keys, with signatures of `width` bits. O(n).
    ///
    /// # Errors
    /// As for [`Signed::new`].
    pub fn new<K: AsRef<[u8]>>(keys: &[K], width: u32, cells: CellLayout) -> Result<Self> {
        check_width(width)?;
        let signatures = Function::new(keys, width, cells, |_, drawn| low(drawn.draw(), width))?;
        Ok(SelfSigned { signatures, width })
    }
}

impl Dictionary for SelfSigned {
    #[inline]
    fn contains(&self, key: &[u8]) -> bool {
        let (signature, mut drawn) = self.signatures.get_drawn(key);
        signature == low(drawn.draw(), self.width)
    }

    fn bits(&self) -> u64 {
        self.signatures.bits()
    }
}

/// A Bloom filter.
#[derive(Debug, Clone)]
pub struct Bloom {
    words: Vec<u64>,
    bits: u64,
    hashes: u32,
}

impl Bloom {
    /// The filter of some keys with r = `hashes`, and with r / ln 2 bits for each key. O(n r).
    ///
    /// # Errors
    /// If `hashes` is not from 1 to 64; if memory is short.
    pub fn new<K: AsRef<[u8]>>(keys: &[K], hashes: u32) -> Result<Self> {
        check_width(hashes)?;
        let bits = (keys.len() as f64 * f64::from(hashes) / std::f64::consts::LN_2).ceil() as u64;
        let bits = bits.max(1);
        let mut filter = Bloom {
            words: zeros(bits.div_ceil(64) as usize, "a Bloom filter")?,
            bits,
            hashes,
        };
        for key in keys {
            for place in filter.places(key.as_ref()) {
                filter.words[(place / 64) as usize] |= 1 << (place % 64);
            }
        }
        Ok(filter)
    }

    fn places(&self, key: &[u8]) -> impl Iterator<Item = u64> + use<> {
        let (mut drawn, bits) = (Drawn::from(xxh3_128_with_seed(key, 0)), self.bits);
        (0..self.hashes).map(move |_| ((u128::from(drawn.draw()) * u128::from(bits)) >> 64) as u64)
    }
}

impl Dictionary for Bloom {
    #[inline]
    fn contains(&self, key: &[u8]) -> bool {
        self.places(key)
            .all(|place| self.words[(place / 64) as usize] >> (place % 64) & 1 == 1)
    }

    fn bits(&self) -> u64 {
        self.bits
    }
}

fn low(number: u64, width: u32) -> u64 {
    number & (u64::MAX >> (64 - width))
}

fn check_width(width: u32) -> Result<()> {
    match width {
        1..=64 => Ok(()),
        _ => Err(Error::argument(
            "width",
            width,
            "signatures have 1 to 64 bits",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(range: std::ops::Range<u64>) -> Vec<String> {
        range
            .map(|i| format!("https://host{}.example/page/{i}", i % 97))
            .collect()
    }

    #[test]
    fn keys_are_there_and_strangers_by_the_bits_of_signatures() {
        let (here, strangers) = (keys(0..20_000), keys(20_000..220_000));
        for r in [1, 5, 8] {
            let all: [Box<dyn Dictionary>; 4] = [
                Box::new(Signed::new(&here, r).unwrap()),
                Box::new(SelfSigned::new(&here, r, CellLayout::All).unwrap()),
                Box::new(SelfSigned::new(&here, r, CellLayout::Hinges).unwrap()),
                Box::new(Bloom::new(&here, r).unwrap()),
            ];
            for (place, dictionary) in all.iter().enumerate() {
                assert!(here.iter().all(|key| dictionary.contains(key.as_bytes())));
                let taken = strangers
                    .iter()
                    .filter(|key| dictionary.contains(key.as_bytes()))
                    .count();
                // Some strangers draw a place behind the last key.
                let last = if place == 0 { 20_000.0 / 32_768.0 } else { 1.0 };
                let expected = last * strangers.len() as f64 * 0.5f64.powi(r as i32);
                // Five standard deviations.
                let allowed = 5.0 * expected.sqrt() + 0.01 * expected;
                assert!(
                    (taken as f64 - expected).abs() < allowed,
                    "{place}, {r}: {taken}, {expected}"
                );
            }
        }
        let signed = Signed::new(&here, 16).unwrap();
        let places = here.iter().map(|key| signed.place(key.as_bytes()));
        assert!(places.eq((0..20_000).map(Some)));
    }

    #[test]
    fn no_keys_and_one_key() {
        for count in [0, 1] {
            let here = keys(0..count);
            let signed = SelfSigned::new(&here, 64, CellLayout::Hinges).unwrap();
            let places = Signed::new(&here, 64).unwrap();
            let bloom = Bloom::new(&here, 64).unwrap();
            for key in &here {
                assert!(signed.contains(key.as_bytes()) && bloom.contains(key.as_bytes()));
                assert_eq!(places.place(key.as_bytes()), Some(0));
            }
            assert!(
                !signed.contains(b"x") && !bloom.contains(b"x") && places.place(b"x").is_none()
            );
        }
        assert!(
            Bloom::new(&["a"], 0).is_err() && SelfSigned::new(&["a"], 65, CellLayout::All).is_err()
        );
    }
}
