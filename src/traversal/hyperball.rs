//! HyperBall: distances of all nodes at once from probabilistic counters, by `webgraph-algo`.
//!
//! Every node keeps a HyperLogLog counter of the nodes within distance t; one step joins the
//! counters of its neighbours and gives those within t + 1. m = 2^log2m registers of a byte make
//! a counter whose estimate has relative standard error 1.04/sqrt(m) (somewhat more below 2^8
//! registers). Boldi and Vigna 2013; Flajolet, Fusy, Gandouet and Meunier 2007.
//!
//! Counters hash node ids with a seeded hash, so a seed fixes every score, whatever the number of
//! threads. Sums of distances are kept by `webgraph-algo` in 32-bit floats.

use crate::error::{Error, Result};
use crate::graph::{Csr, Node};
use crate::progress::Progress;
use card_est_array::impls::{HyperLogLog8Builder, SliceEstimatorArray};
use dsi_progress_logger::no_logging;
use lender::{Lend, Lender, Lending, check_covariance};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use std::hash::{BuildHasher, DefaultHasher, Hasher};
use std::iter::{Copied, Map};
use std::slice::Iter;
use webgraph::traits::{
    NodeLabelsLender, RandomAccessGraph, RandomAccessLabeling, SequentialGraph, SequentialLabeling,
};
use webgraph_algo::distances::exact_sum_sweep::{Diameter, Level};
use webgraph_algo::distances::hyperball::HyperBallBuilder;

/// How many registers a counter has, and which hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counters {
    log2m: u32,
    /// Fixes the hash.
    pub seed: u64,
}

impl Counters {
    /// Counters of 2^`log2m` registers.
    ///
    /// # Errors
    /// If `log2m` is not from 4 to 16.
    pub fn new(log2m: u32, seed: u64) -> Result<Self> {
        match (4..=16).contains(&log2m) {
            true => Ok(Counters { log2m, seed }),
            false => Err(Error::argument(
                "--log2m",
                log2m,
                "give a number from 4 to 16",
            )),
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
        // Two arrays of counters, three sums and an estimate, bits and bounds.
        num_nodes as u64 * (2 * (1 << self.log2m) + 5 * 4 + 2)
    }
}

/// Estimates for every node; lists of one number a node.
#[derive(Debug, Clone, PartialEq)]
pub struct Balls {
    /// The number of nodes reached, the source included.
    pub reached: Box<[f32]>,
    /// The sum of distances.
    pub sum_of_distances: Box<[f32]>,
    /// The sum of 1/d.
    pub sum_of_reciprocals: Box<[f32]>,
    /// The sum of f(d) for each function asked for.
    pub sums: Vec<Box<[f32]>>,
    /// At place t, the number of ordered pairs at distance at most t, pairs (x, x) included.
    /// Rounded to 32 bits, because threads add these in any order.
    pub pairs_within: Vec<f64>,
}

/// Runs HyperBall along `rows`, whose transpose is `reverse`, until no counter changes.
///
/// O(m) a step at worst, as many steps as the largest distance; time is proportional to 2^log2m.
/// A step cannot be interrupted: `webgraph-algo` has no means to.
///
/// # Errors
/// [`Interrupted`](Error::Interrupted) when the user stopped the run before it began.
pub fn hyperball(
    rows: &Csr,
    reverse: &Csr,
    counters: Counters,
    functions: &[&(dyn Fn(u32) -> f64 + Sync)],
    progress: &dyn Progress,
) -> Result<Balls> {
    progress.check()?;
    let n = rows.num_nodes();
    if n == 0 {
        return Ok(Balls {
            reached: Box::default(),
            sum_of_distances: Box::default(),
            sum_of_reciprocals: Box::default(),
            sums: vec![Box::default(); functions.len()],
            pairs_within: vec![0.0],
        });
    }
    let logic = HyperLogLog8Builder::new()
        .log2_num_regs(counters.log2m)
        .build_hasher(Seeded(counters.seed))
        .build::<usize>();
    let (graph, transpose) = (Arcs(rows), Arcs(reverse));
    let cumulated = graph.build_dcf();
    let array = || SliceEstimatorArray::new(logic.clone(), n);
    let mut builder =
        HyperBallBuilder::with_transpose(&graph, &transpose, &cumulated, array(), array())
            .sum_of_distances(true)
            .sum_of_inverse_distances(true);
    for &function in functions {
        builder = builder.discount_function(move |distance| function(distance as u32));
    }
    let mut run = builder.build(no_logging![]);
    progress.begin("joining counters", None);
    // Unweighted runs draw nothing from this generator.
    let random = Xoshiro256PlusPlus::seed_from_u64(counters.seed);
    run.run_until_done(random, no_logging![]).map_err(refuse)?;
    progress.end();
    let owned = |list: &[f32]| list.into();
    Ok(Balls {
        reached: run.reachable_nodes().map_err(refuse)?,
        sum_of_distances: owned(run.sum_of_distances().map_err(refuse)?),
        sum_of_reciprocals: owned(run.harmonic_centralities().map_err(refuse)?),
        sums: (0..functions.len())
            .map(|i| run.discounted_centrality(i).map(owned).map_err(refuse))
            .collect::<Result<_>>()?,
        pairs_within: run
            .neighborhood_function()
            .map_err(refuse)?
            .iter()
            .map(|&pairs| pairs as f32 as f64)
            .collect(),
    })
}

/// The largest distance between two nodes, one of which reaches the other; exact, by the
/// ExactSumSweep algorithm of `webgraph-algo` (Borassi, Crescenzi, Habib et al. 2015).
///
/// Usually a few dozen searches; n at worst.
pub fn diameter(rows: &Csr, reverse: &Csr) -> u32 {
    if rows.num_nodes() == 0 {
        return 0;
    }
    Diameter::run(Arcs(rows), Arcs(reverse), None, true, no_logging![]).diameter as u32
}

fn refuse(error: impl std::fmt::Display) -> Error {
    Error::Unsupported(format!("HyperBall: {error:#}"))
}

/// SipHash after a seed.
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

/// A graph as WebGraph's algorithms take it.
struct Arcs<'g>(&'g Csr);

