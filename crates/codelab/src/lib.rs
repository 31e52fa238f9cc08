//! [webrank]: ../webrank/index.html
#![doc = include_str!("../README.md")]
//!
//! # Sources
//!
//! P. Boldi and S. Vigna, "The WebGraph framework II: codes for the World-Wide Web", 2004; I. Witten, A. Moffat
//! and T. Bell, "Managing gigabytes", 1999, chapter 3.

pub mod ans;
pub mod code_lengths;
pub mod commands;
pub mod geometric;
mod laboratory;
pub mod numbers;
pub mod pfor;
pub mod prefix;
pub mod words;
mod yardsticks;

pub use code_lengths::code_lengths;
pub use laboratory::{Cost, Laboratory, Trial, is_written};
pub use webrank_base::{bits, dictionaries};
pub use yardsticks::Yardsticks;
