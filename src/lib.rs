//! webrank ranks the nodes of web-scale graphs, and says how sure it is.
//!
//! A graph comes in as a path, scores go out as a table. Each room has one job:
//!
//! * [`parallel`]: what every parallel loop uses: blocks, sums, vector instructions, workspaces;
//! * [`graph`]: from a path to rows of successors or predecessors, in memory or compressed;
//! * [`reduction`]: what can be left out of a traversal without changing any distance;
//! * [`traversal`]: breadth-first searches from one node, from 512 at a time, from all;
//! * [`linear`]: matrices by rows, their spectral radii and eigenvectors;
//! * [`centrality`]: the measures, a file or a folder each;
//! * [`scores`]: ranks, ties, what is proved of the order, tables and their manifests;
//! * [`compare`]: how much rankings agree, a file for each coefficient;
//! * `report`: a comparison as a web page (feature `report`);
//! * [`output`]: files that appear whole or not at all;
//! * [`progress`]: progress reports and interruption for long computations;
//! * [`error`]: one error type.
//!
//! ```
//! use webrank::centrality::pagerank::{PageRank, pagerank};
//! use webrank::graph::Source;
//! use webrank::centrality::pagerank::walk::RandomWalk;
//! use webrank::linear::StopRule;
//! use webrank::progress::Silent;
//!
//! let source = Source::open("graphs/rust-doc.bv".as_ref())?;
//! let walk = RandomWalk::new(source.predecessors(&Silent)?)?;
//! let scores = pagerank(&walk, &PageRank::default(), &StopRule::default(), &Silent)?;
//! println!("{:?}", scores.run.outcome);
//! # Ok::<(), webrank::Error>(())
//! ```

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod centrality;
pub mod compare;
pub mod error;
pub mod graph;
pub mod limits;
pub mod linear;
pub mod output;
pub mod parallel;
pub mod progress;
pub mod reduction;
#[cfg(feature = "report")]
pub mod report;
pub mod scores;
pub mod traversal;

pub use centrality::all::*;
pub use centrality::geometric::Geometric;
pub use centrality::{About, MEASURES, Measure};
pub use error::{Error, Result};
pub use graph::Graph;
pub use limits::Limits;
