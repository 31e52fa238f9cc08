//! Names for nodes that have ids, and perhaps labels.
//!
//! Programs that write labels make up ids, such as `n0` or `17`; others write names as ids. If the
//! first node has a label, and its id is a number, perhaps after a letter, labels are names, otherwise
//! ids are. Nodes that share a label stay different ([`UniqueNames`]). Line ends in labels become blanks.
//!
//! As igraph and networkx do, an id that is declared again is the same node, and an end of an edge that is
//! not declared is a node; both are told. If labels are names, they are errors.

use super::super::super::node_set::NodeSet;
use super::super::super::notes::Note;
use super::super::super::receiver::{Problem, Receiver};
use super::super::note;
use super::super::unique_names::{NodeMap, UniqueNames};
use std::borrow::Cow;
use webrank_base::Node;
use webrank_base::shown::quoted;

/// The nodes met so far, if their names are labels.
#[derive(Default)]
pub(super) struct Ids {
    /// None before the first node.
    are_labelled: Option<bool>,
    nodes: NodeMap,
    names: UniqueNames,
    /// Nodes with a label that is not their name.
    unused: u64,
    /// The nodes that were declared and those at which edges end, if their names are ids.
    declared: NodeSet,
    ends: NodeSet,
    /// Ends that were not declared when the edge was read, the first ones.
    open_ends: Vec<(Node, String)>,
    again: u64,
    first_again: Option<String>,
}

/// So many ends may be declared later, if the first that is not is to be named.
const OPEN_ENDS: usize = 1000;

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
            self.unused += u64::from(label.is_some_and(|label| label != id));
            let node = to.key(id)?;
            if !self.declared.insert(node)? {
                self.again += 1;
                self.first_again.get_or_insert_with(|| id.to_owned());
            }
            return Ok(());
        }
        if self.nodes.get(id).is_some() {
            return Err(format!("two nodes have the id {}", quoted(id)).into());
        }
        let name = on_one_line(label.unwrap_or(id));
        let node = self.names.declare(&name, id, to)?;
        Ok(self.nodes.insert(id, node)?)
    }

    /// The node of an id.
    pub(super) fn find(&mut self, id: &str, to: &mut dyn Receiver) -> Result<Node, Problem> {
        if self.are_labelled != Some(true) {
            let node = to.key(id)?;
            let is_new = self.ends.insert(node)?;
            if is_new && self.open_ends.len() < OPEN_ENDS && !self.declared.contains(node.into()) {
                self.open_ends.push((node, id.to_owned()));
            }
            return Ok(node);
        }
        let node = self.nodes.get(id);
        node.ok_or_else(|| format!("no node before this edge has the id {}", quoted(id)).into())
    }

    /// Says what became of labels.
    pub(super) fn tell(&self, to: &mut dyn Receiver) {
        self.names.tell(to);
        let is_open = |(node, _): &&(Node, String)| !self.declared.contains(u64::from(*node));
        if let Some((_, first)) = self.open_ends.iter().find(is_open) {
            let first = quoted(first);
            let text = format!(
                "ends of edges are declared by no node, the first is {first}; they are nodes"
            );
            note(
                to,
                self.ends.len_without(&self.declared),
                Note::assumed("nodes", text),
            );
        }
        if let Some(first) = &self.first_again {
            let first = quoted(first);
            let text =
                format!("nodes are declared again, the first is {first}; each id is one node");
            note(to, self.again, Note::assumed("nodes", text));
        }
        let text = "labels left out: nodes are called by their ids";
        note(to, self.unused, Note::left_out("labels", 0, text));
    }
}

/// A label without the line ends that drawings have.
fn on_one_line(label: &str) -> Cow<'_, str> {
    match label.contains(['\n', '\r']) {
        true => Cow::Owned(label.split_whitespace().collect::<Vec<_>>().join(" ")),
        false => Cow::Borrowed(label),
    }
}

/// True for a number, perhaps after a letter, and for the numbers of nodes in groups of yEd
/// (`n0::n1`).
fn is_made_up(id: &str) -> bool {
    let is_number = |part: &str| {
        let part = part.strip_suffix(".0").unwrap_or(part);
        let digits = part.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
        let are_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
        !digits.is_empty() && are_digits && part.len() - digits.len() <= 1
    };
    id.split("::").all(is_number)
}
