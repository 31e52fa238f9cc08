//! PageRank with arc weights: the walk follows an arc with probability proportional to its weight.
//!
//! Equal weights give the PageRank of [`super::pagerank`]. Only the shares of a node's arcs count:
//! the weights of arcs from different nodes are not compared.
//!
//! Source: Xing and Ghorbani, "Weighted PageRank algorithm", CNSR 2004, for the idea, with weights
//! from degrees.

use super::methods::weighted_power::WeightedPower;
use super::methods::weighted_power::WeightedWalk;
use super::proved_order::LEVELLING;
use super::solver::Solver;
use super::{PageRank, bound};
use crate::late_nodes;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::progress::Progress;
use webrank_linear::StopRule;
use webrank_linear::fibres;
use webrank_scores::Scores;
use webrank_scores::parameters::Distribution;
use webrank_scores::proved_order::Certainty;
use webrank_scores::ranking::Ranking;

/// Computes PageRank by the power method to a certified l1 error; [`StopRule::certify_top`] and the
/// method of `params` are ignored.
///
/// The result does not depend on the number of threads. Nodes with equal rows, and equal entries in
/// u and v, get scores with equal bits; on graphs of up to 1,000 nodes and 100,000 arcs, so do those that the equation cannot
/// distinguish. O(n + m) per sweep; 20 bytes per arc and 40 bytes per node.
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
    if certified.bound + LEVELLING <= stop.tolerance.get()
        && let Some(classes) = classes(walk, params)?
    {
        fibres::average(&classes, &mut certified.scores);
        certified.bound += LEVELLING;
    }
    let sweeps = solver.iterations();
    let mut scores = params.scores(certified, true, sweeps, stop);
    scores.run.method = "power";
    scores
        .run
        .parameters
        .insert("weights".into(), "arcs".into());
    Ok(scores)
}

/// Classes of nodes whose scores are equal, if the graph is small.
fn classes(walk: &WeightedWalk, params: &PageRank) -> Result<Option<Vec<usize>>> {
    let n = walk.num_nodes();
    let of = |it: &Distribution, node: Node| it.weight(node as usize, n).to_bits();
    walk.classes(|node| {
        let dangling = params.dangling_distribution();
        [
            of(&params.preference, node),
            dangling.map_or(0, |u| of(u, node)),
        ]
    })
}

/// Which positions of the ranking of `scores` are proved; nodes with equal rows are known to be tied, and on
/// small graphs all that the equation cannot distinguish.
///
/// # Errors
/// If there is not enough memory.
pub fn weighted_certainty(
    walk: &WeightedWalk,
    params: &PageRank,
    scores: &Scores,
    ranking: &Ranking,
) -> Result<Certainty> {
    let classes = classes(walk, params)?;
    let values = scores.values.as_slice().expect("one column is contiguous");
    let is_tied = |a: Node, b: Node| match &classes {
        Some(classes) => classes[a as usize] == classes[b as usize],
        None => {
            walk.same_row(a, b)
                && params.preference.same(a, b)
                && params.dangling_distribution().is_none_or(|u| u.same(a, b))
        }
    };
    Ok(Certainty::new(ranking, values, bound(scores), is_tied))
}
