//! Names for nodes that have ids, and perhaps labels.
//!
//! Programs that write labels make up ids, such as `n0` or `17`; others write names as ids. If the
//! first node has a label, and its id is a number, perhaps after a letter, labels are names, otherwise
//! ids are.

use super::super::super::receiver::{Problem, Receiver};
use std::collections::{HashMap, HashSet};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::memory::free_memory;
use webrank_base::shown::quoted;

/// The nodes met so far, if their names are labels.
#[derive(Default)]
pub(super) struct Ids {
    /// None before the first node.
    are_labelled: Option<bool>,
    nodes: HashMap<Box<str>, Node>,
    named: HashSet<Node>,
}

/// About the bytes of a node here.
const NODE: usize = 80;

/// Up to this many nodes, free memory is not checked.
const SMALL: usize = 1 << 17;

impl Ids {
    /// Declares a node.
    pub(super) fn declare(
        &mut self,
        id: &str,
        label: Option<&str>,
        to: &mut dyn Receiver,
    ) -> Result<(), Problem> {
        let label = label.filter(|label| !label.is_empty());
        let are_labelled = self
            .are_labelled
            .get_or_insert_with(|| label.is_some() && is_made_up(id));
        if !*are_labelled {
            return to.key(id).map(drop);
        }
        if self.nodes.contains_key(id) {
            return Err(format!("two nodes have the id {}", quoted(id)).into());
        }
        let name = label.unwrap_or(id);
        let node = to.key(name)?;
        self.grow()?;
        if !self.named.insert(node) {
            let name = quoted(name);
            return Err(
                format!("two nodes have the label {name}; give them different ones").into(),
            );
        }
        self.nodes.insert(id.into(), node);
        Ok(())
    }

    fn grow(&mut self) -> Result<()> {
        let nodes = self.nodes.len();
        if nodes < self.nodes.capacity() {
            return Ok(());
        }
        let more = nodes.max(1 << 10);
        let bytes = (more * NODE) as u64;
        if nodes > SMALL && bytes > free_memory() {
            return Err(Error::memory("the ids of nodes", bytes));
        }
        let reserved = self.nodes.try_reserve(more);
        let reserved = reserved.and_then(|()| self.named.try_reserve(more));
        reserved.map_err(|_| Error::memory("the ids of nodes", bytes))
    }

    /// The node of an id.
    pub(super) fn find(&self, id: &str, to: &mut dyn Receiver) -> Result<Node, Problem> {
        if self.are_labelled != Some(true) {
            return to.key(id);
        }
        let node = self.nodes.get(id).copied();
        node.ok_or_else(|| format!("no node before this edge has the id {}", quoted(id)).into())
    }
}

fn is_made_up(id: &str) -> bool {
    let digits = id.strip_prefix(|first: char| first.is_ascii_alphabetic());
    let digits = digits.unwrap_or(id);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}
