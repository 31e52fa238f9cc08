//! PageRank: the stationary distribution of a walk that follows a random arc with probability
//! alpha, and else starts again.
//!
//! With G the row-normalised adjacency (rows of dangling nodes are zero), d the indicator of
//! dangling nodes, v the preference vector and u the dangling distribution,
//!
//!     x = alpha x G + alpha (x d) u + (1 - alpha) v.
//!
//! Scores flow along arcs, so a node is important if important nodes point to it. x is a
//! distribution, except when u = 0 ([`Dangling::None`]), where what reaches dangling nodes is lost
//! and the sum is below one.
//!
//! Variants by u, as in Boldi, Santini and Vigna, "PageRank: functional dependencies", TOIS 2009:
//! u = v is *strongly preferential*, another u is *weakly preferential*, u = 0 is the *pseudorank*.
//!
//! Source: Page, Brin, Motwani and Winograd, "The PageRank citation ranking", 1998.

use crate::error::{Error, Result};
use crate::graph::Node;
use crate::linear::gauss_seidel::GaussSeidel;
use crate::linear::map::{Certified, Iteration, PageRankMap};
use crate::linear::power::Power;
pub use crate::linear::walk::Distribution;
use crate::linear::{RandomWalk, StopRule};
use crate::progress::Progress;
use crate::scores::certain::Certainty;
use crate::scores::ranking::Ranking;
use crate::scores::{Outcome, Run, Scores, Status};
use ndarray::Array1;
use rayon::prelude::*;
use serde_json::{Map, Value, json};

/// The probability alpha of following an arc, in [0, 1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Damping(f64);

impl Damping {
    /// # Errors
    /// If `alpha` is not in [0, 1).
    pub fn new(alpha: f64) -> Result<Self> {
        if (0.0..1.0).contains(&alpha) {
            Ok(Damping(alpha))
        } else {
            Err(Error::argument(
                "--alpha",
                alpha,
                "it must be at least 0 and below 1, such as 0.85",
            ))
        }
    }

    /// The value.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl Default for Damping {
    fn default() -> Self {
        Damping(0.85)
    }
}

/// Where the walk goes on from a dangling node.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Dangling {
    /// As if it started again: u = v.
    #[default]
    Preference,
    /// Anywhere alike.
    Uniform,
    /// Nowhere: u = 0.
    None,
    /// As this distribution says.
    Vector(Distribution),
}

/// The algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// Apply the equation over and over, on all rows.
    Power,
    /// Use new values at once, on the rows of nondangling nodes.
    #[default]
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

/// The parameters of PageRank.
#[derive(Debug, Clone)]
pub struct PageRank {
    /// alpha; 0.85 by default.
    pub damping: Damping,
    /// v; uniform by default.
    pub preference: Distribution,
    /// u; v by default.
    pub dangling: Dangling,
    /// The algorithm; Gauss-Seidel by default.
    pub method: Method,
}

impl Default for PageRank {
    fn default() -> Self {
        PageRank {
            damping: Damping::default(),
            preference: Distribution::Uniform,
            dangling: Dangling::default(),
            method: Method::default(),
        }
    }
}

impl PageRank {
    /// u; `None` if it is zero.
    fn dangling_distribution(&self) -> Option<&Distribution> {
        match &self.dangling {
            Dangling::Preference => Some(&self.preference),
            Dangling::Uniform => Some(&Distribution::Uniform),
            Dangling::None => None,
            Dangling::Vector(u) => Some(u),
        }
    }

    /// True if the equation is the same for both nodes, so that their true scores are equal: they
    /// have the same predecessors and the same entries in u and v.
    pub fn tied(&self, walk: &RandomWalk, a: Node, b: Node) -> bool {
        let row_of = |node: Node| walk.rows().row_of(node as usize);
        self.preference.same(a, b)
            && self.dangling_distribution().is_none_or(|u| u.same(a, b))
            && row_of(a) == row_of(b)
    }

    /// Which positions of the ranking of `scores` are proved by their certified bound.
    pub fn certainty(&self, walk: &RandomWalk, scores: &Scores, ranking: &Ranking) -> Certainty {
        let bound = match scores.run.outcome {
            Outcome::Iterated { error_bound, .. } => error_bound,
            _ => f64::INFINITY,
        };
        let values = scores.values.as_slice().expect("one column is contiguous");
        Certainty::new(ranking, values, bound, |a, b| self.tied(walk, a, b))
    }
}

