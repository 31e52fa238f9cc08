//! Katz's index: the number of walks of all lengths that end at a node, weighted by a factor alpha
//! per step.
//!
//! Let A be the adjacency matrix, rho its spectral radius, alpha in (0, 1/rho) the attenuation, and
//! beta the weight of starting at each node, 1 by default. Then
//!
//! ```text
//! x = beta (I - alpha A)^-1 = beta + alpha x A.
//! ```
//!
//! Scores flow along arcs; with [`Direction::Out`], walks that start at a node count instead.
//! Scores are not scaled: the score of a node without predecessors is its beta. As alpha tends to
//! 1/rho, the order tends to that of [eigenvector centrality](super::eigenvector); as alpha tends
//! to 0, to that of indegree.
//!
//! The error is certified for every alpha below 1/rho (see `katz/system.rs`). If beta > 0, the
//! solution itself serves as the w of the certificate; otherwise w is found in a few sweeps from
//! `w = 1 + alpha w A`. The tolerance is relative to the sum of all scores, since scores grow
//! without bound as alpha tends to 1/rho; the outcome contains both the absolute and the relative
//! error. Near the limits of doubles, scores are in units of their own (`katz/balanced.rs`).
//!
//! Rows without weights may be in any form; they are kept for the nodes that others depend on.
//!
//! Source: Katz, "A new status index derived from sociometric analysis", Psychometrika 18, 1953.

use super::distributed::{kept_on_shards, plans_of};
use attenuation::{Attenuated, attenuated};
use balanced::{Balanced, balanced};
use goal::KatzGoal;
use live_rows::LiveRows;
use ndarray::Array1;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use std::path::PathBuf;
use system::{KatzRows, KatzSystem};
use webrank_base::checkpoint::hash;
use webrank_base::error::{Error, Result};
use webrank_base::limits::Limits;
use webrank_base::parallel::sums::total;
use webrank_base::parallel::tasks;
use webrank_base::phases::Phases;
use webrank_base::progress::Progress;
use webrank_cluster::Workers;
use webrank_graph::Size;
use webrank_graph::{Direction, Graph};
use webrank_linear::matrix::Matrix;
use webrank_linear::scaling::is_ordinary;
use webrank_linear::wide::ExtendedFloat;
use webrank_measure::cost_model::{Times, of_matrix};
use webrank_measure::form::{
    RowStorage, Storage, StorageOptions, besides_single_rows, needs_memory,
};
use webrank_measure::{About, Described, Measure, StoragePlan, matrix_parameters};
use webrank_scores::ranked::Ranked;
use webrank_scores::{Outcome, Run, Scores, Status};

mod attenuation;
mod balanced;
mod goal;
mod gradients;
mod live_rows;
mod notes;
mod series;
mod sweeps;
mod system;

pub use attenuation::{AUTO, Attenuation, Radius};

/// The default tolerance on the l1 error relative to the sum of scores.
pub(super) const TOLERANCE: f64 = 1e-9;

/// The algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum KatzMethod {
    /// Stabilised biconjugate gradients, two sweeps per step
    #[default]
    Bicgstab,
    /// Add up the series, one walk length per sweep
    Power,
    /// Use new values immediately
    GaussSeidel,
}

impl KatzMethod {
    /// The name used on the command line.
    pub fn name(self) -> &'static str {
        match self {
            KatzMethod::Bicgstab => "bicgstab",
            KatzMethod::Power => "power",
            KatzMethod::GaussSeidel => "gauss-seidel",
        }
    }
}

/// Katz's index with its parameters.
///
/// The tolerance of [`Limits`] is on the certified l1 error relative to the sum of all scores, 1e-9
/// by default. Its iterations limit all sweeps together: those that find the spectral radius, the
/// scores and a certificate. If none are left for a certificate, the error bound is infinite.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Katz {
    /// alpha; manifests hold its value.
    pub alpha: Attenuation,
    /// beta: one nonnegative number per node, not all 0; 1 for all by default. Manifests say
    /// whether it is given.
    #[serde(serialize_with = "whether_given")]
    pub beta: Option<Vec<f64>>,
    /// Whether walks count that end at the node ([`Direction::In`]) or that start there.
    pub direction: Direction,
    /// The algorithm.
    #[serde(skip)]
    pub method: KatzMethod,
    /// The form in which rows are swept; scores have the same bits in all.
    #[serde(skip)]
    pub form: RowStorage,
    /// The folder of the temporary files that the form on disk needs; by default, the system's.
    #[serde(skip)]
    pub temp: Option<PathBuf>,
    /// The workers among which shards are divided.
    #[serde(skip)]
    pub team: Workers,
}

