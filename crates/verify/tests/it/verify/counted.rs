//! Searches, counts and residuals: the library's own scores pass, and what is changed is seen.

use super::*;
use proptest::prelude::*;
use webrank_base::limits::Limits;
use webrank_distances::betweenness::Betweenness;
use webrank_distances::betweenness::arcs::ArcBetweenness;
use webrank_distances::geometric::closeness::Closeness;
use webrank_distances::geometric::decay::{Base, Decay};
use webrank_distances::geometric::eccentricity::Eccentricity;
use webrank_distances::geometric::harmonic::Harmonic;
use webrank_distances::geometric::integration::Integration;
use webrank_distances::geometric::lin::Lin;
use webrank_distances::geometric::reachable::Reachable;
use webrank_distances::geometric::{DistanceMethod, Geometric};
use webrank_graph::Direction;
use webrank_scores::parameters::Variant;
use webrank_testing::graphs::{cycle, graphs};
use webrank_testing::oracle::betweenness::of_nodes;
use webrank_verify::{ErrorKind, Scale};
use webrank_walks::degree::Indegree;
use webrank_walks::degree::Outdegree;
use webrank_walks::eigenvector::Eigenvector;
use webrank_walks::hits::Hits;
use webrank_walks::kendall_wei::KendallWei;
use webrank_walks::pagerank::trustrank::SeedCandidates;
use webrank_walks::salsa::Salsa;

const PLAIN: Scale = Scale::Plain;

