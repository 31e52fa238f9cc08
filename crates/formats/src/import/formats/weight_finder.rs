//! Whether arcs of a file have weights, found by reading it once before.

use super::super::notes::Note;
use super::super::receiver::{Problem, Receiver};
use webrank_base::Node;
use webrank_base::error::{Error, Result};

/// Keeps nothing but whether an arc has another weight than 1.
#[derive(Default)]
pub(super) struct WeightFinder {
    nodes: Node,
    is_found: bool,
}

/// True if a reader gives an arc with another weight than 1; it is stopped there. Problems are left for
/// the next time that the file is read.
pub(super) fn gives_weights(read: impl FnOnce(&mut WeightFinder) -> Result<()>) -> bool {
    let mut finder = WeightFinder::default();
    let _ = read(&mut finder);
    finder.is_found
}

impl WeightFinder {
    /// Every node is a new one.
    fn new_node(&mut self) -> Node {
        self.nodes = self.nodes.wrapping_add(1);
        self.nodes
    }

    /// Notes a weight, and ends the reading.
    pub(super) fn found(&mut self) -> Problem {
        self.is_found = true;
        Problem::Other(Error::argument("weight", "there", "this ends the reading"))
    }
}

impl Receiver for WeightFinder {
    fn key(&mut self, _: &str) -> Result<Node, Problem> {
        Ok(self.new_node())
    }

    fn integer(&mut self, _: i64) -> Result<Node, Problem> {
        Ok(self.new_node())
    }

    fn number(&mut self, _: u64) -> Result<Node, Problem> {
        Ok(self.new_node())
    }

    fn declare(&mut self, _: u64) -> Result<(), Problem> {
        Ok(())
    }

    fn arc(&mut self, _: Node, _: Node, weight: f64) -> Result<(), Problem> {
        match weight == 1.0 {
            true => Ok(()),
            false => Err(self.found()),
        }
    }

    fn edge(&mut self, one: Node, other: Node, weight: f64) -> Result<(), Problem> {
        self.arc(one, other, weight)
    }

    fn bad(&mut self, _: Error) -> Result<()> {
        Ok(())
    }

    fn note(&mut self, _: Note) {}
}
