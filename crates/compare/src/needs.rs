//! The memory that comparing tables takes: bounds from their sizes, before they are read.

use super::comparisons::{CompareOptions, Comparison, PARALLEL_ROWS};
use super::movers::Mover;
use super::overlap::TopOverlap;
use webrank_base::memory;
use webrank_tables::read::TableSize;

/// The size of a comparison.
#[derive(Debug, Clone, Copy)]
pub struct Compared {
    /// Rows of each column.
    pub rows: u64,
    /// Columns.
    pub columns: u64,
    /// True if error bounds count.
    pub bounds: bool,
    /// How many bytes of a web page a pair takes; 0 without a page.
    pub page: u64,
}

/// The bytes of a web page about a pair, at most.
pub const PAGE: u64 = 1 << 20;

impl Compared {
    /// The bytes that the process holds at most while tables of these sizes are read, matched and
    /// compared.
    pub fn needs(&self, tables: &[TableSize], options: &CompareOptions) -> u64 {
        let sum = |of: fn(&TableSize) -> u64| {
            let bytes = tables.iter().map(of);
            bytes.fold(0, u64::saturating_add)
        };
        let read = sum(TableSize::of_scores);
        // Keys are copied: those in common, and those that other tables lack.
        let same = |table: &&TableSize| table.has_keys_of(&tables[0]);
        let copied = tables.iter().skip(1).filter(|table| !same(table));
        let copied = tables.first().into_iter().chain(copied);
        let keys = copied.map(TableSize::of_keys).fold(0, u64::saturating_add);
        let rows = tables.iter().map(|table| table.rows).max().unwrap_or(0);
        // Each row has a place in every table, an index of one table, and a column that is sorted.
        let matching = rows * (8 * tables.len() as u64 + 40);
        let all_keys = sum(TableSize::of_keys);
        let compared = self.comparing(options).saturating_sub(all_keys);
        let besides = keys.saturating_add(matching.max(compared));
        let working = read.saturating_add(besides);
        memory::of_process().saturating_add(working.max(sum(TableSize::of_reading)))
    }

    /// The bytes that comparing takes when the tables have been read.
    pub fn comparing(&self, options: &CompareOptions) -> u64 {
        let of_row = 12 * self.columns + 24;
        let (bounds, pair) = match self.bounds {
            true => (16 * self.columns, 200),
            false => (0, 60),
        };
        let at_once = match self.rows <= PARALLEL_ROWS as u64 {
            true => rayon::current_num_threads() as u64,
            false => 1,
        };
        let rows = self.rows.saturating_mul(of_row + bounds + pair * at_once);
        let pairs = self.columns.saturating_mul(self.columns.saturating_sub(1)) / 2;
        rows.saturating_add(pairs.saturating_mul(of_comparison(self.rows, options) + self.page))
    }
}

/// The bytes of the coefficients of a pair: itself, and three lists.
fn of_comparison(rows: u64, options: &CompareOptions) -> u64 {
    let sizes = match options.top.len() {
        0 => rows.max(1).ilog10() as usize + 1,
        count => count,
    };
    let movers = 2 * (options.movers as u64).min(rows) * size_of::<Mover>() as u64;
    // Lists grow by four entries at least.
    let lists = sizes.next_multiple_of(4) * size_of::<TopOverlap>() + 3 * ALLOCATION;
    // In the slot of its task, and in the list of all.
    (2 * size_of::<Comparison>() + SLOT + lists) as u64 + movers
}

/// The bytes of a task's slot besides its result.
const SLOT: usize = 32;

/// The bytes of an allocation besides its own.
const ALLOCATION: usize = 32;
