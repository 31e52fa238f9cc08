//! Posting lists in codes of our own, beside the index: documents, counts and positions, with skips.
//!
//! The lists of all fields are one stream of bits, `lists.bits`. A list has a head (how many postings, how many
//! positions, the largest count, the shortest field, the moduli of Golomb codes), skips, and blocks of q
//! postings. A skip says for every block but the first how many documents and bits the block before
//! takes. A block has three sections: the documents as gaps, the counts, and the positions as gaps in
//! each document. So documents are read without the counts, and counts without the positions.
//! `lists.starts` has the length of each list in bits, in the order of the terms of each field. In a part of an index, the
//! head also says in how many pages of other parts the word is, and the words are beside the lists.

mod code;
mod coded;
mod directory;
mod of_tantivy;
mod terms;
mod write;

pub use code::ListCode;
pub use coded::Coded;
pub(super) use directory::{FILES, PART_FILES};
pub use directory::{Lists, Sizes};
pub use of_tantivy::OfTantivy;
pub(super) use terms::{key, seal};
pub use write::ListCoding;
pub(super) use write::write;

/// No document is left.
pub const END: u32 = u32::MAX;

/// Postings in a block, unless it is told.
pub const SKIP: u32 = 128;

/// How conjunctions find the next document, and lists the block that may have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Seeking {
    /// Lists wait in a heap by their documents; the first moves to the last. Skips are read one by one
    Heap,
    /// The shortest list leads, the others follow. Skips are read one by one
    Greedy,
    /// As greedy, with skips and documents by exponential search
    #[default]
    Galloping,
}

/// Documents in order, from the first that matches on.
pub trait Sorted {
    /// The document it is at, or [`END`].
    fn document(&self) -> u32;

    /// Moves to the first document from `target` on, and says which it is. Never back.
    fn seek(&mut self, target: u32) -> u32;

    /// How many documents there are, at most.
    fn cost(&self) -> u64;
}

/// A posting list.
pub trait List: Sorted {
    /// How many documents of all parts have the word.
    fn everywhere(&self) -> u64 {
        self.cost()
    }

    /// How often the word is in the document.
    fn count(&mut self) -> u32;

    /// Where, in order.
    fn positions(&mut self, positions: &mut Vec<u32>);

    /// The largest count of all documents, and the identifier of the shortest field, if they are known.
    fn most(&self) -> Option<(u32, u8)>;
}

impl<T: Sorted + ?Sized> Sorted for Box<T> {
    fn document(&self) -> u32 {
        (**self).document()
    }

    fn seek(&mut self, target: u32) -> u32 {
        (**self).seek(target)
    }

    fn cost(&self) -> u64 {
        (**self).cost()
    }
}

/// The first document from `target` on that all have.
pub fn conjunction<T: Sorted>(all: &mut [T], target: u32, seeking: Seeking) -> u32 {
    match seeking {
        Seeking::Heap => by_heap(all, target),
        Seeking::Greedy | Seeking::Galloping => by_leader(all, target),
    }
}

/// The first leads; O(documents of the first x lists) calls.
fn by_leader<T: Sorted>(all: &mut [T], target: u32) -> u32 {
    let Some((first, others)) = all.split_first_mut() else {
        return END;
    };
    let mut wanted = first.seek(target);
    'document: while wanted < END {
        for other in others.iter_mut() {
            let found = other.seek(wanted);
            if found != wanted {
                wanted = first.seek(found);
                continue 'document;
            }
        }
        return wanted;
    }
    END
}

/// All have the document of the first in the heap if it is the largest.
fn by_heap<T: Sorted>(all: &mut [T], target: u32) -> u32 {
    use std::cmp::Reverse;
    use std::collections::BinaryHeap;
    let mut largest = target;
    let mut heap = BinaryHeap::with_capacity(all.len());
    for (place, list) in all.iter_mut().enumerate() {
        let document = list.seek(target);
        largest = largest.max(document);
        heap.push(Reverse((document, place)));
    }
    while let Some(Reverse((document, place))) = heap.pop() {
        if document == largest {
            return document;
        }
        let found = all[place].seek(largest);
        largest = largest.max(found);
        heap.push(Reverse((found, place)));
    }
    END
}

/// How many of the first are below: by steps that double, then by halves. O(log of the answer).
pub(super) fn gallop(length: usize, is_below: impl Fn(usize) -> bool) -> usize {
    let (mut from, mut step) = (0, 1);
    while from + step <= length && is_below(from + step - 1) {
        from += step;
        step *= 2;
    }
    let mut to = length.min(from + step);
    while from < to {
        let middle = from + (to - from) / 2;
        match is_below(middle) {
            true => from = middle + 1,
            false => to = middle,
        }
    }
    from
}
