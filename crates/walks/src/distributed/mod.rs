//! Measures on graphs that are cut into shards, by several workers: what they have in common.
//!
//! * [`Distributed`]: a measure that several workers compute together;
//! * `run`: a run on shards: memory, rows, what each worker does;
//! * `checkpoint`: checkpoints of vectors;
//! * `power`: the power method;
//! * a file for each measure whose method on shards is another than that on the whole graph.
//!
//! Vectors are integers in a common unit ([`webrank_cluster::fixed_point`]) and everything else that
//! workers add up is fixed point, so scores have the same bits for any number of parts, workers and
//! threads.

mod checkpoint;
mod degrees;
mod eigenvector;
mod hits;
mod katz;
mod power;
mod radius;
mod run;
mod salsa;

pub use degrees::{degrees_among, needs_of_degrees};
pub use run::{Distributed, WorkerResult};
pub use run::{OF_NODE, OF_TOUCHED, OnShards, kept_on_shards, needs_of_part, plans_of};
