//! Rows of predecessors, stored so that sums over them are cheapest.
//!
//! Pages of a site share their menus and footers, so in web graphs many nodes have equal
//! predecessors, and predecessors come in runs of consecutive nodes. Hence
//!
//! * equal rows are kept, and summed, once;
//! * a run is one subtraction of prefix sums, which restart every [`PREFIX_BLOCK`] nodes so that
//!   they lose little precision ([`crate::prefixes`]); runs end where prefix sums restart.
//!
//! On a crawl of 3 million arcs this leaves a fifth of the memory reads. Where precision matters,
//! [`Row::exact_sum`] adds the entries of a run one by one.
//!
//! Nodes without successors are nobody's predecessors, so rows may number only the other nodes
//! ([`RunRows::of_live`]): vectors are shorter, runs longer.
//!
//! Rows are [`flat`], as lists of nodes in memory, or [`compact`], as bytes in memory or
//! in a file. Sums over them are the same to the bit.
//!
//! [`PREFIX_BLOCK`]: crate::prefixes::PREFIX_BLOCK

mod alike;
pub mod compact;
mod counts;
mod equal;
pub mod flat;
mod row;
mod single;

use crate::prefixes::Prefixes;
pub use alike::RowSum;
use alike::UniformRows;
use compact::CompactRows;
use compact::pack::Windows;
pub use equal::EqualRows;
use flat::FlatRows;
use num_traits::Float;
pub use row::Row;
pub use single::{RowBuffer, SingleRows};
use std::ops::Range;
use std::sync::Arc;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::output::SpillBudget;
use webrank_base::parallel::blocks::split_mut;
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_graph::{Csr, Rows};

/// The distinct rows of a graph, each as single nodes and runs.
pub struct RunRows {
    num_arcs: u64,
    /// The distinct row of each node.
    row_of: Vec<u32>,
    distinct: Arc<Distinct>,
}

enum Distinct {
    Flat(FlatRows),
    Compact(Box<CompactRows>),
}

impl RunRows {
    /// Splits rows into single nodes and runs, reusing their memory. O(n log n + m), parallel; 20
    /// bytes a node besides.
    pub fn new(rows: Csr) -> Self {
        let equal = EqualRows::of(&rows);
        Self::flat_of(rows, equal, None)
    }

    /// [`Self::new`] for rows whose entries are all in `live`, an increasing list of nodes. Entries
    /// become places in `live`, and rows of live nodes are adjacent ([`Self::live_blocks`]).
    pub fn of_live(rows: Csr, live: &[Node]) -> Self {
        let equal = EqualRows::of(&rows);
        Self::of_live_and_equal(rows, equal, live)
    }

    /// [`Self::of_live`], if it is known which rows are equal.
    pub fn of_live_and_equal(rows: Csr, equal: EqualRows, live: &[Node]) -> Self {
        Self::flat_of(rows, equal, Some(live))
    }

    fn flat_of(rows: Csr, equal: EqualRows, live: Option<&[Node]>) -> Self {
        let num_arcs = rows.num_arcs();
        let (flat, row_of) = FlatRows::new(rows, equal, live);
        RunRows {
            num_arcs,
            row_of,
            distinct: Arc::new(Distinct::Flat(flat)),
        }
    }

    /// The rows of these nodes, which share their memory with those of all.
    pub fn of_nodes(&self, nodes: impl Iterator<Item = usize>) -> Self {
        RunRows {
            num_arcs: self.num_arcs,
            row_of: nodes.map(|node| self.row_of[node]).collect(),
            distinct: self.distinct.clone(),
        }
    }

    /// The room that compact rows leave for others.
    pub fn rest_of_room(&self) -> Option<SpillBudget> {
        self.compact().map(CompactRows::rest_of_room)
    }

    /// Other rows in the same form; all entries are places of rows. O(n log n + m), parallel.
    ///
    /// # Errors
    /// As for the rows; if there is no room for them, or a file cannot be written; if the user
    /// interrupts.
    pub(crate) fn in_same_form(&self, rows: &dyn Rows, progress: &dyn Progress) -> Result<Self> {
        match &*self.distinct {
            Distinct::Flat(_) => Ok(Self::new(Csr::of_rows(rows)?)),
            Distinct::Compact(compact) => {
                let room = compact.rest_of_room();
                Self::pack_rows(rows, Windows::LARGEST, room, progress)
            }
        }
    }

