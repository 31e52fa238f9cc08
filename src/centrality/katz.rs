//! Katz's index: walks of all lengths that end at a node, each step counting alpha times less.
//!
//! With A the adjacency matrix, rho its spectral radius, alpha the attenuation, in (0, 1/rho), and
//! beta the worth of starting at each node, 1 by default,
//!
//! ```text
//! x = beta (I - alpha A)^-1 = beta + alpha x A.
//! ```
//!
//! Scores flow along arcs; [`right_katz`] counts walks that start at a node instead. Scores are not
//! scaled: a node that nothing leads to has its beta. For alpha to 1/rho the order becomes that of
//! [eigenvector centrality](super::eigenvector), for alpha to 0 that of indegree.
//!
//! The error is certified for every alpha below 1/rho. If r = beta + alpha z A - z is the residual
//! of a vector z, and w > 0 is such that g = w - alpha w A > 0, then with `B = (I - alpha A)^-1`,
//! whose entries are not negative, the errors of the entries are
//!
//! ```text
//! |z - x| = |r B| <= |r| B <= max(|r| / g) g B = max(|r| / g) w.
//! ```
//!
//! Where beta > 0, z itself serves as w; else w is found in a few sweeps from `w = 1 + alpha w A`.
//!
//! Source: Katz, "A new status index derived from sociometric analysis", Psychometrika 18, 1953.

use crate::error::{Error, Result};
use crate::graph::blocks::{cut_by, split_mut};
use crate::graph::{Node, Predecessors, Successors};
use crate::linear::Tolerance;
use crate::linear::dominant::Dominant;
use crate::linear::irreducible::Irreducible;
use crate::linear::operator::{Matrix, Operator};
use crate::linear::perron::{Bounds, SLACK};
use crate::linear::sums;
use crate::linear::sums::sum_of_tasks;
use crate::progress::Progress;
use crate::scores::{Outcome, Run, Scores, Status};
use crate::traversal::components::StrongComponents;
use ndarray::Array1;
use rayon::prelude::*;
use serde_json::{Map, Value, json};
use std::ops::Range;

/// How many chunks Gauss-Seidel sweeps in parallel, whatever the number of threads.
const CHUNKS: u64 = 8;

/// Changes by less than this, relatively, are rounding.
const LEAST_CHANGE: f64 = 1e-15;

/// What alpha times the spectral radius is, unless told.
pub const AUTO: f64 = 0.85;

/// The attenuation alpha of each step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Attenuation {
    /// [`AUTO`] over the spectral radius; on a graph without cycles, over the largest sum of a row.
    #[default]
    Auto,
    /// Positive and finite.
    Fixed(f64),
}

impl Attenuation {
    /// # Errors
    /// If `alpha` is not positive and finite. (Whether it is small enough, the graph decides.)
    pub fn new(alpha: f64) -> Result<Self> {
        if alpha.is_finite() && alpha > 0.0 {
            Ok(Attenuation::Fixed(alpha))
        } else {
            Err(Error::argument(
                "--alpha",
                alpha,
                "it must be a positive number below 1/rho, or auto",
            ))
        }
    }
}

/// The algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// Add up the series, one length of walks a sweep.
    #[default]
    Power,
    /// Use new values at once.
    GaussSeidel,
}

impl Method {
    /// The name, as the command line has it.
    pub fn name(self) -> &'static str {
        match self {
            Method::Power => "power",
            Method::GaussSeidel => "gauss-seidel",
        }
    }
}

/// The parameters of Katz's index.
#[derive(Debug, Clone)]
pub struct Katz {
    /// alpha.
    pub alpha: Attenuation,
    /// beta, one nonnegative number a node, not all 0; 1 for all by default.
    pub beta: Option<Vec<f64>>,
    /// The algorithm.
    pub method: Method,
    /// The certified l1 error, relative to the sum of all scores, at which to stop.
    pub tolerance: Tolerance,
    /// Give up after this many sweeps.
    pub max_iterations: u32,
}

