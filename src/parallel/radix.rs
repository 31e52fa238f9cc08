//! Keys of 64 bits, sorted by their upper halves.
//!
//! Each pass moves keys by eight bits more, and leaves those with equal bits in their order (Knuth, The Art
//! of Computer Programming 3, 5.2.5). Four passes take a third of the time of comparisons.

use super::tasks;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const DIGIT_BITS: u32 = 8;
const DIGITS: usize = 1 << DIGIT_BITS;

/// Fewer keys are sorted by comparisons.
const FEW: usize = 1 << 12;

/// Sorts keys, those whose lower halves increase, by their upper halves: then they are sorted. Parallel; 8
/// bytes a key besides.
pub(crate) fn sort_by_upper_half(keys: Vec<u64>) -> Vec<u64> {
    if keys.len() < FEW {
        let mut keys = keys;
        keys.sort_unstable();
        return keys;
    }
    let mut from: Vec<AtomicU64> = keys.into_iter().map(AtomicU64::new).collect();
    let mut to: Vec<AtomicU64> = vec![0u64; from.len()]
        .into_iter()
        .map(AtomicU64::new)
        .collect();
    for shift in (u64::BITS / 2..u64::BITS).step_by(DIGIT_BITS as usize) {
        if pass(&from, &to, shift) {
            std::mem::swap(&mut from, &mut to);
        }
    }
    from.into_iter().map(AtomicU64::into_inner).collect()
}

/// Moves keys in the order of one digit, unless all have the same.
fn pass(from: &[AtomicU64], to: &[AtomicU64], shift: u32) -> bool {
    let digit = |key: u64| (key >> shift) as usize % DIGITS;
    // Few parts: each has as many places to write to as there are digits.
    let length = from.len().div_ceil(4 * rayon::current_num_threads());
    let mut counts = tasks::map(from.chunks(length), |keys| {
        let mut counts = vec![0usize; DIGITS];
        for key in keys {
            counts[digit(key.load(Relaxed))] += 1;
        }
        counts
    });
    let mut next = 0;
    for of_digit in 0..DIGITS {
        let start = next;
        for counts in &mut counts {
            next += std::mem::replace(&mut counts[of_digit], next);
        }
        if next - start == from.len() {
            return false;
        }
    }
    // Every place is written once: relaxed stores are plain stores, without a race.
    tasks::for_each(from.chunks(length).zip(counts), |(keys, mut places)| {
        for key in keys {
            let key = key.load(Relaxed);
            let place = &mut places[digit(key)];
            to[*place].store(key, Relaxed);
            *place += 1;
        }
    });
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traversal::sources::SplitMix;

    #[test]
    fn keys_are_sorted_whatever_their_digits() {
        for (bits, count) in [
            (0, 3 * FEW),
            (5, FEW),
            (17, 5 * FEW + 3),
            (32, 40),
            (32, 9 * FEW),
        ] {
            let mut random = SplitMix::new(bits);
            let upper = |_| random.below(1 << bits) << 32;
            let uppers: Vec<u64> = (0..count).map(upper).collect();
            let keys = uppers.iter().zip(0..).map(|(upper, node)| upper | node);
            let keys: Vec<u64> = keys.collect();
            let mut sorted = keys.clone();
            sorted.sort_unstable();
            assert_eq!(sort_by_upper_half(keys), sorted);
        }
    }
}
