//! The power method: the PageRank map applied repeatedly, with extrapolation.
//!
//! The iteration is on the scores y of live nodes only. The scores of dangling nodes matter only
//! through their sum, which is one minus the sum of the others, so
//!
//! ```text
//! y <- f(y) = alpha y G + alpha (1 - |y|) u + (1 - alpha) v        on live nodes.
//! ```
//!
//! # Single precision, accurate results
//!
//! Memory traffic dominates the cost of a sweep, so y is kept as `x + e`. x is in double precision
//! and stays fixed; e is in single precision (`f32`) and is iterated on:
//!
//! ```text
//! e <- alpha e G - alpha |e| u + r,        r = f(x) - x,        |e| = the sum of its entries.
//! ```
//!
//! In exact arithmetic these are exactly the sweeps of the power method. In single precision, e
//! becomes accurate only to a few digits of r. (Prefix sums are in double precision, since equal
//! terms in single precision would all be rounded the same way.) Then e is added to x, r is
//! recomputed in double precision, and the remaining error is smaller by as many digits (iterative
//! refinement; Wilkinson, "Rounding Errors in Algebraic Processes", 1963). The certificate is
//! computed in double precision and does not depend on single precision ([`PageRankMap::certify`]).
//!
//! # Extrapolation
//!
//! Every seven sweeps, e is replaced by the best combination of its last values
//! ([`super::reduced_rank`]), which saves half of the sweeps on web graphs.

mod numbers;

use super::reduced_rank::{CYCLE, IterateHistory};
use crate::pagerank::certificate::{Certified, Iteration, PageRankMap};
use num_traits::Float;
pub use numbers::CorrectionFloat;
use numbers::{long, number, sum, sums_of_block};
use std::convert::Infallible;
use std::ops::Range;
use webrank_base::checkpoint::StateVisitor;
use webrank_base::error::Result;
use webrank_base::parallel::sums::compensated;
use webrank_base::parallel::tasks;
use webrank_linear::prefixes::{PREFIX_BLOCK, Prefixes};

/// The power method in the precision that it needs to converge.
pub fn power<'a>(map: &'a PageRankMap<'a>, start: &[f64]) -> Box<dyn Iteration + 'a> {
    if is_single(map.equation.alpha) {
        Box::new(Power::<f32>::new(map, start))
    } else {
        Box::new(Power::<f64>::new(map, start))
    }
}

/// Whether single precision is enough for corrections.
pub(in crate::pagerank) fn is_single(alpha: f64) -> bool {
    Power::<f32>::resolution(alpha) < 0.01
}

/// The state of an iteration; corrections are kept as numbers of type `T`.
pub struct Power<'a, T> {
    map: &'a PageRankMap<'a>,
    row_blocks: Vec<Range<usize>>,
    /// The distinct row of each live node.
    live_rows: Vec<u32>,
    /// The shares of x: what live nodes give to each of their successors.
    settled: Vec<f64>,
    /// The norm of r over [`NORM`]: stored numbers times this are the true ones.
    unit: f64,
    /// r.
    residual: Vec<T>,
    /// e.
    correction: Vec<T>,
    /// The sum of e.
    mass: f64,
    /// The shares of e: what live nodes give to each of their successors.
    shares: Vec<T>,
    prefixes: Prefixes<T>,
    /// Sums of shares over the distinct rows.
    inflows: Vec<T>,
    /// The values of e before this one, since it was last added to x.
    iterates: IterateHistory<T>,
    /// The change of the last sweep.
    change: f64,
    /// The sweeps since e was last added to x.
    sweeps: u32,
    /// The number of sweeps after which corrections should have run out of digits, and e is added
    /// to x in any case.
    patience: u32,
    /// Whether every sweep is one of the plain power method, in double precision.
    is_plain: bool,
}

/// The norm to which the stored r is scaled: entries 2^200 times smaller are still normal numbers.
const NORM: f64 = (1u64 << 60) as f64;

