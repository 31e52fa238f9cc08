//! [webrank]: ../webrank/index.html
#![doc = include_str!("../README.md")]

pub mod bits;
pub mod checkpoint;
pub mod dictionaries;
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
