//! Estimates from draws alone, without exact searches, against breadth-first searches written for the tests.

use super::estimates::Estimates;
use super::*;
use crate::geometric::closeness::{Closeness, Variant};
use crate::geometric::decay::Decay;
use crate::geometric::harmonic::Harmonic;
use crate::geometric::lin::Lin;
use crate::geometric::reachable::Reachable;
use proptest::prelude::*;
use std::collections::VecDeque;
use webrank_base::progress::Silent;

const HARMONIC: Harmonic = Harmonic { normalize: false };

/// Of terms of two measures, of nodes, of distances.
const SUMS: usize = 4;

/// The sums of terms of each measure for each node, by a search from every node along `successors`.
fn naive(successors: &Csr) -> Vec<[f64; SUMS]> {
    let n = successors.num_nodes();
    let mut sums = vec![[0.0; SUMS]; n];
    for y in 0..n as Node {
        let mut distance = vec![u32::MAX; n];
        distance[y as usize] = 0;
        let mut queue = VecDeque::from([y]);
        while let Some(x) = queue.pop_front() {
            for &z in successors.row(x) {
                if distance[z as usize] == u32::MAX {
                    distance[z as usize] = distance[x as usize] + 1;
                    queue.push_back(z);
                }
            }
        }
        for (x, &d) in distance.iter().enumerate() {
            if d > 0 && d < u32::MAX {
                sums[x][0] += 1.0 / f64::from(d);
                sums[x][1] += 0.5f64.powi(d as i32);
                sums[x][2] += 1.0;
                sums[x][3] += f64::from(d);
            }
        }
    }
    sums
}

/// The estimates without limits, from `count` draws, or from all nodes that may be drawn.
fn estimated(successors: &Csr, count: Option<usize>, seed: u64) -> Vec<[f64; SUMS]> {
    of_estimates(successors, count, seed, |it, x| it.unlimited(x))
}

/// A result per node and sum, from that many draws.
fn of_estimates(
    successors: &Csr,
    count: Option<usize>,
    seed: u64,
    value: impl Fn(&Estimates, usize) -> f64,
) -> Vec<[f64; SUMS]> {
    let half = Decay::default();
    let measures: [&dyn DistanceMeasure; 4] = [&HARMONIC, &half, &Reachable, &Lin];
    let nodes = 0..successors.num_nodes();
    let found = drawn(
        successors,
        &measures,
        count,
        seed,
        |asked, sampled, found| {
            assert_eq!(asked.num_sums(), SUMS);
            let all: [_; SUMS] =
                std::array::from_fn(|place| asked.estimates(sampled, found, place));
            let of_node = |x| all.each_ref().map(|it| value(it, x));
            nodes.clone().map(of_node).collect()
        },
    );
    found.unwrap_or_else(|| nodes.map(|_| [0.0; SUMS]).collect())
}

/// A result from so many draws, or all; none if no node may be drawn.
fn drawn<T>(
    successors: &Csr,
    measures: &[&dyn DistanceMeasure],
    count: Option<usize>,
    seed: u64,
    result: impl FnOnce(&Asked, &Sampled, &Findings) -> T,
) -> Option<T> {
    let predecessors = successors.transpose().unwrap();
    let (p, s) = (Predecessors(&predecessors), Successors(successors));
    let exact = Exact::new(p, s, Direction::In);
    let sampler = Sampler {
        exact: &exact,
        rows: &predecessors,
        reverse: successors,
        measures,
        wanted: Sample::default(),
    };
    let population = sampler.population();
    let most = population.order.len();
    let count = count.unwrap_or(most).min(most);
    if most == 0 {
        return None;
    }
    let asked = sampler.asked().unwrap();
    let draws = Draws::new(&population.order, count, seed);
    let scales = asked.scales(count, GROUPS);
    let searches = Searches {
        graph: &population.graph,
        draws: &draws,
        scales: &scales,
    };
    let mut found = Found::new(&searches);
    while found.done < count {
        searches.advance(&mut found, 1, &Silent).unwrap();
    }
    let sums = found.into_sums();
    let found = Findings::new(draws, scales, sums);
    Some(result(&asked, &population.sampled(), &found))
}

