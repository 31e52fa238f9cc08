//! The sieve of a log-structured merge tree: 128-bit signatures in sorted runs, in levels that grow by ten.
//!
//! A URL is looked for in the table in memory, and in the runs, of which filters leave out most. One that is
//! new goes into the table, and waits; one that is known is dropped at once. When the table is full, it
//! becomes a run of level 0, and the URLs that wait are given. Ten runs of level 0 become one of level 1,
//! together with the one that is there; a run of level l that has more than 10^(l + 1) tables is merged into
//! level l + 1. Another thread merges, while the old runs still answer; its run counts from the tenth batch
//! on, and is waited for then: so the same URLs leave the same files. Signatures are written about
//! 10 levels times, however many there are, where `mercator` writes all of them for every batch.
//!
//! Nothing is removed from a sieve, so there are no tombstones. The state says which runs count, with their
//! checksums, how many URLs were taken and given, and the mark of the outlet; it is replaced whole, and
//! files that it does not name are litter.
//!
//! Memory is constant: half the room of filters is for all signatures together, at most 10 bits each, and
//! what does not fit costs reads of blocks.
//!
//! P. O'Neil, E. Cheng, D. Gawlick, E. O'Neil, The Log-Structured Merge-Tree, Acta Informatica 33 (1996).

mod run;
mod state;
#[cfg(test)]
mod tests;

use self::run::{Builder, Entry, Room, Run, merge};
use self::state::State;
use super::batch::Batch;
use super::memory::Itself;
use super::signature::Signer;
use super::{Sieve, SieveStats, UrlSink, collisions, disk};
use std::collections::HashSet;
use std::hash::BuildHasherDefault;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::JoinHandle;
use webrank_base::error::{Error, Result};

/// How sizes are chosen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sizes {
    /// Signatures of the table.
    pub(super) places: usize,
    /// Bytes of URLs that wait.
    pub(super) batch: u64,
    /// Bytes of filters and indices.
    pub(super) filters: u64,
    /// Runs of level 0 that are merged, the factor between levels, and the batches of a merge.
    pub(super) fan: usize,
}

/// A merge that another thread does.
struct Merge {
    /// The numbers of its runs.
    inputs: Vec<u64>,
    /// The batch from which its result counts.
    due: u64,
    memory: u64,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<Result<Option<Run>>>>,
}

impl Merge {
    fn join(&mut self) -> Option<Result<Option<Run>>> {
        let failed = || Err(Error::file("threads", "have ended while runs were merged"));
        let thread = self.thread.take()?;
        Some(thread.join().unwrap_or_else(|_| failed()))
    }
}

impl Drop for Merge {
    fn drop(&mut self) {
        self.is_over.store(true, Relaxed);
        drop(self.join());
    }
}

pub(super) struct Lsm {
    folder: PathBuf,
    sizes: Sizes,
    signer: Signer,
    state: State,
    table: HashSet<u128, BuildHasherDefault<Itself>>,
    /// The largest level first.
    runs: Vec<Run>,
    merge: Option<Merge>,
    /// New URLs, and their arrivals.
    batch: Batch,
    arrivals: Vec<u64>,
    taken: u64,
    batches: u64,
    next_number: u64,
    block: Vec<u8>,
    bytes_read: u64,
    bytes_written: u64,
}

/// Bytes of a place of the table, and of a signature that is sorted.
const PLACE: u64 = 17;
const KEY: u64 = 16;

impl Lsm {
    pub(super) fn open(folder: &Path, memory: u64, out: &mut dyn UrlSink) -> Result<Self> {
        // A table of 2^k places is filled to 7/8. Lists of the batch may double.
        let places = 1u64 << (memory / 8 / PLACE).ilog2();
        let sizes = Sizes {
            places: (places / 8 * 7) as usize,
            batch: memory / 8,
            filters: memory / 8 * 3,
            fan: 10,
        };
        Self::with_sizes(folder, sizes, out)
    }

