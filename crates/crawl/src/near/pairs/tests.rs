//! All pairs by tables are those of a comparison of all with all.

use super::super::{MAX_DISTANCE, distance};
use super::*;
use proptest::prelude::*;
use std::sync::Mutex;
use webrank_base::progress::Silent;

/// All pairs in order, by tables; groups of more than `shared` are shared by threads.
fn by_tables(words: &[u64], k: u32, shared: usize) -> Vec<(u64, u64)> {
    let found = Mutex::new(Vec::new());
    let mut words = words.to_vec();
    near_pairs_shared(&mut words, k, shared, &Silent, &|pairs| {
        found.lock().unwrap().extend_from_slice(pairs);
        Ok(())
    })
    .unwrap();
    ordered(found.into_inner().unwrap())
}

fn ordered(pairs: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    let pairs = pairs.into_iter().map(|(a, b)| (a.min(b), a.max(b)));
    let mut pairs: Vec<_> = pairs.collect();
    pairs.sort_unstable();
    pairs
}

fn by_definition(words: &[u64], k: u32) -> Vec<(u64, u64)> {
    let mut pairs = Vec::new();
    for (i, &a) in words.iter().enumerate() {
        let near = words[i + 1..].iter().filter(|&&b| distance(a, b) <= k);
        pairs.extend(near.map(|&b| (a, b)));
    }
    ordered(pairs)
}

/// Numbers that look random.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut word = *state;
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// Different fingerprints: random ones but for the bits of `same`, and neighbours of some.
fn planted(count: usize, same: u64, state: &mut u64) -> Vec<u64> {
    let mut words = Vec::new();
    while words.len() < count {
        let word = random(state) & !same;
        words.push(word);
        for _ in 0..random(state) % 4 {
            let flips =
                (0..random(state) % 7).fold(0, |flips, _| flips | 1 << (random(state) % 64));
            words.push((word ^ flips) & !same);
        }
    }
    words.sort_unstable();
    words.dedup();
    words
}

proptest! {
    #[test]
    fn all_pairs_are_found_once(
        seed: u64,
        count in 0usize..700,
        same: u64,
        crowded: bool,
        k in 0u32..=MAX_DISTANCE,
    ) {
        let mut state = seed;
        let words = planted(count, if crowded { same } else { 0 }, &mut state);
        let expected = by_definition(&words, k);
        for shared in [1, 50, SHARED] {
            prop_assert_eq!(&by_tables(&words, k, shared), &expected, "{}", shared);
        }
    }
}

#[test]
fn all_pairs_of_many_are_found_once() {
    // Random ones; ones that share most bits, so that fronts are cut again by all threads.
    let mut state = 1;
    for words in [
        planted(20_000, 0, &mut state),
        planted(20_000, u64::MAX << 34, &mut state),
        planted(20_000, 0x4444_4444_4444_4444, &mut state),
    ] {
        let pairs = by_tables(&words, 3, 1 << 13);
        assert_eq!(pairs, by_definition(&words, 3));
    }
}

#[test]
fn all_fingerprints_of_some_bits_have_as_many_neighbours() {
    // 16 bits that are far from each other.
    let spread = |i: u64| (0..16).fold(0, |word, bit| word | (i >> bit & 1) << (4 * bit));
    let dense: Vec<u64> = (0..1 << 16).map(spread).collect();
    for (k, near) in [(1, 16), (2, 16 + 120), (3, 16 + 120 + 560)] {
        let pairs = by_tables(&dense, k, SHARED);
        assert_eq!(pairs.len(), (near << 16) / 2, "k {k}");
        assert!(pairs.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(pairs.iter().all(|&(a, b)| distance(a, b) <= k));
    }
}
