//! Centralities of shortest paths, exact or with intervals.
//!
//! * [`geometric`]: harmonic, closeness, Lin, reachable, eccentricity, decay, integration;
//! * [`betweenness`]: of nodes and arcs, exact and sampled;
//! * [`traversal`]: breadth-first searches from one node, from 512 at a time, or from all;
//! * [`reduction`]: smaller graphs and fewer searches with the same distances;
//! * [`sample_mean`]: intervals around means of samples.

pub mod betweenness;
pub mod geometric;
pub mod reduction;
pub mod sample_mean;
pub mod traversal;
