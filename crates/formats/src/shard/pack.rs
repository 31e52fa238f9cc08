//! Packing one part of a graph whose arcs come in any order, as tasks of another system give them.
//!
//! Nobody needs the whole graph for it: who packs a part has the arcs from its nodes, and knows of each
//! target whether it has successors.

use super::spill::Spill;
use super::{MAX_PARTS, write_away, write_rows};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use sux::bits::BitVec;
use sux::traits::{BitVecOps, BitVecOpsMut};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::output::{SpillBudget, TemporaryFolder};
use webrank_base::progress::Progress;
use webrank_graph::arcs::{ArcStore, Duplicates, SortedArcs};
use webrank_graph::shards::touched::TouchedWriter;
use webrank_graph::shards::{OWN, PartPlan, TOUCHED};

/// The bit of a source whose arc leads to a live node elsewhere.
const LIVE: Node = 1 << 31;

/// The bytes of the buffer of a temporary file.
const BUFFER: usize = 1 << 18;

/// The least memory for arcs.
const LEAST: u64 = 4 << 20;

/// Packs one part of a graph. Arcs that do not fit into memory go to temporary files: 16 bytes an arc at
/// most. An arc that comes twice counts once.
pub struct PartPacker {
    /// The first node of each part, and the end of the last one.
    bounds: Vec<u64>,
    part: usize,
    /// The arcs inside, by target.
    own: ArcStore<u64>,
    /// The others by target: a store for each value that the upper half of targets has.
    away: Vec<ArcStore<u64>>,
    live: BitVec,
    files: Arc<TemporaryFolder>,
}

impl PartPacker {
    /// A part has fewer nodes: one bit of a source says whether the target is live.
    pub const MOST_NODES: u64 = 1 << 31;

    /// Begins a part of a graph whose parts begin at all `bounds` but the last, which is where the nodes
    /// end. Arcs take up to `bytes` of memory; what is more goes to a file in `folder`.
    ///
    /// # Errors
    /// If bounds do not increase, or the part is too long; if the folder cannot be written to.
    pub fn new(bounds: Vec<u64>, part: usize, folder: &Path, bytes: u64) -> Result<Self> {
        let parts = bounds.len().saturating_sub(1);
        if parts == 0 || parts > MAX_PARTS {
            let remedy = format!("it must be from 1 to {MAX_PARTS}");
            return Err(Error::argument("parts", parts, remedy));
        }
        if !bounds.is_sorted() || part >= parts {
            let remedy = "ranges of nodes must follow each other";
            return Err(Error::argument("part", part, remedy));
        }
        let nodes = bounds[part + 1] - bounds[part];
        if nodes >= Self::MOST_NODES {
            let remedy = "a part must have fewer than 2^31: make more parts";
            return Err(Error::argument("nodes of a part", nodes, remedy));
        }
        let files = Arc::new(TemporaryFolder::create(folder)?);
        let bytes = bytes.max(LEAST);
        let room = |bytes| SpillBudget {
            bytes,
            folder: Some(files.clone()),
        };
        let stores = upper(bounds[parts].saturating_sub(1)) - upper(bounds[0]) + 1;
        let away = (0..stores).map(|_| ArcStore::new(room(bytes / 2 / stores as u64), false));
        Ok(PartPacker {
            away: away.collect(),
            own: ArcStore::new(room(bytes / 2), false),
            live: BitVec::new(nodes as usize),
            bounds,
            part,
            files,
        })
    }

    /// Takes an arc, from a node of the part; `is_live` if the target has successors.
    ///
    /// # Errors
    /// If a node is not where it should be; if memory is short or the disk is full.
    pub fn push(&mut self, source: u64, target: u64, is_live: bool) -> Result<()> {
        let range = self.range();
        if !range.contains(&source) || !self.all().contains(&target) {
            let problem = format!("the arc {source} -> {target} is not of part {}", self.part);
            return Err(Error::Rows { problem });
        }
        let local = (source - range.start) as Node;
        self.live.set(local as usize, true);
        if range.contains(&target) {
            return self.own.push((target - range.start) as Node, local, 1.0);
        }
        let flag = if is_live { LIVE } else { 0 };
        let store = upper(target) - upper(self.bounds[0]);
        self.away[store].push(target as Node, local | flag, 1.0)
    }

    fn range(&self) -> Range<u64> {
        self.bounds[self.part]..self.bounds[self.part + 1]
    }

