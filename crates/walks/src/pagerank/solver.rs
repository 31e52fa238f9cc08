//! Sweeps until a certified bound is within a tolerance, for any form of sweep.

use super::certificate::{Certified, Iteration};
use super::parameters::Method;
use webrank_base::checkpoint::{CheckpointReader, CheckpointWriter, Stage, StateVisitor};
use webrank_base::error::Result;
use webrank_base::progress::Progress;
use webrank_linear::stop::StopRule;

/// An iteration and its stopping rule.
pub struct Solver<'a> {
    state: Box<dyn Iteration + 'a>,
    alpha: f64,
    max_iterations: u32,
    progress: &'a dyn Progress,
    iterations: u32,
    stall: Stagnation,
    keeping: Option<Stage<'a>>,
    /// Whether the state is kept, by this worker or the first.
    is_kept: bool,
    /// Where the run was that goes on.
    resumed: Option<Target>,
}

/// The state of one call of [`Solver::solve`] between two sweeps.
struct Target {
    /// The change at which a certificate is due.
    change: f64,
    last_bound: f64,
    strikes: u32,
}

impl<'a> Solver<'a> {
    /// A solver for an iteration that contracts the l1 norm by `alpha` per sweep.
    pub fn new(
        state: Box<dyn Iteration + 'a>,
        alpha: f64,
        stop: &StopRule,
        progress: &'a dyn Progress,
    ) -> Self {
        Solver {
            state,
            alpha,
            max_iterations: stop.max_iterations,
            progress,
            iterations: 0,
            stall: Stagnation::new(alpha),
            keeping: None,
            is_kept: false,
            resumed: None,
        }
    }

    /// Keeps the state in the checkpoint of the run, if it has one, and takes up what that holds.
    /// Then there is one call of [`Self::solve`].
    ///
    /// # Errors
    /// If what it holds cannot be read, or is of other work.
    pub(crate) fn kept(mut self) -> Result<Self> {
        let Some(stage) = self.state.stage() else {
            return Ok(self);
        };
        let mut found = None;
        if let Some(checkpoint) = self.progress.checkpoint() {
            let (keeping, state) = checkpoint.begin(stage, self.progress)?;
            (self.keeping, found) = (Some(keeping), state);
        }
        self.is_kept = self.is_for_first(self.keeping.is_some())?;
        if self.is_kept && self.is_for_first(found.is_some())? {
            let mut numbers = [0u64; 6];
            if let Some(found) = &mut found {
                found.fill(&mut numbers)?;
                let [iterations, _, since, ..] = numbers;
                if since > iterations || iterations >= u64::from(self.max_iterations) {
                    return Err(found.damaged());
                }
            }
            let first = self.state.first(numbers.into())?;
            numbers.copy_from_slice(&first);
            let [iterations, least, since, change, last_bound, strikes] = numbers;
            self.iterations = iterations as u32;
            self.stall.go_on([least, since]);
            self.resumed = Some(Target {
                change: f64::from_bits(change),
                last_bound: f64::from_bits(last_bound),
                strikes: strikes as u32,
            });
            self.state.visit(StateVisitor::Restore(found.as_mut()))?;
            found.map(CheckpointReader::end).transpose()?;
        }
        Ok(self)
    }

    /// Whether something is so for the first of several workers.
    fn is_for_first(&mut self, own: bool) -> Result<bool> {
        Ok(self.state.first(vec![own.into()])? == [1])
    }

    /// Writes the state, if that is due, or if the next sweep is the last one: then a run with more of them
    /// goes on from here.
    fn keep(&mut self, aim: &Target) -> Result<()> {
        let is_last = self.iterations() + 2 >= self.max_iterations;
        let is_due = |keeping: &Stage| keeping.is_due() || is_last;
        let is_due = self.keeping.as_ref().is_some_and(is_due);
        if !self.is_kept || !self.is_for_first(is_due)? {
            return Ok(());
        }
        let at = format!("sweep {}", self.iterations());
        let Some(keeping) = &self.keeping else {
            return self.state.visit(StateVisitor::Save(None));
        };
        keeping.keep(&at, |to: &mut CheckpointWriter| {
            let [least, since] = self.stall.place();
            to.numbers(&[
                u64::from(self.iterations),
                least,
                since,
                aim.change.to_bits(),
                aim.last_bound.to_bits(),
                u64::from(aim.strikes),
            ])?;
            self.state.visit(StateVisitor::Save(Some(to)))
        })
    }

