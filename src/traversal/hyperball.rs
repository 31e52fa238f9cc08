//! HyperBall: distances of all nodes at once from probabilistic counters.
//!
//! Every node keeps a HyperLogLog counter of the nodes within distance t; one step joins the
//! counters of its neighbours and gives those within t + 1. The estimate of a counter with m =
//! 2^log2m registers of one byte has relative standard error 1.04/sqrt(m) (somewhat more below 2^8
//! registers). Boldi and Vigna 2013; Flajolet, Fusy, Gandouet and Meunier 2007.
//!
//! Counters are those of `card-est-array`. The steps are our own: `webgraph-algo` adds up the pairs
//! of nodes in the order in which its threads finish, and cannot be interrupted. Here a node is
//! visited only if a counter that it joins has changed (Boldi and Vigna's *systolic* steps), pairs
//! are added up in integers, and blocks of nodes are fixed, so the seed determines every bit,
//! whatever the number of threads. Sums over the distances of a node are kept in 32 bits, many
//! times more precise than the counters.

use crate::error::{Error, Result};
use crate::graph::{Csr, Node};
use crate::parallel::tasks;
use crate::progress::Progress;
use card_est_array::impls::{HyperLogLog8, HyperLogLog8Builder};
use card_est_array::traits::{EstimationLogic, MergeEstimationLogic};
use std::hash::{BuildHasher, DefaultHasher, Hasher};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The number of registers of a counter, and the hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counters {
    log2m: u32,
    /// The seed of the hash.
    pub seed: u64,
}

impl Default for Counters {
    /// 256 registers, a relative standard error of 6.5%.
    fn default() -> Self {
        Counters { log2m: 8, seed: 0 }
    }
}

impl Counters {
    /// Counters of 2^`log2m` registers.
    ///
    /// # Errors
    /// If `log2m` is not from 4 to 16.
    pub fn new(log2m: u32, seed: u64) -> Result<Self> {
        if (4..=16).contains(&log2m) {
            Ok(Counters { log2m, seed })
        } else {
            let remedy = "give a number from 4 to 16";
            Err(Error::argument("log2m", log2m, remedy))
        }
    }

    /// The base-2 logarithm of the number of registers.
    pub fn log2m(self) -> u32 {
        self.log2m
    }

    /// The relative standard error of one counter.
    pub fn relative_standard_error(self) -> f64 {
        // Flajolet, Fusy, Gandouet and Meunier, figure 3; the constant tends to 1.04.
        let constant = match self.log2m {
            4 => 1.106,
            5 => 1.070,
            6 => 1.054,
            7 => 1.046,
            _ => 1.04,
        };
        constant / ((1u32 << self.log2m) as f64).sqrt()
    }

    /// The bytes that a run on a graph of `num_nodes` takes besides the graph.
    pub fn memory(self, num_nodes: usize) -> u64 {
        // Counters, as many new ones at a step with many changes, sums, estimate, nodes to visit.
        num_nodes as u64 * (2 * (1 << self.log2m) + 3 * 4 + 8 + 2 * 4)
    }
}

/// Estimates for every node; each list has one number per node.
#[derive(Debug, Clone, PartialEq)]
pub struct Balls {
    /// The number of nodes reached, the source included.
    pub reached: Box<[f32]>,
    /// The sum of distances.
    pub sum_of_distances: Box<[f32]>,
    /// The sum of f(d) for each requested function f.
    pub sums: Vec<Box<[f32]>>,
    /// At place t, the number of ordered pairs at distance at most t, pairs (x, x) included. Ends
    /// with the last step that changed a counter.
    pub pairs_within: Vec<f64>,
}

impl Balls {
    /// The last step that changed a counter: at most the largest distance.
    pub fn steps(&self) -> u32 {
        self.pairs_within.len() as u32 - 1
    }
}

