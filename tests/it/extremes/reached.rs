//! PageRank by every method and in every form: the bound holds, certain ranks are right, and a score
//! of 0 means that no walk gets there.

use super::*;
use std::path::Path;
use webrank_base::progress::Silent;
use webrank_graph::bundle::{BundleOptions, write_bundle};
use webrank_graph::{Compressed, IncomingRows, StoredGraph, Successors};
use webrank_linear::{StopRule, Tolerance};
use webrank_scores::parameters::{Damping, Dangling, Distribution};
use webrank_scores::proved_order::Certainty;
use webrank_scores::ranking::Ranking;
use webrank_scores::{Outcome, Scores, Status};
use webrank_testing::oracle::exact::{distance, distribution, pagerank as truth, ranks};
use webrank_walks::pagerank::methods::weighted_power::WeightedWalk;
use webrank_walks::pagerank::seeds::{Seeds, pagerank_of_seeds};
use webrank_walks::pagerank::walk::RandomWalk;
use webrank_walks::pagerank::weighted::{weighted_certainty, weighted_pagerank};
use webrank_walks::pagerank::{Method, PageRank, pagerank, pagerank_streamed};

fn walk(rows: &Csr) -> RandomWalk {
    let rows = rows.transpose().unwrap();
    let backward = IncomingRows {
        rows,
        outdegrees: None,
    };
    RandomWalk::new(backward).unwrap()
}

fn streamed(rows: &Csr, params: &PageRank, stop: &StopRule) -> Scores {
    let folder = tempfile::tempdir().unwrap();
    pagerank_streamed(&on_disk(rows, folder.path()), params, stop, &Silent).unwrap()
}

fn on_disk(rows: &Csr, folder: &Path) -> Compressed {
    let path = folder.join("graph.bv");
    write_bundle(rows, None, &path, BundleOptions::default()).unwrap();
    StoredGraph::open(&path).unwrap().streamed().unwrap()
}

fn bound(scores: &Scores) -> f64 {
    match scores.run.outcome {
        Outcome::Iterated { error_bound, .. } => error_bound,
        ref other => panic!("{other:?}"),
    }
}

/// The ways to treat dangling nodes, and where walks go on then.
fn danglings(v: &[f64], u: &[f64]) -> [(Dangling, Option<Vec<Exact>>); 4] {
    let dense = Distribution::from_weights(u.to_vec()).unwrap();
    [
        (Dangling::Preference, Some(distribution(v))),
        (Dangling::Uniform, Some(distribution(&vec![1.0; v.len()]))),
        (Dangling::None, None),
        (Dangling::Vector(dense), Some(distribution(u))),
    ]
}

/// One positive number at least, and zeros.
fn weights_of_nodes() -> impl Strategy<Value = Vec<f64>> {
    let number = prop_oneof![3 => Just(0.0), 1 => Just(1.0), 1 => weight()];
    (prop::collection::vec(number, 6), 0usize..6).prop_map(|(mut weights, place)| {
        weights[place] = weights[place].max(1.0);
        weights
    })
}

