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

mod changes;
mod combined;
mod cycle;
pub(in crate::centrality::pagerank) mod in_fixed_point;
mod least_squares;
mod whole_products;

use crate::checkpoint::{Found, Number, Saving};
use crate::error::Result;
use crate::parallel::simd::Simd;
use crate::parallel::{sums, tasks};
pub(crate) use cycle::CYCLE;
use cycle::Cycle;
use least_squares::{LANES, PAIRS, RESIDUALS, RIDGE, least_squares, products};
use num_traits::Float;
use pulp::NullaryFnOnce;
use std::array;
use std::collections::VecDeque;
use std::ops::Range;

/// What is added to the sizes of residuals before they divide, over their mean.
const FLOOR: f64 = 0.1;

/// The last iterates before the current one, and when to combine them.
pub(crate) struct Iterates<T> {
    /// Oldest first.
    past: VecDeque<Vec<T>>,
    spare: Vec<Vec<T>>,
    cycle: Cycle,
}

impl<T: Float + Default + Send + Sync> Iterates<T> {
    pub(crate) fn new() -> Self {
        Iterates {
            past: VecDeque::new(),
            spare: Vec::new(),
            cycle: Cycle::new(),
        }
    }

    /// A vector of `n` entries with any content, for the next iterate.
    pub(crate) fn buffer(&mut self, n: usize) -> Vec<T> {
        let recycled = match self.past.len() {
            RESIDUALS => self.past.pop_front(),
            _ => self.spare.pop(),
        };
        recycled.unwrap_or_else(|| vec![T::default(); n])
    }

    /// Keeps an iterate, after the sweep that has replaced it.
    pub(crate) fn keep(&mut self, iterate: Vec<T>) {
        self.past.push_back(iterate);
        self.cycle.count();
    }

    /// Forgets all iterates.
    pub(crate) fn restart(&mut self) {
        self.spare.extend(self.past.drain(..));
        self.cycle.restart();
    }

    /// The best combination of the iterates with the current one, `last`, if it is due. It takes
    /// `last`, and returns the oldest iterate, whose vector it may be written into.
    pub(crate) fn combination(&mut self, last: &mut Vec<T>) -> Option<(Vec<T>, Combination<T>)> {
        if !self.cycle.is_due() || self.past.len() < RESIDUALS {
            return None;
        }
        let past = &self.past;
        let iterates = array::from_fn(|at| past.get(at).map_or(&last[..], |iterate| iterate));
        let Some(weights) = weights(iterates, self.cycle.is_weighted()) else {
            self.fail();
            return None;
        };
        self.cycle.restart();
        let first = self.past.pop_front()?;
        let middle: Vec<_> = self.past.drain(..).collect();
        let combination = Combination {
            middle: middle.try_into().ok()?,
            last: std::mem::take(last),
            weights,
        };
        Some((first, combination))
    }

    /// Recycles the vectors of a combination that was used.
    pub(crate) fn accept(&mut self, combination: Combination<T>) {
        self.spare.extend(combination.middle);
        self.spare.push(combination.last);
        self.cycle.accept();
    }

    /// Returns the current iterate; recycles the other vectors of a combination that was no better,
    /// and `written`, which it was written into. The next one is due later, unless it was
    /// `rounded`: then iterates will have more digits.
    pub(crate) fn reject(
        &mut self,
        combination: Combination<T>,
        written: Vec<T>,
        rounded: bool,
    ) -> Vec<T> {
        self.spare.push(written);
        // A sweep from here, there are enough iterates again.
        let is_kept = !rounded && self.cycle.reject();
        let vectors = combination.middle;
        match is_kept {
            true => self.past.extend(vectors),
            false => self.spare.extend(vectors),
        }
        combination.last
    }

    /// Writes the iterates.
    pub(crate) fn save(&self, to: &mut Saving) -> Result<()>
    where
        T: Number,
    {
        to.numbers(&self.cycle.place())?;
        to.numbers(&[self.past.len() as u32])?;
        self.past.iter().try_for_each(|iterate| to.numbers(iterate))
    }

