//! The nodes of a network.

use super::super::super::receiver::{Problem, Receiver};
use super::super::counted_from_1;
use super::super::unique_names::UniqueNames;
use super::Line;
use webrank_base::Node;
use webrank_base::memory::{reserve, reserve_text};

/// The labels of some nodes, one after the other.
#[derive(Default)]
pub(super) struct Vertices {
    labels: String,
    places: Vec<Place>,
    /// The largest number of a line, from 1.
    pub(super) last: u64,
}

/// Where the label of a node stands; nodes are counted from 0.
struct Place {
    node: u32,
    length: u32,
    start: usize,
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
        reserve_text(&mut self.labels, label.len(), "labels")?;
        reserve(&mut self.places, 1, "labels")?;
        // A graph has fewer than 2^32 nodes, and a line fewer bytes.
        self.places.push(Place {
            node: number as u32,
            length: label.len() as u32,
            start: self.labels.len(),
        });
        self.labels.push_str(&label);
        Ok(())
    }

    /// Declares all nodes. If any has a label, `nodes` is filled.
    ///
    /// # Errors
    /// If a node has two labels, or if its name cannot be one.
    pub(super) fn declare(
        mut self,
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
        self.places.sort_by_key(|place| place.node);
        let is_twice = |pair: &&[Place]| pair[0].node == pair[1].node;
        if let Some(pair) = self.places.windows(2).find(is_twice) {
            let problem = format!(
                "node {} has two lines with labels",
                u64::from(pair[0].node) + 1
            );
            return Err(problem.into());
        }
        let mut places = self.places.iter().peekable();
        let (mut text, mut names) = (itoa::Buffer::new(), UniqueNames::default());
        // A file without enough memory for what it declares is refused before its nodes are named.
        reserve(nodes, count as usize, "nodes")?;
        for number in 0..count {
            let id = text.format(number + 1);
            let name = match places.next_if(|place| u64::from(place.node) == number) {
                Some(place) => &self.labels[place.start..][..place.length as usize],
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