/// Scores pass, and after a change of one in a million of the largest, that is found.
pub fn assert_seen(measure: &str, graph: &Graph, scores: &[f64], parameters: &Parameters) {
    let finding = check(measure, graph, scores, parameters);
    // Small entries of eigenvectors are set to 0.
    let is_residual = finding.error.kind == ErrorKind::Residual;
    let allowed = if is_residual { 1e-8 } else { 2e-11 };
    assert!(finding.error.at_most < allowed, "{measure} {finding:?}");
    let node = (0..scores.len())
        .max_by(|&a, &b| scores[a].total_cmp(&scores[b]))
        .unwrap();
    if scores[node] == 0.0 {
        return;
    }
    let mut changed = scores.to_vec();
    changed[node] *= 1.0 + 1e-6;
    let finding = check(measure, graph, &changed, parameters);
    // The changed scores may be an eigenvector again.
    let size = if is_residual {
        0.0..3e-6
    } else {
        0.99e-6..1.01e-6
    };
    assert!(
        size.contains(&finding.error.at_least),
        "{measure} {finding:?}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn distances_and_degrees(arcs in graphs(), is_out in any::<bool>(), base in 0.01..0.99f64) {
        let graph = graph_of(&arcs);
        let direction = if is_out { Direction::Out } else { Direction::In };
        let parameters = Parameters { direction: Some(direction), base, scale: PLAIN, ..Parameters::default() };
        let exact = |measure: Geometric| {
            let measure = measure.direction(direction).method(DistanceMethod::Exact);
            measure.run(&graph).unwrap().values().to_vec()
        };
        let harmonic = exact(Geometric::of(Harmonic::default()));
        assert_seen("harmonic", &graph, &harmonic, &parameters);
        assert_seen("lin", &graph, &exact(Geometric::of(Lin)), &parameters);
        assert_seen("reachable", &graph, &exact(Geometric::of(Reachable)), &parameters);
        assert_seen("eccentricity", &graph, &exact(Geometric::of(Eccentricity)), &parameters);
        assert_seen("integration", &graph, &exact(Geometric::of(Integration)), &parameters);
        let decay = Decay { base: Base::new(base).unwrap() };
        assert_seen("decay", &graph, &exact(Geometric::of(decay)), &parameters);
        for variant in [Variant::Bavelas, Variant::Lin, Variant::Nieminen, Variant::WassermanFaust] {
            let parameters = Parameters { variant, ..parameters.clone() };
            assert_seen("closeness", &graph, &exact(Geometric::of(Closeness { variant })), &parameters);
        }
        let normalized = exact(Geometric::of(Harmonic { normalize: true }));
        let parameters = Parameters { scale: Scale::Normalized, ..parameters };
        assert_seen("harmonic", &graph, &normalized, &parameters);
        assert_seen("indegree", &graph, &scores(&Indegree {}, &graph), &Parameters::default());
        assert_seen("outdegree", &graph, &scores(&Outdegree {}, &graph), &Parameters::default());
    }

    #[test]
    fn betweenness(arcs in graphs(), endpoints in any::<bool>(), normalize in any::<bool>()) {
        let graph = graph_of(&arcs);
        let measure = Betweenness { endpoints, normalize, ..Betweenness::default() };
        let scale = if normalize { Scale::Normalized } else { PLAIN };
        let parameters = Parameters { endpoints, scale, ..Parameters::default() };
        let ours = scores(&measure, &graph);
        assert_seen("betweenness", &graph, &ours, &parameters);
        let n = arcs.0 as u32;
        // From all nodes, and from every third.
        for (step, sources) in [(1, vec![]), (3, (0..n).step_by(3).collect())] {
            let all: Vec<u32> = (0..n).step_by(step).collect();
            let factor = match normalize {
                true => measure.scale(arcs.0),
                false => 1.0,
            } * n as f64 / all.len() as f64;
            let truth = of_nodes(arcs.0, &arcs.1, &all, endpoints);
            let truth: Vec<f64> = truth.iter().map(|truth| factor * truth).collect();
            let parameters = Parameters { sources, ..parameters.clone() };
            assert_seen("betweenness", &graph, &truth, &parameters);
        }
    }

    #[test]
    fn betweenness_of_arcs(arcs in graphs(), normalize in any::<bool>()) {
        let graph = graph_of(&arcs);
        let measure = ArcBetweenness { normalize };
        let ranked = measure.compute(&graph, &Limits::default(), &Silent).unwrap();
        let scale = if normalize { Scale::Normalized } else { PLAIN };
        let parameters = Parameters { scale, ..Parameters::default() };
        if graph.num_arcs() > 0 {
            assert_seen("arc-betweenness", &graph, ranked.values(), &parameters);
        }
    }

    #[test]
    fn candidates_for_seeds(arcs in graphs(), kept in 1..5usize) {
        let graph = graph_of(&arcs);
        prop_assume!(graph.num_nodes() > 0);
        let measure = SeedCandidates::default();
        let ranked = measure.compute(&graph, &Limits::default(), &Silent).unwrap();
        let bound = 1e-9;
        let parameters = Parameters { scale: PLAIN, ..Parameters::default() };
        let mut best: Vec<f64> = vec![f64::NAN; graph.num_nodes()];
        let order = ranked.ranking().order();
        for &node in order.iter().take(kept) {
            best[node as usize] = ranked.values()[node as usize];
        }
        for scores in [ranked.values(), &best] {
            let found = check("inverse-pagerank", &graph, scores, &parameters);
            assert!(found.error.at_least <= bound && found.error.at_most < 1e-7, "{found:?}");
        }
        // The better one of two nodes that differ must be there.
        let value = |node: u32| ranked.values()[node as usize];
        let pairs = order.windows(2).take(kept);
        if let Some(pair) = pairs.into_iter().find(|pair| value(pair[0]) > value(pair[1]) + 1e-5) {
            let mut wrong = vec![f64::NAN; graph.num_nodes()];
            wrong[pair[1] as usize] = value(pair[1]);
            let found = check("inverse-pagerank", &graph, &wrong, &parameters);
            let off = value(pair[0]) - value(pair[1]);
            assert!(found.error.at_least > 0.9 * off, "{found:?}, {off}");
        }
        // A score that is off is seen, however few there are.
        best[order[0] as usize] += 1e-4;
        let found = check("inverse-pagerank", &graph, &best, &parameters);
        assert!((0.98e-4..1.02e-4).contains(&found.error.at_least), "{found:?}");
        assert_eq!(found.worst.map(|worst| worst.node), Some(order[0]));
    }

    #[test]
    fn spectral_measures(arcs in graphs()) {
        let graph = graph_of(&arcs);
        let parameters = Parameters::default();
        let ranked = Salsa::default().run(&graph).unwrap();
        for (side, column) in ranked.columns() {
            let plain = Parameters { scale: PLAIN, ..Parameters::default() };
            assert_seen(&format!("salsa-{side}"), &graph, column.as_slice(), &plain);
        }
        if graph.num_arcs() > 0 && let Ok(ranked) = (Hits::default()).run(&graph) {
            for (side, column) in ranked.columns() {
                assert_seen(&format!("hits-{side}"), &graph, column.as_slice(), &parameters);
            }
        }
        if let Ok(ranked) = Eigenvector::default().run(&graph) {
            assert_seen("eigenvector", &graph, ranked.values(), &parameters);
        }
        if let Ok(ranked) = KendallWei::default().run(&graph) {
            assert_seen("kendall-wei", &graph, ranked.values(), &parameters);
        }
    }
}

#[test]
fn the_spectral_radius_is_between_its_bounds() {
    let complete = |n: u32| {
        let arcs = (0..n).flat_map(|i| (0..n).filter(move |&j| j != i).map(move |j| (i, j)));
        Arcs(n as usize, arcs.collect())
    };
    for (arcs, radius) in [(cycle(5), 1.0), (complete(4), 3.0), (complete(7), 6.0)] {
        let graph = graph_of(&arcs);
        let ones = vec![1.0; arcs.0];
        let finding = check("eigenvector", &graph, &ones, &Parameters::default());
        let [lower, upper] = finding.eigenvalue_bounds.unwrap();
        assert!(
            lower <= radius && radius <= upper && upper - lower < 1e-12,
            "{finding:?}"
        );
        assert!(finding.error.at_most < 1e-14, "{finding:?}");
    }
    // An eigenvector of a smaller eigenvalue: a cycle beside a complete graph.
    let mut arcs = complete(4);
    arcs.1.extend([(4, 5), (5, 4)]);
    let graph = graph_of(&Arcs(6, arcs.1));
    let scores = [0.0, 0.0, 0.0, 0.0, 0.5, 0.5];
    let finding = check("eigenvector", &graph, &scores, &Parameters::default());
    assert!(finding.error.at_least > 0.5, "{finding:?}");
    assert!(
        finding
            .notes
            .iter()
            .any(|note| note.contains("another eigenvalue"))
    );
}

