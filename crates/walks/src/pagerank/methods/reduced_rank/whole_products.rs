//! Scalar products as sums of whole numbers, which do not depend on their order.

use super::least_squares::{LANES, PAIRS, RESIDUALS, products};
use pulp::NullaryFnOnce;

/// The scalar products of changes in units, each term rounded towards zero.
pub(super) struct Products<'a> {
    pub(super) changes: [&'a [f32]; RESIDUALS],
    pub(super) scales: [f64; RESIDUALS],
    /// Places weigh one over the size of the last residual and this.
    pub(super) floor: Option<f64>,
}

impl NullaryFnOnce for Products<'_> {
    type Output = [u64; PAIRS];

    #[inline(always)]
    fn call(self) -> [u64; PAIRS] {
        let at = |start: usize, lanes: usize| {
            let mut residuals = [[0.0; LANES]; RESIDUALS];
            let changes = self.changes.iter().zip(&self.scales);
            for (residual, (change, scale)) in residuals.iter_mut().zip(changes) {
                let change = &change[start..start + lanes];
                for (entry, &change) in residual.iter_mut().zip(change) {
                    *entry = scale * f64::from(change);
                }
            }
            residuals
        };
        let count = self.changes[0].len();
        let add = |sum: &mut u64, product: f64| *sum = sum.wrapping_add(product as i64 as u64);
        let sums = products(count, self.floor, at, add);
        sums.map(|lanes| lanes.into_iter().fold(0, u64::wrapping_add))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::array;
    use webrank_base::parallel::simd::Simd;

    /// Every width adds the same numbers, and they are near to the scalar products.
    #[test]
    fn products_of_every_width_are_the_same() {
        let change = |j: usize| -> Vec<f32> {
            let entry = |x: usize| ((x * (j + 3)) % 17) as f32 / 300.0 - 0.02;
            (0..1003).map(entry).collect()
        };
        let changes: [Vec<f32>; RESIDUALS] = array::from_fn(change);
        let changes = array::from_fn(|j| &changes[j][..]);
        for floor in [None, Some(0.1)] {
            let scales = [f64::exp2(25.0); RESIDUALS];
            let products = || Products {
                changes,
                scales,
                floor,
            };
            let plain = products().call();
            for simd in Simd::available() {
                assert_eq!(simd.run(products()), plain, "{simd:?}");
            }
            let square: f64 = changes[2].iter().map(|&x| f64::from(x).powi(2)).sum();
            if floor.is_none() {
                let found = plain[5] as i64 as f64 / f64::exp2(50.0);
                assert!((found / square - 1.0).abs() < 1e-9, "{found} {square}");
            }
        }
    }
}
