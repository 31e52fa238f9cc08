//! All pairs of different fingerprints within a distance.
//!
//! Each fingerprint of a group is compared with each, or the group is sorted by several fronts, and
//! the groups that agree in a front are searched likewise, by the bits that are left: see `design`.
//! A front that many fingerprints share is thus cut again, so that fingerprints that are not random
//! take little longer.
//!
//! A pair that agrees in several fronts is found by the first of them only. Which pairs are found
//! does not depend on the number of threads; their order does.

use super::compare::compare;
use super::design::{Plan, fronts};
use super::permutation::Permutation;
use rayon::prelude::*;
use webrank_base::error::Result;
use webrank_base::memory::reserve;
use webrank_base::parallel::simd::Simd;
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_base::units;

/// A taker of the pairs that are found, from any thread.
pub(super) type Found<'a> = dyn Fn(&[(u64, u64)]) -> Result<()> + Sync + 'a;

/// Groups of more fingerprints are shared by threads.
const SHARED: usize = 1 << 15;

/// Fingerprints that a task compares with all that follow.
const ROWS: usize = 1 << 8;

/// The seconds of a comparison.
const OF_COMPARISON: f64 = 0.7e-9;

/// Users are told how long it takes if it takes more seconds.
const LONG: f64 = 60.0;

/// Pairs that a task keeps before it hands them over.
const KEPT: usize = 1 << 12;

/// Finds every pair of `words` at a distance of at most `k`. The words differ from each other; their
/// order changes. About n^1.3 comparisons for k = 3; 8 bytes a fingerprint, and as many again for each
/// time that a front is shared by most of them, at most 8.
///
/// # Errors
/// If memory is short, if the user interrupts, and those of `found`.
pub(super) fn near_pairs(
    words: &mut [u64],
    k: u32,
    progress: &dyn Progress,
    found: &Found,
) -> Result<()> {
    near_pairs_shared(words, k, SHARED, progress, found)
}

/// As [`near_pairs`], where threads share groups of more than `shared` fingerprints.
fn near_pairs_shared(
    words: &mut [u64],
    k: u32,
    shared: usize,
    progress: &dyn Progress,
    found: &Found,
) -> Result<()> {
    if k == 0 {
        return Ok(());
    }
    let search = Search {
        plan: Plan::new(k),
        k,
        shared,
        simd: Simd::best(),
        progress,
        found,
    };
    let threads = rayon::current_num_threads() as f64;
    let seconds = search.plan.comparisons(words.len()) * OF_COMPARISON / threads;
    if seconds > LONG {
        progress.announce(&format!(
            "comparing takes about {}",
            units::seconds(seconds)
        ));
    }
    let tables = search.plan.blocks(u64::MAX, words.len());
    let tables = tables.map_or(1, |blocks| fronts(u64::MAX, blocks, k).len());
    progress.begin("compare", Some(tables as u64 * words.len() as u64));
    search.shared(words, u64::MAX, None)?;
    progress.end();
    Ok(())
}

struct Search<'a> {
    plan: Plan,
    k: u32,
    shared: usize,
    simd: Simd,
    progress: &'a dyn Progress,
    found: &'a Found<'a>,
}

/// The fronts by which pairs were found before, in this group and in those that it is in.
struct Before<'a> {
    fronts: &'a [u64],
    outer: Option<&'a Before<'a>>,
}

impl Before<'_> {
    /// True if no front before agrees in a pair with these different bits.
    fn is_new(&self, different: u64) -> bool {
        let levels = std::iter::successors(Some(self), |level| level.outer);
        let mut fronts = levels.flat_map(|level| level.fronts);
        fronts.all(|front| different & front != 0)
    }
}

/// The pairs that a task has found.
#[derive(Default)]
struct Hits(Vec<(u64, u64)>);

