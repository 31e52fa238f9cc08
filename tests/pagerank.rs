//! PageRank against a dense solve, closed forms, and its own promises.

mod oracle;

use ndarray::Array1;
use oracle::pagerank::Dense;
use proptest::prelude::*;
use rayon::ThreadPoolBuilder;
use webrank::Error;
use webrank::centrality::pagerank::{Damping, Dangling, Distribution, Method, PageRank, pagerank};
use webrank::graph::{Backward, Csr, Node};
use webrank::linear::{RandomWalk, StopRule, Tolerance};
use webrank::progress::{Progress, Silent};
use webrank::scores::ranking::Ranking;
use webrank::scores::{Outcome, Scores, Status};

const METHODS: [Method; 2] = [Method::Power, Method::GaussSeidel];

/// A graph as its number of nodes and its arcs.
#[derive(Debug, Clone)]
struct Arcs(usize, Vec<(Node, Node)>);

impl Arcs {
    fn walk(&self) -> RandomWalk {
        let reversed = self.1.iter().map(|&(i, j)| (j, i));
        RandomWalk::new(Backward {
            rows: Csr::from_arcs(self.0, reversed).unwrap(),
            outdegrees: None,
        })
        .unwrap()
    }

    fn dense(&self) -> Dense {
        let mut dense = Dense::from_elem((self.0, self.0), false);
        for &(i, j) in &self.1 {
            dense[[i as usize, j as usize]] = true;
        }
        dense
    }

    /// The node `i` becomes `names[i]`.
    fn relabelled(&self, names: &[Node]) -> Arcs {
        let arc = |&(i, j): &(Node, Node)| (names[i as usize], names[j as usize]);
        Arcs(self.0, self.1.iter().map(arc).collect())
    }
}

fn params(alpha: f64, method: Method) -> PageRank {
    PageRank {
        damping: Damping::new(alpha).unwrap(),
        method,
        ..PageRank::default()
    }
}

fn within(tolerance: f64) -> StopRule {
    StopRule {
        tolerance: Tolerance::new(tolerance).unwrap(),
        ..StopRule::default()
    }
}

fn run(graph: &Arcs, params: &PageRank, stop: &StopRule) -> Scores {
    pagerank(&graph.walk(), params, stop, &Silent).unwrap()
}

fn outcome(scores: &Scores) -> (Status, u32, f64) {
    match scores.run.outcome {
        Outcome::Iterated {
            status,
            iterations,
            error_bound,
            ..
        } => (status, iterations, error_bound),
        _ => unreachable!("PageRank iterates"),
    }
}

fn bits(scores: &Scores) -> Vec<u64> {
    scores.values.iter().map(|score| score.to_bits()).collect()
}

fn weights(weights: &[f64]) -> Distribution {
    Distribution::from_weights(weights.to_vec()).unwrap()
}

/// The entries of v or u, without the library's normalisation.
fn entries(distribution: &[u8]) -> Vec<f64> {
    let total: u32 = distribution.iter().map(|&weight| weight as u32).sum();
    let entry = |&weight: &u8| weight as f64 / total as f64;
    distribution.iter().map(entry).collect()
}

fn l1(a: &Array1<f64>, b: &Array1<f64>) -> f64 {
    (a - b).mapv(f64::abs).sum()
}

/// Digraphs of up to 12 nodes: self-loops, dangling and isolated nodes, several components, some
/// without arcs, some bipartite, whose walk has period 2.
fn graphs() -> impl Strategy<Value = Arcs> {
    (1usize..=12, any::<bool>()).prop_flat_map(|(n, bipartite)| {
        let arc = (0..n as Node, 0..n as Node);
        prop::collection::vec(arc, 0..3 * n).prop_map(move |mut arcs| {
            if bipartite {
                arcs.retain(|(i, j)| (i + j) % 2 == 1);
            }
            Arcs(n, arcs)
        })
    })
}

fn alphas() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), Just(0.5), Just(0.85), Just(0.99), 0.0..0.999f64]
}

/// A graph and two distributions, not all zero, as small integers.
fn problems() -> impl Strategy<Value = (Arcs, Vec<u8>, Vec<u8>)> {
    graphs().prop_flat_map(|graph| {
        let weights = prop::collection::vec(prop_oneof![Just(0u8), 1..9u8], graph.0);
        let weights = weights.prop_map(|mut weights| {
            if weights.iter().all(|&weight| weight == 0) {
                weights[0] = 1;
            }
            weights
        });
        (Just(graph), weights.clone(), weights)
    })
}