/// The bytes a node with compact rows.
const OF_PACKED: u64 = 300;

fn whether_given<S: Serializer>(beta: &Option<Vec<f64>>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(if beta.is_some() { "vector" } else { "1" })
}

impl Described for Katz {
    const ABOUT: About = About {
        name: "katz",
        definition: "x = beta + alpha x A, A the adjacency matrix",
        direction: "in: walks that end at the node; or out",
        cost: "O(n + m) per sweep, 50 to 150 sweeps; 12 bytes per arc, or \
               about 2 in a compact form, and 250 bytes per node",
        guarantee: "certified l1 error, relative to the sum of scores",
    };
}

impl Measure for Katz {
    fn forms_of(&self, graph: &Graph) -> Vec<StoragePlan> {
        plans_of(self.on_shards(graph), || self.forms(graph).plans())
    }

    fn kept_parameters(&self, graph: &Graph, limits: &Limits) -> Result<Map<String, Value>> {
        let tolerance = limits.tolerance_or(TOLERANCE);
        let mut parameters = kept_on_shards(self, graph, tolerance, limits)?;
        let beta = self.beta.iter().map(|beta| ("beta".to_owned(), hash(beta)));
        parameters.extend(beta);
        Ok(parameters)
    }

    fn seconds_of(&self, graph: &Graph, _: &Limits, _: &dyn Progress) -> Result<Times> {
        Ok(of_matrix(
            graph,
            match self.method {
                KatzMethod::Bicgstab => 40.0..90.0,
                _ => 120.0..200.0,
            },
        ))
    }

    fn compute(&self, graph: &Graph, limits: &Limits, progress: &dyn Progress) -> Result<Ranked> {
        if self.team.shards(graph)?.is_some() {
            return self
                .on_shards(graph)?
                .rank(self, TOLERANCE, limits, progress);
        }
        let mut phases = Phases::start();
        let forms = self.forms(graph);
        let form = forms.chosen(limits)?;
        let rows = match form {
            Storage::Runs => {
                let matrix = Matrix::of(graph, self.direction, progress)?;
                phases.done("load");
                KatzRows::new(matrix, self.method)?
            }
            _ if self.method == KatzMethod::GaussSeidel => {
                return Err(needs_memory("method", self.method.name()));
            }
            _ => {
                let (rows, live) = forms.packed_live(self.direction, form, limits, progress)?;
                KatzRows::Live(LiveRows::of_rows(rows, live)?)
            }
        };
        phases.done(if form == Storage::Runs {
            "prepare"
        } else {
            "pack"
        });
        let swept = rows.swept();
        let found = katz_of(rows, self, limits, progress)?;
        phases.done("iterate");
        let notes = found.notes();
        Ok(Ranked::single(graph, found.scores, phases)?
            .within(limits.tolerance_or(TOLERANCE))
            .swept(swept)
            .noting(notes)
            .noting(forms.note(form)))
    }
}

impl Katz {
    fn forms<'a>(&'a self, graph: &'a Graph) -> StorageOptions<'a> {
        let size = Size::of(graph);
        let needs = [
            size.weighted_bytes(322, 17),
            besides_single_rows(size, OF_PACKED),
        ];
        let how = (self.form, self.temp.as_deref());
        let only_runs = self.method == KatzMethod::GaussSeidel;
        StorageOptions::of_rows(
            Self::ABOUT.name,
            graph,
            &[self.direction],
            how,
            needs,
            only_runs,
        )
    }
}

/// Scores, alpha, and the bounds on the spectral radius.
#[derive(Debug, Clone)]
pub struct KatzScores {
    /// The scores; their error bound is on the l1 distance to the true scores.
    pub scores: Scores,
    /// alpha.
    pub alpha: f64,
    /// Bounds on the spectral radius, as far as they were needed.
    pub radius: Radius,
    /// The sum of all scores.
    pub total: ExtendedFloat,
    /// The number of positive scores below the least normal double, which are rounded or set to 0.
    pub num_lost: usize,
}

