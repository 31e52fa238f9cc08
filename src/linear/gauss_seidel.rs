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

use super::power::PageRankMap;
use super::sums;
use crate::graph::blocks::{cut, split_mut};
use crate::graph::{Csr, Node};
use rayon::prelude::*;
use std::ops::Range;

/// How many chunks are swept in parallel, whatever the number of threads.
const CHUNKS: u64 = 16;

/// The state of an iteration.
pub struct GaussSeidel<'a, 'g> {
    map: &'a PageRankMap<'a, 'g>,
    chunks: Vec<Range<usize>>,
    self_loops: Vec<bool>,
    /// The shares that chunks read of each other: those after the last sweep.
    published: Vec<f64>,
    /// The shares that chunks write, and read of themselves.
    current: Vec<f64>,
}

/// What a sweep changed.
pub struct Change {
    /// l1 distance between the scores of nondangling nodes before and after.
    pub change: f64,
    /// Score of all nondangling nodes afterwards.
    pub mass: f64,
}

impl<'a, 'g> GaussSeidel<'a, 'g> {
    /// Starts from the scores `x`.
    pub fn new(map: &'a PageRankMap<'a, 'g>, x: &[f64]) -> Self {
        let predecessors = map.walk.predecessors();
        let offsets = predecessors.offsets();
        let weight = predecessors.num_arcs() + predecessors.num_nodes() as u64;
        let nodes = (0..predecessors.num_nodes() as Node).into_par_iter();
        let published = map.walk.contributions(x);
        GaussSeidel {
            map,
            chunks: cut(offsets, weight.div_ceil(CHUNKS)),
            self_loops: nodes
                .map(|node| predecessors.row(node).binary_search(&node).is_ok())
                .collect(),
            current: published.clone(),
            published,
        }
    }

    /// One sweep over the rows of nondangling nodes, with `dangling_mass` as D in
    /// `b = (1 - alpha) v + alpha D u`.
    pub fn sweep(&mut self, dangling_mass: f64) -> Change {
        let (map, published, self_loops) = (self.map, &self.published, &self.self_loops);
        let predecessors = map.walk.predecessors();
        let n = predecessors.num_nodes();
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
                    let inflow =
                        inflow(predecessors, node, chunk, current, published) - self_loop * old;
                    let base = map.base(node, n, dangling_mass);
                    let new = (map.alpha * inflow + base) / (outdegree - map.alpha * self_loop);
                    current[node - chunk.start] = new;
                    change += outdegree * (new - old).abs();
                    mass += outdegree * new;
                }
                [change, mass]
            })
            .collect();
        self.published
            .par_iter_mut()
            .zip(&self.current)
            .for_each(|(published, current)| *published = *current);
        let total = |of: usize| sums::compensated(changes.iter().map(|chunk| chunk[of]));
        Change {
            change: total(0),
            mass: total(1),
        }
    }

    /// The scores of all nodes: those of dangling nodes follow from the others.
    pub fn scores(&self, dangling_mass: f64) -> Vec<f64> {
        let walk = self.map.walk;
        let n = walk.num_nodes();
        let score = |node: usize| match walk.outdegrees()[node] {
            0 => {
                let row = walk.predecessors().row(node as Node);
                let inflow = sums::gathered(row, |j| self.published[j as usize]);
                self.map.alpha * inflow + self.map.base(node, n, dangling_mass)
            }
            outdegree => self.published[node] * outdegree as f64,
        };
        let mut x = vec![0.0; n];
        let blocks = walk.blocks();
        blocks
            .par_iter()
            .zip(split_mut(&mut x, blocks))
            .for_each(|(block, x)| {
                for (place, node) in block.clone().enumerate() {
                    x[place] = score(node);
                }
            });
        x
    }
}

/// Sum of the shares of the predecessors of `node`: `current` within the chunk, else `published`.
#[inline]
fn inflow(
    predecessors: &Csr,
    node: usize,
    chunk: &Range<usize>,
    current: &[f64],
    published: &[f64],
) -> f64 {
    let row = predecessors.row(node as Node);
    let within = |j: Node| current[j as usize - chunk.start];
    let across = |j: Node| published[j as usize];
    let (Some(&first), Some(&last)) = (row.first(), row.last()) else {
        return 0.0;
    };
    if first as usize >= chunk.start && (last as usize) < chunk.end {
        return sums::gathered(row, within);
    }
    let before = row.partition_point(|&j| (j as usize) < chunk.start);
    let until = row.partition_point(|&j| (j as usize) < chunk.end);
    sums::gathered(&row[..before], across)
        + sums::gathered(&row[before..until], within)
        + sums::gathered(&row[until..], across)
}
