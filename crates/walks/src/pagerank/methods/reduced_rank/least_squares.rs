//! The scalar products of residuals, and the best weights that follow from them.

use std::array;

/// The residuals that are combined. `docs/src/measurements/pagerank.md` has the gain of more.
pub(super) const RESIDUALS: usize = 6;

/// The number added to the squares of residuals of norm one.
pub(super) const RIDGE: f64 = 1e-13;

/// The pairs of residuals.
pub(super) const PAIRS: usize = RESIDUALS * (RESIDUALS + 1) / 2;

/// Entries added side by side, whatever the width of vectors.
pub(super) const LANES: usize = 8;

/// Adds the scalar products of `count` entries of residuals, in lanes, to sums that are zero: that of
/// residuals i and j <= i to those at place i (i + 1) / 2 + j. `at(start, lanes)` returns so many entries
/// of each. With a floor, places weigh one over the size of the last residual and the floor.
#[inline(always)]
pub(super) fn products<S: Copy + Default>(
    count: usize,
    floor: Option<f64>,
    at: impl Fn(usize, usize) -> [[f64; LANES]; RESIDUALS],
    add: impl Fn(&mut S, f64),
) -> [[S; LANES]; PAIRS] {
    let mut sums = [[S::default(); LANES]; PAIRS];
    for start in (0..count).step_by(LANES) {
        let residuals = at(start, LANES.min(count - start));
        let places = residuals[RESIDUALS - 1]
            .map(|last: f64| floor.map_or(1.0, |floor| 1.0 / (last.abs() + floor)));
        let weighted = residuals
            .map(|residual| array::from_fn::<f64, LANES, _>(|lane| residual[lane] * places[lane]));
        let mut sums = sums.iter_mut();
        for (i, weighted) in weighted.iter().enumerate() {
            for (residual, sums) in residuals[..=i].iter().zip(&mut sums) {
                for lane in 0..LANES {
                    add(&mut sums[lane], weighted[lane] * residual[lane]);
                }
            }
        }
    }
    sums
}

/// The weights, with sum one, that make the norm of the combined residual smallest; none if the products
/// do not tell any. That of residuals i and j <= i is at place i (i + 1) / 2 + j.
pub(super) fn least_squares(products: &[f64; PAIRS], ridge: f64) -> Option<[f64; RESIDUALS]> {
    let at = |i: usize, j: usize| products[i * (i + 1) / 2 + j];
    let norms: [f64; RESIDUALS] = array::from_fn(|i| at(i, i).sqrt());
    if norms.iter().any(|norm| !norm.is_normal()) {
        return None;
    }
    // Cholesky's factor of the products of residuals scaled to norm one. Residuals that are
    // multiples of each other make it singular, but for the ridge, which exceeds the errors of products.
    let mut factor = [[0.0; RESIDUALS]; RESIDUALS];
    for i in 0..RESIDUALS {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| factor[i][k] * factor[j][k]).sum();
            let rest = at(i, j) / (norms[i] * norms[j]) - known;
            factor[i][j] = match i == j {
                true => (rest + ridge).sqrt(),
                false => rest / factor[j][j],
            };
        }
    }
    let mut weights = [0.0; RESIDUALS];
    for i in 0..RESIDUALS {
        let known: f64 = (0..i).map(|k| factor[i][k] * weights[k]).sum();
        weights[i] = (1.0 / norms[i] - known) / factor[i][i];
    }
    for i in (0..RESIDUALS).rev() {
        let known: f64 = (i + 1..RESIDUALS).map(|k| factor[k][i] * weights[k]).sum();
        weights[i] = (weights[i] - known) / factor[i][i];
    }
    for (weight, norm) in weights.iter_mut().zip(norms) {
        *weight /= norm;
    }
    let sum: f64 = weights.iter().sum();
    let weights = weights.map(|weight| weight / sum);
    weights
        .iter()
        .all(|weight| weight.is_finite())
        .then_some(weights)
}
