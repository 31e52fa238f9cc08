//! A list of the index itself.

use super::{END, List, Sorted};
use tantivy::postings::{Postings, SegmentPostings};
use tantivy::{DocSet, TERMINATED};

/// A cursor on a list that tantivy wrote.
pub struct OfTantivy(pub SegmentPostings);

impl Sorted for OfTantivy {
    fn document(&self) -> u32 {
        match self.0.doc() {
            TERMINATED => END,
            document => document,
        }
    }

    fn seek(&mut self, target: u32) -> u32 {
        if self.0.doc() < target.min(TERMINATED) {
            self.0.seek(target.min(TERMINATED));
        }
        self.document()
    }

    fn cost(&self) -> u64 {
        self.0.doc_freq().into()
    }
}

impl List for OfTantivy {
    fn count(&mut self) -> u32 {
        self.0.term_freq()
    }

    fn positions(&mut self, positions: &mut Vec<u32>) {
        self.0.positions(positions);
    }

    fn most(&self) -> Option<(u32, u8)> {
        None
    }
}