/// The neighbours of a node.
type Row<'a> = Map<Copied<Iter<'a, Node>>, fn(Node) -> usize>;

fn row(rows: &Csr, node: usize) -> Row<'_> {
    let widen: fn(Node) -> usize = |y| y as usize;
    rows.row(node as Node).iter().copied().map(widen)
}

impl SequentialLabeling for Arcs<'_> {
    type Label = usize;
    type Lender<'a>
        = Lines<'a>
    where
        Self: 'a;

    fn num_nodes(&self) -> usize {
        self.0.num_nodes()
    }

    fn get_num_arcs(&self) -> Option<u64> {
        Some(self.0.num_arcs())
    }

    fn iter_from(&self, from: usize) -> Lines<'_> {
        Lines {
            rows: self.0,
            next: from,
        }
    }
}

impl RandomAccessLabeling for Arcs<'_> {
    type Labels<'a>
        = Row<'a>
    where
        Self: 'a;

    fn num_arcs(&self) -> u64 {
        self.0.num_arcs()
    }

    fn labels(&self, node: usize) -> Row<'_> {
        row(self.0, node)
    }

    fn outdegree(&self, node: usize) -> usize {
        self.0.degree(node as Node) as usize
    }
}

impl SequentialGraph for Arcs<'_> {}
impl RandomAccessGraph for Arcs<'_> {}

/// All nodes from one on, each with its neighbours.
struct Lines<'g> {
    rows: &'g Csr,
    next: usize,
}

impl<'lend> NodeLabelsLender<'lend> for Lines<'_> {
    type Label = usize;
    type IntoIterator = Row<'lend>;
}

impl<'lend> Lending<'lend> for Lines<'_> {
    type Lend = (usize, Row<'lend>);
}

impl Lender for Lines<'_> {
    check_covariance!();

    fn next(&mut self) -> Option<Lend<'_, Self>> {
        let node = self.next;
        (node < self.rows.num_nodes()).then(|| {
            self.next += 1;
            (node, row(self.rows, node))
        })
    }
}
