//! [webrank]: ../webrank/index.html
#![doc = include_str!("../README.md")]
//!
//! # Inside
//!
//! Each check is another computation than that of the measure, short and plain:
//!
//! * `walks` (PageRank, TrustRank and its candidates), `systems` (Katz, LeaderRank), `long_run` (Seeley): sweeps over
//!   the arcs, one sum after the other, which start from the scores in question. The change of a
//!   sweep bounds the error (`sweeps`);
//! * `eigen` (eigenvector, Kendall-Wei, HITS): the residual, and bounds on the eigenvalue;
//! * `counts` (degrees, SALSA): counted again, from the other direction of the graph;
//! * `searches` (all measures of distances): searches from all nodes or from a sample;
//! * `paths` (betweenness of nodes and arcs): Brandes's algorithm from all nodes or from a sample;
//! * `distances`: searches with a queue, or with a heap along lengths, which `lengths` reads as whole numbers;
//! * `compare`: how far scores are from true ones.

pub mod claims;
mod compare;
mod counts;
mod distances;
mod eigen;
mod lengths;
mod long_run;
mod parameters;
mod paths;
mod searches;
mod sweeps;
mod systems;
mod walks;

pub use lengths::ArcLengths;
pub use parameters::{Parameters, Scale};

use serde::Serialize;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::sums::total;
use webrank_base::progress::Progress;
use webrank_graph::Size;
use webrank_graph::{Direction, Graph};
use webrank_linear::Matrix;
use webrank_linear::scaling::is_ordinary;

/// How the scores of a measure are verified.
pub struct Verifier {
    /// The measure, as the command line names it.
    pub measure: &'static str,
    /// The parameters that its scores depend on, as the command line names them.
    pub parameters: &'static [&'static str],
    check: fn(&Question) -> Result<Finding>,
}

macro_rules! verifiers {
    ($($measure:literal [$($parameter:literal),*] => $check:expr),* $(,)?) => {
        /// All measures that can be verified.
        pub const VERIFIERS: &[Verifier] = &[$(Verifier {
            measure: $measure,
            parameters: &[$($parameter),*],
            check: $check,
        }),*];
    };
}

verifiers! {
    "pagerank" ["alpha", "preference", "dangling", "weights"] => walks::pagerank,
    "trustrank" ["alpha", "seeds"] => walks::trustrank,
    "katz" ["alpha", "beta", "direction", "weights"] => systems::katz,
    "leaderrank" ["direction", "weights"] => systems::leaderrank,
    "seeley" ["direction", "weights"] => long_run::seeley,
    "eigenvector" ["direction", "weights"] => eigen::eigenvector,
    "kendall-wei" ["direction", "weights"] => eigen::kendall_wei,
    "hits-authority" ["weights"] => eigen::authority,
    "hits-hub" ["weights"] => eigen::hub,
    "salsa-authority" ["weights"] => counts::authority,
    "salsa-hub" ["weights"] => counts::hub,
    "indegree" [] => counts::indegree,
    "outdegree" [] => counts::outdegree,
    "harmonic" ["direction", "lengths", "cutoff"] => searches::harmonic,
    "closeness" ["direction", "variant", "lengths", "cutoff"] => searches::closeness,
    "lin" ["direction", "lengths", "cutoff"] => searches::lin,
    "reachable" ["direction", "lengths", "cutoff"] => searches::reachable,
    "eccentricity" ["direction", "lengths", "cutoff"] => searches::eccentricity,
    "decay" ["direction", "base", "lengths", "cutoff"] => searches::decay,
    "integration" ["direction", "lengths", "cutoff"] => searches::integration,
    "betweenness" ["endpoints", "sources", "lengths", "cutoff"] => paths::betweenness,
    "arc-betweenness" ["lengths", "cutoff"] => paths::of_arcs,
    "inverse-pagerank" ["alpha"] => walks::candidates,
}

/// The items of the rows of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableItems {
    /// All nodes.
    Nodes,
    /// All nodes, or the best of them.
    Best,
    /// All arcs, by source and target.
    Arcs,
}

