//! Breadth-first search from 512 sources at a time, along distinct rows that are read in order.
//!
//! A level is one pass over the rows, which may be in a file. The lanes that reach the nodes with a row are
//! those that reached the nodes in it at the level before, so each level reads the masks of nodes that
//! changed. All threads share the masks, and each writes those of its rows.
//!
//! Only nodes in rows have masks: nodes that lead nowhere are read by nobody. Nodes with equal rows share
//! them, a source has one of its own. Rows of other nodes have counts of lanes.
//!
//! Space: 128 bytes for each row of nodes that lead to others, 16 for each other row, 8 per node.

use super::bit_parallel::{LANES, Mask};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::memory;
use webrank_base::parallel::blocks::split_mut;
use webrank_base::parallel::simd::Simd;
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_linear::runs::{Row, RunRows};

/// Lanes are counted by parts of 32.
pub(crate) const PARTS: usize = LANES / 32;

/// The numbers of lanes of each part.
pub(crate) type Counts = [u8; PARTS];

/// Blocks of rows between two looks at whether the user interrupts.
const BLOCKS_AT_ONCE: usize = 1 << 10;

/// The place of a node without a mask.
const NOWHERE: u32 = u32::MAX;

/// Searches from a batch of sources.
pub(crate) struct Pulled<'a> {
    rows: &'a RunRows,
    blocks: Vec<Range<usize>>,
    /// The place of the mask of each node.
    place_of: Vec<u32>,
    /// A bit for each row: 1 if it has a mask.
    has_mask: Vec<u64>,
    /// The masks and the counts of each block.
    masks_of: Vec<Range<usize>>,
    counts_of: Vec<Range<usize>>,
    /// The lanes that had reached each place before this level: of rows, and then of sources.
    before: Vec<Mask>,
    after: Vec<Mask>,
    /// A bit for each place that changed at the last level.
    has_changed: Vec<u64>,
    counts: Vec<Counts>,
    sources: Vec<SearchSource>,
    all: Mask,
    level: u32,
}

/// The nodes of rows.
pub(crate) struct RowNodes {
    /// A bit for each node that is in a row.
    leads: Vec<u64>,
    /// The nodes in the row of each, itself not counted.
    pub degrees: Vec<u32>,
}

impl RowNodes {
    /// Reads all rows once. O(m), parallel.
    ///
    /// # Errors
    /// If rows are in a file that cannot be read; if there is not enough memory; if the user interrupts.
    pub fn of(rows: &RunRows, progress: &dyn Progress) -> Result<Self> {
        let words = rows.num_nodes().div_ceil(64);
        let bits = || (0..words).map(|_| AtomicU64::new(0)).collect();
        let (leads, loops): (Vec<_>, Vec<_>) = (bits(), bits());
        let mut lengths: Vec<u32> = Vec::new();
        memory::reserve_exact(&mut lengths, rows.num_rows(), "rows")?;
        for blocks in rows.blocks().chunks(BLOCKS_AT_ONCE) {
            progress.check()?;
            let found = rows.fold(blocks, |lengths: &mut Vec<u32>, row, nodes| {
                lengths.push(nodes.len() as u32);
                for y in nodes.nodes().map(|y| y as usize) {
                    set(&leads, y);
                    if rows.row_of(y) == row {
                        set(&loops, y);
                    }
                }
            })?;
            found.iter().for_each(|part| lengths.extend(part));
        }
        let loops = plain(loops);
        let mut degrees = memory::filled(0, rows.num_nodes(), "degrees")?;
        tasks::update(&mut degrees, |x, degree| {
            *degree = lengths[rows.row_of(x)] - u32::from(is_set(&loops, x));
        });
        Ok(RowNodes {
            leads: plain(leads),
            degrees,
        })
    }

    /// True if a node is in a row.
    pub fn leads(&self, node: usize) -> bool {
        is_set(&self.leads, node)
    }
}

/// A node that is searched from.
struct SearchSource {
    node: Node,
    lanes: Mask,
    /// The place of its row.
    row: usize,
}

/// The rows of a block, while a level is computed.
struct BlockMasks<'b, S> {
    masks: std::slice::IterMut<'b, Mask>,
    counts: std::slice::IterMut<'b, Counts>,
    /// The place of the next mask.
    place: usize,
    state: &'b mut S,
}