/// True if all numbers are far from the limits of doubles.
fn has_ordinary_numbers(weights: Option<&[f64]>, alpha: f64, beta: &[f64]) -> bool {
    let ordinary = 1e-100..1e100;
    is_ordinary(weights)
        && ordinary.contains(&alpha)
        && tasks::all(beta.len(), |node| {
            beta[node] == 0.0 || ordinary.contains(&beta[node])
        })
}

/// Katz's index of a matrix whose row i holds what flows into i.
///
/// O(n + m) per sweep; the result does not depend on the number of threads.
///
/// # Errors
/// If alpha is not below 1/rho; if beta is not one nonnegative finite number per node, or is 0 for
/// all; if a score is more than a double holds; if the user interrupts.
pub fn katz(
    matrix: &Matrix,
    params: &Katz,
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<KatzScores> {
    let rows = KatzRows::new(matrix.clone(), params.method)?;
    katz_of(rows, params, limits, progress)
}

/// See [`katz`].
///
/// # Errors
/// As for [`katz`]; if rows are in a file that cannot be read.
fn katz_of(
    rows: KatzRows,
    params: &Katz,
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<KatzScores> {
    let (n, is_weighted) = (rows.num_nodes(), rows.weights().is_some());
    let beta = match &params.beta {
        Some(beta) => check_beta(beta, n)?.to_vec(),
        None => vec![1.0; n],
    };
    let (tolerance, limit) = (limits.tolerance_or(TOLERANCE), limits.iterations());
    let Attenuated {
        alpha,
        radius,
        sweeps,
    } = attenuated(&rows, params.alpha, limit, progress)?;
    progress.begin("iterate", None);
    let goal = KatzGoal {
        tolerance: tolerance.get(),
        max_sweeps: limit,
        sweeps,
    };
    let mut found = None;
    if has_ordinary_numbers(rows.weights(), alpha, &beta) {
        let system = KatzSystem {
            rows: &rows,
            alpha,
            beta: &beta,
            sizes: None,
        };
        let solution = goal.solve(&system, params.method, progress)?;
        // Scores may overflow all the same, as walks grow along a chain.
        if total(&solution.x).is_finite() {
            found = Some(Balanced::from(solution));
        }
    }
    let found = match found {
        Some(found) => found,
        None => {
            let matrix = rows.matrix()?;
            balanced(&matrix, alpha, &beta, &goal, params.method, progress)?
        }
    };
    let (x, relative) = (found.solution.x, found.solution.relative_bound);
    let mut parameters = matrix_parameters(params, is_weighted, tolerance, limit);
    parameters.insert("alpha".into(), alpha.into());
    Ok(KatzScores {
        alpha,
        radius,
        total: found.total,
        num_lost: found.num_lost,
        scores: Scores {
            intervals: None,
            run: Run {
                measure: Katz::ABOUT.name,
                method: params.method.name(),
                parameters,
                outcome: Outcome::Relative {
                    status: Status::of(relative <= tolerance.get()),
                    iterations: found.solution.sweeps,
                    error_bound: match relative.is_finite() {
                        true => at_least(ExtendedFloat::new(relative) * found.total),
                        false => f64::INFINITY,
                    },
                    relative_error_bound: relative,
                },
            },
            values: Array1::from_vec(x),
        },
    })
}

/// A double that is at least this: those below all normal ones are rounded up.
fn at_least(bound: ExtendedFloat) -> f64 {
    match bound.get() {
        double if double < f64::MIN_POSITIVE && !bound.is_zero() => double.next_up(),
        double => double,
    }
}

pub(super) fn check_beta(beta: &[f64], n: usize) -> Result<&[f64]> {
    if beta.len() != n {
        return Err(Error::argument(
            "beta",
            format!("a vector of length {}", beta.len()),
            format!("the graph has {n} nodes"),
        ));
    }
    if let Some(node) = beta.iter().position(|b| !b.is_finite() || *b < 0.0) {
        return Err(Error::argument(
            "beta",
            format!("{} at node {node}", beta[node]),
            "it must be finite and not negative",
        ));
    }
    if n > 0 && beta.iter().all(|&b| b == 0.0) {
        return Err(Error::argument(
            "beta",
            0,
            "at least one node must have a positive beta",
        ));
    }
    Ok(beta)
}
