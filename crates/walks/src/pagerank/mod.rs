//! PageRank: the stationary distribution of a walk that follows a random arc with probability
//! alpha, and otherwise restarts.
//!
//! With G the row-normalised adjacency (rows of dangling nodes are zero), d the indicator of
//! dangling nodes, v the preference vector and u the dangling distribution,
//!
//! ```text
//! x = alpha x G + alpha (x d) u + (1 - alpha) v.
//! ```
//!
//! Scores flow along arcs, so a node is important if important nodes point to it. x is a
//! distribution, except when u = 0 ([`Dangling::None`]): then the mass that reaches dangling nodes
//! is lost, and the sum is below one.
//!
//! Variants by u, as in Boldi, Santini and Vigna, "PageRank: functional dependencies", TOIS 2009:
//! u = v is *strongly preferential*, another u is *weakly preferential*, u = 0 is the *pseudorank*.
//!
//! Source: Page, Brin, Motwani and Winograd, "The PageRank citation ranking", 1998.
//!
//! * [`alphas`]: PageRank for several values of alpha;
//! * [`derivative`]: its rate of change with alpha;
//! * [`seeds`]: PageRank for many preference vectors, each a single node;
//! * [`weighted`]: PageRank with arc weights.

pub mod alphas;
pub mod certificate;
mod columns;
mod compute;
pub mod derivative;
pub mod distributed;
mod distributed_memory;
pub mod equation;
mod external;
mod form;
pub mod inflow;
mod late_nodes_shards;
mod late_nodes_streamed;
mod late_walks;
pub mod methods;
pub mod parameters;
mod proved_order;
pub mod seeds;
pub mod solver;
mod start;
mod streamed;
pub mod ties;
pub mod trustrank;
mod unreached;
pub mod walk;
pub mod weighted;

use crate::late_nodes;
use crate::late_nodes::Teleport;
use certificate::{Certified, PageRankMap};
use equation::Equation;
pub use external::pagerank_external;
use methods::fixed_point;
use methods::iteration;
use ndarray::Array1;
pub use parameters::{Columns, Method};
use serde::Serialize;
use serde_json::{Map, Value};
use solver::Solver;
use std::path::PathBuf;
use std::sync::Arc;
pub use streamed::pagerank_streamed;
use ties::EqualScores;
use walk::RandomWalk;
use webrank_base::error::{Error, Result};
use webrank_base::progress::Progress;
use webrank_cluster::Workers;
use webrank_linear::StopRule;
pub use webrank_measure::form::StorageChoice;
use webrank_measure::iteration_parameters;
pub use webrank_scores::parameters::{Damping, Dangling, Distribution};
use webrank_scores::proved_order::Certainty;
use webrank_scores::ranking::Ranking;
use webrank_scores::report::STARTS;
use webrank_scores::{Outcome, Run, Scores, Status};

/// PageRank with its parameters.
///
/// ```
/// use webrank_graph::Graph;
/// use webrank_measure::Measure;
/// use webrank_walks::pagerank::PageRank;
///
/// let graph = Graph::from_arcs(3, [(0, 1), (1, 2), (2, 1)])?;
/// let scores = PageRank::default().alpha(0.5)?.run(&graph)?;
/// let (name, score) = scores.best(1).next().unwrap();
/// assert_eq!((name.as_ref(), (score * 18.0).round()), ("1", 8.0));
/// # Ok::<(), webrank_base::error::Error>(())
/// ```
#[derive(Debug, Clone, Default, Serialize)]
pub struct PageRank {
    /// alpha; 0.85 by default.
    #[serde(rename = "alpha")]
    pub damping: Damping,
    /// v; uniform by default.
    pub preference: Distribution,
    /// u; v by default.
    pub dangling: Dangling,
    /// The algorithm; by default the power method or components, whichever seems faster.
    #[serde(skip)]
    pub method: Method,
    /// How many of the first positions must be proved or be exact ties.
    pub certify_top: Option<usize>,
    /// The columns of scores; one by default.
    #[serde(skip)]
    pub columns: Columns,
    /// The form in which the graph is swept.
    #[serde(skip)]
    pub form: StorageChoice,
    /// Scores to begin with: see [`Self::start`].
    #[serde(skip)]
    pub start: Option<Arc<[f64]>>,
    /// The folder of the temporary file that the form on disk needs; by default, the system's.
    #[serde(skip)]
    pub temp: Option<PathBuf>,
    /// The workers among which shards are divided.
    #[serde(skip)]
    pub team: Workers,
}