impl<'a> Pulled<'a> {
    /// Searches along `rows`. O(n).
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new(rows: &'a RunRows, nodes: &RowNodes) -> Result<Self> {
        let n = rows.num_nodes();
        let blocks = rows.blocks();
        let mut has_mask = memory::zeros(rows.num_rows().div_ceil(64), "rows")?;
        for x in (0..n).filter(|&x| nodes.leads(x)) {
            let row = rows.row_of(x);
            has_mask[row / 64] |= 1 << (row % 64);
        }
        let mut place_of_row = memory::filled(NOWHERE, rows.num_rows(), "rows")?;
        let (mut masks_of, mut counts_of) = (Vec::new(), Vec::new());
        let (mut masks, mut counts) = (0, 0);
        for block in &blocks {
            let first = [masks, counts];
            for row in block.clone() {
                if is_set(&has_mask, row) {
                    place_of_row[row] = masks as u32;
                    masks += 1;
                } else {
                    counts += 1;
                }
            }
            masks_of.push(first[0]..masks);
            counts_of.push(first[1]..counts);
        }
        let mut place_of = memory::filled(NOWHERE, n, "nodes")?;
        tasks::update(&mut place_of, |x, place| {
            if nodes.leads(x) {
                *place = place_of_row[rows.row_of(x)];
            }
        });
        Ok(Pulled {
            rows,
            blocks,
            place_of,
            has_mask,
            masks_of,
            counts_of,
            before: Vec::new(),
            after: Vec::new(),
            has_changed: Vec::new(),
            counts: Vec::new(),
            sources: Vec::new(),
            all: Mask::NONE,
            level: 0,
        })
    }

    /// The number of rows with masks, and of others.
    fn num_rows(&self) -> [usize; 2] {
        [&self.masks_of, &self.counts_of].map(|places| places.last().map_or(0, |last| last.end))
    }

    /// The bytes that masks and counts will take.
    pub fn memory(&self) -> u64 {
        let [masks, counts] = self.num_rows();
        let masks = (masks + LANES) * 2 * size_of::<Mask>();
        (masks + counts * size_of::<Counts>()) as u64
    }

    fn forget_sources(&mut self) {
        for source in self.sources.drain(..) {
            self.place_of[source.node as usize] = source.row as u32;
        }
    }

    /// The blocks of rows.
    pub fn blocks(&self) -> &[Range<usize>] {
        &self.blocks
    }