/// Computes PageRank to a certified l1 error.
///
/// Both methods end with one application of the equation, whose residual certifies the bound (see
/// [`crate::linear::power`]) and whose result is returned: nodes with equal predecessors, and
/// equal entries in u and v, get scores with equal bits. The result does not depend on the number
/// of threads. O(n + m) a sweep, at most about log(tolerance) / log(alpha) sweeps, and 24 to 40
/// bytes a node besides the graph.
///
/// A bound above the tolerance, after `max_iterations` or where rounding allows no better, is
/// reported by [`Status::NotConverged`].
///
/// # Errors
/// If a distribution is not over the nodes of the graph, or if the user interrupts.
pub fn pagerank(
    walk: &RandomWalk,
    params: &PageRank,
    stop: &StopRule,
    progress: &dyn Progress,
) -> Result<Scores> {
    let n = walk.num_nodes();
    params.preference.check_len("the preference vector", n)?;
    let dangling = params.dangling_distribution();
    if let Some(u) = dangling {
        u.check_len("the dangling distribution", n)?;
    }
    let map = PageRankMap {
        walk,
        alpha: params.damping.get(),
        preference: &params.preference,
        dangling,
    };
    let mut solver = Solver {
        map: &map,
        params,
        stop,
        progress,
        iterations: 0,
    };
    progress.begin("iterate", None);
    let nodes = (0..n).into_par_iter();
    let start = nodes
        .map(|node| params.preference.weight(node, n))
        .collect();
    let mut scores = solver.solve(start, stop.tolerance.get())?;
    if let Some(k) = stop.certify_top {
        solver.certify_top(&mut scores, k)?;
    }
    progress.end();
    Ok(scores)
}

fn parameters(params: &PageRank, stop: &StopRule) -> Map<String, Value> {
    let distribution = |d: &Distribution| match d {
        Distribution::Uniform => "uniform",
        Distribution::Dense(_) => "vector",
    };
    let dangling = match &params.dangling {
        Dangling::Preference => "preference",
        Dangling::Uniform => "uniform",
        Dangling::None => "none",
        Dangling::Vector(_) => "vector",
    };
    let Value::Object(map) = json!({
        "alpha": params.damping.get(),
        "preference": distribution(&params.preference),
        "dangling": dangling,
        "tolerance": stop.tolerance.get(),
        "max_iterations": stop.max_iterations,
        "certify_top": stop.certify_top,
    }) else {
        unreachable!("an object literal is an object")
    };
    map
}

struct Solver<'a> {
    map: &'a PageRankMap<'a>,
    params: &'a PageRank,
    stop: &'a StopRule,
    progress: &'a dyn Progress,
    iterations: u32,
}

impl Solver<'_> {
    /// Asks for ten times more precision until the first `k` positions are proved, or until there
    /// is no more to be had.
    fn certify_top(&mut self, scores: &mut Scores, k: usize) -> Result<()> {
        loop {
            let ranking = Ranking::new(scores.values.as_slice().expect("contiguous"))?;
            let certainty = self.params.certainty(self.map.walk, scores, &ranking);
            let Outcome::Iterated {
                status,
                error_bound,
                ..
            } = &mut scores.run.outcome
            else {
                return Ok(());
            };
            if certainty.proves(k) {
                *status = Status::Converged;
                return Ok(());
            }
            if *status == Status::NotConverged {
                return Ok(());
            }
            let aim = *error_bound / 10.0;
            let values = std::mem::take(&mut scores.values);
            *scores = self.solve(values.into_raw_vec_and_offset().0, aim)?;
        }
    }

    /// Iterates from `x` until the certified bound is within `tolerance`.
    fn solve(&mut self, x: Vec<f64>, tolerance: f64) -> Result<Scores> {
        let mut state: Box<dyn Iteration> = match self.params.method {
            Method::Power => Box::new(Power::new(self.map, &x)),
            Method::GaussSeidel => Box::new(GaussSeidel::new(self.map, &x)),
        };
        let mut mass = state.mass();
        drop(x);
        // The certificate of a vector is at most about the change that made it over 1 - alpha.
        let mut aim = tolerance * (1.0 - self.params.damping.get());
        let mut last_bound = f64::INFINITY;
        loop {
            let sweep = state.sweep(self.map.dangling_mass(mass));
            mass = sweep.mass;
            self.tick(sweep.change)?;
            let exhausted = self.iterations + 1 >= self.stop.max_iterations;
            if sweep.change > aim && !exhausted {
                continue;
            }
            let certified = state.certify(mass);
            self.tick(sweep.change)?;
            // From one certificate to the next the change at least halves, so one that is hardly
            // better is the floor that rounding sets.
            let stuck = exhausted || certified.bound > 0.9 * last_bound;
            if certified.bound <= tolerance || stuck {
                return Ok(self.scores(certified, tolerance));
            }
            last_bound = certified.bound;
            aim = sweep.change.min(aim) * (0.9 * tolerance / certified.bound).min(0.5);
        }
    }

    /// Counts a sweep, reports the bound, and lets the user interrupt.
    fn tick(&mut self, change: f64) -> Result<()> {
        self.iterations += 1;
        let bound = change / (1.0 - self.params.damping.get());
        let sweeps = self.iterations;
        self.progress
            .remark(&format!("sweep {sweeps}, error below {bound:.1e}"));
        self.progress.check()
    }

    fn scores(&self, certified: Certified, tolerance: f64) -> Scores {
        let status = match certified.bound <= tolerance {
            true => Status::Converged,
            false => Status::NotConverged,
        };
        Scores {
            values: Array1::from_vec(certified.scores),
            run: Run {
                measure: "pagerank",
                method: self.params.method.name(),
                parameters: parameters(self.params, self.stop),
                outcome: Outcome::Iterated {
                    status,
                    iterations: self.iterations,
                    error_bound: certified.bound,
                },
            },
        }
    }
}
