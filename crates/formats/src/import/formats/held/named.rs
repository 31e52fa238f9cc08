//! A held graph, given to a receiver.

use super::super::super::receiver::{Problem, Receiver, settle};
use super::super::check_distinct;
use super::names::Naming;
use super::{AS_GRAPH, Edge, Ends, FROM_PLACE, Held, LINE, NOBODY, UNDIRECTED};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::memory::reserve;
use webrank_base::shown::quoted;

/// A graph whose nodes have their names.
pub(super) struct Named {
    pub(super) held: Held,
    pub(super) of_id: Vec<u32>,
    pub(super) naming: Naming,
}

impl Named {
    pub(super) fn give(mut self, is_directed: bool, to: &mut dyn Receiver) -> Result<()> {
        std::mem::take(&mut self.held.notes)
            .into_iter()
            .for_each(|note| to.note(note));
        let nodes = self.declare(to)?;
        self.check_symmetry()?;
        for edge in &self.held.edges {
            let given = self.give_edge(edge, is_directed, &nodes, to);
            settle(given, to, |problem| self.wrong(edge.line & LINE, problem))?;
        }
        Ok(())
    }

    fn wrong(&self, line: u64, problem: String) -> Error {
        Error::line(&self.held.path, line, problem)
    }

    /// Declares all nodes.
    fn declare(&self, to: &mut dyn Receiver) -> Result<Vec<Node>> {
        let mut nodes = Vec::new();
        reserve(&mut nodes, self.held.nodes.len(), "nodes")?;
        for (place, node) in self.held.nodes.iter().enumerate() {
            let number = match self.name(place) {
                Some(name) => to.key(name),
                None => to.number(place as u64),
            };
            let number = number.map_err(|problem| {
                problem.at(|problem| self.wrong(node.line, format!("a node: {problem}")))
            });
            nodes.push(number?);
        }
        let distinct = check_distinct(&nodes);
        distinct.map_err(|problem| problem.at(|problem| Error::file(&self.held.path, problem)))?;
        Ok(nodes)
    }

    /// The name of the node at a place; none if it has a number.
    fn name(&self, place: usize) -> Option<&str> {
        match self.naming {
            Naming::Numbers => None,
            Naming::Labels => Some(self.held.label(place)),
            _ => {
                let id = self.held.nodes[place].id?;
                Some(self.held.ids.text(id))
            }
        }
    }

    fn give_edge(
        &self,
        edge: &Edge,
        is_directed: bool,
        nodes: &[Node],
        to: &mut dyn Receiver,
    ) -> Result<(), Problem> {
        let source = match edge.line & FROM_PLACE {
            0 => self.place(edge.source)?,
            _ => edge.source as usize,
        };
        let missing = || "more lists of neighbours than nodes".to_owned();
        let source = *nodes.get(source).ok_or_else(missing)?;
        let target = nodes[self.place(edge.target)?];
        let weight = if edge.weight.is_nan() {
            1.0
        } else {
            edge.weight
        };
        let is_directed = match edge.line & (UNDIRECTED | AS_GRAPH) {
            0 => true,
            AS_GRAPH => is_directed,
            _ => false,
        };
        match is_directed {
            true => to.arc(source, target, weight),
            false => to.edge(source, target, weight),
        }
    }

    /// The place of the node that an end means.
    fn place(&self, end: u32) -> Result<usize, String> {
        let text = self.held.ids.text(end);
        if self.held.ends == Ends::Places {
            let nodes = self.held.nodes.len();
            let place = text.parse().ok().filter(|&place| place < nodes);
            return place.ok_or_else(|| {
                format!(
                    "{} is not the place of a node, from 0 to below {nodes}",
                    quoted(text)
                )
            });
        }
        match self.of_id[end as usize] {
            NOBODY => Err(format!("no node has the id {}", quoted(text))),
            place => Ok(place as usize),
        }
    }
}