    /// Begins anew, from nodes that lead to others, each with its lane.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn start(&mut self, sources: &[(Node, usize)]) -> Result<()> {
        self.forget_sources();
        let [rows, counts] = self.num_rows();
        if self.before.is_empty() {
            let places = rows + LANES;
            self.before = memory::filled(Mask::NONE, places, "searches")?;
            self.after = memory::filled(Mask::NONE, places, "searches")?;
            self.counts = memory::filled([0; PARTS], counts, "searches")?;
            self.has_changed = memory::zeros(places.div_ceil(64), "searches")?;
        }
        self.before.fill(Mask::NONE);
        self.after.fill(Mask::NONE);
        self.counts.fill([0; PARTS]);
        self.has_changed.fill(0);
        (self.all, self.level) = (Mask::NONE, 0);
        for &(node, lane) in sources {
            let place = self.place_of[node as usize] as usize;
            let place = match place < rows {
                true => {
                    let own = rows + self.sources.len();
                    self.place_of[node as usize] = own as u32;
                    self.sources.push(SearchSource {
                        node,
                        lanes: Mask::NONE,
                        row: place,
                    });
                    own
                }
                // It was drawn twice.
                false => place,
            };
            let lanes = &mut self.sources[place - rows].lanes;
            *lanes = *lanes | Mask::of_lane(lane);
            self.before[place] = *lanes;
            self.has_changed[place / 64] |= 1 << (place % 64);
            self.all = self.all | Mask::of_lane(lane);
        }
        Ok(())
    }

    /// Computes the next level. `visit` gets the state of a block, a row, the number of lanes that reach
    /// the nodes with this row for the first time, and the level. False if no lane reaches any.
    ///
    /// # Errors
    /// If rows are in a file that cannot be read; if the user interrupts.
    pub fn step<S: Send>(
        &mut self,
        states: &mut [S],
        visit: impl Fn(&mut S, usize, &Counts, u32) + Sync,
        progress: &dyn Progress,
    ) -> Result<bool> {
        self.level += 1;
        let (level, simd) = (self.level, Simd::best());
        let (mut after, mut counts) = (
            std::mem::take(&mut self.after),
            std::mem::take(&mut self.counts),
        );
        let masks = split_mut(&mut after, &self.masks_of);
        let counted = split_mut(&mut counts, &self.counts_of);
        let places = self.masks_of.iter().map(|places| places.start);
        let parts = masks.into_iter().zip(counted).zip(places).zip(states);
        let mut parts: Vec<_> = parts
            .map(|(((masks, counts), place), state)| BlockMasks {
                masks: masks.iter_mut(),
                counts: counts.iter_mut(),
                place,
                state,
            })
            .collect();
        let chunks = self.blocks.chunks(BLOCKS_AT_ONCE);
        for (blocks, parts) in chunks.zip(parts.chunks_mut(BLOCKS_AT_ONCE)) {
            progress.check()?;
            self.rows.fold_into(blocks, parts, |part, row, nodes| {
                let new = match is_set(&self.has_mask, row) {
                    true => self.reach(part, nodes, simd),
                    false => self.count(part, nodes, simd),
                };
                if let Some(new) = new {
                    visit(part.state, row, &new, level);
                }
            })?;
        }
        drop(parts);
        (self.after, self.counts) = (after, counts);
        Ok(self.settle())
    }

    /// The lanes that are new to a row with a mask.
    fn reach<S>(&self, block: &mut BlockMasks<S>, nodes: Row, simd: Simd) -> Option<Counts> {
        let old = self.before[block.place];
        block.place += 1;
        let mut mask = old;
        if old != self.all {
            for y in nodes.nodes() {
                let place = self.place_of[y as usize] as usize;
                if is_set(&self.has_changed, place) {
                    mask = mask | self.before[place];
                }
            }
        }
        *block.masks.next().expect("there is one for each row") = mask;
        (mask != old).then(|| simd.run(Counting(mask & !old)))
    }

    /// The number of lanes that are new to a row without a mask.
    fn count<S>(&self, block: &mut BlockMasks<S>, nodes: Row, simd: Simd) -> Option<Counts> {
        let counts = block.counts.next().expect("there is one for each row");
        let place = |y: Node| self.place_of[y as usize] as usize;
        if !nodes.nodes().any(|y| is_set(&self.has_changed, place(y))) {
            return None;
        }
        let masks = nodes.nodes().map(|y| self.before[place(y)]);
        let now = simd.run(Counting(masks.fold(Mask::NONE, |all, mask| all | mask)));
        let new = std::array::from_fn(|part| now[part] - counts[part]);
        *counts = now;
        (new != [0; PARTS]).then_some(new)
    }

    /// Makes this level the last one: false if nothing has changed.
    fn settle(&mut self) -> bool {
        let rows = self.before.len() - LANES;
        for (place, source) in (rows..).zip(&self.sources) {
            self.after[place] = self.after[source.row] | source.lanes;
        }
        std::mem::swap(&mut self.before, &mut self.after);
        let (now, earlier) = (&self.before, &self.after);
        self.has_changed = tasks::tabulate(self.has_changed.len(), |word| {
            let places = 64 * word..now.len().min(64 * word + 64);
            let bits = places.clone().zip(0..);
            bits.fold(0, |bits, (place, bit)| {
                bits | u64::from(now[place] != earlier[place]) << bit
            })
        });
        self.has_changed.iter().any(|&word| word != 0)
    }

    /// True once the search of this lane has come back to the row of its source.
    pub fn has_returned(&self, node: Node, lane: usize) -> bool {
        let own = self.place_of[node as usize] as usize + LANES - self.before.len();
        self.before[self.sources[own].row].has_lane(lane)
    }
}

/// Counts the lanes of each part.
struct Counting(Mask);

impl pulp::NullaryFnOnce for Counting {
    type Output = Counts;

    #[inline(always)]
    fn call(self) -> Counts {
        let mut counts = [0; PARTS];
        for (pair, word) in counts.as_chunks_mut::<2>().0.iter_mut().zip(self.0.0) {
            *pair = [
                (word as u32).count_ones() as u8,
                ((word >> 32) as u32).count_ones() as u8,
            ];
        }
        counts
    }
}

#[inline(always)]
fn is_set(bits: &[u64], place: usize) -> bool {
    bits[place / 64] >> (place % 64) & 1 == 1
}

fn plain(bits: Vec<AtomicU64>) -> Vec<u64> {
    bits.into_iter().map(AtomicU64::into_inner).collect()
}

fn set(bits: &[AtomicU64], place: usize) {
    let (word, bit) = (&bits[place / 64], 1 << (place % 64));
    if word.load(Relaxed) & bit == 0 {
        word.fetch_or(bit, Relaxed);
    }
}
