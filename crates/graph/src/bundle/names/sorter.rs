//! Names and their numbers in order, in as much memory as they may take: when their room is full,
//! they are put away, sorted, on disk, and merged at the end.

use dsi_bitstream::codes::{vbyte_read_le, vbyte_write_le};
use rayon::slice::ParallelSliceMut;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::io::{BufReader, BufWriter, ErrorKind, Read, Seek, Write};
use std::path::PathBuf;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::memory::reserve;
use webrank_base::output::{SpillBudget, TemporaryFolder};

/// Sorted runs that are merged at once: each has an open file.
const RUNS: usize = 64;

/// Takes what is sorted: a name and its number.
pub(crate) type Give<'a> = dyn FnMut(&[u8], Node) -> Result<()> + 'a;

/// Names, numbered from 0 as they come.
pub struct NameSorter {
    /// The names that are in memory, one after the other, and where they end.
    text: Vec<u8>,
    ends: Vec<u64>,
    /// The number of the first of them.
    first: usize,
    runs: Vec<NameRun>,
    room: SpillBudget,
    is_sorted: bool,
}

impl NameSorter {
    /// No names yet. If they are not to be sorted, they stay in the order in which they come.
    pub fn new(room: SpillBudget, is_sorted: bool) -> Self {
        NameSorter {
            text: Vec::new(),
            ends: Vec::new(),
            first: 0,
            runs: Vec::new(),
            room,
            is_sorted,
        }
    }

    /// Adds the next name.
    ///
    /// # Errors
    /// If memory is short, or if the disk is full.
    pub fn push(&mut self, name: &[u8]) -> Result<()> {
        let length = self.text.len() + name.len() + 8 * self.ends.len();
        if length as u64 > self.room.bytes && !self.ends.is_empty() {
            self.put_away()?;
        }
        reserve(&mut self.text, name.len(), "names")?;
        self.text.extend_from_slice(name);
        reserve(&mut self.ends, 1, "names")?;
        self.ends.push(self.text.len() as u64);
        Ok(())
    }

    /// The names in memory, by their places in the list.
    fn name(&self, place: usize) -> &[u8] {
        let start = if place == 0 { 0 } else { self.ends[place - 1] };
        &self.text[start as usize..self.ends[place] as usize]
    }

    /// The places of the names in memory, in order; equal names by their numbers.
    fn order(&self) -> Vec<Node> {
        let mut order: Vec<Node> = (0..self.ends.len() as Node).collect();
        if self.is_sorted {
            let key = |place: Node| (self.name(place as usize), place);
            order.par_sort_unstable_by(|&a, &b| key(a).cmp(&key(b)));
        }
        order
    }

    /// Moves the names in memory to the disk.
    fn put_away(&mut self) -> Result<()> {
        let Some(folder) = &self.room.folder else {
            return Err(Error::memory("names", 2 * self.room.bytes));
        };
        let mut run = NameRunWriter::create(folder)?;
        for place in self.order() {
            let number = self.first + place as usize;
            run.push(self.name(place as usize), number as Node)?;
        }
        self.runs.push(run.finish()?);
        if self.is_sorted && self.runs.len() == RUNS {
            let mut merged = NameRunWriter::create(folder)?;
            let runs = std::mem::take(&mut self.runs);
            merge(runs, &mut |name, number| merged.push(name, number))?;
            self.runs.push(merged.finish()?);
        }
        self.first += self.ends.len();
        self.text.clear();
        self.ends.clear();
        Ok(())
    }

    /// Gives all names in order, with their numbers.
    ///
    /// # Errors
    /// If files of names cannot be written or read, and those of `give`.
    pub fn finish(mut self, give: &mut Give) -> Result<()> {
        if self.runs.is_empty() {
            let mut order = self.order().into_iter();
            return order.try_for_each(|place| give(self.name(place as usize), place));
        }
        if !self.ends.is_empty() {
            self.put_away()?;
        }
        (self.text, self.ends) = (Vec::new(), Vec::new());
        if self.is_sorted {
            return merge(self.runs, give);
        }
        for mut run in self.runs {
            while run.advance()? {
                give(&run.name, run.number)?;
            }
        }
        Ok(())
    }
}

/// Names in a file, each without the prefix that it shares with the one before.
struct NameRun {
    path: PathBuf,
    input: BufReader<File>,
    left: u64,
    /// The current name and its number.
    name: Vec<u8>,
    number: Node,
}

/// Writes a run.
struct NameRunWriter {
    path: PathBuf,
    out: BufWriter<File>,
    names: u64,
    last: Vec<u8>,
}

impl NameRunWriter {
    fn create(folder: &TemporaryFolder) -> Result<Self> {
        let (path, file) = folder.new_file()?;
        Ok(NameRunWriter {
            path,
            out: BufWriter::with_capacity(1 << 18, file),
            names: 0,
            last: Vec::new(),
        })
    }

    fn push(&mut self, name: &[u8], number: Node) -> Result<()> {
        let pairs = name.iter().zip(&self.last);
        let shared = pairs.take_while(|(a, b)| a == b).count();
        let mut write = || -> std::io::Result<()> {
            vbyte_write_le(shared as u64, &mut self.out)?;
            vbyte_write_le((name.len() - shared) as u64, &mut self.out)?;
            self.out.write_all(&name[shared..])?;
            vbyte_write_le(number.into(), &mut self.out).map(drop)
        };
        write().map_err(|source| Error::io(&self.path, "cannot write", source))?;
        self.names += 1;
        self.last.truncate(shared);
        self.last.extend_from_slice(&name[shared..]);
        Ok(())
    }

    fn finish(mut self) -> Result<NameRun> {
        let path = self.path;
        let cannot = |source| Error::io(&path, "cannot write", source);
        self.out.rewind().map_err(cannot)?;
        let file = self.out.into_inner();
        let file = file.map_err(|problem| cannot(problem.into_error()))?;
        Ok(NameRun {
            path,
            input: BufReader::with_capacity(1 << 16, file),
            left: self.names,
            name: Vec::new(),
            number: 0,
        })
    }
}

impl NameRun {
    /// Removes the file.
    fn remove(&self) {
        // The folder is removed anyway.
        let _ = std::fs::remove_file(&self.path);
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

/// Gives the names of all runs in increasing order; of equal ones, those of earlier runs first.
fn merge(mut runs: Vec<NameRun>, give: &mut Give) -> Result<()> {
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
            run.remove();
            PeekMut::pop(top);
        }
    }
    Ok(())
}
