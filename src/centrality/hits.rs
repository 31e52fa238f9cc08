//! HITS: good hubs point to good authorities, and good authorities are pointed at by good hubs.
//!
//! With A the adjacency matrix, authorities a and hubs h are nonnegative vectors with
//!
//! ```text
//! a A' A = lambda a,        h = a A',        lambda the largest eigenvalue of A' A.
//! ```
//!
//! A node without predecessors has authority 0; one without successors has hub score 0. A' A is
//! symmetric. Its largest eigenvalue may be multiple (as on a graph whose links fall apart into
//! several parts of equal norm); then a is the projection onto its eigenspace of the vector that is
//! 1 for all nodes with predecessors: the limit of Kleinberg's iteration from equal scores.
//!
//! Arnoldi's method (which on a symmetric matrix is that of Lanczos) finds a, with two sweeps over
//! the arcs per multiplication. The l2 error of a is about the residual over the gap, so entries
//! below that are set to 0 and tie. Self-loops count. With weights, the entries of A are the
//! weights instead of ones.
//!
//! Source: Kleinberg, "Authoritative sources in a hyperlinked environment", J. ACM 46, 1999.

use super::{About, Measure, iteration_parameters};
use crate::error::Result;
use crate::graph::{Direction, Graph, Predecessors, Successors};
use crate::limits::Limits;
use crate::linear::arnoldi;
use crate::linear::matrix::Matrix;
use crate::linear::perron::{clear_unresolved, residual_of, to_distribution};
use crate::linear::prepared::PreparedMatrix;
use crate::linear::scaling::{is_ordinary, largest_exponent};
use crate::linear::wide::{Wide, times_power};
use crate::memory::Size;
use crate::parallel::sums::chained;
use crate::progress::Progress;
use crate::scores::phases::Phases;
use crate::scores::ranked::Ranked;
use crate::scores::{Outcome, Run, Scores, Status};
use ndarray::Array1;
use serde::Serialize;
use serde_json::{Map, Value};

/// The default tolerance on the residual `||a A' A - lambda a|| / (lambda ||a||)`, in the l2 norm.
const TOLERANCE: f64 = 1e-12;

/// HITS; no parameters.
///
/// The tolerance of [`Limits`] is on the residual `||a A' A - lambda a|| / (lambda ||a||)`, in the
/// l2 norm, 1e-12 by default. A multiplication counts as two iterations.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Hits {}

impl Measure for Hits {
    const ABOUT: About = About {
        name: "hits",
        definition: "a A' A = lambda a for authorities a, h = a A' for hubs h",
        direction: "authority: being pointed at by hubs; hub: pointing to authorities",
        cost: "O(n + m) per sweep, more sweeps the closer the second eigenvalue; 8 bytes per arc \
               and 250 bytes per node",
        guarantee: "the residual of the scores",
    };

    fn needs(&self, graph: &Graph) -> u64 {
        Size::of(graph).weighted_bytes(290, 13)
    }

    fn compute(&self, graph: &Graph, limits: &Limits, progress: &dyn Progress) -> Result<Ranked> {
        let mut phases = Phases::start();
        let successors = graph.matrix(Direction::Out, progress)?;
        let predecessors = successors.transposed()?;
        phases.done("load");
        let found = hits(
            Successors(&successors),
            Predecessors(&predecessors),
            limits,
            progress,
        )?;
        phases.done("iterate");
        let nodes = found.unresolved;
        let note = format!(
            "{nodes} nodes with predecessors have an authority that is 0, or too small to resolve"
        );
        let beyond_doubles = found.beyond_doubles.clone();
        let ranked = found.ranked(graph, phases)?;
        Ok(ranked
            .within(limits.tolerance_or(TOLERANCE))
            .noting((nodes > 0).then_some(note))
            .noting(beyond_doubles))
    }
}

/// Both scores of every node.
#[derive(Debug, Clone)]
pub struct HubsAndAuthorities {
    /// Authority scores. They sum to one, unless there are no arcs.
    pub authorities: Scores,
    /// Hub scores. They sum to one, unless there are no arcs.
    pub hubs: Scores,
    /// The number of nodes with predecessors whose authority is 0, or is set to 0 because it is
    /// below what the residual can resolve.
    pub unresolved: usize,
    /// What doubles cannot hold, in words.
    pub beyond_doubles: Option<String>,
}

impl HubsAndAuthorities {
    /// One column for each score; nodes are ranked by authority.
    pub(super) fn ranked(self, graph: &Graph, phases: Phases) -> Result<Ranked> {
        Ranked::several(graph, vec![self.authorities, self.hubs], phases)
    }
}

/// Multiplication by A' A.
struct Product {
    forward: PreparedMatrix,
    backward: PreparedMatrix,
    /// a A'.
    hubs: Vec<f64>,
    sweeps: u32,
}

impl Product {
    fn apply(&mut self, a: &[f64], image: &mut [f64]) {
        self.forward.apply(a, &mut self.hubs);
        self.backward.apply(&self.hubs, image);
        self.sweeps += 2;
    }
}