    pub(super) fn with_sizes(folder: &Path, sizes: Sizes, out: &mut dyn UrlSink) -> Result<Self> {
        let path = folder.join("state");
        let (signer, state) = match std::fs::read(&path) {
            Ok(text) => {
                let state = State::read(&path, &text)?;
                (Signer::with_keys(state.keys), state)
            }
            Err(problem) if problem.kind() == ErrorKind::NotFound => {
                let signer = Signer::random();
                let state = State::new(signer.keys());
                (signer, state)
            }
            Err(problem) => return Err(Error::io(&path, "cannot read", problem)),
        };
        let numbers = state.runs.iter().map(|entry| entry.number);
        let mut lsm = Lsm {
            folder: folder.to_owned(),
            sizes,
            signer,
            table: HashSet::default(),
            runs: Vec::new(),
            merge: None,
            batch: Batch::default(),
            arrivals: Vec::new(),
            taken: state.taken,
            batches: 0,
            next_number: numbers.max().map_or(0, |last| last + 1),
            block: Vec::new(),
            bytes_read: 0,
            bytes_written: 0,
            state,
        };
        lsm.remove_litter()?;
        let total = lsm.state.runs.iter().map(|entry| entry.keys).sum();
        for entry in lsm.state.runs.clone() {
            let run = Run::open(folder, entry, lsm.room(entry.keys, total))?;
            lsm.bytes_read += entry.keys * KEY;
            lsm.runs.push(run);
        }
        out.cut(lsm.state.mark)?;
        lsm.begin_merge();
        Ok(lsm)
    }

    fn remove_litter(&self) -> Result<()> {
        let cannot = |source| Error::io(&self.folder, "cannot read", source);
        let known: Vec<PathBuf> = self
            .state
            .runs
            .iter()
            .map(|it| it.path(&self.folder))
            .collect();
        for entry in self.folder.read_dir().map_err(cannot)? {
            let path = entry.map_err(cannot)?.path();
            if path.file_stem().is_some_and(|stem| stem == "run") && !known.contains(&path) {
                disk::remove(&path)?;
            }
        }
        Ok(())
    }

    /// The memory for a run of so many keys, of so many in all.
    fn room(&self, keys: u64, total: u64) -> Room {
        let taken = self.runs.iter().map(Run::memory).sum::<u64>()
            + self.merge.as_ref().map_or(0, |it| it.memory);
        let left = self.sizes.filters.saturating_sub(taken);
        let half = u128::from(self.sizes.filters) / 2 * u128::from(keys) / u128::from(total.max(1));
        let filter = (keys * 10 / 8 + 64).min(half as u64).min(left / 8 * 7);
        Room {
            filter,
            index: (left / 8).min(self.sizes.filters / 8),
        }
    }

