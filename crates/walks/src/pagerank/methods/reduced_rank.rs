//! Reduced rank extrapolation: the best combination of the last iterates of `y <- f(y)`, f affine.
//!
//! If weights add up to one, the residual `f(y) - y` of a combination of iterates is the same
//! combination of their residuals, which are the differences of successive iterates. The weights
//! that make it smallest in the l2 norm solve a system with one row for each residual (Eddy,
//! "Extrapolating to the limit of a vector sequence", 1979; Mešina, "Convergence acceleration for
//! the iterative solution of the equations X = AX + f", 1977). Restarted from the combination, this
//! finds what restarted GMRES finds; it stores one vector more than residuals.
//!
//! # What it does to PageRank
//!
//! Many eigenvalues of the map have modulus alpha: one is alpha for each closed set of nodes, and a
//! closed cycle of k nodes has all k-th roots of alpha^k. Six residuals remove the parts of the
//! error that belong to any five of them, without being told which there are. Closed sets, 2-cycles
//! and 3-cycles together have four.
//!
//! # Never much worse than plain sweeps
//!
//! The last iterate is among the combinations. The l1 norm of the combined residual is computed
//! before the combination is used; if it is not smaller than that of the last residual, rounding
//! included, the iteration goes on from the last iterate. If only rounding is in the way, that is
//! added to the solution first, so that what is iterated on is smaller.
//!
//! # Close to alpha 1
//!
//! There, what is best in the l2 norm is often no better in the l1 norm. So the combination after
//! one that was rejected, a sweep later, is the best in another norm, where places weigh
//! 1 / (|r| + c) with the last residual r and c a part of its mean. But for c it cannot be larger
//! than r in the l1 norm: by Cauchy and Schwarz, the square of a combination's l1 norm is at most
//! |r| times the square of its weighted norm, which is at most that of r, and that is |r| (a step of
//! iteratively reweighted least squares; Lawson, "Contributions to the theory of linear least maximum
//! approximation", 1961). The l2 norm takes fewer sweeps where its combinations are accepted.
//!
//! # In files
//!
//! Old iterates are read every seventh sweep only, from front to back. Where memory is short, each is
//! written into a file before a sweep replaces it, and so is the last one before a combination. The
//! numbers and their sums are the same, to the bit.

mod changes;
mod combined;
mod cycle;
pub(in crate::pagerank) mod in_fixed_point;
mod least_squares;
mod spill;
mod weights;
mod whole_products;

use bytemuck::Pod;
pub(crate) use cycle::CYCLE;
use cycle::ExtrapolationSchedule;
use least_squares::RESIDUALS;
use num_traits::Float;
use spill::{Entries, Scratch, SpilledVector};
use std::array;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;
use webrank_base::checkpoint::{Number, StateVisitor};
use webrank_base::error::Result;
use webrank_base::output::{SpillBudget, TemporaryFolder};
use webrank_base::parallel::sums;
use webrank_linear::prefixes::PREFIX_BLOCK;
use weights::weights;

/// The number added to the sizes of residuals before they divide, over their mean.
const FLOOR: f64 = 0.1;

/// The last iterates before the current one, and when to combine them.
pub(crate) struct IterateHistory<T> {
    /// Oldest first.
    past: VecDeque<SpilledVector<T>>,
    spare: Vec<SpilledVector<T>>,
    /// The folder of their files; none if they are in memory.
    folder: Option<Arc<TemporaryFolder>>,
    cycle: ExtrapolationSchedule,
}

impl<T: Float + Pod + Default + Send + Sync> IterateHistory<T> {
    /// Iterates in memory.
    pub(crate) fn new() -> Self {
        Self::within(0, &SpillBudget::in_memory())
    }

    /// Iterates of `n` entries: in memory if there is room for all that are kept, otherwise in files, if
    /// these may be made.
    pub(crate) fn within(n: usize, room: &SpillBudget) -> Self {
        let fits = (RESIDUALS * size_of::<T>() * n) as u64 <= room.bytes;
        IterateHistory {
            past: VecDeque::new(),
            spare: Vec::new(),
            folder: room.folder.clone().filter(|_| !fits),
            cycle: ExtrapolationSchedule::new(),
        }
    }

    /// A vector of `n` entries with any content, for the next iterate.
    pub(crate) fn buffer(&mut self, n: usize) -> Vec<T> {
        match self.recycled() {
            Some(SpilledVector::Memory(recycled)) => recycled,
            _ => vec![T::default(); n],
        }
    }