/// A part of a table, with whole groups.
enum Part<'t> {
    /// Several, for one task.
    Groups(&'t mut [u64]),
    /// One, for several tasks.
    Large(&'t mut [u64]),
}

impl Search<'_> {
    /// Searches a group of any size by all threads. The words agree but in the bits of `free`.
    fn shared(&self, words: &mut [u64], free: u64, before: Option<&Before>) -> Result<()> {
        if words.len() <= self.shared {
            let mut hits = Hits::default();
            self.group(words, free, before, &mut hits)?;
            return self.hand_over(&mut hits);
        }
        let Some(blocks) = self.plan.blocks(free, words.len()) else {
            return self.compare_all(words, before);
        };
        let fronts = fronts(free, blocks, self.k);
        let is_first = before.is_none();
        let mut table: Vec<u64> = Vec::new();
        reserve(&mut table, words.len(), "a table of fingerprints")?;
        table.resize(words.len(), 0);
        for (i, &front) in fronts.iter().enumerate() {
            self.progress.check()?;
            let order = Permutation::with_front(front);
            tasks::update_with(&mut table, words, |place, &word| *place = order.apply(word));
            table.par_sort_unstable();
            let before = Before {
                fronts: &fronts[..i],
                outer: before,
            };
            let length = front.count_ones();
            let mut large = Vec::new();
            let mut small = Vec::new();
            for part in parts(&mut table, length, self.shared) {
                match part {
                    Part::Groups(groups) => small.push(groups),
                    Part::Large(group) => large.push(group),
                }
            }
            let free = free & !front;
            tasks::try_map(small, |part| {
                let (mut hits, count) = (Hits::default(), part.len());
                self.groups(part, (&order, length), free, &before, &mut hits)?;
                self.progress.check()?;
                if is_first {
                    self.progress.advance(count as u64);
                }
                self.hand_over(&mut hits)
            })?;
            for group in large {
                let count = group.len();
                group.iter_mut().for_each(|word| *word = order.undo(*word));
                self.shared(group, free, Some(&before))?;
                if is_first {
                    self.progress.advance(count as u64);
                }
            }
        }
        Ok(())
    }

    /// Compares all words with all by all threads.
    fn compare_all(&self, words: &[u64], before: Option<&Before>) -> Result<()> {
        let starts = (0..words.len()).step_by(ROWS);
        tasks::try_map(starts, |start| {
            self.progress.check()?;
            let mut hits = Hits::default();
            let words = &words[start..];
            self.compare(ROWS.min(words.len()), words, before, &mut hits)?;
            self.hand_over(&mut hits)
        })
        .map(drop)
    }

    /// Searches a group. The words agree but in the bits of `free`.
    fn group(
        &self,
        words: &mut [u64],
        free: u64,
        before: Option<&Before>,
        hits: &mut Hits,
    ) -> Result<()> {
        let Some(blocks) = self.plan.blocks(free, words.len()) else {
            return self.compare(words.len(), words, before, hits);
        };
        let fronts = fronts(free, blocks, self.k);
        let mut table = Vec::with_capacity(words.len());
        for (i, &front) in fronts.iter().enumerate() {
            let order = Permutation::with_front(front);
            table.clear();
            table.extend(words.iter().map(|&word| order.apply(word)));
            table.sort_unstable();
            let before = Before {
                fronts: &fronts[..i],
                outer: before,
            };
            let length = front.count_ones();
            self.groups(&mut table, (&order, length), free & !front, &before, hits)?;
        }
        Ok(())
    }

    /// Searches all groups of a part of a sorted table that agree in so many first bits.
    fn groups(
        &self,
        part: &mut [u64],
        (order, length): (&Permutation, u32),
        free: u64,
        before: &Before,
        hits: &mut Hits,
    ) -> Result<()> {
        for group in part.chunk_by_mut(|a, b| agree(*a, *b, length)) {
            if group.len() > 1 {
                group.iter_mut().for_each(|word| *word = order.undo(*word));
                self.group(group, free, Some(before), hits)?;
            }
        }
        Ok(())
    }

    /// Compares the first `rows` words with all that follow each.
    fn compare(
        &self,
        rows: usize,
        words: &[u64],
        before: Option<&Before>,
        hits: &mut Hits,
    ) -> Result<()> {
        compare(rows, words, self.k, self.simd, &mut |a, b| {
            if before.is_none_or(|before| before.is_new(a ^ b)) {
                hits.0.push((a, b));
            }
            self.hand_over_many(hits)
        })
    }

    fn hand_over_many(&self, hits: &mut Hits) -> Result<()> {
        match hits.0.len() < KEPT {
            true => Ok(()),
            false => self.progress.check().and_then(|()| self.hand_over(hits)),
        }
    }

    fn hand_over(&self, hits: &mut Hits) -> Result<()> {
        let handed = match hits.0.is_empty() {
            true => Ok(()),
            false => (self.found)(&hits.0),
        };
        hits.0.clear();
        handed
    }
}

/// True if the first `length` bits are equal.
#[inline]
fn agree(a: u64, b: u64, length: u32) -> bool {
    (a ^ b).leading_zeros() >= length
}

/// Cuts a sorted table into parts with whole groups of fingerprints that agree in so many first bits.
fn parts(mut table: &mut [u64], length: u32, shared: usize) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    while !table.is_empty() {
        let mut end = table.len().min(shared.div_ceil(2));
        // All that agree with the last one belong to it: they follow.
        let last = table[end - 1];
        end += table[end..].partition_point(|&word| agree(last, word, length));
        let (part, rest) = table.split_at_mut(end);
        table = rest;
        let first = part.partition_point(|&word| !agree(last, word, length));
        if part.len() - first <= shared {
            parts.push(Part::Groups(part));
            continue;
        }
        let (groups, group) = part.split_at_mut(first);
        if !groups.is_empty() {
            parts.push(Part::Groups(groups));
        }
        parts.push(Part::Large(group));
    }
    parts
}

#[cfg(test)]
mod tests;
