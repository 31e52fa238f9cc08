//! Combinations are the best of their norm.

use super::*;
use proptest::prelude::*;

proptest! {
    /// No nearby weights with the same sum have a smaller residual, in either norm.
    #[test]
    fn no_other_weights_are_better(entries in prop::collection::vec(
        prop::array::uniform7(-1.0..1.0f64), 7..40), weighted in any::<bool>()
    ) {
        let iterate = |j: usize| entries.iter().map(|entry| entry[j]).collect::<Vec<f64>>();
        let iterates: [Vec<f64>; RESIDUALS + 1] = array::from_fn(iterate);
        let best = weights(array::from_fn(|j| &iterates[j][..]), weighted).unwrap();
        prop_assert!((best.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        let last = |entry: &[f64; RESIDUALS + 1]| (entry[RESIDUALS] - entry[RESIDUALS - 1]).abs();
        let mean = entries.iter().map(last).sum::<f64>() / entries.len() as f64;
        let norm = |weights: &[f64; RESIDUALS]| {
            let squares = entries.iter().map(|entry| {
                let divisor = if weighted { last(entry) + FLOOR * mean } else { 1.0 };
                combined(*entry, weights).1.powi(2) / divisor
            });
            squares.sum::<f64>().sqrt()
        };
        for (i, j) in (0..RESIDUALS).flat_map(|i| (0..RESIDUALS).map(move |j| (i, j))) {
            let mut other = best;
            other[i] += 1e-3;
            other[j] -= 1e-3;
            prop_assert!(norm(&best) <= norm(&other) * (1.0 + 1e-9));
        }
    }
}

#[test]
fn every_width_finds_the_same_weights() {
    let iterate = |j: usize| {
        (0..1000)
            .map(|x: usize| ((x * (j + 3)) % 17) as f32)
            .collect::<Vec<f32>>()
    };
    let iterates: [Vec<f32>; RESIDUALS + 1] = array::from_fn(iterate);
    let iterates = array::from_fn(|j| &iterates[j][..]);
    for floor in [None, Some(0.1)] {
        let plain = Products { iterates, floor }.call();
        for simd in Simd::available() {
            assert_eq!(simd.run(Products { iterates, floor }), plain, "{simd:?}");
        }
    }
}

#[test]
fn an_error_with_four_eigenvalues_vanishes() {
    // Eigenvalues 0.9, -0.9, 0.5, 0.1: entries are their powers.
    let powers = |j: i32| [0.9f64, -0.9, 0.5, 0.1].map(|root| root.powi(j)).to_vec();
    let iterates: [Vec<f64>; RESIDUALS + 1] = array::from_fn(|j| powers(j as i32));
    let best = weights(array::from_fn(|j| &iterates[j][..]), false).unwrap();
    let vanishes = |place: usize| {
        let at = array::from_fn(|j| iterates[j][place]);
        combined(at, &best).0.abs() < 1e-4
    };
    assert!((0..4).all(vanishes), "{best:?}");
}

/// The entry of a combination of iterates, given all of them at one place, and that of its residual.
fn combined(iterates: [f64; RESIDUALS + 1], weights: &[f64; RESIDUALS]) -> (f64, f64) {
    let (mut entry, mut residual) = (0.0, 0.0);
    for (weight, two) in weights.iter().zip(iterates.windows(2)) {
        entry += weight * two[1];
        residual += weight * (two[1] - two[0]);
    }
    (entry, residual)
}

proptest! {
    #[test]
    fn pieces_are_combined_place_by_place(
        entries in prop::collection::vec(prop::array::uniform7(-1.0..1.0f64), 1..2 * PIECE),
        weights in prop::array::uniform6(-2.0..2.0f64),
        start in 0usize..PIECE,
    ) {
        let iterate = |j: usize| entries.iter().map(|entry| entry[j]).collect::<Vec<f64>>();
        let combination = Combination {
            middle: array::from_fn(|j| iterate(j + 1)),
            last: iterate(RESIDUALS),
            weights,
        };
        let places = start.min(entries.len())..entries.len();
        let mut firsts = iterate(0)[places.clone()].to_vec();
        let mut residuals = vec![0.0; places.len()];
        combination.write(places.clone(), &mut firsts, &mut residuals);
        let written = firsts.into_iter().zip(residuals);
        let expected = entries[places].iter().map(|entry| combined(*entry, &weights));
        prop_assert!(written.eq(expected));
    }
}
