//! Numbers at the edge: weights from 1e-320 to 1.7e308, parameters at their limits, degenerate and
//! huge shapes. Bounds hold against exact fractions, and what doubles cannot hold is said.

mod closed_forms;
#[cfg(feature = "cli")]
mod command;
mod distances;
mod eigen;
mod grounded;
mod intervals;
mod katz;
mod pagerank;
mod reached;
mod shapes;
mod walks;

use num_traits::Zero;
use proptest::prelude::*;
use webrank_base::Node;
use webrank_graph::Csr;
use webrank_linear::Matrix;
use webrank_testing::oracle::exact::{Exact, exact};

/// A small graph whose arcs have weights of any size.
#[derive(Debug, Clone)]
struct Weighted(usize, Vec<(Node, Node, f64)>);

impl Weighted {
    /// Without arcs that occur twice.
    fn new(n: usize, mut arcs: Vec<(Node, Node, f64)>) -> Self {
        arcs.sort_by_key(|&(i, j, _)| (i, j));
        arcs.dedup_by_key(|&mut (i, j, _)| (i, j));
        Weighted(n, arcs)
    }

    fn successors(&self) -> Matrix {
        let rows = Csr::from_arcs(self.0, self.1.iter().map(|&(i, j, _)| (i, j))).unwrap();
        Matrix::weighted(rows, self.1.iter().map(|arc| arc.2).collect()).unwrap()
    }

    fn predecessors(&self) -> Matrix {
        self.successors().transposed().unwrap()
    }

    /// The entry of row i and column j is the weight of the arc i -> j.
    fn exact(&self) -> Vec<Vec<Exact>> {
        let mut a = vec![vec![Exact::zero(); self.0]; self.0];
        for &(i, j, weight) in &self.1 {
            a[i as usize][j as usize] = exact(weight);
        }
        a
    }
}

/// Positive doubles of any size, among them the least and the largest.
fn weight() -> impl Strategy<Value = f64> {
    prop_oneof![
        8 => (-300i32..=300, 1.0..10.0f64).prop_map(|(e, x)| x * 10f64.powi(e)),
        2 => (-3i32..=3, 1.0..10.0f64).prop_map(|(e, x)| x * 10f64.powi(e)),
        2 => (-12i32..=12).prop_map(|e| 10f64.powi(e)),
        1 => prop::sample::select(vec![5e-324, 1e-320, f64::MIN_POSITIVE, 1.0, 1.7e308]),
    ]
}

/// Graphs of up to 5 nodes: acyclic, strongly connected, periodic or any.
fn graphs() -> impl Strategy<Value = Weighted> {
    (1usize..=5, 0u8..4).prop_flat_map(|(n, kind)| {
        let nodes = 0..n as Node;
        let arc = (nodes.clone(), nodes, weight());
        let cycle = prop::collection::vec(weight(), n);
        (prop::collection::vec(arc, 0..3 * n), cycle).prop_map(move |(mut arcs, cycle)| {
            match kind {
                0 => arcs.retain(|(i, j, _)| i < j),
                1 => arcs.retain(|(i, j, _)| (i + j) % 2 == 1),
                2 => {
                    let next = |i: usize| ((i + 1) % n) as Node;
                    let cycle = cycle.iter().enumerate();
                    arcs.extend(cycle.map(|(i, &weight)| (i as Node, next(i), weight)));
                }
                _ => {}
            }
            Weighted::new(n, arcs)
        })
    })
}

/// Neither NaN, nor infinite, nor below zero, nor minus zero.
fn are_scores(values: &[f64]) -> bool {
    let is_score = |x: &f64| x.is_finite() && x.is_sign_positive();
    values.iter().all(is_score)
}
