//! Names for nodes that have an id and perhaps a label, when different nodes may have one label.

use super::super::notes::Note;
use super::super::receiver::{Problem, Receiver};
use super::note;
use std::collections::{HashMap, HashSet};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::memory::free_memory;
use webrank_base::shown::quoted;

/// The nodes of a file that have names. Several nodes with one label stay different: the first one has
/// the label as its name, the others the label and their id in parentheses.
#[derive(Default)]
pub(super) struct UniqueNames {
    named: HashSet<Node>,
    repeated: u64,
}

/// About the bytes of a node here.
const NODE: usize = 8;

/// Up to this many nodes, free memory is not checked.
const SMALL: usize = 1 << 20;

impl UniqueNames {
    /// A new node.
    ///
    /// # Errors
    /// If its name cannot be one, or if another node has the label with the id, too.
    pub(super) fn declare(
        &mut self,
        label: &str,
        id: &str,
        to: &mut dyn Receiver,
    ) -> Result<Node, Problem> {
        self.grow()?;
        let node = to.key(label)?;
        if self.named.insert(node) {
            return Ok(node);
        }
        let with_id = format!("{label} ({id})");
        let node = to.key(&with_id)?;
        if !self.named.insert(node) {
            let (label, with_id) = (quoted(label), quoted(&with_id));
            let problem = format!(
                "two nodes have the label {label}, and another is called {with_id}; give them \
                 different labels"
            );
            return Err(problem.into());
        }
        self.repeated += 1;
        Ok(node)
    }

    /// Says how many nodes are not called by their label alone.
    pub(super) fn tell(&self, to: &mut dyn Receiver) {
        let text = "nodes have the label of another: their names are the label and the id";
        note(to, self.repeated, Note::assumed("labels", text));
    }

    fn grow(&mut self) -> Result<()> {
        let nodes = self.named.len();
        if nodes < self.named.capacity() {
            return Ok(());
        }
        let more = nodes.max(1 << 10);
        let bytes = (2 * more * NODE) as u64;
        if nodes > SMALL && bytes > free_memory() {
            return Err(Error::memory("the names of nodes", bytes));
        }
        let reserved = self.named.try_reserve(more);
        reserved.map_err(|_| Error::memory("the names of nodes", bytes))
    }
}

/// The nodes of ids that are met again.
#[derive(Default)]
pub(super) struct NodeMap {
    nodes: HashMap<Box<str>, Node>,
}

/// About the bytes of an id here.
const ID: usize = 64;

impl NodeMap {
    pub(super) fn get(&self, id: &str) -> Option<Node> {
        self.nodes.get(id).copied()
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Adds an id.
    ///
    /// # Errors
    /// If memory is short.
    pub(super) fn insert(&mut self, id: &str, node: Node) -> Result<()> {
        let nodes = self.nodes.len();
        if nodes == self.nodes.capacity() {
            let more = nodes.max(1 << 10);
            let bytes = (more * ID) as u64;
            if nodes > SMALL && bytes > free_memory() {
                return Err(Error::memory("the ids of nodes", bytes));
            }
            let reserved = self.nodes.try_reserve(more);
            reserved.map_err(|_| Error::memory("the ids of nodes", bytes))?;
        }
        self.nodes.insert(id.into(), node);
        Ok(())
    }
}
