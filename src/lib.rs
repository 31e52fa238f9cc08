//! webrank ranks the nodes of web-scale graphs, and says how sure it is.

#![forbid(unsafe_op_in_unsafe_fn)]
#![warn(missing_docs)]

pub mod compare;
pub mod error;
pub mod graph;
pub mod progress;
pub mod scores;

pub use error::{Error, Result};
