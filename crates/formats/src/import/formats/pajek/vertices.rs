//! The nodes of a network.

use super::super::super::receiver::{Problem, Receiver};
use super::super::counted_from_1;
use super::super::unique_names::UniqueNames;
use super::Line;
use webrank_base::Node;
use webrank_base::memory::{reserve, reserve_text};

/// The labels of some nodes, one after the other, with their numbers from 0 and their ends.
#[derive(Default)]
pub(super) struct Vertices {
    labels: String,
    places: Vec<(u64, usize)>,
    /// The largest number of a line, from 1.
    pub(super) last: u64,
}

/// Up to so many nodes may have no line, whatever the others have.
const MAX_UNLISTED: u64 = 1 << 20;

/// Beyond, one of so many must have a label.
const PER_LABEL: u64 = 1000;

impl Vertices {
    /// True if any node has a label.
    pub(super) fn are_named(&self) -> bool {
        !self.places.is_empty()
    }

    /// Adds the node of a line.
    pub(super) fn push(&mut self, line: Line, count: u64) -> Result<(), Problem> {
        let number = counted_from_1(line.words().next().unwrap_or_default(), count)?;
        self.last = self.last.max(number + 1);
        let Some(label) = line.label().filter(|label| !label.is_empty()) else {
            return Ok(());
        };
        if let Some(&(last, _)) = self.places.last()
            && last >= number
        {
            let problem = format!("node {} is not after node {}", number + 1, last + 1);
            return Err(problem.into());
        }
        reserve_text(&mut self.labels, label.len(), "labels")?;
        self.labels.push_str(label);
        reserve(&mut self.places, 1, "labels")?;
        self.places.push((number, self.labels.len()));
        Ok(())
    }

    /// Declares all nodes. If any has a label, `nodes` is filled.
    pub(super) fn declare(
        self,
        count: u64,
        to: &mut dyn Receiver,
        nodes: &mut Vec<Node>,
    ) -> Result<(), Problem> {
        if self.places.is_empty() {
            return to.declare(count);
        }
        // Some programs leave out lines, but a million nodes with some labels are a damaged number.
        let listed = self.places.len() as u64;
        if count > MAX_UNLISTED && count / PER_LABEL > listed {
            let problem = format!(
                "{count} nodes, of which only {listed} have a label: give a line to each, or to none"
            );
            return Err(problem.into());
        }
        let mut start = 0;
        let mut labels = self.places.iter().peekable();
        let (mut text, mut names) = (itoa::Buffer::new(), UniqueNames::default());
        // A file without enough memory for what it declares is refused before its nodes are named.
        reserve(nodes, count as usize, "nodes")?;
        for number in 0..count {
            let id = text.format(number + 1);
            let name = match labels.next_if(|(labelled, _)| *labelled == number) {
                Some(&(_, end)) => &self.labels[std::mem::replace(&mut start, end)..end],
                None => id,
            };
            let node = names
                .declare(name, id, to)
                .map_err(|problem| match problem {
                    Problem::Record(problem) => {
                        Problem::Record(format!("node {}: {problem}", number + 1))
                    }
                    other => other,
                })?;
            nodes.push(node);
        }
        names.tell(to);
        Ok(())
    }
}
