//! Compares an index with all names.

use super::blocks::Place;
use super::index::NameIndex;
use std::ops::Range;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::memory::reserve;
use webrank_tables::text::names::Names;

impl NameIndex {
    /// Reads every block, and compares what it holds with the names of all nodes.
    ///
    /// # Errors
    /// If a block is damaged, or if names, order or keys are others.
    pub fn verify(&self, names: &Names) -> Result<()> {
        let is_sorted = (1..names.len()).all(|i| names.get(i as Node - 1) <= names.get(i as Node));
        let found = (self.len(), self.is_sorted(), self.has_numbers());
        if found != (names.len(), is_sorted, names.has_numbers()) {
            return Err(self.other_names(0));
        }
        if names.is_empty() {
            return Ok(());
        }
        let all = 0..names.len() as u64;
        let mut nodes = NodesByName {
            names,
            // Names in order need no list.
            by_name: None,
        };
        let tree = self.header().by_node;
        self.verify_below(tree.root, tree.depth, all.clone(), &mut nodes)?;
        if is_sorted {
            return Ok(());
        }
        nodes.by_name = Some(Vec::new());
        let tree = self.header().by_name;
        self.verify_below(tree.root, tree.depth, all, &mut nodes)
    }

    fn verify_below(
        &self,
        place: Place,
        depth: u32,
        items: Range<u64>,
        nodes: &mut NodesByName,
    ) -> Result<()> {
        if depth > 0 {
            let page = self.page(place, &items)?;
            for child in 0..page.len() {
                let (below, items) = page.child(child);
                let first = items.start;
                let is_above = first == 0 || nodes.at(first - 1) <= page.key(child);
                self.verify_below(below, depth - 1, items, nodes)?;
                let separates = is_above && page.key(child) <= nodes.at(first);
                // Without an order, keys mean nothing.
                if !separates && (self.is_sorted() || nodes.by_name.is_some()) {
                    return Err(self.other_names(place.offset));
                }
            }
            return Ok(());
        }
        let is_right = match &mut nodes.by_name {
            None => self.are_names(place, &items, nodes.names)?,
            Some(by_name) => {
                let group = self.group(place, &items)?;
                reserve(by_name, group.len(), "the order of names")?;
                group.iter().all(|&node| {
                    let name = |node: Node| (nodes.names.get(node), node);
                    let increases = by_name.last().is_none_or(|&last| name(last) < name(node));
                    by_name.push(node);
                    increases
                })
            }
        };
        match is_right {
            true => Ok(()),
            false => Err(self.other_names(place.offset)),
        }
    }

    fn other_names(&self, offset: u64) -> Error {
        self.damaged(offset, "the index is that of other names")
    }
}

/// The nodes in order of their names, as far as they are known.
struct NodesByName<'n> {
    names: &'n Names,
    by_name: Option<Vec<Node>>,
}

impl NodesByName<'_> {
    fn at(&self, place: u64) -> &[u8] {
        let node = match &self.by_name {
            Some(by_name) => by_name[place as usize],
            None => place as Node,
        };
        self.names.get(node).as_bytes()
    }
}
