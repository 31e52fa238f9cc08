//! Betweenness of nodes and arcs, exact and sampled.

mod closed_forms;
mod definition;
mod engines;
mod intervals;
mod peers;
mod ties;
mod whole_graphs;
