//! Foundations of webrank: what every crate of the workspace builds on.
//!
//! * [`error`]: one error type; every message names the thing, the place and the remedy;
//! * [`limits`]: bounds of a computation: error, time, memory;
//! * [`memory`]: what there is, and lists that grow only into free memory;
//! * [`progress`]: how far a computation is, and whether it shall stop;
//! * [`checkpoint`]: the state of a long run in a file;
//! * [`output`]: files that appear whole or not at all;
//! * [`parallel`]: blocks, sums and vector instructions, with the same bits for any number of threads;
//! * [`file_vector`], [`regular`]: vectors in files, regular files;
//! * [`shown`], [`visible`]: text of files in messages, without control characters;
//! * [`guard`]: panics of readers by others, as errors;
//! * [`random`], [`phases`]: a random generator, seconds of phases;
//! * [`units`]: seconds and bytes for people.

pub mod checkpoint;
pub mod error;
pub mod file_vector;
pub mod guard;
pub mod limits;
pub mod memory;
pub mod output;
pub mod parallel;
pub mod phases;
pub mod progress;
pub mod random;
pub mod regular;
pub mod shown;
pub mod units;
pub mod visible;

/// The index of a node, from 0 to the number of nodes minus 1. Graphs of 2^32 nodes or more are
/// refused when they are opened.
pub type Node = u32;

/// The version of this program, as manifests and files say it.
pub const VERSION: &str = concat!("webrank ", env!("CARGO_PKG_VERSION"));
