//! Names for nodes that have ids, and perhaps labels.
//!
//! Programs that write labels make up ids, such as `n0` or `17`; others write names as ids. If the
//! first node has a label, and its id is a number, perhaps after a letter, labels are names, otherwise
//! ids are. Nodes that share a label stay different ([`UniqueNames`]). Line ends in labels become blanks.

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
}

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
            return to.key(id).map(drop);
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
            return to.key(id);
        }
        let node = self.nodes.get(id);
        node.ok_or_else(|| format!("no node before this edge has the id {}", quoted(id)).into())
    }

    /// Says what became of labels.
    pub(super) fn tell(&self, to: &mut dyn Receiver) {
        self.names.tell(to);
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
