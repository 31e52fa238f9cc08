//! PageRank and TrustRank, by sweeps.
//!
//! `F(x) = alpha x G + alpha D(x) u + (1 - alpha) v` contracts the l1 norm by alpha. So if z is any
//! vector, and F(z) is computed with an error of at most delta, then
//!
//! ```text
//!     ||z - x*|| <= ||z - F(z)|| + delta + alpha ||z - x*||,
//! so  ||z - x*|| <= (||z - F(z)|| + delta) / (1 - alpha).
//! ```

use super::sweeps::{
    Claimed, ENTRY, SCALE_TOLERANCE, column_sums, distance, inverses, is_sharp, max_sweeps, refine,
    swept,
};
use super::{ErrorKind, Finding, Question};
use crate::centrality::pagerank::{Damping, Dangling, Distribution};
use crate::error::{Error, Result};
use crate::graph::Direction;
use crate::parallel::sums::{compensated, total};
use crate::parallel::tasks;

/// PageRank.
pub fn pagerank(question: &Question) -> Result<Finding> {
    let v = &question.parameters.preference;
    let u = match &question.parameters.dangling {
        Dangling::Preference => Some(v),
        Dangling::Uniform => Some(&Distribution::Uniform),
        Dangling::None => None,
        Dangling::Vector(u) => Some(u),
    };
    check(question, v, u)
}

/// TrustRank: PageRank with a preference for the seeds.
pub fn trustrank(question: &Question) -> Result<Finding> {
    let mut weights = vec![0.0; question.graph.num_nodes()];
    let seeds = &question.parameters.seeds;
    if seeds.is_empty() {
        return Err(Error::argument("seeds", "none", "name those of the scores"));
    }
    seeds.iter().for_each(|&seed| weights[seed as usize] = 1.0);
    let v = Distribution::from_weights(weights)?;
    check(question, &v, Some(&v))
}

fn check(question: &Question, v: &Distribution, u: Option<&Distribution>) -> Result<Finding> {
    let alpha = Damping::new(question.parameters.alpha.unwrap_or(0.85))?.get();
    let matrix = question.matrix(Direction::In)?;
    let n = matrix.num_nodes();
    v.check_len("the preference vector", n)?;
    u.map_or(Ok(()), |u| u.check_len("the dangling distribution", n))?;
    let shares = inverses(&column_sums(&matrix));
    let given = question.nonnegative()?;
    let sum = total(&given.0);
    let is_scaled = question.may_be_scaled() && u.is_some() && (sum - 1.0).abs() > SCALE_TOLERANCE;
    let scale = if is_scaled { sum } else { 1.0 };
    let claimed = Claimed::new(given, scale, "scores sum to this, not to 1");
    let map = |x: &[f64]| {
        let inflow = swept(&matrix, &shares, x);
        let dangling = (0..n).filter(|&i| shares[i] == 0.0).map(|i| x[i]);
        let mass = u.map_or(0.0, |_| compensated(dangling));
        tasks::tabulate(n, |i| {
            let from_dangling = u.map_or(0.0, |u| mass * u.weight(i, n));
            alpha * inflow[i] + alpha * from_dangling + (1.0 - alpha) * v.weight(i, n)
        })
    };
    let error = |z: &[f64], image: &[f64]| {
        let rounding = ENTRY * total(image);
        [distance(z, image) + rounding, rounding].map(|bound| bound / (1.0 - alpha))
    };
    let found = refine(
        &claimed.x,
        max_sweeps(&matrix),
        map,
        error,
        is_sharp,
        question.progress,
    )?;
    let way = found.way();
    Ok(claimed.against(&found.z, found.error, ErrorKind::L1, way))
}
