//! TrustRank and PageRank from seeds: a score of 0 means that no walk gets there.

use super::*;
use webrank_base::progress::Silent;
use webrank_graph::IncomingRows;
use webrank_linear::StopRule;
use webrank_scores::parameters::Damping;
use webrank_scores::{Outcome, Status};
use webrank_walks::pagerank::Method;
use webrank_walks::pagerank::seeds::{Seeds, pagerank_of_seeds};
use webrank_walks::pagerank::trustrank::{trust_in, trustrank};
use webrank_walks::pagerank::walk::RandomWalk;

/// A path of n nodes with an arc back, and one node that it does not reach.
fn path(n: Node) -> RandomWalk {
    let reversed = (1..n).map(|i| (i, i - 1)).chain([(0, n - 1), (0, n)]);
    RandomWalk::new(IncomingRows {
        rows: Csr::from_arcs(n as usize + 1, reversed).unwrap(),
        outdegrees: None,
    })
    .unwrap()
}

#[test]
fn nodes_that_seeds_reach_have_positive_scores() {
    for (n, alpha) in [(100, 0.85), (300, 0.01), (2000, 0.5), (100_000, 0.85)] {
        let walk = path(n);
        let stop = StopRule::default();
        let mut found = Vec::new();
        for method in [Method::Power, Method::GaussSeidel] {
            let damping = Damping::new(alpha).unwrap();
            let mut params = trust_in(&[0], damping, n as usize + 1).unwrap();
            params.method = method;
            found.push(trustrank(&walk, &params, &stop, &Silent).unwrap());
        }
        let params = Seeds {
            damping: Damping::new(alpha).unwrap(),
            ..Seeds::default()
        };
        found.extend(pagerank_of_seeds(&walk, &[0], &params, &stop, &Silent).unwrap());
        for scores in found {
            let values = scores.as_slice();
            assert!(are_scores(values));
            assert!(values[..n as usize].iter().all(|&x| x > 0.0), "{n} {alpha}");
            assert_eq!(values[n as usize], 0.0);
            let Outcome::Iterated { error_bound, .. } = scores.run.outcome else {
                unreachable!()
            };
            assert!(error_bound <= 1e-9);
            // The score of node k is (1 - alpha) alpha^k / (1 - alpha^n).
            let power = |k: usize| (1.0 - alpha) * alpha.powf(k as f64);
            let cycle = 1.0 - alpha.powf(f64::from(n));
            let differences = (0..n as usize).map(|k| (values[k] - power(k) / cycle).abs());
            assert!(differences.sum::<f64>() <= error_bound + 1e-15);
            let order_holds = values[..n as usize]
                .windows(2)
                .all(|pair| pair[0] >= pair[1]);
            assert!(order_holds || n > 300);
        }
    }
}

#[test]
fn extrapolation_ends_where_it_backfires() {
    // A cycle of three: 0, 3, 4, and back from the dangling node to the preferred one.
    let walk = RandomWalk::new(IncomingRows {
        rows: Csr::from_arcs(5, [(3, 0), (4, 3)]).unwrap(),
        outdegrees: None,
    })
    .unwrap();
    for alpha in [0.99, 0.995] {
        let params = trust_in(&[0], Damping::new(alpha).unwrap(), 5).unwrap();
        let scores = trustrank(&walk, &params, &StopRule::default(), &Silent).unwrap();
        let Outcome::Iterated {
            status,
            error_bound,
            ..
        } = scores.run.outcome
        else {
            unreachable!()
        };
        assert_eq!(status, Status::Converged, "{alpha}: {error_bound:e}");
        let values = scores.as_slice();
        let total = 1.0 + alpha + alpha * alpha;
        let truth = [1.0, 0.0, 0.0, alpha, alpha * alpha].map(|x| x / total);
        let error: f64 = values.iter().zip(truth).map(|(x, t)| (x - t).abs()).sum();
        assert!(error <= error_bound, "{error:e} {error_bound:e}");
    }
}

#[test]
fn nodes_with_equal_rows_still_tie() {
    // A long path, from the end of which two nodes are reached.
    let n = 400;
    let reversed = (1..n)
        .map(|i| (i, i - 1))
        .chain([(n, n - 1), (n + 1, n - 1)]);
    let walk = RandomWalk::new(IncomingRows {
        rows: Csr::from_arcs(n as usize + 2, reversed).unwrap(),
        outdegrees: None,
    });
    let params = trust_in(&[0], Damping::new(0.5).unwrap(), n as usize + 2).unwrap();
    let scores = trustrank(&walk.unwrap(), &params, &StopRule::default(), &Silent).unwrap();
    let values = scores.as_slice();
    assert!(values[n as usize] > 0.0);
    assert_eq!(values[n as usize], values[n as usize + 1]);
}
