//! Places of pages and of link targets by their numbers, which are dense but for gaps: four bytes for
//! each number up to the largest, in parts of 256 numbers, so that a number out of line costs 1 KiB.

use super::place::{Code, Place};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasher, Hasher, RandomState};
use webrank_base::error::{Error, Result};
use webrank_base::memory::free_memory;

const BITS: u32 = 8;

type Part = Box<[Code; 1 << BITS]>;

/// Places by their numbers.
#[derive(Default)]
pub(super) struct Numbers {
    parts: HashMap<u64, Part, Keyed>,
    grown: Grown,
}

/// Mixes numbers with a random key, so that nobody can choose some that collide.
struct Keyed(u64);

impl Default for Keyed {
    fn default() -> Self {
        Keyed(RandomState::new().hash_one(0))
    }
}

impl BuildHasher for Keyed {
    type Hasher = Mixed;

    fn build_hasher(&self) -> Mixed {
        Mixed(self.0)
    }
}

struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u64(&mut self, number: u64) {
        // Both factors depend on the key.
        let key = self.0;
        let product = u128::from(number ^ key) * u128::from(key.rotate_left(32) | 1);
        self.0 = (product >> 64) as u64 ^ product as u64;
    }
}

impl Numbers {
    /// Notes the place of a number; false if it has one already.
    ///
    /// # Errors
    /// If memory is short.
    pub(super) fn insert(&mut self, number: u64, place: Place) -> Result<bool> {
        let grown = &mut self.grown;
        let part = match self.parts.entry(number >> BITS) {
            Entry::Occupied(part) => part.into_mut(),
            Entry::Vacant(vacant) => {
                grown.by(5 << BITS, "the numbers of pages")?;
                vacant.insert(Box::new([Code::NONE; 1 << BITS]))
            }
        };
        let code = &mut part[number as usize % (1 << BITS)];
        let is_new = *code == Code::NONE;
        *code = Code::of(place);
        Ok(is_new)
    }

    /// The place of a number, if it has one.
    #[inline]
    pub(super) fn get(&self, number: u64) -> Option<Place> {
        let part = self.parts.get(&(number >> BITS))?;
        part[number as usize % (1 << BITS)].place()
    }
}

/// How much a table has grown since free memory was looked at.
#[derive(Default)]
pub(super) struct Grown(u64);

/// Free memory is looked at whenever so many bytes more are held.
const STEP: u64 = 4 << 20;

impl Grown {
    /// So many bytes more are taken.
    ///
    /// # Errors
    /// If they are not free.
    #[inline]
    pub(super) fn by(&mut self, bytes: u64, what: &'static str) -> Result<()> {
        self.0 += bytes;
        if self.0 < STEP {
            return Ok(());
        }
        let grown = std::mem::take(&mut self.0);
        match free_memory() < grown.max(STEP) {
            true => Err(Error::memory(what, grown)),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_its_own_place() {
        let mut numbers = Numbers::default();
        let all = [0, 1, 255, 256, 1 << 40, u64::MAX];
        for (node, number) in (0..).zip(all) {
            assert_eq!(numbers.get(number), None);
            assert!(numbers.insert(number, Place::Node(node)).unwrap());
        }
        for (node, number) in (0..).zip(all) {
            assert_eq!(numbers.get(number), Some(Place::Node(node)));
        }
        assert!(!numbers.insert(1, Place::Node(1)).unwrap());
        assert_eq!(numbers.get(2), None);
    }
}
