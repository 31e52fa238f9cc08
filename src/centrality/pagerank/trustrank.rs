//! TrustRank: PageRank whose walks start at nodes that someone has found worthy of trust.
//!
//! With T the seeds, `v = 1/|T|` on T and 0 elsewhere, and dangling nodes leading back to T,
//!
//! ```text
//! x = alpha x (G + d v) + (1 - alpha) v,
//! ```
//!
//! a distribution. Good pages seldom point to spam, so trust flows along arcs and spam gets little:
//! nodes that no seed reaches get 0. (The paper loses what reaches dangling nodes; that scales all
//! scores alike, and ranks the same.)
//!
//! Seeds are to be inspected by people, so they should be few and reach much. [`seed_candidates`]
//! scores nodes by *inverse PageRank*, the PageRank of the transposed graph with uniform preference:
//! nodes from which many are reached in few steps come first.
//!
//! Source: Gyöngyi, Garcia-Molina and Pedersen, "Combating Web Spam with TrustRank", VLDB 2004.

use super::walk::RandomWalk;
use super::{Damping, Dangling, Distribution, Method, PageRank, pagerank};
use crate::error::{Error, Result};
use crate::graph::Node;
use crate::linear::StopRule;
use crate::progress::Progress;
use crate::scores::Scores;
use serde_json::json;

/// The PageRank whose preference vector is uniform over `seeds`, in a graph of `num_nodes`.
///
/// # Errors
/// If there is no seed, or one is not a node.
pub fn trust_in(seeds: &[Node], damping: Damping, num_nodes: usize) -> Result<PageRank> {
    let mut weights = vec![0.0; num_nodes];
    for &seed in seeds {
        *weights.get_mut(seed as usize).ok_or_else(|| {
            let remedy = format!("the graph has {num_nodes} nodes, numbered from 0");
            Error::argument("the seed", seed, remedy)
        })? = 1.0;
    }
    if seeds.is_empty() {
        return Err(Error::argument(
            "the number of seeds",
            0,
            "name one at least",
        ));
    }
    Ok(PageRank {
        damping,
        preference: Distribution::from_weights(weights)?,
        dangling: Dangling::Preference,
        method: Method::Power,
    })
}

/// Computes TrustRank, with the parameters that [`trust_in`] makes, to a certified l1 error. Cost as
/// for [`pagerank`].
///
/// # Errors
/// As for [`pagerank`].
pub fn trustrank(
    walk: &RandomWalk,
    params: &PageRank,
    stop: &StopRule,
    progress: &dyn Progress,
) -> Result<Scores> {
    let mut scores = pagerank(walk, params, stop, progress)?;
    scores.run.measure = "trustrank";
    if let Distribution::Dense(weights) = &params.preference {
        let seeds = weights.iter().filter(|&&weight| weight > 0.0).count();
        scores.run.parameters.insert("seeds".into(), json!(seeds));
    }
    scores.run.parameters.remove("preference");
    scores.run.parameters.remove("dangling");
    Ok(scores)
}

/// Scores nodes by how good they are as seeds, to a certified l1 error: by the PageRank of the
/// transposed graph, given the walk on it. Cost as for [`pagerank`].
///
/// # Errors
/// As for [`pagerank`].
pub fn seed_candidates(
    transposed: &RandomWalk,
    params: &PageRank,
    stop: &StopRule,
    progress: &dyn Progress,
) -> Result<Scores> {
    let mut scores = pagerank(transposed, params, stop, progress)?;
    scores.run.measure = "inverse pagerank";
    Ok(scores)
}
