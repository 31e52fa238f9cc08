//! The code laboratory: what instantaneous codes make of the numbers in a compressed graph, and which
//! codes are best.
//!
//! A list of a BVGraph is a sequence of small numbers, each in the code of its [`Field`]. Here the
//! numbers of a graph are counted, so that every code can be tried without writing it. P. Boldi and
//! S. Vigna, "The WebGraph framework II: codes for the World-Wide Web", 2004; I. Witten, A. Moffat
//! and T. Bell, "Managing gigabytes", 1999, chapter 3.
//!
//! * `laboratory`: every code on every field;
//! * `yardsticks`: other kinds of compression on the same numbers.

pub mod code_lengths;
pub mod commands;
mod laboratory;
mod yardsticks;

pub use code_lengths::code_lengths;
pub use laboratory::{Cost, Laboratory, Trial, is_written};
pub use yardsticks::Yardsticks;
