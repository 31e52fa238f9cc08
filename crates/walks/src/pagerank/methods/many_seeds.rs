//! Many walks at a time: one sweep over the arcs serves [`WIDTH`] vectors.
//!
//! A walk starts at one node s. At each step it follows a random arc with probability alpha and
//! otherwise ends; it also ends when it has no arc to follow. p_i is the probability that it ends
//! at node i without having tried to leave a dangling node; it satisfies
//!
//! ```text
//! p = alpha p G + (1 - alpha) e_s,        e_s: 1 at s, 0 elsewhere.
//! ```
//!
//! The entries of [`WIDTH`] such vectors are stored side by side. So one read of memory, which
//! dominates the cost of a sweep, fetches all of them, and additions are vector instructions.
//!
//! As in [`crate::pagerank::methods::power`], p is kept as x + e. x is in double
//! precision and stays fixed; e is in single precision and is iterated on: `e <- alpha e G + r`,
//! with `r = alpha x G + (1 - alpha) e_s - x`. Occasionally e is added to x. Both are stored as the
//! shares that live nodes give to each of their successors.
//!
//! # Certificate
//!
//! Let z be `alpha x G + (1 - alpha) e_s`, computed with an error of at most delta in the l1 norm.
//! The rows of dangling nodes are zero, so only the entries of x on live nodes matter. As in
//! [`crate::pagerank::certificate`],
//! `||z - p|| <= (alpha ||x - z|| + delta) / (1 - alpha)`, where the norm of x - z is over live
//! nodes.

mod checkpoint;

use super::many_seeds_kernels::{
    Corrections, FastSums, Long, Short, Update, exact_sum, over_tasks,
};
use super::power_extrapolation::Schedule;
use crate::pagerank::certificate::{Certified, rounding};
use crate::pagerank::equation::bound;
use crate::pagerank::walk::RandomWalk;
use std::ops::Range;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::parallel::blocks::split_mut;
use webrank_base::parallel::simd::Simd;
use webrank_base::parallel::sums::{INDICES_PER_TASK, compensated};
use webrank_base::parallel::tasks;
use webrank_linear::prefixes::PREFIX_BLOCK;
use webrank_linear::runs::flat::FlatRows;

pub use super::many_seeds_kernels::WIDTH;

/// The norm to which the stored r is scaled: see [`crate::pagerank::methods::power`].
const NORM: f64 = (1u64 << 60) as f64;

/// The fraction of the norm of r to which corrections can be found: their relative precision times
/// the number of times that a walk passes its errors on, with a margin.
fn resolution(alpha: f64) -> f64 {
    (f32::EPSILON as f64 * (8.0 / (1.0 - alpha)).max(128.0)).min(0.1)
}

/// The state of an iteration.
pub struct Lanes<'a> {
    walk: &'a RandomWalk,
    rows: &'a FlatRows,
    alpha: f64,
    starts: &'a [Node],
    simd: Simd,
    row_blocks: Vec<Range<usize>>,
    /// The distinct row of each live node.
    live_rows: Vec<u32>,
    settled: Vec<Long>,
    /// The norms of x.
    norm: Long,
    /// The norms of r.
    norm_of_r: Long,
    /// The norms of r over [`NORM`]: stored numbers times these are the true ones.
    unit: Long,
    residual: Vec<Short>,
    correction: Vec<Short>,
    prefixes: Vec<Short>,
    /// Sums of corrections over the distinct rows.
    inflows: Vec<Short>,
    /// e two sweeps before the next extrapolation.
    earlier: Vec<Short>,
    schedule: Schedule,
    /// The sweep before which e was last added to x.
    last_settled: u32,
    /// The number of sweeps after which corrections should have run out of digits, and e is added
    /// to x in any case.
    patience: u32,
    /// The largest change that the last sweep made to a vector, relative to the norm of its r.
    relative: f64,
}

impl<'a> Lanes<'a> {
    /// A walk from each of at most [`WIDTH`] nodes.
    ///
    /// # Errors
    /// If the rows are not in memory.
    pub fn new(walk: &'a RandomWalk, alpha: f64, starts: &'a [Node]) -> Result<Self> {
        assert!(starts.len() <= WIDTH, "one vector per walk");
        let (n, num_rows) = (walk.live().len(), walk.rows().num_rows());
        let live_rows = walk.live_rows();
        let mut is_live = vec![false; num_rows];
        live_rows
            .iter()
            .for_each(|&row| is_live[row as usize] = true);
        let schedule = Schedule::new(alpha);
        let mut lanes = Lanes {
            walk,
            rows: walk.flat_rows("each_seed", "given")?,
            alpha,
            starts,
            simd: Simd::best(),
            row_blocks: walk.rows().live_blocks(|row| is_live[row]),
            live_rows,
            settled: vec![[0.0; WIDTH]; n],
            norm: [0.0; WIDTH],
            norm_of_r: [0.0; WIDTH],
            unit: [1.0; WIDTH],
            residual: vec![[0.0; WIDTH]; n],
            correction: vec![[0.0; WIDTH]; n],
            prefixes: vec![[0.0; WIDTH]; n + n.div_ceil(PREFIX_BLOCK)],
            inflows: vec![[0.0; WIDTH]; num_rows],
            earlier: Vec::new(),
            patience: schedule.interval().saturating_mul(8),
            schedule,
            last_settled: 0,
            relative: 1.0,
        };
        lanes.settle();
        Ok(lanes)
    }