#[test]
fn factors_of_other_programs_are_found() {
    let arcs = Arcs(
        6,
        vec![(0, 1), (1, 2), (2, 3), (3, 0), (2, 4), (4, 5), (5, 0)],
    );
    let graph = graph_of(&arcs);
    let unknown = Parameters::default();
    let scaled = |by: f64, scores: &[f64]| scores.iter().map(|x| x * by).collect::<Vec<f64>>();
    let ours = scores(&Betweenness::default(), &graph);
    for (factor, name) in [
        (1.0 / 20.0, "1/((n - 1)(n - 2))"),
        (0.5, "1/2"),
        (3.7, "multiple"),
    ] {
        let finding = check("betweenness", &graph, &scaled(factor, &ours), &unknown);
        assert!((finding.scale / factor - 1.0).abs() < 1e-12, "{finding:?}");
        assert!(
            finding.scale_is.as_ref().unwrap().contains(name),
            "{finding:?}"
        );
        assert!(finding.error.at_most < 1e-10, "{finding:?}");
    }
    // A manifest says what the factor is.
    let plain = Parameters {
        scale: PLAIN,
        ..Parameters::default()
    };
    let finding = check("betweenness", &graph, &scaled(0.5, &ours), &plain);
    assert!(finding.error.at_least > 0.49, "{finding:?}");
}

/// Asks about a large graph with searches from some nodes only.
fn sampled(measure: &str, graph: &Graph, scores: &[f64], samples: usize) -> Finding {
    let parameters = Parameters {
        scale: PLAIN,
        ..Parameters::default()
    };
    let question = Question {
        graph,
        scores,
        parameters: &parameters,
        samples: Some(samples),
        progress: &webrank_base::progress::Silent,
    };
    Verifier::of(measure).unwrap().check(&question).unwrap()
}

#[test]
fn samples_say_how_many_nodes_may_be_wrong() {
    let n = 3000;
    let arcs = (0..n).flat_map(|i| [(i, (i + 1) % n), (i, 7 * i % n), (i % 10, i)]);
    let graph = graph_of(&Arcs(n as usize, arcs.collect()));
    let measure = Geometric::of(Harmonic::default()).method(DistanceMethod::Exact);
    let mut scores = scores(&measure, &graph);
    let finding = sampled("harmonic", &graph, &scores, 100);
    assert_eq!(finding.error.at_least, 0.0);
    let sample = finding.sample.unwrap();
    assert!(
        sample.nodes == 100 && (0.029..0.03).contains(&sample.share),
        "{sample:?}"
    );
    assert!(sample.error < 1e-12, "{sample:?}");
    // A tenth of the nodes is wrong.
    for score in scores.iter_mut().skip(7).step_by(10) {
        *score = 2.0 * *score + 1.0;
    }
    let finding = sampled("harmonic", &graph, &scores, 100);
    assert!(
        finding.error.at_least >= 1.0 && finding.worst.unwrap().node % 10 == 7,
        "{finding:?}"
    );
    // The best node is looked at even if it is not drawn.
    let finding = sampled("harmonic", &graph, &scores, 1);
    assert!(finding.error.at_least >= 1.0, "{finding:?}");
}

#[test]
fn intervals_from_sampled_sources_hold_and_catch_what_is_far_off() {
    let n = 300;
    let arcs = (0..n).flat_map(|i| [(i, (i + 1) % n), (i, 7 * i % n), (i % 10, i)]);
    let arcs = Arcs(n as usize, arcs.collect());
    let graph = graph_of(&arcs);
    let mut scores = scores(&Betweenness::default(), &graph);
    for samples in [2, 50, 299] {
        let finding = sampled("betweenness", &graph, &scores, samples);
        assert_eq!(finding.error.at_least, 0.0, "{finding:?}");
        assert!(finding.error.at_most.is_infinite() && finding.worst.is_none());
        assert!(finding.notes[0].starts_with("0 of 300 scores are outside"));
    }
    scores[5] += 300.0 * 299.0;
    let finding = sampled("betweenness", &graph, &scores, 299);
    assert!(finding.error.at_least > 0.0, "{finding:?}");
    assert_eq!(finding.worst.unwrap().node, 5);
}
