//! PageRank in its plain form: to be read first, and the reference for tests of all fast methods.
//!
//! One sweep applies the equation directly,
//!
//! ```text
//! F(x) = alpha x G + alpha (x d) u + (1 - alpha) v,
//! ```
//!
//! pushing the score of every node along its arcs. F contracts the l1 norm by alpha, so k sweeps
//! from any distribution are within `2 alpha^k` of the fixed point. The fast methods pull along
//! predecessors instead, so that threads own what they write, and share the sums of equal rows.

use crate::pagerank::PageRank;
use webrank_base::Node;
use webrank_graph::{Csr, Successors};

/// The scores after this many sweeps from v, in plain floating-point arithmetic. O(n + m) per
/// sweep.
pub fn reference(graph: Successors<Csr>, params: &PageRank, sweeps: u32) -> Vec<f64> {
    let (rows, n) = (graph.0, graph.0.num_nodes());
    let alpha = params.damping.get();
    let v: Vec<f64> = (0..n).map(|x| params.preference.weight(x, n)).collect();
    let mut scores = v.clone();
    for _ in 0..sweeps {
        let mut inflow = vec![0.0; n];
        let mut dangling_mass = 0.0;
        for (x, &score) in scores.iter().enumerate() {
            let row = rows.row(x as Node);
            if row.is_empty() {
                dangling_mass += score;
            }
            for &y in row {
                inflow[y as usize] += score / row.len() as f64;
            }
        }
        let u = |x| {
            params
                .dangling_distribution()
                .map_or(0.0, |u| u.weight(x, n))
        };
        let new =
            |x: usize| alpha * inflow[x] + alpha * dangling_mass * u(x) + (1.0 - alpha) * v[x];
        scores = (0..n).map(new).collect();
    }
    scores
}
