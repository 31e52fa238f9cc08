//! Numbers for names, without holding all names in memory.
//!
//! A table holds a signature of 96 bits for each name, and its number in the order of first
//! occurrence: two names with one signature would be one node, which happens to one set of 10^9
//! names in 10^11. Signatures are made with random keys, so nobody can choose names that collide.
//! The names themselves are put away, sorted, on disk when their room is full, and merged at the
//! end. Their order is that of numbers if all of them are integers, otherwise that of text.

use siphasher::sip128::SipHasher13;
use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, Hasher, RandomState};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::memory::{filled, free_memory, reserve};
use webrank_base::output::SpillBudget;
use webrank_graph::bundle::NameSorter;
use webrank_graph::csr::check_num_nodes;
use webrank_tables::text::names::integer;

/// The names met so far.
pub(crate) struct Numbering {
    hasher: SipHasher13,
    numbers: HashMap<[u32; 3], Node, BuildHasherDefault<FirstBits>>,
    names: InOrder,
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
            names: InOrder::new(room, is_sorted),
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
        self.names.push(name)?;
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
        let mut give = |name: &str, number: Node| {
            if let Some(numbers) = &mut numbers {
                numbers[number as usize] = next;
            }
            next += 1;
            sink(name)
        };
        self.names.finish(&mut give)?;
        Ok(numbers)
    }
}

/// Names and their numbers, which are put in order, unless they stay in the order in which they come.
enum InOrder {
    /// Integers so far, in 8 bytes that are in the order of the integers.
    Integers(NameSorter, SpillBudget),
    Texts {
        names: NameSorter,
        /// The numbers of those that came first, as far as they were integers and put in order.
        first: Vec<Node>,
    },
}

impl InOrder {
    fn new(room: SpillBudget, is_sorted: bool) -> Self {
        match is_sorted {
            true => InOrder::Integers(NameSorter::new(room.clone(), true), room),
            false => InOrder::Texts {
                names: NameSorter::new(room, false),
                first: Vec::new(),
            },
        }
    }

    fn push(&mut self, name: &str) -> Result<()> {
        if let InOrder::Integers(names, room) = self {
            if let Some(integer) = integer(name.as_bytes()) {
                return names.push(&key_of(integer));
            }
            let integers = std::mem::replace(names, NameSorter::new(room.clone(), true));
            *self = Self::as_texts(integers, room.clone())?;
        }
        match self {
            InOrder::Texts { names, .. } | InOrder::Integers(names, _) => {
                names.push(name.as_bytes())
            }
        }
    }

    /// The first name that is no integer has come: names are texts from here on. This mostly happens when
    /// there are few.
    #[cold]
    fn as_texts(integers: NameSorter, room: SpillBudget) -> Result<Self> {
        let (mut names, mut first) = (NameSorter::new(room, true), Vec::new());
        integers.finish(&mut |key, number| {
            reserve(&mut first, 1, "the numbers of nodes")?;
            first.push(number);
            names.push(text_of(key, &mut itoa::Buffer::new()).as_bytes())
        })?;
        Ok(InOrder::Texts { names, first })
    }

    /// Gives all names in order.
    fn finish(self, give: &mut dyn FnMut(&str, Node) -> Result<()>) -> Result<()> {
        match self {
            InOrder::Integers(names, _) => {
                let mut buffer = itoa::Buffer::new();
                names.finish(&mut |key, number| give(text_of(key, &mut buffer), number))
            }
            InOrder::Texts { names, first } => names.finish(&mut |name, place| {
                // Text that was a string is written to the disk and read again.
                let name = std::str::from_utf8(name).unwrap_or(DAMAGED);
                give(name, first.get(place as usize).copied().unwrap_or(place))
            }),
        }
    }
}

/// Bytes that are in the order of the integers.
fn key_of(integer: i64) -> [u8; 8] {
    (integer as u64 ^ 1 << 63).to_be_bytes()
}

/// The integer of a key, as text.
fn text_of<'b>(key: &[u8], buffer: &'b mut itoa::Buffer) -> &'b str {
    match key.try_into() {
        Ok(key) => buffer.format((u64::from_be_bytes(key) ^ 1 << 63) as i64),
        Err(_) => DAMAGED,
    }
}

/// The bytes of an entry of the table.
const ENTRY: u64 = size_of::<([u32; 3], Node)>() as u64 + 1;

/// Up to this many bytes, free memory is not checked.
const SMALL: u64 = 1 << 21;

/// A sign for a name that a damaged disk has changed: no checksum of names will match.
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
            names in prop_oneof![
                prop::collection::vec("[ab/é]{0,6}", 0..200),
                prop::collection::vec("-?[0-9]{1,5}|9[0-9]{18}", 0..200),
                prop::collection::vec("-?[1-9][0-9]{0,4}", 0..200),
            ],
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
            let are_integers = names.iter().all(|name| integer(name.as_bytes()).is_some());
            let expected: Vec<String> = match is_sorted {
                true if are_integers => {
                    let integers: BTreeSet<i64> =
                        names.iter().map(|name| name.parse().unwrap()).collect();
                    integers.iter().map(i64::to_string).collect()
                }
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
