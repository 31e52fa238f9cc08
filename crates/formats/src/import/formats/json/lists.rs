//! Objects of lists of ids by the id of their node, as `networkx.to_dict_of_lists` makes them.

use super::super::super::notes::Note;
use super::super::held::{Ends, Weight};
use super::element::Value;
use super::ends::Kinds;
use super::graph::Graph;
use super::pull::Part;
use std::collections::HashSet;
use webrank_base::error::Result;
use webrank_base::memory::reserve;

/// An id, its line, and a list of ids.
pub(super) struct List {
    id: u32,
    line: u64,
    others: Vec<u32>,
}

impl Graph {
    /// A list of ids; anything else is a field.
    pub(super) fn list(&mut self, key: String) -> Result<()> {
        let line = self.json.line();
        let id = self.held.id(&key)?;
        let mut others = Vec::new();
        loop {
            match self.json.next()? {
                Part::CloseArray => {
                    reserve(&mut self.lists, 1, "lists of nodes")?;
                    self.lists.push(List { id, line, others });
                    self.fields.push((key, Value::Nested));
                    return Ok(());
                }
                first @ (Part::Text | Part::Number) => {
                    let value = Value::read(&mut self.json, first)?;
                    if let Some((other, _)) = value.id() {
                        reserve(&mut others, 1, "lists of nodes")?;
                        others.push(self.held.id(&other)?);
                    }
                }
                first => {
                    self.json.skip(first)?;
                    loop {
                        match self.json.next()? {
                            Part::CloseArray => break,
                            rest => self.json.skip(rest)?,
                        }
                    }
                    self.fields.push((key, Value::Nested));
                    return Ok(());
                }
            }
        }
    }

    /// True if all that was found are lists of ids, some of which are lists themselves: those of
    /// `networkx.to_dict_of_lists`.
    pub(super) fn has_lists(&self) -> bool {
        let ids: HashSet<u32> = self.lists.iter().map(|list| list.id).collect();
        let mut others = self.lists.iter().flat_map(|list| &list.others);
        !self.is_there()
            && self.fields.len() == self.lists.len()
            && others.any(|other| ids.contains(other))
    }

    /// Makes nodes and arcs of the lists.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(super) fn take_lists(&mut self) -> Result<()> {
        self.has_nodes = true;
        self.held.ends = Ends::Nodes;
        // Keys are texts, and name the nodes that numbers in lists name.
        self.kinds = Kinds::default();
        self.kinds.node(Some(false));
        self.kinds.end(false);
        for List { id, line, others } in std::mem::take(&mut self.lists) {
            self.held.declare(Some(id), None, line)?;
            for other in others {
                self.held
                    .edge((id, other), Weight::None, Some(true), line)?;
            }
        }
        self.held.note(Note::assumed(
            "directions",
            "lists of ids are taken for the successors of a node; --symmetric adds the reverses",
        ));
        Ok(())
    }
}
