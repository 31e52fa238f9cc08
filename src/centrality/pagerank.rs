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
//! If u = v, x is the pseudorank divided by its sum, which Gauss-Seidel makes use of (Del Corso,
//! Gulli and Romani, "Fast PageRank computation via a sparse linear system", 2005).
//!
//! Source: Page, Brin, Motwani and Winograd, "The PageRank citation ranking", 1998.

use crate::error::{Error, Result};
use crate::graph::Node;
use crate::linear::gauss_seidel::GaussSeidel;
use crate::linear::power::{Application, PageRankMap};
pub use crate::linear::walk::Distribution;
use crate::linear::{RandomWalk, StopRule, sums};
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
        let rows = walk.predecessors();
        self.preference.same(a, b)
            && self.dangling_distribution().is_none_or(|u| u.same(a, b))
            && rows.row(a) == rows.row(b)
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

struct Solver<'a, 'g> {
    map: &'a PageRankMap<'a, 'g>,
    params: &'a PageRank,
    stop: &'a StopRule,
    progress: &'a dyn Progress,
    iterations: u32,
}

impl Solver<'_, '_> {
    /// Iterates from `x` until the certified bound is within `tolerance`.
    fn solve(&mut self, x: Vec<f64>, tolerance: f64) -> Result<Scores> {
        let (values, error_bound) = match self.params.method {
            Method::Power => self.power(x, tolerance)?,
            Method::GaussSeidel => self.gauss_seidel(x, tolerance)?,
        };
        let status = match error_bound <= tolerance {
            true => Status::Converged,
            false => Status::NotConverged,
        };
        let outcome = Outcome::Iterated {
            status,
            iterations: self.iterations,
            error_bound,
        };
        Ok(Scores {
            values: Array1::from_vec(values),
            run: Run {
                measure: "pagerank",
                method: self.params.method.name(),
                parameters: parameters(self.params, self.stop),
                outcome,
            },
        })
    }

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

    /// Counts a sweep, reports the bound, and lets the user interrupt.
    fn tick(&mut self, bound: f64) -> Result<()> {
        self.iterations += 1;
        self.progress.remark(&format!(
            "sweep {}, error bound {bound:.1e}",
            self.iterations
        ));
        self.progress.check()
    }

    fn power(&mut self, mut x: Vec<f64>, tolerance: f64) -> Result<(Vec<f64>, f64)> {
        let mut contributions = self.map.walk.contributions(&x);
        let mut dangling_mass = self.map.dangling_mass(&x);
        let mut reuse = (Vec::new(), Vec::new());
        let mut last_bound = f64::INFINITY;
        loop {
            let Application {
                z,
                contributions: shares,
                dangling_mass: mass,
                bound,
            } = self.map.apply(&x, &contributions, dangling_mass, reuse);
            self.tick(bound)?;
            // F contracts, so a bound that does not fall is the floor that rounding sets.
            let stuck = bound >= last_bound || self.iterations >= self.stop.max_iterations;
            if bound <= tolerance || stuck {
                return Ok((z, bound));
            }
            last_bound = bound;
            reuse = (x, contributions);
            (x, contributions, dangling_mass) = (z, shares, mass);
        }
    }

    fn gauss_seidel(&mut self, x: Vec<f64>, tolerance: f64) -> Result<(Vec<f64>, f64)> {
        let alpha = self.map.alpha;
        // With u = v, the dangling mass only scales the solution; else it follows the iteration.
        let scaled = self.params.dangling == Dangling::Preference;
        let conserves = self.map.dangling.is_some();
        let mut dangling_mass = match conserves && !scaled {
            true => self.map.dangling_mass(&x),
            false => 0.0,
        };
        let mut state = GaussSeidel::new(self.map, &x);
        drop(x);
        // The l1 change of a sweep at which a certificate is tried, relative to the mass.
        let mut aim = tolerance * (1.0 - alpha);
        let mut last_bound = f64::INFINITY;
        loop {
            let sweep = state.sweep(dangling_mass);
            if conserves && !scaled {
                dangling_mass = (1.0 - sweep.mass).max(0.0);
            }
            let total = if conserves && !scaled {
                1.0
            } else {
                1.0 - alpha + alpha * sweep.mass
            };
            let change = sweep.change / total;
            self.tick(change / (1.0 - alpha))?;
            let exhausted = self.iterations + 1 >= self.stop.max_iterations;
            if change > aim && !exhausted {
                continue;
            }
            let mut x = state.scores(dangling_mass);
            if conserves {
                normalise(&mut x);
            }
            let contributions = self.map.walk.contributions(&x);
            let mass = self.map.dangling_mass(&x);
            let applied = self.map.apply(&x, &contributions, mass, Default::default());
            self.tick(applied.bound)?;
            // Certificates are an order of magnitude apart, so one that is no better is the floor.
            let stuck = applied.bound >= 0.9 * last_bound || exhausted;
            if applied.bound <= tolerance || stuck {
                return Ok((applied.z, applied.bound));
            }
            last_bound = applied.bound;
            aim = change.min(aim) * (0.7 * tolerance / applied.bound).min(0.5);
        }
    }
}

/// Divides a vector by its sum.
fn normalise(x: &mut [f64]) {
    let parts: Vec<f64> = x
        .par_chunks(1 << 15)
        .map(|part| sums::compensated(part.iter().copied()))
        .collect();
    let total = sums::compensated(parts.into_iter());
    if total > 0.0 {
        x.par_iter_mut().for_each(|x| *x /= total);
    }
}
