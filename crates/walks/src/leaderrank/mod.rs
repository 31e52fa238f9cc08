//! LeaderRank: random walks on the graph with a ground node, which has arcs to and from all nodes.
//!
//! From node j, of outdegree d_j, the walk follows each of its d_j + 1 arcs with equal probability;
//! one of them leads to the ground node g. From g it goes to each of the n nodes with equal
//! probability. So every node reaches every other, and there are no parameters: no damping, no
//! preference, no rule for dangling nodes (they lead to g). Let s be the stationary distribution,
//! scaled so that it sums to n, g included. In the end, the ground node's score is divided among
//! the nodes:
//!
//! ```text
//! S_i = s_i + s_g / n.
//! ```
//!
//! Scores sum to n, so their mean is 1. Self-loops count. With weights, the walk follows arcs in
//! proportion to them, and arcs to g have weight 1: d_j is the sum of weights, so their scale
//! matters. With [`Direction::Out`], the walk goes against arcs. On a symmetric graph, S_i is
//! proportional to d_i + 2.
//!
//! Source: Lü, Zhang, Yeung and Zhou, "Leaders in social networks, the Delicious case", PLoS ONE 6,
//! 2011.

use ndarray::Array1;
use serde::Serialize;
use std::path::PathBuf;
use visits::{GroundedSolution, Visits};
use webrank_base::error::{Error, Result};
use webrank_base::limits::Limits;
use webrank_base::parallel::sums::total;
use webrank_base::parallel::tasks;
use webrank_base::phases::Phases;
use webrank_base::progress::Progress;
use webrank_graph::Size;
use webrank_graph::{Direction, Graph};
use webrank_linear::matrix::Matrix;
use webrank_linear::prepared::PreparedMatrix;
use webrank_linear::scaling::{is_ordinary, leaving_exponents};
use webrank_linear::stationary::Walk;
use webrank_linear::wide::times_power;
use webrank_measure::cost_model::{Times, of_matrix};
use webrank_measure::form::{Loaded, RowStorage, StorageOptions, besides_rows, swept};
use webrank_measure::{About, Described, Measure, StoragePlan, matrix_parameters};
use webrank_scores::ranked::Ranked;
use webrank_scores::{Outcome, Run, Scores, Status};

mod visits;

/// The default tolerance on the l1 error relative to the sum of scores.
const TOLERANCE: f64 = 1e-9;

/// The exponent of the largest weights that are taken as they are.
const LARGEST: i32 = 512;

/// LeaderRank with its parameters.
///
/// The tolerance of [`Limits`] is on the certified l1 error relative to the sum of scores, 1e-9 by
/// default.
#[derive(Debug, Clone, Default, Serialize)]
pub struct LeaderRank {
    /// Walks along arcs ([`Direction::In`]: being pointed at), or against them.
    pub direction: Direction,
    /// The form in which rows are swept; scores have the same bits in all.
    #[serde(skip)]
    pub form: RowStorage,
    /// The folder of the temporary file that the form on disk needs; by default, the system's.
    #[serde(skip)]
    pub temp: Option<PathBuf>,
}

/// The bytes a node of vectors, with rows in memory.
const OF_NODE: u64 = 185;

/// The bytes a node with compact rows.
const OF_PACKED: u64 = 155;

impl Described for LeaderRank {
    const ABOUT: About = About {
        name: "leaderrank",
        definition: "s_x + s_g / n, s the stationary distribution of a walk with a ground node g",
        direction: "in: being pointed at by important nodes; or out",
        cost: "O(n + m) per sweep, more sweeps the longer walks stay away from g; 4 bytes per arc, \
               or about 1 in a compact form, and 190 bytes per node",
        guarantee: "certified l1 error, relative to the sum of scores",
    };
}

impl Measure for LeaderRank {
    fn forms_of(&self, graph: &Graph) -> Vec<StoragePlan> {
        self.forms(graph).plans()
    }

    fn seconds_of(&self, graph: &Graph, _: &Limits, _: &dyn Progress) -> Result<Times> {
        Ok(of_matrix(graph, 70.0..230.0))
    }

    fn compute(&self, graph: &Graph, limits: &Limits, progress: &dyn Progress) -> Result<Ranked> {
        let mut phases = Phases::start();
        let forms = self.forms(graph);
        let (form, loaded) = forms.load(self.direction, limits, &mut phases, progress)?;
        let grounded = Grounded::new(loaded)?;
        phases.done("prepare");
        let swept = swept(&[&grounded.rows]);
        let scores = grounded.scores(self, limits, progress)?;
        phases.done("iterate");
        Ok(Ranked::single(graph, scores, phases)?
            .within(limits.tolerance_or(TOLERANCE))
            .swept(swept)
            .noting(forms.note(form)))
    }
}

