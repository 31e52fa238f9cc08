//! Adding up the series on runs of nodes, in single precision.
//!
//! As in [`crate::pagerank::methods::power`], the iteration is on x + e on the live
//! nodes, those with successors. x is in double precision and stays fixed; e is in single precision
//! and is iterated on:
//!
//! ```text
//! e <- r + alpha M e,        r = beta + alpha M x - x.
//! ```
//!
//! When e has no more accurate digits to gain, it is added to x and r is recomputed. On some graphs
//! (long chains of self-loops) e overflows single precision; then the iteration continues in double
//! precision.

use super::live_rows::LiveRows;
use super::system::KatzSystem;
use crate::pagerank::methods::power::CorrectionFloat;
use webrank_base::error::Result;
use webrank_base::parallel::tasks;
use webrank_linear::prefixes::{PREFIX_BLOCK, Prefixes};

/// The value to which the largest stored entry of r is scaled: entries 2^180 times smaller are
/// still normal numbers.
const NORM: f64 = (1u64 << 60) as f64;

/// The number of sweeps after which e is added to x in any case.
const PATIENCE: u32 = 2000;

/// The state of the iteration; e has numbers of type `T`.
pub struct SeriesState<T> {
    /// x.
    settled: Vec<f64>,
    /// The largest entry of r over [`NORM`]: stored numbers times this are the true ones.
    unit: f64,
    /// r.
    residual: Vec<T>,
    /// e.
    correction: Vec<T>,
    prefixes: Prefixes<T>,
    /// Sums of e over the distinct rows.
    sums: Vec<T>,
    /// The largest change of the last sweep and the largest entry, as stored numbers.
    last: LargestNumbers,
    /// The number of sweeps since e was last added to x.
    sweeps: u32,
}

/// The largest numbers of a sweep.
#[derive(Debug, Clone, Copy, Default)]
struct LargestNumbers {
    change: f64,
    entry: f64,
}

impl<T: CorrectionFloat> SeriesState<T> {
    /// Starts from the given x on live nodes, before its residual is known.
    pub fn new(rows: &LiveRows, settled: Vec<f64>) -> Self {
        let n = rows.live().len();
        SeriesState {
            settled,
            unit: f64::INFINITY,
            residual: vec![T::zero(); n],
            correction: vec![T::zero(); n],
            prefixes: Prefixes::new(n),
            sums: vec![T::zero(); rows.num_rows()],
            last: LargestNumbers::default(),
            sweeps: 0,
        }
    }

    /// Makes one sweep; returns the largest change of an entry. `None` if the precision of this
    /// type does not suffice to continue.
    ///
    /// # Errors
    /// If rows are in a file that cannot be read.
    pub fn sweep(&mut self, rows: &LiveRows, system: &KatzSystem) -> Result<Option<f64>> {
        let precision = T::epsilon().to_f64().expect("a number");
        // The change that roundings of the largest entries may cause in every sweep.
        let noise = precision * (128.0 * NORM).max(64.0 * self.last.entry);
        self.sweeps += 1;
        if self.last.change <= noise || self.sweeps > PATIENCE {
            self.settle(rows, system)
        } else {
            self.apply(rows, system.alpha).map(Some)
        }
    }

    /// x + e on all nodes; 0 on nodes that no entry depends on.
    pub fn scattered(&self, rows: &LiveRows, num_nodes: usize) -> Vec<f64> {
        rows.scattered(self.total(), num_nodes)
    }

    /// This state with another number type: from x + e, unless e has overflowed.
    pub fn converted<U: CorrectionFloat>(&self, rows: &LiveRows) -> SeriesState<U> {
        let total = self.total();
        let is_finite = tasks::all(total.len(), |place| total[place].is_finite());
        SeriesState::new(
            rows,
            if is_finite {
                total
            } else {
                self.settled.clone()
            },
        )
    }

    fn total(&self) -> Vec<f64> {
        if self.unit.is_infinite() {
            return self.settled.clone();
        }
        tasks::tabulate(self.settled.len(), |place| {
            let total = self.settled[place] + self.unit * long(self.correction[place]);
            // The solution is not negative, so setting negative values to 0 brings it nearer.
            total.max(0.0)
        })
    }

    /// e <- r + alpha M e.
    fn apply(&mut self, rows: &LiveRows, alpha: f64) -> Result<f64> {
        rows.sums(&self.correction, &self.prefixes, &mut self.sums)?;
        let (sums, residual) = (&self.sums, &self.residual);
        let alpha = short::<T>(alpha);
        self.last = update(&mut self.correction, &mut self.prefixes, |place| {
            alpha * sums[rows.row_of(place)] + residual[place]
        });
        Ok(self.unit * self.last.change)
    }

    /// x <- x + e, e <- r: a sweep in double precision.
    fn settle(&mut self, rows: &LiveRows, system: &KatzSystem) -> Result<Option<f64>> {
        let total = self.total();
        let mut sums = vec![0.0; rows.num_rows()];
        rows.sums(&total, &Prefixes::of(&total), &mut sums)?;
        let residual = |place: usize| {
            let flow = system.alpha * sums[rows.row_of(place)];
            system.beta[rows.live()[place] as usize] + flow - total[place]
        };
        // NaN if e has overflowed, which f64::max would hide.
        let larger = |a: f64, b: f64| if a >= b || a.is_nan() { a } else { b };
        let largest = tasks::map(tasks::ranges(total.len()), |places| {
            places.fold(0.0, |largest, place| larger(largest, residual(place).abs()))
        });
        let largest = largest.into_iter().fold(0.0, larger);
        if !largest.is_finite() || largest > 0.5 * self.unit * NORM {
            return Ok(None);
        }
        // A residual of zero is exact in any unit.
        self.unit = largest.max(f64::MIN_POSITIVE * NORM) / NORM;
        let unit = self.unit;
        self.residual = tasks::tabulate(total.len(), |place| short(residual(place) / unit));
        self.settled = total;
        let residual = &self.residual;
        update(&mut self.correction, &mut self.prefixes, |place| {
            residual[place]
        });
        self.last.change = NORM;
        self.sweeps = 0;
        Ok(Some(largest))
    }
}

/// Gives every entry of e its new value and updates the prefix sums.
fn update<T: CorrectionFloat>(
    correction: &mut [T],
    prefixes: &mut Prefixes<T>,
    new: impl Fn(usize) -> T + Sync,
) -> LargestNumbers {
    let blocks = prefixes.blocks_mut();
    let blocks = blocks.zip(correction.chunks_mut(PREFIX_BLOCK)).enumerate();
    let extents = tasks::map(blocks, |(block, (prefixes, correction))| {
        let (mut change, mut entry, mut prefix) = (T::zero(), T::zero(), 0.0);
        for (index, e) in correction.iter_mut().enumerate() {
            let old = std::mem::replace(e, new(block * PREFIX_BLOCK + index));
            change = change.max((*e - old).abs());
            entry = entry.max(e.abs());
            prefix += long(*e);
            prefixes[index + 1] = short(prefix);
        }
        LargestNumbers {
            change: long(change),
            entry: long(entry),
        }
    });
    let larger = |a: LargestNumbers, b: LargestNumbers| LargestNumbers {
        change: a.change.max(b.change),
        entry: a.entry.max(b.entry),
    };
    extents.into_iter().fold(LargestNumbers::default(), larger)
}

#[inline]
fn short<T: CorrectionFloat>(value: f64) -> T {
    T::from_f64(value).expect("every double has a nearest number")
}

#[inline]
fn long<T: CorrectionFloat>(value: T) -> f64 {
    value.to_f64().expect("a number")
}
