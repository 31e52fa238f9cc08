//! webrank ranks the nodes of web-scale graphs, and says how sure it is.
//!
//! A graph comes in as a path, scores go out as a table. Each room has one job:
//!
//! * [`graph`]: from a path to rows of successors or predecessors, in memory or compressed;
//! * [`linear`]: fixed points of linear maps, without ever forming a matrix;
//! * [`centrality`]: one file per measure;
//! * [`scores`]: ranks, ties, what is proved of the order, tables;
//! * [`output`]: files that appear whole or not at all;
//! * [`progress`] and [`error`]: what all of them share.
//!
//! ```
//! use webrank::centrality::pagerank::{PageRank, pagerank};
//! use webrank::graph::Source;
//! use webrank::linear::{RandomWalk, StopRule};
//! use webrank::progress::Silent;
//!
//! let source = Source::open("graphs/rust-doc.bv".as_ref())?;
//! let walk = RandomWalk::new(source.predecessors(&Silent)?)?;
//! let scores = pagerank(&walk, &PageRank::default(), &StopRule::default(), &Silent)?;
//! println!("{:?}", scores.run.outcome);
//! # Ok::<(), webrank::Error>(())
//! ```

#![forbid(unsafe_op_in_unsafe_fn)]
#![warn(missing_docs)]

pub mod centrality;
pub mod compare;
pub mod error;
pub mod graph;
pub mod linear;
pub mod output;
pub mod progress;
pub mod reduction;
#[cfg(feature = "report")]
pub mod report;
pub mod scores;
pub mod traversal;

pub use error::{Error, Result};
