//! The random walk on a graph whose arcs have weights: each node passes its score on to its
//! successors in proportion to the weights of the arcs.
//!
//! `P_ij = w_ij / W_i`, where W_i is the sum of the weights of the arcs from i; the rows of
//! dangling nodes are zero. Sweeps go over the rows of predecessors, term by term, in double
//! precision. Extrapolation is that of [`crate::pagerank::methods::power`].
//!
//! # Certificate
//!
//! The certificate is that of [`crate::pagerank::certificate`]. An entry of P is a
//! quotient by a sum, with the error that [`webrank_base::parallel::sums`] states. An entry of F(x) is a
//! sum of products with such entries. Both errors are within what that certificate allows.

use super::reduced_rank::IterateHistory;
use crate::late_nodes::WalkSteps;
use crate::pagerank::certificate::{Certified, Iteration, rounding};
use crate::pagerank::equation::Equation;
use std::collections::BTreeMap;
use std::ops::Range;
use webrank_base::Node;
use webrank_base::checkpoint::StateVisitor;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::sums;
use webrank_base::parallel::sums::{INDICES_PER_TASK, ranged};
use webrank_base::parallel::tasks;
use webrank_graph::{Csr, Successors};
use webrank_linear::fibres::{self, SMALL};
use webrank_linear::matrix::Matrix;

/// Arcs of graphs whose ties are searched for: their weights are there twice.
const FEW_ARCS: usize = 100_000;

/// The row-normalised weights, as rows of predecessors.
pub struct WeightedWalk {
    matrix: Matrix,
    dangling: Vec<Node>,
    /// The predecessors with the weights that were given, and the class of each node by the weights of the arcs
    /// that leave it; only for small graphs.
    given: Option<(Matrix, Vec<usize>)>,
}

impl WeightedWalk {
    /// Takes rows of successors, and the weights of arcs in the same order. O(n + m).
    ///
    /// # Errors
    /// If there is not one weight per arc, if a weight is not positive and finite, or if there is
    /// not enough memory.
    pub fn new(successors: Successors<Csr>, weights: Vec<f64>) -> Result<Self> {
        let rows = successors.0;
        // Checks the weights.
        let matrix = Matrix::weighted(rows.clone(), weights)?;
        let weights = matrix.weights().expect("they were given");
        let normalised = tasks::map(rows.blocks(1 << 14), |block| {
            let entries = block.flat_map(|node| {
                let arcs = rows.offsets()[node] as usize..rows.offsets()[node + 1] as usize;
                normalise(&weights[arcs])
            });
            entries.collect::<Vec<f64>>()
        });
        let (predecessors, entries) = rows.transpose_weighted(&normalised.concat())?;
        let is_small = rows.num_nodes() <= SMALL && weights.len() <= FEW_ARCS;
        let given = match is_small {
            true => {
                let (predecessors, entries) = rows.transpose_weighted(weights)?;
                let by_weights = by_weights(rows, weights);
                Some((Matrix::from_parts(predecessors, Some(entries)), by_weights))
            }
            false => None,
        };
        let nodes = 0..rows.num_nodes() as Node;
        Ok(WeightedWalk {
            given,
            matrix: Matrix::from_parts(predecessors, Some(entries)),
            dangling: nodes.filter(|&node| rows.degree(node) == 0).collect(),
        })
    }

    /// The number of nodes.
    pub fn num_nodes(&self) -> usize {
        self.matrix.num_nodes()
    }

    /// The number of nodes without successors.
    pub fn num_dangling(&self) -> usize {
        self.dangling.len()
    }

    /// Classes of nodes whose scores are equal, if the graph is small: their entries in u and v are, for which
    /// `entry` stands, and so are the classes and weights of their predecessors, and the weights that leave
    /// those: see [`fibres`]. Weights are compared as they are, because probabilities are rounded.
    pub fn classes(&self, entry: impl Fn(Node) -> [u64; 2]) -> Result<Option<Vec<usize>>> {
        let Some((given, by_weights)) = &self.given else {
            return Ok(None);
        };
        let mut found = BTreeMap::new();
        let nodes = (0..).zip(by_weights);
        let first = nodes.map(|(node, &class)| {
            let next = found.len();
            *found.entry((class, entry(node))).or_insert(next)
        });
        let entries = |node: usize, classes: &[usize]| {
            let row = given.row(node as Node);
            Ok(row
                .map(|(p, weight)| (classes[p as usize], weight.to_bits()))
                .collect())
        };
        fibres::classes(first.collect(), entries).map(Some)
    }

    /// True if both nodes have the same predecessors, with the same probabilities.
    pub fn same_row(&self, a: Node, b: Node) -> bool {
        self.matrix.row(a).eq(self.matrix.row(b))
    }
}

impl WalkSteps for WeightedWalk {
    fn steps_into(&self, node: Node, add: &mut dyn FnMut(Node, f64)) -> Result<()> {
        self.matrix.row(node).for_each(|(j, share)| add(j, share));
        Ok(())
    }

    fn is_dangling(&self, node: Node) -> bool {
        self.dangling.binary_search(&node).is_ok()
    }

    fn dangling_mass(&self, scores: &[f64]) -> f64 {
        sums::chained(self.dangling.iter().map(|&node| scores[node as usize]))
    }
}

