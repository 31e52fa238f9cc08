//! PageRank for several values of alpha.
//!
//! Source: Boldi, Santini and Vigna, "PageRank as a function of the damping factor", WWW 2005.

use super::PageRank;
use super::columns::pagerank_column;
use super::walk::RandomWalk;
use webrank_base::error::Result;
use webrank_base::progress::Progress;
use webrank_linear::StopRule;
use webrank_scores::Scores;
use webrank_scores::parameters::Damping;

/// Computes PageRank for each of these values of alpha, which replace that of `params`, each to its
/// own certified l1 error. Scores are in the order of `alphas`.
///
/// The values are solved for in increasing order, each starting from the scores of the one before.
/// O(n + m) per sweep; as much memory as one [`super::pagerank`], plus 8 bytes per node and alpha.
///
/// # Errors
/// As for [`super::pagerank`].
pub fn pagerank_of_alphas(
    walk: &RandomWalk,
    params: &PageRank,
    alphas: &[Damping],
    stop: &StopRule,
    progress: &dyn Progress,
) -> Result<Vec<Scores>> {
    let mut order: Vec<usize> = (0..alphas.len()).collect();
    order.sort_by(|&a, &b| alphas[a].get().total_cmp(&alphas[b].get()));
    let mut found: Vec<(usize, Scores)> = Vec::with_capacity(alphas.len());
    for place in order {
        let params = PageRank {
            damping: alphas[place],
            ..params.clone()
        };
        let start = found
            .last()
            .and_then(|(_, scores)| scores.values.as_slice());
        let done = found.len();
        let scores = pagerank_column(walk, &params, start, stop, progress, done)?;
        found.push((place, scores));
    }
    found.sort_by_key(|&(place, _)| place);
    Ok(found.into_iter().map(|(_, scores)| scores).collect())
}
