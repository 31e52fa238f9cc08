//! [webrank]: ../webrank/index.html
#![doc = include_str!("../README.md")]

mod cutoff;
pub mod decimal;
mod distance;
mod engine;
mod queue;
pub mod ranking;
mod scores;
mod search;
pub mod source;
mod sums;
pub mod whole;

pub use cutoff::Cutoff;
pub use ranking::LengthRanking;
pub use source::LengthSource;
