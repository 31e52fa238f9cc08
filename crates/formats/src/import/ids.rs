//! The meaning of the ids of a list: the nodes of a table, which have names, or numbers of nodes, counted
//! from 0 or from 1.

use super::node_set::NodeSet;
use super::node_table::NodeTable;
use super::receiver::Problem;
use super::sources::Inputs;
use super::{ImportOptions, NameSink, Note};
use webrank_base::Node;
use webrank_base::error::{Error, Result};

/// The meaning of ids.
pub(super) struct Ids {
    table: Option<NodeTable>,
    /// The number of the first node.
    first: u64,
    /// Which nodes occurred in a list.
    seen: NodeSet,
    /// True if only lists say which nodes there are.
    is_list: bool,
}

impl Ids {
    /// The ids of some inputs; reads the table of nodes.
    ///
    /// # Errors
    /// If options contradict each other or the inputs; those of the table.
    pub(super) fn new(inputs: &Inputs, options: &ImportOptions) -> Result<Self> {
        if options.ids_from > 1 {
            let remedy = "nodes are counted from 0 or from 1";
            return Err(Error::argument("ids_from", options.ids_from, remedy));
        }
        if options.ids_from == 1 && !options.ids {
            let remedy = "it says what numbers of nodes start with: add --ids";
            return Err(Error::argument("ids_from", 1, remedy));
        }
        if options.ids_from == 1 && options.names.is_some() {
            return Err(Error::Combination {
                one: "ids_from",
                other: "names",
            });
        }
        let has_numbers = inputs.has_numbers();
        if let Some(nodes) = &options.nodes
            && inputs.are_numbered(options)
        {
            let remedy = "a table of nodes is for lists whose fields are ids: leave out --ids, and give \
                          nodes that a format numbers their names with --names";
            return Err(Error::argument("nodes", nodes.display(), remedy));
        }
        let encoding = options.encoding.as_deref();
        let read = |path| NodeTable::read(path, encoding);
        let table = options.nodes.as_deref().map(read).transpose()?;
        Ok(Ids {
            table,
            first: options.ids_from,
            seen: NodeSet::default(),
            is_list: options.ids && options.names.is_none() && !has_numbers,
        })
    }

    /// The names of the nodes in the table.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.table.iter().flat_map(NodeTable::names)
    }

    /// The name of the node with this id.
    #[inline]
    pub(super) fn name<'n>(&'n mut self, id: &'n str) -> Result<&'n str, Problem> {
        match &mut self.table {
            Some(table) => table.name(id),
            None => Ok(id),
        }
    }

    /// The number from 0 of the node that a list calls `id`.
    #[inline]
    pub(super) fn number(&self, id: u64) -> Result<u64, Problem> {
        let number = id.checked_sub(self.first);
        Ok(number.ok_or("0 is not the number of a node: they are counted from 1".to_owned())?)
    }

    /// Notes that a list has a node.
    #[inline]
    pub(super) fn see(&mut self, node: Node) -> Result<()> {
        if !self.is_list {
            return Ok(());
        }
        self.seen.insert(node).map(drop)
    }

    /// Gives so many nodes the numbers that the list has as names, if they are not those from 0; true if
    /// it does.
    ///
    /// # Errors
    /// The errors of `sink`.
    pub(super) fn name_nodes(&self, count: u64, sink: &mut NameSink) -> Result<bool> {
        if self.first == 0 {
            return Ok(false);
        }
        let mut buffer = itoa::Buffer::new();
        for number in 0..count {
            sink(buffer.format(number + self.first))?;
        }
        Ok(true)
    }

    /// Notes on assumptions and omissions, of so many nodes that have numbers.
    pub(super) fn notes(self, count: Option<u64>) -> Vec<Note> {
        let mut notes = self.table.map_or_else(Vec::new, NodeTable::notes);
        let count = count.filter(|_| self.is_list).unwrap_or(0);
        let is_unseen = |node: u64| !self.seen.contains(node);
        let seen = self.seen.len();
        if let Some(node) = (0..count).find(|&node| is_unseen(node)) {
            let first = node + self.first;
            let remedy = match first {
                0 => "; if numbers start from 1, say --ids-from 1",
                _ => "",
            };
            let text = format!("nodes occur in no line, the first is {first}{remedy}");
            notes.push(Note {
                count: count - seen,
                ..Note::assumed("ids", text)
            });
        }
        notes
    }
}