impl<'a, T: CorrectionFloat> Power<'a, T> {
    /// Starts from the scores `start` of all nodes.
    pub fn new(map: &'a PageRankMap<'a>, start: &[f64]) -> Self {
        let (walk, n) = (map.walk, map.walk.live().len());
        // Starts with x = 0, for which r is known.
        let unit = 1.0 / NORM;
        let at_zero = map.equation.combined(
            1.0 - map.equation.alpha,
            map.equation.dangling_mass(0.0) * map.equation.alpha,
        );
        let live = walk.live();
        let short = |value: f64| number::<T>(value / unit);
        let mut power = Power {
            map,
            row_blocks: {
                let mut live = vec![false; walk.rows().num_rows()];
                let rows = walk.live_rows();
                rows.iter().for_each(|&row| live[row as usize] = true);
                walk.rows().live_blocks(|row| live[row])
            },
            live_rows: walk.live_rows(),
            settled: vec![0.0; n],
            unit,
            residual: tasks::tabulate(n, |place| short(at_zero.at(live[place] as usize))),
            correction: Vec::new(),
            mass: 0.0,
            shares: Vec::new(),
            prefixes: Prefixes::new(0),
            inflows: Vec::new(),
            iterates: IterateHistory::within(n, walk.room()),
            change: f64::INFINITY,
            sweeps: 0,
            patience: (16.0 / (1.0 - map.equation.alpha)).clamp(32.0, 8e6) as u32,
            is_plain: false,
        };
        let start = tasks::tabulate(n, |place| short(start[live[place] as usize]));
        power.update(start, |_, _, _| {});
        power
    }

    /// This iteration without extrapolation and without corrections.
    pub fn plain(self) -> Self {
        Power {
            is_plain: true,
            ..self
        }
    }

    /// The fraction of the norm of r to which corrections can be found: their relative precision
    /// times the number of times that a walk passes its errors on, with a margin.
    fn resolution(alpha: f64) -> f64 {
        let precision = T::epsilon().to_f64().expect("a number");
        precision * (8.0 / (1.0 - alpha)).max(128.0)
    }

    /// The change below which corrections are rounding.
    fn resolved(&self) -> f64 {
        Self::resolution(self.map.equation.alpha) * NORM * self.unit
    }

    /// Gives every live node a correction, and updates shares and prefix sums. `new` is handed the
    /// places of a block, the corrections there, which it replaces in `into`, and room for the
    /// changes of each; returns the l1 norm of the changes.
    fn update(
        &mut self,
        into: Vec<T>,
        new: impl Fn(Range<usize>, &mut [T], &mut [T]) + Sync,
    ) -> f64 {
        let change = self.try_update(into, |places, corrections, changes| {
            new(places, corrections, changes);
            Ok::<_, Infallible>(())
        });
        match change {
            Ok(change) => change,
            Err(never) => match never {},
        }
    }

    /// [`Self::update`], where `new` may fail.
    fn try_update<E: Send>(
        &mut self,
        mut into: Vec<T>,
        new: impl Fn(Range<usize>, &mut [T], &mut [T]) -> Result<(), E> + Sync,
    ) -> Result<f64, E> {
        if self.shares.len() != into.len() {
            self.shares = vec![T::zero(); into.len()];
            self.prefixes = Prefixes::new(into.len());
        }
        let outdegrees = self.map.walk.live_outdegrees();
        let blocks = self
            .prefixes
            .blocks_mut()
            .zip(self.shares.chunks_mut(PREFIX_BLOCK))
            .zip(into.chunks_mut(PREFIX_BLOCK))
            .zip(outdegrees.chunks(PREFIX_BLOCK))
            .enumerate();
        let changes = tasks::try_map(
            blocks,
            |(block, (((prefixes, shares), corrections), outdegrees))| {
                let start = block * PREFIX_BLOCK;
                let mut changes = [T::zero(); PREFIX_BLOCK];
                let changes = &mut changes[..corrections.len()];
                new(start..start + corrections.len(), corrections, changes)?;
                let parts = corrections.iter().zip(outdegrees);
                for (share, (&e, &outdegree)) in shares.iter_mut().zip(parts) {
                    *share = e / number(f64::from(outdegree));
                }
                Ok(sums_of_block(
                    corrections,
                    changes,
                    shares,
                    &mut prefixes[1..],
                ))
            },
        )?;
        self.correction = into;
        self.mass = compensated(changes.iter().map(|block| block[1]));
        Ok(self.unit * compensated(changes.iter().map(|block| block[0])))
    }

