//! A cache in front of a sieve: most links of a page are those of the page before.
//!
//! CLOCK, a queue with second chances: places stand in a circle, and a URL that is met again is marked.
//! Where a new one needs a place, a hand goes round: it takes the mark off those that have one, and takes
//! the first place without. A URL is known by 128 bits with random keys, so two are taken for one with
//! probability n c / 2^128 for n URLs and c places. Sieves are told nothing of those that are found here;
//! they were told before, so the same URLs are given.
//!
//! With 50,000 places four of five links of a large crawl are found, nearly as many as with the exact order
//! of last use: A. Broder, M. Najork, J. Wiener, Efficient URL Caching for World Wide Web Crawling, 2003.

use super::memory::Itself;
use super::signature::Signer;
use super::{Sieve, SieveStats, UrlSink};
use std::collections::{HashMap, VecDeque};
use std::hash::BuildHasherDefault;
use webrank_base::error::Result;

/// URLs in a cache: 3 MB.
const PLACES: usize = 50_000;

/// URLs that were met lately.
pub(crate) struct Cache {
    signer: Signer,
    places: HashMap<u128, u32, BuildHasherDefault<Itself>>,
    circle: Vec<u128>,
    marked: Vec<bool>,
    hand: usize,
    room: usize,
}

impl Cache {
    pub(crate) fn new() -> Self {
        Self::with_room(PLACES)
    }

    /// With so many places, at least one.
    pub(super) fn with_room(room: usize) -> Self {
        Cache {
            signer: Signer::random(),
            places: HashMap::default(),
            circle: Vec::new(),
            marked: Vec::new(),
            hand: 0,
            room: room.max(1),
        }
    }

    /// True if the URL is in the cache; it then is. O(1) on average.
    pub(crate) fn meets(&mut self, url: &str) -> bool {
        let signature = self.signer.of_128_bits(url);
        if let Some(&place) = self.places.get(&signature) {
            self.marked[place as usize] = true;
            return true;
        }
        if self.circle.len() < self.room {
            self.places.insert(signature, self.circle.len() as u32);
            self.circle.push(signature);
            self.marked.push(false);
            return false;
        }
        while std::mem::replace(&mut self.marked[self.hand], false) {
            self.hand = (self.hand + 1) % self.room;
        }
        self.places.remove(&self.circle[self.hand]);
        self.places.insert(signature, self.hand as u32);
        self.circle[self.hand] = signature;
        self.hand = (self.hand + 1) % self.room;
        false
    }
}

/// A sieve behind a cache. It does not go on after a kill: URLs are counted with those that the cache
/// found, which the sieve does not know of.
pub(crate) struct Cached {
    cache: Cache,
    sieve: Box<dyn Sieve>,
    passed: u64,
    found: u64,
    numbers: Numbers,
}

/// The arrivals of URLs that were passed on: from the one of a number on, so many were found before.
#[derive(Default)]
struct Numbers(VecDeque<(u64, u64)>);

/// More numbers than this let the sieve give what it holds back: 4 MiB.
const MOST_NUMBERS: usize = 1 << 18;

impl Numbers {
    /// The arrival of a URL by its number among those passed on; numbers increase.
    fn arrival(&mut self, number: u64) -> u64 {
        while self.0.get(1).is_some_and(|next| next.0 <= number) {
            self.0.pop_front();
        }
        number + self.0.front().map_or(0, |first| first.1)
    }
}

struct Renumbered<'a>(&'a mut Numbers, &'a mut dyn UrlSink);

impl UrlSink for Renumbered<'_> {
    fn give(&mut self, arrival: u64, url: &str) -> Result<()> {
        self.1.give(self.0.arrival(arrival), url)
    }

    fn mark(&mut self) -> Result<u64> {
        self.1.mark()
    }

    fn cut(&mut self, mark: u64) -> Result<()> {
        self.1.cut(mark)
    }
}

impl Cached {
    /// A sieve that has taken nothing yet, behind a cache.
    pub(crate) fn new(sieve: Box<dyn Sieve>) -> Self {
        Self::behind(Cache::new(), sieve)
    }

    pub(super) fn behind(cache: Cache, sieve: Box<dyn Sieve>) -> Self {
        Cached {
            cache,
            sieve,
            passed: 0,
            found: 0,
            numbers: Numbers::default(),
        }
    }

    /// As [`Sieve::take`].
    pub(crate) fn take(&mut self, url: &str, out: &mut dyn UrlSink) -> Result<()> {
        if self.cache.meets(url) {
            self.found += 1;
            return Ok(());
        }
        if self.numbers.0.back().is_none_or(|last| last.1 < self.found) {
            if self.numbers.0.len() >= MOST_NUMBERS {
                self.flush(out)?;
            }
            self.numbers.0.push_back((self.passed, self.found));
        }
        self.passed += 1;
        self.sieve
            .take(url, &mut Renumbered(&mut self.numbers, out))
    }

    /// As [`Sieve::flush`].
    pub(crate) fn flush(&mut self, out: &mut dyn UrlSink) -> Result<()> {
        self.sieve.flush(&mut Renumbered(&mut self.numbers, out))?;
        self.numbers.0.clear();
        self.numbers.0.push_back((self.passed, self.found));
        Ok(())
    }

    /// As [`Sieve::account`], with what the cache found.
    pub(crate) fn account(&self) -> SieveStats {
        let account = self.sieve.account();
        SieveStats {
            taken: account.taken + self.found,
            found: self.found,
            ..account
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// A queue with second chances, as it is defined.
        #[test]
        fn the_clock_is_a_queue_with_second_chances(
            urls in prop::collection::vec(0u8..30, 0..300),
            room in 1usize..20,
        ) {
            let mut cache = Cache::with_room(room);
            let mut queue: VecDeque<(u8, bool)> = VecDeque::new();
            for url in urls {
                let found = queue.iter_mut().find(|it| it.0 == url);
                let is_known = found.map(|it| it.1 = true).is_some();
                prop_assert_eq!(cache.meets(&url.to_string()), is_known);
                if is_known {
                    continue;
                }
                while queue.len() == room {
                    match queue.pop_front() {
                        Some((url, true)) => queue.push_back((url, false)),
                        _ => break,
                    }
                }
                queue.push_back((url, false));
            }
        }
    }
}
