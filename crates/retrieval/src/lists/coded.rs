//! A list in codes, read block by block.

use super::code::{Frames, ListCode, Reader};
use super::directory::Lists;
use super::{END, List, Seeking, Sorted, gallop};
use dsi_bitstream::prelude::{BitRead, BitSeek, BufBitReader, DeltaRead, MemWordReader, WordError};

/// The start of a block.
#[derive(Debug, Clone, Copy)]
struct Block {
    /// One more than the last document before it.
    past: u32,
    /// Where it is among the bits of all lists.
    bit: u64,
}

/// The head of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Head {
    /// Documents.
    pub postings: u64,
    /// Positions in all of them.
    pub positions: u64,
    /// The largest count.
    pub most: u32,
    /// The identifier of the least length of a field.
    pub shortest: u8,
    /// Documents of other parts with the word; of an index in one piece, 0.
    pub elsewhere: u64,
    /// For Golomb codes of documents, counts and positions.
    pub moduli: [u64; 3],
}

impl Head {
    fn read(code: ListCode, is_part: bool, bits: &mut Reader) -> Result<Self, WordError> {
        let postings = bits.read_delta()?.saturating_add(1);
        let positions = bits.read_delta()?.saturating_add(postings);
        let most = bits.read_delta()? as u32;
        let shortest = bits.read_bits(8)? as u8;
        let elsewhere = match is_part {
            true => bits.read_delta()?,
            false => 0,
        };
        let mut moduli = [0; 3];
        if code == ListCode::Golomb {
            for modulus in &mut moduli {
                *modulus = bits.read_delta()?.saturating_add(1);
            }
        }
        Ok(Head {
            postings,
            positions,
            most,
            shortest,
            elsewhere,
            moduli,
        })
    }
}

/// How much of a block is read.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Held {
    Documents,
    Counts,
    Positions,
}

/// A cursor on a list. Bits that cannot be read end it, and [`Lists::damage`] tells.
pub struct Coded<'a> {
    lists: &'a Lists,
    head: Head,
    blocks: Vec<Block>,
    is_galloping: bool,
    /// The block that is read, and how much of it.
    block: usize,
    held: Held,
    reader: Reader<'a>,
    frames: Frames,
    documents: Vec<u32>,
    counts: Vec<u32>,
    positions: Vec<u32>,
    /// Where the positions of each document of the block start.
    starts: Vec<u32>,
    /// The place in the block.
    place: usize,
}

impl<'a> Coded<'a> {
    /// The list whose bits start here.
    pub(super) fn open(lists: &'a Lists, bit: u64, seeking: Seeking) -> Option<Self> {
        let opened = Self::at(lists, bit, seeking);
        lists.noted(opened)
    }

    fn at(lists: &'a Lists, bit: u64, seeking: Seeking) -> Result<Self, WordError> {
        let mut reader: Reader = BufBitReader::new(MemWordReader::new(&lists.words[..]));
        reader.set_bit_pos(bit)?;
        let head = Head::read(lists.code, lists.is_part(), &mut reader)?;
        let count = head.postings.div_ceil(lists.quantum(head.postings));
        let mut blocks = vec![Block { past: 0, bit: 0 }];
        let mut bits = Vec::new();
        for _ in 1..count {
            let past = blocks[blocks.len() - 1].past;
            let documents = reader.read_delta()? as u32;
            bits.push(reader.read_delta()?);
            blocks.push(Block {
                past: past.wrapping_add(documents).wrapping_add(1),
                bit: 0,
            });
        }
        let mut start = reader.bit_pos()?;
        for (block, bits) in blocks.iter_mut().zip(bits.into_iter().chain([0])) {
            block.bit = start;
            start = start.saturating_add(bits);
        }
        let mut coded = Coded {
            lists,
            head,
            blocks,
            is_galloping: seeking == Seeking::Galloping,
            block: 0,
            held: Held::Documents,
            reader,
            frames: Frames::default(),
            documents: Vec::new(),
            counts: Vec::new(),
            positions: Vec::new(),
            starts: Vec::new(),
            place: 0,
        };
        coded.read_documents(0)?;
        Ok(coded)
    }

    fn read_documents(&mut self, block: usize) -> Result<(), WordError> {
        let Block { past, bit } = self.blocks[block];
        self.reader.set_bit_pos(bit)?;
        let quantum = self.lists.quantum(self.head.postings);
        let count = quantum.min(self.head.postings - block as u64 * quantum) as usize;
        let (code, modulus) = (self.lists.code, self.head.moduli[0]);
        code.read(
            &mut self.reader,
            count,
            modulus,
            &mut self.frames,
            &mut self.documents,
        )?;
        let mut past = past;
        for document in &mut self.documents {
            *document = document.wrapping_add(past);
            past = document.wrapping_add(1);
        }
        (self.block, self.place, self.held) = (block, 0, Held::Documents);
        Ok(())
    }

