//! PageRank for several alpha, its derivative, and PageRank from many seeds, against dense solves.

use crate::pagerank::runs::*;
use proptest::prelude::*;
use webrank_base::Node;
use webrank_base::progress::Silent;
use webrank_linear::StopRule;
use webrank_scores::parameters::{Damping, Dangling};
use webrank_scores::{Scores, Status};
use webrank_testing::graphs::*;
use webrank_testing::oracle;
use webrank_testing::oracle::pagerank_variants;
use webrank_walks::pagerank::alphas::pagerank_of_alphas;
use webrank_walks::pagerank::derivative::{WithDerivative, pagerank_with_derivative};
use webrank_walks::pagerank::seeds::{Seeds, pagerank_of_seeds};
use webrank_walks::pagerank::trustrank::trust_in;
use webrank_walks::pagerank::{Method, PageRank};

fn differentiated(graph: &Arcs, params: &PageRank, stop: &StopRule) -> WithDerivative {
    pagerank_with_derivative(&graph.walk(), params, stop, &Silent).unwrap()
}

fn seeded(graph: &Arcs, seeds: &[Node], params: &Seeds, stop: &StopRule) -> Vec<Scores> {
    pagerank_of_seeds(&graph.walk(), seeds, params, stop, &Silent).unwrap()
}