fn check(
    name: &str,
    scores: &Scores,
    certainty: Option<Certainty>,
    truth: &[Exact],
) -> Result<(), TestCaseError> {
    let values = scores.as_slice();
    prop_assert!(are_scores(values), "{name}: {values:?}");
    let bound = bound(scores);
    prop_assert!(bound >= 0.0 && !bound.is_nan(), "{name}: {bound:e}");
    if bound.is_finite() {
        let is_within = distance(values, truth) <= exact(bound);
        prop_assert!(is_within, "{name}: {values:?} {bound:e}");
    }
    for (&x, truth) in values.iter().zip(truth) {
        prop_assert!(x > 0.0 || truth.is_zero(), "{name}: {values:?}");
    }
    if let Some(certainty) = certainty {
        let ranking = Ranking::new(values).unwrap();
        let found = ranking.ranks();
        for (node, rank) in ranks(truth).into_iter().enumerate() {
            let is_certain = certainty.certain()[node];
            prop_assert!(!is_certain || found[node] == rank, "{name}: {values:?}");
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn every_bound_holds_and_zero_means_not_reached(
        n in 1usize..=6,
        arcs in prop::collection::vec((0..6 as Node, 0..6 as Node, weight()), 0..12),
        v in weights_of_nodes(),
        u in weights_of_nodes(),
        alpha in prop_oneof![
            Just(1e-300), Just(1e-9), Just(0.5), Just(0.85), Just(0.999), Just(1.0 - 1e-12),
        ],
        tolerance in prop_oneof![Just(0.3), Just(1e-3), Just(1e-9), Just(1e-15)],
        top in prop::option::of(1usize..=6),
    ) {
        let arcs = arcs.into_iter().filter(|&(i, j, _)| (i.max(j) as usize) < n).collect();
        let graph = Weighted::new(n, arcs);
        let mut graph_of_ones = graph.clone();
        graph_of_ones.1.iter_mut().for_each(|arc| arc.2 = 1.0);
        let (mut v, mut u) = (v, u);
        v.truncate(n);
        u.truncate(n);
        (v[0], u[0]) = (v[0].max(f64::MIN_POSITIVE), u[0].max(f64::MIN_POSITIVE));
        let rows = graph.successors();
        let (plain, walk) = (rows.rows(), walk(rows.rows()));
        let weighted = WeightedWalk::new(Successors(plain), rows.weights().unwrap().to_vec());
        let weighted = weighted.unwrap();
        let folder = tempfile::tempdir().unwrap();
        let compressed = on_disk(plain, folder.path());
        let stop = StopRule {
            tolerance: Tolerance::new(tolerance).unwrap(),
            max_iterations: 300,
            certify_top: None,
        };
        let of_top = StopRule { certify_top: top, ..stop };
        let damping = Damping::new(alpha).unwrap();
        let preference = Distribution::from_weights(v.clone()).unwrap();
        let start = distribution(&v);
        for (dangling, u) in danglings(&v, &u) {
            let truth = |graph: &Weighted, start: &[Exact], u: &Option<Vec<Exact>>| {
                truth(&graph.exact(), &exact(alpha), start, u.as_deref())
            };
            let of_ones = truth(&graph_of_ones, &start, &u);
            let mut params = PageRank {
                damping,
                preference: preference.clone(),
                dangling: dangling.clone(),
                ..PageRank::default()
            };
            for method in [Method::Power, Method::GaussSeidel, Method::Components] {
                params.method = method;
                let found = pagerank(&walk, &params, &of_top, &Silent).unwrap();
                let ranking = Ranking::new(found.as_slice()).unwrap();
                let certainty = params.certainty(&walk, &of_top, &found, &ranking, &Silent).unwrap();
                check(method.name(), &found, Some(certainty), &of_ones)?;
            }
            params.method = Method::Power;
            let found = pagerank_streamed(&compressed, &params, &stop, &Silent).unwrap();
            let ranking = Ranking::new(found.as_slice()).unwrap();
            let certainty = params.certainty_streamed(&found, &ranking);
            check("streamed", &found, Some(certainty), &of_ones)?;
            let found = weighted_pagerank(&weighted, &params, &stop, &Silent).unwrap();
            let ranking = Ranking::new(found.as_slice()).unwrap();
            let certainty = weighted_certainty(&weighted, &params, &found, &ranking).unwrap();
            check("weighted", &found, Some(certainty), &truth(&graph, &start, &u))?;
            // From single nodes.
            let params = Seeds { damping, dangling: dangling.clone(), ..Seeds::default() };
            let seed = n - 1;
            let found = pagerank_of_seeds(&walk, &[seed as Node], &params, &stop, &Silent);
            let mut start = vec![Exact::zero(); n];
            start[seed] = exact(1.0);
            let u = if dangling == Dangling::Preference { Some(start.clone()) } else { u };
            check("seeds", &found.unwrap()[0], None, &truth(&graph_of_ones, &start, &u))?;
        }
    }
}

/// A path of n nodes from the seed to a dangling node, and one more node, which walks enter only
/// from there.
fn path_to_a_jump(n: Node) -> (Csr, Distribution, Dangling) {
    let rows = Csr::from_arcs(n as usize + 1, (1..n).map(|i| (i - 1, i))).unwrap();
    let only = |node: Node| {
        let mut weights = vec![0.0; n as usize + 1];
        weights[node as usize] = 1.0;
        Distribution::from_weights(weights).unwrap()
    };
    (rows, only(0), Dangling::Vector(only(n)))
}

#[test]
fn walks_that_jump_late_are_followed() {
    for (n, alpha) in [(3, 1e-200), (50, 0.01), (300, 0.5), (20_000, 0.9)] {
        let (rows, preference, dangling) = path_to_a_jump(n);
        let walk = walk(&rows);
        let ones = vec![1.0; rows.num_arcs() as usize];
        let weighted = WeightedWalk::new(Successors(&rows), ones).unwrap();
        let params = PageRank {
            damping: Damping::new(alpha).unwrap(),
            preference,
            dangling: dangling.clone(),
            ..PageRank::default()
        };
        let stop = StopRule::default();
        let of_seeds = Seeds {
            damping: params.damping,
            dangling,
            ..Seeds::default()
        };
        let found = [
            ("power", pagerank(&walk, &params, &stop, &Silent).unwrap()),
            (
                "weighted",
                weighted_pagerank(&weighted, &params, &stop, &Silent).unwrap(),
            ),
            ("streamed", streamed(&rows, &params, &stop)),
            (
                "seeds",
                pagerank_of_seeds(&walk, &[0], &of_seeds, &stop, &Silent)
                    .unwrap()
                    .remove(0),
            ),
        ];
        for (name, scores) in found {
            let values = scores.as_slice();
            assert!(are_scores(values));
            let first = values.iter().position(|&x| x == 0.0);
            assert_eq!(first, None, "{name} {n} {alpha}");
            assert!(bound(&scores) <= 1e-9, "{name} {n} {alpha}");
        }
    }
}

#[test]
fn streamed_walks_on_a_long_path_are_followed_to_its_end() {
    // Two paths from the seed that meet at the end, and one node that neither reaches.
    let n = 20_000 as Node;
    let arcs = (2..n)
        .map(|i| (i - 2, i))
        .chain([(0, 1), (n - 2, n), (n - 1, n)]);
    let rows = Csr::from_arcs(n as usize + 2, arcs).unwrap();
    for alpha in [0.3, 0.85] {
        let mut weights = vec![0.0; n as usize + 2];
        weights[0] = 1.0;
        let params = PageRank {
            damping: Damping::new(alpha).unwrap(),
            preference: Distribution::from_weights(weights).unwrap(),
            ..PageRank::default()
        };
        let found = streamed(&rows, &params, &StopRule::default());
        let values = found.as_slice();
        assert!(are_scores(values) && bound(&found) <= 1e-9);
        assert!(values[..=n as usize].iter().all(|&x| x > 0.0));
        assert_eq!(values[n as usize + 1], 0.0);
    }
}

#[test]
fn walks_round_a_cycle_end_with_a_bound_that_holds() {
    // A cycle, a path into it from the seed, and a path out of it to a dangling node.
    for length in [3, 4, 5 as Node] {
        let cycle = (0..length).map(|i| (i, (i + 1) % length));
        let tails = [(length, length + 1), (length + 1, 0), (1, length + 2)];
        let arcs: Vec<_> = cycle.chain(tails).map(|(i, j)| (i, j, 1.0)).collect();
        for arcs in [arcs.clone(), arcs[..length as usize].to_vec()] {
            let n = arcs.iter().map(|&(i, j, _)| i.max(j)).max().unwrap() as usize + 1;
            let graph = Weighted::new(n, arcs);
            let rows = graph.successors();
            let walk = walk(rows.rows());
            let mut v = vec![0.0; n];
            v[n.saturating_sub(3)] = 1.0;
            let start = distribution(&v);
            for alpha in [0.997, 0.9999, 1.0 - 1e-9] {
                let truth = truth(&graph.exact(), &exact(alpha), &start, Some(&start));
                for method in [Method::Power, Method::GaussSeidel, Method::Components] {
                    let params = PageRank {
                        damping: Damping::new(alpha).unwrap(),
                        preference: Distribution::from_weights(v.clone()).unwrap(),
                        method,
                        ..PageRank::default()
                    };
                    let found = pagerank(&walk, &params, &StopRule::default(), &Silent).unwrap();
                    check(method.name(), &found, None, &truth).unwrap();
                    let Outcome::Iterated {
                        status,
                        iterations,
                        error_bound,
                    } = found.run.outcome
                    else {
                        unreachable!()
                    };
                    assert!(iterations <= 10_000, "{iterations}");
                    assert_eq!(status == Status::Converged, error_bound <= 1e-9);
                }
            }
        }
    }
}
