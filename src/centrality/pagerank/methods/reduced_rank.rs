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

use crate::checkpoint::{Found, Number, Saving};
use crate::error::Result;
use crate::parallel::simd::Simd;
use crate::parallel::{sums, tasks};
use num_traits::Float;
use pulp::NullaryFnOnce;
use std::array;
use std::collections::VecDeque;

/// The residuals that are combined: see `benches/README.md` for what more of them would save.
const RESIDUALS: usize = 6;

/// Sweeps between extrapolations.
pub(crate) const CYCLE: u32 = 7;

/// What is added to the sizes of residuals before they divide, over their mean.
const FLOOR: f64 = 0.1;

/// The pairs of residuals.
const PAIRS: usize = RESIDUALS * (RESIDUALS + 1) / 2;

/// The last iterates before the current one, and when to combine them.
pub(crate) struct Iterates<T> {
    /// Oldest first.
    past: VecDeque<Vec<T>>,
    spare: Vec<Vec<T>>,
    /// Sweeps since the last restart, and how many precede an extrapolation.
    sweeps: u32,
    wait: u32,
    /// Whether the last combination was rejected, and the norm of the next has weights.
    weighted: bool,
}

impl<T: Float + Default + Send + Sync> Iterates<T> {
    pub(crate) fn new() -> Self {
        Iterates {
            past: VecDeque::new(),
            spare: Vec::new(),
            sweeps: 0,
            wait: CYCLE,
            weighted: false,
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
        self.sweeps += 1;
    }

    /// Forgets all iterates.
    pub(crate) fn restart(&mut self) {
        self.spare.extend(self.past.drain(..));
        self.sweeps = 0;
    }

    /// The best combination of the iterates with the current one, `last`, if it is due. It takes
    /// `last`, and returns the oldest iterate, whose vector it may be written into.
    pub(crate) fn combination(&mut self, last: &mut Vec<T>) -> Option<(Vec<T>, Combination<T>)> {
        if self.sweeps < self.wait || self.past.len() < RESIDUALS {
            return None;
        }
        let past = &self.past;
        let iterates = array::from_fn(|at| past.get(at).map_or(&last[..], |iterate| iterate));
        let Some(weights) = weights(iterates, self.weighted) else {
            self.fail();
            return None;
        };
        self.sweeps = 0;
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
        self.wait = CYCLE;
        self.weighted = false;
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
        if !self.weighted && !rounded {
            // A sweep from here, there are enough iterates again.
            self.weighted = true;
            self.sweeps = self.wait - 1;
            self.past.extend(combination.middle);
            return combination.last;
        }
        self.spare.extend(combination.middle);
        match rounded {
            true => self.restart(),
            false => self.fail(),
        }
        combination.last
    }

    /// Writes the iterates.
    pub(crate) fn save(&self, to: &mut Saving) -> Result<()>
    where
        T: Number,
    {
        let weighted = u32::from(self.weighted);
        to.numbers(&[self.sweeps, self.wait, weighted, self.past.len() as u32])?;
        self.past.iter().try_for_each(|iterate| to.numbers(iterate))
    }

    /// Takes up iterates of `n` entries that were saved.
    pub(crate) fn restore(&mut self, n: usize, from: &mut Found) -> Result<()>
    where
        T: Number,
    {
        let mut numbers = [0; 4];
        from.fill(&mut numbers)?;
        self.restart();
        let (weighted, count);
        [self.sweeps, self.wait, weighted, count] = numbers;
        self.weighted = weighted == 1;
        if weighted > 1 || count as usize > RESIDUALS {
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
        self.wait = self.wait.saturating_mul(2);
        self.restart();
    }
}

/// A combination of iterates, oldest first but for the oldest one.
pub(crate) struct Combination<T> {
    middle: [Vec<T>; RESIDUALS - 1],
    last: Vec<T>,
    weights: [f64; RESIDUALS],
}

impl<T: Float + Sync> Combination<T> {
    /// The entry of the combination at a place, and that of its residual, given the oldest iterate's.
    #[inline]
    pub(crate) fn at(&self, place: usize, first: T) -> (f64, f64) {
        let iterates = array::from_fn(|at| match at {
            0 => long(first),
            RESIDUALS => long(self.last[place]),
            at => long(self.middle[at - 1][place]),
        });
        combined(iterates, &self.weights)
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
    least_squares(&products)
}

/// The mean size of the entries of a residual.
fn mean_residual<T: Float + Sync>(old: &[T], new: &[T]) -> f64 {
    let sum = sums::sum_of_tasks(new.len(), |places| {
        let two = old[places.clone()].iter().zip(&new[places]);
        sums::chained(two.map(|(&old, &new)| (long(new) - long(old)).abs()))
    });
    sum / new.len() as f64
}

/// The scalar product of residuals i and j <= i, at place i (i + 1) / 2 + j.
struct Products<'a, T> {
    iterates: [&'a [T]; RESIDUALS + 1],
    /// Places weigh one over the size of the last residual and this.
    floor: Option<f64>,
}

/// Entries added side by side, whatever the width of vectors.
const LANES: usize = 8;

impl<T: Float> NullaryFnOnce for Products<'_, T> {
    type Output = [f64; PAIRS];

    #[inline(always)]
    fn call(self) -> [f64; PAIRS] {
        let mut sums = [[0.0; LANES]; PAIRS];
        let count = self.iterates[0].len();
        for start in (0..count).step_by(LANES) {
            let mut residuals = [[0.0; LANES]; RESIDUALS];
            let lanes = LANES.min(count - start);
            for (residual, two) in residuals.iter_mut().zip(self.iterates.windows(2)) {
                let [old, new] = [&two[0][start..start + lanes], &two[1][start..start + lanes]];
                for (entry, (&old, &new)) in residual.iter_mut().zip(old.iter().zip(new)) {
                    *entry = long(new) - long(old);
                }
            }
            let places = residuals[RESIDUALS - 1]
                .map(|last: f64| self.floor.map_or(1.0, |floor| 1.0 / (last.abs() + floor)));
            let weighted = residuals.map(|residual| {
                array::from_fn::<f64, LANES, _>(|lane| residual[lane] * places[lane])
            });
            let mut sums = sums.iter_mut();
            for (i, weighted) in weighted.iter().enumerate() {
                for (residual, sums) in residuals[..=i].iter().zip(&mut sums) {
                    for lane in 0..LANES {
                        sums[lane] += weighted[lane] * residual[lane];
                    }
                }
            }
        }
        sums.map(|lanes| lanes.iter().sum())
    }
}

/// The weights, with sum one, that make the norm of the combined residual smallest.
fn least_squares(products: &[f64; PAIRS]) -> Option<[f64; RESIDUALS]> {
    let at = |i: usize, j: usize| products[i * (i + 1) / 2 + j];
    let norms: [f64; RESIDUALS] = array::from_fn(|i| at(i, i).sqrt());
    if norms.iter().any(|norm| !norm.is_normal()) {
        return None;
    }
    // Cholesky's factor of the products of residuals scaled to norm one. Residuals that are
    // multiples of each other make it singular, but for the ridge.
    const RIDGE: f64 = 1e-13;
    let mut factor = [[0.0; RESIDUALS]; RESIDUALS];
    for i in 0..RESIDUALS {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| factor[i][k] * factor[j][k]).sum();
            let rest = at(i, j) / (norms[i] * norms[j]) - known;
            factor[i][j] = match i == j {
                true => (rest + RIDGE).sqrt(),
                false => rest / factor[j][j],
            };
        }
    }
    let mut weights = [0.0; RESIDUALS];
    for i in 0..RESIDUALS {
        let known: f64 = (0..i).map(|k| factor[i][k] * weights[k]).sum();
        weights[i] = (1.0 / norms[i] - known) / factor[i][i];
    }
    for i in (0..RESIDUALS).rev() {
        let known: f64 = (i + 1..RESIDUALS).map(|k| factor[k][i] * weights[k]).sum();
        weights[i] = (weights[i] - known) / factor[i][i];
    }
    for (weight, norm) in weights.iter_mut().zip(norms) {
        *weight /= norm;
    }
    let sum: f64 = weights.iter().sum();
    let weights = weights.map(|weight| weight / sum);
    weights
        .iter()
        .all(|weight| weight.is_finite())
        .then_some(weights)
}

/// The entry of a combination of iterates, given all of them at one place, and that of its residual.
#[inline]
fn combined(iterates: [f64; RESIDUALS + 1], weights: &[f64; RESIDUALS]) -> (f64, f64) {
    let (mut entry, mut residual) = (0.0, 0.0);
    for (weight, two) in weights.iter().zip(iterates.windows(2)) {
        entry += weight * two[1];
        residual += weight * (two[1] - two[0]);
    }
    (entry, residual)
}

#[inline(always)]
fn long<T: Float>(value: T) -> f64 {
    value.to_f64().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests;