impl Default for Katz {
    fn default() -> Self {
        Katz {
            alpha: Attenuation::default(),
            beta: None,
            method: Method::default(),
            tolerance: Tolerance::default(),
            max_iterations: 10_000,
        }
    }
}

/// Scores, and what alpha came from.
#[derive(Debug, Clone)]
pub struct Found {
    /// The scores; the error bound is on the l1 distance to the truth.
    pub scores: Scores,
    /// alpha.
    pub alpha: f64,
    /// On the spectral radius, as far as it was needed.
    pub radius: Bounds,
}

/// Being pointed at: walks that end at each node.
///
/// O(n + m) a sweep; the result does not depend on the number of threads.
///
/// # Errors
/// If alpha is not below 1/rho; if beta is not one nonnegative finite number a node or is 0 for
/// all; if the user interrupts.
pub fn katz(graph: Predecessors<Matrix>, params: &Katz, progress: &dyn Progress) -> Result<Found> {
    solve(graph.0, params, "in", progress)
}

/// Pointing: walks that start at each node.
///
/// # Errors
/// As for [`katz`].
pub fn right_katz(
    graph: Successors<Matrix>,
    params: &Katz,
    progress: &dyn Progress,
) -> Result<Found> {
    solve(graph.0, params, "out", progress)
}

fn solve(
    matrix: &Matrix,
    params: &Katz,
    direction: &str,
    progress: &dyn Progress,
) -> Result<Found> {
    let n = matrix.num_nodes();
    let beta = match &params.beta {
        Some(beta) => check_beta(beta, n)?.to_vec(),
        None => vec![1.0; n],
    };
    let (alpha, radius) = attenuation(matrix, params, progress)?;
    progress.begin("iterate", None);
    let system = System {
        matrix,
        blocks: matrix.blocks(),
        alpha,
        beta: &beta,
    };
    let (mut dominating, mut sweeps) = match beta.iter().all(|&b| b > 0.0) {
        // The solution itself will do.
        true => (None, 0),
        false => system
            .dominating(&vec![1.0; n], progress)
            .map(|(w, sweeps)| (Some(w), sweeps))?,
    };
    let mut state = State::new(&system, params.method);
    let tolerance = params.tolerance.get();
    let (mut aim, mut last, mut strikes) = (tolerance, f64::INFINITY, 0);
    let mut refined = false;
    let (bound, total) = loop {
        let (change, total) = state.sweep(&system);
        sweeps += 1;
        progress.remark(&format!("sweep {sweeps}, change {:.1e}", change / total));
        progress.check()?;
        let exhausted = sweeps >= params.max_iterations;
        let settled = change <= aim.max(LEAST_CHANGE) * total;
        if !settled && !exhausted {
            continue;
        }
        let bound = system.bound(&state.x, dominating.as_deref());
        sweeps += 1;
        strikes += u32::from(bound > 0.9 * last);
        if bound <= tolerance * total || exhausted || strikes > 8 {
            break (bound, total);
        }
        // Rounding in large entries may be too much for a w that treats all residuals alike.
        if strikes == 2 && !refined {
            let least = f64::EPSILON * total;
            let base: Vec<f64> = state.x.iter().map(|x| x.max(least)).collect();
            let (w, more) = system.dominating(&base, progress)?;
            (dominating, sweeps, refined) = (Some(w), sweeps + more, true);
        }
        last = bound;
        aim = (change / total).min(aim) * (0.9 * tolerance * total / bound).clamp(1e-3, 0.5);
    };
    Ok(Found {
        alpha,
        radius,
        scores: Scores {
            values: Array1::from_vec(state.x),
            run: Run {
                measure: "katz",
                method: params.method.name(),
                parameters: parameters(matrix, params, alpha, direction),
                outcome: Outcome::Iterated {
                    status: match bound <= tolerance * total {
                        true => Status::Converged,
                        false => Status::NotConverged,
                    },
                    iterations: sweeps,
                    error_bound: bound,
                },
            },
        },
    })
}