    /// Begins a sweep that replaces an iterate. If iterates are in memory, this returns it, leaves a
    /// vector with any content for the next one, and the sweep [keeps](Self::keep) it afterwards.
    /// Otherwise it is written into a file now, and nothing is returned: the next one may be written
    /// over it.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn begin(&mut self, iterate: &mut Vec<T>) -> Result<Option<Vec<T>>> {
        let Some(folder) = self.folder.clone() else {
            let next = self.buffer(iterate.len());
            return Ok(Some(std::mem::replace(iterate, next)));
        };
        let scratch = self.scratch(&folder, iterate.len())?;
        scratch.write_all(iterate)?;
        self.past.push_back(SpilledVector::File(scratch));
        Ok(None)
    }

    /// Counts a sweep, and keeps the iterate that it has replaced, unless that was written into a file.
    pub(crate) fn keep(&mut self, iterate: Option<Vec<T>>) {
        self.past.extend(iterate.map(SpilledVector::Memory));
        self.cycle.count();
    }

    /// The place of an iterate that is not needed any more.
    fn recycled(&mut self) -> Option<SpilledVector<T>> {
        match self.past.len() {
            RESIDUALS => self.past.pop_front(),
            _ => self.spare.pop(),
        }
    }

    /// A file for an iterate of `n` entries.
    fn scratch(&mut self, folder: &Arc<TemporaryFolder>, n: usize) -> Result<Scratch<T>> {
        match self.recycled() {
            Some(SpilledVector::File(scratch)) => Ok(scratch),
            _ => Scratch::create(folder, n, PREFIX_BLOCK),
        }
    }

    /// Forgets all iterates.
    pub(crate) fn restart(&mut self) {
        self.spare.extend(self.past.drain(..));
        self.cycle.restart();
    }

    /// The best combination of the iterates with the current one, `last`, if it is due. It takes
    /// `last`, and returns a vector that it may be [written](Combination::write) into.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub(crate) fn combination(
        &mut self,
        last: &mut Vec<T>,
    ) -> Result<Option<(Vec<T>, Combination<T>)>> {
        if !self.cycle.is_due() || self.past.len() < RESIDUALS {
            return Ok(None);
        }
        let iterates = array::from_fn(|at| {
            let kept = self.past.get(at).map(SpilledVector::entries);
            kept.unwrap_or(Entries::Memory(last))
        });
        let Some(weights) = weights(iterates, last.len(), self.cycle.is_weighted())? else {
            self.fail();
            return Ok(None);
        };
        self.cycle.restart();
        let mut past = std::mem::take(&mut self.past);
        let first = past.pop_front();
        let rounding = rounding(last, &weights);
        let last = std::mem::take(last);
        let (into, first, last) = match (first, self.folder.clone()) {
            (Some(SpilledVector::File(first)), Some(folder)) => {
                let kept = self.scratch(&folder, last.len())?;
                kept.write_all(&last)?;
                (last, Some(first), SpilledVector::File(kept))
            }
            (Some(SpilledVector::Memory(first)), _) => (first, None, SpilledVector::Memory(last)),
            _ => return Ok(None),
        };
        let combination = Combination {
            first,
            middle: past.into(),
            last,
            weights,
            rounding,
        };
        Ok(Some((into, combination)))
    }

    /// Recycles the vectors of a combination that was used.
    pub(crate) fn accept(&mut self, combination: Combination<T>) {
        self.spare
            .extend(combination.first.map(SpilledVector::File));
        self.spare.extend(combination.middle);
        self.spare.push(combination.last);
        self.cycle.accept();
    }

    /// Returns the current iterate; recycles the other vectors of a combination that was no better,
    /// and `written`, which it was written into. The next one is due later, unless it was
    /// `rounded`: then iterates will have more digits.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub(crate) fn reject(
        &mut self,
        combination: Combination<T>,
        mut written: Vec<T>,
        rounded: bool,
    ) -> Result<Vec<T>> {
        // A sweep from here, there are enough iterates again.
        let is_kept = !rounded && self.cycle.reject();
        let vectors = combination.middle;
        match is_kept {
            true => self.past.extend(vectors),
            false => self.spare.extend(vectors),
        }
        self.spare
            .extend(combination.first.map(SpilledVector::File));
        match combination.last {
            SpilledVector::Memory(last) => {
                self.spare.push(SpilledVector::Memory(written));
                Ok(last)
            }
            SpilledVector::File(last) => {
                last.read_all(&mut written)?;
                self.spare.push(SpilledVector::File(last));
                Ok(written)
            }
        }
    }

    /// Writes the iterates, of `n` entries, to a checkpoint, or takes them from it: the same, wherever they
    /// are.
    pub(crate) fn visit(&mut self, n: usize, visitor: &mut StateVisitor) -> Result<()>
    where
        T: Number,
    {
        let (mut place, mut count) = (self.cycle.place(), [self.past.len() as u32]);
        visitor.numbers(&mut place)?;
        visitor.numbers(&mut count)?;
        let [count] = count.map(|count| count as usize);
        if visitor.is_restoring() {
            self.restart();
            visitor.check(self.cycle.resume(place) && count <= RESIDUALS)?;
            for _ in 0..count {
                let kept = match self.folder.clone() {
                    None => SpilledVector::Memory(self.buffer(n)),
                    Some(folder) => SpilledVector::File(self.scratch(&folder, n)?),
                };
                self.past.push_back(kept);
            }
        }
        self.past.iter_mut().try_for_each(|kept| match kept {
            SpilledVector::Memory(iterate) => visitor.numbers(iterate),
            SpilledVector::File(scratch) => scratch.visit(visitor),
        })
    }

    fn fail(&mut self) {
        self.restart();
        self.cycle.fail();
    }
}

