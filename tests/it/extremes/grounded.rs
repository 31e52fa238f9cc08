//! LeaderRank with weights of any size: the arc to the ground node weighs 1.

use super::*;
use num_traits::One;
use webrank_base::limits::Limits;
use webrank_base::progress::Silent;
use webrank_scores::Status;
use webrank_testing::oracle::exact::{distance, solve, sum};
use webrank_testing::outcomes::{Relative, relative};
use webrank_walks::leaderrank::{LeaderRank, leaderrank};

/// Visits of walks that start once at every node, plus 1, scaled to sum to the number of nodes.
fn truth(a: &[Vec<Exact>]) -> Vec<Exact> {
    let n = a.len();
    let totals: Vec<Exact> = a.iter().map(|row| sum(row) + Exact::one()).collect();
    let entry = |i: usize, j: usize| {
        let step = &a[j][i] / &totals[j];
        if i == j { Exact::one() - step } else { -step }
    };
    let rows = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect());
    let visits = solve(rows.collect(), vec![Exact::one(); n]);
    let visits: Vec<Exact> = visits.iter().map(|x| x + Exact::one()).collect();
    let scale = exact(n as f64) / sum(&visits);
    visits.iter().map(|x| x * &scale).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn leaderrank_is_within_its_bound_or_says_what_it_cannot_hold(
        graph in graphs(),
        tolerance in prop_oneof![Just(1e-3), Just(1e-9), Just(1e-15)],
    ) {
        let limits = Limits::default().max_iterations(500).unwrap().tolerance(tolerance).unwrap();
        match leaderrank(graph.predecessors(), &LeaderRank::default(), &limits, &Silent) {
            Ok(found) => {
                let values = found.as_slice();
                prop_assert!(are_scores(values), "{values:?}");
                let Relative { status, error_bound, relative_error_bound, .. } = relative(&found);
                prop_assert_eq!(status == Status::Converged, relative_error_bound <= tolerance);
                prop_assert!(!error_bound.is_nan());
                if error_bound.is_finite() {
                    let error = distance(values, &truth(&graph.exact()));
                    prop_assert!(error <= exact(error_bound), "{values:?} {error_bound:e}");
                }
                // Where the ground node is near, nothing is in the way.
                if graph.1.iter().all(|arc| arc.2 < 1e3) && tolerance > 1e-12 {
                    prop_assert_eq!(status, Status::Converged);
                }
            }
            Err(problem) => {
                let text = problem.to_string();
                prop_assert!(text.contains("more steps than a double holds"), "{text}");
            }
        }
    }
}

#[test]
fn weights_whose_sum_overflows_are_shares_all_the_same() {
    // All walks leave node 0 for nodes 1 and 2, half each.
    let arcs = vec![(0, 1, 1.7e308), (0, 2, 1.7e308)];
    let rows = Weighted::new(3, arcs).predecessors();
    let found = leaderrank(rows, &LeaderRank::default(), &Limits::default(), &Silent).unwrap();
    // 2, 2.5 and 2.5, of 7.
    for (x, t) in found
        .as_slice()
        .iter()
        .zip([6.0 / 7.0, 7.5 / 7.0, 7.5 / 7.0])
    {
        assert!((x - t).abs() < 1e-15, "{x} {t}");
    }
}