impl LeaderRank {
    fn forms<'a>(&'a self, graph: &'a Graph) -> StorageOptions<'a> {
        let size = Size::of(graph);
        let needs = [
            size.weighted_bytes(OF_NODE, 5),
            besides_rows(size, OF_PACKED),
        ];
        let how = (self.form, self.temp.as_deref());
        StorageOptions::of_rows(
            Self::ABOUT.name,
            graph,
            &[self.direction],
            how,
            needs,
            false,
        )
    }
}

/// LeaderRank of a matrix whose row i holds what flows into i.
///
/// The bits do not depend on the number of threads, and nodes with equal rows get equal scores.
///
/// # Errors
/// If weights are so large that doubles cannot count steps; if there is not enough memory; if the
/// user interrupts.
pub fn leaderrank(
    matrix: Matrix,
    params: &LeaderRank,
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<Scores> {
    Grounded::new(Loaded::Matrix(matrix))?.scores(params, limits, progress)
}

/// The walk with the ground node.
struct Grounded {
    /// Row i holds what flows into i from other nodes than g.
    rows: PreparedMatrix,
    /// The sum of the weights that leave each node, also to g.
    totals: Vec<f64>,
    /// Their relative error.
    rounding: f64,
}

impl Grounded {
    fn new(loaded: Loaded) -> Result<Self> {
        let mut to_ground = None;
        let rows = match loaded {
            Loaded::Matrix(matrix) if matrix.weights().is_some() => {
                let (matrix, weights) = in_own_units(matrix)?;
                to_ground = Some(weights);
                PreparedMatrix::new(matrix)
            }
            loaded => loaded.prepared(),
        };
        let (mut totals, mut rounding) = rows.column_sums()?;
        tasks::update(&mut totals, |node, total| {
            *total += to_ground.as_ref().map_or(1.0, |weight| weight(node));
        });
        if rows.weighted().is_some() {
            rounding += f64::EPSILON;
        }
        Ok(Grounded {
            rows,
            totals,
            rounding,
        })
    }

    fn scores(
        self,
        params: &LeaderRank,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<Scores> {
        let n = self.totals.len();
        let (tolerance, max_sweeps) = (limits.tolerance_or(TOLERANCE), limits.iterations());
        let is_weighted = self.rows.weighted().is_some();
        let parameters = matrix_parameters(params, is_weighted, tolerance, max_sweeps);
        progress.begin("iterate", None);
        let mut visits = Visits {
            walk: Walk::new(self.rows, self.totals, self.rounding),
            tolerance: tolerance.get(),
            max_sweeps,
            sweeps: 0,
        };
        let GroundedSolution { mut x, bound } = visits.find(progress)?;
        let relative = if n > 0 { visits.of_scores(bound) } else { 0.0 };
        tasks::update(&mut x, |_, x| *x += 1.0);
        let sum = total(&x);
        if !sum.is_finite() {
            let remedy = "walks stay away from the ground node for more steps than a double holds: \
                          divide all weights by one number, so that most are about 1";
            return Err(Error::argument("the largest weight", "too large", remedy));
        }
        let scale = n as f64 / sum;
        tasks::update(&mut x, |_, x| *x *= scale);
        Ok(Scores {
            intervals: None,
            values: Array1::from_vec(x),
            run: Run {
                measure: LeaderRank::ABOUT.name,
                method: "bicgstab",
                parameters,
                outcome: Outcome::Relative {
                    status: Status::of(relative <= tolerance.get()),
                    iterations: visits.sweeps,
                    error_bound: relative * n as f64,
                    relative_error_bound: relative,
                },
            },
        })
    }
}

/// The matrix in units in which no sum of weights overflows, and the weight of the arc from each
/// node to the ground node. Only the shares of what leaves a node count.
fn in_own_units(matrix: Matrix) -> Result<(Matrix, impl Fn(usize) -> f64 + Sync)> {
    let mut exponents = Vec::new();
    if !is_ordinary(matrix.weights()) {
        exponents = leaving_exponents(&matrix)?;
    }
    let exponent = move |node: usize| {
        let largest = exponents.get(node).copied().unwrap_or(0);
        i64::from((largest - LARGEST).max(0))
    };
    let is_changed = (0..matrix.num_nodes()).any(|node| exponent(node) > 0);
    let matrix = match is_changed {
        true => matrix.mapped(|_, j, weight| times_power(weight, -exponent(j as usize))),
        false => matrix,
    };
    Ok((matrix, move |node| times_power(1.0, -exponent(node))))
}
