//! Eigenvector centrality: a node is important in proportion to the importance of the nodes that
//! point to it, and nothing else.
//!
//! With A the adjacency matrix and rho its spectral radius, x is a nonnegative left eigenvector,
//!
//! ```text
//! x A = rho x,
//! ```
//!
//! or, pulling from successors, a right one ([`right_eigenvector`]). On a graph that is not
//! strongly connected there may be several, so x is defined as the limit of Katz's index
//! `1 (I - alpha A)^-1`, scaled, for alpha to 1/rho from below. That is also where the power
//! method with a shift tends to from equal scores (Vigna, "Spectral ranking", Network Science 4,
//! 2016). In terms of strong components:
//!
//! * A component *dominates* if its own spectral radius is rho. Components whose radii agree to
//!   [`SAME_RADIUS`](crate::linear::dominant::SAME_RADIUS) count as equal. A graph without cycles has rho = 0 and no such x.
//! * Where one component dominates, x is positive on it and on all nodes that it reaches, and
//!   zero elsewhere: what the others pass on is negligible, however large they are.
//! * Where several do, only those at the end of the longest chains of such components count (one
//!   that is fed by another grows faster than either alone), in proportion to the product of what
//!   flows into each and how it keeps it: `f . r / (x . r)`, with f the inflow and r, x the right
//!   and left eigenvectors of the component.
//!
//! On the dominant component x is found by Arnoldi's method, on what it reaches by
//! `x (rho I - A) = what flows in`, in the order of flow. The error of an entry is about the
//! residual over twice the gap, so entries below that are set to 0 and tie.
//!
//! Source: Landau, "Zur relativen Wertbemessung der Turnierresultate", 1895; Bonacich, "Factoring
//! and weighting approaches to status scores and clique identification", 1972.

use crate::error::{Error, Result};
use crate::graph::components::StrongComponents;
use crate::graph::{Node, Predecessors, Successors};
use crate::linear::Tolerance;
use crate::linear::arnoldi::norm;
use crate::linear::dominant::Dominant;
use crate::linear::irreducible::Irreducible;
use crate::linear::matrix::Matrix;
use crate::linear::perron::residual_of;
use crate::parallel::sums::total;
use crate::progress::Progress;
use crate::scores::{Outcome, Run, Scores, Status};
use ndarray::Array1;
use rayon::prelude::*;
use serde_json::{Map, Value, json};

mod propagation;

/// The length of the vector of scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Norm {
    /// Scores sum to one.
    #[default]
    L1,
    /// Squares of scores sum to one.
    L2,
    /// The largest score is one.
    Max,
}

impl Norm {
    /// The name, as the command line has it.
    pub fn name(self) -> &'static str {
        match self {
            Norm::L1 => "l1",
            Norm::L2 => "l2",
            Norm::Max => "max",
        }
    }

    fn of(self, x: &[f64]) -> f64 {
        match self {
            Norm::L1 => total(x),
            Norm::L2 => norm(x),
            Norm::Max => x.par_iter().copied().reduce(|| 0.0, f64::max),
        }
    }
}

/// The parameters of eigenvector centrality.
#[derive(Debug, Clone, Copy)]
pub struct Eigenvector {
    /// How scores are scaled.
    pub norm: Norm,
    /// The residual `||x A - rho x|| / (rho ||x||)`, in the l2 norm, at which to stop.
    pub tolerance: Tolerance,
    /// Give up on a strong component after this many sweeps over its arcs, besides those that
    /// certify what was found.
    pub max_iterations: u32,
}

impl Default for Eigenvector {
    fn default() -> Self {
        Eigenvector {
            norm: Norm::default(),
            tolerance: Tolerance::new(1e-12).expect("a positive number"),
            max_iterations: 10_000,
        }
    }
}

/// Scores, and what they mean on this graph.
#[derive(Debug, Clone)]
pub struct Dominance {
    /// The scores.
    pub scores: Scores,
    /// The number of strong components.
    pub num_components: usize,
    /// How many of them have a cycle.
    pub num_cyclic: usize,
    /// Those whose radius is that of the graph.
    pub dominant: Vec<Component>,
    /// The nodes whose true score is positive.
    pub positive: usize,
    /// How many of these have a score below what the residual can resolve, set to 0.
    pub unresolved: usize,
    /// Scores below this, in units of the l2 norm, are not resolved.
    pub resolution: f64,
    /// Whether certified bounds separate the dominant components from all others.
    pub proved: bool,
}

/// A strong component.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Component {
    /// Its smallest node.
    pub first: Node,
    /// The number of its nodes.
    pub nodes: usize,
    /// The number of arcs within it.
    pub arcs: u64,
}