    /// The rows of so many nodes, where those of all others are empty.
    pub fn of_first(mut self, num_nodes: usize) -> Self {
        self.row_of.truncate(num_nodes);
        self.row_of.shrink_to_fit();
        self
    }

    /// The number of nodes.
    pub fn num_nodes(&self) -> usize {
        self.row_of.len()
    }

    /// The number of arcs.
    pub fn num_arcs(&self) -> u64 {
        self.num_arcs
    }

    /// The number of distinct rows.
    pub fn num_rows(&self) -> usize {
        match &*self.distinct {
            Distinct::Flat(rows) => rows.num_rows(),
            Distinct::Compact(rows) => rows.num_rows(),
        }
    }

    /// The bytes of the distinct rows in memory.
    pub fn bytes_in_memory(&self) -> u64 {
        match &*self.distinct {
            Distinct::Flat(rows) => 4 * rows.num_reads() + 12 * rows.num_rows() as u64,
            Distinct::Compact(rows) if rows.is_on_disk() => 0,
            Distinct::Compact(rows) => rows.num_bytes(),
        }
    }

    /// The number of values that a sweep reads: one for a single node, two for a run.
    pub fn num_reads(&self) -> u64 {
        match &*self.distinct {
            Distinct::Flat(rows) => rows.num_reads(),
            Distinct::Compact(rows) => rows.num_reads(),
        }
    }

    /// The rows if they are flat: then each can be had at any time.
    pub fn flat(&self) -> Option<&FlatRows> {
        match &*self.distinct {
            Distinct::Flat(rows) => Some(rows),
            Distinct::Compact(_) => None,
        }
    }

    /// The rows if they are compact.
    pub fn compact(&self) -> Option<&CompactRows> {
        match &*self.distinct {
            Distinct::Flat(_) => None,
            Distinct::Compact(rows) => Some(rows),
        }
    }

    /// The distinct row of a node: equal for two nodes if and only if their rows are equal (a
    /// collision of 64-bit hashes may keep equal rows apart, but never joins different rows).
    #[inline]
    pub fn row_of(&self, node: usize) -> usize {
        self.row_of[node] as usize
    }

    /// The distinct rows of consecutive nodes.
    #[inline]
    pub fn rows_of(&self, nodes: Range<usize>) -> &[u32] {
        &self.row_of[nodes]
    }

    /// Blocks of distinct rows of about equal work.
    pub fn blocks(&self) -> Vec<Range<usize>> {
        match &*self.distinct {
            Distinct::Flat(rows) => rows.blocks(),
            Distinct::Compact(rows) => rows.blocks(),
        }
    }

    /// Blocks, in order, that hold all rows for which `live` holds, each of about equal work at
    /// most.
    pub fn live_blocks(&self, live: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
        match &*self.distinct {
            Distinct::Flat(rows) => rows.live_blocks(live),
            Distinct::Compact(rows) => rows.live_blocks(live),
        }
    }

    /// Writes `sum(row)` for the rows of these blocks, which [`Self::blocks`] or
    /// [`Self::live_blocks`] has returned, to their places in `into`. Parallel.
    ///
    /// # Errors
    /// If rows are in a file that cannot be read.
    pub fn sums<S: Send>(
        &self,
        blocks: &[Range<usize>],
        into: &mut [S],
        sum: impl Fn(Row) -> S + Sync,
    ) -> Result<()> {
        let parts = blocks.iter().zip(split_mut(into, blocks));
        match &*self.distinct {
            Distinct::Flat(rows) => tasks::for_each(parts, |(block, sums)| {
                for (into, row) in sums.iter_mut().zip(block.clone()) {
                    *into = sum(rows.row(row));
                }
            }),
            Distinct::Compact(rows) => {
                return tasks::try_in_order(parts, |buffer, (block, sums)| {
                    rows.visit(block.start, buffer, |first, alike| {
                        for (into, row) in sums[first..].iter_mut().zip(alike.rows()) {
                            *into = sum(row);
                        }
                    })
                });
            }
        }
        Ok(())
    }

