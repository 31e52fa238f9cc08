//! Limits are respected, and work is proportional to the size of the graph.

use std::f64::consts::PI;
use webrank_base::limits::Limits;
use webrank_base::progress::Silent;
use webrank_scores::{Outcome, Status};
use webrank_testing::graphs::*;
use webrank_testing::patience::Patience;
use webrank_walks::eigenvector::{Eigenvector, eigenvector};

#[test]
fn it_ends_at_its_limit_with_bounds_that_hold() {
    let n = 20_000;
    let limits = Limits::default().max_iterations(100).unwrap();
    let matrix = linked_paths(n).matrix();
    let params = Eigenvector::default();
    let found = eigenvector(&matrix, &params, &limits, &Patience::default()).unwrap();
    let Outcome::Eigen {
        status,
        iterations,
        eigenvalue_bounds: Some([lower, upper]),
        ..
    } = found.scores.run.outcome
    else {
        panic!("{:?}", found.scores.run.outcome);
    };
    assert_eq!(status, Status::NotConverged);
    assert!(iterations <= 110, "{iterations}");
    // The spectral radius of each path.
    let radius = 2.0 * (PI / f64::from(n + 1)).cos();
    assert!(
        lower <= radius && radius <= upper,
        "{lower} {radius} {upper}"
    );
    assert!((found.scores.values.sum() - 1.0).abs() < 1e-12);
}

#[test]
fn many_components_of_equal_radius_take_time_in_proportion() {
    // Comparing all pairs of these would take minutes.
    let n = 300_000;
    let loops = Arcs(n as usize, (0..n).map(|i| (i, i)).collect());
    let (params, limits) = (Eigenvector::default(), Limits::default());
    let found = eigenvector(&loops.matrix(), &params, &limits, &Silent).unwrap();
    assert_eq!(found.dominant.len(), n as usize);
    let share = 1.0 / f64::from(n);
    let scores = &found.scores.values;
    assert!(scores.iter().all(|x| (x - share).abs() < 1e-15 * share));
}
