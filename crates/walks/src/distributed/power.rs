//! The power method with a shift: `x <- (x M + s lambda x) / norm`, for a nonnegative matrix M.
//!
//! It begins with a positive part along every dominant eigenvector, so it tends to one. The shift s > 0
//! makes it converge where other eigenvalues are as large as lambda, as on graphs with a period. lambda
//! is the Rayleigh quotient, and the method ends when `||x M - lambda x|| / (lambda ||x||)`, in the l2
//! norm, is within the tolerance, or when it has ceased to shrink.
//!
//! x sums to one, so that a sum over a row is at most 1, and at most the largest one before plus the
//! change of x since: that is how large units may be.

use super::checkpoint::NumberedVector;
use webrank_base::error::Result;
use webrank_base::progress::Progress;
use webrank_cluster::DistributedStage;
use webrank_cluster::fixed_point::FixedPointVector;
use webrank_cluster::products::Products;

/// Covers the roundings of sums that bound others.
pub(super) const SLACK: f64 = 1.0 + 1e-9;

/// The residual has ceased to shrink if so many multiplications have not made it a tenth smaller.
const PATIENCE: u32 = 1000;

/// The residuals from which it is told how fast they shrink.
const WINDOW: usize = 8;

/// A matrix by which the power method multiplies.
pub(super) trait Multiplier {
    /// Sweeps over the arcs in a multiplication.
    fn sweeps(&self) -> u32;

    /// `image = x M`. `change` bounds how far x is, in the l1 norm, from that of the multiplication
    /// before.
    ///
    /// # Errors
    /// As for [`Products::multiply`].
    fn apply(
        &mut self,
        products: &mut Products,
        x: &FixedPointVector,
        change: f64,
        image: &mut FixedPointVector,
    ) -> Result<Largest>;

    /// A number of this multiplication on which the next one depends.
    fn memory(&mut self) -> &mut f64;
}

/// The largest entries of a multiplication.
pub(super) struct Largest {
    /// The largest sum of entries of x over a row.
    pub(super) sum: f64,
    /// The largest entry of the image.
    pub(super) entry: f64,
}

/// The power method.
pub(super) struct PowerMethod<'p> {
    /// s.
    pub(super) shift: f64,
    pub(super) tolerance: f64,
    pub(super) max_sweeps: u32,
    /// Its name in checkpoints; none if its state is not kept.
    pub(super) stage: Option<&'static str>,
    pub(super) progress: &'p dyn Progress,
}

/// An approximate dominant eigenvector.
pub(super) struct Dominant {
    /// The nodes of this worker.
    pub(super) x: FixedPointVector,
    /// The l2 norm of all of x.
    pub(super) norm: f64,
    /// lambda; 0 if x M is 0.
    pub(super) eigenvalue: f64,
    pub(super) residual: f64,
    /// See [`webrank_scores::Outcome::Eigen`]: an estimate, from how fast the residual shrinks.
    pub(super) gap: f64,
    pub(super) sweeps: u32,
}

/// Where the iteration is.
struct State {
    x: FixedPointVector,
    /// The largest entry of x.
    largest: f64,
    change: f64,
    sweeps: u32,
    /// The smallest residual, and the sweep that it is of.
    least: f64,
    since: u32,
    /// The last residuals, the latest first.
    residuals: [f64; WINDOW + 1],
}

/// The numbers of a state.
const NUMBERS: usize = 6 + WINDOW + 1;

impl PowerMethod<'_> {
    /// Iterates from these numbers, which sum to one over the nodes of all workers. A multiplication that
    /// exceeds `max_sweeps` is made only if it is the first.
    ///
    /// # Errors
    /// As for multiplications and checkpoints; if the user interrupts.
    pub(super) fn run(
        &self,
        products: &mut Products,
        multiplier: &mut dyn Multiplier,
        start: &(dyn Fn(usize) -> f64 + Sync),
    ) -> Result<Dominant> {
        let of_multiplication = multiplier.sweeps();
        let mut image = FixedPointVector::zeros(products.num_nodes())?;
        let mut state = State::start(products, start)?;
        let mut numbers = state.numbers(multiplier);
        let mut vector = NumberedVector {
            numbers: &mut numbers,
            x: &mut state.x,
        };
        let (exchange, progress) = (&mut *products.exchange, self.progress);
        let stage = DistributedStage::begin(self.stage, exchange, progress, &mut vector)?;
        state.take(numbers, multiplier);
        loop {
            let at = format!("sweep {}", state.sweeps);
            let mut vector = NumberedVector {
                numbers: &mut state.numbers(multiplier),
                x: &mut state.x,
            };
            let last = state.sweeps.saturating_add(2 * of_multiplication) > self.max_sweeps;
            stage.keep((&at, last), products.exchange, &mut vector)?;
            let largest = multiplier.apply(products, &state.x, state.change, &mut image)?;
            state.sweeps += of_multiplication;
            let (x, y) = (&state.x, &image);
            let most = [state.largest.powi(2), state.largest * largest.entry];
            let [squares, quotient] =
                products.totals(most, |i| [x.at(i).powi(2), x.at(i) * y.at(i)])?;
            let eigenvalue = quotient / squares;
            let off = |i: usize| (y.at(i) - eigenvalue * x.at(i)).abs();
            let residual = l2(products, off)? / (eigenvalue * squares.sqrt());
            // NaN without arcs between nodes that count.
            let residual = if residual >= 0.0 {
                residual
            } else {
                f64::INFINITY
            };
            let stalled = state.note(residual, of_multiplication);
            let sweeps = state.sweeps;
            self.progress.sweep(u64::from(sweeps), "residual", residual);
            self.progress.check()?;
            let exhausted = sweeps.saturating_add(of_multiplication) > self.max_sweeps;
            if residual <= self.tolerance || exhausted || stalled || largest.entry == 0.0 {
                stage.end()?;
                return Ok(Dominant {
                    norm: squares.sqrt(),
                    eigenvalue,
                    residual,
                    gap: (1.0 - state.rate()) * (1.0 + self.shift) / 2.0,
                    sweeps,
                    x: state.x,
                });
            }
            let shift = self.shift * eigenvalue;
            let norm = products.total(&image)? + shift * products.total(&state.x)?;
            let new = |i: usize, old: f64| (image.at(i) + shift * old) / norm;
            state.advance(products, largest.sum, new)?;
        }
    }
}