/// The ways to treat dangling nodes, each with its u.
fn danglings(v: &[f64], u: &[f64]) -> [(Dangling, Vec<f64>); 4] {
    let n = v.len();
    [
        (Dangling::Preference, v.to_vec()),
        (Dangling::Uniform, vec![1.0 / n as f64; n]),
        (Dangling::None, vec![0.0; n]),
        (Dangling::Vector(weights(u)), u.to_vec()),
    ]
}

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
                if tolerance * (1.0 - alpha) > 1e-13 {
                    prop_assert_eq!(
                        status, Status::Converged,
                        "{:?} {:?} {} {:e}", method, dangling, iterations, bound
                    );
                    prop_assert!(bound <= tolerance);
                }
            }
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
        let [power, gauss_seidel] = METHODS
            .map(|method| run(&graph, &params(alpha, method), &within(1e-9)));
        let allowed = outcome(&power).2 + outcome(&gauss_seidel).2;
        prop_assert!(l1(&power.values, &gauss_seidel.values) <= allowed);
    }

    #[test]
    fn mirrored_nodes_tie_exactly(graph in graphs(), alpha in alphas()) {
        // Two copies that do not know of each other: no rows explain their ties.
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
            let certainty = params.certainty(&walk, &stop, &scores, &ranking);
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

/// A pseudorandom graph large enough for many parallel blocks, with dangling nodes and self-loops.
fn large_graph() -> Arcs {
    let n = 30_000u32;
    let mut state = 1u64;
    let mut random = |below: u32| {
        state = state
            .wrapping_mul(0x5851_F42D_4C95_7F2D)
            .wrapping_add(0x1405_7B7E_F767_814F);
        ((state >> 33) % below as u64) as u32
    };
    let mut arcs = Vec::new();
    for i in 0..n {
        let outdegree = [0, 3, 10, 30][random(4) as usize];
        for _ in 0..outdegree {
            // Mostly near, sometimes among the few popular nodes, sometimes anywhere.
            arcs.push((
                i,
                match random(8) {
                    0 => random(n),
                    1 => random(100),
                    _ => (i / 50 * 50 + random(50)).min(n - 1),
                },
            ));
        }
    }
    Arcs(n as usize, arcs)
}

#[test]
fn same_bits_for_any_thread_count() {
    let graph = large_graph();
    for method in METHODS {
        for dangling in [Dangling::Preference, Dangling::None] {
            let params = PageRank {
                dangling,
                ..params(0.85, method)
            };
            let with = |threads: usize| {
                let pool = ThreadPoolBuilder::new()
                    .num_threads(threads)
                    .build()
                    .unwrap();
                pool.install(|| run(&graph, &params, &within(1e-9)))
            };
            let one = with(1);
            assert_eq!(outcome(&one).0, Status::Converged);
            for threads in [2, 3, 8] {
                let other = with(threads);
                assert_eq!(bits(&other), bits(&one), "{method:?}, {threads} threads");
                assert_eq!(other.run.outcome, one.run.outcome);
            }
        }
    }
}

#[test]
fn methods_agree_on_a_large_graph_at_high_damping() {
    let graph = large_graph();
    for dangling in [Dangling::Preference, Dangling::Uniform, Dangling::None] {
        let [power, gauss_seidel] = METHODS.map(|method| {
            let params = PageRank {
                dangling: dangling.clone(),
                ..params(0.99, method)
            };
            run(&graph, &params, &within(1e-10))
        });
        let allowed = outcome(&power).2 + outcome(&gauss_seidel).2;
        assert!(allowed <= 2e-10);
        assert!(l1(&power.values, &gauss_seidel.values) <= allowed);
    }
}

/// Checks both methods against closed forms.
fn assert_scores(graph: &Arcs, params_of: impl Fn(Method) -> PageRank, expected: &[f64]) {
    for method in METHODS {
        let scores = run(graph, &params_of(method), &within(1e-12));
        let (status, _, bound) = outcome(&scores);
        assert_eq!(status, Status::Converged, "{method:?}");
        let expected = Array1::from_vec(expected.to_vec());
        assert!(
            l1(&scores.values, &expected) <= bound + 1e-15,
            "{method:?}: {} is not {expected}",
            scores.values
        );
    }
}

fn plain(method: Method) -> PageRank {
    params(0.85, method)
}

fn cycle(n: Node) -> Arcs {
    Arcs(n as usize, (0..n).map(|i| (i, (i + 1) % n)).collect())
}

#[test]
fn cycles_are_uniform_whatever_their_period() {
    for n in [1, 2, 3, 10] {
        assert_scores(&cycle(n), plain, &vec![1.0 / n as f64; n as usize]);
    }
}

#[test]
fn cliques_are_uniform() {
    let arcs = (0..49u32).map(|k| (k / 7, k % 7)).collect();
    assert_scores(&Arcs(7, arcs), plain, &[1.0 / 7.0; 7]);
}

#[test]
fn a_star_gives_its_centre_what_its_leaves_send() {
    // centre = (1 - a)/n + a leaves, leaves + centre = 1.
    let n = 11;
    let both_ways = (1..n).flat_map(|leaf| [(leaf, 0), (0, leaf)]).collect();
    let a = 0.85;
    let centre = ((1.0 - a) / n as f64 + a) / (1.0 + a);
    let mut expected = vec![(1.0 - centre) / (n - 1) as f64; n as usize];
    expected[0] = centre;
    assert_scores(&Arcs(n as usize, both_ways), plain, &expected);
}

#[test]
fn a_path_sums_powers_of_alpha() {
    // y_k = 1 + a y_(k-1), normalised when the end sends its mass back by the preference.
    let (n, a) = (9u32, 0.85f64);
    let path = Arcs(n as usize, (1..n).map(|i| (i - 1, i)).collect());
    let unscaled: Vec<f64> = (1..=n as i32)
        .map(|k| (1.0 - a.powi(k)) / (1.0 - a))
        .collect();
    let total: f64 = unscaled.iter().sum();
    let scaled: Vec<f64> = unscaled.iter().map(|y| y / total).collect();
    assert_scores(&path, plain, &scaled);
    let lost = |method| PageRank {
        dangling: Dangling::None,
        ..plain(method)
    };
    let scaled: Vec<f64> = unscaled.iter().map(|y| y * (1.0 - a) / n as f64).collect();
    assert_scores(&path, lost, &scaled);
}

#[test]
fn no_nodes_no_scores() {
    assert_scores(&Arcs(0, vec![]), plain, &[]);
}

#[test]
fn one_node_has_everything_unless_its_mass_is_lost() {
    for arcs in [vec![], vec![(0, 0)]] {
        assert_scores(&Arcs(1, arcs), plain, &[1.0]);
    }
    let lost = |method| PageRank {
        dangling: Dangling::None,
        ..plain(method)
    };
    assert_scores(&Arcs(1, vec![]), lost, &[1.0 - 0.85]);
    assert_scores(&Arcs(1, vec![(0, 0)]), lost, &[1.0]);
}

#[test]
fn without_arcs_scores_are_the_preference_and_the_dangling_distribution() {
    let preferred = |method| PageRank {
        preference: weights(&[1.0, 0.0, 3.0]),
        ..plain(method)
    };
    let graph = Arcs(3, vec![]);
    assert_scores(&graph, preferred, &[0.25, 0.0, 0.75]);
    let elsewhere = |method| PageRank {
        dangling: Dangling::Vector(weights(&[0.0, 1.0, 0.0])),
        ..preferred(method)
    };
    assert_scores(&graph, elsewhere, &[0.15 * 0.25, 0.85, 0.15 * 0.75]);
}

#[test]
fn without_damping_scores_are_the_preference() {
    let still = |method| PageRank {
        preference: weights(&[1.0, 1.0, 2.0]),
        ..params(0.0, method)
    };
    assert_scores(&cycle(3), still, &[0.25, 0.25, 0.5]);
}

#[test]
fn damping_is_below_one_and_not_negative() {
    for bad in [1.0, 1.5, -0.1, f64::NAN, f64::INFINITY] {
        assert!(
            matches!(Damping::new(bad), Err(Error::Argument { .. })),
            "{bad}"
        );
    }
    assert_eq!(Damping::new(0.0).unwrap().get(), 0.0);
}

#[test]
fn what_is_no_distribution_is_refused() {
    for bad in [
        vec![1.0, f64::NAN],
        vec![1.0, -1.0],
        vec![0.0, 0.0],
        vec![f64::INFINITY],
        vec![],
    ] {
        assert!(Distribution::from_weights(bad.clone()).is_err(), "{bad:?}");
    }
    let huge = weights(&[f64::MAX, f64::MAX]);
    assert_eq!(huge, weights(&[1.0, 1.0]));
}

#[test]
fn distributions_of_another_length_are_refused() {
    let short = || weights(&[1.0, 1.0]);
    let preference = PageRank {
        preference: short(),
        ..PageRank::default()
    };
    let dangling = PageRank {
        dangling: Dangling::Vector(short()),
        ..PageRank::default()
    };
    for params in [preference, dangling] {
        let result = pagerank(&cycle(3).walk(), &params, &StopRule::default(), &Silent);
        assert!(matches!(result, Err(Error::Argument { .. })));
    }
}

#[test]
fn reaching_the_limit_is_reported_with_a_bound_that_holds() {
    let graph = large_graph();
    let truth = run(&graph, &plain(Method::Power), &within(1e-12)).values;
    for method in METHODS {
        let stop = StopRule {
            max_iterations: 5,
            ..StopRule::default()
        };
        let scores = run(&graph, &plain(method), &stop);
        let (status, iterations, bound) = outcome(&scores);
        assert_eq!(status, Status::NotConverged);
        assert!(iterations <= 5, "{iterations}");
        assert!(bound > 1e-9 && l1(&scores.values, &truth) <= bound);
    }
}

#[test]
fn a_tolerance_below_roundoff_is_given_up_early() {
    for method in METHODS {
        let scores = run(&large_graph(), &plain(method), &within(1e-18));
        let (status, iterations, bound) = outcome(&scores);
        assert_eq!(status, Status::NotConverged);
        assert!(
            iterations < 400 && bound < 1e-12,
            "{iterations} sweeps, {bound:e}"
        );
    }
}

#[test]
fn certify_top_goes_on_until_the_first_positions_are_proved() {
    let graph = large_graph();
    let walk = graph.walk();
    for method in METHODS {
        let stop = StopRule {
            certify_top: Some(50),
            ..within(1e-2)
        };
        let params = plain(method);
        let scores = pagerank(&walk, &params, &stop, &Silent).unwrap();
        let (status, _, bound) = outcome(&scores);
        assert_eq!(status, Status::Converged);
        assert!(bound < 1e-2);
        let ranking = Ranking::new(scores.values.as_slice().unwrap()).unwrap();
        assert!(params.certainty(&walk, &stop, &scores, &ranking).proves(50));
    }
}

#[test]
fn exact_ties_of_equal_rows_are_proved() {
    // Two leaves of node 0 tie for the first place.
    let graph = Arcs(5, vec![(0, 1), (0, 2), (3, 0), (4, 0)]);
    for method in METHODS {
        let stop = StopRule {
            certify_top: Some(5),
            ..StopRule::default()
        };
        let scores = run(&graph, &plain(method), &stop);
        assert_eq!(outcome(&scores).0, Status::Converged);
    }
}

#[test]
fn exact_ties_that_no_equal_rows_explain_are_proved() {
    // The mirror image swaps 0 and 1, 3 and 4, 5 and 6.
    let arcs = [
        (0, 3),
        (1, 4),
        (3, 5),
        (4, 6),
        (2, 5),
        (0, 1),
        (1, 0),
        (2, 6),
    ];
    let graph = Arcs(7, arcs.to_vec());
    let stop = StopRule {
        certify_top: Some(7),
        ..StopRule::default()
    };
    for method in METHODS {
        let scores = run(&graph, &plain(method), &stop);
        assert_eq!(outcome(&scores).0, Status::Converged);
        assert_eq!(scores.values[5].to_bits(), scores.values[6].to_bits());
        assert_eq!(scores.values[0].to_bits(), scores.values[1].to_bits());
    }
}

#[test]
fn certify_top_does_not_excuse_the_tolerance() {
    let stop = StopRule {
        certify_top: Some(1),
        max_iterations: 10,
        ..StopRule::default()
    };
    // The centre of the star is first at once.
    let spokes = (1..50).flat_map(|leaf| [(leaf, 0), (0, leaf % 7 + 1)]);
    let star = Arcs(50, spokes.collect());
    for method in METHODS {
        let (status, _, bound) = outcome(&run(&star, &plain(method), &stop));
        assert!(bound > 1e-9);
        assert_eq!(status, Status::NotConverged);
    }
}

#[test]
fn interruption_is_an_error() {
    struct Impatient;
    impl Progress for Impatient {
        fn interrupted(&self) -> bool {
            true
        }
    }
    for method in METHODS {
        let result = pagerank(
            &large_graph().walk(),
            &plain(method),
            &within(1e-9),
            &Impatient,
        );
        assert!(matches!(result, Err(Error::Interrupted)));
    }
}