    /// Writes [`Row::fast_sum`] for the rows of these blocks, as [`Self::sums`] does, but faster.
    ///
    /// # Errors
    /// As for [`Self::sums`].
    pub fn fast_sums<T: Float + Send + Sync>(
        &self,
        blocks: &[Range<usize>],
        into: &mut [T],
        values: &[T],
        prefixes: &Prefixes<T>,
    ) -> Result<()> {
        self.shaped_sums(blocks, into, |alike, sums| {
            alike.fast_sums(values, prefixes, sums);
        })
    }

    /// Writes [`Row::whole_sum`] for the rows of these blocks, as [`Self::sums`] does, but faster.
    ///
    /// # Errors
    /// As for [`Self::sums`].
    pub fn whole_sums(
        &self,
        blocks: &[Range<usize>],
        before: &[u64],
        into: &mut [u64],
    ) -> Result<()> {
        self.shaped_sums(blocks, into, |alike, sums| {
            alike.whole_sums(before, sums);
        })
    }

    /// Hands rows of one shape to `write`, and the places of their sums.
    fn shaped_sums<S: Send>(
        &self,
        blocks: &[Range<usize>],
        into: &mut [S],
        write: impl Fn(UniformRows, &mut [S]) + Sync,
    ) -> Result<()> {
        let write = |sums: &mut [S], first: usize, rows: UniformRows| {
            write(rows, &mut sums[first..][..rows.count]);
        };
        let parts = blocks.iter().zip(split_mut(into, blocks));
        match &*self.distinct {
            Distinct::Flat(rows) => tasks::for_each(parts, |(block, sums)| {
                rows.visit(block.clone(), |first, alike| write(sums, first, alike));
            }),
            Distinct::Compact(rows) => {
                return tasks::try_in_order(parts, |buffer, (block, sums)| {
                    rows.visit(block.start, buffer, |first, alike| {
                        write(sums, first, alike)
                    })
                });
            }
        }
        Ok(())
    }

    /// The results of `visit` on the rows of each of these blocks, which [`Self::blocks`] has returned;
    /// it is told the number of each row. Parallel.
    ///
    /// # Errors
    /// As for [`Self::sums`].
    pub fn fold<T: Default + Send>(
        &self,
        blocks: &[Range<usize>],
        visit: impl Fn(&mut T, usize, Row) + Sync,
    ) -> Result<Vec<T>> {
        let mut results: Vec<T> = blocks.iter().map(|_| T::default()).collect();
        self.fold_into(blocks, &mut results, visit)?;
        Ok(results)
    }

    /// [`Self::fold`], where each block has a state to begin with.
    ///
    /// # Errors
    /// As for [`Self::sums`].
    pub fn fold_into<T: Send>(
        &self,
        blocks: &[Range<usize>],
        states: &mut [T],
        visit: impl Fn(&mut T, usize, Row) + Sync,
    ) -> Result<()> {
        let parts = blocks.iter().zip(states);
        match &*self.distinct {
            Distinct::Flat(rows) => {
                tasks::for_each(parts, |(block, state)| {
                    for row in block.clone() {
                        visit(state, row, rows.row(row));
                    }
                });
                Ok(())
            }
            Distinct::Compact(rows) => tasks::try_in_order(parts, |buffer, (block, state)| {
                rows.visit(block.start, buffer, |first, alike| {
                    for (row, nodes) in (block.start + first..).zip(alike.rows()) {
                        visit(state, row, nodes);
                    }
                })
            }),
        }
    }

    /// The result of `work` on a row. Compact rows are decoded with all others of their block, and kept
    /// for a while; where many are asked for in any order, [`Self::single_rows`] is faster.
    ///
    /// # Errors
    /// As for [`Self::sums`].
    pub fn with_row<R>(&self, row: usize, work: impl FnOnce(Row) -> R) -> Result<R> {
        match &*self.distinct {
            Distinct::Flat(rows) => Ok(work(rows.row(row))),
            Distinct::Compact(rows) => rows.with_row(row, work),
        }
    }
}

#[cfg(test)]
mod tests;
