//! Promises of runs on their scores are never found to be broken, with and without weights.

use super::*;
use num_traits::Zero;
use proptest::prelude::*;
use tempfile::TempDir;
use webrank_base::limits::Limits;
use webrank_base::progress::Silent;
use webrank_distances::betweenness::Betweenness;
use webrank_distances::geometric::closeness::Closeness;
use webrank_distances::geometric::decay::Decay;
use webrank_distances::geometric::eccentricity::Eccentricity;
use webrank_distances::geometric::harmonic::Harmonic;
use webrank_distances::geometric::integration::Integration;
use webrank_distances::geometric::lin::Lin;
use webrank_distances::geometric::reachable::Reachable;
use webrank_scores::parameters::Damping;
use webrank_testing::graphs::graphs;
use webrank_testing::oracle::exact::{Exact, distance, exact, long_run, resolvent, solve, sum};
use webrank_verify::Scale;
use webrank_verify::claims::Promise;
use webrank_walks::degree::Indegree;
use webrank_walks::degree::Outdegree;
use webrank_walks::eigenvector::Eigenvector;
use webrank_walks::hits::Hits;
use webrank_walks::katz::Katz;
use webrank_walks::kendall_wei::KendallWei;
use webrank_walks::leaderrank::LeaderRank;
use webrank_walks::pagerank::PageRank;
use webrank_walks::pagerank::trustrank::TrustRank;
use webrank_walks::salsa::Salsa;
use webrank_walks::seeley::Seeley;

/// The graph with weights for its arcs, in a file in `folder`.
fn weighted(arcs: &Arcs, weight: impl Fn(u32, u32) -> f64, folder: &TempDir) -> Graph {
    let mut sorted = arcs.1.clone();
    sorted.sort_unstable();
    sorted.dedup();
    let bytes = sorted.iter().flat_map(|&(i, j)| weight(i, j).to_le_bytes());
    let path = folder.path().join("weights.f64");
    std::fs::write(&path, bytes.collect::<Vec<u8>>()).unwrap();
    graph_of(arcs).with_weights(path)
}

/// Checks every column of a ranking; none if the measure is not defined on the graph.
fn assert_kept(measure: &impl Measure, graph: &Graph, limits: &Limits, parameters: &Parameters) {
    let Ok(ranked) = measure.compute(graph, limits, &Silent) else {
        return;
    };
    for (header, scores) in ranked.columns() {
        let run = &scores.run;
        let name = match (run.measure, run.method) {
            (side @ ("authority" | "hub"), "components") => format!("salsa-{side}"),
            (side @ ("authority" | "hub"), _) => format!("hits-{side}"),
            (measure, _) => measure.to_owned(),
        };
        let values = scores.as_slice();
        if values.iter().all(|&score| score == 0.0) {
            continue;
        }
        let mut parameters = parameters.clone();
        parameters.alpha = run.parameters.get("alpha").and_then(|alpha| alpha.as_f64());
        let finding = check(&name, graph, values, &parameters);
        let claim = Promise::of(&run.outcome, &finding);
        let claim = claim.expect("every measure promises something");
        assert!(
            claim.holds != Some(false),
            "{header}: {claim:?} {finding:?}"
        );
        // Walks along weights may be too slow.
        let is_slow = finding.error.at_most.is_infinite();
        assert!(!is_slow || graph.has_weights(), "{header}: {finding:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn no_promise_of_ours_is_broken(
        arcs in graphs(),
        tolerance in prop::sample::select(vec![1e-2, 1e-6, 1e-11]),
        spread in prop::sample::select(vec![0, 1, 15]),
    ) {
        let folder = TempDir::new().unwrap();
        // Weights of up to 10^spread.
        let weight = |i: u32, j: u32| 10f64.powi((7 * i + 5 * j) as i32 % (spread + 1)) * (1 + (i + j) % 3) as f64;
        let limits = Limits::default().tolerance(tolerance).unwrap();
        let parameters = Parameters { scale: Scale::Plain, seeds: vec![0], ..Parameters::default() };
        for graph in [graph_of(&arcs), weighted(&arcs, weight, &folder)] {
            let kept = (&graph, &limits, &parameters);
            macro_rules! keeps {
                ($($measure:expr),* $(,)?) => { $(assert_kept(&$measure, kept.0, kept.1, kept.2);)* };
            }
            keeps!(PageRank::default(), Katz::default(), LeaderRank::default(), Seeley::default());
            keeps!(Eigenvector::default(), KendallWei::default(), Hits::default(), Salsa::default());
            if !graph.has_weights() {
                keeps!(TrustRank { seeds: vec![0], damping: Damping::default(), certify_top: None, team: Default::default() });
                keeps!(Indegree {}, Outdegree {}, Betweenness::default(), Harmonic::default());
                keeps!(Closeness::default(), Lin, Reachable, Eccentricity, Decay::default(), Integration);
            }
        }
    }

    #[test]
    fn the_error_of_weighted_scores_is_found(arcs in graphs(), size in prop::sample::select(vec![0.0, 1e-9, 0.1])) {
        let n = arcs.0;
        let folder = TempDir::new().unwrap();
        let weight = |i: u32, j: u32| 0.1 + ((3 * i + 5 * j) % 7) as f64;
        let graph = weighted(&arcs, weight, &folder);
        let mut a = vec![vec![Exact::zero(); n]; n];
        arcs.1.iter().for_each(|&(i, j)| a[i as usize][j as usize] = exact(weight(i, j)));
        let disturbed = |mut scores: Vec<f64>| {
            scores.iter_mut().enumerate().for_each(|(i, x)| *x *= 1.0 + size * (i as f64).sin());
            scores
        };
        let found = |measure: &str, alpha, scores: &[f64], truth: &[Exact], unit: Exact| {
            let parameters = Parameters { alpha: Some(alpha), scale: Scale::Plain, ..Parameters::default() };
            let finding = check(measure, &graph, scores, &parameters);
            let error = distance(scores, truth) / unit;
            assert!(exact(finding.error.at_least) <= error, "{finding:?}");
            assert!(error <= exact(finding.error.at_most), "{finding:?}");
            // Weights may make walks of Seeley's index too slow for sharp bounds.
            let is_sharp = finding.error.at_most <= 1.1 * finding.error.at_least + 1e-8;
            assert!(is_sharp || measure == "seeley", "{finding:?}");
        };
        let one = exact(1.0);
        let seeley = disturbed(scores(&Seeley::default(), &graph));
        found("seeley", 0.0, &seeley, &long_run(&a), one.clone());
        let ranked = Katz::default().run(&graph).unwrap();
        let alpha = ranked.run().parameters["alpha"].as_f64().unwrap();
        let truth = solve(resolvent(&a, &exact(alpha)), vec![one.clone(); n]);
        found("katz", alpha, &disturbed(ranked.values().to_vec()), &truth, sum(&truth));
        // Walks of PageRank go to all nodes from those without successors.
        let uniform = &one / exact(n as f64);
        let walk: Vec<Vec<Exact>> = a.iter().map(|row| match sum(row) {
            total if total.is_zero() => vec![uniform.clone(); n],
            total => row.iter().map(|entry| entry / &total).collect(),
        }).collect();
        let start = vec![(&one - exact(0.85)) * &uniform; n];
        let truth = solve(resolvent(&walk, &exact(0.85)), start);
        let pagerank = disturbed(scores(&PageRank::default(), &graph));
        found("pagerank", 0.85, &pagerank, &truth, one);
    }
}
