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
//! # The workspace
//!
//! This crate is the face of a workspace; its parts can be used by themselves. A graph comes in as a
//! path, scores go out as a table. Each crate has one job and depends on those before it:
//!
//! * `webrank-base`: errors, limits, memory, progress, checkpoints, files, parallel loops;
//! * `webrank-tables`: tables and text files, in and out;
//! * `webrank-graph`: compressed graphs, names, components, orders, shards; `webrank-formats`: import
//!   and export;
//! * `webrank-linear`: matrices by rows, their spectral radii and eigenvectors;
//! * `webrank-scores`: ranks, ties, proofs of the order, manifests;
//! * `webrank-cluster`: workers that compute together, each with a part of a graph;
//! * `webrank-measure`: the trait of measures, storage forms, the cost model;
//! * `webrank-walks` and `webrank-distances`: the measures, a file or a folder each; `webrank-lengths`:
//!   distances that are sums of lengths of arcs;
//! * `webrank-compare`: how much rankings agree; `webrank-verify`: how far scores of any program are
//!   off, by other computations;
//! * `webrank-terminal` and `src/cli`: the command `rank` (feature `cli`), a file for each subcommand;
//! * `webrank-crawl`, `webrank-retrieval`, `webrank-codelab`: commands that are programs of their own.

pub use webrank_base::Node;
pub use webrank_base::error::{Error, Result};
pub use webrank_base::limits::{Limits, Tolerance};
pub use webrank_base::phases::{Phase, Phases};
pub use webrank_base::progress::{Progress, Silent};
pub use webrank_compare as compare;
pub use webrank_distances::betweenness::Betweenness;
pub use webrank_distances::geometric::closeness::Closeness;
pub use webrank_distances::geometric::decay::Decay;
pub use webrank_distances::geometric::eccentricity::Eccentricity;
pub use webrank_distances::geometric::harmonic::Harmonic;
pub use webrank_distances::geometric::integration::Integration;
pub use webrank_distances::geometric::lin::Lin;
pub use webrank_distances::geometric::reachable::Reachable;
pub use webrank_graph::{Direction, Graph};
pub use webrank_lengths as lengths;
pub use webrank_measure::cost_model::TimeEstimate;
pub use webrank_measure::form::{RowStorage, StorageChoice};
pub use webrank_measure::{About, Described, HasAbout, Measure, StoragePlan};
pub use webrank_scores::guarantee::Guarantee;
pub use webrank_scores::parameters::{Damping, Dangling, Distribution};
pub use webrank_scores::proved_order::Certainty;
pub use webrank_scores::ranked::Ranked;
pub use webrank_scores::ranking::Ranking;
pub use webrank_scores::{Outcome, Run, Scores, Status};
pub use webrank_tables::text::names::Names;
pub use webrank_walks::current_flow::CurrentFlow;
pub use webrank_walks::degree::{Indegree, Outdegree};
pub use webrank_walks::eigenvector::Eigenvector;
pub use webrank_walks::hits::Hits;
pub use webrank_walks::katz::Katz;
pub use webrank_walks::kendall_wei::KendallWei;
pub use webrank_walks::leaderrank::LeaderRank;
pub use webrank_walks::pagerank::trustrank::TrustRank;
pub use webrank_walks::pagerank::{Columns, Method, PageRank};
pub use webrank_walks::salsa::Salsa;
pub use webrank_walks::seeley::Seeley;
pub use webrank_walks::walk_counts::Walks;

macro_rules! measures {
    ($($measure:ident),* $(,)?) => {
        /// The description of every measure, as `rank measures` shows them.
        pub const MEASURES: &[About] = &[$(<$measure as Described>::ABOUT),*];
    };
}

measures! {
    Betweenness, CurrentFlow, PageRank, TrustRank, Eigenvector, Katz, Walks, Seeley, KendallWei, LeaderRank,
    Hits, Salsa, Indegree, Outdegree, Harmonic, Closeness, Lin, Reachable, Eccentricity, Decay, Integration,
}
