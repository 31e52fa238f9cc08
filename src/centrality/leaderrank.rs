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
//! # How it is computed
//!
//! The walk enters every node from g equally often. In units of that frequency, i is visited
//!
//! ```text
//! x_i = 1 + sum over j -> i of x_j / (d_j + 1)        times, and        S_i = n (x_i + 1) / sum of all (x_k + 1):
//! ```
//!
//! This is a system `x = 1 + M x` of n equations without g. The stabilised biconjugate gradient
//! method (BiCGSTAB) solves it on runs of nodes, whose sums lose small terms next to large ones. So
//! the residual is computed nearly exactly, and the method finds corrections until they change
//! nothing.
//!
//! # Why the bound holds
//!
//! The columns of M sum to less than one, so `B = (I - M)^-1 = I + M + ...` has no negative
//! entries, and `x = B 1`. If z has the residual `r = 1 + M z - z`, with entries of size at most
//! `R < 1`, then
//!
//! ```text
//! |z - x| = |B r| <= R B 1 = R x,        so        |z - x| <= R / (1 - R) z:
//! ```
//!
//! The right-hand side is constant, so the solution is its own certificate, for every single score.
//! Some x are so large somewhere that their roundings alone make R too large. Then another vector w
//! serves: if `g = w - M w > 0`, then `|z - x| <= B |r| <= max(|r| / g) w`; w is found from
//! `w = z + M w`, to half of z. Scaling `z + 1` to sum to n at most doubles its relative error:
//! with y = x + 1 and v = z + 1, `v / |v| - y / |y| = (v - y) / |v| + y / |y| (|y| - |v|) / |v|`.
//!
//! Source: Lü, Zhang, Yeung and Zhou, "Leaders in social networks, the Delicious case", PLoS ONE 6,
//! 2011.

use super::{About, Measure, matrix_parameters};
use crate::error::{Error, Result};
use crate::graph::{Direction, Graph, Node};
use crate::limits::Limits;
use crate::linear::bicgstab::{self, Goal};
use crate::linear::matrix::Matrix;
use crate::linear::scaling::{is_ordinary, leaving_exponents};
use crate::linear::stationary::Walk;
use crate::linear::wide::times_power;
use crate::memory::Size;
use crate::parallel::sums::total;
use crate::parallel::tasks;
use crate::progress::Progress;
use crate::scores::phases::Phases;
use crate::scores::ranked::Ranked;
use crate::scores::{Outcome, Run, Scores, Status};
use ndarray::Array1;
use serde::Serialize;

/// The default tolerance on the l1 error relative to the sum of scores.
const TOLERANCE: f64 = 1e-9;

/// A correction is found to this fraction of the residual, which is above what sums over runs lose.
const CORRECTION: f64 = 1e-7;

/// The exponent of the largest weights that are taken as they are.
const LARGEST: i32 = 512;

/// LeaderRank with its parameters.
///
/// The tolerance of [`Limits`] is on the certified l1 error relative to the sum of scores, 1e-9 by
/// default.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct LeaderRank {
    /// Walks along arcs ([`Direction::In`]: being pointed at), or against them.
    pub direction: Direction,
}

impl Measure for LeaderRank {
    const ABOUT: About = About {
        name: "leaderrank",
        definition: "s_x + s_g / n, s the stationary distribution of a walk with a ground node g",
        direction: "in: being pointed at by important nodes; or out",
        cost: "O(n + m) per sweep, more sweeps the longer walks stay away from g; 8 bytes per arc \
               and 150 bytes per node",
        guarantee: "certified l1 error, relative to the sum of scores",
    };

    fn needs(&self, graph: &Graph) -> u64 {
        Size::of(graph).weighted_bytes(190, 8)
    }

