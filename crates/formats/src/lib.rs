//! Graphs of other formats.
//!
//! * [`import`](mod@import): files of any format as a graph;
//! * [`export`](mod@export): a graph as a file of another format;
//! * [`shard`]: a graph cut into shards.

pub mod export;
pub mod import;
pub mod shard;
