//! Codes of the numbers in a compressed graph, and the choice of the best ones.
//!
//! A list of a BVGraph is a sequence of small numbers, each in the code of its [`Field`]. Here the
//! numbers of a graph are counted, so that every code can be tried without writing it. P. Boldi and
//! S. Vigna, "The WebGraph framework II: codes for the World-Wide Web", 2004; I. Witten, A. Moffat
//! and T. Bell, "Managing gigabytes", 1999, chapter 3.
//!
//! * [`histogram`]: how often each number occurs; entropy;
//! * [`count`]: the numbers of a file, or of rows that a compressor would write;
//! * [`code`]: lengths of code words and intended distributions;
//! * [`golomb`]: the best modulus of a Golomb code;
//! * [`choose`]: the best codes that a file can have;
//! * [`coding`]: codes as a user names them.

pub mod choose;
pub mod code;
pub mod coding;
pub mod count;
pub mod golomb;
pub mod histogram;

pub use crate::bvgraph::meter::Field;
pub use choose::{CodeGroup, best_codes, written_codes};
pub use code::LabCode;
pub use coding::Coding;
pub use count::{FieldCounts, bytes_of_counts, distinct_numbers};
pub use golomb::best_golomb;
pub use histogram::{NumberDistribution, NumberHistogram};
pub use webgraph::prelude::CompFlags;
