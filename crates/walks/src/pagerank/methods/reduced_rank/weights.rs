//! The weights of the best combination of iterates.

use super::least_squares::{LANES, PAIRS, RESIDUALS, RIDGE, least_squares, products};
use super::spill::Entries;
use super::{FLOOR, long};
use bytemuck::Pod;
use num_traits::Float;
use pulp::NullaryFnOnce;
use std::array;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::simd::Simd;
use webrank_base::parallel::{sums, tasks};

/// The weights of the newer iterate of each residual, oldest first; none if the residuals of iterates
/// with `count` entries do not tell any. The norm is l2, or the `weighted` one.
///
/// # Errors
/// If a file cannot be read.
pub(super) fn weights<T: Float + Pod + Default + Send + Sync>(
    iterates: [Entries<T>; RESIDUALS + 1],
    count: usize,
    weighted: bool,
) -> Result<Option<[f64; RESIDUALS]>> {
    let [.., old, new] = &iterates;
    let floor = match weighted {
        true => Some(FLOOR * mean_residual([old, new], count)?),
        false => None,
    };
    let parts = tasks::try_map(tasks::ranges(count), |range| {
        let mut buffers = [const { Vec::new() }; RESIDUALS + 1];
        let mut parts = [&[][..]; RESIDUALS + 1];
        for ((part, entries), buffer) in parts.iter_mut().zip(&iterates).zip(&mut buffers) {
            *part = entries.part(range.clone(), buffer)?;
        }
        let products = Products {
            iterates: parts,
            floor,
        };
        Ok::<_, Error>(Simd::best().run(products))
    })?;
    let sum = |sums: [f64; PAIRS], part: [f64; PAIRS]| array::from_fn(|at| sums[at] + part[at]);
    let products = parts.into_iter().fold([0.0; PAIRS], sum);
    Ok(least_squares(&products, RIDGE))
}

/// The mean size of the entries of a residual.
fn mean_residual<T: Float + Pod + Default + Send + Sync>(
    iterates: [&Entries<T>; 2],
    count: usize,
) -> Result<f64> {
    let parts = tasks::try_map(tasks::ranges(count), |range| {
        let mut buffers = [const { Vec::new() }; 2];
        let [of_old, of_new] = &mut buffers;
        let old = iterates[0].part(range.clone(), of_old)?;
        let new = iterates[1].part(range, of_new)?;
        let sizes = old
            .iter()
            .zip(new)
            .map(|(&old, &new)| (long(new) - long(old)).abs());
        Ok::<_, Error>(sums::chained(sizes))
    })?;
    Ok(sums::compensated(parts.into_iter()) / count as f64)
}

/// The scalar products of residuals.
pub(super) struct Products<'a, T> {
    pub(super) iterates: [&'a [T]; RESIDUALS + 1],
    /// Places weigh one over the size of the last residual and this.
    pub(super) floor: Option<f64>,
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