impl Verifier {
    /// The verifier of a measure, if there is one.
    pub fn of(measure: &str) -> Option<&'static Verifier> {
        VERIFIERS
            .iter()
            .find(|verifier| verifier.measure == measure)
    }

    /// The items of the rows of its tables.
    pub fn items(&self) -> TableItems {
        match self.measure {
            "arc-betweenness" => TableItems::Arcs,
            "inverse-pagerank" => TableItems::Best,
            _ => TableItems::Nodes,
        }
    }

    /// The bytes that [`check`](Self::check) takes at most: the rows of both directions, vectors, and
    /// for betweenness what searches and their sums take.
    pub fn needs(&self, graph: &Graph, parameters: &Parameters) -> u64 {
        let [searches, sums] = paths::bytes_of_searches();
        let (of_node, of_arc) = match self.measure {
            "betweenness" => (searches + sums, 0),
            "arc-betweenness" => (searches, sums),
            _ => (0, 0),
        };
        let of_lengths = match (&parameters.lengths, parameters.cutoff) {
            (None, None) => 0,
            // Decimals, and whole numbers in the order of sources and of targets.
            _ => 64,
        };
        let size = Size::of(graph);
        match self.measure {
            // Rows of one direction, perhaps made of those of the other.
            "pagerank" | "trustrank" | "indegree" | "outdegree" if !size.weights => {
                size.bytes(80, 9).max(size.while_decoding())
            }
            "leaderrank" | "katz" | "eigenvector" | "hits-authority" | "hits-hub"
                if !size.weights =>
            {
                size.bytes(130, 18)
            }
            _ => size.weighted_bytes(200 + of_node, 18 + of_arc + of_lengths),
        }
    }

    /// How far scores are from those of the measure.
    ///
    /// # Errors
    /// If there is not one finite score for each node or arc, or NaN for nodes that a table of the best
    /// may lack; if a parameter is missing or does not fit the
    /// graph; if a file is damaged or memory is short; if the user interrupts.
    pub fn check(&self, question: &Question) -> Result<Finding> {
        let (rows, nodes) = (question.scores.len() as u64, question.graph.num_nodes());
        let (count, items) = match self.items() {
            TableItems::Arcs => (question.graph.num_arcs(), "arcs"),
            TableItems::Nodes | TableItems::Best => (nodes as u64, "nodes"),
        };
        if rows != count {
            let remedy = format!("give one for each of the {count} {items}");
            return Err(Error::argument("the number of scores", rows, remedy));
        }
        if count > u64::from(Node::MAX) {
            let remedy = "so many cannot be verified";
            return Err(Error::argument("the number of scores", rows, remedy));
        }
        let may_lack = self.items() == TableItems::Best;
        let is_wrong = |score: &f64| !(score.is_finite() || may_lack && score.is_nan());
        if let Some(row) = question.scores.iter().position(is_wrong) {
            return Err(Error::not_finite("a score", row, question.scores[row]));
        }
        if count == 0 {
            return Ok(Finding::of_nothing());
        }
        (self.check)(question)
    }
}

/// Scores, and what they are said to be.
pub struct Question<'a> {
    /// The graph; its weights count.
    pub graph: &'a Graph,
    /// The score of each node, or of each arc by source and target.
    pub scores: &'a [f64],
    /// The parameters of the measure.
    pub parameters: &'a Parameters,
    /// The number of nodes to search from; by default as many as take some seconds.
    pub samples: Option<usize>,
    /// Told of the progress.
    pub progress: &'a dyn Progress,
}

/// The result of a check of scores.
#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    /// How they were checked, as in "checked by ...".
    pub way: String,
    /// The divisor of scores before the check.
    pub scale: f64,
    /// Why, if that is not 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale_is: Option<String>,
    /// Their error.
    pub error: ErrorBounds,
    /// The score that is furthest off, if any is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worst: Option<Worst>,
    /// Bounds for all nodes by a sample, unless all were checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<SampleFinding>,
    /// Bounds on the eigenvalue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eigenvalue_bounds: Option<[f64; 2]>,
    /// The numbers that decide promises about eigenvectors.
    #[serde(skip)]
    eigen: Option<EigenFinding>,
    /// Other facts that a reader should know.
    pub notes: Vec<String>,
}

