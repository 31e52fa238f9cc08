//! Components as networks of resistors.

use super::too_different;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::progress::Progress;
use webrank_graph::components::StrongComponents;
use webrank_linear::matrix::Matrix;
use webrank_linear::wide::{exponent_of, times_power};

/// Conductances of a component that differ by more than this factor are refused.
const WIDEST: f64 = 1e15;

/// A component of at least three nodes. Its last place is the ground, a node with most neighbours.
pub struct Network {
    nodes: Vec<Node>,
    /// The neighbours of each place, with conductances of which the largest is between 1 and 2.
    neighbours: Vec<Vec<(u32, f64)>>,
    edges: Vec<Edge>,
}

/// An edge between two places.
#[derive(Clone, Copy)]
pub struct Edge {
    pub ends: [usize; 2],
    pub conductance: f64,
}

impl Network {
    /// The components of at least three nodes of a symmetric matrix.
    pub fn components(matrix: &Matrix, progress: &dyn Progress) -> Result<Vec<Network>> {
        progress.begin("components", None);
        let components = StrongComponents::new(matrix.rows(), progress)?;
        let (starts, members) = components.members();
        let mut places = vec![0; matrix.num_nodes()];
        let parts = starts.windows(2).map(|ends| &members[ends[0]..ends[1]]);
        parts
            .filter(|nodes| nodes.len() > 2)
            .map(|nodes| Network::of(matrix, nodes, &mut places))
            .collect()
    }

    fn of(matrix: &Matrix, nodes: &[Node], places: &mut [u32]) -> Result<Network> {
        let mut nodes = nodes.to_vec();
        nodes.sort_unstable();
        let degree = |place: &usize| matrix.rows().degree(nodes[*place]);
        let ground = (0..nodes.len()).max_by_key(degree).unwrap_or(0);
        let last = nodes.len() - 1;
        nodes.swap(ground, last);
        for (place, &node) in nodes.iter().enumerate() {
            places[node as usize] = place as u32;
        }
        let row = |&node: &Node| {
            let others = matrix.row(node).filter(|&(other, _)| other != node);
            others
                .map(|(other, weight)| (places[other as usize], weight))
                .collect()
        };
        let mut neighbours: Vec<Vec<(u32, f64)>> = nodes.iter().map(row).collect();
        let weights = || neighbours.iter().flatten().map(|entry| entry.1);
        let largest = weights().fold(0.0, f64::max);
        let least = weights().fold(f64::INFINITY, f64::min);
        if largest / WIDEST > least {
            return Err(too_different());
        }
        let exponent = i64::from(exponent_of(largest));
        let entries = neighbours.iter_mut().flatten();
        entries.for_each(|entry| entry.1 = times_power(entry.1, -exponent));
        let edges = edges(&neighbours);
        Ok(Network {
            nodes,
            neighbours,
            edges,
        })
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The node at each place.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The places that have an edge to this one, and the conductances.
    pub fn neighbours(&self, place: usize) -> &[(u32, f64)] {
        &self.neighbours[place]
    }

    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }
}

fn edges(neighbours: &[Vec<(u32, f64)>]) -> Vec<Edge> {
    let rows = neighbours.iter().enumerate();
    let later = rows.flat_map(|(x, row)| {
        let later = row.iter().filter(move |&&(y, _)| y as usize > x);
        later.map(move |&(y, conductance)| Edge {
            ends: [x, y as usize],
            conductance,
        })
    });
    later.collect()
}