/// The class of each node by the weights of the arcs that leave it, in any order.
fn by_weights(rows: &Csr, weights: &[f64]) -> Vec<usize> {
    let mut found = BTreeMap::new();
    let classes = rows.offsets().windows(2).map(|ends| {
        let arcs = &weights[ends[0] as usize..ends[1] as usize];
        let mut bits: Vec<u64> = arcs.iter().map(|weight| weight.to_bits()).collect();
        bits.sort_unstable();
        let next = found.len();
        *found.entry(bits).or_insert(next)
    });
    classes.collect()
}

/// The probabilities of the arcs of a node.
pub(in crate::pagerank) fn normalise(weights: &[f64]) -> Vec<f64> {
    // Weights are scaled first, so that the sum cannot overflow.
    let largest = weights.iter().copied().fold(0.0, f64::max);
    let scaled: Vec<f64> = weights.iter().map(|weight| weight / largest).collect();
    let sum = ranged(0..scaled.len() as Node, |place| scaled[place as usize]);
    scaled.into_iter().map(|weight| weight / sum).collect()
}

/// The state of an iteration.
pub struct WeightedPower<'a> {
    walk: &'a WeightedWalk,
    equation: Equation<'a>,
    blocks: Vec<Range<usize>>,
    x: Vec<f64>,
    iterates: IterateHistory<f64>,
    /// The change of the last sweep.
    change: f64,
}

impl<'a> WeightedPower<'a> {
    /// Starts from these scores.
    pub fn new(walk: &'a WeightedWalk, equation: Equation<'a>, x: Vec<f64>) -> Self {
        WeightedPower {
            walk,
            equation,
            blocks: walk.matrix.blocks(),
            x,
            iterates: IterateHistory::new(),
            change: f64::INFINITY,
        }
    }

    /// F(x), written into `image`, and the l1 distance from x.
    fn image(&self, mut image: Vec<f64>) -> (Vec<f64>, f64) {
        let (x, alpha) = (&self.x, self.equation.alpha);
        let dangling = &self.walk.dangling;
        let mass = sums::sum_of_tasks(dangling.len(), |places| {
            sums::chained(dangling[places].iter().map(|&node| x[node as usize]))
        });
        let base = self
            .equation
            .base(self.equation.dangling.map_or(0.0, |_| mass));
        self.walk.matrix.multiply(&self.blocks, x, &mut image);
        let chunks = image
            .chunks_mut(INDICES_PER_TASK)
            .zip(x.chunks(INDICES_PER_TASK))
            .enumerate();
        let parts = tasks::map(chunks, |(task, (image, x))| {
            let first = task * INDICES_PER_TASK;
            let entries = image.iter_mut().zip(x).enumerate();
            sums::chained(entries.map(|(index, (z, x))| {
                *z = alpha * *z + base.at(first + index);
                (*z - x).abs()
            }))
        });
        (image, sums::compensated(parts.into_iter()))
    }

    /// Replaces x by a combination of its last values when that is due, and has a smaller residual.
    fn extrapolate(&mut self) -> Result<()> {
        let Some((mut first, combination)) = self.iterates.combination(&mut self.x)? else {
            return Ok(());
        };
        let parts = tasks::try_map(
            first.chunks_mut(INDICES_PER_TASK).enumerate(),
            |(task, part)| {
                let start = task * INDICES_PER_TASK;
                let mut residuals = vec![0.0; part.len()];
                combination.write(start..start + part.len(), part, &mut residuals)?;
                // Scores are not negative, so setting negative values to 0 brings them nearer.
                part.iter_mut().for_each(|x| *x = x.max(0.0));
                Ok::<_, Error>(sums::chained(residuals.into_iter().map(f64::abs)))
            },
        )?;
        let left = sums::compensated(parts.into_iter());
        self.x = if left + combination.rounding() < self.change {
            self.iterates.accept(combination);
            first
        } else {
            self.iterates.reject(combination, first, false)?
        };
        Ok(())
    }
}

impl Iteration for WeightedPower<'_> {
    fn sweep(&mut self) -> Result<f64> {
        self.extrapolate()?;
        let buffer = self.iterates.buffer(self.x.len());
        let (image, change) = self.image(buffer);
        self.iterates
            .keep(Some(std::mem::replace(&mut self.x, image)));
        self.change = change;
        Ok(change)
    }

    fn certify(&mut self) -> Result<Certified> {
        let (scores, change) = self.image(vec![0.0; self.x.len()]);
        let mass = sums::sum_of_tasks(scores.len(), |nodes| {
            sums::chained(scores[nodes].iter().copied())
        });
        Ok(Certified {
            scores,
            bound: self.equation.bound(change, rounding(mass)),
        })
    }

    fn floor(&self) -> f64 {
        self.equation.bound(0.0, rounding(1.0))
    }

    fn stage(&self) -> Option<&'static str> {
        Some("sweeps with weights")
    }

    /// 64 bytes a node at most.
    fn visit(&mut self, mut visitor: StateVisitor) -> Result<()> {
        let mut change = [self.change.to_bits()];
        visitor.numbers(&mut change)?;
        [self.change] = change.map(f64::from_bits);
        visitor.numbers(&mut self.x)?;
        self.iterates.visit(self.x.len(), &mut visitor)
    }
}