impl PageRank {
    /// Sets the probability of following an arc.
    ///
    /// # Errors
    /// If it is not in [0, 1).
    pub fn alpha(self, alpha: f64) -> Result<Self> {
        let damping = Damping::new(alpha)?;
        Ok(PageRank { damping, ..self })
    }

    /// Sets the preference vector, from which restarts draw nodes.
    pub fn preference(self, preference: Distribution) -> Self {
        PageRank { preference, ..self }
    }

    /// Sets how the walk continues from dangling nodes.
    pub fn dangling(self, dangling: Dangling) -> Self {
        PageRank { dangling, ..self }
    }

    /// Sets the algorithm.
    pub fn method(self, method: Method) -> Self {
        PageRank { method, ..self }
    }

    /// Iterates until the first `positions` positions are proved or are exact ties.
    pub fn certify_top(self, positions: usize) -> Self {
        let certify_top = Some(positions);
        PageRank {
            certify_top,
            ..self
        }
    }

    /// Sets the columns to compute.
    pub fn columns(self, columns: Columns) -> Self {
        PageRank { columns, ..self }
    }

    /// Sets the form in which the graph is swept.
    pub fn form(self, form: StorageChoice) -> Self {
        PageRank { form, ..self }
    }
}

impl PageRank {
    /// u; `None` if it is zero.
    pub(crate) fn dangling_distribution(&self) -> Option<&Distribution> {
        match &self.dangling {
            Dangling::Preference => Some(&self.preference),
            Dangling::Uniform => Some(&Distribution::Uniform),
            Dangling::None => None,
            Dangling::Vector(u) => Some(u),
        }
    }

    fn equation(&self, num_nodes: usize) -> Equation<'_> {
        Equation {
            num_nodes,
            alpha: self.damping.get(),
            preference: &self.preference,
            dangling: self.dangling_distribution(),
        }
    }

    fn jumps(&self) -> Teleport<'_> {
        self.jumps_by(self.damping, &self.preference, self.dangling_distribution())
    }

    /// [`Self::jumps`] for another alpha and some of the nodes, with these parts of v and u.
    fn jumps_by<'a>(
        &self,
        damping: Damping,
        v: &'a Distribution,
        u: Option<&'a Distribution>,
    ) -> Teleport<'a> {
        let is_other = self.dangling != Dangling::Preference;
        Teleport {
            alpha: damping.get(),
            preference: Some(v),
            dangling: u.filter(|_| is_other),
        }
    }

    fn map<'a>(&'a self, walk: &'a RandomWalk) -> PageRankMap<'a> {
        PageRankMap {
            walk,
            equation: self.equation(walk.num_nodes()),
        }
    }

    /// Says if the roundings of whole-number shares may not allow the tolerance.
    fn warn_of_roundings(&self, num_arcs: u64, stop: &StopRule, progress: &dyn Progress) {
        let alpha = match &self.columns {
            Columns::Alphas(alphas) => alphas.iter().map(|alpha| alpha.get()).fold(0.0, f64::max),
            _ => self.damping.get(),
        };
        let warning = fixed_point::warning(alpha, num_arcs, stop.tolerance.get());
        warning
            .iter()
            .for_each(|warning| progress.announce(warning));
    }

    /// # Errors
    /// If a distribution is not over `n` nodes.
    fn check(&self, n: usize) -> Result<()> {
        self.preference.check_len("the preference vector", n)?;
        if let Some(start) = self.start.as_ref().filter(|start| start.len() != n) {
            let remedy = format!("the graph has {n} nodes");
            let value = format!("a vector of length {}", start.len());
            return Err(Error::argument("start", value, remedy));
        }
        match self.dangling_distribution() {
            Some(u) => u.check_len("the dangling distribution", n),
            None => Ok(()),
        }
    }

    fn scores(&self, certified: Certified, proved: bool, sweeps: u32, stop: &StopRule) -> Scores {
        Scores::new(
            Array1::from_vec(certified.scores),
            self.described(certified.bound, proved, sweeps, stop),
        )
    }

    /// The run, with this certified bound.
    fn described(&self, bound: f64, proved: bool, sweeps: u32, stop: &StopRule) -> Run {
        let converged = proved && bound <= stop.tolerance.get();
        Run {
            measure: "pagerank",
            method: self.method.without_choice().name(),
            parameters: parameters(self, stop),
            outcome: Outcome::Iterated {
                status: Status::of(converged),
                iterations: sweeps,
                error_bound: bound,
            },
        }
    }

    /// Which positions of the ranking of `scores` are proved: those whose scores differ from the
    /// neighbours' by more than the certified bound. Nodes with bit-equal scores that are exactly
    /// tied count as one. Nodes with equal rows are known to be tied; all other exact ties
    /// ([`EqualScores`]) are found only if the rule's `certify_top` needs them, or in a small graph.
    ///
    /// # Errors
    /// If rows cannot be read from the file that holds them, or if the user interrupts.
    pub fn certainty(
        &self,
        walk: &RandomWalk,
        stop: &StopRule,
        scores: &Scores,
        ranking: &Ranking,
        progress: &dyn Progress,
    ) -> Result<Certainty> {
        let bound = bound(scores);
        let map = self.map(walk);
        let values = scores.as_slice();
        // Nodes that walks do not reach have 0, and no others.
        let is_zero = |node: webrank_base::Node| values[node as usize] == 0.0;
        let zero = |a, b| is_zero(a) && is_zero(b);
        let certainty = Certainty::new(ranking, values, bound, |a, b| {
            zero(a, b) || map.same_row(a, b)
        });
        let n = values.len();
        let wanted = stop.certify_top.unwrap_or(if n <= SMALL { n } else { 0 });
        // With a rule, or in small graphs, the scores of tied nodes have been levelled, so a few rounds
        // find the ties.
        if certainty.proves(wanted) {
            return Ok(certainty);
        }
        let ties = EqualScores::new(
            &map,
            ranking.order(),
            values,
            0.0,
            stop.max_iterations,
            progress,
        )?;
        let tied = |a, b| zero(a, b) || ties.tied(a, b);
        Ok(Certainty::new(ranking, values, bound, tied))
    }

    /// [`Self::certainty`] without the rows: no tie is proved.
    pub fn certainty_streamed(&self, scores: &Scores, ranking: &Ranking) -> Certainty {
        Certainty::new(ranking, scores.as_slice(), bound(scores), |_, _| false)
    }
}

