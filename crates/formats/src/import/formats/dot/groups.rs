//! Ends of edges: nodes, and groups of nodes in braces.

use std::collections::{HashMap, HashSet};
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

    /// These nodes, each once.
    pub(super) fn distinct(mut self) -> Self {
        self.nodes.sort_unstable();
        self.nodes.dedup();
        self
    }
}

/// An end of edges.
#[derive(Debug)]
pub(super) enum End {
    Node(u32),
    Group(Group),
    /// The nodes that a group with a name had so far.
    Named {
        place: usize,
        len: usize,
    },
}

impl End {
    pub(super) fn nodes<'a>(&'a self, named: &'a [Named]) -> &'a [u32] {
        match self {
            End::Node(node) => std::slice::from_ref(node),
            End::Group(group) => &group.nodes,
            End::Named { place, len } => &named[*place].nodes()[..*len],
        }
    }
}

/// A group with a name, which goes on where its name comes again.
#[derive(Debug, Default)]
pub(super) struct Named {
    group: Group,
    has: HashSet<u32>,
}

impl Named {
    /// Its nodes, in the order in which they came.
    pub(super) fn nodes(&self) -> &[u32] {
        &self.group.nodes
    }

    /// Adds the nodes that it does not have.
    pub(super) fn extend(&mut self, nodes: &[u32]) -> Result<()> {
        reserve(&mut self.group.nodes, nodes.len(), "a group of nodes")?;
        let reserved = self.has.try_reserve(nodes.len());
        reserved.map_err(|_| Error::memory("a group of nodes", 8 * nodes.len() as u64))?;
        for &node in nodes {
            if self.has.insert(node) {
                self.group.nodes.push(node);
            }
        }
        Ok(())
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