fn check_beta(beta: &[f64], n: usize) -> Result<&[f64]> {
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

fn parameters(matrix: &Matrix, params: &Katz, alpha: f64, direction: &str) -> Map<String, Value> {
    let Value::Object(map) = json!({
        "alpha": alpha,
        "beta": if params.beta.is_some() { "vector" } else { "1" },
        "weights": matrix.weights().map(|_| "vector"),
        "direction": direction,
        "tolerance": params.tolerance.get(),
        "max_iterations": params.max_iterations,
    }) else {
        unreachable!("an object literal is an object")
    };
    map
}

/// alpha, which is surely below 1/rho, and what is known of rho.
fn attenuation(matrix: &Matrix, params: &Katz, progress: &dyn Progress) -> Result<(f64, Bounds)> {
    let one = |_: Node| 1.0;
    let nodes = (0..matrix.num_nodes() as Node).into_par_iter();
    let largest = nodes
        .map(|node| matrix.dot(node, one))
        .reduce(|| 0.0, f64::max);
    let by_rows = Bounds {
        lower: 0.0,
        upper: largest * (1.0 + SLACK),
    };
    if let Attenuation::Fixed(alpha) = params.alpha
        && alpha * by_rows.upper < 1.0
    {
        return Ok((alpha, by_rows));
    }
    progress.begin("components", None);
    let components = StrongComponents::new(matrix.rows(), progress)?;
    let irreducible = Irreducible::new(matrix, &components);
    let radius = match irreducible.parts().is_empty() {
        true => Bounds {
            lower: 0.0,
            upper: 0.0,
        },
        false => {
            progress.begin("spectral radius", None);
            let limit = params.max_iterations;
            Dominant::find(&irreducible, 1e-10, limit, progress)?.bounds
        }
    };
    match params.alpha {
        Attenuation::Fixed(alpha) if alpha * radius.upper < 1.0 => Ok((alpha, radius)),
        Attenuation::Fixed(alpha) => Err(Error::argument(
            "--alpha",
            alpha,
            format!(
                "the series diverges unless it is below 1/rho, which is {:.6} on this graph; give \
                 less, such as {:.6}, or auto",
                1.0 / radius.upper,
                AUTO / radius.upper
            ),
        )),
        Attenuation::Auto if radius.upper > 0.0 => Ok((AUTO / radius.upper, radius)),
        Attenuation::Auto => Ok((AUTO / largest.max(1.0), radius)),
    }
}

/// The system `x = beta + alpha M x`.
struct System<'a> {
    matrix: &'a Matrix,
    blocks: Vec<Range<usize>>,
    alpha: f64,
    beta: &'a [f64],
}

impl System<'_> {
    /// A w with `w - alpha M w >= base / 2` for a positive base, and the sweeps taken.
    fn dominating(&self, base: &[f64], progress: &dyn Progress) -> Result<(Vec<f64>, u32)> {
        let mut w = base.to_vec();
        let mut image = vec![0.0; w.len()];
        let mut sweeps = 0;
        loop {
            self.matrix.multiply(&self.blocks, &w, &mut image);
            sweeps += 1;
            progress.check()?;
            let entries = w.par_iter_mut().zip(&image).zip(base);
            let increase = entries.map(|((w, y), base)| {
                let new = base + self.alpha * y;
                let increase = (new - *w) / base;
                *w = new;
                increase
            });
            // The w before this sweep would do, and the new one does all the more.
            if increase.reduce(|| 0.0, f64::max) <= 0.5 {
                return Ok((w, sweeps));
            }
        }
    }

    /// The certified l1 error of z; infinite if z is not good enough to tell.
    fn bound(&self, z: &[f64], w: Option<&[f64]>) -> f64 {
        let multiply = |x: &[f64]| {
            let mut image = vec![0.0; x.len()];
            self.matrix.multiply(&self.blocks, x, &mut image);
            image
        };
        let image_of_z = multiply(z);
        let image_of_w = w.map(multiply);
        let (w, image_of_w) = match (w, &image_of_w) {
            (Some(w), Some(image)) => (w, image),
            _ => (z, &image_of_z),
        };
        let nodes = (0..z.len()).into_par_iter();
        let worst = nodes.map(|i| {
            let (flow, flow_of_w) = (self.alpha * image_of_z[i], self.alpha * image_of_w[i]);
            let rounding = self.matrix.rounding(i as Node);
            let residual = (self.beta[i] + flow - z[i]).abs() + rounding * (z[i] + flow);
            let kept = w[i] - flow_of_w - rounding * (w[i] + flow_of_w);
            match kept > 0.0 {
                true => residual / kept,
                false => f64::INFINITY,
            }
        });
        let worst = worst.reduce(|| 0.0, f64::max);
        worst * total(w) * (1.0 + 1e-12)
    }
}