    fn is_known(&mut self, key: u128) -> Result<bool> {
        if self.table.contains(&key) {
            return Ok(true);
        }
        for run in &self.runs {
            if run.has(key, &mut self.block, &mut self.bytes_read)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The table as a run of level 0.
    fn write_table(&mut self) -> Result<Option<Run>> {
        if self.table.is_empty() {
            return Ok(None);
        }
        let mut keys: Vec<u128> = self.table.iter().copied().collect();
        keys.sort_unstable();
        let entry = self.entry(0, keys.len() as u64);
        let total = self.keys() + entry.keys;
        let mut out = Builder::create(&self.folder, entry, self.room(entry.keys, total))?;
        for key in keys {
            out.push(key)?;
        }
        self.bytes_written += entry.keys * KEY;
        out.finish().map(Some)
    }

    fn entry(&mut self, level: u32, keys: u64) -> Entry {
        self.next_number += 1;
        Entry {
            level,
            number: self.next_number - 1,
            keys,
            checksum: 0,
        }
    }

    fn keys(&self) -> u64 {
        self.runs.iter().map(|run| run.entry.keys).sum()
    }

    /// The run of a merge whose time has come, and the numbers of those that it replaces.
    fn merged(&mut self) -> Result<Option<(Run, Vec<u64>)>> {
        let Some(mut merge) = self.merge.take_if(|merge| merge.due <= self.batches) else {
            return Ok(None);
        };
        let run = merge.join().transpose()?.flatten();
        Ok(run.map(|run| (run, std::mem::take(&mut merge.inputs))))
    }

    /// The next merge: runs, and the level of the result.
    fn plan(&self) -> Option<(Vec<Entry>, u32)> {
        let of_level = |level| {
            let entries = self.runs.iter().map(|run| run.entry);
            entries.filter(move |entry| entry.level == level)
        };
        let (places, fan) = (self.sizes.places as u64, self.sizes.fan as u64);
        let most = |level: u32| places.saturating_mul(fan.saturating_pow(level + 1));
        let is_full = |&level: &u32| of_level(level).any(|run| run.keys > most(level));
        let levels = self.runs.iter().map(|run| run.entry.level).max()?;
        // Before level 0, which would never leave time for others.
        if let Some(full) = (1..=levels).find(is_full) {
            return Some((of_level(full + 1).chain(of_level(full)).collect(), full + 1));
        }
        let first: Vec<Entry> = of_level(0).collect();
        if first.len() < self.sizes.fan {
            return None;
        }
        let keys: u64 = first.iter().map(|entry| entry.keys).sum();
        // Batches of few URLs are merged with each other first.
        let next: Vec<Entry> = of_level(1).collect();
        match next
            .iter()
            .all(|next| keys.saturating_mul(fan) >= next.keys)
        {
            true => Some(([next, first].concat(), 1)),
            false => Some((first, 0)),
        }
    }

    /// Lets another thread merge, if there is something.
    fn begin_merge(&mut self) {
        if self.merge.is_some() {
            return;
        }
        let Some((inputs, level)) = self.plan() else {
            return;
        };
        if let [only] = inputs[..] {
            // It is the first of its level, which the next batch makes last.
            let moved = self
                .runs
                .iter_mut()
                .find(|run| run.entry.number == only.number);
            moved.into_iter().for_each(|run| run.entry.level = level);
            return;
        }
        let keys = inputs.iter().map(|entry| entry.keys).sum();
        let entry = self.entry(level, keys);
        let room = self.room(keys, self.keys());
        let (folder, is_over) = (self.folder.clone(), Arc::<AtomicBool>::default());
        let (entries, over) = (inputs.clone(), Arc::clone(&is_over));
        self.bytes_read += keys * KEY;
        self.bytes_written += keys * KEY;
        self.merge = Some(Merge {
            inputs: inputs.iter().map(|entry| entry.number).collect(),
            due: self.batches + self.sizes.fan as u64,
            memory: room.filter + room.index,
            is_over,
            thread: Some(std::thread::spawn(move || {
                merge(&folder, &entries, entry, room, &over)
            })),
        });
    }
}

impl Sieve for Lsm {
    fn take(&mut self, url: &str, out: &mut dyn UrlSink) -> Result<()> {
        if self.table.capacity() == 0 {
            let reserved = self.table.try_reserve(self.sizes.places);
            let bytes = self.sizes.places as u64 * 8 / 7 * PLACE;
            reserved.map_err(|_| Error::memory("the table of a sieve", bytes))?;
        }
        let key = self.signer.of_128_bits(url);
        let arrival = self.taken;
        let is_known = self.is_known(key)?;
        self.taken += 1;
        if is_known {
            return Ok(());
        }
        self.table.insert(key);
        self.batch.push(url)?;
        self.arrivals.push(arrival);
        let bytes = self.batch.bytes() + self.arrivals.len() as u64 * 8;
        match self.table.len() >= self.sizes.places || bytes >= self.sizes.batch {
            true => self.flush(out),
            false => Ok(()),
        }
    }

    fn flush(&mut self, out: &mut dyn UrlSink) -> Result<()> {
        if self.taken == self.state.taken {
            return Ok(());
        }
        self.batches += 1;
        let merged = self.merged()?;
        let new = self.write_table()?;
        for (index, &arrival) in self.arrivals.iter().enumerate() {
            out.give(arrival, self.batch.url(index))?;
        }
        let (run, replaced) =
            merged.map_or((None, Vec::new()), |(run, replaced)| (Some(run), replaced));
        let is_old = |run: &Run| replaced.contains(&run.entry.number);
        let old: Vec<Entry> = self
            .runs
            .iter()
            .filter(|run| is_old(run))
            .map(|run| run.entry)
            .collect();
        self.runs.retain(|run| !is_old(run));
        self.runs.extend(run.into_iter().chain(new));
        self.runs
            .sort_by_key(|run| (std::cmp::Reverse(run.entry.level), run.entry.number));
        self.state.runs = self.runs.iter().map(|run| run.entry).collect();
        self.state.given += self.arrivals.len() as u64;
        self.state.taken = self.taken;
        self.state.mark = out.mark()?;
        disk::replace(&self.folder.join("state"), &self.state.text())?;
        for entry in old {
            disk::remove(&entry.path(&self.folder))?;
        }
        self.table.clear();
        self.batch.clear();
        self.arrivals.clear();
        self.begin_merge();
        Ok(())
    }

    fn taken(&self) -> u64 {
        self.state.taken
    }

    fn account(&self) -> SieveStats {
        let Sizes {
            places,
            batch,
            filters,
            ..
        } = self.sizes;
        let table = places as u64 * 8 / 7 * PLACE + places as u64 * KEY;
        SieveStats {
            taken: self.taken,
            given: self.state.given,
            bytes_read: self.bytes_read,
            bytes_written: self.bytes_written,
            memory: table + 2 * batch + filters,
            lost: collisions(self.state.given, 128),
            ..SieveStats::default()
        }
    }
}
