//! Katz's index against dense solves: the certified bound, refused parameters, closed forms.

use ndarray::Array1;
use proptest::prelude::*;
use webrank_base::Node;
use webrank_base::limits::Limits;
use webrank_base::progress::Silent;
use webrank_scores::{Scores, Status};
use webrank_testing::graphs::*;
use webrank_testing::oracle;
use webrank_testing::oracle::spectral::radius;
use webrank_testing::outcomes::{Relative, relative};
use webrank_walks::katz::{AUTO, Attenuation, Katz, KatzMethod, KatzScores, katz};

/// With the default parameters.
fn plain(graph: &Arcs) -> KatzScores {
    let limits = Limits::default();
    katz(&graph.matrix(), &Katz::default(), &limits, &Silent).unwrap()
}

const METHODS: [KatzMethod; 3] = [
    KatzMethod::Bicgstab,
    KatzMethod::Power,
    KatzMethod::GaussSeidel,
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn katz_is_within_its_certified_bound(
        graph in periodic_or_acyclic(),
        share in prop_oneof![Just(0.1), Just(AUTO), Just(0.99)],
        beta in prop::collection::vec(prop_oneof![Just(0u8), 1..9u8], 12),
        tolerance in prop_oneof![Just(1e-3), Just(1e-9), Just(1e-12)],
    ) {
        let a = graph.adjacency();
        let rho = radius(&a);
        let alpha = if rho > 0.0 { share / rho } else { 10.0 * share };
        let mut beta: Vec<f64> = beta[..graph.0].iter().map(|&b| b as f64).collect();
        beta[0] += 1.0;
        for beta in [None, Some(beta)] {
            let truth = oracle::spectral::katz(&a, alpha, &beta.clone().unwrap_or(vec![1.0; graph.0]));
            for method in METHODS {
                let params = Katz {
                    alpha: Attenuation::new(alpha).unwrap(),
                    beta: beta.clone(),
                    method,
                    ..Katz::default()
                };
                let limits = Limits::default().tolerance(tolerance).unwrap();
                let scores = katz(&graph.matrix(), &params, &limits, &Silent).unwrap().scores;
                let Relative { status, error_bound, .. } = relative(&scores);
                let error = l1(&scores.values, &truth);
                // The oracle's own rounding is amplified too.
                let rounding = 1e-14 / (1.0 - alpha * rho) * truth.sum();
                prop_assert!(error <= error_bound + rounding, "{:e} {:e}", error, error_bound);
                if tolerance > 1e-10 {
                    prop_assert_eq!(status, Status::Converged, "{:?}", scores);
                    prop_assert!(error_bound <= 1.0001 * tolerance * truth.sum());
                }
            }
        }
    }

    #[test]
    fn katz_refuses_alphas_for_which_the_series_diverges(
        graph in periodic_or_acyclic(),
        above in prop_oneof![Just(1.0), Just(1.001), Just(2.0)],
    ) {
        let rho = radius(&graph.adjacency());
        if rho > 0.0 {
            let alpha = Attenuation::new(above / rho * (1.0 + 1e-13)).unwrap();
            let params = Katz { alpha, ..Katz::default() };
            let limits = Limits::default();
            let problem = katz(&graph.matrix(), &params, &limits, &Silent).unwrap_err();
            prop_assert!(problem.to_string().contains("1/rho"), "{}", problem);
        }
    }

    #[test]
    fn relabelling_nodes_relabels_scores(
        (graph, names) in periodic_or_acyclic().prop_flat_map(|graph| {
            let names = Just((0..graph.0 as Node).collect::<Vec<_>>()).prop_shuffle();
            (Just(graph), names)
        }),
    ) {
        let renamed = graph.relabelled(&names);
        let back = |scores: &Scores| -> ndarray::Array1<f64> {
            names.iter().map(|&name| scores.values[name as usize]).collect()
        };
        let [ours, other] = [&graph, &renamed].map(|graph| {
            plain(graph).scores
        });
        prop_assert!(l1(&ours.values, &back(&other)) < 1e-7 * ours.values.sum());
    }
}

#[test]
fn graphs_without_arcs_or_nodes() {
    for n in [0, 1, 5] {
        let graph = Arcs(n, Vec::new());
        let found = plain(&graph);
        assert_eq!(found.scores.values.to_vec(), vec![1.0; n]);
    }
}

#[test]
fn same_bits_for_any_number_of_threads() {
    let graph = large_graph();
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let mut results = Vec::new();
            for method in METHODS {
                let params = Katz {
                    method,
                    ..Katz::default()
                };
                let limits = Limits::default();
                let found = katz(&graph.matrix(), &params, &limits, &Silent).unwrap();
                results.push(found.scores);
            }
            let bits = |scores: &Scores| -> Vec<u64> {
                scores.values.iter().map(|x| x.to_bits()).collect()
            };
            let outcome = |scores: &Scores| format!("{:?}", scores.run.outcome);
            results
                .iter()
                .map(|scores| (bits(scores), outcome(scores)))
                .collect::<Vec<_>>()
        })
    };
    let one = run(1);
    for threads in [2, 3, 8] {
        assert!(run(threads) == one, "{threads} threads");
    }
}

#[test]
fn chains_of_self_loops_are_certified_to_the_default_tolerance() {
    // x_0 = 1 / (1 - a), x_k = (1 + a x_(k-1)) / (1 - a): scores span many orders of magnitude.
    let n = 12;
    let loops = (0..n).map(|k| (k, k));
    let chain = Arcs(
        n as usize,
        loops.chain((1..n).map(|k| (k - 1, k))).collect(),
    );
    let a = 0.85;
    let params = Katz {
        alpha: Attenuation::new(a).unwrap(),
        ..Katz::default()
    };
    let found = katz(&chain.matrix(), &params, &Limits::default(), &Silent).unwrap();
    let Relative {
        status,
        error_bound,
        ..
    } = relative(&found.scores);
    assert_eq!(status, Status::Converged);
    let mut expected = vec![1.0 / (1.0 - a)];
    for k in 1..n as usize {
        expected.push((1.0 + a * expected[k - 1]) / (1.0 - a));
    }
    let expected = Array1::from(expected);
    assert!(l1(&found.scores.values, &expected) <= error_bound + 1e-13 * expected.sum());
}