fn at(node: usize, n: usize) -> Vec<f64> {
    (0..n).map(|other| f64::from(other == node)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn every_alpha_has_its_own_bound(
        (graph, v, u) in problems(),
        mut alphas in prop::collection::vec(0.0..0.99f64, 1..5),
        tolerance in prop_oneof![Just(1e-3), Just(1e-9)],
    ) {
        alphas.dedup();
        let (v, u) = (entries(&v), entries(&u));
        let given: Vec<Damping> = alphas.iter().map(|&alpha| Damping::new(alpha).unwrap()).collect();
        for (dangling, u) in danglings(&v, &u) {
            for method in METHODS {
                let params = PageRank {
                    preference: weights(&v),
                    dangling: dangling.clone(),
                    ..plain(method)
                };
                let stop = within(tolerance);
                let found = pagerank_of_alphas(&graph.walk(), &params, &given, &stop, &Silent);
                for (scores, &alpha) in found.unwrap().iter().zip(&alphas) {
                    let truth = oracle::pagerank::pagerank(&graph.dense(), alpha, &v, &u);
                    prop_assert_eq!(scores.run.parameters["alpha"].as_f64(), Some(alpha));
                    check(scores, &truth, tolerance)?;
                }
            }
        }
    }

    #[test]
    fn derivatives_are_certified(
        (graph, v, u) in problems(),
        alpha in prop_oneof![Just(0.0), Just(0.85), Just(0.99), 0.0..0.99f64],
        tolerance in prop_oneof![Just(1e-3), Just(2e-9)],
    ) {
        let (v, u) = (entries(&v), entries(&u));
        for (dangling, u) in danglings(&v, &u) {
            let x = oracle::pagerank::pagerank(&graph.dense(), alpha, &v, &u);
            let truth = pagerank_variants::derivative(&graph.dense(), alpha, &v, &u);
            for method in METHODS {
                let params = PageRank {
                    preference: weights(&v),
                    dangling: dangling.clone(),
                    ..params(alpha, method)
                };
                let found = differentiated(&graph, &params, &within(tolerance));
                check(&found.scores, &x, tolerance)?;
                // The oracle divides its own rounding by 1 - alpha.
                check(&found.derivative, &truth, tolerance)?;
                if dangling != Dangling::None {
                    let sum = found.derivative.values.sum();
                    prop_assert!(sum.abs() <= outcome(&found.derivative).2 + 1e-14);
                }
            }
        }
    }

    #[test]
    fn every_seed_has_its_own_bound(
        (graph, _, u) in problems(),
        alpha in prop_oneof![Just(0.0), Just(0.85), Just(0.99), 0.0..0.99f64],
        tolerance in prop_oneof![Just(1e-3), Just(1e-9)],
    ) {
        let (n, u) = (graph.0, entries(&u));
        let seeds: Vec<Node> = (0..n as Node).rev().collect();
        for (dangling, u) in danglings(&u, &u) {
            let params = Seeds {
                damping: Damping::new(alpha).unwrap(),
                dangling: dangling.clone(),
                ..Seeds::default()
            };
            let found = seeded(&graph, &seeds, &params, &within(tolerance));
            prop_assert_eq!(found.len(), n);
            for (scores, &seed) in found.iter().zip(&seeds) {
                let v = at(seed as usize, n);
                let u = if dangling == Dangling::Preference { &v } else { &u };
                let truth = oracle::pagerank::pagerank(&graph.dense(), alpha, &v, u);
                check(scores, &truth, tolerance)?;
            }
        }
    }

    #[test]
    fn nodes_with_equal_rows_get_equal_bits(graph in graphs(), alpha in alphas(), copy in 0usize..12) {
        // The last node has the same predecessors as another, and is not a seed.
        let n = graph.0;
        let original = copy % n;
        let mut arcs = graph.1.clone();
        let into = graph.1.iter().filter(|arc| arc.1 as usize == original);
        arcs.extend(into.map(|&(source, _)| (source, n as Node)));
        let copied = Arcs(n + 1, arcs);
        let found = differentiated(&copied, &params(alpha, Method::Power), &within(1e-6));
        for scores in [&found.scores, &found.derivative] {
            prop_assert_eq!(scores.values[original].to_bits(), scores.values[n].to_bits());
        }
        let seeds: Vec<Node> = (0..n as Node).filter(|&seed| seed as usize != original).collect();
        let params = Seeds { damping: Damping::new(alpha).unwrap(), ..Seeds::default() };
        for scores in seeded(&copied, &seeds, &params, &within(1e-6)) {
            prop_assert_eq!(scores.values[original].to_bits(), scores.values[n].to_bits());
        }
    }
}

#[test]
fn derivative_of_a_chain_in_closed_form() {
    // 0 -> 1, pseudorank: x = ((1 - a)/2, (1 - a)(1 + a)/2), so x' = (-1/2, -a).
    let chain = Arcs(2, vec![(0, 1)]);
    for alpha in [0.0, 0.3, 0.85, 0.99] {
        let params = PageRank {
            dangling: Dangling::None,
            ..params(alpha, Method::Power)
        };
        let found = differentiated(&chain, &params, &within(1e-9)).derivative;
        assert!((found.values[0] + 0.5).abs() <= 1e-9);
        assert!((found.values[1] + alpha).abs() <= 1e-9);
    }
}

/// 0 -> 1, 1 -> 0 and 2, 2 -> 0, with v uniform: rational functions of alpha, by Cramer's rule.
///
/// x0 = a (x1/2 + x2) + r, x1 = a x0 + r, x2 = a x1/2 + r, with r = (1 - a)/3.
fn exact(a: f64) -> [f64; 3] {
    let r = (1.0 - a) / 3.0;
    // x2 = a x1/2 + r and x1 = a x0 + r leave x0 (1 - a^2/2 - a^3/2) = r (1 + a/2 + a + a^2/2).
    let x0 = r * (1.0 + 1.5 * a + 0.5 * a * a) / (1.0 - 0.5 * a * a - 0.5 * a * a * a);
    let x1 = a * x0 + r;
    [x0, x1, 0.5 * a * x1 + r]
}

#[test]
fn derivatives_are_the_limits_of_difference_quotients() {
    let graph = Arcs(3, vec![(0, 1), (1, 0), (1, 2), (2, 0)]);
    let h = 1e-4;
    for alpha in [0.25, 0.5, 0.85] {
        let found = differentiated(&graph, &params(alpha, Method::Power), &within(1e-11));
        let [before, after] = [alpha - h, alpha + h].map(exact);
        let [further, beyond] = [alpha - 2.0 * h, alpha + 2.0 * h].map(exact);
        for node in 0..3 {
            // The error of the five-point formula is of the order of h^4, its rounding of u / h.
            let near = 8.0 * (after[node] - before[node]) - (beyond[node] - further[node]);
            let quotient = near / (12.0 * h);
            assert!((found.derivative.values[node] - quotient).abs() < 1e-10);
            assert!((found.scores.values[node] - exact(alpha)[node]).abs() < 1e-11);
        }
    }
}

#[test]
fn seeds_on_a_cycle_in_closed_form() {
    // From seed 0, node k is reached after k steps, and again after n more, and so on.
    let n = 11;
    let found = seeded(&cycle(n), &[0, 3], &Seeds::default(), &within(1e-12));
    let alpha = 0.85f64;
    for (scores, seed) in found.iter().zip([0, 3]) {
        for k in 0..n {
            let expected = (1.0 - alpha) * alpha.powi(k as i32) / (1.0 - alpha.powi(n as i32));
            let node = (seed + k) % n;
            assert!((scores.values[node as usize] - expected).abs() < 1e-12);
        }
    }
}

#[test]
fn same_bits_for_any_number_of_threads() {
    let graph = large_graph();
    let walk = graph.walk();
    let seeds: Vec<Node> = (0..11).map(|k| k * 2003).collect();
    let alphas = [0.5, 0.9].map(|alpha| Damping::new(alpha).unwrap());
    let run = || {
        let (params, stop) = (plain(Method::Power), within(1e-9));
        let seeds = pagerank_of_seeds(&walk, &seeds, &Seeds::default(), &stop, &Silent).unwrap();
        let both = pagerank_with_derivative(&walk, &params, &stop, &Silent).unwrap();
        let alphas = pagerank_of_alphas(&walk, &params, &alphas, &stop, &Silent).unwrap();
        let all = seeds
            .iter()
            .chain(&alphas)
            .chain([&both.scores, &both.derivative]);
        all.map(|scores| (bits(scores), outcome(scores).2.to_bits()))
            .collect::<Vec<_>>()
    };
    let [one, two, three] = [1, 2, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(run)
    });
    assert!(one == two && two == three);
}

