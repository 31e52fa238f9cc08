//! Breadth-first searches.
//!
//! * [`single`]: one source at a time, the simple engine whose results the others must match;
//! * [`bit_parallel`]: 512 sources at a time in the lanes of bit masks;
//! * [`pulled`]: the same by passes over distinct rows, which may be in a file;
//! * [`ring`]: the same by small whole lengths;
//! * [`histograms`]: the histograms of many nodes;
//! * [`histogram`]: how many nodes lie at each distance from a source;
//! * [`hyperball`]: estimates for all nodes by probabilistic counters;
//! * [`small_sets`]: the nodes that reach a node, where they are few;
//! * [`paths`]: the shortest paths between two nodes;
//! * [`diameter`]: the largest distance.
//!
//! [`webrank_graph::sources`] has the nodes to search from: all, some, or a sample.

mod batch;
pub(crate) mod lane_counts;

pub mod bit_parallel;
pub mod diameter;
pub mod histogram;
pub mod histograms;
pub mod hyperball;
pub mod paths;
pub(crate) mod pulled;
pub mod ring;
pub mod single;
pub(crate) mod small_sets;
