//! Columns of a run that are solved for one after the other, and kept in its checkpoint once they are
//! done.

use super::certificate::Certified;
use super::walk::RandomWalk;
use super::{PageRank, pagerank_from};
use webrank_base::checkpoint;
use webrank_base::error::Result;
use webrank_base::progress::Progress;
use webrank_linear::StopRule;
use webrank_scores::{Outcome, Scores, Status};

/// [`super::pagerank`], iterating from these scores, or from v if there are none, for the column at this place of a run that may keep those that are done.
pub(super) fn pagerank_column(
    walk: &RandomWalk,
    params: &PageRank,
    start: Option<&[f64]>,
    stop: &StopRule,
    progress: &dyn Progress,
    place: usize,
) -> Result<Scores> {
    let n = walk.num_nodes();
    checkpoint::column(
        progress,
        (place, n + 2),
        || pagerank_from(walk, params, start, stop, progress),
        packed,
        |column| {
            let (certified, sweeps) = unpacked(column);
            params.scores(certified, true, sweeps, stop)
        },
    )
}

/// Scores, their bound and the number of sweeps, as a checkpoint holds them; nothing, if they did not
/// converge.
pub(super) fn packed(scores: &Scores) -> Vec<f64> {
    let (sweeps, bound) = match scores.run.outcome {
        Outcome::Iterated {
            status: Status::NotConverged,
            ..
        } => return Vec::new(),
        Outcome::Iterated {
            iterations,
            error_bound,
            ..
        } => (f64::from(iterations), error_bound),
        _ => unreachable!("PageRank iterates"),
    };
    scores
        .values
        .iter()
        .copied()
        .chain([bound, sweeps])
        .collect()
}

/// The certified scores and the sweeps of a [`packed`] column.
pub(super) fn unpacked(column: &[f64]) -> (Certified, u32) {
    let (scores, rest) = column.split_at(column.len() - 2);
    let certified = Certified {
        scores: scores.to_vec(),
        bound: rest[0],
    };
    (certified, rest[1] as u32)
}
