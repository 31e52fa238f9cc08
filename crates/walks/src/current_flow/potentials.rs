//! The potentials when a unit of current enters at a place and leaves at the ground: the rows of the
//! inverse C of the Laplacian matrix L without the ground, each in two doubles.
//!
//! L is symmetric, positive definite, and an M-matrix, so it is inverted by blocks without exchanging
//! rows. The residual r = e - c L of each row c of the inverse is taken from differences of potentials in
//! twice the precision of doubles, and r C is added to c as its low part. The rest of r then bounds
//! the error: if z > 0 and L z >= gamma > 0 everywhere, then C 1 <= z / gamma, as C is not negative, and
//!
//! ```text
//! |error of c at s| = |(r C)_s| <= max |r| z_s / gamma.
//! ```

use super::network::Network;
use super::too_different;
use pulp::NullaryFnOnce;
use webrank_base::error::Result;
use webrank_base::memory::filled;
use webrank_base::parallel::simd::Simd;
use webrank_base::parallel::sums::{Compensated, compensated};
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;

/// Rows in a block.
pub const ROWS: usize = 64;

/// Columns that a block multiplies at a time: so many of all its rows stay in a cache.
const COLUMNS: usize = 256;

/// The name of the matrices when there is no room.
const WHAT: &str = "potentials";

/// Rows of potentials without the ground, where all are 0.
pub struct Potentials {
    width: usize,
    high: Vec<f64>,
    low: Vec<f64>,
    /// The largest residual of each row.
    residuals: Vec<f64>,
    /// The sum over s of z_s / gamma.
    sum_of_bounds: f64,
}

impl Potentials {
    /// The potentials of a network, and their errors. O(k^3 + k m).
    ///
    /// # Errors
    /// If conductances are too different to invert; if memory is short; if the user interrupts.
    pub fn of(network: &Network, progress: &dyn Progress) -> Result<Self> {
        let width = network.len() - 1;
        progress.begin("solve", Some(2 * width as u64));
        let mut high = laplacian(network)?;
        invert(&mut high, width, progress)?;
        let mut low = filled(0.0, width * width, WHAT)?;
        let mut residuals = vec![0.0; width];
        let blocks = low.chunks_mut(ROWS * width).zip(residuals.chunks_mut(ROWS));
        tasks::try_map(blocks.enumerate(), |(block, (low, residuals))| {
            progress.check()?;
            refine(network, &high, block * ROWS, low, residuals);
            progress.advance(residuals.len() as u64);
            Ok(())
        })?;
        let z: Vec<f64> = high
            .chunks(width)
            .map(|row| compensated(row.iter().copied()))
            .collect();
        let nothing = vec![0.0; width];
        let gamma = (0..width).map(|place| {
            let (entering, error) = residual(network, place, 0.0, &z, &nothing);
            -entering - error
        });
        let gamma = gamma.fold(1.0, f64::min);
        // NaN is no bound.
        let is_positive = |&z: &f64| z > 0.0 && z.is_finite();
        if !(gamma > 0.5 && z.iter().all(is_positive)) {
            return Err(too_different());
        }
        Ok(Potentials {
            width,
            high,
            low,
            residuals,
            sum_of_bounds: compensated(z.iter().copied()) / gamma * (1.0 + 1e-9),
        })
    }

    /// The potentials at all places, in two parts, when a unit enters at this one; none at the ground.
    pub fn row(&self, place: usize) -> Option<(&[f64], &[f64])> {
        let row = place * self.width..(place + 1) * self.width;
        (place < self.width).then(|| (&self.high[row.clone()], &self.low[row]))
    }

    /// A bound on the sum of the errors of this row.
    pub fn error(&self, place: usize) -> f64 {
        self.residuals
            .get(place)
            .map_or(0.0, |largest| largest * self.sum_of_bounds)
    }
}

/// The Laplacian matrix without the ground.
fn laplacian(network: &Network) -> Result<Vec<f64>> {
    let width = network.len() - 1;
    let mut matrix = filled(0.0, width * width, WHAT)?;
    for (place, row) in matrix.chunks_mut(width).enumerate() {
        let neighbours = network.neighbours(place);
        row[place] = compensated(neighbours.iter().map(|entry| entry.1));
        for &(other, conductance) in neighbours {
            if (other as usize) < width {
                row[other as usize] = -conductance;
            }
        }
    }
    Ok(matrix)
}

/// Inverts a matrix in place by the Gauss-Jordan method, a block of rows and columns after the other.
fn invert(matrix: &mut [f64], width: usize, progress: &dyn Progress) -> Result<()> {
    for start in (0..width).step_by(ROWS) {
        progress.check()?;
        let count = ROWS.min(width - start);
        let rows = start * width..(start + count) * width;
        // The inverse of the block, times its rows; in the columns of the block, the inverse alone.
        let mut inverse = Vec::with_capacity(count * count);
        for row in matrix[rows.clone()].chunks(width) {
            inverse.extend_from_slice(&row[start..start + count]);
        }
        invert_block(&mut inverse, count);
        let mut panel = vec![0.0; count * width];
        let negative: Vec<f64> = inverse.iter().map(|entry| -entry).collect();
        subtract_product(&mut panel, &negative, &matrix[rows], width, count);
        for (row, of_inverse) in panel.chunks_mut(width).zip(inverse.chunks(count)) {
            row[start..start + count].copy_from_slice(of_inverse);
        }
        tasks::for_each(
            matrix.chunks_mut(ROWS * width).enumerate(),
            |(block, rows)| {
                if block * ROWS == start {
                    rows.copy_from_slice(&panel);
                    return;
                }
                let mut factors = Vec::with_capacity(ROWS * count);
                for row in rows.chunks_mut(width) {
                    let column = &mut row[start..start + count];
                    factors.extend_from_slice(column);
                    column.fill(0.0);
                }
                subtract_product(rows, &factors, &panel, width, count);
            },
        );
        progress.advance(count as u64);
    }
    Ok(())
}