/// Hubs and authorities; `predecessors` is the transpose of `successors`.
///
/// Since A' A is symmetric, one of its eigenvalues is within the residual times lambda of lambda
/// (Krylov and Weinstein). That it is the largest is not proved; it is what the method finds from a
/// start that has a component along every dominant eigenvector. All scores are 0 on a graph without
/// arcs. O(n log n + m), then O(n + m) per sweep; 8 bytes per arc and about 250 bytes per node. The
/// bits depend on the graph alone.
///
/// # Errors
/// If the user interrupts.
pub fn hits(
    successors: Successors<Matrix>,
    predecessors: Predecessors<Matrix>,
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<HubsAndAuthorities> {
    let n = successors.0.num_nodes();
    let (tolerance, max_sweeps) = (limits.tolerance_or(TOLERANCE), limits.iterations());
    let mut parameters = iteration_parameters(&Hits {}, tolerance, max_sweeps);
    if successors.0.weights().is_some() {
        parameters.insert("weights".into(), "vector".into());
    }
    let scores = |measure, values, outcome| scores(measure, values, &parameters, outcome);
    // The largest weight becomes about 1. Weights that become 0 are far below what the residual
    // can resolve, since lambda is at least the square of the largest.
    let exponent = match is_ordinary(successors.0.weights()) {
        true => 0,
        false => largest_exponent(successors.0.weights()),
    };
    let scaled = |matrix: &Matrix| matrix.mapped(|_, _, weight| times_power(weight, -exponent));
    let in_units = (exponent != 0).then(|| [scaled(successors.0), scaled(predecessors.0)]);
    let (successors, predecessors) = match &in_units {
        Some([forward, backward]) => (Successors(forward), Predecessors(backward)),
        None => (successors, predecessors),
    };
    let tolerance = tolerance.get();
    let nodes = 0..n as u32;
    let is_authority: Vec<bool> = nodes.map(|x| predecessors.0.rows().degree(x) > 0).collect();
    let mut a: Vec<f64> = is_authority.iter().map(|&is| f64::from(is)).collect();
    if successors.0.rows().num_arcs() == 0 {
        let none = |measure| scores(measure, vec![0.0; n], Outcome::Exact);
        return Ok(HubsAndAuthorities {
            authorities: none("authority"),
            hubs: none("hub"),
            unresolved: 0,
            beyond_doubles: None,
        });
    }
    progress.begin("iterate", None);
    let mut product = Product {
        forward: PreparedMatrix::new(successors.0.clone()),
        backward: PreparedMatrix::new(predecessors.0.clone()),
        hubs: vec![0.0; n],
        sweeps: 0,
    };
    let (mut residual, mut gap) = (f64::INFINITY, 0.0);
    while residual > tolerance && product.sweeps < max_sweeps {
        let left = (max_sweeps - product.sweeps) / 2;
        let multiply = |x: &[f64], y: &mut [f64]| product.apply(x, y);
        let (ritz, _) = arnoldi::cycle(multiply, &a, tolerance, left, progress)?;
        // The matrix is symmetric, so its eigenvalues are real and a Ritz pair exists.
        let Some(ritz) = ritz else { break };
        let sign = ritz.vector.iter().sum::<f64>().signum();
        a = ritz.vector.iter().map(|x| (sign * x).max(0.0)).collect();
        let stalled = ritz.residual > 0.5 * residual && ritz.residual < 1e-12;
        (residual, gap) = (ritz.residual, ritz.gap);
        progress.remark(&format!(
            "sweep {}, residual {residual:.1e}",
            product.sweeps
        ));
        if stalled {
            break;
        }
    }
    let multiply = |x: &[f64]| times(predecessors.0, &times(successors.0, x));
    let image = multiply(&a);
    let squares = |x: &[f64]| chained(x.iter().map(|x| x * x));
    let lambda = chained(a.iter().zip(&image).map(|(a, y)| a * y)) / squares(&a);
    let residual = residual_of(&a, &image, lambda);
    clear_unresolved(&mut a, (residual / (2.0 * gap)).min(1.0));
    let positive = a.iter().filter(|&&a| a > 0.0).count();
    to_distribution(&mut a);
    let mut hubs = times(successors.0, &a);
    to_distribution(&mut hubs);
    progress.end();
    let eigenvalue = Wide::new(lambda).scaled(2 * exponent);
    let is_beyond = !(f64::MIN_POSITIVE..=f64::MAX).contains(&eigenvalue.get());
    let outcome = Outcome::Eigen {
        status: Status::of(residual <= tolerance),
        iterations: product.sweeps,
        residual,
        eigenvalue: eigenvalue.clamped(),
        eigenvalue_bounds: None,
        gap,
    };
    Ok(HubsAndAuthorities {
        authorities: scores("authority", a, outcome.clone()),
        hubs: scores("hub", hubs, outcome),
        unresolved: is_authority.iter().filter(|&&is| is).count() - positive,
        beyond_doubles: is_beyond.then(|| {
            format!("the eigenvalue is about {eigenvalue}, which is outside the range of doubles")
        }),
    })
}

/// M x, term by term.
fn times(rows: &Matrix, x: &[f64]) -> Vec<f64> {
    let mut image = vec![0.0; x.len()];
    rows.multiply(&rows.blocks(), x, &mut image);
    image
}

fn scores(
    measure: &'static str,
    values: Vec<f64>,
    parameters: &Map<String, Value>,
    outcome: Outcome,
) -> Scores {
    Scores {
        intervals: None,
        values: Array1::from(values),
        run: Run {
            measure,
            method: "arnoldi",
            parameters: parameters.clone(),
            outcome,
        },
    }
}