    /// Takes up iterates of `n` entries that were saved.
    pub(crate) fn restore(&mut self, n: usize, from: &mut Found) -> Result<()>
    where
        T: Number,
    {
        let (mut place, mut count) = ([0u32; 3], [0u32]);
        from.fill(&mut place)?;
        from.fill(&mut count)?;
        self.restart();
        self.cycle = Cycle::at(place).ok_or_else(|| from.damaged())?;
        let [count] = count;
        if count as usize > RESIDUALS {
            return Err(from.damaged());
        }
        for _ in 0..count {
            let mut iterate = self.buffer(n);
            from.fill(&mut iterate)?;
            self.past.push_back(iterate);
        }
        Ok(())
    }

    fn fail(&mut self) {
        self.restart();
        self.cycle.fail();
    }
}

/// A combination of iterates, oldest first but for the oldest one.
pub(crate) struct Combination<T> {
    middle: [Vec<T>; RESIDUALS - 1],
    last: Vec<T>,
    weights: [f64; RESIDUALS],
}

/// Places that are combined at a time.
const PIECE: usize = 64;

impl<T: Float + Sync> Combination<T> {
    /// Replaces the entries of the oldest iterate at these places by those of the combination, and
    /// `residuals` by those of its residual.
    pub(crate) fn write(&self, places: Range<usize>, firsts: &mut [T], residuals: &mut [T]) {
        let pieces = firsts.chunks_mut(PIECE).zip(residuals.chunks_mut(PIECE));
        for (start, (firsts, residuals)) in places.step_by(PIECE).zip(pieces) {
            let (mut entries, mut left) = ([0.0; PIECE], [0.0; PIECE]);
            let mut olds = [0.0; PIECE];
            for (old, &first) in olds.iter_mut().zip(&*firsts) {
                *old = long(first);
            }
            let newer = self.middle.iter().chain([&self.last]);
            for (&weight, iterate) in self.weights.iter().zip(newer) {
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

    /// About the l1 error of the computed residual: every iterate is rounded.
    pub(crate) fn rounding(&self) -> f64 {
        let spread: f64 = self.weights.iter().map(|weight| weight.abs()).sum();
        let size = sums::sum_of_tasks(self.last.len(), |places| {
            sums::chained(self.last[places].iter().map(|&entry| long(entry).abs()))
        });
        size * spread * long(T::epsilon())
    }
}

/// The weights of the newer iterate of each residual, oldest first; none if the residuals do not
/// tell any. The norm is l2, or the `weighted` one.
fn weights<T: Float + Send + Sync>(
    iterates: [&[T]; RESIDUALS + 1],
    weighted: bool,
) -> Option<[f64; RESIDUALS]> {
    let floor =
        weighted.then(|| FLOOR * mean_residual(iterates[RESIDUALS - 1], iterates[RESIDUALS]));
    let products = tasks::reduce(
        iterates[0].len(),
        [0.0; PAIRS],
        |range| {
            let iterates = iterates.map(|iterate| &iterate[range.clone()]);
            Simd::best().run(Products { iterates, floor })
        },
        |sums, part| array::from_fn(|pair| sums[pair] + part[pair]),
    );
    least_squares(&products, RIDGE)
}

/// The mean size of the entries of a residual.
fn mean_residual<T: Float + Sync>(old: &[T], new: &[T]) -> f64 {
    let sum = sums::sum_of_tasks(new.len(), |places| {
        let two = old[places.clone()].iter().zip(&new[places]);
        sums::chained(two.map(|(&old, &new)| (long(new) - long(old)).abs()))
    });
    sum / new.len() as f64
}

/// The scalar products of residuals.
struct Products<'a, T> {
    iterates: [&'a [T]; RESIDUALS + 1],
    /// Places weigh one over the size of the last residual and this.
    floor: Option<f64>,
}

impl<T: Float> NullaryFnOnce for Products<'_, T> {
    type Output = [f64; PAIRS];

    #[inline(always)]
    fn call(self) -> [f64; PAIRS] {
        let at = |start: usize, lanes: usize| {
            let mut residuals = [[0.0; LANES]; RESIDUALS];
            for (residual, two) in residuals.iter_mut().zip(self.iterates.windows(2)) {
                let [old, new] = [&two[0][start..start + lanes], &two[1][start..start + lanes]];
                for (entry, (&old, &new)) in residual.iter_mut().zip(old.iter().zip(new)) {
                    *entry = long(new) - long(old);
                }
            }
            residuals
        };
        let count = self.iterates[0].len();
        let sums = products(count, self.floor, at, |sum: &mut f64, product| {
            *sum += product
        });
        sums.map(|lanes| lanes.iter().sum())
    }
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