    fn need_counts(&mut self) -> Result<(), WordError> {
        if self.held >= Held::Counts {
            return Ok(());
        }
        let (code, modulus) = (self.lists.code, self.head.moduli[1]);
        let count = self.documents.len();
        code.read(
            &mut self.reader,
            count,
            modulus,
            &mut self.frames,
            &mut self.counts,
        )?;
        // No document has a word less than once.
        self.counts
            .iter_mut()
            .for_each(|count| *count = count.wrapping_add(1));
        self.held = Held::Counts;
        Ok(())
    }

    fn need_positions(&mut self) -> Result<(), WordError> {
        self.need_counts()?;
        if self.held >= Held::Positions {
            return Ok(());
        }
        let total: u64 = self.counts.iter().map(|&count| u64::from(count)).sum();
        if total > self.head.positions {
            return Err(WordError::UnexpectedEof { word_pos: 0 });
        }
        let (code, modulus) = (self.lists.code, self.head.moduli[2]);
        code.read(
            &mut self.reader,
            total as usize,
            modulus,
            &mut self.frames,
            &mut self.positions,
        )?;
        self.starts.clear();
        let mut start = 0;
        for &count in &self.counts {
            self.starts.push(start);
            start += count;
        }
        self.held = Held::Positions;
        Ok(())
    }

    /// The block that has the first document from `target` on, if one has.
    fn block_of(&self, target: u32) -> usize {
        let later = &self.blocks[self.block + 1..];
        let is_before = |place: usize| later[place].past <= target;
        let ahead = match self.is_galloping {
            true => gallop(later.len(), is_before),
            false => (0..later.len())
                .take_while(|&place| is_before(place))
                .count(),
        };
        self.block + ahead
    }

    fn moved(&mut self, target: u32) -> Result<(), WordError> {
        let is_below = |documents: &[u32], place: usize| documents[place] < target;
        if self.documents.last().is_none_or(|&last| last < target) {
            let mut block = self.block_of(target);
            if block == self.block {
                block += 1;
            }
            if block >= self.blocks.len() {
                self.place = self.documents.len();
                return Ok(());
            }
            self.read_documents(block)?;
        }
        loop {
            let rest = &self.documents[self.place..];
            self.place += match self.is_galloping {
                true => gallop(rest.len(), |place| is_below(rest, place)),
                false => (0..rest.len())
                    .take_while(|&place| is_below(rest, place))
                    .count(),
            };
            if self.place < self.documents.len() || self.block + 1 >= self.blocks.len() {
                return Ok(());
            }
            self.read_documents(self.block + 1)?;
        }
    }

    fn end(&mut self) {
        self.documents.clear();
        self.counts.clear();
        self.blocks.truncate(self.block + 1);
        self.place = 0;
    }
}

impl Sorted for Coded<'_> {
    fn document(&self) -> u32 {
        self.documents.get(self.place).copied().unwrap_or(END)
    }

    fn seek(&mut self, target: u32) -> u32 {
        if self.document() < target {
            // Unions ask for the next document.
            if let Some(&next) = self.documents.get(self.place + 1)
                && next >= target
            {
                self.place += 1;
                return next;
            }
            let moved = self.moved(target);
            if self.lists.noted(moved).is_none() {
                self.end();
            }
        }
        self.document()
    }

    fn cost(&self) -> u64 {
        self.head.postings
    }
}

impl List for Coded<'_> {
    fn everywhere(&self) -> u64 {
        self.head.postings.saturating_add(self.head.elsewhere)
    }

    fn count(&mut self) -> u32 {
        let read = self.need_counts();
        if self.lists.noted(read).is_none() {
            self.end();
        }
        self.counts.get(self.place).copied().unwrap_or(1)
    }

    fn positions(&mut self, positions: &mut Vec<u32>) {
        positions.clear();
        let read = self.need_positions();
        if self.lists.noted(read).is_none() {
            return self.end();
        }
        let (Some(&start), Some(&count)) =
            (self.starts.get(self.place), self.counts.get(self.place))
        else {
            return;
        };
        let gaps = &self.positions[start as usize..][..count as usize];
        let mut past = 0u32;
        positions.extend(gaps.iter().map(|&gap| {
            let position = past.wrapping_add(gap);
            past = position.wrapping_add(1);
            position
        }));
    }

    fn most(&self) -> Option<(u32, u8)> {
        Some((self.head.most, self.head.shortest))
    }
}