/// Runs HyperBall along `rows`, whose transpose is `reverse`, until no counter changes.
///
/// At worst O(m) per step for m arcs, with as many steps as the largest distance; time is
/// proportional to 2^log2m.
///
/// # Errors
/// [`Interrupted`](Error::Interrupted) when the user stops the run.
pub fn hyperball(
    rows: &Csr,
    reverse: &Csr,
    counters: Counters,
    functions: &[&(dyn Fn(u32) -> f64 + Sync)],
    progress: &dyn Progress,
) -> Result<Balls> {
    progress.begin("joining counters", None);
    let mut state = State::new(rows, counters, functions.len());
    let mut modified: Vec<Node> = (0..rows.num_nodes() as Node).collect();
    let mut pairs_within = vec![rows.num_nodes() as f64];
    for step in 1.. {
        let visited = neighbours(reverse, &modified);
        let blocks = state.join(rows, &visited, &modified, progress)?;
        modified = blocks
            .iter()
            .flat_map(|block| &block.nodes)
            .copied()
            .collect();
        if modified.is_empty() {
            break;
        }
        let mut factors = vec![step as f64];
        factors.extend(functions.iter().map(|function| function(step)));
        state.store(&blocks, &factors);
        // Only errors of estimates can make it smaller than the one before.
        let before = pairs_within[pairs_within.len() - 1];
        pairs_within.push(state.pairs().max(before));
    }
    progress.end();
    let mut sums = state.sums.into_iter().map(Vec::into_boxed_slice);
    Ok(Balls {
        reached: state.estimates.iter().map(|&count| count as f32).collect(),
        sum_of_distances: sums.next().expect("the first sum is that of distances"),
        sums: sums.collect(),
        pairs_within,
    })
}

/// Nodes of a block; fixed, and enough to hide the cost of a task.
const NODES_PER_BLOCK: usize = 1 << 9;

/// The nodes with an arc to one of `nodes`, or all if these are many; in increasing order.
/// `reverse` holds the arcs into each.
fn neighbours(reverse: &Csr, nodes: &[Node]) -> Vec<Node> {
    let n = reverse.num_nodes();
    if nodes.len() > n / 4 {
        return (0..n as Node).collect();
    }
    let arcs: u64 = nodes.iter().map(|&x| reverse.degree(x)).sum();
    if (arcs as usize) < n / 64 {
        let rows = nodes.iter().flat_map(|&x| reverse.row(x));
        let mut list: Vec<Node> = rows.copied().collect();
        list.sort_unstable();
        list.dedup();
        return list;
    }
    let is_neighbour: Vec<AtomicBool> = (0..n).map(|_| AtomicBool::new(false)).collect();
    tasks::for_each(nodes.chunks(NODES_PER_BLOCK), |nodes| {
        for &y in nodes.iter().flat_map(|&x| reverse.row(x)) {
            is_neighbour[y as usize].store(true, Relaxed);
        }
    });
    let marked = |y: usize| is_neighbour[y].load(Relaxed).then_some(y as Node);
    tasks::select(n, marked)
}

type Logic = HyperLogLog8<usize, Seeded>;

/// The counters of all nodes, and the sums.
struct State {
    logic: Logic,
    /// The registers of one node after those of another.
    registers: Vec<u8>,
    /// Registers of a counter.
    width: usize,
    /// The estimate of each counter.
    estimates: Vec<f64>,
    /// The sum of all estimates in units of 2^-32, so that the order of additions does not matter.
    pairs: i128,
    /// Sums over the nodes reached: of their distances, and of functions of them.
    sums: Vec<Vec<f32>>,
    /// A bit for each node that changed in the step before.
    is_modified: Vec<u64>,
}

/// The nodes of a block whose counters change in a step.
struct ChangedBlock {
    nodes: Vec<Node>,
    registers: Vec<u8>,
    estimates: Vec<f64>,
}

impl State {
    fn new(rows: &Csr, counters: Counters, num_functions: usize) -> Self {
        let n = rows.num_nodes();
        let width = 1 << counters.log2m;
        let logic = HyperLogLog8Builder::new()
            .log2_num_regs(counters.log2m)
            .build_hasher(Seeded(counters.seed))
            .build();
        let mut registers = vec![0; n * width];
        let mut estimates = vec![0.0; n];
        let blocks = registers.chunks_mut(NODES_PER_BLOCK * width);
        let blocks = blocks.zip(estimates.chunks_mut(NODES_PER_BLOCK));
        tasks::for_each(blocks.enumerate(), |(block, (counters, estimates))| {
            let counters = counters.chunks_exact_mut(width).zip(estimates);
            for (x, (counter, estimate)) in (block * NODES_PER_BLOCK..).zip(counters) {
                logic.add(counter, x);
                *estimate = logic.estimate(counter);
            }
        });
        let pairs = estimates.iter().map(|&estimate| in_units(estimate)).sum();
        State {
            logic,
            registers,
            width,
            estimates,
            pairs,
            sums: vec![vec![0.0; n]; 1 + num_functions],
            is_modified: vec![0; n.div_ceil(64)],
        }
    }

    fn counter(&self, x: Node) -> &[u8] {
        &self.registers[x as usize * self.width..][..self.width]
    }

