//! Seeley's index: each node passes its importance on to its successors in equal parts.
//!
//! With P the row-normalised adjacency matrix, that of a random walk, x is a nonnegative vector of
//! sum one with
//!
//! ```text
//! x = x P,
//! ```
//!
//! a stationary distribution. There is one for each *terminal* strong component, which walks cannot
//! leave. So x is defined as the limit of PageRank with uniform preference as alpha tends to 1.
//! Each terminal component C gets the probability m_C that a walk from a uniform start ends up in
//! it, divided among its nodes by its stationary distribution pi_C:
//!
//! ```text
//! x = sum over terminal C of m_C pi_C.
//! ```
//!
//! Walks leave the nodes of other components for good, so their score is 0. If a component is
//! periodic, x is the mean over time. On a symmetric graph, pi_i is proportional to the degree of
//! i.
//!
//! A node without successors is a terminal component by itself, where the walk stays.
//! ([PageRank](super::pagerank) continues from it to any node, so its limit as alpha tends to 1 is
//! different; here walks follow only arcs.) With weights, arcs are followed in proportion to them.
//! With [`Direction::Out`], they are followed backwards.
//!
//! Components are visited in topological order. A transient component receives inflow f, and its
//! nodes are visited `y = f (I - Q)^-1` times, with Q the walk within it. If `r = f + y Q - y`,
//! then the l1 error of the masses of terminal components is at most ||r||, since all walks end up
//! in one of them. Each terminal component has its own certificate ([`crate::linear::stationary`]).
//! The stabilised biconjugate gradient method (BiCGSTAB) solves both systems. Where weights span
//! many orders of magnitude, or where that method fails, elimination does, if components are small
//! (`seeley/elimination.rs`).
//!
//! Source: Seeley, "The net of reciprocal influence: a problem in treating sociometric data",
//! Canadian Journal of Psychology 3, 1949; for the limit, Boldi, Santini and Vigna, "PageRank as a
//! function of the damping factor", WWW 2005.

use super::{About, Measure, matrix_parameters};
use crate::error::Result;
use crate::graph::components::StrongComponents;
use crate::graph::{Direction, Graph, Node};
use crate::limits::Limits;
use crate::linear::matrix::Matrix;
use crate::linear::scaling::{is_ordinary, leaving_exponents};
use crate::linear::wide::times_power;
use crate::memory::Size;
use crate::progress::Progress;
use crate::scores::phases::Phases;
use crate::scores::ranked::Ranked;
use crate::scores::{Outcome, Run, Scores, Status};
use ndarray::Array1;
use serde::Serialize;

mod absorption;
mod elimination;

/// The default tolerance on the l1 error.
const TOLERANCE: f64 = 1e-9;

/// Seeley's index with its parameters.
///
/// The tolerance of [`Limits`] is on the certified l1 error, 1e-9 by default. Its iterations
/// approximately limit the sweeps over each strong component.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Seeley {
    /// Whether walks go along arcs ([`Direction::In`]: being pointed at) or against them.
    pub direction: Direction,
}

impl Measure for Seeley {
    const ABOUT: About = About {
        name: "seeley",
        definition: "x = x P, P a random walk; the long-run distribution from a uniform start",
        direction: "in: being pointed at by important nodes; or out",
        cost: "O(n + m) per sweep, more sweeps the slower walks mix; 40 bytes per arc and 150 \
               bytes per node of the largest component",
        guarantee: "certified l1 error, unless walks mix too slowly",
    };

    fn needs(&self, graph: &Graph) -> u64 {
        Size::of(graph).weighted_bytes(140, 31)
    }

    fn compute(&self, graph: &Graph, limits: &Limits, progress: &dyn Progress) -> Result<Ranked> {
        let mut phases = Phases::start();
        let matrix = graph.matrix(self.direction, progress)?;
        phases.done("load");
        let found = seeley(&matrix, self, limits, progress)?;
        phases.done("iterate");
        let notes = found.notes(graph);
        let ranked = Ranked::single(graph, found.scores, phases)?;
        Ok(ranked.within(limits.tolerance_or(TOLERANCE)).noting(notes))
    }
}