    fn compute(&self, graph: &Graph, limits: &Limits, progress: &dyn Progress) -> Result<Ranked> {
        let mut phases = Phases::start();
        let matrix = graph.matrix(self.direction, progress)?;
        phases.done("load");
        let scores = leaderrank(matrix, self, limits, progress)?;
        phases.done("iterate");
        let ranked = Ranked::single(graph, scores, phases)?;
        Ok(ranked.within(limits.tolerance_or(TOLERANCE)))
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
    let n = matrix.num_nodes();
    let (tolerance, max_sweeps) = (limits.tolerance_or(TOLERANCE), limits.iterations());
    let parameters = matrix_parameters(params, &matrix, tolerance, max_sweeps);
    let is_weighted = matrix.weights().is_some();
    let (matrix, to_ground) = in_own_units(matrix)?;
    let (mut totals, mut rounding) = matrix.column_sums()?;
    tasks::update(&mut totals, |node, total| *total += to_ground(node));
    if is_weighted {
        rounding += f64::EPSILON;
    }
    progress.begin("iterate", None);
    let mut visits = Visits {
        walk: Walk::new(matrix, totals, rounding),
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

/// The system `x = 1 + M x`.
struct Visits {
    walk: Walk,
    tolerance: f64,
    max_sweeps: u32,
    /// Multiplications so far.
    sweeps: u32,
}

/// A solution, and a bound on its l1 error relative to its sum.
struct GroundedSolution {
    x: Vec<f64>,
    bound: f64,
}

/// The residual of a vector, nearly exactly.
struct Residual {
    entries: Vec<f64>,
    /// Upper bounds on the sizes of the entries.
    sizes: Vec<f64>,
}

impl Visits {
    /// Corrects x until its bound is small enough, or until rounding or the limit of sweeps stops
    /// it.
    fn find(&mut self, progress: &dyn Progress) -> Result<GroundedSolution> {
        let n = self.walk.num_states();
        let mut x = vec![0.0; n];
        let mut residual = Residual {
            entries: vec![1.0; n],
            sizes: vec![1.0; n],
        };
        loop {
            let before = largest(&residual.sizes);
            let correction = self.correction(&residual, progress)?;
            // Every node is visited from g.
            tasks::update_with(&mut x, &correction, |x, e| *x = (*x + e).max(1.0));
            // Term by term, so that nodes with equal rows get equal scores.
            x = self.walk.pushed(&x);
            tasks::update(&mut x, |_, x| *x += 1.0);
            residual = self.residual(&x);
            self.sweeps += 2;
            let bound = own_bound(&residual);
            if self.of_scores(bound) <= self.tolerance || self.left() == 0 {
                return Ok(GroundedSolution { x, bound });
            }
            if largest(&residual.sizes) > 0.5 * before {
                let bound = bound.min(self.bound_by_w(&x, &residual, progress)?);
                return Ok(GroundedSolution { x, bound });
            }
        }
    }

    /// The number of sweeps left.
    fn left(&self) -> u32 {
        self.max_sweeps.saturating_sub(self.sweeps)
    }

    /// The relative l1 error of scores, given that of x. Scaling doubles it, together with what is
    /// lost where x differs from its shares times totals; the sum, the scale and the scores are
    /// rounded too.
    fn of_scores(&self, bound: f64) -> f64 {
        2.0 * (bound + self.walk.rounding()) + 6.0 * f64::EPSILON
    }

    /// Solves `e = r + M e`, to a fraction of r or of the tolerance.
    fn correction(&mut self, residual: &Residual, progress: &dyn Progress) -> Result<Vec<f64>> {
        let goal = Goal {
            size: &largest,
            within: (CORRECTION * largest(&residual.sizes)).max(self.tolerance / 16.0),
            max_sweeps: self.left(),
        };
        let mut e = vec![0.0; residual.entries.len()];
        self.solve(&residual.entries, &mut e, &goal, progress)?;
        Ok(e)
    }

    fn solve(
        &mut self,
        b: &[f64],
        x: &mut Vec<f64>,
        goal: &Goal,
        progress: &dyn Progress,
    ) -> Result<()> {
        let push = |x: &[f64], y: &mut [f64]| self.walk.push(x, y);
        self.sweeps += bicgstab::solve(push, b, x, goal, progress)?;
        Ok(())
    }

    /// `1 + M x - x`.
    fn residual(&self, x: &[f64]) -> Residual {
        let shares = self.walk.shares(x);
        let imbalance = |node: usize| self.walk.imbalance(node as Node, 1.0, &shares);
        let imbalances = tasks::tabulate(x.len(), imbalance).into_iter();
        let (entries, sizes) = imbalances
            .map(|(value, error)| (value, value.abs() + error))
            .unzip();
        Residual { entries, sizes }
    }

    /// The bound for x from a w with `w - M w >= x / 2`.
    fn bound_by_w(
        &mut self,
        x: &[f64],
        residual: &Residual,
        progress: &dyn Progress,
    ) -> Result<f64> {
        let relative = |r: &[f64]| {
            let ratios = tasks::tabulate(r.len(), |i| r[i] / x[i]);
            largest(&ratios)
        };
        let goal = Goal {
            size: &relative,
            within: 0.5,
            max_sweeps: self.left(),
        };
        let mut w = x.to_vec();
        self.solve(x, &mut w, &goal, progress)?;
        tasks::update(&mut w, |_, w| *w = w.max(f64::MIN_POSITIVE));
        let shares = self.walk.shares(&w);
        let ratio = |node: usize| {
            let (value, error) = self.walk.imbalance(node as Node, 0.0, &shares);
            let kept = -value - error;
            if kept > 0.0 {
                residual.sizes[node] / kept
            } else {
                f64::INFINITY
            }
        };
        let ratios = tasks::tabulate(x.len(), ratio);
        self.sweeps += 1;
        Ok(largest(&ratios) * total(&w) / total(x) * (1.0 + 1e-12))
    }
}

/// The bound that x itself gives: `R / (1 - R)`.
fn own_bound(residual: &Residual) -> f64 {
    let largest = largest(&residual.sizes);
    if largest < 1.0 {
        largest / (1.0 - largest)
    } else {
        f64::INFINITY
    }
}

/// The largest absolute value of an entry; infinite if any entry is NaN.
fn largest(x: &[f64]) -> f64 {
    let size = |x: f64| if x.is_nan() { f64::INFINITY } else { x.abs() };
    tasks::largest(x.len(), |i| size(x[i]))
}
