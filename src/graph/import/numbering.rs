//! Numbers for names, without holding all names in memory.
//!
//! A table holds a signature of 96 bits for each name, and its number in the order of first
//! occurrence: two names with one signature would be one node, which happens to one set of 10^9
//! names in 10^11. Signatures are made with random keys, so nobody can choose names that collide.
//! The names themselves are put away, sorted, on disk when their room is full, and merged at the
//! end.

use super::arcs::Room;
use crate::error::{Error, Result};
use crate::graph::Node;
use crate::graph::csr::check_num_nodes;
use crate::memory::{filled, free_memory, reserve};
use crate::output::TemporaryFolder;
use dsi_bitstream::codes::{vbyte_read_le, vbyte_write_le};
use rayon::slice::ParallelSliceMut;
use siphasher::sip128::SipHasher13;
use std::cmp::Reverse;
use std::collections::binary_heap::PeekMut;
use std::collections::{BinaryHeap, HashMap};
use std::fs::File;
use std::hash::{BuildHasher, BuildHasherDefault, Hasher, RandomState};
use std::io::{BufReader, BufWriter, ErrorKind, Read, Seek, Write};
use std::path::PathBuf;

/// The names met so far.
pub(crate) struct Numbering {
    hasher: SipHasher13,
    numbers: HashMap<[u32; 3], Node, BuildHasherDefault<FirstBits>>,
    /// The names that are in memory, one after the other, and where they end.
    text: Vec<u8>,
    ends: Vec<u64>,
    /// The number of the first of them.
    first: usize,
    runs: Vec<NameRun>,
    room: Room,
    is_sorted: bool,
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
    /// No names yet. If they are sorted, nodes get their final numbers at the end.
    pub(crate) fn new(room: Room, is_sorted: bool) -> Self {
        let [one, two] = [0, 1].map(|half| RandomState::new().hash_one(half));
        Numbering {
            hasher: SipHasher13::new_with_keys(one, two),
            numbers: HashMap::default(),
            text: Vec::new(),
            ends: Vec::new(),
            first: 0,
            runs: Vec::new(),
            room,
            is_sorted,
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
        let length = self.text.len() + name.len() + 8 * self.ends.len();
        if length as u64 > self.room.bytes && !self.ends.is_empty() {
            self.put_away()?;
        }
        reserve(&mut self.text, name.len(), "names")?;
        self.text.extend_from_slice(name.as_bytes());
        reserve(&mut self.ends, 1, "names")?;
        self.ends.push(self.text.len() as u64);
        self.numbers.insert(signature, number as Node);
        Ok(number as Node)
    }

    /// Doubles the table, which is then there twice for a moment.
    #[cold]
    fn grow(&mut self) -> Result<()> {
        let more = self.numbers.len().max(1 << 10);
        let bytes = (self.numbers.len() + more) as u64 * 8 / 7 * ENTRY;
        if bytes > SMALL && bytes > free_memory() {
            return Err(Error::memory("a table of all names", bytes));
        }
        let reserved = self.numbers.try_reserve(more);
        reserved.map_err(|_| Error::memory("a table of all names", bytes))
    }

    /// The names in memory, by their places in the list.
    fn name(&self, place: usize) -> &[u8] {
        let start = if place == 0 { 0 } else { self.ends[place - 1] };
        &self.text[start as usize..self.ends[place] as usize]
    }

    /// The places of the names in memory, in the order of the nodes.
    fn order(&self) -> Vec<Node> {
        let mut order: Vec<Node> = (0..self.ends.len() as Node).collect();
        if self.is_sorted {
            order.par_sort_unstable_by(|&a, &b| self.name(a as usize).cmp(self.name(b as usize)));
        }
        order
    }

    /// Moves the names in memory to the disk.
    fn put_away(&mut self) -> Result<()> {
        let Some(folder) = &self.room.folder else {
            return Err(Error::memory("names", 2 * self.room.bytes));
        };
        let order = self.order();
        let names = order
            .iter()
            .map(|&place| (self.name(place as usize), place as usize));
        let names = names.map(|(name, place)| (name, (self.first + place) as Node));
        self.runs.push(NameRun::write(names, folder)?);
        self.first += self.ends.len();
        self.text.clear();
        self.ends.clear();
        Ok(())
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
        if self.runs.is_empty() {
            let mut order = self.order().into_iter();
            order.try_for_each(|place| give(self.name(place as usize), place))?;
            return Ok(numbers);
        }
        if !self.ends.is_empty() {
            self.put_away()?;
        }
        (self.text, self.ends) = (Vec::new(), Vec::new());
        match self.is_sorted {
            true => merge(self.runs, &mut give)?,
            false => {
                for mut run in self.runs {
                    while run.advance()? {
                        give(&run.name, run.number)?;
                    }
                }
            }
        }
        Ok(numbers)
    }
}

/// The bytes of an entry of the table.
const ENTRY: u64 = size_of::<([u32; 3], Node)>() as u64 + 1;

/// Up to this many bytes, free memory is not checked.
const SMALL: u64 = 1 << 23;

/// What stands for a name that a damaged disk has changed: no checksum of names will match.
const DAMAGED: &str = "\u{fffd}";

/// Names in a file, each without the prefix that it shares with the one before.
struct NameRun {
    path: PathBuf,
    input: BufReader<File>,
    left: u64,
    /// The current name and its number.
    name: Vec<u8>,
    number: Node,
}

impl NameRun {
    fn write<'a>(
        names: impl Iterator<Item = (&'a [u8], Node)>,
        folder: &TemporaryFolder,
    ) -> Result<Self> {
        let (path, file) = folder.new_file()?;
        let mut out = BufWriter::with_capacity(1 << 18, file);
        let mut left = 0;
        let write = || -> std::io::Result<()> {
            let mut last: &[u8] = &[];
            for (name, number) in names {
                let shared = name.iter().zip(last).take_while(|(a, b)| a == b).count();
                vbyte_write_le(shared as u64, &mut out)?;
                vbyte_write_le((name.len() - shared) as u64, &mut out)?;
                out.write_all(&name[shared..])?;
                vbyte_write_le(number.into(), &mut out)?;
                left += 1;
                last = name;
            }
            out.rewind()
        };
        write().map_err(|source| Error::io(&path, "cannot write", source))?;
        let file = out.into_inner().map_err(|problem| problem.into_error());
        let file = file.map_err(|source| Error::io(&path, "cannot write", source))?;
        Ok(NameRun {
            path,
            input: BufReader::with_capacity(1 << 16, file),
            left,
            name: Vec::new(),
            number: 0,
        })
    }

