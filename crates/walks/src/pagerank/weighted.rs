//! PageRank with arc weights: the walk follows an arc with probability proportional to its weight.
//!
//! Equal weights give the PageRank of [`super::pagerank`]. Only the shares of a node's arcs count:
//! the weights of arcs from different nodes are not compared.
//!
//! Source: Xing and Ghorbani, "Weighted PageRank algorithm", CNSR 2004, for the idea, with weights
//! from degrees.

use super::methods::weighted_power::WeightedPower;
use super::methods::weighted_power::WeightedWalk;
use super::solver::Solver;
use super::{PageRank, bound};
use crate::late_nodes;
use webrank_base::error::Result;
use webrank_base::progress::Progress;
use webrank_linear::StopRule;
use webrank_scores::Scores;
use webrank_scores::proved_order::Certainty;
use webrank_scores::ranking::Ranking;

/// Computes PageRank by the power method to a certified l1 error; [`StopRule::certify_top`] and the
/// method of `params` are ignored.
///
/// The result does not depend on the number of threads. Nodes with equal rows, and equal entries in
/// u and v, get scores with equal bits. O(n + m) per sweep; 20 bytes per arc and 40 bytes per node.
///
/// # Errors
/// If a distribution is not over the nodes of the graph, if the user interrupts, or if the run's checkpoint
/// cannot be read or written.
pub fn weighted_pagerank(
    walk: &WeightedWalk,
    params: &PageRank,
    stop: &StopRule,
    progress: &dyn Progress,
) -> Result<Scores> {
    params.check(walk.num_nodes())?;
    let n = walk.num_nodes();
    let reached = params.of_reached(walk, n)?;
    let state = WeightedPower::new(walk, reached.equation(n), reached.first_scores(n));
    let solver = Solver::new(Box::new(state), params.damping.get(), stop, progress);
    let mut solver = solver.kept()?;
    progress.begin("iterate", None);
    let mut certified = solver.solve(stop.tolerance.get())?;
    progress.end();
    late_nodes::extend(&mut certified, stop.tolerance.get(), reached.jumps(), walk)?;
    let sweeps = solver.iterations();
    let mut scores = params.scores(certified, true, sweeps, stop);
    scores.run.method = "power";
    scores
        .run
        .parameters
        .insert("weights".into(), "arcs".into());
    Ok(scores)
}

/// Which positions of the ranking of `scores` are proved; nodes with equal rows are known to be tied.
pub fn weighted_certainty(
    walk: &WeightedWalk,
    params: &PageRank,
    scores: &Scores,
    ranking: &Ranking,
) -> Certainty {
    let values = scores.values.as_slice().expect("one column is contiguous");
    Certainty::new(ranking, values, bound(scores), |a, b| {
        walk.same_row(a, b)
            && params.preference.same(a, b)
            && params.dangling_distribution().is_none_or(|u| u.same(a, b))
    })
}
