//! Losses are those that the formula says.

use super::*;
use crate::sieve::{LEAST_MEMORY, SieveKind, open};
use std::path::Path;

/// How many of so many different URLs a filter of one layer loses, and how many it says.
fn losses(urls: u64, sieve: &mut Bloom) -> (f64, f64) {
    let mut out = Vec::new();
    for number in 0..urls {
        let url = format!("http://example.org/{number}");
        sieve.take(&url, &mut out).unwrap();
    }
    ((urls as usize - out.len()) as f64, sieve.account().lost)
}

/// From 20 down to 4 bits a URL, where most are lost, the account is right within 5% and four standard
/// errors.
#[test]
fn filters_say_how_many_urls_they_lost() {
    let blocks = 1 << 12;
    for bits in [20, 16, 12, 10, 8, 6, 5, 4] {
        let mut sieve = Bloom::new(blocks * 64, None, &mut Vec::new()).unwrap();
        // Two layers, of 2^11 blocks each: the first is full before the second begins.
        let (measured, said) = losses(blocks * 512 / bits, &mut sieve);
        let error = 0.05 * said + 4.0 * said.sqrt();
        assert!((measured - said).abs() < error, "{bits}: {measured} {said}");
    }
}

/// The rate of false positives among strangers is that of the formula, for every k.
#[test]
fn false_positives_follow_the_formula() {
    for (loss, urls) in [
        (0.3, 100_000u64),
        (0.05, 100_000),
        (0.01, 200_000),
        (2e-3, 400_000),
    ] {
        let goal = BloomGoal { urls, loss };
        let (bits, k) = goal.design().unwrap();
        let mut sieve = Bloom::new(0, Some(goal), &mut Vec::new()).unwrap();
        let rate = false_positives(512.0 / bits, k);
        assert!(rate <= loss && rate > 0.95 * loss, "{loss}: {rate}");
        losses(urls, &mut sieve);
        // The next URLs fill the filter by one part in 20 at most.
        let strangers = urls / 20;
        let mut out = Vec::new();
        for number in 0..strangers {
            let url = format!("http://example.com/{number}");
            sieve.take(&url, &mut out).unwrap();
        }
        let lost = (strangers as usize - out.len()) as f64;
        let least = rate * strangers as f64;
        let most = false_positives(512.0 / bits * 1.05, k) * strangers as f64;
        let error = 4.0 * most.sqrt();
        assert!(
            (0.97 * least - error..=1.03 * most + error).contains(&lost),
            "{loss}, k = {k}: {lost} of {strangers}, {least} to {most}"
        );
    }
}

/// Closed form: with one bit a URL, a stranger is a false positive if its bit is set, which i URLs leave
/// unset with probability (1 - 1/512)^i: f(j) = 1 - e^(-j / 512).
#[test]
fn the_formula_with_one_bit_is_exponential() {
    for load in [0.5, 10.0, 25.6, 512.0, 2000.0] {
        let exact = 1.0 - (-load / 512.0f64).exp();
        let found = false_positives(load, 1);
        assert!(
            (found / exact - 1.0).abs() < 1e-9,
            "{load}: {found} {exact}"
        );
    }
}

#[test]
fn goals_take_the_least_memory() {
    let goal = |loss| BloomGoal {
        urls: 1_000_000_000,
        loss,
    };
    let (bits, k) = goal(1e-4).design().unwrap();
    assert!((22.0..22.5).contains(&bits) && k == 12, "{bits} {k}");
    assert!((2.7e9..2.9e9).contains(&(goal(1e-4).bytes().unwrap() as f64)));
    for loss in [0.0, 1.0, -1.0, f64::NAN, 1e-30] {
        assert!(goal(loss).design().is_err(), "{loss}");
    }
    let refused = open(
        (SieveKind::Store, Some(goal(1e-4))),
        Path::new(""),
        LEAST_MEMORY,
        &mut Vec::new(),
    );
    let problem = refused.err().unwrap().to_string();
    assert!(problem.contains("only --sieve bloom"), "{problem}");
}

/// 400,000 URLs, six times the first layer: layers are added, and few are lost.
#[test]
fn a_filter_grows_by_layers() {
    let mut out = Vec::new();
    let mut sieve = open(
        (SieveKind::Bloom, None),
        Path::new(""),
        LEAST_MEMORY,
        &mut out,
    )
    .unwrap();
    for number in 0..400_000 {
        sieve
            .take(&format!("http://example.org/{number}"), &mut out)
            .unwrap();
    }
    let account = sieve.account();
    let lost = 400_000 - out.len();
    assert!(account.memory > 1 << 20, "{account:?}");
    assert!(account.memory <= LEAST_MEMORY, "{account:?}");
    assert!(
        (lost as f64 - account.lost).abs() < 0.05 * account.lost + 4.0 * account.lost.sqrt(),
        "{lost} {account:?}"
    );
    assert!(lost < 200, "{lost}");
}
