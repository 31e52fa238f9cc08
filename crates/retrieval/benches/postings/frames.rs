//! Lists of gaps as patched frames of reference (PFOR-DELTA), each block of 128 postings on its own.

use super::{BLOCK, Outcome, Postings};
use fastpfor::{AnyLenCodec, FastPFor128};
use std::cell::RefCell;

struct Block {
    /// One more than the last document before it.
    past: u32,
    /// Words from the start of all lists on.
    start: u32,
}

/// A list: its blocks are those from here to the next list.
struct List {
    first: usize,
    count: usize,
}

pub struct Frames {
    words: Vec<u32>,
    blocks: Vec<Block>,
    lists: Vec<List>,
    /// The codec, and the block that it has read.
    reader: RefCell<(FastPFor128, Vec<u32>)>,
}

impl Frames {
    pub fn new(all: &[Vec<u32>]) -> Outcome<Self> {
        let mut codec = FastPFor128::default();
        let (mut words, mut blocks, mut lists) = (Vec::new(), Vec::new(), Vec::new());
        for gaps in all {
            lists.push(List {
                first: blocks.len(),
                count: gaps.len(),
            });
            let mut past = 0;
            for block in gaps.chunks(BLOCK) {
                let start = u32::try_from(words.len())?;
                blocks.push(Block { past, start });
                let mut packed = Vec::new();
                codec.encode(block, &mut packed)?;
                words.append(&mut packed);
                past += block.iter().sum::<u32>() + block.len() as u32;
            }
        }
        // The end of the last one.
        let start = u32::try_from(words.len())?;
        blocks.push(Block { past: 0, start });
        Ok(Frames {
            words,
            blocks,
            lists,
            reader: RefCell::new((codec, Vec::new())),
        })
    }

    /// Calls for every document of a block, until one is not wanted.
    fn for_block(&self, list: &List, block: usize, each: &mut impl FnMut(u32)) {
        let (codec, gaps) = &mut *self.reader.borrow_mut();
        let place = list.first + block;
        let words = self.blocks[place].start as usize..self.blocks[place + 1].start as usize;
        let count = BLOCK.min(list.count - block * BLOCK);
        gaps.clear();
        codec
            .decode(&self.words[words], gaps, Some(count as u32))
            .expect("the block was packed here");
        let mut past = self.blocks[place].past;
        for &gap in gaps.iter() {
            each(past + gap);
            past += gap + 1;
        }
    }
}

impl Postings for Frames {
    fn name(&self) -> String {
        "PFOR-DELTA, blocks of 128".into()
    }

    fn bits(&self) -> (u64, u64) {
        // The first block of a list needs no skip.
        let skips = self.blocks.len() - 1 - self.lists.len();
        (32 * self.words.len() as u64, 64 * skips as u64)
    }

    fn read(&self, list: usize, out: &mut Vec<u32>) {
        let list = &self.lists[list];
        for block in 0..list.count.div_ceil(BLOCK) {
            self.for_block(list, block, &mut |document| out.push(document));
        }
    }

    fn keep(&self, list: usize, documents: &mut Vec<u32>, by_skips: bool) {
        let list = &self.lists[list];
        let blocks = &self.blocks[list.first..list.first + list.count.div_ceil(BLOCK)];
        let mut held: Vec<u32> = Vec::with_capacity(BLOCK);
        // The next block to read, and the place in the one that was read.
        let (mut next, mut place) = (0, 0);
        documents.retain(|&wanted| {
            while held.last().is_none_or(|&last| last < wanted) && next < blocks.len() {
                if by_skips {
                    // The last block that begins before.
                    let ahead = blocks[next..].partition_point(|block| block.past <= wanted);
                    next += ahead.saturating_sub(1);
                }
                held.clear();
                place = 0;
                self.for_block(list, next, &mut |document| held.push(document));
                next += 1;
            }
            place += held[place..]
                .iter()
                .take_while(|&&document| document < wanted)
                .count();
            held.get(place) == Some(&wanted)
        });
    }
}
