//! Centralities of shortest paths, as those of walks, and engines of searches.

mod betweenness;
mod distance_measures;
mod geometric;
mod traversal;
#[path = "../../../../benches/support/webgen.rs"]
mod webgen;
