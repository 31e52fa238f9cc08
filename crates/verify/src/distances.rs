//! Distances from one source after the other: by breadth with a queue, or by lengths with a heap. Dijkstra 1959.

use super::Question;
use super::lengths::{ArcLengths, LengthUnit, WholeLengths};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::memory::filled;
use webrank_graph::{Csr, Direction};

/// The rows along which searches go.
pub struct SearchRows {
    pub rows: Arc<Csr>,
    /// One for each arc in these rows; none if each is one step.
    lengths: Option<Vec<u128>>,
    cutoff: u128,
    pub unit: LengthUnit,
}

impl SearchRows {
    pub fn of(question: &Question, direction: Direction) -> Result<Self> {
        let (graph, progress) = (question.graph, question.progress);
        let parameters = question.parameters;
        let along = || match direction {
            Direction::In => graph.predecessors(progress),
            Direction::Out => graph.successors(progress),
        };
        let lengths = match (&parameters.lengths, parameters.cutoff) {
            (None, None) => {
                return Ok(SearchRows {
                    rows: along()?,
                    lengths: None,
                    cutoff: u128::MAX,
                    unit: LengthUnit::one(),
                });
            }
            (given, _) => given.as_ref().unwrap_or(&ArcLengths::Hops),
        };
        let (successors, found) = lengths.read(graph, parameters.cutoff, progress)?;
        let WholeLengths {
            whole,
            unit,
            cutoff,
        } = found;
        let (rows, lengths) = match direction {
            Direction::Out => (successors, whole),
            Direction::In => {
                let rows = along()?;
                let mut lengths = filled(0, whole.len(), "lengths")?;
                let mut arc = 0;
                for target in 0..rows.num_nodes() as Node {
                    for &source in rows.row(target) {
                        let first = successors.offsets()[source as usize] as usize;
                        let row = successors.row(source);
                        lengths[arc] = whole[first + row.partition_point(|&it| it < target)];
                        arc += 1;
                    }
                }
                (rows, lengths)
            }
        };
        Ok(SearchRows {
            rows,
            lengths: Some(lengths),
            cutoff,
            unit,
        })
    }

    /// The length of the arc at a place.
    pub fn length(&self, place: usize) -> u128 {
        self.lengths.as_ref().map_or(1, |lengths| lengths[place])
    }

    /// How many times as long a search takes as one by breadth, about.
    pub fn cost(&self) -> u64 {
        if self.lengths.is_some() { 8 } else { 1 }
    }

    /// How searches are called.
    pub fn searches(&self) -> &'static str {
        match self.lengths {
            Some(_) => "searches by lengths",
            None => "breadth-first searches",
        }
    }
}

const FAR: u128 = u128::MAX;

pub struct Search<'g> {
    pub arcs: &'g SearchRows,
    /// From the last source: of nodes that were reached.
    pub distance: Vec<u128>,
    /// The nodes reached, by distance; the source is the first.
    pub order: Vec<Node>,
    heap: BinaryHeap<(Reverse<u128>, Node)>,
    /// Nodes and arcs visited by all searches.
    pub visits: u64,
}

impl<'g> Search<'g> {
    pub fn new(arcs: &'g SearchRows) -> Self {
        Search {
            arcs,
            distance: vec![FAR; arcs.rows.num_nodes()],
            order: Vec::new(),
            heap: BinaryHeap::new(),
            visits: 0,
        }
    }

    pub fn from(&mut self, source: Node) {
        for node in self.order.drain(..) {
            self.distance[node as usize] = FAR;
        }
        self.distance[source as usize] = 0;
        match self.arcs.lengths.is_some() {
            true => self.by_length(source),
            false => self.by_breadth(source),
        }
        let rows = &self.arcs.rows;
        let visits = self.order.iter().map(|&node| 1 + rows.degree(node));
        self.visits += self.arcs.cost() * visits.sum::<u64>();
    }

    fn by_breadth(&mut self, source: Node) {
        self.order.push(source);
        let mut next = 0;
        while let Some(&node) = self.order.get(next) {
            next += 1;
            let below = self.distance[node as usize] + 1;
            for &other in self.arcs.rows.row(node) {
                if self.distance[other as usize] == FAR {
                    self.distance[other as usize] = below;
                    self.order.push(other);
                }
            }
        }
    }

    fn by_length(&mut self, source: Node) {
        self.heap.push((Reverse(0), source));
        while let Some((Reverse(near), node)) = self.heap.pop() {
            // The path is not the shortest to its node.
            if near > self.distance[node as usize] {
                continue;
            }
            self.order.push(node);
            for (place, other) in self.out(node) {
                let below = near + self.arcs.length(place);
                if below < self.distance[other as usize] && below <= self.arcs.cutoff {
                    self.distance[other as usize] = below;
                    self.heap.push((Reverse(below), other));
                }
            }
        }
    }

    /// The places and ends of the arcs of a node.
    fn out(&self, node: Node) -> impl Iterator<Item = (usize, Node)> + use<'g> {
        let rows: &'g Csr = &self.arcs.rows;
        let first = rows.offsets()[node as usize] as usize;
        (first..).zip(rows.row(node).iter().copied())
    }

    /// The places and ends of the arcs of a node that was reached, on shortest paths from the source.
    pub fn onward(&self, node: Node) -> impl Iterator<Item = (usize, usize)> {
        let near = self.distance[node as usize];
        let arcs = self.out(node).map(|(place, other)| (place, other as usize));
        arcs.filter(move |&(place, other)| self.distance[other] == near + self.arcs.length(place))
    }
}