/// Being pointed at: the left eigenvector, `x A = rho x`.
///
/// O(n + m) a sweep; 12 bytes an arc and 250 bytes a node of cyclic components at most. The result
/// does not depend on the number of threads, and nodes with equal rows get equal scores.
///
/// # Errors
/// If the graph has no cycle, or if the user interrupts.
pub fn eigenvector(
    graph: Predecessors<Matrix>,
    params: &Eigenvector,
    progress: &dyn Progress,
) -> Result<Dominance> {
    dominant(graph.0, params, "in", progress)
}

/// Pointing: the right eigenvector, `A x = rho x`.
///
/// # Errors
/// As for [`eigenvector`].
pub fn right_eigenvector(
    graph: Successors<Matrix>,
    params: &Eigenvector,
    progress: &dyn Progress,
) -> Result<Dominance> {
    dominant(graph.0, params, "out", progress)
}

fn dominant(
    matrix: &Matrix,
    params: &Eigenvector,
    direction: &str,
    progress: &dyn Progress,
) -> Result<Dominance> {
    progress.begin("components", None);
    let components = StrongComponents::new(matrix.rows(), progress)?;
    let irreducible = Irreducible::new(matrix, &components);
    if irreducible.parts().is_empty() {
        return Err(Error::Unsupported(
            "the graph has no cycle, so its adjacency matrix has no positive eigenvalue and \
             eigenvector centrality is not defined; 'rank katz' is, and ranks such graphs"
                .into(),
        ));
    }
    progress.begin("iterate", None);
    let (tolerance, limit) = (params.tolerance.get(), params.max_iterations);
    let found = Dominant::find(&irreducible, tolerance, limit, progress)?;
    let extended =
        propagation::extend(matrix, &components, &irreducible, &found, params, progress)?;
    let mut x = extended.values;
    // One application of the equation, so that nodes with equal rows get equal scores.
    let blocks = matrix.blocks();
    let mut image = vec![0.0; x.len()];
    let radius = found.radius();
    for _ in 0..2 {
        matrix.multiply(&blocks, &x, &mut image);
        std::mem::swap(&mut x, &mut image);
        x.par_iter_mut().for_each(|x| *x /= radius);
    }
    // Now x is the image of `image`, whose residual is about that of x.
    let product: Vec<f64> = x.par_iter().map(|x| x * radius).collect();
    let residual = residual_of(&image, &product, radius);
    let gap = found.gap(radius);
    let resolution = (residual / (2.0 * gap)).max(f64::EPSILON);
    let least = resolution * norm(&x);
    let positive = extended.positive.iter().filter(|&&is| is).count();
    x.par_iter_mut().for_each(|x| {
        if *x < least {
            *x = 0.0;
        }
    });
    let length = params.norm.of(&x);
    x.par_iter_mut().for_each(|x| *x /= length);
    let nonzero = x.iter().filter(|&&x| x > 0.0).count();
    let bounds = found.bounds;
    let converged = residual <= params.tolerance.get() && found.proved && extended.converged;
    let work = found.work + extended.work;
    let sweeps = work.div_ceil(matrix.rows().num_arcs()) as u32;
    let component = |&part: &usize| {
        let part = &irreducible.parts()[part];
        Component {
            first: irreducible.nodes()[part.places.start],
            nodes: part.places.len(),
            arcs: irreducible.num_arcs(part),
        }
    };
    Ok(Dominance {
        num_components: components.num_components(),
        num_cyclic: irreducible.parts().len(),
        dominant: found.parts.iter().map(component).collect(),
        positive,
        unresolved: positive - nonzero,
        resolution,
        proved: found.proved,
        scores: Scores {
            values: Array1::from_vec(x),
            run: Run {
                measure: "eigenvector",
                method: "arnoldi",
                parameters: parameters(matrix, params, direction),
                outcome: Outcome::Eigen {
                    status: match converged {
                        true => Status::Converged,
                        false => Status::NotConverged,
                    },
                    iterations: sweeps + 2,
                    residual,
                    eigenvalue: radius,
                    eigenvalue_bounds: Some([bounds.lower, bounds.upper]),
                    gap,
                },
            },
        },
    })
}

fn parameters(matrix: &Matrix, params: &Eigenvector, direction: &str) -> Map<String, Value> {
    let Value::Object(map) = json!({
        "direction": direction,
        "weights": matrix.weights().map(|_| "vector"),
        "norm": params.norm.name(),
        "tolerance": params.tolerance.get(),
        "max_iterations": params.max_iterations,
    }) else {
        unreachable!("an object literal is an object")
    };
    map
}
