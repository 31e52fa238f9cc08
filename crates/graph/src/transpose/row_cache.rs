//! Rows that are kept from one scan to the next, as single nodes and runs of consecutive nodes.

use webrank_base::Node;

/// The rows of the first blocks of a stripe.
pub(super) struct RowCache {
    /// The number of blocks whose rows are kept.
    pub(super) blocks: usize,
    /// Row after row, but for empty ones: the number of single nodes, these, and pairs of the first node
    /// of a run and its length.
    words: Vec<u32>,
    /// The runs of a row.
    runs: Vec<u32>,
    /// Where the rows of whole blocks end.
    end: usize,
    is_full: bool,
}

/// Shorter runs are kept as single nodes.
const MIN_RUN: usize = 3;

impl RowCache {
    /// No rows yet, and room for so many words, if there is memory.
    pub(super) fn within(room: usize) -> Self {
        let mut words = Vec::new();
        // Pages that are not written take no memory.
        let is_full = room == 0 || words.try_reserve_exact(room).is_err();
        RowCache {
            blocks: 0,
            words,
            runs: Vec::new(),
            end: 0,
            is_full,
        }
    }

    /// Keeps the next row of the block, if there is room.
    #[inline]
    pub(super) fn keep(&mut self, row: &[Node]) {
        // No more words than nodes, and one.
        let is_empty = self.is_full || row.is_empty();
        self.is_full |= self.words.len() + row.len() >= self.words.capacity();
        if is_empty || self.is_full {
            return;
        }
        let start = self.words.len();
        self.words.push(0);
        self.runs.clear();
        for run in row.chunk_by(|a, b| *b == *a + 1) {
            if run.len() < MIN_RUN {
                self.words.extend_from_slice(run);
            } else {
                self.runs.extend([run[0], run.len() as u32]);
            }
        }
        self.words[start] = (self.words.len() - start - 1) as u32;
        self.words.extend_from_slice(&self.runs);
    }

    /// Ends a block: it is kept if all of its rows are.
    pub(super) fn end_block(&mut self) {
        if self.is_full {
            self.words.truncate(self.end);
        } else {
            self.blocks += 1;
            self.end = self.words.len();
        }
    }

    /// Hands the single nodes and the runs of each row that is kept to `visit`, given the degrees of the
    /// nodes that have these rows.
    pub(super) fn visit(&self, degrees: &[u32], mut visit: impl FnMut(usize, Row)) {
        let mut words = &self.words[..self.end];
        for (place, &degree) in degrees
            .iter()
            .enumerate()
            .filter(|(_, degree)| **degree > 0)
        {
            let Some((&count, rest)) = words.split_first() else {
                return;
            };
            let (singles, rest) = rest.split_at(count as usize);
            let mut missing = degree - count;
            let mut runs = rest.as_chunks().0;
            let mut many = 0;
            while missing > 0 {
                let [_, length]: [u32; 2] = runs[many];
                missing -= length;
                many += 1;
            }
            runs = &runs[..many];
            words = &rest[2 * many..];
            visit(place, Row { singles, runs });
        }
    }
}

/// A row that was kept.
pub(super) struct Row<'a> {
    singles: &'a [Node],
    /// The first node and the length of each run.
    runs: &'a [[u32; 2]],
}

impl Row<'_> {
    /// The nodes, in no particular order.
    #[inline(always)]
    pub(super) fn for_each(self, mut visit: impl FnMut(Node)) {
        self.singles.iter().for_each(|&node| visit(node));
        for &[first, length] in self.runs {
            (first..first + length).for_each(&mut visit);
        }
    }
}