    /// Gives back the memory of what follows from corrections.
    fn forget_shares(&mut self) {
        (self.shares, self.inflows) = (Vec::new(), Vec::new());
        self.prefixes = Prefixes::new(0);
    }

    /// Finds again what was [forgotten](Self::forget_shares).
    fn recall_shares(&mut self) {
        if self.shares.len() != self.correction.len() {
            let correction = std::mem::take(&mut self.correction);
            self.update(correction, |_, _, _| {});
        }
    }

    /// The sums of shares over the rows of live nodes.
    fn sum_rows<S>(&self, shares: &[S], prefixes: &Prefixes<S>, inflows: &mut [S]) -> Result<()>
    where
        S: Float + Send + Sync,
    {
        let rows = self.map.walk.rows();
        rows.fast_sums(&self.row_blocks, inflows, shares, prefixes)
    }

    /// e <- alpha e G - alpha |e| u + r.
    fn apply(&mut self) -> Result<f64> {
        let map = self.map;
        let mut inflows = std::mem::take(&mut self.inflows);
        inflows.resize(map.walk.rows().num_rows(), T::zero());
        self.sum_rows(&self.shares, &self.prefixes, &mut inflows)?;
        let residual = std::mem::take(&mut self.residual);
        let live_rows = std::mem::take(&mut self.live_rows);
        let alpha = number::<T>(map.equation.alpha);
        let base = map.equation.combined(0.0, -map.equation.alpha * self.mass);
        let constant = base.constant().map(number::<T>);
        let mut into = std::mem::take(&mut self.correction);
        let old = self.iterates.begin(&mut into)?;
        let change = self.update(into, |places, corrections, changes| {
            match &old {
                Some(old) => changes.copy_from_slice(&old[places.clone()]),
                None => changes.copy_from_slice(corrections),
            }
            for (e, &row) in corrections.iter_mut().zip(&live_rows[places.clone()]) {
                *e = inflows[row as usize];
            }
            let parts = corrections.iter_mut().zip(&residual[places.clone()]);
            match constant {
                Some(constant) => {
                    parts.for_each(|(e, &residual)| *e = alpha * *e + residual + constant)
                }
                None => {
                    for ((e, &residual), &node) in parts.zip(&map.walk.live()[places]) {
                        *e = alpha * *e + residual + number(base.at(node as usize));
                    }
                }
            }
            for (change, &e) in changes.iter_mut().zip(&*corrections) {
                *change = e - *change;
            }
        });
        self.iterates.keep(old);
        (self.inflows, self.residual, self.live_rows) = (inflows, residual, live_rows);
        Ok(change)
    }

    /// The shares of x + e: what live nodes give to each of their successors.
    pub(super) fn total(&self) -> Vec<f64> {
        tasks::tabulate(self.settled.len(), |place| {
            sum(self.settled[place], self.unit * long(self.shares[place]))
        })
    }