fn assert_same(found: &[[f64; SUMS]], truth: &[[f64; SUMS]]) {
    for (x, (found, truth)) in found.iter().zip(truth).enumerate() {
        for (found, truth) in found.iter().zip(truth) {
            assert!(
                (found - truth).abs() <= 1e-12 * truth.max(1.0),
                "{x}: {found}, not {truth}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Loops, twins, equal rows, cycles, several components, nodes without arcs.
    #[test]
    fn draws_of_all_nodes_give_the_sums(
        n in 1usize..13,
        arcs in prop::collection::vec((0u32..13, 0u32..13), 0..50),
        seed in 0u64..10,
    ) {
        let arcs = arcs.into_iter().map(|(x, y)| (x % n as u32, y % n as u32));
        let successors = Csr::from_arcs(n, arcs).unwrap();
        let truth = naive(&successors);
        assert_same(&estimated(&successors, None, seed), &truth);
        for (place, scores) in of_formulas(&successors, None, seed).iter().enumerate() {
            for (x, found) in scores.values.iter().enumerate() {
                let expected = formula(place, n, &truth[x]);
                prop_assert!((found - expected).abs() <= 1e-12 * expected.abs().max(1.0), "{place} {x}: {found}");
            }
        }
    }

    /// Too few draws for groups: intervals are all that is possible. Estimates have parts of nodes.
    #[test]
    fn few_draws_leave_what_is_possible(
        n in 1usize..40,
        arcs in prop::collection::vec((0u32..40, 0u32..40), 0..120),
        count in 1usize..12,
        seed in 0u64..10,
    ) {
        let arcs = arcs.into_iter().map(|(x, y)| (x % n as u32, y % n as u32));
        let successors = Csr::from_arcs(n, arcs).unwrap();
        let truth = naive(&successors);
        for (place, scores) in of_formulas(&successors, Some(count), seed).iter().enumerate() {
            let its = scores.intervals.as_ref().unwrap();
            for (x, &found) in scores.values.iter().enumerate() {
                let (lower, upper, expected) = (its.lower[x], its.upper[x], formula(place, n, &truth[x]));
                let slack = 1e-12 * expected.abs();
                let holds = lower - slack <= expected && expected <= upper + slack;
                prop_assert!(holds, "{place} {x}: {expected} in {lower} to {upper}");
                prop_assert!(lower <= found && found <= upper, "{place} {x}: {found} in {lower} to {upper}");
            }
        }
    }
}

/// Lin's index and the three variants of closeness, from so many draws, or all.
fn of_formulas(successors: &Csr, count: Option<usize>, seed: u64) -> Vec<Scores> {
    let [bavelas, nieminen, faust] = [Variant::Bavelas, Variant::Nieminen, Variant::WassermanFaust]
        .map(|variant| Closeness { variant });
    let measures: [&dyn DistanceMeasure; 4] = [&Lin, &bavelas, &nieminen, &faust];
    let found = drawn(
        successors,
        &measures,
        count,
        seed,
        |asked, sampled, found| asked.columns(sampled, found, |_, _| f64::NAN),
    );
    found.unwrap_or_default()
}

/// The definition of one of them.
fn formula(place: usize, n: usize, &[.., r, sum]: &[f64; SUMS]) -> f64 {
    match (place, r == 0.0) {
        (0 | 2, true) => 1.0,
        (1 | 3, true) => 0.0,
        (0, _) => (r + 1.0).powi(2) / sum,
        (1, _) => 1.0 / sum,
        (2, _) => (r + 1.0).powi(2) - sum,
        _ => r / (n - 1) as f64 * (r / sum),
    }
}

/// A draw comes back to its own node by a cycle of two, in a class of equal rows, and in one of twins.
#[test]
fn draws_do_not_count_themselves() {
    for arcs in [
        &[(0, 1), (1, 0), (0, 2), (2, 0)][..],
        &[(0, 1), (1, 0), (0, 2), (3, 1), (3, 2), (2, 3)],
        &[
            (0, 1),
            (1, 0),
            (1, 2),
            (2, 1),
            (0, 2),
            (2, 0),
            (2, 3),
            (3, 0),
        ],
        &[(0, 1), (1, 2), (2, 0), (2, 3), (3, 1)],
    ] {
        let successors = Csr::from_arcs(5, arcs.iter().copied()).unwrap();
        assert_same(&estimated(&successors, None, 0), &naive(&successors));
    }
}

#[test]
fn several_batches_give_the_sums() {
    let n = 1500;
    let arcs = (0..n).flat_map(|x| [(x, x * 7 % n), (x, (x + 1) % n), (x / 3, x * x % n)]);
    let successors = Csr::from_arcs(n as usize, arcs).unwrap();
    assert_same(&estimated(&successors, None, 0), &naive(&successors));
}

/// The mean over seeds is the sum, whatever the number of draws: 12 nodes, of which 9 may be drawn.
#[test]
fn estimates_are_unbiased() {
    const SEEDS: u64 = 3000;
    let arcs = [
        (0, 1),
        (1, 2),
        (2, 3),
        (3, 0),
        (3, 4),
        (4, 5),
        (5, 3),
        (6, 5),
        (7, 6),
        (8, 7),
        (2, 9),
        (4, 10),
        (8, 0),
    ];
    let successors = Csr::from_arcs(12, arcs).unwrap();
    let truth = naive(&successors);
    for count in [1, 2, 4, 7, 8] {
        let mut sums = vec![[[0.0; 2]; SUMS]; 12];
        for seed in 0..SEEDS {
            for (sums, found) in sums
                .iter_mut()
                .zip(estimated(&successors, Some(count), seed))
            {
                for ([sum, squares], found) in sums.iter_mut().zip(found) {
                    *sum += found;
                    *squares += found * found;
                }
            }
        }
        for (x, (sums, truth)) in sums.iter().zip(&truth).enumerate() {
            for (&[sum, squares], truth) in sums.iter().zip(truth) {
                let mean = sum / SEEDS as f64;
                let variance = (squares / SEEDS as f64 - mean * mean).max(0.0);
                let error = (variance / SEEDS as f64).sqrt();
                // 240 means: 5 standard errors are exceeded by one of them in 10,000 tests.
                assert!(
                    (mean - truth).abs() <= 5.0 * error + 1e-9,
                    "{count}, {x}: {mean}, {truth}"
                );
            }
        }
    }
}

/// On a path, the searches of neighbours find nearly the same: strata make the error many times smaller than
/// that of uniform draws.
#[test]
fn strata_make_errors_small() {
    let n = 2000;
    let successors = Csr::from_arcs(n as usize, (1..n).map(|x| (x - 1, x))).unwrap();
    let truth = naive(&successors);
    let last = n as usize - 1;
    let mut worst: f64 = 0.0;
    for seed in 0..20 {
        let found = estimated(&successors, Some(100), seed)[last][2];
        worst = worst.max((found - truth[last][2]).abs());
    }
    // All nodes reach the last: a run of 20 nodes misses its neighbour, which is known, or does not.
    assert!(worst <= 20.0, "{worst}");
    let error = |x: usize, count| {
        let squares = (0..20u64).map(|seed| {
            let found = estimated(&successors, Some(count), seed)[x][0];
            (found / truth[x][0] - 1.0).powi(2)
        });
        (squares.sum::<f64>() / 20.0).sqrt()
    };
    // Four times as many draws: half the error for uniform draws, less than a third here.
    let [few, many] = [100, 400].map(|count| error(1999, count));
    assert!(many < few / 3.0, "{few}, {many}");
}

/// All 400 nodes but the first are at distance 1 of it, so that the 16 groups of 100 draws agree: what is left is one
/// draw of the term at distance 2, for 3.99 nodes each.
#[test]
fn groups_that_agree_leave_the_error_of_one_draw() {
    let star = Csr::from_arcs(400, (1..400).map(|x| (x, 0))).unwrap();
    let error = |it: &Estimates<'_>, x| it.standard_error(x).unwrap_or(f64::NAN);
    for (found, term) in of_estimates(&star, Some(100), 1, error)[0]
        .iter()
        .zip([0.5, 0.25, 1.0])
    {
        assert!((found - 3.99 * term).abs() < 1e-6, "{found}");
    }
}
