//! The code laboratory: what instantaneous codes make of the numbers in a compressed graph, and which
//! codes are best.
//!
//! A list of a BVGraph is a sequence of small numbers, each in the code of its [`Field`]. Here the
//! numbers of a graph are counted, so that every code can be tried without writing it. P. Boldi and
//! S. Vigna, "The WebGraph framework II: codes for the World-Wide Web", 2004; I. Witten, A. Moffat
//! and T. Bell, "Managing gigabytes", 1999, chapter 3.
//!
//! * `histogram`: how often each number occurs; entropy;
//! * `count`: the numbers of a file, or of rows that a compressor would write;
//! * `code`: lengths of code words and intended distributions;
//! * `golomb`: the best modulus of a Golomb code;
//! * `choose`: the best codes that a file can have;
//! * `coding`: codes as a user names them;
//! * `laboratory`: every code on every field;
//! * `yardsticks`: other kinds of compression on the same numbers (feature `yardsticks`).

mod choose;
mod code;
mod coding;
mod count;
mod golomb;
mod histogram;
mod laboratory;
#[cfg(feature = "yardsticks")]
mod yardsticks;

pub use crate::graph::bvgraph::meter::Field;
pub use choose::{Group, best_codes, written_codes};
pub use code::LabCode;
pub use coding::Coding;
pub use count::Counts;
pub use golomb::best_golomb;
pub use histogram::{Distribution, Histogram};
pub(crate) use laboratory::bytes_of_counts;
pub use laboratory::{Cost, Laboratory, Trial, is_written};
pub use webgraph::prelude::CompFlags;
#[cfg(feature = "yardsticks")]
pub use yardsticks::Yardsticks;
