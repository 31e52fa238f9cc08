//! Eigenvector centrality and Katz's index on graphs that take long: limits are kept, and work is
//! in proportion to the graph.

use std::f64::consts::PI;
use std::sync::atomic::{AtomicU32, Ordering};
use webrank::centrality::eigenvector::{Dominance, Eigenvector, eigenvector};
use webrank::centrality::katz::{Attenuation, Katz, katz};
use webrank::error::Result;
use webrank::graph::{Csr, Node, Predecessors};
use webrank::linear::Matrix;
use webrank::progress::{Progress, Silent};
use webrank::scores::{Outcome, Status};

/// Nodes of each path.
const NODES: Node = 20_000;

/// Interrupts what takes very much longer than its limit.
struct Patience(AtomicU32);

impl Progress for Patience {
    fn interrupted(&self) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed) > 2000
    }
}

fn patience() -> Patience {
    Patience(AtomicU32::new(0))
}

/// Two undirected paths, and an arc from the end of one to the start of the other: the radius of
/// either is 2 cos(pi / (n + 1)), and its second eigenvalue is nearly as large.
fn linked_paths() -> Matrix {
    let path = |first: Node| {
        let steps = first..first + NODES - 1;
        steps.flat_map(|i| [(i, i + 1), (i + 1, i)])
    };
    let arcs = path(0).chain(path(NODES)).chain([(NODES, NODES - 1)]);
    Matrix::new(Csr::from_arcs(2 * NODES as usize, arcs).unwrap())
}

fn weighted(arcs: &[(Node, Node)], weights: &[f64]) -> Result<Dominance> {
    let n = arcs.iter().map(|(i, j)| i.max(j) + 1).max().unwrap();
    let rows = Csr::from_arcs(n as usize, arcs.iter().copied()).unwrap();
    let matrix = Matrix::weighted(rows, weights.to_vec()).unwrap();
    eigenvector(Predecessors(&matrix), &Eigenvector::default(), &Silent)
}

#[test]
fn eigenvector_ends_at_its_limit_with_bounds_that_hold() {
    let matrix = linked_paths();
    let params = Eigenvector {
        max_iterations: 100,
        ..Eigenvector::default()
    };
    let found = eigenvector(Predecessors(&matrix), &params, &patience()).unwrap();
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
    let radius = 2.0 * (PI / (NODES as f64 + 1.0)).cos();
    assert!(
        lower <= radius && radius <= upper,
        "{lower} {radius} {upper}"
    );
}

#[test]
fn katz_ends_at_its_limit_and_certifies_nothing_that_it_has_not_proved() {
    let matrix = linked_paths();
    let mut beta = vec![0.0; matrix.num_nodes()];
    beta[0] = 1.0;
    let params = Katz {
        alpha: Attenuation::new(0.49999999).unwrap(),
        beta: Some(beta),
        max_iterations: 20,
        ..Katz::default()
    };
    let found = katz(Predecessors(&matrix), &params, &patience()).unwrap();
    let Outcome::Relative {
        status,
        iterations,
        error_bound,
        ..
    } = found.scores.run.outcome
    else {
        panic!("{:?}", found.scores.run.outcome);
    };
    assert_eq!(status, Status::NotConverged);
    assert!(iterations <= 25, "{iterations}");
    assert_eq!(error_bound, f64::INFINITY);
}

#[test]
fn katz_counts_the_sweeps_that_find_the_radius() {
    let matrix = linked_paths();
    let params = Katz {
        alpha: Attenuation::Auto,
        max_iterations: 50,
        ..Katz::default()
    };
    let found = katz(Predecessors(&matrix), &params, &patience()).unwrap();
    let Outcome::Relative { iterations, .. } = found.scores.run.outcome else {
        panic!("{:?}", found.scores.run.outcome);
    };
    assert!((50..=65).contains(&iterations), "{iterations}");
}

#[test]
fn many_components_of_equal_radius_take_time_in_proportion() {
    // If each of these were compared with each, this would take minutes.
    let n = 300_000;
    let loops = (0..n).map(|i| (i, i));
    let matrix = Matrix::new(Csr::from_arcs(n as usize, loops).unwrap());
    let found = eigenvector(Predecessors(&matrix), &Eigenvector::default(), &Silent).unwrap();
    assert_eq!(found.dominant.len(), n as usize);
    let share = 1.0 / f64::from(n);
    let scores = &found.scores.values;
    assert!(scores.iter().all(|x| (x - share).abs() < 1e-15 * share));
}

#[test]
fn weights_beyond_what_numbers_hold_are_an_error() {
    let triangle = [(0, 1), (1, 2), (2, 0), (0, 2)];
    for weight in [1e-320, 1.7e308] {
        let problem = weighted(&triangle, &[weight; 4]).unwrap_err().to_string();
        assert!(problem.contains("multiply all by one number"), "{problem}");
    }
}
