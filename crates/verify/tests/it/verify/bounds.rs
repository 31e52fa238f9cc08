//! Bounds of sweeps, against exact fractions.

use super::*;
use num_traits::{One, Signed, Zero};
use proptest::prelude::*;
use webrank_scores::parameters::{Dangling, Distribution};
use webrank_testing::graphs::graphs;
use webrank_testing::oracle::exact::{Exact, distance, exact, long_run, resolvent, solve, sum};
use webrank_testing::oracle::leaderrank;
use webrank_verify::{ErrorKind, Scale};
use webrank_walks::katz::Attenuation;
use webrank_walks::katz::Katz;
use webrank_walks::leaderrank::LeaderRank;
use webrank_walks::pagerank::PageRank;
use webrank_walks::pagerank::trustrank::TrustRank;
use webrank_walks::seeley::Seeley;

/// Factors that disturb scores: none, one of them or all.
fn noise() -> impl Strategy<Value = Vec<f64>> {
    let size = prop::sample::select(vec![1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 0.5]);
    (0u8..3, size, prop::collection::vec(-1.0..1.0f64, 12)).prop_map(|(kind, size, all)| {
        let factor = |(i, noise): (usize, f64)| match kind {
            0 => 1.0,
            1 if i > 0 => 1.0,
            _ => 1.0 + size * noise,
        };
        all.into_iter().enumerate().map(factor).collect()
    })
}

fn times(scores: &[f64], noise: &[f64]) -> Vec<f64> {
    scores
        .iter()
        .zip(noise)
        .map(|(x, factor)| x * factor)
        .collect()
}

/// Row i has 1 in column j for an arc i -> j.
fn adjacency(arcs: &Arcs) -> Vec<Vec<Exact>> {
    let mut a = vec![vec![Exact::zero(); arcs.0]; arcs.0];
    for &(i, j) in &arcs.1 {
        a[i as usize][j as usize] = Exact::one();
    }
    a
}

/// The error is between its bounds, and these are sharp; `unit` is what errors are divided by.
fn assert_found(finding: &Finding, claimed: &[f64], truth: &[Exact], unit: Exact, kind: ErrorKind) {
    let error = &finding.error;
    assert_eq!(error.kind, kind);
    let true_error = distance(claimed, truth) / unit;
    assert!(exact(error.at_least) <= true_error, "{finding:?}");
    assert!(true_error <= exact(error.at_most), "{finding:?}");
    // Walks that leave slowly leave more rounding.
    let rounding = 1e-8;
    assert!(
        error.at_most <= 1.1 * error.at_least + rounding,
        "{finding:?}"
    );
    if let Some(worst) = finding.worst {
        let off = (exact(worst.truth) - &truth[worst.node as usize]).abs();
        assert!(off <= exact(worst.within), "{finding:?}");
    }
}