    /// Makes one sweep; returns the l1 norm of the change of each vector on live nodes, or the
    /// resolution of single precision if that is larger.
    pub fn sweep(&mut self) -> Long {
        self.extrapolate();
        let resolution = resolution(self.alpha);
        let is_stuck = self.schedule.sweeps() - self.last_settled > self.patience;
        let change = if self.relative <= resolution || is_stuck {
            self.last_settled = self.schedule.sweeps();
            self.settle()
        } else {
            self.apply()
        };
        self.schedule.count(change.iter().sum());
        let relative = |lane: usize| change[lane] / (self.unit[lane] * NORM);
        self.relative = (0..WIDTH).map(relative).fold(0.0, f64::max);
        // In single precision, corrections may stop changing before they are accurate.
        let resolved = |lane: usize| change[lane].max(resolution * self.norm_of_r[lane]);
        std::array::from_fn(resolved)
    }

    /// Lower bounds on the norms of the vectors, up to their errors.
    pub fn norms(&self) -> Long {
        self.norm.map(|norm| norm.max(1.0 - self.alpha))
    }

    /// e <- alpha e G + r.
    fn apply(&mut self) -> Long {
        let mut inflows = std::mem::take(&mut self.inflows);
        let (rows, correction, prefixes) = (self.rows, &self.correction, &self.prefixes);
        let blocks = self.row_blocks.iter();
        let parts = blocks.zip(split_mut(&mut inflows, &self.row_blocks));
        tasks::for_each(parts, |(block, inflows)| {
            self.simd.run(FastSums {
                rows,
                block: block.clone(),
                correction,
                prefixes,
                inflows,
            });
        });
        let residual = std::mem::take(&mut self.residual);
        let live_rows = std::mem::take(&mut self.live_rows);
        let change = self.update(&Corrections::Step {
            inflows: &inflows,
            live_rows: &live_rows,
            residual: &residual,
            alpha: self.alpha as f32,
        });
        (self.inflows, self.residual, self.live_rows) = (inflows, residual, live_rows);
        change
    }

    /// Gives every live node new corrections and updates their prefix sums; returns the l1
    /// distances between old and new.
    fn update(&mut self, new: &Corrections) -> Long {
        let blocks = self.prefixes.chunks_mut(PREFIX_BLOCK + 1);
        let blocks = blocks
            .zip(self.correction.chunks_mut(PREFIX_BLOCK))
            .zip(self.walk.live_outdegrees().chunks(PREFIX_BLOCK))
            .enumerate();
        let changes = tasks::map(blocks, |(block, ((prefixes, correction), outdegrees))| {
            self.simd.run(Update {
                first: block * PREFIX_BLOCK,
                prefixes,
                correction,
                outdegrees,
                new,
            })
        });
        let total = |lane| compensated(changes.iter().map(|block| block[lane]));
        std::array::from_fn(|lane| self.unit[lane] * total(lane))
    }

    /// x <- x + e, e <- r: a sweep in double precision.
    fn settle(&mut self) -> Long {
        self.settled = self.total();
        let inflows = self.exact_inflows(&self.settled, &self.row_blocks);
        let (walk, settled) = (self.walk, &self.settled);
        // The residual, as the share given to each successor.
        let residual = |place: usize| -> Long {
            let inflow = &inflows[self.live_rows[place] as usize];
            let z = self.image(walk.live()[place], inflow);
            let d = walk.live_outdegrees()[place] as f64;
            std::array::from_fn(|lane| (z[lane] - settled[place][lane] * d) / d)
        };
        let [norm, norm_of_x] = over_tasks(settled.len(), |places| {
            let (mut of_r, mut of_x) = ([0.0; WIDTH], [0.0; WIDTH]);
            for place in places {
                let (r, d) = (residual(place), walk.live_outdegrees()[place] as f64);
                for lane in 0..WIDTH {
                    of_r[lane] += d * r[lane].abs();
                    of_x[lane] += d * settled[place][lane];
                }
            }
            [of_r, of_x]
        });
        // A residual of zero is exact in any unit.
        let unit: Long = std::array::from_fn(|lane| match norm[lane] {
            0.0 => self.unit[lane],
            norm => norm.max(f64::MIN_POSITIVE * NORM) / NORM,
        });
        // Single precision does not overflow: values are below NORM, or a few times that.
        let ratio: Short =
            std::array::from_fn(|lane| (self.unit[lane] / unit[lane]).min(1e10) as f32);
        let short = |r: Long| std::array::from_fn(|lane| (r[lane] / unit[lane]) as f32);
        let residual = tasks::tabulate(settled.len(), |place| short(residual(place)));
        tasks::update_with(&mut self.earlier, &self.correction, |earlier, e| {
            *earlier = std::array::from_fn(|lane| (earlier[lane] - e[lane]) * ratio[lane]);
        });
        (self.unit, self.norm, self.norm_of_r) = (unit, norm_of_x, norm);
        self.update(&Corrections::These(&residual));
        self.residual = residual;
        norm
    }

