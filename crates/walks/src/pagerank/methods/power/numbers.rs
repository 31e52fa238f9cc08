//! The numbers that corrections are, and their sums over a block.

use bytemuck::Pod;
use num_traits::{Float, FromPrimitive};
use webrank_base::checkpoint::Number;

/// A number type for corrections: `f32` or `f64`.
pub trait CorrectionFloat: Float + Pod + FromPrimitive + Number + Default + Send + Sync {}

impl CorrectionFloat for f32 {}
impl CorrectionFloat for f64 {}

/// The l1 norm of the changes of a block, and the sum of its corrections; writes the prefix sums of its
/// shares.
pub(super) fn sums_of_block<T: CorrectionFloat>(
    corrections: &[T],
    changes: &[T],
    shares: &[T],
    prefixes: &mut [T],
) -> [f64; 2] {
    let (mut change_l1, mut mass, mut prefix) = (0.0, 0.0, 0.0);
    let entries = corrections.iter().zip(changes).zip(shares);
    for (into, ((&e, &change), &share)) in prefixes.iter_mut().zip(entries) {
        change_l1 += long(change).abs();
        mass += long(e);
        prefix += long(share);
        *into = number(prefix);
    }
    [change_l1, mass]
}

/// A share of x + e. Scores are not negative, so setting negative values to 0 brings them nearer.
#[inline]
pub(super) fn sum(x: f64, e: f64) -> f64 {
    (x + e).max(0.0)
}

/// Converts to the precision of corrections.
#[inline]
pub(super) fn number<T: CorrectionFloat>(value: f64) -> T {
    T::from_f64(value).expect("every double has a nearest number")
}

/// Converts to double precision.
#[inline]
pub(super) fn long<T: CorrectionFloat>(value: T) -> f64 {
    value.to_f64().expect("a number")
}