/// The solution of `x = alpha x (G + d u) + (1 - alpha) v`.
fn exact_pagerank(arcs: &Arcs, alpha: f64, v: &[Exact], u: Option<&[Exact]>) -> Vec<Exact> {
    let n = arcs.0;
    let mut walk = adjacency(arcs);
    for row in &mut walk {
        let degree = sum(row);
        for (j, entry) in row.iter_mut().enumerate() {
            *entry = match (degree.is_zero(), u) {
                (false, _) => &*entry / &degree,
                (true, Some(u)) => u[j].clone(),
                (true, None) => Exact::zero(),
            };
        }
    }
    let alpha = exact(alpha);
    let start = (0..n).map(|i| (Exact::one() - &alpha) * &v[i]).collect();
    solve(resolvent(&walk, &alpha), start)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_error_of_pagerank_is_found(
        arcs in graphs(),
        noise in noise(),
        alpha in prop::sample::select(vec![0.0, 0.3, 0.85, 0.99]),
        dangling in 0u8..3,
        is_personal in any::<bool>(),
    ) {
        let n = arcs.0;
        let graph = graph_of(&arcs);
        let weights: Vec<f64> = (0..n).map(|i| if is_personal { (1 + i % 4) as f64 } else { 1.0 }).collect();
        let total = exact(weights.iter().sum());
        let v: Vec<Exact> = weights.iter().map(|&w| exact(w) / &total).collect();
        let uniform = vec![exact(1.0) / exact(n as f64); n];
        let (dangling, u) = match dangling {
            0 => (Dangling::Preference, Some(&v)),
            1 => (Dangling::Uniform, Some(&uniform)),
            _ => (Dangling::None, None),
        };
        let preference = Distribution::from_weights(weights).unwrap();
        let measure = PageRank::default().alpha(alpha).unwrap();
        let measure = measure.preference(preference.clone()).dangling(dangling.clone());
        let claimed = times(&scores(&measure, &graph), &noise);
        let parameters = Parameters { alpha: Some(alpha), preference, dangling, scale: Scale::Plain, ..Parameters::default() };
        let finding = check("pagerank", &graph, &claimed, &parameters);
        let truth = exact_pagerank(&arcs, alpha, &v, u.map(Vec::as_slice));
        assert_found(&finding, &claimed, &truth, Exact::one(), ErrorKind::L1);
    }

    #[test]
    fn the_error_of_trustrank_is_found(arcs in graphs(), noise in noise(), seed in 0u32..12) {
        let n = arcs.0;
        let graph = graph_of(&arcs);
        let seeds = vec![seed % n as u32];
        let measure = TrustRank { seeds: seeds.clone(), damping: Default::default(), certify_top: None, team: Default::default() };
        let claimed = times(&scores(&measure, &graph), &noise);
        let parameters = Parameters { seeds: seeds.clone(), scale: Scale::Plain, ..Parameters::default() };
        let finding = check("trustrank", &graph, &claimed, &parameters);
        let mut v = vec![Exact::zero(); n];
        v[seeds[0] as usize] = Exact::one();
        let truth = exact_pagerank(&arcs, 0.85, &v, Some(&v));
        assert_found(&finding, &claimed, &truth, Exact::one(), ErrorKind::L1);
    }

    #[test]
    fn the_error_of_katz_is_found(
        arcs in graphs(),
        noise in noise(),
        share in prop::sample::select(vec![0.01, 0.5, 0.95]),
        factor in prop::sample::select(vec![1.0, 0.001, 70.0]),
    ) {
        let n = arcs.0;
        let graph = graph_of(&arcs);
        let largest = (0..n as u32).map(|x| arcs.matrix().rows().degree(x)).max().unwrap().max(1);
        let alpha = share / largest as f64;
        let measure = Katz { alpha: Attenuation::new(alpha).unwrap(), ..Katz::default() };
        let claimed = times(&scores(&measure, &graph), &noise);
        let truth = solve(resolvent(&adjacency(&arcs), &exact(alpha)), vec![Exact::one(); n]);
        let mut parameters = Parameters { alpha: Some(alpha), scale: Scale::Plain, ..Parameters::default() };
        let finding = check("katz", &graph, &claimed, &parameters);
        assert_found(&finding, &claimed, &truth, sum(&truth), ErrorKind::RelativeL1);
        // Scaled scores are judged by the rest of their error.
        parameters.scale = Scale::Unknown;
        let scaled: Vec<f64> = claimed.iter().map(|x| x * factor).collect();
        let finding = check("katz", &graph, &scaled, &parameters);
        let unscaled: Vec<f64> = scaled.iter().map(|x| x / finding.scale).collect();
        assert_found(&finding, &unscaled, &truth, sum(&truth), ErrorKind::RelativeL1);
    }

    #[test]
    fn the_error_of_leaderrank_is_found(arcs in graphs(), noise in noise()) {
        let n = arcs.0;
        let graph = graph_of(&arcs);
        let claimed = times(&scores(&LeaderRank::default(), &graph), &noise);
        let mut weights = vec![vec![0; n]; n];
        arcs.1.iter().for_each(|&(i, j)| weights[i as usize][j as usize] = 1);
        let truth = leaderrank::leaderrank(&weights);
        let parameters = Parameters { scale: Scale::Plain, ..Parameters::default() };
        let finding = check("leaderrank", &graph, &claimed, &parameters);
        assert_found(&finding, &claimed, &truth, exact(n as f64), ErrorKind::RelativeL1);
    }

    #[test]
    fn the_error_of_seeley_is_found(arcs in graphs(), noise in noise()) {
        let graph = graph_of(&arcs);
        let claimed = times(&scores(&Seeley::default(), &graph), &noise);
        let truth = long_run(&adjacency(&arcs));
        let parameters = Parameters { scale: Scale::Plain, ..Parameters::default() };
        let finding = check("seeley", &graph, &claimed, &parameters);
        assert_found(&finding, &claimed, &truth, Exact::one(), ErrorKind::L1);
    }
}

#[test]
fn a_katz_index_that_does_not_exist_is_refused() {
    let triangle = Graph::from_arcs(3, [(0, 1), (1, 2), (2, 0)]).unwrap();
    for (alpha, words) in [
        (Some(1.5), "1/rho"),
        (None, "not known"),
        (Some(-1.0), "positive"),
    ] {
        let parameters = Parameters {
            alpha,
            ..Parameters::default()
        };
        let problem = ask("katz", &triangle, &[1.0; 3], &parameters).unwrap_err();
        assert!(problem.to_string().contains(words), "{problem}");
    }
}

#[test]
fn scores_that_are_wrong_altogether_are_far_off() {
    let graph = Graph::from_arcs(4, [(0, 1), (1, 2), (2, 0), (3, 0), (0, 3)]).unwrap();
    let parameters = Parameters {
        alpha: Some(0.5),
        ..Parameters::default()
    };
    for scores in [
        [1.0, 0.0, 0.0, 0.0],
        [-1.0, 2.0, 0.0, 1e-300],
        [1e300, 1.0, 1.0, 1.0],
    ] {
        for measure in ["pagerank", "katz", "leaderrank", "seeley"] {
            let error = check(measure, &graph, &scores, &parameters).error;
            assert!(error.at_least > 0.1, "{measure} {error:?}");
        }
    }
    for (scores, words) in [
        (vec![0.0; 4], "every score"),
        (vec![1.0; 3], "number of scores"),
        (vec![1.0, f64::NAN, 1.0, 1.0], "NaN"),
        (vec![f64::MAX; 4], "sum of scores"),
    ] {
        let problem = ask("pagerank", &graph, &scores, &parameters).unwrap_err();
        assert!(problem.to_string().contains(words), "{problem}");
    }
}