    /// x <- x + e, e <- r = f(x) - x: a sweep in double precision.
    fn settle(&mut self) -> Result<f64> {
        let unit = self.unit;
        tasks::update_with(&mut self.settled, &self.shares, |x, &e| {
            *x = sum(*x, unit * long(e));
        });
        // Room for numbers in double precision: all of these are found anew.
        self.forget_shares();
        (self.residual, self.correction) = (Vec::new(), Vec::new());
        let (map, walk, settled) = (self.map, self.map.walk, &self.settled);
        let mut inflows = vec![0.0; walk.rows().num_rows()];
        self.sum_rows(settled, &Prefixes::of(settled), &mut inflows)?;
        let n = settled.len();
        let score = |place: usize| settled[place] * walk.live_outdegrees()[place] as f64;
        let base = map.equation.base(
            map.equation
                .dangling_mass(map.sum_over(settled.len(), score)),
        );
        let residual = |place: usize| {
            let inflow = inflows[self.live_rows[place] as usize];
            map.equation.alpha * inflow + base.at(walk.live()[place] as usize) - score(place)
        };
        let residuals = tasks::tabulate(settled.len(), residual);
        drop(inflows);
        let norm = map.sum_over(settled.len(), |place| residuals[place].abs());
        // A residual of zero is exact in any unit.
        let unit = norm.max(f64::MIN_POSITIVE * NORM) / NORM;
        let residual = tasks::tabulate(n, |place| number::<T>(residuals[place] / unit));
        drop(residuals);
        self.unit = unit;
        self.update(vec![T::zero(); n], |places, e, _| {
            e.copy_from_slice(&residual[places])
        });
        self.residual = residual;
        self.iterates.restart();
        Ok(norm)
    }

    /// Replaces e by a combination of its last values when that is due, and has a smaller residual.
    /// True if it has one but for rounding: then e, added to x, gets new digits.
    // It precedes a sweep, so the change of the sweep bounds the error of its result.
    fn extrapolate(&mut self) -> Result<bool> {
        let Some((into, combination)) = self.iterates.combination(&mut self.correction)? else {
            return Ok(false);
        };
        let left = self.try_update(into, |places, entries, residuals| {
            combination.write(places, entries, residuals)
        })?;
        if left + self.unit * combination.rounding() < self.change {
            self.iterates.accept(combination);
            return Ok(false);
        }
        // The first combination after e was added to x has all digits that there are.
        let is_rounded = left < self.change && self.sweeps > CYCLE;
        let written = std::mem::take(&mut self.correction);
        let last = self.iterates.reject(combination, written, is_rounded)?;
        self.update(last, |_, _, _| {});
        Ok(is_rounded)
    }
}

impl<T: CorrectionFloat> Iteration for Power<'_, T> {
    fn sweep(&mut self) -> Result<f64> {
        self.recall_shares();
        if self.is_plain {
            return self.settle();
        }
        let is_rounded = self.extrapolate()?;
        let is_stuck = is_rounded || self.sweeps > self.patience;
        let resolved = self.resolved();
        (self.change, self.sweeps) = if self.change <= resolved || is_stuck {
            (self.settle()?, 0)
        } else {
            (self.apply()?, self.sweeps + 1)
        };
        // Smaller changes say nothing: an extrapolation may leave none at all.
        Ok(self.change.max(self.resolved()))
    }

    fn certify(&mut self) -> Result<Certified> {
        self.recall_shares();
        let total = self.total();
        // Room for the vectors of a certificate, which is mostly the end.
        self.forget_shares();
        self.map.certify(&total)
    }

    fn floor(&self) -> f64 {
        self.map.floor()
    }

    fn stage(&self) -> Option<&'static str> {
        Some("sweeps over rows")
    }

    /// 40 bytes a live node at most, or 72 where corrections are doubles. Shares and prefix sums
    /// follow from corrections.
    fn visit(&mut self, mut visitor: StateVisitor) -> Result<()> {
        let mut numbers = [self.unit, self.change].map(f64::to_bits);
        visitor.numbers(&mut numbers)?;
        visitor.numbers(std::slice::from_mut(&mut self.sweeps))?;
        [self.unit, self.change] = numbers.map(f64::from_bits);
        visitor.numbers(&mut self.settled)?;
        visitor.numbers(&mut self.residual)?;
        visitor.numbers(&mut self.correction)?;
        let n = self.correction.len();
        if visitor.is_restoring() {
            let correction = std::mem::take(&mut self.correction);
            self.update(correction, |_, _, _| {});
        }
        self.iterates.visit(n, &mut visitor)
    }
}
