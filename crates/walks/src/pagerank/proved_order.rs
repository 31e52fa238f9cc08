//! PageRank to the precision that proves the first positions.

use super::certificate::{Certified, PageRankMap};
use super::solver::Solver;
use super::ties::EqualScores;
use webrank_base::error::Result;
use webrank_base::progress::Progress;
use webrank_linear::stop::StopRule;
use webrank_scores::proved_order::Certainty;
use webrank_scores::ranking::Ranking;

/// The most that [`EqualScores::level`] adds to the bound, as scores add up to at most about one.
pub(crate) const LEVELLING: f64 = 4.0 * f64::EPSILON;

/// Iterates until the first `k` positions are proved or are exact ties, or until rounding or the
/// limit of sweeps allows no better; returns whether they are proved.
///
/// Each round requires ten times more precision and uses only the ties of nodes with equal rows.
/// Once the precision is exhausted, all exact ties are found.
pub(crate) fn certify(
    map: &PageRankMap,
    solver: &mut Solver,
    certified: &mut Certified,
    k: usize,
    progress: &dyn Progress,
) -> Result<bool> {
    let mut reached = true;
    loop {
        let ranking = Ranking::new(&certified.scores)?;
        let Certified { scores, bound } = &*certified;
        let tied = |a, b| map.same_row(a, b);
        if Certainty::new(&ranking, scores, *bound, tied).proves(k) {
            return Ok(true);
        }
        if !reached || solver.is_exhausted() {
            break;
        }
        let aim = bound / 10.0;
        *certified = solver.solve(aim)?;
        reached = certified.bound <= aim;
    }
    let ties = levelled(map, certified, solver.max_iterations(), progress)?;
    let Certified { scores, bound } = certified;
    let ranking = Ranking::new(scores)?;
    Ok(Certainty::new(&ranking, scores, *bound, |a, b| ties.tied(a, b)).proves(k))
}

/// Gives exact ties equal scores, if the tolerance allows what that may add to the error.
///
/// # Errors
/// If rows cannot be read, or if the user interrupts.
pub(crate) fn level(
    map: &PageRankMap,
    certified: &mut Certified,
    stop: &StopRule,
    progress: &dyn Progress,
) -> Result<()> {
    if certified.bound + LEVELLING <= stop.tolerance.get() {
        levelled(map, certified, stop.max_iterations, progress)?;
    }
    Ok(())
}

/// Finds exact ties, and gives them equal scores.
fn levelled(
    map: &PageRankMap,
    Certified { scores, bound }: &mut Certified,
    max_rounds: u32,
    progress: &dyn Progress,
) -> Result<EqualScores> {
    let ranking = Ranking::new(scores)?;
    let ties = EqualScores::new(map, ranking.order(), scores, *bound, max_rounds, progress)?;
    ties.level(scores);
    *bound += LEVELLING;
    Ok(ties)
}
