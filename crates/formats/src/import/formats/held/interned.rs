//! Texts with numbers from 0, in the order in which they are first met.
//!
//! A table holds a signature of 128 bits for each text, made with random keys; the texts stand one
//! after the other.

use siphasher::sip128::SipHasher13;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use webrank_base::error::{Error, Result};
use webrank_base::memory::{free_memory, reserve, reserve_text};

/// The texts met so far.
pub(in crate::import::formats) struct Interned {
    hasher: SipHasher13,
    numbers: HashMap<[u64; 2], u32>,
    text: String,
    ends: Vec<usize>,
}

/// Up to this many texts, free memory is not checked.
const SMALL: usize = 1 << 16;

/// About the bytes of a text in the table.
const ENTRY: usize = 32;

impl Default for Interned {
    fn default() -> Self {
        let [one, two] = [0, 1].map(|half| RandomState::new().hash_one(half));
        Interned {
            hasher: SipHasher13::new_with_keys(one, two),
            numbers: HashMap::new(),
            text: String::new(),
            ends: Vec::new(),
        }
    }
}

impl Interned {
    pub(in crate::import::formats) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The number of a text; a new one if it was not met before.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(in crate::import::formats) fn number(&mut self, text: &str) -> Result<u32> {
        let signature = self.signature(text);
        if let Some(&number) = self.numbers.get(&signature) {
            return Ok(number);
        }
        let number = u32::try_from(self.len()).ok().filter(|&it| it < u32::MAX);
        let number = number.ok_or(Error::memory("names of nodes", u64::MAX))?;
        self.grow()?;
        reserve_text(&mut self.text, text.len(), "names of nodes")?;
        reserve(&mut self.ends, 1, "names of nodes")?;
        self.text.push_str(text);
        self.ends.push(self.text.len());
        self.numbers.insert(signature, number);
        Ok(number)
    }

    /// The text of a number.
    pub(in crate::import::formats) fn text(&self, number: u32) -> &str {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[number]]
    }

    fn signature(&self, text: &str) -> [u64; 2] {
        let hash = self.hasher.hash(text.as_bytes());
        [hash.h1, hash.h2]
    }

    fn grow(&mut self) -> Result<()> {
        let texts = self.numbers.len();
        if texts < self.numbers.capacity() {
            return Ok(());
        }
        let more = texts.max(1 << 8);
        // The table is there twice for a moment.
        let bytes = ((texts + more) * ENTRY) as u64;
        if texts > SMALL && bytes > free_memory() {
            return Err(Error::memory("names of nodes", bytes));
        }
        let reserved = self.numbers.try_reserve(more);
        reserved.map_err(|_| Error::memory("names of nodes", bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_numbers_in_the_order_in_which_they_are_met() {
        let mut texts = Interned::default();
        let numbers = ["b", "", "b", "aé"].map(|text| texts.number(text).unwrap());
        assert_eq!(numbers, [0, 1, 0, 2]);
        assert_eq!([0, 1, 2].map(|number| texts.text(number)), ["b", "", "aé"]);
    }
}