    /// Joins the counters of `modified` neighbours to the counter of each node in `visited`, and
    /// collects the changes.
    fn join(
        &mut self,
        rows: &Csr,
        visited: &[Node],
        modified: &[Node],
        progress: &dyn Progress,
    ) -> Result<Vec<ChangedBlock>> {
        for &x in modified {
            self.is_modified[x as usize / 64] |= 1 << (x % 64);
        }
        let blocks = tasks::try_map(visited.chunks(NODES_PER_BLOCK), |nodes| {
            progress.check()?;
            Ok(self.join_block(rows, nodes))
        })?;
        for &x in modified {
            self.is_modified[x as usize / 64] = 0;
        }
        Ok(blocks)
    }

    fn join_block(&self, rows: &Csr, nodes: &[Node]) -> ChangedBlock {
        let mut changed = ChangedBlock {
            nodes: Vec::new(),
            registers: Vec::new(),
            estimates: Vec::new(),
        };
        let mut joined = vec![0; self.width];
        for &x in nodes {
            joined.copy_from_slice(self.counter(x));
            for &y in rows.row(x) {
                if self.is_modified[y as usize / 64] >> (y % 64) & 1 == 1 {
                    self.logic
                        .merge_with_helper(&mut joined, self.counter(y), &mut ());
                }
            }
            if joined != self.counter(x) {
                changed.nodes.push(x);
                changed.registers.extend_from_slice(&joined);
                changed.estimates.push(self.logic.estimate(&joined));
            }
        }
        changed
    }

    /// Stores new counters. Each sum of a node grows by the number of newly reached nodes times its
    /// factor.
    fn store(&mut self, blocks: &[ChangedBlock], factors: &[f64]) {
        let width = self.width;
        let mut registers = &mut self.registers[..];
        let mut estimates = &mut self.estimates[..];
        let mut sums: Vec<&mut [f32]> = self.sums.iter_mut().map(|sums| &mut sums[..]).collect();
        let mut places = Vec::new();
        let mut next = 0;
        for block in blocks {
            let (Some(&first), Some(&last)) = (block.nodes.first(), block.nodes.last()) else {
                continue;
            };
            let (skip, length) = (first as usize - next, (last - first) as usize + 1);
            next = last as usize + 1;
            places.push(Place {
                block,
                registers: take(&mut registers, skip * width, length * width),
                estimates: take(&mut estimates, skip, length),
                sums: sums
                    .iter_mut()
                    .map(|sums| take(sums, skip, length))
                    .collect(),
            });
        }
        let stored = tasks::map(places, |place| place.store(width, factors));
        self.pairs += stored.into_iter().sum::<i128>();
    }

    fn pairs(&self) -> f64 {
        self.pairs as f64 / UNITS
    }
}

/// The entries of the nodes of a block, from the first that changes to the last.
struct Place<'a> {
    block: &'a ChangedBlock,
    registers: &'a mut [u8],
    estimates: &'a mut [f64],
    sums: Vec<&'a mut [f32]>,
}

impl Place<'_> {
    /// Stores the block; returns the increase of its pairs.
    fn store(mut self, width: usize, factors: &[f64]) -> i128 {
        let first = self.block.nodes[0];
        let counters = self.block.registers.chunks_exact(width);
        let changes = self.block.nodes.iter().zip(counters);
        let mut pairs = 0;
        for ((&node, counter), &now) in changes.zip(&self.block.estimates) {
            let x = (node - first) as usize;
            self.registers[x * width..][..width].copy_from_slice(counter);
            let before = std::mem::replace(&mut self.estimates[x], now);
            pairs += in_units(now) - in_units(before);
            let new = now - before;
            if new > 0.0 {
                for (sums, factor) in self.sums.iter_mut().zip(factors) {
                    sums[x] = (sums[x] as f64 + new * factor) as f32;
                }
            }
        }
        pairs
    }
}

/// Takes `length` entries off the front after the first `skip`, which are dropped.
fn take<'a, T>(list: &mut &'a mut [T], skip: usize, length: usize) -> &'a mut [T] {
    let (taken, rest) = std::mem::take(list)[skip..].split_at_mut(length);
    *list = rest;
    taken
}

/// Units per pair of nodes.
const UNITS: f64 = (1u64 << 32) as f64;

fn in_units(estimate: f64) -> i128 {
    (estimate * UNITS) as i128
}

/// SipHash with a seed.
#[derive(Debug, Clone)]
struct Seeded(u64);

impl BuildHasher for Seeded {
    type Hasher = DefaultHasher;

    fn build_hasher(&self) -> DefaultHasher {
        let mut hasher = DefaultHasher::new();
        hasher.write_u64(self.0);
        hasher
    }
}