/// Scores, and where walks end.
#[derive(Debug, Clone)]
pub struct LongRun {
    /// The scores; they sum to one.
    pub scores: Scores,
    /// The number of strong components.
    pub num_components: usize,
    /// The number of them that are terminal: walks cannot leave them.
    pub num_terminal: usize,
    /// The number of these that are single nodes.
    pub num_single: usize,
    /// The terminal component with the highest probability; `None` if there are no nodes.
    pub first: Option<Terminal>,
    /// The number of nodes that walks leave for good.
    pub num_transient: usize,
    /// The number of nodes whose score is positive but below all doubles, and is set to 0.
    pub num_lost: usize,
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

/// The long-run distribution of walks that enter node i from the nodes in row i of a matrix.
///
/// O(n + m) per sweep; up to 40 bytes per arc and 150 bytes per node of the largest component. The
/// result does not depend on the number of threads, and nodes with equal rows get equal scores.
///
/// # Errors
/// If the user interrupts, or if there is not enough memory.
pub fn seeley(
    matrix: &Matrix,
    params: &Seeley,
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<LongRun> {
    let (tolerance, max_sweeps) = (limits.tolerance_or(TOLERANCE), limits.iterations());
    progress.begin("components", None);
    let components = StrongComponents::new(matrix.rows(), progress)?;
    progress.begin("iterate", None);
    let goal = (tolerance.get(), max_sweeps);
    let mut is_eliminated = elimination::is_called_for(matrix, &components);
    let mut found = if is_eliminated {
        elimination::eliminate(matrix, &components, progress)?
    } else {
        match in_own_units(matrix)? {
            Some(matrix) => absorption::absorb(&matrix, &components, goal, progress)?,
            None => absorption::absorb(matrix, &components, goal, progress)?,
        }
    };
    let bound = found.bound.unwrap_or(f64::INFINITY);
    let may_retry = !is_eliminated && elimination::is_affordable(&components, max_sweeps);
    if bound > tolerance.get() && may_retry {
        let eliminated = elimination::eliminate(matrix, &components, progress)?;
        if eliminated.bound.is_some_and(|other| other < bound) {
            (found, is_eliminated) = (eliminated, true);
        }
    }
    let converged = found.bound.is_some_and(|bound| bound <= tolerance.get());
    let highest = |a: &&Terminal, b: &&Terminal| a.mass.total_cmp(&b.mass);
    Ok(LongRun {
        num_components: components.num_components(),
        num_terminal: found.terminals.len(),
        num_single: found.terminals.iter().filter(|c| c.nodes == 1).count(),
        // The first of equal maxima.
        first: found.terminals.iter().rev().max_by(highest).copied(),
        num_transient: found.num_transient,
        num_lost: found.num_lost,
        scores: Scores {
            intervals: None,
            values: Array1::from_vec(found.values),
            run: Run {
                measure: Seeley::ABOUT.name,
                method: if is_eliminated {
                    "elimination"
                } else {
                    "bicgstab"
                },
                parameters: matrix_parameters(params, matrix, tolerance, max_sweeps),
                outcome: Outcome::Stationary {
                    status: Status::of(converged),
                    iterations: found.sweeps,
                    residual: found.residual,
                    error_bound: found.bound,
                },
            },
        },
    })
}

/// The matrix with the weights that leave each node in units of the largest of them, if some are
/// far from 1: sums then cannot overflow, and only shares count. `None` if all are near.
fn in_own_units(matrix: &Matrix) -> Result<Option<Matrix>> {
    if is_ordinary(matrix.weights()) {
        return Ok(None);
    }
    let exponents = leaving_exponents(matrix)?;
    Ok(Some(matrix.mapped(|_, j, weight| {
        times_power(weight, -i64::from(exponents[j as usize]))
    })))
}

impl LongRun {
    /// Notes on where walks end, and on the meaning of zeros.
    fn notes(&self, graph: &Graph) -> Vec<String> {
        let Some(first) = self.first else {
            return Vec::new();
        };
        let mut notes = vec![format!(
            "{} of {} strong components are terminal: walks cannot leave them; {} of these are single \
             nodes; the most probable one (probability {:.6}) is that of {}, with {} nodes",
            self.num_terminal,
            self.num_components,
            self.num_single,
            first.mass,
            graph.label(first.first),
            first.nodes
        )];
        if self.num_transient > 0 {
            notes.push(format!(
                "{} nodes are in other components, which walks leave for good: their score is 0",
                self.num_transient
            ));
        }
        if self.num_lost > 0 {
            notes.push(format!(
                "{} nodes have a positive score that is too small for a double: it is set to 0",
                self.num_lost
            ));
        }
        if let Outcome::Stationary {
            error_bound: None,
            residual,
            ..
        } = self.scores.run.outcome
        {
            notes.push(format!(
                "not certified: no bound was found on how long walks take to return; the residual \
                 is {residual:.1e}"
            ));
        }
        notes
    }
}
