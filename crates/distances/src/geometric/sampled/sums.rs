//! What draws add up at rows or classes of nodes: whole numbers, so the order of additions does not matter.

use super::draws::GROUPS;
use crate::traversal::pulled::{Counts, PARTS};
use std::ops::Range;
use webrank_base::checkpoint::{CheckpointReader, CheckpointWriter};
use webrank_base::error::Result;
use webrank_base::memory;
use webrank_base::parallel::blocks::split_mut;
use webrank_base::parallel::tasks;
use webrank_cluster::{DistributedVisitor, State};

const _: () = assert!(PARTS == GROUPS, "the lanes of a group are a part");

/// The sums of the draws at each class of nodes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Sums {
    /// The sum of terms of each group: a row of quantities for each class.
    pub(super) groups: Vec<[u64; GROUPS]>,
    /// The sum of terms of all draws, if there are no groups.
    pub(super) totals: Vec<u64>,
    /// The sum of their squares.
    pub(super) squares: Vec<u64>,
    /// The number of draws that reach the class.
    pub(super) hits: Vec<u32>,
}

impl Sums {
    pub(super) fn new(classes: usize, quantities: usize) -> Self {
        Sums {
            groups: vec![[0; GROUPS]; classes * quantities],
            totals: Vec::new(),
            squares: vec![0; classes * quantities],
            hits: vec![0; classes],
        }
    }

    /// The bytes of sums of so many classes, with groups or without.
    pub(super) fn memory(classes: usize, quantities: usize, by_groups: bool) -> u64 {
        let sums = if by_groups { GROUPS } else { 1 };
        (classes * (quantities * (sums + 1) * size_of::<u64>() + size_of::<u32>())) as u64
    }

    /// Sums with groups or without.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(super) fn within_memory(
        classes: usize,
        quantities: usize,
        by_groups: bool,
    ) -> Result<Self> {
        let rows = classes * quantities;
        let (groups, totals) = if by_groups { (rows, 0) } else { (0, rows) };
        Ok(Sums {
            groups: memory::filled([0; GROUPS], groups, "sums")?,
            totals: memory::zeros(totals, "sums")?,
            squares: memory::zeros(rows, "sums")?,
            hits: memory::filled(0, classes, "sums")?,
        })
    }

    /// Writes them to a checkpoint.
    pub(super) fn keep(&self, to: &mut CheckpointWriter) -> Result<()> {
        to.numbers(self.groups.as_flattened())?;
        to.numbers(&self.totals)?;
        to.numbers(&self.squares)?;
        to.numbers(&self.hits)
    }

    /// Reads them from a checkpoint.
    pub(super) fn restore(&mut self, from: &mut CheckpointReader) -> Result<()> {
        from.fill(self.groups.as_flattened_mut())?;
        from.fill(&mut self.totals)?;
        from.fill(&mut self.squares)?;
        from.fill(&mut self.hits)
    }

    /// True if there are sums of groups.
    pub(super) fn has_groups(&self) -> bool {
        !self.groups.is_empty()
    }

    /// The sum of each group of a row of quantities; that of all draws for the first if there are no groups.
    pub(super) fn of(&self, place: usize) -> [u64; GROUPS] {
        let mut all = [0; GROUPS];
        match self.groups.get(place) {
            Some(groups) => all = *groups,
            None => all[0] = self.totals[place],
        }
        all
    }

    /// The sums of disjoint blocks of rows, in increasing order.
    pub(super) fn blocks(&mut self, blocks: &[Range<usize>]) -> Vec<BlockSums<'_>> {
        let quantities = self.squares.len() / self.hits.len().max(1);
        let times = |by: usize| -> Vec<_> {
            let cut = blocks.iter().map(|block| by * block.start..by * block.end);
            cut.collect()
        };
        let has_groups = usize::from(self.has_groups());
        let groups = split_mut(&mut self.groups, &times(quantities * has_groups));
        let totals = split_mut(&mut self.totals, &times(quantities * (1 - has_groups)));
        let squares = split_mut(&mut self.squares, &times(quantities));
        let hits = split_mut(&mut self.hits, blocks);
        let parts = groups
            .into_iter()
            .zip(totals)
            .zip(squares.into_iter().zip(hits));
        parts
            .zip(blocks)
            .map(|(((groups, totals), (squares, hits)), block)| BlockSums {
                first: block.start,
                groups,
                totals,
                squares,
                hits,
            })
            .collect()
    }

    /// Adds those of another thread.
    pub(super) fn merge(&mut self, other: &Sums) {
        let groups = other.groups.as_flattened();
        tasks::update_with(self.groups.as_flattened_mut(), groups, |sum, more| {
            *sum += more
        });
        tasks::update_with(&mut self.squares, &other.squares, |sum, more| *sum += more);
        tasks::update_with(&mut self.hits, &other.hits, |sum, more| *sum += more);
    }
}

/// The sums of the nodes of a worker.
impl State for Sums {
    fn visit(&mut self, visitor: &mut DistributedVisitor) -> Result<()> {
        visitor.of_nodes(self.groups.as_flattened_mut())?;
        visitor.of_nodes(&mut self.totals)?;
        visitor.of_nodes(&mut self.squares)?;
        visitor.of_nodes(&mut self.hits)?;
        Ok(())
    }
}

/// The sums of the rows of a block.
pub(super) struct BlockSums<'a> {
    first: usize,
    groups: &'a mut [[u64; GROUPS]],
    totals: &'a mut [u64],
    squares: &'a mut [u64],
    hits: &'a mut [u32],
}

impl BlockSums<'_> {
    /// Adds terms, and their squares, of each sum.
    pub(super) fn add(&mut self, row: usize, new: &Counts, values: &[[u64; 2]]) {
        let row = row - self.first;
        let count: u32 = new.iter().map(|&count| u32::from(count)).sum();
        self.hits[row] += count;
        for (place, &[value, square]) in (row * values.len()..).zip(values) {
            self.squares[place] += u64::from(count) * square;
            match self.groups.get_mut(place) {
                Some(groups) => {
                    for (sum, &count) in groups.iter_mut().zip(new) {
                        *sum += u64::from(count) * value;
                    }
                }
                None => self.totals[place] += u64::from(count) * value,
            }
        }
    }
}
