//! Pages that are copies of pages that were fetched before: their links are not followed.
//!
//! Each page that is no copy leaves 128 bits of its bytes, decompressed, by a hash with random keys; and
//! its fingerprint (SimHash) if near copies count, too. If two fingerprints differ in k bits at most, one
//! of k + 1 parts of their bits is the same: so a page is compared with those that share a part with it,
//! by a table for each part. About 40 bytes a page, and 60 more for each part.

use crate::near::{NONE, distance};
use std::collections::{HashMap, HashSet};

/// Pages whose links are not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Copies {
    /// None: all links are followed.
    #[default]
    Follow,
    /// Pages with the same bytes as an earlier page.
    Exact,
    /// These, and those whose fingerprints differ from that of an earlier page in so many bits at most, up to
    /// [`MOST_BITS`].
    Near(u32),
}

/// The largest distance: parts have 8 bits.
pub const MOST_BITS: u32 = 7;

impl std::fmt::Display for Copies {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Copies::Follow => out.write_str("follow"),
            Copies::Exact => out.write_str("exact"),
            Copies::Near(distance) => write!(out, "near --distance {distance}"),
        }
    }
}

/// The trace of a page: the hash of its bytes, and its fingerprint.
pub(super) type Print = (u128, u64);

/// How a page is like one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Alike {
    Exact,
    Near,
    No,
}

/// The pages so far that are no copies.
pub(super) struct Known {
    copies: Copies,
    digests: HashSet<u128>,
    fingerprints: Vec<u64>,
    /// For each part of the bits: fingerprints by their bits there.
    parts: Vec<(u64, HashMap<u64, Vec<u32>>)>,
}

impl Known {
    pub(super) fn new(copies: Copies) -> Self {
        let parts = match copies {
            Copies::Near(distance) => distance.min(MOST_BITS) + 1,
            _ => 0,
        };
        // Part i has the bits from 64 i / parts on.
        let cut = |part: u32| 64 * part / parts;
        let mask = |bits: u32| 1u64.checked_shl(bits).unwrap_or(0).wrapping_sub(1);
        let masks = (0..parts).map(|part| mask(cut(part + 1)) & !mask(cut(part)));
        Known {
            copies,
            digests: HashSet::new(),
            fingerprints: Vec::new(),
            parts: masks.map(|mask| (mask, HashMap::new())).collect(),
        }
    }

    /// Whether a page is like one that is known.
    pub(super) fn compare(&self, (digest, fingerprint): Print) -> Alike {
        if self.copies != Copies::Follow && self.digests.contains(&digest) {
            return Alike::Exact;
        }
        let Copies::Near(most) = self.copies else {
            return Alike::No;
        };
        let is_near =
            |&place: &u32| distance(self.fingerprints[place as usize], fingerprint) <= most;
        let mut shared = self
            .parts
            .iter()
            .filter_map(|(mask, found)| found.get(&(fingerprint & mask)));
        match fingerprint != NONE && shared.any(|places| places.iter().any(is_near)) {
            true => Alike::Near,
            false => Alike::No,
        }
    }

    /// Adds a page that is no copy.
    pub(super) fn add(&mut self, (digest, fingerprint): Print) {
        self.digests.insert(digest);
        if self.parts.is_empty() || fingerprint == NONE {
            return;
        }
        let place = self.fingerprints.len() as u32;
        self.fingerprints.push(fingerprint);
        for (mask, found) in &mut self.parts {
            found.entry(fingerprint & *mask).or_default().push(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// As by comparing all with all: crowds of fingerprints that differ in few bits.
        #[test]
        fn near_pages_are_those_within_the_distance(
            words in prop::collection::vec((0u64..4, prop::collection::vec(0u32..64, 0..10)), 0..60),
            most in 0u32..=MOST_BITS,
        ) {
            let (mut known, mut all) = (Known::new(Copies::Near(most)), Vec::<u64>::new());
            for (number, (center, flips)) in words.into_iter().enumerate() {
                let center = center.wrapping_mul(0x9e37_79b9_7f4a_7c15);
                let word = flips.iter().fold(center, |word, bit| word ^ 1 << bit);
                let print = (number as u128, word);
                let is_near = word != NONE && all.iter().any(|it| distance(*it, word) <= most);
                let expected = if is_near { Alike::Near } else { Alike::No };
                prop_assert_eq!(known.compare(print), expected);
                if !is_near {
                    known.add(print);
                    all.extend((word != NONE).then_some(word));
                }
                let expected = if is_near { Alike::Near } else { Alike::Exact };
                prop_assert_eq!(known.compare(print), expected);
            }
        }
    }

    #[test]
    fn the_same_bytes_are_copies_if_copies_count() {
        for (copies, expected) in [
            (Copies::Follow, Alike::No),
            (Copies::Exact, Alike::Exact),
            (Copies::Near(0), Alike::Exact),
        ] {
            let mut known = Known::new(copies);
            known.add((1, NONE));
            assert_eq!(known.compare((1, NONE)), expected);
            assert_eq!(known.compare((2, NONE)), Alike::No);
        }
    }
}