    /// Extrapolates when it is due: see [`crate::pagerank::methods::power`].
    fn extrapolate(&mut self) {
        if self.schedule.next_needs_memory() {
            self.earlier.clone_from(&self.correction);
        }
        if !self.schedule.is_due() {
            return;
        }
        let weight = (self.alpha * self.alpha) as f32;
        let earlier = std::mem::take(&mut self.earlier);
        self.update(&Corrections::Extrapolated {
            earlier: &earlier,
            weight,
        });
        self.earlier = earlier;
    }

    /// x + e.
    fn total(&self) -> Vec<Long> {
        tasks::tabulate(self.settled.len(), |place| {
            let (x, e) = (&self.settled[place], &self.correction[place]);
            // Scores are not negative, so setting negative values to 0 brings them nearer.
            std::array::from_fn(|lane| (x[lane] + self.unit[lane] * e[lane] as f64).max(0.0))
        })
    }

    /// `alpha x G + (1 - alpha) e_s` at a node, given its inflow.
    #[inline]
    fn image(&self, node: Node, inflow: &Long) -> Long {
        let mut image = inflow.map(|inflow| self.alpha * inflow);
        for (lane, &start) in self.starts.iter().enumerate() {
            if start == node {
                image[lane] += 1.0 - self.alpha;
            }
        }
        image
    }

    /// Sums over the rows in these blocks, with the error that [`webrank_base::parallel::sums`] states.
    fn exact_inflows(&self, shares: &[Long], blocks: &[Range<usize>]) -> Vec<Long> {
        let rows = self.rows;
        let mut inflows = vec![[0.0; WIDTH]; self.walk.rows().num_rows()];
        let parts = blocks.iter().zip(split_mut(&mut inflows, blocks));
        tasks::for_each(parts, |(block, inflows)| {
            for (inflow, row) in inflows.iter_mut().zip(block.clone()) {
                *inflow = exact_sum(rows.row(row), shares);
            }
        });
        inflows
    }

    /// Each vector, and a certified bound on its l1 error. Nodes with equal rows, except starts,
    /// get entries with equal bits. O(n + m).
    pub fn certify(&self) -> Vec<Certified> {
        let shares = self.total();
        let inflows = self.exact_inflows(&shares, &self.walk.rows().blocks());
        let (walk, n) = (self.walk, self.walk.num_nodes());
        let mut columns = vec![vec![0.0; n]; self.starts.len()];
        let sums: Vec<[Long; 2]> = tasks::map(
            tasks_of(&mut columns).into_iter().enumerate(),
            |(task, mut columns)| {
                let first = task * INDICES_PER_TASK;
                let nodes = first..(first + INDICES_PER_TASK).min(n);
                let mut place = walk.live_within(nodes.clone()).start;
                let (mut mass, mut change) = ([0.0; WIDTH], [0.0; WIDTH]);
                for node in nodes {
                    let z = self.image(node as Node, &inflows[walk.rows().row_of(node)]);
                    let columns = columns.iter_mut().zip(&z);
                    columns.for_each(|(column, &z)| column[node - first] = z);
                    (0..WIDTH).for_each(|lane| mass[lane] += z[lane]);
                    if walk.live().get(place) == Some(&(node as Node)) {
                        let d = walk.live_outdegrees()[place] as f64;
                        for lane in 0..WIDTH {
                            change[lane] += (z[lane] - d * shares[place][lane]).abs();
                        }
                        place += 1;
                    }
                }
                [mass, change]
            },
        );
        let total = |of: usize, lane| compensated(sums.iter().map(|sums| sums[of][lane]));
        let certified = columns
            .into_iter()
            .enumerate()
            .map(|(lane, scores)| Certified {
                scores,
                bound: bound(self.alpha, total(1, lane), rounding(total(0, lane))),
            });
        certified.collect()
    }
}

/// Approximately the smallest bound that rounding allows for a vector that sums to one.
pub(crate) fn floor(alpha: f64) -> f64 {
    bound(alpha, 0.0, rounding(1.0))
}

/// The parts of the columns that tasks of [`INDICES_PER_TASK`] nodes write.
fn tasks_of(columns: &mut [Vec<f64>]) -> Vec<Vec<&mut [f64]>> {
    let count = columns
        .first()
        .map_or(0, |column| column.len().div_ceil(INDICES_PER_TASK));
    let mut tasks: Vec<Vec<&mut [f64]>> = (0..count).map(|_| Vec::new()).collect();
    for column in columns {
        let parts = column.chunks_mut(INDICES_PER_TASK);
        tasks
            .iter_mut()
            .zip(parts)
            .for_each(|(task, part)| task.push(part));
    }
    tasks
}
