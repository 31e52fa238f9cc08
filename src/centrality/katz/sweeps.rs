//! The methods: a sweep brings x nearer to the solution of `x = beta + alpha M x`.

use super::KatzMethod;
use super::series::{LiveRows, SeriesState};
use super::system::KatzSystem;
use crate::graph::Node;
use crate::parallel::blocks::{cut_by, split_mut};
use crate::parallel::tasks;
use std::ops::Range;

/// The number of chunks that Gauss-Seidel sweeps in parallel, for any number of threads.
const CHUNKS: u64 = 8;

/// Relative changes below this are rounding.
const LEAST_CHANGE: f64 = 1e-15;

/// The state of a method.
pub enum Sweeps {
    /// The series if all weights are 1: in single precision as long as that suffices.
    Plain(Box<Plain>),
    /// The series.
    Weighted(Vec<f64>),
    /// New values are used immediately.
    GaussSeidel(KatzGaussSeidel),
}

/// The series on runs of nodes.
pub struct Plain {
    rows: LiveRows,
    short: SeriesState<f32>,
    long: Option<SeriesState<f64>>,
}

impl Sweeps {
    /// Starts from beta or from 0.
    pub fn new(system: &KatzSystem, method: KatzMethod) -> Self {
        match (method, system.matrix.weights()) {
            (KatzMethod::GaussSeidel, _) => Sweeps::GaussSeidel(KatzGaussSeidel::new(system)),
            (KatzMethod::Power, Some(_)) => Sweeps::Weighted(system.beta.to_vec()),
            (KatzMethod::Power, None) => {
                let rows = LiveRows::new(system);
                Sweeps::Plain(Box::new(Plain {
                    short: SeriesState::new(&rows, rows.values(system.beta)),
                    long: None,
                    rows,
                }))
            }
        }
    }

    /// Makes one sweep; returns the largest change of an entry.
    pub fn sweep(&mut self, system: &KatzSystem) -> f64 {
        match self {
            Sweeps::Plain(plain) => plain.sweep(system),
            Sweeps::Weighted(x) => {
                let next = system.apply(x);
                let change = change(x, &next);
                *x = next;
                change
            }
            Sweeps::GaussSeidel(state) => state.sweep(system),
        }
    }

    /// The current vector, on the nodes that rows depend on.
    pub fn vector(&self, num_nodes: usize) -> Vec<f64> {
        match self {
            Sweeps::Plain(plain) => match &plain.long {
                Some(long) => long.scattered(&plain.rows, num_nodes),
                None => plain.short.scattered(&plain.rows, num_nodes),
            },
            Sweeps::Weighted(x) => x.clone(),
            Sweeps::GaussSeidel(state) => state.x.clone(),
        }
    }
}

impl Plain {
    fn sweep(&mut self, system: &KatzSystem) -> f64 {
        let Plain { rows, short, long } = self;
        match long {
            // At the limit of double precision, sweeps change nothing.
            Some(long) => long.sweep(rows, system).unwrap_or(0.0),
            None => short.sweep(rows, system).unwrap_or_else(|| {
                *long = Some(short.converted(rows));
                f64::INFINITY
            }),
        }
    }
}

/// The largest difference of two entries; 0 if it is only rounding.
fn change(x: &[f64], next: &[f64]) -> f64 {
    let change = tasks::largest(x.len(), |i| (next[i] - x[i]).abs());
    let largest = tasks::largest(x.len(), |i| next[i]);
    if change <= LEAST_CHANGE * largest {
        0.0
    } else {
        change
    }
}

/// Gauss-Seidel in chunks that are swept in parallel, with new values of the chunk and old ones of
/// the others.
pub struct KatzGaussSeidel {
    x: Vec<f64>,
    current: Vec<f64>,
    chunks: Vec<Range<usize>>,
    /// The diagonal of the matrix.
    own: Vec<f64>,
}

impl KatzGaussSeidel {
    fn new(system: &KatzSystem) -> Self {
        let matrix = system.matrix;
        let n = matrix.num_nodes();
        let before = |node: usize| matrix.rows().offsets()[node] + node as u64;
        KatzGaussSeidel {
            x: system.beta.to_vec(),
            current: system.beta.to_vec(),
            chunks: cut_by(n, before(n).div_ceil(CHUNKS), before),
            own: tasks::tabulate(n, |node| matrix.entry(node as Node, node as Node)),
        }
    }

    fn sweep(&mut self, system: &KatzSystem) -> f64 {
        let KatzGaussSeidel {
            x,
            current,
            chunks,
            own,
        } = self;
        let parts = chunks.iter().zip(split_mut(current, chunks));
        tasks::for_each(parts, |(chunk, current)| {
            sweep_chunk(system, chunk, own, x, current);
        });
        let change = change(x, current);
        x.copy_from_slice(current);
        change
    }
}

/// Row i of the equation, solved for x_i.
fn sweep_chunk(
    system: &KatzSystem,
    chunk: &Range<usize>,
    own: &[f64],
    published: &[f64],
    current: &mut [f64],
) {
    for node in chunk.clone() {
        let inflow = system.matrix.dot(node as Node, |j| match j as usize {
            j if j == node => 0.0,
            j if chunk.contains(&j) => current[j - chunk.start],
            j => published[j],
        });
        current[node - chunk.start] =
            (system.beta[node] + system.alpha * inflow) / (1.0 - system.alpha * own[node]);
    }
}
