//! Graphs from foreign formats: one file per format; each makes an [`Imported`].

pub mod edges;

use super::bundle::{BundleOptions, write_bundle};
use super::{Csr, Node};
use crate::error::Result;
use std::path::Path;

pub use edges::{EdgeOptions, read_edges};

/// A graph read from a foreign format.
pub struct Imported {
    /// The rows of successors.
    pub successors: Csr,
    /// The name of each node, in increasing order, if nodes have names.
    pub names: Option<Vec<Box<str>>>,
    /// How many duplicate arcs were dropped.
    pub duplicates: u64,
}

impl Imported {
    /// Writes the graph, its transpose, offsets and names as the bundle `output`.
    ///
    /// # Errors
    /// If the bundle cannot be written; nothing is left behind.
    pub fn write(&self, output: &Path, options: BundleOptions) -> Result<()> {
        write_bundle(&self.successors, self.names.as_deref(), output, options)
    }
}

/// Sorts names, and renumbers the ends of arcs, whose numbers are in order of first occurrence.
fn sort_names(names: Vec<Box<str>>, arcs: &mut [(Node, Node)]) -> Vec<Box<str>> {
    let mut order: Vec<Node> = (0..names.len() as Node).collect();
    order.sort_unstable_by(|&a, &b| names[a as usize].cmp(&names[b as usize]));
    let mut node_of = vec![0; names.len()];
    for (node, &occurrence) in order.iter().enumerate() {
        node_of[occurrence as usize] = node as Node;
    }
    for (source, target) in arcs {
        *source = node_of[*source as usize];
        *target = node_of[*target as usize];
    }
    let mut names: Vec<Option<Box<str>>> = names.into_iter().map(Some).collect();
    let mut take = |occurrence: Node| names[occurrence as usize].take();
    order
        .into_iter()
        .map(|occurrence| take(occurrence).expect("an order names each node once"))
        .collect()
}
