//! Sieves: every URL comes out once, in the order of first sight, whatever the number.
//!
//! A crawler meets each URL thousands of times. A sieve takes them all and gives each one when it is
//! new, in the order in which the new ones came; some hold URLs back and give many at a time.
//!
//! | sieve | keeps | memory | exact |
//! |---|---|---|---|
//! | `memory` | 64-bit signatures in a hash set | up to 21 bytes a URL | but for collisions of 64 bits |
//! | `offline` | a sorted file of URLs | constant | yes |
//! | `mercator` | a sorted file of 64-bit signatures | constant | but for collisions of 64 bits |
//! | `store` | 128-bit signatures in a B-tree on disk | constant | but for collisions of 128 bits |
//! | `lsm` | 128-bit signatures in sorted runs, in levels | constant | but for collisions of 128 bits |
//! | `bloom` | a blocked Bloom filter in layers | up to the limit | false positives lose URLs |
//!
//! Among n signatures of b bits two collide with probability n^2 / 2^(b + 1) at most. Signatures have
//! random keys, so nobody can choose URLs that collide. The keys of `bloom` are fixed, so that the
//! same input loses the same URLs.
//!
//! # Kills
//!
//! `offline`, `mercator`, `store` and `lsm` live in a folder and survive a kill at any moment. URLs go out
//! to a [`UrlSink`] that can be cut back to a mark; the mark, the number of URLs taken and what was seen change
//! together. After a kill, [`open`] cuts the outlet back, and [`Sieve::taken`] is the number of URLs that
//! need not be given again: with the rest given again, none is lost or repeated.
//!
//! * `batch`: URLs held back;
//! * `signature`: 64 or 128 bits for a URL;
//! * `outlet`: where URLs go;
//! * `disk`: files that are written whole, and cut by tests;
//! * `seen`: the sorted file of what was seen, and its merge with a batch;
//! * `memory`, `offline`, `mercator`, `store`, `lsm`, `bloom`: the sieves;
//! * `cache`: URLs that were met lately, in front of any sieve.
//!
//! P. Boldi, A. Marino, M. Santini, S. Vigna, BUbiNG: Massive Crawling for the Masses, TWEB 2018;
//! A. Heydon, M. Najork, Mercator: A Scalable, Extensible Web Crawler, 1999.

mod batch;
mod bloom;
mod cache;
mod disk;
mod lsm;
mod memory;
mod mercator;
mod offline;
mod outlet;
mod seen;
mod signature;
mod store;
#[cfg(test)]
mod tests;

pub use bloom::{BloomGoal, false_positives};
pub(crate) use cache::{Cache, Cached};
pub(crate) use disk::replace;
pub use outlet::{LineFile, UrlSink};
use serde::Serialize;
pub(crate) use signature::Signer;
use std::path::Path;
use webrank_base::error::{Error, Result};
use webrank_base::memory::{admit, allowed_memory};

/// Takes URLs, and gives each once.
pub trait Sieve: Send {
    /// Takes a URL; those that are known to be new by now go to `out`. O(1) on average, and at times a
    /// pass over what was seen.
    ///
    /// # Errors
    /// If a file cannot be read or written, or is damaged; if memory is short; those of `out`.
    fn take(&mut self, url: &str, out: &mut dyn UrlSink) -> Result<()>;

    /// Gives all that is held back, and makes it last.
    ///
    /// # Errors
    /// As [`take`](Self::take).
    fn flush(&mut self, out: &mut dyn UrlSink) -> Result<()>;

    /// The number of URLs that were taken and will not be forgotten after a kill; the others must be
    /// given again. Sieves in memory forget all.
    fn taken(&self) -> u64;

    /// The account so far.
    fn account(&self) -> SieveStats;
}

/// Which sieve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum SieveKind {
    /// 64-bit signatures in a hash set: fast, up to 21 bytes of memory a URL
    Memory,
    /// A sorted file of URLs merged with batches: exact, constant memory
    Offline,
    /// A sorted file of 64-bit signatures merged with batches: constant memory, 8 bytes a URL on disk
    #[default]
    Mercator,
    /// A key-value store on disk: constant memory, slower
    Store,
    /// Signatures in sorted runs, merged in the background: constant memory, few reads
    Lsm,
    /// A Bloom filter: 2.5 to 10 bytes of memory per URL; may lose some URLs, and says how many
    Bloom,
}

/// The account of a sieve.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct SieveStats {
    /// URLs taken, since the sieve was made.
    pub taken: u64,
    /// URLs among them that a cache in front of the sieve found.
    pub found: u64,
    /// URLs given, since the sieve was made.
    pub given: u64,
    /// Bytes read from the disk by this process.
    pub bytes_read: u64,
    /// Bytes written to the disk by this process.
    pub bytes_written: u64,
    /// Bytes of memory that its structures take.
    pub memory: u64,
    /// A bound on the number of URLs that were lost on average because others look like them.
    pub lost: f64,
}

/// The least memory that sieves on disk take: buffers, and batches that are worth a pass.
pub const LEAST_MEMORY: u64 = 4 << 20;

/// Opens a sieve. One on disk is in `folder`, which exists, and goes on from what is there; `memory` is
/// how many bytes a sieve may take, whatever the number of URLs (`memory` itself takes what it needs). A
/// Bloom filter with a `goal` takes what the goal needs.
///
/// # Errors
/// If the folder holds a damaged sieve or one of another kind; if `memory` is below
/// [`LEAST_MEMORY`]; if there is a goal and the sieve is another, or too much memory for it.
pub fn open(
    (kind, goal): (SieveKind, Option<BloomGoal>),
    folder: &Path,
    memory: u64,
    out: &mut dyn UrlSink,
) -> Result<Box<dyn Sieve>> {
    if memory < LEAST_MEMORY {
        let remedy = format!("a sieve needs {} MiB or more", LEAST_MEMORY >> 20);
        return Err(Error::argument("memory", memory, remedy));
    }
    if let Some(goal) = goal {
        if kind != SieveKind::Bloom {
            return Err(Error::argument(
                "loss",
                goal.loss,
                "only --sieve bloom loses URLs",
            ));
        }
        admit(
            "a Bloom filter for so many URLs",
            goal.bytes()?,
            allowed_memory(),
        )?;
    }
    Ok(match kind {
        SieveKind::Memory => Box::new(memory::Memory::new(out)?),
        SieveKind::Offline => Box::new(offline::Offline::open(folder, memory, out)?),
        SieveKind::Mercator => Box::new(mercator::Mercator::open(folder, memory, out)?),
        SieveKind::Store => Box::new(store::Store::open(folder, memory, out)?),
        SieveKind::Lsm => Box::new(lsm::Lsm::open(folder, memory, out)?),
        SieveKind::Bloom => Box::new(bloom::Bloom::new(memory, goal, out)?),
    })
}

/// A bound on the number of pairs among `urls` signatures of so many bits that collide on average, and
/// so on the probability that any do: n^2 / 2^(bits + 1).
pub fn collisions(urls: u64, bits: i32) -> f64 {
    let urls = urls as f64;
    urls * urls * 0.5f64.powi(bits + 1)
}