#[test]
fn seeds_are_what_single_runs_find() {
    let graph = large_graph();
    let seeds: Vec<Node> = vec![17, 29_999, 0, 4_321, 77, 8_000, 15_001, 23, 5];
    let found = seeded(&graph, &seeds, &Seeds::default(), &within(1e-9));
    for (scores, &seed) in found.iter().zip(&seeds) {
        let params = PageRank {
            preference: weights(&at(seed as usize, graph.0)),
            ..plain(Method::Power)
        };
        let single = run(&graph, &params, &within(1e-12));
        let (status, _, bound) = outcome(scores);
        assert_eq!(status, Status::Converged);
        assert!(l1(&scores.values, &single.values) <= bound + outcome(&single).2);
    }
}

#[test]
fn graphs_without_nodes_or_arcs() {
    let empty = differentiated(&Arcs(0, vec![]), &plain(Method::Power), &within(1e-9));
    assert!(empty.derivative.values.is_empty());
    let alone = differentiated(&Arcs(1, vec![]), &plain(Method::Power), &within(1e-9));
    assert!(alone.derivative.values[0].abs() < 1e-9);
    let alone = seeded(&Arcs(1, vec![]), &[0], &Seeds::default(), &within(1e-9));
    assert!((alone[0].values[0] - 1.0).abs() < 1e-9);
    assert!(seeded(&Arcs(0, vec![]), &[], &Seeds::default(), &within(1e-9)).is_empty());
}

#[test]
fn what_is_not_a_node_is_refused() {
    let graph = Arcs(3, vec![(0, 1)]);
    let found = pagerank_of_seeds(
        &graph.walk(),
        &[3],
        &Seeds::default(),
        &within(1e-9),
        &Silent,
    );
    assert!(found.unwrap_err().to_string().contains("3 nodes"));
    let damping = Damping::default();
    assert!(
        trust_in(&[3], damping, 3)
            .unwrap_err()
            .to_string()
            .contains("3 nodes")
    );
    assert!(trust_in(&[], damping, 3).is_err());
}

#[test]
fn too_few_sweeps_are_told() {
    let stop = StopRule {
        max_iterations: 3,
        ..within(1e-9)
    };
    let graph = large_graph();
    let found = seeded(&graph, &[0], &Seeds::default(), &stop);
    let (status, sweeps, bound) = outcome(&found[0]);
    assert_eq!(status, Status::NotConverged);
    assert!(sweeps <= 4 && bound > 1e-9);
    let found = differentiated(&graph, &plain(Method::Power), &stop).derivative;
    assert_eq!(outcome(&found).0, Status::NotConverged);
}
