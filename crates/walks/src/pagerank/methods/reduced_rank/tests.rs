//! Combinations are the best of their norm.

use super::weights::Products;
use super::*;
use proptest::prelude::*;
use pulp::NullaryFnOnce;
use webrank_base::parallel::simd::Simd;
use webrank_linear::prefixes::PREFIX_BLOCK;

/// The weights of iterates in memory.
fn in_memory(iterates: &[Vec<f64>; RESIDUALS + 1], weighted: bool) -> [f64; RESIDUALS] {
    let count = iterates[0].len();
    let entries = array::from_fn(|j| Entries::Memory(&iterates[j]));
    weights(entries, count, weighted).unwrap().unwrap()
}

proptest! {
    /// No nearby weights with the same sum have a smaller residual, in either norm.
    #[test]
    fn no_other_weights_are_better(entries in prop::collection::vec(
        prop::array::uniform7(-1.0..1.0f64), 7..40), weighted in any::<bool>()
    ) {
        let iterate = |j: usize| entries.iter().map(|entry| entry[j]).collect::<Vec<f64>>();
        let iterates: [Vec<f64>; RESIDUALS + 1] = array::from_fn(iterate);
        let best = in_memory(&iterates, weighted);
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
    let best = in_memory(&iterates, false);
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
    ) {
        let iterate = |j: usize| entries.iter().map(|entry| entry[j]).collect::<Vec<f64>>();
        let newer: [Vec<f64>; RESIDUALS] = array::from_fn(|j| iterate(j + 1));
        let mut firsts = iterate(0);
        let mut residuals = vec![0.0; entries.len()];
        combine(&weights, array::from_fn(|j| &newer[j][..]), &mut firsts, &mut residuals);
        let written = firsts.into_iter().zip(residuals);
        let expected = entries.iter().map(|entry| combined(*entry, &weights));
        prop_assert!(written.eq(expected));
    }
}

/// Entries that take several pieces and tasks.
const MANY: usize = 9 * PREFIX_BLOCK + 5;

/// The fate of a combination: it is used; or it is no better, or so but for rounding.
#[derive(Debug, Clone, Copy)]
enum Fate {
    Used,
    Worse,
    Rounded,
}

/// The iterates of a map with many eigenvalues, and the residuals of combinations, which have these
/// fates.
fn iterated(iterates: &mut IterateHistory<f32>, fates: &[Fate]) -> Vec<Vec<f32>> {
    let (mut y, mut fates, mut found) = (vec![0.0; MANY], fates.iter(), Vec::new());
    for _ in 0..40 {
        if let Some((mut into, combination)) = iterates.combination(&mut y).unwrap() {
            let mut residuals = vec![0.0; MANY];
            let blocks = into
                .chunks_mut(PREFIX_BLOCK)
                .zip(residuals.chunks_mut(PREFIX_BLOCK));
            for (block, (into, residuals)) in blocks.enumerate() {
                let start = block * PREFIX_BLOCK;
                let places = start..start + into.len();
                combination.write(places, into, residuals).unwrap();
            }
            residuals.push(combination.rounding() as f32);
            found.push(residuals);
            let fate = fates.next().unwrap_or(&Fate::Used);
            if let Fate::Used = fate {
                iterates.accept(combination);
                y = into;
            } else {
                let is_rounded = matches!(fate, Fate::Rounded);
                y = iterates.reject(combination, into, is_rounded).unwrap();
            }
        }
        let old = iterates.begin(&mut y).unwrap();
        for (place, y) in y.iter_mut().enumerate() {
            let last = old.as_ref().map_or(*y, |old| old[place]);
            let root = [0.9, -0.9, 0.5, 0.83, -0.2, 0.7, 0.6][place % 7];
            *y = root * last + (place % 11) as f32;
        }
        iterates.keep(old);
        found.push(y.clone());
    }
    found
}

/// No room, and a folder for files.
fn in_files(folder: &std::path::Path) -> SpillBudget {
    SpillBudget {
        bytes: 0,
        folder: Some(Arc::new(TemporaryFolder::create(folder).unwrap())),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    #[test]
    fn iterates_in_files_are_those_in_memory(fates in prop::collection::vec(
        prop_oneof![Just(Fate::Used), Just(Fate::Worse), Just(Fate::Rounded)], 1..6)
    ) {
        let folder = tempfile::tempdir().unwrap();
        let mut iterates = IterateHistory::within(MANY, &in_files(folder.path()));
        let found = iterated(&mut iterates, &fates);
        prop_assert!(found.len() > 42, "there are no combinations");
        prop_assert!(iterates.past.iter().all(|kept| matches!(kept, SpilledVector::File(_))));
        prop_assert!(iterates.past.len() + iterates.spare.len() <= RESIDUALS + 1);
        prop_assert!(found == iterated(&mut IterateHistory::new(), &fates), "other numbers");
        drop(iterates);
        prop_assert_eq!(folder.path().read_dir().unwrap().count(), 0, "a file is left");
    }
}

#[test]
fn iterates_are_in_memory_while_there_is_room() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = (4 * RESIDUALS * MANY) as u64;
    for (bytes, is_file) in [(bytes, false), (bytes - 1, true)] {
        let room = SpillBudget {
            bytes,
            ..in_files(folder.path())
        };
        let mut iterates = IterateHistory::within(MANY, &room);
        let old = iterates.begin(&mut vec![1.0f32; MANY]).unwrap();
        assert_eq!(old.is_none(), is_file);
    }
}

#[test]
fn a_file_that_has_changed_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let mut iterates = IterateHistory::within(MANY, &in_files(folder.path()));
    let mut y = vec![1.0f32; MANY];
    for sweep in 0..7 {
        y[MANY - 1] = sweep as f32;
        let old = iterates.begin(&mut y).unwrap();
        iterates.keep(old);
    }
    let [part] = [folder.path()].map(|path| path.read_dir().unwrap().next().unwrap().unwrap());
    let file = part.path().read_dir().unwrap().next().unwrap().unwrap();
    let mut bytes = std::fs::read(file.path()).unwrap();
    bytes[4 * MANY - 1] ^= 1;
    std::fs::write(file.path(), bytes).unwrap();
    let problem = iterates.combination(&mut y).err().unwrap().to_string();
    assert!(problem.contains("has changed"), "{problem}");
}