impl Finding {
    /// For a graph without nodes.
    fn of_nothing() -> Self {
        Finding {
            way: "nothing: there are no nodes".into(),
            scale: 1.0,
            scale_is: None,
            error: ErrorBounds {
                kind: ErrorKind::Score,
                at_least: 0.0,
                at_most: 0.0,
            },
            worst: None,
            sample: None,
            eigenvalue_bounds: None,
            eigen: None,
            notes: Vec::new(),
        }
    }
}

/// Further numbers of an eigenvector.
#[derive(Debug, Clone, Copy)]
struct EigenFinding {
    /// At most the residual for the eigenvalue that fits the scores best, which need not be the
    /// largest.
    residual: f64,
    /// The rise of the residual by zeros if they were as long as the vector.
    of_zeros: f64,
    /// By what a residual may grow in a step.
    growth: f64,
}

/// Proved bounds on an error, with the rounding of the check included.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct ErrorBounds {
    /// Which error.
    pub kind: ErrorKind,
    /// It is at least this.
    pub at_least: f64,
    /// It is at most this; infinite if that is not proved.
    pub at_most: f64,
}

/// Which error of scores is bounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorKind {
    /// The differences from true scores, added up.
    L1,
    /// [`Self::L1`], divided by the sum of true scores.
    RelativeL1,
    /// `||x M - lambda x|| / (lambda ||x||)`, in the l2 norm.
    Residual,
    /// The largest difference from a true score, divided by the true score, of all scores that were
    /// checked.
    Score,
}

impl ErrorKind {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            ErrorKind::L1 => "l1 error",
            ErrorKind::RelativeL1 => "l1 error relative to the sum of scores",
            ErrorKind::Residual => "residual",
            ErrorKind::Score => "largest relative error of a score",
        }
    }
}

/// The score that is furthest off.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Worst {
    /// Its node, or the place of its arc by source and target.
    pub node: Node,
    /// The score, scaled.
    pub score: f64,
    /// The true score; for an eigenvector, what the equation makes of the scores.
    pub truth: f64,
    /// How far the true score may be from that.
    pub within: f64,
}

impl Worst {
    /// How far the score is off.
    pub fn difference(&self) -> f64 {
        (self.score - self.truth).abs()
    }
}

/// Bounds for all nodes by a random sample of them.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct SampleFinding {
    /// The number of sampled nodes.
    pub nodes: usize,
    /// With 95% confidence, at most this share of all nodes...
    pub share: f64,
    /// ...has a larger relative error than this, the largest in the sample.
    pub error: f64,
}

impl Question<'_> {
    fn direction(&self, default: Direction) -> Direction {
        self.parameters.direction.unwrap_or(default)
    }

    /// The matrix whose row x holds what flows into x.
    ///
    /// # Errors
    /// If weights are so large or so small that plain sums may overflow or vanish.
    fn matrix(&self, direction: Direction) -> Result<Matrix> {
        let matrix = Matrix::of(self.graph, direction, self.progress)?;
        if is_ordinary(matrix.weights()) {
            return Ok(matrix);
        }
        let remedy = "scores are verified only for weights of ordinary size; multiply all weights by \
                      one number, so that most are about 1";
        Err(Error::argument("weights", "too large or too small", remedy))
    }

    /// The scores with negative ones set to 0, which moves them nearer to the truth, and the sum of
    /// what that adds.
    ///
    /// # Errors
    /// If no score is positive.
    fn nonnegative(&self) -> Result<(Vec<f64>, f64)> {
        let clamped: f64 = self.scores.iter().map(|&score| (-score).max(0.0)).sum();
        let scores: Vec<f64> = self.scores.iter().map(|&score| score.max(0.0)).collect();
        if !total(&scores).is_finite() {
            return Err(Error::not_finite("the sum of scores", 0, f64::INFINITY));
        }
        if scores.iter().all(|&score| score == 0.0) {
            let remedy = "a table of true scores has a positive one";
            return Err(Error::argument("every score", "0 or negative", remedy));
        }
        Ok((scores, clamped))
    }

    /// Whether scores may have another scale than the measure defines.
    fn may_be_scaled(&self) -> bool {
        self.parameters.scale == Scale::Unknown
    }
}