    /// Reads the next name; false at the end.
    fn advance(&mut self) -> Result<bool> {
        if self.left == 0 {
            return Ok(false);
        }
        self.left -= 1;
        let mut read = || -> std::io::Result<()> {
            let shared = vbyte_read_le(&mut self.input)? as usize;
            let more = vbyte_read_le(&mut self.input)? as usize;
            self.name.truncate(shared);
            let mut rest = self.input.by_ref().take(more as u64);
            if rest.read_to_end(&mut self.name)? != more {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            self.number = vbyte_read_le(&mut self.input)? as Node;
            Ok(())
        };
        let read = read();
        read.map_err(|source| Error::io(&self.path, "cannot read", source))?;
        Ok(true)
    }
}

/// Gives the names of all runs in increasing order.
fn merge(mut runs: Vec<NameRun>, give: &mut dyn FnMut(&[u8], Node) -> Result<()>) -> Result<()> {
    let mut heap = BinaryHeap::new();
    for (index, run) in runs.iter_mut().enumerate() {
        if run.advance()? {
            heap.push(Reverse((run.name.clone(), index)));
        }
    }
    while let Some(mut top) = heap.peek_mut() {
        let Reverse((name, index)) = &mut *top;
        let run = &mut runs[*index];
        give(name, run.number)?;
        if run.advance()? {
            name.clear();
            name.extend_from_slice(&run.name);
        } else {
            PeekMut::pop(top);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;
    use std::sync::Arc;

    proptest! {
        /// However few names fit into memory, they are numbered alike.
        #[test]
        fn names_are_numbered_in_order(
            names in prop::collection::vec("[ab/é]{0,6}", 0..60),
            bytes in prop::sample::select(vec![0u64, 40, 1 << 20]),
            is_sorted in any::<bool>(),
        ) {
            let folder = tempfile::tempdir().unwrap();
            let room = Room {
                bytes,
                folder: Some(Arc::new(TemporaryFolder::create(folder.path()).unwrap())),
            };
            let mut numbering = Numbering::new(room, is_sorted);
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
