//! webrank ranks the nodes of web-scale graphs, and says how sure it is.
//!
//! ```
//! use webrank::{Graph, Measure, PageRank};
//!
//! let graph = Graph::open("graphs/rust-doc.bv")?; // or Graph::from_arcs(5, [(0, 1), (1, 2)])?
//! let scores = PageRank::default().alpha(0.9)?.run(&graph)?;
//! for (name, score) in scores.best(10) {
//!     println!("{name} {score}");
//! }
//! # Ok::<(), webrank::Error>(())
//! ```
//!
//! * [`Graph`] is a graph on disk or in memory;
//! * each measure is a structure of its parameters, a [`Measure`]; [`MEASURES`] lists them;
//! * [`Limits`] bound the error, the time and the memory of a computation;
//! * [`Ranked`] holds scores, ranks, what is proved of them, and notes on what was chosen and why;
//! * [`compare`] measures how much rankings agree;
//! * every function that can fail returns an [`Error`], a line that says what to do.
//!
//! # The source
//!
//! A graph comes in as a path, scores go out as a table. Each folder has one job, and later ones
//! build on earlier ones:
//!
//! * `parallel`: tools for parallel loops: blocks, sums, vector instructions, workspaces;
//! * `graph`: from a path to rows of successors or predecessors, in memory or compressed;
//!   components; export;
//! * `codes`: the code laboratory: what codes make of the numbers in a compressed graph;
//! * `crawl`: from archives of pages to a graph; sieves (feature `crawl`); a crawler (feature `live`);
//! * `reduction`: smaller graphs and fewer searches with the same distances;
//! * `traversal`: breadth-first searches from one node, from 512 at a time, or from all;
//! * `linear`: matrices by rows, their spectral radii and eigenvectors;
//! * `cluster`: workers that compute together, each with a part of a graph;
//! * `centrality`: the measures, a file or a folder each; start with
//!   `centrality/pagerank/methods/reference.rs`;
//! * `scores`: ranks, ties, proofs of the order, tables and their manifests;
//! * `compare`: how much rankings agree, a file for each coefficient;
//! * `verify`: how far scores of any program are off, by other computations than those of
//!   `centrality`;
//! * `crawl`: from a crawl to a graph: pages that are nearly the same, and which machine has which key
//!   (feature `crawl`);
//! * `retrieval`: an index of the text of pages, and whether a ranking helps to find what is meant
//!   (feature `search`);
//! * `report`: a comparison as a web page, and the plot of the code laboratory (feature `report`);
//! * `cli`: the command `rank` (feature `cli`), a file for each subcommand.
//!
//! All folders share these: `limits`, `memory`, `expected`, `progress` and `checkpoint` for long computations,
//! `output` for files that appear whole or not at all, `guard`, `arrow_batch`, `numpy_header` and
//! `parquet_file` for readers by others, `visible` for names with control characters, `error`.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

#[cfg(feature = "arrow")]
mod arrow_batch;
mod centrality;
mod checkpoint;
mod cluster;
mod codes;
pub mod compare;
#[cfg(feature = "crawl")]
mod crawl;
mod error;
mod expected;
mod graph;
#[cfg(any(
    feature = "arrow",
    feature = "live",
    feature = "npy",
    feature = "parquet"
))]
mod guard;
mod limits;
mod linear;
mod memory;
#[cfg(feature = "npy")]
mod numpy_header;
mod output;
mod parallel;
#[cfg(feature = "parquet")]
mod parquet_file;
mod progress;
mod reduction;
#[cfg(feature = "report")]
mod report;
#[cfg(feature = "search")]
mod retrieval;
mod scores;
mod traversal;
mod verify;
mod visible;

pub use centrality::all::*;
pub use centrality::form::RowForm;
pub use centrality::pagerank::{Columns, Damping, Dangling, Distribution, FormChoice, Method};
pub use centrality::{About, FormPlan, MEASURES, Measure};
pub use error::{Error, Result};
pub use expected::Seconds;
pub use graph::{Direction, Graph, Names, Node};
pub use limits::{Limits, Tolerance};
pub use progress::{Progress, Silent};
pub use scores::guarantee::Guarantee;
pub use scores::phases::{Phase, Phases};
pub use scores::proved_order::Certainty;
pub use scores::ranked::Ranked;
pub use scores::ranking::Ranking;
pub use scores::{Outcome, Run, Scores, Status};

/// The whole crate, for the command, the tests and the benches of this project. It may change with
/// every release.
#[doc(hidden)]
pub mod internals {
    macro_rules! open {
        ($($module:ident),*) => {
            $(pub mod $module {
                pub use crate::$module::*;
            })*
        };
    }

    open!(
        centrality, checkpoint, codes, error, expected, graph, limits, linear, memory, output,
        parallel, progress, reduction, scores, traversal, verify, visible
    );

    pub mod cluster {
        #[cfg(feature = "cluster")]
        pub use crate::cluster::network;
        pub use crate::cluster::{Division, Team, estimate};
    }

    #[cfg(feature = "crawl")]
    open!(crawl);

    #[cfg(feature = "report")]
    open!(report);
    #[cfg(feature = "search")]
    open!(retrieval);
}