fn invert_block(matrix: &mut [f64], width: usize) {
    for pivot in 0..width {
        let inverse = 1.0 / matrix[pivot * width + pivot];
        matrix[pivot * width + pivot] = 1.0;
        let panel: Vec<f64> = matrix[pivot * width..(pivot + 1) * width]
            .iter()
            .map(|entry| entry * inverse)
            .collect();
        for (place, row) in matrix.chunks_mut(width).enumerate() {
            if place == pivot {
                row.copy_from_slice(&panel);
                continue;
            }
            let factor = std::mem::replace(&mut row[pivot], 0.0);
            for (entry, above) in row.iter_mut().zip(&panel) {
                *entry -= factor * above;
            }
        }
    }
}

/// `rows -= factors panel`, where the panel has `count` rows. Products are added one by one in the order
/// of the panel's rows, whatever the instructions.
fn subtract_product(rows: &mut [f64], factors: &[f64], panel: &[f64], width: usize, count: usize) {
    Simd::best().run(Product {
        rows,
        factors,
        panel,
        width,
        count,
    });
}

struct Product<'a> {
    rows: &'a mut [f64],
    factors: &'a [f64],
    panel: &'a [f64],
    width: usize,
    count: usize,
}

impl NullaryFnOnce for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for start in (0..self.width).step_by(COLUMNS) {
            let columns = start..self.width.min(start + COLUMNS);
            let rows = self.rows.chunks_mut(self.width);
            for (row, factors) in rows.zip(self.factors.chunks(self.count)) {
                let row = &mut row[columns.clone()];
                let above = |place: usize| &self.panel[place * self.width..][columns.clone()];
                let mut place = 0;
                while place + 4 <= self.count {
                    let [a, b, c, d] = [place, place + 1, place + 2, place + 3].map(above);
                    let [e, f, g, h] = [0, 1, 2, 3].map(|more| factors[place + more]);
                    let others = a.iter().zip(b).zip(c.iter().zip(d));
                    for (entry, ((a, b), (c, d))) in row.iter_mut().zip(others) {
                        *entry = *entry - e * a - f * b - g * c - h * d;
                    }
                    place += 4;
                }
                for (place, factor) in factors.iter().enumerate().skip(place) {
                    for (entry, above) in row.iter_mut().zip(above(place)) {
                        *entry -= factor * above;
                    }
                }
            }
        }
    }
}

/// The low parts of a block of rows from `first` on, and the residuals with them.
fn refine(network: &Network, high: &[f64], first: usize, low: &mut [f64], residuals: &mut [f64]) {
    let width = network.len() - 1;
    let row_of = |place: usize| &high[place * width..(place + 1) * width];
    let unit = |place: usize, at: usize| f64::from(u8::from(place == at));
    let nothing = vec![0.0; width];
    let mut left = Vec::with_capacity(residuals.len() * width);
    for place in first..first + residuals.len() {
        let negative = |at| -residual(network, at, unit(place, at), row_of(place), &nothing).0;
        left.extend((0..width).map(negative));
    }
    for start in (0..width).step_by(ROWS) {
        let columns = start..width.min(start + ROWS);
        let rows = left.chunks(width);
        let factors: Vec<f64> = rows
            .flat_map(|row| row[columns.clone()].iter().copied())
            .collect();
        let panel = &high[start * width..columns.end * width];
        subtract_product(low, &factors, panel, width, columns.len());
    }
    let rows = residuals.iter_mut().zip(low.chunks(width));
    for (place, (largest, low)) in (first..).zip(rows) {
        for at in 0..width {
            let (value, error) = residual(network, at, unit(place, at), row_of(place), low);
            let size = value.abs() + error;
            // NaN stays.
            *largest = if size <= *largest { *largest } else { size };
        }
    }
}

/// `start - (L c)_at` for the potentials c = high + low, and a bound on its error: differences of
/// potentials, their products and the sum have compensation.
fn residual(network: &Network, at: usize, start: f64, high: &[f64], low: &[f64]) -> (f64, f64) {
    let potential = |place: usize| match high.get(place) {
        Some(&high) => (high, low[place]),
        None => (0.0, 0.0),
    };
    let (here, here_low) = potential(at);
    let mut sum = Compensated::default();
    sum.add(start);
    let (mut size, mut size_of_low) = (start, 0.0);
    let neighbours = network.neighbours(at);
    for &(other, conductance) in neighbours {
        let (there, there_low) = potential(other as usize);
        let (difference, lost) = difference(here, there);
        let rest = lost + (here_low - there_low);
        let current = conductance * difference;
        sum.add(-current);
        if conductance != 1.0 {
            sum.add(-conductance.mul_add(difference, -current));
        }
        sum.add(-conductance * rest);
        size += current.abs();
        size_of_low += conductance * (lost.abs() + here_low.abs() + there_low.abs());
    }
    let value = sum.value();
    let roundings = (6 * neighbours.len() + 8) as f64 * f64::EPSILON;
    let error = f64::EPSILON * value.abs()
        + roundings * roundings * size
        + (2.0 * f64::EPSILON + roundings * roundings) * size_of_low;
    (value, error)
}

/// A difference and what rounding it loses (Knuth's two-sum).
fn difference(a: f64, b: f64) -> (f64, f64) {
    let rounded = a - b;
    let of_b = rounded - a;
    (rounded, (a - (rounded - of_b)) - (b + of_b))
}
