//! Numbers for names, without holding all names in memory.
//!
//! A table holds a signature of 96 bits for each name, and its number in the order of first
//! occurrence: two names with one signature would be one node, which happens to one set of 10^9
//! names in 10^11. Signatures are made with random keys, so nobody can choose names that collide.
//! The names themselves are put away, sorted, on disk when their room is full, and merged at the
//! end.

use siphasher::sip128::SipHasher13;
use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, Hasher, RandomState};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::memory::{filled, free_memory};
use webrank_base::output::SpillBudget;
use webrank_graph::bundle::NameSorter;
use webrank_graph::csr::check_num_nodes;

/// The names met so far.
pub(crate) struct Numbering {
    hasher: SipHasher13,
    numbers: HashMap<[u32; 3], Node, BuildHasherDefault<FirstBits>>,
    names: NameSorter,
    is_sorted: bool,
    /// The bytes that the table may take.
    of_table: u64,
}

/// Signatures are random already.
#[derive(Default)]
struct FirstBits(u64);

impl Hasher for FirstBits {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        // The lengths of lists are hashed, too: only the signature counts.
        if let Some(first) = bytes.first_chunk() {
            self.0 = u64::from_ne_bytes(*first);
        }
    }

    fn write_usize(&mut self, _: usize) {}
}

impl Numbering {
    /// No names yet. If they are sorted, nodes get their final numbers at the end. Names take the room,
    /// and their table so many bytes.
    pub(crate) fn new(room: SpillBudget, of_table: u64, is_sorted: bool) -> Self {
        let [one, two] = [0, 1].map(|half| RandomState::new().hash_one(half));
        Numbering {
            hasher: SipHasher13::new_with_keys(one, two),
            numbers: HashMap::default(),
            names: NameSorter::new(room, is_sorted),
            is_sorted,
            of_table,
        }
    }

    /// How many names there are.
    pub(crate) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The number of a name, in the order of first occurrence.
    ///
    /// # Errors
    /// If there are too many names for this version or for the memory, or if the disk is full.
    pub(crate) fn number(&mut self, name: &str) -> Result<Node> {
        let hash = self.hasher.hash(name.as_bytes());
        let signature = [hash.h1 as u32, (hash.h1 >> 32) as u32, hash.h2 as u32];
        if let Some(&number) = self.numbers.get(&signature) {
            return Ok(number);
        }
        let number = self.len() as u64;
        check_num_nodes(number + 1)?;
        if self.numbers.len() == self.numbers.capacity() {
            self.grow()?;
        }
        self.names.push(name.as_bytes())?;
        self.numbers.insert(signature, number as Node);
        Ok(number as Node)
    }

    /// Doubles the table, which is then there twice for a moment.
    #[cold]
    fn grow(&mut self) -> Result<()> {
        let more = self.numbers.len().max(1 << 10);
        let bytes = (self.numbers.len() + more) as u64 * 8 / 7 * ENTRY;
        if bytes > SMALL && bytes > free_memory().min(self.of_table) {
            return Err(Error::memory("a table of all names", bytes));
        }
        let reserved = self.numbers.try_reserve(more);
        reserved.map_err(|_| Error::memory("a table of all names", bytes))
    }

    /// Gives all names to `sink` in the order of the nodes, and returns the final number of each, or
    /// nothing if numbers stay as they are.
    ///
    /// # Errors
    /// If memory is short, if files of names cannot be written or read, and those of `sink`.
    pub(crate) fn finish(
        mut self,
        sink: &mut dyn FnMut(&str) -> Result<()>,
    ) -> Result<Option<Vec<Node>>> {
        let count = self.len();
        self.numbers = HashMap::default();
        let mut numbers = match self.is_sorted {
            true => Some(filled(0, count, "the numbers of nodes")?),
            false => None,
        };
        let mut next = 0;
        let mut give = |name: &[u8], number: Node| {
            if let Some(numbers) = &mut numbers {
                numbers[number as usize] = next;
            }
            next += 1;
            // What was read from a string is written to the disk and read again.
            sink(std::str::from_utf8(name).unwrap_or(DAMAGED))
        };
        self.names.finish(&mut give)?;
        Ok(numbers)
    }
}

/// The bytes of an entry of the table.
const ENTRY: u64 = size_of::<([u32; 3], Node)>() as u64 + 1;

/// Up to this many bytes, free memory is not checked.
const SMALL: u64 = 1 << 21;

/// What stands for a name that a damaged disk has changed: no checksum of names will match.
const DAMAGED: &str = "\u{fffd}";

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;
    use std::sync::Arc;
    use webrank_base::output::TemporaryFolder;

    proptest! {
        /// However few names fit into memory, they are numbered alike.
        #[test]
        fn names_are_numbered_in_order(
            // More than the sorted runs that are merged at once.
            names in prop::collection::vec("[ab/é]{0,6}", 0..200),
            bytes in prop::sample::select(vec![0u64, 40, 1 << 20]),
            is_sorted in any::<bool>(),
        ) {
            let folder = tempfile::tempdir().unwrap();
            let room = SpillBudget {
                bytes,
                folder: Some(Arc::new(TemporaryFolder::create(folder.path()).unwrap())),
            };
            let mut numbering = Numbering::new(room, 1 << 20, is_sorted);
            let numbers: Vec<Node> =
                names.iter().map(|name| numbering.number(name).unwrap()).collect();
            let mut given = Vec::new();
            names.iter().for_each(|name| if !given.contains(name) { given.push(name.clone()) });
            let expected: Vec<String> = match is_sorted {
                true => names.iter().cloned().collect::<BTreeSet<_>>().into_iter().collect(),
                false => given,
            };
            let mut found = Vec::new();
            let last = numbering.finish(&mut |name| {
                found.push(name.to_owned());
                Ok(())
            });
            prop_assert_eq!(&found, &expected);
            let last = last.unwrap();
            prop_assert_eq!(last.is_some(), is_sorted);
            for (name, number) in names.iter().zip(numbers) {
                let node = last.as_ref().map_or(number, |last| last[number as usize]);
                prop_assert_eq!(&found[node as usize], name);
            }
        }
    }
}