/// Nodes of graphs so small that all exact ties are searched for. The time grows with the square of the
/// nodes at worst, on a path.
const SMALL: usize = 1_000;

/// The l1 error of scores.
fn bound(scores: &Scores) -> f64 {
    match scores.run.outcome {
        Outcome::Iterated { error_bound, .. } => error_bound,
        _ => f64::INFINITY,
    }
}

/// Computes PageRank to a certified l1 error.
///
/// Every method ends with one application of the equation. Its residual certifies the bound (see
/// [`certificate`]), and its result is returned: nodes with equal predecessors, and equal entries
/// in u and v, get scores with equal bits. The result does not depend on the number of threads.
/// O(n + m) per sweep, at most about log(tolerance) / log(alpha) sweeps, and up to 60 bytes per
/// node besides the graph.
///
/// [`Status::NotConverged`] reports a bound above the tolerance: after `max_iterations`, or if
/// rounding allows no better.
///
/// # Errors
/// If a distribution is not over the nodes of the graph, or if the user interrupts.
pub fn pagerank(
    walk: &RandomWalk,
    params: &PageRank,
    stop: &StopRule,
    progress: &dyn Progress,
) -> Result<Scores> {
    pagerank_from(walk, params, None, stop, progress)
}

/// [`pagerank`], iterating from these scores, or from v if there are none.
fn pagerank_from(
    walk: &RandomWalk,
    params: &PageRank,
    start: Option<&[f64]>,
    stop: &StopRule,
    progress: &dyn Progress,
) -> Result<Scores> {
    params.check(walk.num_nodes())?;
    let reached = params.of_reached(walk, walk.num_nodes())?;
    let map = reached.map(walk);
    progress.begin("iterate", None);
    let mut solver = Solver::new(
        iteration(&map, &reached, start, stop, progress)?,
        params.damping.get(),
        stop,
        progress,
    )
    .kept()?;
    let mut certified = solver.solve(stop.tolerance.get())?;
    let mut proved = true;
    if let Some(k) = stop.certify_top {
        proved = proved_order::certify(&map, &mut solver, &mut certified, k, progress)?;
    } else if certified.scores.len() <= SMALL {
        proved_order::level(&map, &mut certified, stop, progress)?;
    }
    progress.end();
    late_nodes::extend(&mut certified, stop.tolerance.get(), reached.jumps(), walk)?;
    let mut scores = params.scores(certified, proved, solver.iterations(), stop);
    if let Some(chosen) = solver.method() {
        scores.run.method = chosen.name();
    }
    Ok(scores)
}

/// The parameters of a run, with the nodes at which walks start if they are few, in the form that manifests hold.
fn parameters(params: &PageRank, stop: &StopRule) -> Map<String, Value> {
    let mut parameters = iteration_parameters(params, stop.tolerance, stop.max_iterations);
    parameters.insert("certify_top".into(), stop.certify_top.into());
    parameters.extend(params.preference.few().map(|it| (STARTS.into(), it.into())));
    parameters
}
