//! Gauss-Seidel sweeps over the rows of predecessors: new values are used at once.
//!
//! The unknowns are the shares `c_i = x_i / d_i` that node i gives to each of its d_i successors.
//! With s_i = 1 if i has a self-loop, row i of `x = alpha x G + b` reads
//!
//!     d_i c_i = alpha (sum of c_j over the predecessors j != i + s_i c_i) + b_i,
//!
//! so `c_i = (alpha sum of c_j + b_i) / (d_i - alpha s_i)`: self-loops are solved for, not iterated
//! on. Dangling nodes give nothing, so their rows are left out of the sweeps and computed once, at
//! the end (Lee, Golub and Zenios, "A fast two-stage algorithm for computing PageRank", 2003; Ipsen
//! and Selee, "PageRank computation, with special attention to dangling nodes", SIMAX 2007).
//!
//! Rows are cut into a few chunks that depend on the graph only. Chunks are swept in parallel:
//! within a chunk new values are used at once, across chunks those of the previous sweep. Most
//! arcs of a web graph stay within a chunk, so little is lost, and results do not depend on
//! threads.

use super::map::{Certified, Change, Iteration, PageRankMap};
use super::sums;
use super::walk::share;
use crate::graph::Node;
use crate::graph::blocks::{cut_by, split_mut};
use rayon::prelude::*;
use std::ops::Range;

/// How many chunks are swept in parallel, whatever the number of threads.
const CHUNKS: u64 = 8;

/// The state of an iteration.
pub struct GaussSeidel<'a> {
    map: &'a PageRankMap<'a>,
    chunks: Vec<Range<usize>>,
    self_loops: Vec<bool>,
    /// The shares that chunks read of each other: those after the last sweep.
    published: Vec<f64>,
    /// The shares that chunks write, and read of themselves.
    current: Vec<f64>,
}

impl<'a> GaussSeidel<'a> {
    /// Starts from the scores `x`.
    pub fn new(map: &'a PageRankMap<'a>, x: &[f64]) -> Self {
        let walk = map.walk;
        let n = walk.num_nodes();
        let nodes = x.par_iter().zip(walk.outdegrees());
        let published: Vec<f64> = nodes.map(|(&x, &outdegree)| share(x, outdegree)).collect();
        let mut weight = vec![0u64];
        for node in 0..n {
            let length = match walk.outdegrees()[node] {
                0 => 0,
                _ => walk.rows().len(walk.rows().row_of(node)),
            };
            weight.push(weight[node] + length as u64 + 1);
        }
        GaussSeidel {
            map,
            chunks: cut_by(n, weight[n].div_ceil(CHUNKS), |node| weight[node]),
            self_loops: (0..n)
                .into_par_iter()
                .map(|node| walk.rows().contains(walk.rows().row_of(node), node as Node))
                .collect(),
            current: published.clone(),
            published,
        }
    }
}

impl Iteration for GaussSeidel<'_> {
    fn mass(&self) -> f64 {
        let outdegrees = self.map.walk.outdegrees();
        self.map
            .sum_over_nodes(|node| self.published[node] * outdegrees[node] as f64)
    }

    fn sweep(&mut self, dangling_mass: f64) -> Change {
        let (map, published, self_loops) = (self.map, &self.published, &self.self_loops);
        let rows = map.walk.rows();
        let base = map.base(dangling_mass);
        let changes: Vec<[f64; 2]> = self
            .chunks
            .par_iter()
            .zip(split_mut(&mut self.current, &self.chunks))
            .map(|(chunk, current)| {
                let (mut change, mut mass) = (0.0, 0.0);
                for node in chunk.clone() {
                    let outdegree = map.walk.outdegrees()[node] as f64;
                    if outdegree == 0.0 {
                        continue;
                    }
                    let old = current[node - chunk.start];
                    let self_loop = f64::from(self_loops[node]);
                    let share = |j: Node| match (j as usize).checked_sub(chunk.start) {
                        Some(place) if place < current.len() => current[place],
                        _ => published[j as usize],
                    };
                    let inflow = rows.exact_sum(rows.row_of(node), share) - self_loop * old;
                    let new =
                        (map.alpha * inflow + base.at(node)) / (outdegree - map.alpha * self_loop);
                    current[node - chunk.start] = new;
                    change += outdegree * (new - old).abs();
                    mass += outdegree * new;
                }
                [change, mass]
            })
            .collect();
        let updates = self.published.par_iter_mut().zip(&self.current);
        updates.for_each(|(published, current)| *published = *current);
        let total = |of: usize| sums::compensated(changes.iter().map(|chunk| chunk[of]));
        Change {
            change: total(0),
            mass: total(1),
        }
    }

    fn certify(&self, mass: f64) -> Certified {
        let nodes = self.published.par_iter().zip(self.map.walk.outdegrees());
        let scores: Vec<f64> = nodes
            .map(|(share, &outdegree)| share * outdegree as f64)
            .collect();
        self.map.certify(&scores, &self.published, mass)
    }
}