/// A combination of iterates.
pub(crate) struct Combination<T> {
    /// The oldest iterate, if it is in a file; otherwise what is written begins with its entries.
    first: Option<Scratch<T>>,
    /// The iterates between that and the last one, oldest first.
    middle: Vec<SpilledVector<T>>,
    last: SpilledVector<T>,
    weights: [f64; RESIDUALS],
    rounding: f64,
}

/// Places that are combined at a time.
const PIECE: usize = 64;

impl<T: Float + Pod + Default + Send + Sync> Combination<T> {
    /// Replaces the entries at these places of the vector that came with the combination by those of the
    /// combination, and `residuals` by those of its residual. Places begin at a multiple of
    /// [`PREFIX_BLOCK`].
    ///
    /// # Errors
    /// If a file cannot be read.
    pub(crate) fn write(
        &self,
        places: Range<usize>,
        firsts: &mut [T],
        residuals: &mut [T],
    ) -> Result<()> {
        if let Some(first) = &self.first {
            first.read(places.start, firsts)?;
        }
        let mut buffers = [const { Vec::new() }; RESIDUALS];
        let mut newer = [&[][..]; RESIDUALS];
        let all = self.middle.iter().chain([&self.last]);
        for ((part, kept), buffer) in newer.iter_mut().zip(all).zip(&mut buffers) {
            *part = kept.entries().part(places.clone(), buffer)?;
        }
        combine(&self.weights, newer, firsts, residuals);
        Ok(())
    }

    /// About the l1 error of the computed residual: every iterate is rounded.
    pub(crate) fn rounding(&self) -> f64 {
        self.rounding
    }
}

/// Combines the oldest iterate, `firsts`, and those that are `newer`, into `firsts` and `residuals`.
fn combine<T: Float>(
    weights: &[f64; RESIDUALS],
    newer: [&[T]; RESIDUALS],
    firsts: &mut [T],
    residuals: &mut [T],
) {
    let count = firsts.len();
    let pieces = firsts.chunks_mut(PIECE).zip(residuals.chunks_mut(PIECE));
    for (start, (firsts, residuals)) in (0..count).step_by(PIECE).zip(pieces) {
        let (mut entries, mut left) = ([0.0; PIECE], [0.0; PIECE]);
        let mut olds = [0.0; PIECE];
        for (old, &first) in olds.iter_mut().zip(&*firsts) {
            *old = long(first);
        }
        for (&weight, iterate) in weights.iter().zip(newer) {
            let iterate = &iterate[start..start + firsts.len()];
            let sums = entries.iter_mut().zip(&mut left).zip(&mut olds);
            for (&new, ((entry, left), old)) in iterate.iter().zip(sums) {
                let new = long(new);
                *entry += weight * new;
                *left += weight * (new - *old);
                *old = new;
            }
        }
        let parts = firsts.iter_mut().zip(residuals);
        for ((first, residual), (entry, left)) in parts.zip(entries.into_iter().zip(left)) {
            (*first, *residual) = (short(entry), short(left));
        }
    }
}

/// About the l1 error of the residual of a combination with these weights.
fn rounding<T: Float + Sync>(last: &[T], weights: &[f64; RESIDUALS]) -> f64 {
    let spread: f64 = weights.iter().map(|weight| weight.abs()).sum();
    let size = sums::sum_of_tasks(last.len(), |places| {
        sums::chained(last[places].iter().map(|&entry| long(entry).abs()))
    });
    size * spread * long(T::epsilon())
}

#[inline(always)]
fn long<T: Float>(value: T) -> f64 {
    value.to_f64().unwrap_or(f64::NAN)
}

#[inline(always)]
fn short<T: Float>(value: f64) -> T {
    T::from(value).unwrap_or(T::nan())
}

#[cfg(test)]
mod tests;
