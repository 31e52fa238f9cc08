//! Guarantees of PageRank on any graph: the same bits for any number of threads, methods
//! that agree, parameters that are refused, and when it stops.

use crate::pagerank::runs::*;
use rayon::ThreadPoolBuilder;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use webrank_base::error::Error;
use webrank_base::limits::Limits;
use webrank_base::progress::{Progress, Silent};
use webrank_graph::Graph;
use webrank_linear::StopRule;
use webrank_measure::Measure;
use webrank_scores::Status;
use webrank_scores::parameters::{Damping, Dangling, Distribution};
use webrank_scores::ranking::Ranking;
use webrank_testing::graphs::*;
use webrank_walks::pagerank::{Method, PageRank, pagerank};

/// Scores have the bits of the method that was chosen, in as many sweeps, but for the probe.
#[test]
fn auto_takes_components_where_it_pays() {
    // Layers of 50 nodes, with arcs to the next.
    let cited = |node: u32| {
        [
            (node, node + 50),
            (node, node / 50 * 50 + 50 + node * 7 % 50),
        ]
    };
    let citations = Arcs(2000, (0..1950).flat_map(cited).collect());
    let chosen = |graph: &Arcs, alpha, tolerance| {
        let found = run(graph, &params(alpha, Method::Auto), &within(tolerance));
        let method = METHODS
            .into_iter()
            .find(|method| method.name() == found.run.method);
        let direct = run(graph, &params(alpha, method.unwrap()), &within(tolerance));
        assert_eq!(bits(&found), bits(&direct), "{method:?}");
        (found.run.method, outcome(&found).1 - outcome(&direct).1)
    };
    assert_eq!(chosen(&citations, 0.85, 1e-9), ("components", 4));
    assert_eq!(chosen(&citations, 0.99, 1e-12), ("components", 4));
    // Few sweeps suffice.
    assert_eq!(chosen(&citations, 0.5, 1e-9), ("power", 0));
    assert_eq!(chosen(&citations, 0.0, 1e-9), ("power", 0));
    assert_eq!(chosen(&large_graph(), 0.85, 1e-9), ("power", 0));
    assert_eq!(chosen(&cycle(10), 0.85, 1e-9), ("power", 0));
    assert_eq!(chosen(&Arcs(0, vec![]), 0.85, 1e-9), ("power", 0));
    assert_eq!(chosen(&Arcs(2, vec![(0, 1)]), 0.85, 1e-9), ("power", 0));
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
        let [power, others @ ..] = METHODS.map(|method| {
            let params = PageRank {
                dangling: dangling.clone(),
                ..params(0.99, method)
            };
            run(&graph, &params, &within(1e-10))
        });
        for other in others {
            let allowed = outcome(&power).2 + outcome(&other).2;
            assert!(allowed <= 2e-10);
            assert!(l1(&power.values, &other.values) <= allowed);
        }
    }
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
        assert!(
            params
                .certainty(&walk, &stop, &scores, &ranking, &Silent)
                .unwrap()
                .proves(50)
        );
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

/// Ctrl-C is seen while ties are searched for, after the last sweep.
#[test]
fn a_search_for_ties_is_interrupted() {
    #[derive(Default)]
    struct AfterSweeps {
        has_swept: AtomicBool,
        is_after: AtomicBool,
    }
    impl Progress for AfterSweeps {
        fn begin(&self, phase: &str, _total: Option<u64>) {
            self.has_swept.fetch_or(phase == "iterate", Relaxed);
            self.is_after.store(false, Relaxed);
        }
        fn end(&self) {
            self.is_after.store(self.has_swept.load(Relaxed), Relaxed);
        }
        fn interrupted(&self) -> bool {
            self.is_after.load(Relaxed)
        }
    }
    let mirrored = [
        (0, 3),
        (1, 4),
        (3, 5),
        (4, 6),
        (2, 5),
        (0, 1),
        (1, 0),
        (2, 6),
    ];
    let graph = Graph::from_arcs(7, mirrored).unwrap();
    let params = PageRank::default().certify_top(7);
    let limits = Limits::default();
    let found = params.compute(&graph, &limits, &Silent).unwrap();
    assert!(found.certainty().unwrap().proves(7));
    let stopped = params.compute(&graph, &limits, &AfterSweeps::default());
    assert!(matches!(stopped, Err(Error::Interrupted)));
}

#[test]
fn certify_top_does_not_excuse_the_tolerance() {
    let stop = StopRule {
        certify_top: Some(1),
        max_iterations: 4,
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