    fn all(&self) -> Range<u64> {
        self.bounds[0]..self.bounds[self.bounds.len() - 1]
    }

    /// Writes the files of the part into an empty folder. Returns what the plan says of it, and a hash of
    /// its arcs; the sum of those of all parts depends on the graph alone.
    ///
    /// # Errors
    /// If a file cannot be read or written; if memory is short.
    pub fn finish(self, folder: &Path, progress: &dyn Progress) -> Result<(PartPlan, u64)> {
        let (range, all) = (self.range(), self.all());
        let nodes = (range.end - range.start) as usize;
        let hash = AtomicU64::new(0);
        let note = |target: u64, sources: &[Node]| {
            let sources = sources
                .iter()
                .map(|&source| range.start + u64::from(source));
            // Relaxed: a sum of integers is the same in any order.
            hash.fetch_add(hash_of(target, sources), Relaxed);
        };
        let own = self.own.finish(nodes, None, Duplicates::Drop)?;
        let rows = |rows: Range<usize>, visit: &mut dyn FnMut(Node, &[Node]) -> Result<()>| {
            own.rows_with_arcs(rows, &mut |node, row, _| {
                note(range.start + u64::from(node), row);
                visit(node, row)
            })
        };
        let (own_arcs, _) = write_rows(nodes, own.arcs(), &rows, &folder.join(OWN), progress)?;
        drop(own);
        let part_of = |node: u64| self.bounds.partition_point(|&first| first <= node) - 1;
        let mut touched = vec![0; self.bounds.len() - 1];
        let mut touched_live = touched.clone();
        let mut list = TouchedWriter::create(&folder.join(TOUCHED), all.start)?;
        let mut spill = Spill::new(self.files.new_file()?, BUFFER);
        for (store, arcs) in self.away.into_iter().enumerate() {
            let base = ((upper(all.start) + store) as u64) << 32;
            let arcs = arcs.finish(1 << 32, None, Duplicates::Drop)?;
            for_rows(&arcs, base, &all, |target, words, is_live| {
                note(target, &words[2..]);
                list.push(target);
                let part = part_of(target);
                touched[part] += 1;
                touched_live[part] += u64::from(is_live);
                spill.append(words)
            })?;
            progress.check()?;
        }
        list.finish()?;
        spill.end()?;
        let (away_arcs, _) = write_away(nodes, &spill, folder, progress)?;
        let plan = PartPlan {
            first: range.start,
            nodes: nodes as u64,
            own_arcs,
            away_arcs,
            touched,
            live: self.live.count_ones() as u64,
            touched_live,
            files: PartPlan::listing(folder)?,
        };
        Ok((plan, hash.into_inner()))
    }
}

/// The upper half of the number of a node.
fn upper(node: u64) -> usize {
    (node >> 32) as usize
}

/// Calls `visit(target, words, is_live)` for the rows of a store whose targets begin at `base`; words are
/// those of a [`Spill`].
fn for_rows(
    arcs: &SortedArcs<u64>,
    base: u64,
    all: &Range<u64>,
    mut visit: impl FnMut(u64, &[Node], bool) -> Result<()>,
) -> Result<()> {
    if arcs.arcs() == 0 {
        return Ok(());
    }
    let rows = all.start.saturating_sub(base)..(all.end - base).min(1 << 32);
    let mut words = Vec::new();
    let rows = rows.start as usize..rows.end as usize;
    arcs.rows_with_arcs(rows, &mut |node, row, _| {
        words.clear();
        words.extend([node, row.len() as Node]);
        words.extend(row.iter().map(|source| source & !LIVE));
        visit(base + u64::from(node), &words, row[0] & LIVE > 0)
    })
}

/// The sum over the arcs of a row of f(source) g(target) modulo 2^64, where f and g mix the bits of a node.
fn hash_of(target: u64, sources: impl Iterator<Item = u64>) -> u64 {
    let sum = sources.fold(0, |sum: u64, source| sum.wrapping_add(mixed(source)));
    mixed(!target).wrapping_mul(sum)
}

/// The finaliser of SplitMix64; odd, so that no product loses what the other factor knows.
fn mixed(node: u64) -> u64 {
    let x = (node ^ node >> 30).wrapping_add(0x9E37_79B9_7F4A_7C15);
    let x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    (x ^ x >> 31) | 1
}

#[cfg(test)]
#[path = "pack_tests.rs"]
mod tests;
