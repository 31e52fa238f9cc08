//! Betweenness of nodes and arcs, exact and sampled.

#[cfg(feature = "cli")]
mod command;