impl State {
    fn start(products: &mut Products, start: &(dyn Fn(usize) -> f64 + Sync)) -> Result<Self> {
        let largest = products.largest(start)?;
        let mut x = FixedPointVector::zeros(products.num_nodes())?;
        x.set(1.0, |node, _| start(node));
        Ok(State {
            x,
            largest,
            change: f64::INFINITY,
            sweeps: 0,
            least: f64::INFINITY,
            since: 0,
            residuals: [f64::INFINITY; WINDOW + 1],
        })
    }

    /// Takes new numbers; sums over rows of the old ones are at most `sum`.
    fn advance(
        &mut self,
        products: &mut Products,
        sum: f64,
        new: impl Fn(usize, f64) -> f64 + Sync,
    ) -> Result<()> {
        let x = &self.x;
        let moved = |i: usize| (new(i, x.at(i)) - x.at(i)).abs();
        let largest = products.largest(|i| new(i, x.at(i)))?;
        let most = products.largest(moved)?;
        let [change] = products.totals([most], |i| [moved(i)])?;
        let bound = (sum + change).min(1.0).max(largest) * SLACK;
        self.x.set(bound, new);
        self.largest = largest * SLACK;
        self.change = change * SLACK;
        Ok(())
    }

    /// Notes a residual; says whether they have ceased to shrink.
    fn note(&mut self, residual: f64, sweeps: u32) -> bool {
        self.residuals.rotate_right(1);
        self.residuals[0] = residual;
        if residual < 0.9 * self.least {
            (self.least, self.since) = (residual, self.sweeps);
        }
        self.sweeps - self.since > PATIENCE * sweeps
    }

    /// By what factor a multiplication makes the residual smaller: at most 1.
    fn rate(&self) -> f64 {
        let finite = self
            .residuals
            .iter()
            .take_while(|residual| residual.is_finite());
        let steps = finite.count().saturating_sub(1);
        if steps == 0 || self.residuals[0] == 0.0 {
            return 0.0;
        }
        // Roots of powers of two have the same bits everywhere.
        let roots = steps.ilog2();
        let ratio = self.residuals[0] / self.residuals[1 << roots];
        (0..roots).fold(ratio, |ratio, _| ratio.sqrt()).min(1.0)
    }

    fn numbers(&self, multiplier: &mut dyn Multiplier) -> [f64; NUMBERS] {
        let mut numbers = [0.0; NUMBERS];
        let (first, residuals) = numbers.split_at_mut(6);
        first.copy_from_slice(&[
            self.largest,
            self.change,
            f64::from(self.sweeps),
            self.least,
            f64::from(self.since),
            *multiplier.memory(),
        ]);
        residuals.copy_from_slice(&self.residuals);
        numbers
    }

    fn take(&mut self, numbers: [f64; NUMBERS], multiplier: &mut dyn Multiplier) {
        let (first, residuals) = numbers.split_at(6);
        self.largest = first[0];
        self.change = first[1];
        self.sweeps = first[2] as u32;
        self.least = first[3];
        self.since = first[4] as u32;
        *multiplier.memory() = first[5];
        self.residuals.copy_from_slice(residuals);
    }
}

impl Dominant {
    /// Sets numbers that the residual cannot resolve to 0, unless those are all: their errors are about
    /// the residual over twice the gap. Returns what is resolved, in units of the l2 norm.
    ///
    /// # Errors
    /// If another worker fails.
    pub(super) fn clear_unresolved(&mut self, products: &mut Products) -> Result<f64> {
        let resolution = (self.residual / (2.0 * self.gap)).min(1.0);
        let least = resolution * self.norm;
        let x = &mut self.x;
        if products.largest(|i| x.at(i))? >= least {
            let unit = x.unit();
            webrank_base::parallel::tasks::update(&mut x.units, |_, units| {
                if *units as f64 * unit < least {
                    *units = 0;
                }
            });
        }
        Ok(resolution)
    }
}

/// The l2 norm of a vector of numbers that are not negative.
///
/// # Errors
/// If another worker fails.
pub(super) fn l2(products: &mut Products, value: impl Fn(usize) -> f64 + Sync) -> Result<f64> {
    let most = products.largest(&value)?;
    let [squares] = match most > 0.0 {
        true => products.totals([1.0], |i| [(value(i) / most).powi(2)])?,
        false => [0.0],
    };
    Ok(most * squares.sqrt())
}
