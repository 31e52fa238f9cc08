//! Graphs cut into shards.

mod checkpoints;
#[cfg(feature = "cli")]
mod command;
mod cut;
mod definition;
mod distances;
#[cfg(feature = "cli")]
mod far;
mod measures;
#[cfg(feature = "cli")]
mod parts;
#[cfg(feature = "cli")]
mod processes;

use std::path::Path;
use webrank_base::progress::Silent;
use webrank_formats::shard::Cutter;
use webrank_graph::bundle::{BundleOptions, write_bundle};
use webrank_graph::shards::Plan;
use webrank_graph::{Csr, Graph, StoredGraph};
use webrank_testing::graphs::Arcs;

/// The graph on disk, and cut into so many parts.
fn cut(graph: &Arcs, parts: usize, folder: &Path) -> (StoredGraph, Plan) {
    let bundle = folder.join("graph.bv");
    let successors = Csr::from_arcs(graph.0, graph.1.iter().copied()).unwrap();
    write_bundle(&successors, None, &bundle, BundleOptions::default()).unwrap();
    let opened = Graph::open(&bundle).unwrap();
    let output = folder.join("graph.shards");
    let cutter = Cutter::new(&opened, parts, &output, &Silent).unwrap();
    let shape = cutter.write(&output, &Silent).unwrap();
    (StoredGraph::open(&bundle).unwrap(), shape.plan)
}

fn bits(scores: &[f64]) -> Vec<u64> {
    scores.iter().map(|score| score.to_bits()).collect()
}
