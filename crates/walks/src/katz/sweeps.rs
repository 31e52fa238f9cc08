//! The methods: a sweep brings x nearer to the solution of `x = beta + alpha M x`.

use super::KatzMethod;
use super::gradients::Gradients;
use super::live_rows::LiveRows;
use super::series::SeriesState;
use super::system::{KatzRows, KatzSystem};
use std::ops::Range;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::parallel::blocks::{cut_by, split_mut};
use webrank_base::parallel::sums::total;
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_linear::matrix::Matrix;

/// The number of chunks that Gauss-Seidel sweeps in parallel, for any number of threads.
const CHUNKS: u64 = 8;

/// Relative changes below this are rounding.
const LEAST_CHANGE: f64 = 1e-15;

/// The state of a method.
pub enum Sweeps {
    /// The series if all weights are 1: in single precision as long as that suffices.
    Plain(Box<Plain>),
    /// The series, with weights.
    Series(Vec<f64>),
    /// New values are used immediately.
    GaussSeidel(KatzGaussSeidel),
    /// Biconjugate gradients.
    Gradients(Gradients),
}

/// The series on runs of nodes.
pub struct Plain {
    short: SeriesState<f32>,
    long: Option<SeriesState<f64>>,
}

impl Sweeps {
    /// Starts from beta or from 0.
    pub fn new(system: &KatzSystem, method: KatzMethod) -> Self {
        match (method, system.rows) {
            (KatzMethod::Bicgstab, _) => Sweeps::Gradients(Gradients::new(system)),
            (_, KatzRows::Live(rows)) => Self::series(system, rows.values(system.beta)),
            (KatzMethod::GaussSeidel, KatzRows::Matrix { matrix, .. }) => {
                Sweeps::GaussSeidel(KatzGaussSeidel::new(matrix, system.beta))
            }
            (KatzMethod::Power, _) => Self::series(system, system.beta.to_vec()),
        }
    }

    /// The series from some x, on live nodes or on all.
    fn series(system: &KatzSystem, x: Vec<f64>) -> Self {
        match system.rows {
            KatzRows::Live(rows) => Sweeps::Plain(Box::new(Plain {
                short: SeriesState::new(rows, x),
                long: None,
            })),
            KatzRows::Matrix { .. } => Sweeps::Series(x),
        }
    }

    /// Sweeps until nothing changes by more than `aim`, or x overflows, or so many sweeps are made, and at
    /// least once; returns the last change, and the number of sweeps.
    ///
    /// # Errors
    /// If rows are in a file that cannot be read; if the user interrupts.
    pub fn until(
        &mut self,
        system: &KatzSystem,
        aim: f64,
        max_sweeps: u32,
        progress: &dyn Progress,
    ) -> Result<(f64, u32)> {
        let mut sweeps = 0;
        if let Sweeps::Gradients(gradients) = self {
            let (made, is_left_to_series) = gradients.advance(system, aim, max_sweeps, progress)?;
            sweeps = made;
            if !is_left_to_series || sweeps >= max_sweeps {
                return Ok((aim, sweeps));
            }
            let x = std::mem::take(&mut gradients.x);
            *self = Self::series(system, x);
        }
        loop {
            let change = self.sweep(system)?;
            sweeps += 1;
            progress.sweep(u64::from(sweeps), "change", change);
            progress.check()?;
            // Infinite changes also mean that double precision takes over.
            let has_overflown = || change.is_infinite() && !total(&self.vector(system)).is_finite();
            if change <= aim || sweeps >= max_sweeps || has_overflown() {
                return Ok((change, sweeps));
            }
        }
    }

    /// Makes one sweep; returns the largest change of an entry.
    ///
    /// # Errors
    /// If rows are in a file that cannot be read.
    fn sweep(&mut self, system: &KatzSystem) -> Result<f64> {
        match (self, system.rows) {
            (Sweeps::Plain(plain), KatzRows::Live(rows)) => plain.sweep(rows, system),
            (Sweeps::GaussSeidel(state), KatzRows::Matrix { matrix, .. }) => {
                Ok(state.sweep(matrix, system))
            }
            (Sweeps::Series(x), _) => {
                let next = system.apply(x)?;
                let change = change(x, &next);
                *x = next;
                Ok(change)
            }
            _ => unreachable!("the state was made for these rows"),
        }
    }

    /// The current vector, on the nodes that rows depend on.
    pub fn vector(&self, system: &KatzSystem) -> Vec<f64> {
        let num_nodes = system.beta.len();
        match (self, system.rows) {
            (Sweeps::Plain(plain), KatzRows::Live(rows)) => match &plain.long {
                Some(long) => long.scattered(rows, num_nodes),
                None => plain.short.scattered(rows, num_nodes),
            },
            (Sweeps::Gradients(gradients), KatzRows::Live(rows)) => {
                rows.scattered(gradients.x.iter().copied(), num_nodes)
            }
            (Sweeps::Series(x) | Sweeps::GaussSeidel(KatzGaussSeidel { x, .. }), _)
            | (Sweeps::Gradients(Gradients { x, .. }), _) => x.clone(),
            _ => unreachable!("the state was made for these rows"),
        }
    }
}

impl Plain {
    fn sweep(&mut self, rows: &LiveRows, system: &KatzSystem) -> Result<f64> {
        let Plain { short, long } = self;
        match long {
            // At the limit of double precision, sweeps change nothing.
            Some(long) => Ok(long.sweep(rows, system)?.unwrap_or(0.0)),
            None => Ok(short.sweep(rows, system)?.unwrap_or_else(|| {
                *long = Some(short.converted(rows));
                f64::INFINITY
            })),
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
    fn new(matrix: &Matrix, beta: &[f64]) -> Self {
        let n = matrix.num_nodes();
        let before = |node: usize| matrix.rows().offsets()[node] + node as u64;
        KatzGaussSeidel {
            x: beta.to_vec(),
            current: beta.to_vec(),
            chunks: cut_by(n, before(n).div_ceil(CHUNKS), before),
            own: tasks::tabulate(n, |node| matrix.entry(node as Node, node as Node)),
        }
    }

    fn sweep(&mut self, matrix: &Matrix, system: &KatzSystem) -> f64 {
        let KatzGaussSeidel {
            x,
            current,
            chunks,
            own,
        } = self;
        let parts = chunks.iter().zip(split_mut(current, chunks));
        tasks::for_each(parts, |(chunk, current)| {
            sweep_chunk(matrix, system, chunk, own, x, current);
        });
        let change = change(x, current);
        x.copy_from_slice(current);
        change
    }
}

/// Row i of the equation, solved for x_i.
fn sweep_chunk(
    matrix: &Matrix,
    system: &KatzSystem,
    chunk: &Range<usize>,
    own: &[f64],
    published: &[f64],
    current: &mut [f64],
) {
    for node in chunk.clone() {
        let inflow = matrix.dot(node as Node, |j| match j as usize {
            j if j == node => 0.0,
            j if chunk.contains(&j) => current[j - chunk.start],
            j => published[j],
        });
        current[node - chunk.start] =
            (system.beta[node] + system.alpha * inflow) / (1.0 - system.alpha * own[node]);
    }
}
