//! Tables and text files, in and out.
//!
//! * [`text`]: text files about nodes and arcs, all read by the same rules;
//! * [`read`]: tables of scores in any format, joined by name or node;
//! * [`write`](mod@write): tables of scores in any format;
//! * [`table`]: columns and cells; [`keys`]: the keys of rows; [`join`]: tables by their keys;
//! * [`numpy`]: arrays of numpy (feature `npy`).

pub mod join;
pub mod keys;
#[cfg(feature = "npy")]
pub mod numpy;
pub mod read;
pub mod table;
pub mod text;
pub mod write;
