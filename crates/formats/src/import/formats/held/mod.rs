//! Graphs that are held while their file is read, for formats in which edges may come before the nodes
//! that they join, and in which the last edge may be the first with a weight.
//!
//! A node takes about 60 bytes besides its id and its label, and an edge 24: less than in the file.

mod interned;
mod named;
mod names;
mod readings;
#[cfg(test)]
mod tests;
mod text;

pub(super) use interned::Interned;
pub(super) use names::{Naming, whole_number};
pub(super) use text::Text;

use super::super::Input;
use super::super::notes::Note;
use named::Named;
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_base::memory::{filled, reserve, reserve_text};
use webrank_base::shown::quoted;

/// A graph as its file has it.
pub(super) struct Held {
    path: PathBuf,
    /// The ids of nodes and of the ends of edges.
    ids: Interned,
    nodes: Vec<Declared>,
    /// The labels of the nodes, one after the other.
    labels: String,
    edges: Vec<Edge>,
    /// How the ends of edges name nodes.
    pub(super) ends: Ends,
    /// Whether edges that start at places stand in the lists of both their ends.
    pub(super) lists_are_symmetric: bool,
    /// The notes on the file.
    notes: Vec<Note>,
}

/// How the ends of edges name nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ends {
    /// Ids of nodes; each is a node, even if nothing declares it.
    Nodes,
    /// Ids of nodes that the file declares.
    Declared,
    /// The places of nodes in their list, from 0.
    Places,
}

/// A node.
struct Declared {
    /// The number of its id; none if it has no id.
    id: Option<u32>,
    /// Where its label ends.
    label_end: usize,
    line: u64,
}

/// An edge.
struct Edge {
    source: u32,
    target: u32,
    /// NaN if there is none.
    weight: f64,
    /// With flags in the highest bits.
    line: u64,
}

/// Flag: an edge without direction.
const UNDIRECTED: u64 = 1 << 63;

/// Flag: the direction is that of the graph.
const AS_GRAPH: u64 = 1 << 62;

/// Flag: the weight counts only if no edge has a better one.
const SECOND: u64 = 1 << 61;

/// Flag: the source is the place of a node, and not its id.
const FROM_PLACE: u64 = 1 << 60;

const LINE: u64 = FROM_PLACE - 1;

/// The weight of an edge.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Weight {
    None,
    Some(f64),
    /// By an attribute that means a weight only if no edge has one under a better name.
    Second(f64),
}

/// How to make a graph of what is held.
pub(super) struct Rules {
    pub(super) naming: Naming,
    /// Whether edges are directed that do not say so themselves.
    pub(super) is_directed: bool,
    pub(super) unweighted: bool,
}

impl Held {
    /// Nothing yet; `path` is for messages.
    pub(super) fn new(path: &Path, ends: Ends) -> Self {
        Held {
            path: path.to_owned(),
            ids: Interned::default(),
            nodes: Vec::new(),
            labels: String::new(),
            edges: Vec::new(),
            ends,
            lists_are_symmetric: false,
            notes: Vec::new(),
        }
    }

