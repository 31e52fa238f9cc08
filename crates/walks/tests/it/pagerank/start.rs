//! PageRank from the scores of an earlier version of a graph.

use crate::pagerank::runs::*;
use webrank_base::progress::Silent;
use webrank_scores::parameters::Dangling;
use webrank_testing::graphs::*;
use webrank_walks::pagerank::pagerank;
use webrank_walks::pagerank::{Method, PageRank};

#[test]
fn near_scores_save_sweeps_and_the_bound_holds() {
    let graph = large_graph();
    let walk = graph.walk();
    for (method, dangling) in [
        (Method::Power, Dangling::Preference),
        (Method::Power, Dangling::None),
        (Method::GaussSeidel, Dangling::Preference),
    ] {
        let plain = PageRank {
            dangling,
            ..params(0.85, method)
        };
        let exact = pagerank(&walk, &plain, &within(1e-13), &Silent).unwrap();
        let cold = pagerank(&walk, &plain, &within(1e-9), &Silent).unwrap();
        // Nothing is known of some nodes, and four digits of the others.
        let known = |(node, score): (usize, &f64)| match node % 1000 {
            0 => 0.0,
            _ => score * (1.0 + 1e-4 * (node % 3) as f64),
        };
        let scores = exact.values.iter().enumerate().map(known).collect();
        let from_known = plain.clone().start(scores).unwrap();
        let exact_start = plain.start(exact.values.to_vec()).unwrap();
        for (params, most) in [(from_known, 0.9), (exact_start, 0.6)] {
            let warm = pagerank(&walk, &params, &within(1e-9), &Silent).unwrap();
            let (status, sweeps, bound) = outcome(&warm);
            assert_eq!(status, webrank_scores::Status::Converged);
            let without = outcome(&cold).1;
            assert!(
                f64::from(sweeps) <= most * f64::from(without),
                "{method:?}: {sweeps}, {without}"
            );
            assert!(bound <= 1e-9 && l1(&warm.values, &exact.values) <= bound + 1e-12);
        }
    }
}

#[test]
fn scores_to_begin_with_are_checked() {
    let walk = cycle(3).walk();
    let run = |scores: Vec<f64>| {
        let params = PageRank::default().start(scores)?;
        pagerank(&walk, &params, &within(1e-9), &Silent)
    };
    assert!(run(vec![1.0, 0.0, 0.0]).is_ok());
    // Their sum is more than a double holds.
    assert!(run(vec![1.7e308, 1e308, 0.0]).is_ok());
    for (scores, word) in [
        (vec![1.0; 2], "length 2"),
        (vec![0.0; 3], "0"),
        (vec![1.0, -1.0, 1.0], "-1"),
        (vec![1.0, f64::NAN, 1.0], "NaN"),
    ] {
        let problem = run(scores).err().unwrap().to_string();
        assert!(problem.contains(word), "{problem}");
    }
}
