//! Ends of edges: nodes, and groups of nodes in braces.

use std::collections::HashMap;
use webrank_base::error::{Error, Result};
use webrank_base::memory::{free_memory, reserve};

/// The nodes at an end of edges, in order, each once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) nodes: Vec<u32>,
}

impl Group {
    pub(super) fn extend(&mut self, nodes: &[u32]) -> Result<()> {
        reserve(&mut self.nodes, nodes.len(), "a group of nodes")?;
        self.nodes.extend_from_slice(nodes);
        Ok(())
    }

    /// The same nodes, each once.
    pub(super) fn distinct(mut self) -> Self {
        self.nodes.sort_unstable();
        self.nodes.dedup();
        self
    }
}

/// Up to this many edges, free memory is not checked.
const SMALL: usize = 1 << 16;

/// About the bytes of an edge in the table.
const ENTRY: usize = 24;

/// The places of the edges of a strict graph by their ends.
#[derive(Default)]
pub(super) struct Strict {
    places: HashMap<(u32, u32), usize>,
}

impl Strict {
    /// The place of the edge that was there before; notes a new one at `place`.
    pub(super) fn find(&mut self, ends: (u32, u32), place: usize) -> Result<Option<usize>> {
        if let Some(&before) = self.places.get(&ends) {
            return Ok(Some(before));
        }
        self.grow()?;
        self.places.insert(ends, place);
        Ok(None)
    }

    fn grow(&mut self) -> Result<()> {
        let edges = self.places.len();
        if edges < self.places.capacity() {
            return Ok(());
        }
        let more = edges.max(1 << 8);
        let bytes = ((edges + more) * ENTRY) as u64;
        if edges > SMALL && bytes > free_memory() {
            return Err(Error::memory("the edges of a strict graph", bytes));
        }
        let reserved = self.places.try_reserve(more);
        reserved.map_err(|_| Error::memory("the edges of a strict graph", bytes))
    }
}
