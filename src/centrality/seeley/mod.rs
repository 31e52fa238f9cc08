//! Seeley's index: a node passes its importance on in equal parts, and nothing else counts.
//!
//! With P the row-normalised adjacency matrix, a random walk, x is a nonnegative vector of sum one
//! with
//!
//! ```text
//! x = x P,
//! ```
//!
//! a stationary distribution. There is one for each *terminal* strong component, which walks cannot
//! leave, so x is defined as the limit of PageRank with uniform preference for alpha to 1: each
//! terminal component has the probability that a walk from a uniform start ends up in it, and its
//! stationary distribution shares that out,
//!
//! ```text
//! x = sum over terminal C of m_C pi_C.
//! ```
//!
//! Nodes of other components are left for good: their score is 0. Where a component is periodic,
//! x is the mean over time. Where arcs come in pairs, pi_i is proportional to the degree of i.
//!
//! A node without successors is a terminal component by itself, where the walk stays. (In
//! [PageRank](super::pagerank) it goes on from there to anywhere, so that for alpha to 1 other
//! scores result; here, as where walks end, nothing that is not an arc is followed.) With weights,
//! arcs are followed in proportion to them. [`left_seeley`] follows arcs backwards.
//!
//! Components are visited in the order of flow. A transient one receives f and is visited
//! `y = f (I - Q)^-1` times, Q being the walk within. If `r = f + y Q - y`, then the masses of
//! terminal components are off by at most ||r|| in the l1 norm, since all walks end up in some.
//! Terminal components have certificates of their own ([`crate::linear::stationary`]). Both are
//! found by the stabilised biconjugate gradient method.
//!
//! Source: Seeley, "The net of reciprocal influence: a problem in treating sociometric data",
//! Canadian Journal of Psychology 3, 1949; for the limit, Boldi, Santini and Vigna, "PageRank as a
//! function of the damping factor", WWW 2005.

use crate::error::Result;
use crate::graph::components::StrongComponents;
use crate::graph::{Node, Predecessors, Successors};
use crate::linear::Tolerance;
use crate::linear::matrix::Matrix;
use crate::progress::Progress;
use crate::scores::{Outcome, Run, Scores, Status};
use ndarray::Array1;
use serde_json::{Map, Value, json};

mod absorption;

/// The parameters of Seeley's index.
#[derive(Debug, Clone, Copy)]
pub struct Seeley {
    /// The certified l1 error at which to stop.
    pub tolerance: Tolerance,
    /// Give up on a component after about this many sweeps over its arcs.
    pub max_iterations: u32,
}

impl Default for Seeley {
    fn default() -> Self {
        Seeley {
            tolerance: Tolerance::default(),
            max_iterations: 10_000,
        }
    }
}

/// Scores, and where walks end.
#[derive(Debug, Clone)]
pub struct LongRun {
    /// The scores; they sum to one.
    pub scores: Scores,
    /// The number of strong components.
    pub num_components: usize,
    /// How many of them walks cannot leave.
    pub num_terminal: usize,
    /// How many of these are single nodes.
    pub num_single: usize,
    /// The terminal component with the highest probability; `None` if there are no nodes.
    pub first: Option<Terminal>,
    /// The number of nodes that walks leave for good.
    pub num_transient: usize,
}

/// A component that walks cannot leave.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Terminal {
    /// Its smallest node.
    pub first: Node,
    /// The number of its nodes.
    pub nodes: usize,
    /// The probability that a walk ends up there.
    pub mass: f64,
}

/// Being pointed at: the long run of walks along arcs.
///
/// O(n + m) a sweep; up to 40 bytes an arc and 150 bytes a node of the largest component. The
/// result does not depend on the number of threads, and nodes with equal rows get equal scores.
///
/// # Errors
/// If the user interrupts, or if there is not enough memory.
pub fn seeley(
    graph: Predecessors<Matrix>,
    params: &Seeley,
    progress: &dyn Progress,
) -> Result<LongRun> {
    long_run(graph.0, params, "in", progress)
}

/// Pointing: the long run of walks against arcs.
///
/// # Errors
/// As for [`seeley`].
pub fn left_seeley(
    graph: Successors<Matrix>,
    params: &Seeley,
    progress: &dyn Progress,
) -> Result<LongRun> {
    long_run(graph.0, params, "out", progress)
}

fn long_run(
    matrix: &Matrix,
    params: &Seeley,
    direction: &str,
    progress: &dyn Progress,
) -> Result<LongRun> {
    progress.begin("components", None);
    let components = StrongComponents::new(matrix.rows(), progress)?;
    progress.begin("iterate", None);
    let found = absorption::absorb(matrix, &components, params, progress)?;
    let tolerance = params.tolerance.get();
    let converged = found.bound.is_some_and(|bound| bound <= tolerance);
    let highest = |a: &&Terminal, b: &&Terminal| a.mass.total_cmp(&b.mass);
    Ok(LongRun {
        num_components: components.num_components(),
        num_terminal: found.terminals.len(),
        num_single: found.terminals.iter().filter(|c| c.nodes == 1).count(),
        // The first of equals.
        first: found.terminals.iter().rev().max_by(highest).copied(),
        num_transient: found.num_transient,
        scores: Scores {
            values: Array1::from_vec(found.values),
            run: Run {
                measure: "seeley",
                method: "bicgstab",
                parameters: parameters(matrix, params, direction),
                outcome: Outcome::Stationary {
                    status: match converged {
                        true => Status::Converged,
                        false => Status::NotConverged,
                    },
                    iterations: found.sweeps,
                    residual: found.residual,
                    error_bound: found.bound,
                },
            },
        },
    })
}

fn parameters(matrix: &Matrix, params: &Seeley, direction: &str) -> Map<String, Value> {
    let Value::Object(map) = json!({
        "direction": direction,
        "weights": matrix.weights().map(|_| "vector"),
        "tolerance": params.tolerance.get(),
        "max_iterations": params.max_iterations,
    }) else {
        unreachable!("an object literal is an object")
    };
    map
}