    /// The number of sweeps so far.
    pub fn iterations(&self) -> u32 {
        self.state.sweeps().unwrap_or(self.iterations)
    }

    /// The method, if it was chosen on the way.
    pub fn method(&self) -> Option<Method> {
        self.state.method()
    }

    /// The most sweeps that may be made.
    pub fn max_iterations(&self) -> u32 {
        self.max_iterations
    }

    /// True if no sweeps are left.
    pub fn is_exhausted(&self) -> bool {
        self.iterations() + 1 >= self.max_iterations
    }

    /// Iterates until the certified bound is within `tolerance`, or until no sweeps are
    /// left or rounding allows no better.
    pub fn solve(&mut self, tolerance: f64) -> Result<Certified> {
        // The certified bound of a vector is at most about the last change divided by 1 - alpha.
        let begun = Target {
            change: tolerance.max(self.state.floor()) * (1.0 - self.alpha),
            last_bound: f64::INFINITY,
            strikes: 0,
        };
        let mut aim = self.resumed.take().unwrap_or(begun);
        let certified = loop {
            self.keep(&aim)?;
            let change = self.state.sweep()?;
            self.tick(change / (1.0 - self.alpha))?;
            let stalled = self.stall.has_come(self.iterations, change);
            let exhausted = self.is_exhausted();
            if change > aim.change && !exhausted && !stalled {
                continue;
            }
            let certified = self.state.certify()?;
            self.tick(certified.bound)?;
            // From one certificate to the next the change at least halves. So if certificates
            // hardly improve, rounding sets the floor.
            aim.strikes += u32::from(certified.bound > 0.9 * aim.last_bound);
            let floor = self.state.floor();
            let at_floor = tolerance < floor && certified.bound < 1.3 * floor;
            let is_done = certified.bound <= tolerance || at_floor;
            if is_done || exhausted || stalled || aim.strikes > 1 {
                break certified;
            }
            aim.last_bound = certified.bound;
            aim.change = change.min(aim.change) * (0.9 * tolerance / certified.bound).min(0.5);
            self.state.go_on(certified);
        };
        match self.keeping.take() {
            Some(keeping) => keeping.end().map(|()| certified),
            None => Ok(certified),
        }
    }

    /// Counts a sweep, reports the bound, and lets the user interrupt the run.
    fn tick(&mut self, bound: f64) -> Result<()> {
        self.iterations += 1;
        let sweeps = self.iterations();
        self.progress.sweep(u64::from(sweeps), "error below", bound);
        self.progress.check()
    }
}

/// Detects when changes have ceased to shrink.
///
/// Without rounding, a sweep multiplies the change by about alpha, except that an extrapolation may
/// raise it for a while. So after 20/(1 - alpha) sweeps without progress, none is to be expected.
pub(crate) struct Stagnation {
    patience: u32,
    least: f64,
    /// The sweep with the smallest change.
    since: u32,
}

impl Stagnation {
    pub(crate) fn new(alpha: f64) -> Self {
        Stagnation {
            patience: (20.0 / (1.0 - alpha)).min(1e9) as u32,
            least: f64::INFINITY,
            since: 0,
        }
    }

    /// Where it is, for a checkpoint.
    pub(crate) fn place(&self) -> [u64; 2] {
        [self.least.to_bits(), u64::from(self.since)]
    }

    /// Goes on from a [place](Self::place).
    pub(crate) fn go_on(&mut self, [least, since]: [u64; 2]) {
        self.least = f64::from_bits(least);
        self.since = since as u32;
    }

    pub(crate) fn has_come(&mut self, sweep: u32, change: f64) -> bool {
        if change < 0.9 * self.least {
            self.least = change;
            self.since = sweep;
        }
        sweep - self.since > self.patience
    }
}
