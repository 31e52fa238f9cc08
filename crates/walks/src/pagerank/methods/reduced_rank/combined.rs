//! Combinations of changes, by vector instructions.

use super::least_squares::RESIDUALS;
use pulp::NullaryFnOnce;
use std::array;
use webrank_base::parallel::fixed_point_sum::{FixedLanes, FixedSum, LANES};

/// The l1 norms of two combinations of the changes of a task.
pub(super) struct Combined<'a> {
    pub(super) changes: [&'a [f32]; RESIDUALS],
    pub(super) weights: [&'a [f64; RESIDUALS]; 2],
}

impl NullaryFnOnce for Combined<'_> {
    type Output = [FixedSum; 2];

    #[inline(always)]
    fn call(self) -> [FixedSum; 2] {
        // More than any combination that is used.
        const MOST: f64 = 4095.0;
        let mut sums = [FixedLanes::default(); 2];
        for start in (0..self.changes[0].len()).step_by(LANES) {
            let changes = lanes_at(&self.changes, start);
            for (sum, weights) in sums.iter_mut().zip(self.weights) {
                let entries = combination(weights, &changes);
                sum.add(array::from_fn(|lane| entries[lane].abs().min(MOST)));
            }
        }
        sums.map(FixedLanes::sum)
    }
}

/// Takes parts of the changes of a task back.
pub(super) struct ApplyExtrapolation<'a> {
    pub(super) scores: &'a mut [f64],
    pub(super) back: [f64; RESIDUALS],
    pub(super) changes: [&'a [f32]; RESIDUALS],
}

impl NullaryFnOnce for ApplyExtrapolation<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for (chunk, scores) in self.scores.chunks_mut(LANES).enumerate() {
            let changes = lanes_at(&self.changes, chunk * LANES);
            let parts = combination(&self.back, &changes);
            for (score, part) in scores.iter_mut().zip(parts) {
                // Scores are not negative, so this brings them nearer.
                *score = (*score - part).max(0.0);
            }
        }
    }
}

/// The entries of all changes from here on, and zeros after the last.
#[inline(always)]
fn lanes_at(changes: &[&[f32]; RESIDUALS], start: usize) -> [[f32; LANES]; RESIDUALS] {
    let mut all = [[0.0; LANES]; RESIDUALS];
    for (lanes, change) in all.iter_mut().zip(changes) {
        let rest = &change[start..];
        match rest.first_chunk() {
            Some(full) => *lanes = *full,
            None => lanes[..rest.len()].copy_from_slice(rest),
        }
    }
    all
}

/// Entries of a combination of changes.
#[inline(always)]
fn combination(weights: &[f64; RESIDUALS], changes: &[[f32; LANES]; RESIDUALS]) -> [f64; LANES] {
    let mut sums = [0.0; LANES];
    for (weight, change) in weights.iter().zip(changes) {
        sums = array::from_fn(|lane| sums[lane] + weight * f64::from(change[lane]));
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use webrank_base::parallel::simd::Simd;

    /// Every width has the bits of loops over single entries.
    #[test]
    fn combinations_of_every_width_are_the_same() {
        let n = 1003;
        let change = |j: usize| -> Vec<f32> {
            let entry = |x: usize| ((x * (j + 3)) % 17) as f32 / 300.0 - 0.02;
            (0..n).map(entry).collect()
        };
        let changes: [Vec<f32>; RESIDUALS] = array::from_fn(change);
        let changes = array::from_fn(|j| &changes[j][..]);
        let weights: [f64; RESIDUALS] =
            array::from_fn(|j| [1.7, -0.4, 1e6][j % 3] / (j + 1) as f64);
        let entry = |node: usize| {
            let terms = weights.iter().zip(&changes);
            terms.fold(0.0, |sum, (weight, change)| {
                sum + weight * f64::from(change[node])
            })
        };
        let mut sum = FixedSum::default();
        (0..n).for_each(|node| sum.add(entry(node).abs().min(4095.0)));
        let expected: Vec<f64> = (0..n).map(|node| (0.01 - entry(node)).max(0.0)).collect();
        for simd in Simd::available() {
            let weights = [&weights, &weights];
            assert_eq!(
                simd.run(Combined { changes, weights }),
                [sum; 2],
                "{simd:?}"
            );
            let mut scores = vec![0.01; n];
            simd.run(ApplyExtrapolation {
                scores: &mut scores,
                back: *weights[0],
                changes,
            });
            assert_eq!(scores, expected, "{simd:?}");
        }
    }
}
