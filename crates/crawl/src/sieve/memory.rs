//! The sieve in memory: a hash set of 64-bit signatures.
//!
//! 9 bytes for each place of the table, which is filled to 7/16 at least once it has grown: up to 21
//! bytes a URL, and for a moment 1.5 times as much while it grows.

use super::signature::Signer;
use super::{Sieve, SieveStats, UrlSink, collisions};
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use webrank_base::error::{Error, Result};
use webrank_base::memory::free_memory;

pub(super) struct Memory {
    signer: Signer,
    seen: HashSet<u64, BuildHasherDefault<Itself>>,
    taken: u64,
}

/// Signatures are random already.
#[derive(Default)]
pub(super) struct Itself(u64);

impl Hasher for Itself {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {}

    fn write_u64(&mut self, signature: u64) {
        self.0 = signature;
    }

    fn write_u128(&mut self, signature: u128) {
        self.0 = signature as u64;
    }
}

impl Memory {
    pub(super) fn new(out: &mut dyn UrlSink) -> Result<Self> {
        out.cut(0)?;
        Ok(Memory {
            signer: Signer::random(),
            seen: HashSet::default(),
            taken: 0,
        })
    }

    /// Doubles the table, which is then there twice for a moment.
    #[cold]
    fn grow(&mut self) -> Result<()> {
        let more = self.seen.len().max(1 << 10);
        let bytes = (self.seen.len() + more) as u64 * 8 / 7 * PLACE;
        if bytes > SMALL && bytes > free_memory() {
            return Err(Error::memory(
                "the signatures of all URLs (--sieve mercator keeps them on disk)",
                bytes,
            ));
        }
        let reserved = self.seen.try_reserve(more);
        reserved.map_err(|_| Error::memory("the signatures of all URLs", bytes))
    }
}

/// The bytes of a place in the table.
const PLACE: u64 = 9;

/// Up to this many bytes, free memory is not checked.
const SMALL: u64 = 1 << 23;

impl Sieve for Memory {
    fn take(&mut self, url: &str, out: &mut dyn UrlSink) -> Result<()> {
        if self.seen.len() == self.seen.capacity() {
            self.grow()?;
        }
        let arrival = self.taken;
        self.taken += 1;
        match self.seen.insert(self.signer.of_64_bits(url)) {
            true => out.give(arrival, url),
            false => Ok(()),
        }
    }

    fn flush(&mut self, out: &mut dyn UrlSink) -> Result<()> {
        out.mark().map(drop)
    }

    fn taken(&self) -> u64 {
        0
    }

    fn account(&self) -> SieveStats {
        let given = self.seen.len() as u64;
        SieveStats {
            taken: self.taken,
            given,
            memory: self.seen.capacity() as u64 * 8 / 7 * PLACE,
            lost: collisions(given, 64),
            ..SieveStats::default()
        }
    }
}