/// A method under way.
struct State {
    x: Vec<f64>,
    method: Sweep,
}

enum Sweep {
    Power {
        operator: Operator,
        image: Vec<f64>,
    },
    GaussSeidel {
        chunks: Vec<Range<usize>>,
        own: Vec<f64>,
        current: Vec<f64>,
    },
}

impl State {
    fn new(system: &System, method: Method) -> Self {
        let matrix = system.matrix;
        let n = matrix.num_nodes();
        let method = match method {
            Method::Power => Sweep::Power {
                operator: Operator::new(matrix.clone()),
                image: vec![0.0; n],
            },
            Method::GaussSeidel => {
                let before = |node: usize| matrix.rows().offsets()[node] + node as u64;
                Sweep::GaussSeidel {
                    chunks: cut_by(n, before(n).div_ceil(CHUNKS), before),
                    own: (0..n as Node)
                        .into_par_iter()
                        .map(|node| matrix.entry(node, node))
                        .collect(),
                    current: system.beta.to_vec(),
                }
            }
        };
        State {
            x: system.beta.to_vec(),
            method,
        }
    }

    /// One sweep; returns the l1 norms of the change and of the result.
    fn sweep(&mut self, system: &System) -> (f64, f64) {
        let State { x, method } = self;
        let next = match method {
            Sweep::Power { operator, image } => {
                operator.apply(x, image);
                let entries = image.par_iter_mut().zip(system.beta);
                entries.for_each(|(y, b)| *y = b + system.alpha * *y);
                image
            }
            Sweep::GaussSeidel {
                chunks,
                own,
                current,
            } => {
                let parts = chunks.par_iter().zip(split_mut(current, chunks));
                parts.for_each(|(chunk, current)| sweep_chunk(system, chunk, own, x, current));
                current
            }
        };
        let change = sum_of_tasks(x.len(), |nodes| {
            sums::compensated(nodes.map(|node| (next[node] - x[node]).abs()))
        });
        let total = total(next);
        match method {
            Sweep::Power { image, .. } => std::mem::swap(x, image),
            Sweep::GaussSeidel { current, .. } => x.copy_from_slice(current),
        }
        (change, total)
    }
}

/// Row i of the equation, solved for x_i: new values of the chunk, old ones of the others.
fn sweep_chunk(
    system: &System,
    chunk: &Range<usize>,
    own: &[f64],
    published: &[f64],
    current: &mut [f64],
) {
    for node in chunk.clone() {
        let inflow = system.matrix.dot(node as Node, |j| match j as usize {
            j if j == node => 0.0,
            j if chunk.contains(&j) => current[j - chunk.start],
            j => published[j],
        });
        current[node - chunk.start] =
            (system.beta[node] + system.alpha * inflow) / (1.0 - system.alpha * own[node]);
    }
}

fn total(x: &[f64]) -> f64 {
    sum_of_tasks(x.len(), |range| sums::compensated(x[range].iter().copied()))
}