    /// The number of an id.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(super) fn id(&mut self, id: &str) -> Result<u32> {
        self.ids.number(id)
    }

    pub(super) fn num_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Tells something of the file.
    pub(super) fn note(&mut self, note: Note) {
        self.notes.push(note);
    }

    /// Adds a node.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(super) fn declare(
        &mut self,
        id: Option<u32>,
        label: Option<&str>,
        line: u64,
    ) -> Result<()> {
        let label = label.unwrap_or_default();
        reserve_text(&mut self.labels, label.len(), "labels of nodes")?;
        reserve(&mut self.nodes, 1, "nodes")?;
        self.labels.push_str(label);
        self.nodes.push(Declared {
            id,
            label_end: self.labels.len(),
            line,
        });
        Ok(())
    }

    /// Adds an edge; without `is_directed`, it is directed if the graph is.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(super) fn edge(
        &mut self,
        (source, target): (u32, u32),
        weight: Weight,
        is_directed: Option<bool>,
        line: u64,
    ) -> Result<()> {
        reserve(&mut self.edges, 1, "edges")?;
        let direction = match is_directed {
            Some(true) => 0,
            Some(false) => UNDIRECTED,
            None => AS_GRAPH,
        };
        let (weight, second) = match weight {
            Weight::None => (f64::NAN, 0),
            Weight::Some(weight) => (weight, 0),
            Weight::Second(weight) => (weight, SECOND),
        };
        self.edges.push(Edge {
            source,
            target,
            weight,
            line: line & LINE | direction | second,
        });
        Ok(())
    }

    /// Adds a directed edge from the node at a place of the list of nodes.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(super) fn edge_from_place(
        &mut self,
        place: u32,
        target: u32,
        weight: Weight,
        line: u64,
    ) -> Result<()> {
        self.edge((place, target), weight, Some(true), line)?;
        if let Some(edge) = self.edges.last_mut() {
            edge.line |= FROM_PLACE;
        }
        Ok(())
    }

    /// The number of edges so far, which is the place of the next one.
    pub(super) fn num_edges(&self) -> usize {
        self.edges.len()
    }

    /// Gives the edge at a place another weight.
    pub(super) fn reweigh(&mut self, place: usize, weight: f64) {
        self.edges[place].weight = weight;
    }

    /// The graph, to be given to a receiver.
    ///
    /// # Errors
    /// If two nodes have one id.
    pub(super) fn into_input(mut self, rules: &Rules) -> Result<Input> {
        let of_id = self.places_of_ids()?;
        let naming = self.decide(rules.naming)?;
        let weighted = !rules.unweighted && self.weigh();
        let is_directed = rules.is_directed;
        let is_numbered = naming == Naming::Numbers;
        let graph = Named {
            held: self,
            of_id,
            naming,
        };
        Ok(Input {
            weighted,
            is_directed: true,
            is_numbered,
            read: Box::new(move |to| graph.give(is_directed, to)),
        })
    }

    /// The place of the node that has an id, for each number of an id.
    fn places_of_ids(&mut self) -> Result<Vec<u32>> {
        let mut of_id = filled(NOBODY, self.ids.len(), "ids of nodes")?;
        for (place, node) in self.nodes.iter().enumerate() {
            let Some(id) = node.id else {
                continue;
            };
            let before = &mut of_id[id as usize];
            if *before != NOBODY {
                let first = self.nodes[*before as usize].line;
                let id = quoted(self.ids.text(id));
                let problem = format!(
                    "a second node with the id {id}; the first is in line {first}: give them \
                     different ids"
                );
                return Err(Error::line(&self.path, node.line, problem));
            }
            *before = place as u32;
        }
        if self.ends == Ends::Nodes {
            for id in 0..self.ids.len() as u32 {
                if of_id[id as usize] == NOBODY {
                    of_id[id as usize] = self.nodes.len() as u32;
                    self.declare(Some(id), None, 0)?;
                }
            }
        }
        Ok(of_id)
    }

    /// True if any edge has a weight. Weights of second choice go if there are others.
    fn weigh(&mut self) -> bool {
        let has = |edge: &&mut Edge| !edge.weight.is_nan();
        let mut first = self.edges.iter_mut().filter(has);
        let is_first = |edge: &mut Edge| edge.line & SECOND == 0;
        let has_first = first.any(is_first);
        if has_first {
            let all = self.edges.iter_mut();
            for edge in all.filter(|edge| edge.line & SECOND > 0) {
                edge.weight = f64::NAN;
            }
        }
        let weighted = self.edges.iter_mut().filter(has).count();
        let without = self.edges.len() - weighted;
        if weighted > 0 && without > 0 {
            self.note(Note {
                count: without as u64,
                ..Note::assumed("weights", "edges have no weight, and weigh 1")
            });
        }
        weighted > 0
    }
}

/// No node has the id.
const NOBODY: u32 = u32::MAX;
