//! HITS: good hubs point to good authorities, and good authorities are pointed at by good hubs.
//!
//! With A the adjacency matrix, authorities a and hubs h are nonnegative vectors with
//!
//! ```text
//! a A' A = lambda a,        h = a A',        lambda the largest eigenvalue of A' A.
//! ```
//!
//! A node without predecessors has authority 0, one without successors is no hub (hub score 0).
//! A' A is symmetric; where its largest eigenvalue is not simple (as on a graph whose links fall
//! apart into several parts of equal norm), a is the projection on its eigenvectors of the vector
//! that is 1 for all nodes with predecessors: the limit of Kleinberg's iteration from equal scores.
//!
//! a is found by Arnoldi's method (which on a symmetric matrix is that of Lanczos), two sweeps over
//! the arcs a multiplication. The l2 error of a is about the residual over the gap, so entries
//! below that are set to 0 and tie. Self-loops count. With weights, A has them in place of ones.
//!
//! Source: Kleinberg, "Authoritative sources in a hyperlinked environment", J. ACM 46, 1999.

use crate::error::Result;
use crate::graph::{Predecessors, Successors};
use crate::linear::Tolerance;
use crate::linear::arnoldi::{self, norm};
use crate::linear::matrix::Matrix;
use crate::linear::perron::{residual_of, to_distribution};
use crate::linear::prepared::PreparedMatrix;
use crate::parallel::sums::chained;
use crate::progress::Progress;
use crate::scores::{Outcome, Run, Scores, Status};
use ndarray::Array1;
use serde_json::{Map, json};

/// The parameters of HITS.
#[derive(Debug, Clone, Copy)]
pub struct Hits {
    /// The residual `||a A' A - lambda a|| / (lambda ||a||)`, in the l2 norm, at which to stop.
    pub tolerance: Tolerance,
    /// Give up after this many sweeps; a multiplication takes two.
    pub max_iterations: u32,
}

impl Default for Hits {
    fn default() -> Self {
        Hits {
            tolerance: Tolerance::new(1e-12).expect("a positive number"),
            max_iterations: 10_000,
        }
    }
}

/// Both scores of every node.
#[derive(Debug, Clone)]
pub struct HubsAndAuthorities {
    /// They sum to one, unless there are no arcs.
    pub authorities: Scores,
    /// They sum to one, unless there are no arcs.
    pub hubs: Scores,
    /// Nodes with predecessors whose authority is 0, or below what the residual can resolve and set
    /// to 0.
    pub unresolved: usize,
}

/// Multiplications by A' A.
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
/// (Krylov and Weinstein); that it is the largest is not proved, but what the method finds from a
/// start with a part along every dominant eigenvector. All scores are 0 on a graph without arcs.
/// O(n log n + m), then O(n + m) a sweep; 8 bytes an arc and some 250 bytes a node. The bits depend
/// on the graph alone.
///
/// # Errors
/// If the user interrupts.
pub fn hits(
    successors: Successors<Matrix>,
    predecessors: Predecessors<Matrix>,
    params: &Hits,
    progress: &dyn Progress,
) -> Result<HubsAndAuthorities> {
    let n = successors.0.num_nodes();
    let tolerance = params.tolerance.get();
    let weighted = successors.0.weights().is_some();
    let nodes = 0..n as u32;
    let is_authority: Vec<bool> = nodes.map(|x| predecessors.0.rows().degree(x) > 0).collect();
    let mut a: Vec<f64> = is_authority.iter().map(|&is| f64::from(is)).collect();
    if successors.0.rows().num_arcs() == 0 {
        let none = |measure| scores(measure, vec![0.0; n], params, weighted, Outcome::Exact);
        return Ok(HubsAndAuthorities {
            authorities: none("authority"),
            hubs: none("hub"),
            unresolved: 0,
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
    while residual > tolerance && product.sweeps < params.max_iterations {
        let left = (params.max_iterations - product.sweeps) / 2;
        let multiply = |x: &[f64], y: &mut [f64]| product.apply(x, y);
        let (ritz, _) = arnoldi::cycle(multiply, &a, tolerance, left, progress)?;
        // The matrix is symmetric, so its eigenvalues are real: there is one.
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
    let resolution = (residual / (2.0 * gap)).min(1.0) * norm(&a);
    a.iter_mut()
        .for_each(|a| *a = if *a < resolution { 0.0 } else { *a });
    let positive = a.iter().filter(|&&a| a > 0.0).count();
    to_distribution(&mut a);
    let mut hubs = times(successors.0, &a);
    to_distribution(&mut hubs);
    progress.end();
    let outcome = Outcome::Eigen {
        status: match residual <= tolerance {
            true => Status::Converged,
            false => Status::NotConverged,
        },
        iterations: product.sweeps,
        residual,
        eigenvalue: lambda,
        eigenvalue_bounds: None,
        gap,
    };
    Ok(HubsAndAuthorities {
        authorities: scores("authority", a, params, weighted, outcome.clone()),
        hubs: scores("hub", hubs, params, weighted, outcome),
        unresolved: is_authority.iter().filter(|&&is| is).count() - positive,
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
    params: &Hits,
    weighted: bool,
    outcome: Outcome,
) -> Scores {
    let mut parameters = Map::new();
    parameters.insert("tolerance".into(), json!(params.tolerance.get()));
    parameters.insert("max_iterations".into(), json!(params.max_iterations));
    if weighted {
        parameters.insert("weights".into(), json!("vector"));
    }
    Scores {
        values: Array1::from(values),
        run: Run {
            measure,
            method: "arnoldi",
            parameters,
            outcome,
        },
    }
}
