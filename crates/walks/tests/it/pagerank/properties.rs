//! Promises of PageRank on every small graph, against a dense solve.

use crate::pagerank::runs::*;
use proptest::prelude::*;
use webrank_base::Node;
use webrank_base::progress::Silent;
use webrank_linear::StopRule;
use webrank_scores::Status;
use webrank_scores::parameters::Dangling;
use webrank_scores::ranking::Ranking;
use webrank_testing::graphs::*;
use webrank_testing::oracle;
use webrank_walks::pagerank::{PageRank, pagerank};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn certified_bounds_hold_for_every_method_and_variant(
        (graph, v, u) in problems(),
        alpha in alphas(),
        tolerance in prop_oneof![Just(1e-3), Just(1e-9), Just(1e-12)],
    ) {
        let (v, u) = (entries(&v), entries(&u));
        for (dangling, u) in danglings(&v, &u) {
            let truth = oracle::pagerank::pagerank(&graph.dense(), alpha, &v, &u);
            for method in METHODS {
                let params = PageRank {
                    preference: weights(&v),
                    dangling: dangling.clone(),
                    ..params(alpha, method)
                };
                let scores = run(&graph, &params, &within(tolerance));
                let (status, iterations, bound) = outcome(&scores);
                let error = l1(&scores.values, &truth);
                prop_assert!(
                    error <= bound + 1e-15,
                    "{method:?} {dangling:?}: {error:e} > {bound:e}"
                );
                // 200 roundings an entry, amplified by 1/(1 - alpha), is all that rounding costs.
                // Above 0.99, extrapolation may fail to converge on a few graphs, and says so.
                if tolerance * (1.0 - alpha) > 1e-13 && alpha <= 0.99 {
                    prop_assert_eq!(
                        status, Status::Converged,
                        "{:?} {:?} {} {:e}", method, dangling, iterations, bound
                    );
                    prop_assert!(bound <= tolerance);
                }
            }
        }
    }

    /// All others have the same scores but for one factor, and so the same order.
    #[test]
    fn nodes_without_arcs_scale_the_scores_of_others(
        (graph, ..) in problems(), alpha in alphas(), more in 1usize..50,
    ) {
        let larger = Arcs(graph.0 + more, graph.1.clone());
        let params = params(alpha, METHODS[0]);
        let [found, scaled] = [&graph, &larger].map(|it| run(it, &params, &within(1e-13)).values);
        let factor = scaled[0] / found[0];
        for (found, scaled) in found.iter().zip(&scaled) {
            prop_assert!((scaled / found / factor - 1.0).abs() < 1e-6, "{found}, {scaled}, {factor}");
        }
    }

    #[test]
    fn scores_sum_to_one_unless_mass_is_lost((graph, v, u) in problems(), alpha in alphas()) {
        for (dangling, _) in danglings(&entries(&v), &entries(&u)) {
            let loses = dangling == Dangling::None;
            for method in METHODS {
                let params = PageRank { dangling: dangling.clone(), ..params(alpha, method) };
                let scores = run(&graph, &params, &within(1e-9));
                let (_, _, bound) = outcome(&scores);
                let sum = scores.values.sum();
                prop_assert!(sum <= 1.0 + bound + 1e-15);
                if !loses {
                    prop_assert!((sum - 1.0).abs() <= bound + 1e-15);
                }
            }
        }
    }

    #[test]
    fn nodes_with_equal_rows_get_equal_bits(
        (graph, v, _) in problems(),
        alpha in alphas(),
        copies in prop::collection::vec(0usize..12, 1..4),
    ) {
        // Each copy has the predecessors of its original (not itself), and the same preference.
        let n = graph.0;
        let (mut arcs, mut v) = (graph.1.clone(), v.clone());
        let mut pairs = Vec::new();
        for (k, original) in copies.iter().enumerate() {
            let (original, copy) = ((original % n) as Node, (n + k) as Node);
            let into = graph.1.iter().filter(|arc| arc.1 == original);
            arcs.extend(into.map(|&(source, _)| (source, copy)));
            v.push(v[original as usize]);
            pairs.push((original as usize, copy as usize));
        }
        let copied = Arcs(n + copies.len(), arcs);
        for method in METHODS {
            let params = PageRank { preference: weights(&entries(&v)), ..params(alpha, method) };
            let scores = run(&copied, &params, &within(1e-6)).values;
            for &(original, copy) in &pairs {
                prop_assert_eq!(scores[original].to_bits(), scores[copy].to_bits());
            }
        }
    }

    #[test]
    fn relabelling_nodes_relabels_scores(
        (graph, names) in graphs().prop_flat_map(|graph| {
            let names = Just((0..graph.0 as Node).collect::<Vec<_>>()).prop_shuffle();
            (Just(graph), names)
        }),
        alpha in alphas(),
    ) {
        for method in METHODS {
            let params = params(alpha, method);
            let scores = run(&graph, &params, &within(1e-9));
            let renamed = run(&graph.relabelled(&names), &params, &within(1e-9));
            let back = names.iter().map(|&name| renamed.values[name as usize]).collect();
            let allowed = outcome(&scores).2 + outcome(&renamed).2;
            prop_assert!(l1(&scores.values, &back) <= allowed);
        }
    }

    #[test]
    fn methods_agree_within_the_sum_of_their_bounds(graph in graphs(), alpha in alphas()) {
        let [power, others @ ..] = METHODS
            .map(|method| run(&graph, &params(alpha, method), &within(1e-9)));
        for other in others {
            let allowed = outcome(&power).2 + outcome(&other).2;
            prop_assert!(l1(&power.values, &other.values) <= allowed);
        }
    }

    #[test]
    fn mirrored_nodes_tie_exactly(graph in graphs(), alpha in alphas()) {
        // Two disconnected copies: no equal rows explain their ties.
        let n = graph.0;
        let mirror = |&(i, j): &(Node, Node)| [(i, j), (i + n as Node, j + n as Node)];
        let both = Arcs(2 * n, graph.1.iter().flat_map(mirror).collect());
        for method in METHODS {
            let stop = StopRule { certify_top: Some(2 * n), ..within(1e-6) };
            let scores = bits(&run(&both, &params(alpha, method), &stop));
            prop_assert_eq!(&scores[..n], &scores[n..]);
        }
    }

    #[test]
    fn proved_positions_are_those_of_the_true_ranking((graph, v, _) in problems(), alpha in alphas()) {
        let v = entries(&v);
        let truth = oracle::pagerank::pagerank(&graph.dense(), alpha, &v, &v);
        let walk = graph.walk();
        for (method, certify_top) in METHODS.into_iter().flat_map(|m| [(m, None), (m, Some(12))]) {
            let params = PageRank { preference: weights(&v), ..params(alpha, method) };
            let stop = StopRule { certify_top, ..within(1e-6) };
            let scores = pagerank(&walk, &params, &stop, &Silent).unwrap();
            prop_assert!(l1(&scores.values, &truth) <= outcome(&scores).2 + 1e-15);
            let ranking = Ranking::new(scores.values.as_slice().unwrap()).unwrap();
            let certainty = params.certainty(&walk, &stop, &scores, &ranking, &Silent).unwrap();
            for (node, &certain) in certainty.certain().iter().enumerate() {
                // The oracle knows ties up to its own rounding.
                let above = truth.iter().filter(|&&score| score > truth[node] + 1e-14).count();
                if certain {
                    prop_assert_eq!(ranking.ranks()[node] as usize, above + 1);
                }
            }
        }
    }
}
