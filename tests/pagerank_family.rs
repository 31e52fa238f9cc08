//! PageRank for several alpha, its derivative, many seeds, and TrustRank, against dense solves.

mod oracle;
#[path = "support/pagerank.rs"]
mod support;

use ndarray::{Array1, Array2};
use oracle::family;
use proptest::prelude::*;
use support::*;
use webrank::centrality::pagerank::alphas::pagerank_of_alphas;
use webrank::centrality::pagerank::derivative::{WithDerivative, pagerank_with_derivative};
use webrank::centrality::pagerank::methods::weighted_power::WeightedWalk;
use webrank::centrality::pagerank::seeds::{Seeds, pagerank_of_seeds};
use webrank::centrality::pagerank::trustrank::{seed_candidates, trust_in, trustrank};
use webrank::centrality::pagerank::weighted::{weighted_certainty, weighted_pagerank};
use webrank::centrality::pagerank::{Damping, Dangling, Method, PageRank};
use webrank::graph::{Csr, Node, Successors};
use webrank::linear::StopRule;
use webrank::progress::Silent;
use webrank::scores::ranking::Ranking;
use webrank::scores::{Scores, Status};

fn differentiated(graph: &Arcs, params: &PageRank, stop: &StopRule) -> WithDerivative {
    pagerank_with_derivative(&graph.walk(), params, stop, &Silent).unwrap()
}

fn seeded(graph: &Arcs, seeds: &[Node], params: &Seeds, stop: &StopRule) -> Vec<Scores> {
    pagerank_of_seeds(&graph.walk(), seeds, params, stop, &Silent).unwrap()
}

fn at(node: usize, n: usize) -> Vec<f64> {
    (0..n).map(|other| f64::from(other == node)).collect()
}

/// The walk with a weight for each arc, by what the arc is given.
fn weighted(graph: &Arcs, weight: impl Fn(Node, Node) -> f64) -> WeightedWalk {
    let rows = Csr::from_arcs(graph.0, graph.1.iter().copied()).unwrap();
    let nodes = 0..graph.0 as Node;
    let of_row = |i: Node| rows.row(i).iter().map(move |&j| (i, j));
    let weights = nodes.flat_map(of_row).map(|(i, j)| weight(i, j)).collect();
    WeightedWalk::new(Successors(&rows), weights).unwrap()
}

/// Errors are certified, and so small as was asked for.
fn check(scores: &Scores, truth: &Array1<f64>, tolerance: f64) -> Result<(), TestCaseError> {
    let (status, _, bound) = outcome(scores);
    let error = l1(&scores.values, truth);
    prop_assert!(error <= bound + 1e-15, "{error:e} > {bound:e}");
    prop_assert_eq!(status, Status::Converged, "{:e}", bound);
    prop_assert!(bound <= tolerance);
    Ok(())
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
            let truth = family::derivative(&graph.dense(), alpha, &v, &u);
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
        // The last node has the predecessors of another, and is no seed.
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

    #[test]
    fn weighted_walks_are_certified(
        (graph, v, u) in problems(),
        alpha in prop_oneof![Just(0.0), Just(0.85), Just(0.99), 0.0..0.99f64],
        sizes in prop::collection::vec(prop_oneof![1.0..10.0f64, Just(1e-9), Just(1e300)], 12),
        tolerance in prop_oneof![Just(1e-3), Just(1e-9)],
    ) {
        let n = graph.0;
        let (v, u) = (entries(&v), entries(&u));
        let weight = |i: Node, j: Node| sizes[(i + 5 * j) as usize % 12];
        let walk = weighted(&graph, weight);
        let mut dense = Array2::zeros((n, n));
        for &(i, j) in &graph.1 {
            // The oracle adds up what has the largest weight of the row.
            let row = graph.1.iter().filter(|arc| arc.0 == i);
            let largest = row.map(|&(i, j)| weight(i, j)).fold(0.0, f64::max);
            dense[[i as usize, j as usize]] = weight(i, j) / largest;
        }
        for (dangling, u) in danglings(&v, &u) {
            let params = PageRank {
                preference: weights(&v),
                dangling,
                ..params(alpha, Method::Power)
            };
            let found = weighted_pagerank(&walk, &params, &within(tolerance), &Silent).unwrap();
            let truth = family::weighted_pagerank(&dense, alpha, &v, &u);
            check(&found, &truth, tolerance)?;
            let ranking = Ranking::new(found.values.as_slice().unwrap()).unwrap();
            let certainty = weighted_certainty(&walk, &params, &found, &ranking);
            for node in (0..n).filter(|&node| certainty.certain()[node]) {
                let above = truth.iter().filter(|&&score| score > truth[node] + 1e-14).count();
                prop_assert_eq!(ranking.ranks()[node] as usize, above + 1);
            }
        }
    }

    #[test]
    fn equal_weights_are_no_weights((graph, v, _) in problems(), alpha in 0.0..0.99f64) {
        let params = PageRank { preference: weights(&entries(&v)), ..params(alpha, Method::Power) };
        let plain = run(&graph, &params, &within(1e-10));
        // Only shares count: each node has a weight of its own.
        let walk = weighted(&graph, |i, _| 0.1 + i as f64);
        let found = weighted_pagerank(&walk, &params, &within(1e-10), &Silent).unwrap();
        prop_assert!(l1(&found.values, &plain.values) <= outcome(&found).2 + outcome(&plain).2);
    }

    #[test]
    fn trust_starts_at_the_seeds_alone(
        graph in graphs(),
        picks in prop::collection::vec(any::<bool>(), 12),
        alpha in 0.0..0.99f64,
    ) {
        let n = graph.0;
        let mut seeds: Vec<Node> = (0..n as Node).filter(|&node| picks[node as usize]).collect();
        if seeds.is_empty() {
            seeds.push(0);
        }
        let share = 1.0 / seeds.len() as f64;
        let mut v = vec![0.0; n];
        seeds.iter().for_each(|&seed| v[seed as usize] = share);
        let params = trust_in(&seeds, Damping::new(alpha).unwrap(), n).unwrap();
        let found = trustrank(&graph.walk(), &params, &within(1e-9), &Silent).unwrap();
        let truth = oracle::pagerank::pagerank(&graph.dense(), alpha, &v, &v);
        check(&found, &truth, 1e-9)?;
        // What is lost in dangling nodes, as in the paper, scales all scores alike.
        let lossy = oracle::pagerank::pagerank(&graph.dense(), alpha, &v, &vec![0.0; n]);
        let scaled = &lossy / lossy.sum();
        prop_assert!(l1(&found.values, &scaled) <= outcome(&found).2 + 1e-14);
    }

    #[test]
    fn candidates_are_the_best_of_the_transpose(graph in graphs(), alpha in 0.0..0.99f64) {
        let n = graph.0;
        let reversed = Arcs(n, graph.1.iter().map(|&(i, j)| (j, i)).collect());
        let params = params(alpha, Method::Power);
        let found = seed_candidates(&reversed.walk(), &params, &within(1e-9), &Silent).unwrap();
        let uniform = vec![1.0 / n as f64; n];
        let transposed = graph.dense().t().to_owned();
        let truth = oracle::pagerank::pagerank(&transposed, alpha, &uniform, &uniform);
        check(&found, &truth, 1e-9)?;
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
