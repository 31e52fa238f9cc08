//! Places of pages by namespace and title, without the titles: a signature of 96 bits for each, made with
//! random keys, so that nobody can choose titles that collide. Two of 10^8 titles have one signature
//! once in 10^13 wikis.

use super::numbers::Grown;
use super::place::{Code, Place};
use rayon::prelude::*;
use siphasher::sip128::{Hasher128, SipHasher13};
use std::hash::{BuildHasher, Hasher, RandomState};
use webrank_base::error::Result;

/// Pages are kept in so many lists, by the first bits of their signatures: small ones, which grow one by
/// one.
const LISTS: usize = 256;

type Signature = [u32; 3];

/// Titles and their places, as they come.
pub(super) struct TitlesBuilder {
    hasher: SipHasher13,
    lists: Vec<Vec<(Signature, Code)>>,
    grown: Grown,
}

/// Titles and their places, to look up.
pub(super) struct Titles {
    hasher: SipHasher13,
    lists: Vec<List>,
}

struct List {
    /// In order.
    entries: Vec<(Signature, Code)>,
    /// Where the entries of each bucket begin, by the bits of the second word.
    starts: Vec<u32>,
    shift: u32,
}

fn signature(hasher: &SipHasher13, namespace: i64, title: &[u8]) -> Signature {
    let mut hasher = *hasher;
    hasher.write_i64(namespace);
    hasher.write(title);
    let hash = hasher.finish128();
    [(hash.h1 >> 32) as u32, hash.h1 as u32, hash.h2 as u32]
}

fn list_of(signature: &Signature) -> usize {
    (signature[0] >> 24) as usize
}

impl TitlesBuilder {
    pub(super) fn new() -> Self {
        let [one, two] = [0, 1].map(|half| RandomState::new().hash_one(half));
        TitlesBuilder {
            hasher: SipHasher13::new_with_keys(one, two),
            lists: vec![Vec::new(); LISTS],
            grown: Grown::default(),
        }
    }

    /// Adds a page.
    ///
    /// # Errors
    /// If memory is short.
    pub(super) fn push(&mut self, namespace: i64, title: &[u8], place: Place) -> Result<()> {
        let signature = signature(&self.hasher, namespace, title);
        let list = &mut self.lists[list_of(&signature)];
        if list.len() == list.capacity() {
            let more = list.len().max(16) * size_of::<(Signature, Code)>();
            self.grown.by(more as u64, "the titles of pages")?;
        }
        list.push((signature, Code::of(place)));
        Ok(())
    }

    /// Sorts them. The second is true if two pages have one title.
    pub(super) fn finish(self) -> (Titles, bool) {
        let lists: Vec<(List, bool)> = self.lists.into_par_iter().map(List::new).collect();
        let has_twins = lists.iter().any(|(_, has_twins)| *has_twins);
        let lists = lists.into_iter().map(|(list, _)| list).collect();
        let titles = Titles {
            hasher: self.hasher,
            lists,
        };
        (titles, has_twins)
    }
}

impl List {
    fn new(mut entries: Vec<(Signature, Code)>) -> (Self, bool) {
        entries.shrink_to_fit();
        let key = |entry: &(Signature, Code)| [entry.0[1], entry.0[0], entry.0[2]];
        entries.sort_unstable_by_key(key);
        let has_twins = entries.windows(2).any(|pair| pair[0].0 == pair[1].0);
        // Four entries in a bucket.
        let buckets = (entries.len() / 4).next_power_of_two().max(2);
        let shift = 32 - buckets.ilog2();
        let mut starts = vec![0; buckets + 1];
        for (signature, _) in &entries {
            starts[(signature[1] >> shift) as usize + 1] += 1;
        }
        for bucket in 0..buckets {
            starts[bucket + 1] += starts[bucket];
        }
        let list = List {
            entries,
            starts,
            shift,
        };
        (list, has_twins)
    }

    #[inline]
    fn get(&self, signature: &Signature) -> Option<Place> {
        let bucket = (signature[1] >> self.shift) as usize;
        let (from, to) = (self.starts[bucket], self.starts[bucket + 1]);
        let mut entries = self.entries[from as usize..to as usize].iter();
        let found = entries.find(|entry| entry.0 == *signature)?;
        found.1.place()
    }
}

impl Titles {
    /// Gives the memory back; no title is found any more.
    pub(super) fn forget(&mut self) {
        *self = TitlesBuilder::new().finish().0;
    }

    /// The place of a page, if there is one.
    pub(super) fn get(&self, namespace: i64, title: &[u8]) -> Option<Place> {
        let signature = signature(&self.hasher, namespace, title);
        self.lists[list_of(&signature)].get(&signature)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_have_the_places_that_they_were_given() {
        for count in [0, 1, 5000] {
            let mut builder = TitlesBuilder::new();
            let title = |node: u32| format!("Page_{node}");
            for node in 0..count {
                let namespace = i64::from(node % 3);
                let place = Place::Node(node);
                builder
                    .push(namespace, title(node).as_bytes(), place)
                    .unwrap();
            }
            let (titles, has_twins) = builder.finish();
            assert!(!has_twins);
            for node in 0..count {
                let namespace = i64::from(node % 3);
                let found = titles.get(namespace, title(node).as_bytes());
                assert_eq!(found, Some(Place::Node(node)));
                assert_eq!(titles.get(namespace + 3, title(node).as_bytes()), None);
            }
            assert_eq!(titles.get(0, b"Nothing"), None);
        }
    }

    #[test]
    fn twins_are_found() {
        let mut builder = TitlesBuilder::new();
        for node in [0, 1] {
            builder.push(0, b"Same", Place::Node(node)).unwrap();
        }
        assert!(builder.finish().1);
    }
}
