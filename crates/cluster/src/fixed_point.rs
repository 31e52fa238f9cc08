//! Vectors of numbers that are not negative, as whole numbers in a common unit.
//!
//! A node gives the same number to all its successors. If it is a whole number of units, products by the
//! adjacency matrix are exact: nothing is rounded but each entry of a new vector, once.

use webrank_base::error::Result;
use webrank_base::memory::filled;
use webrank_base::parallel::tasks;
use webrank_linear::wide::exponent_of;

/// Sums over rows stay below 2^62 units, and below 2^64 whatever is rounded.
const BITS: i32 = 62;

/// A worker's part of a vector, in units of 2^-exponent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FixedPointVector {
    /// The values, in units.
    pub units: Vec<u64>,
    /// The exponent of the unit, 2^-exponent.
    pub exponent: i32,
}

impl FixedPointVector {
    /// Zeros.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn zeros(num_nodes: usize) -> Result<Self> {
        Ok(FixedPointVector {
            units: filled(0, num_nodes, "a vector")?,
            exponent: 0,
        })
    }

    /// A unit, as a number.
    pub fn unit(&self) -> f64 {
        f64::exp2(f64::from(-self.exponent))
    }

    /// The number of a node.
    pub fn at(&self, node: usize) -> f64 {
        self.units[node] as f64 * self.unit()
    }

    /// Whether numbers and sums over rows up to `largest` could have a smaller unit.
    pub fn is_coarser_than(&self, largest: f64) -> bool {
        self.exponent < exponent_for(largest)
    }

    /// Takes a new number for each node, made from its old one, in the smallest unit in which numbers and
    /// sums over rows, all of which are at most `largest`, fit into 64 bits.
    pub fn set(&mut self, largest: f64, new: impl Fn(usize, f64) -> f64 + Sync) {
        let old = self.unit();
        self.exponent = exponent_for(largest);
        let scale = f64::exp2(f64::from(self.exponent));
        tasks::update(&mut self.units, |node, unit| {
            *unit = (new(node, *unit as f64 * old) * scale + 0.5) as u64;
        });
    }

    /// Takes the unit in which numbers and sums over rows, all of which are at most `largest`, fit into
    /// 64 bits; rounds numbers if it is larger than the one before.
    pub fn rescale(&mut self, largest: f64) {
        let exponent = exponent_for(largest);
        let by = exponent - self.exponent;
        self.exponent = exponent;
        tasks::update(&mut self.units, |_, unit| {
            *unit = match by {
                0.. => *unit << by.min(63),
                -63..0 => (*unit >> -by) + (*unit >> (-by - 1) & 1),
                _ => 0,
            };
        });
    }
}

/// The exponent of the unit for sums up to `largest`. Units are normal doubles.
fn exponent_for(largest: f64) -> i32 {
    (BITS - 1 - exponent_of(largest.max(f64::MIN_POSITIVE))).min(1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_size_in_other_units() {
        let mut x = FixedPointVector::zeros(3).unwrap();
        x.set(1.0, |node, _| [1.0, 0.3, 1e-30][node]);
        assert_eq!(x.exponent, BITS - 1);
        assert_eq!((x.at(0), x.at(1), x.at(2)), (1.0, 0.3, 0.0));
        for largest in [1e-3f64, 1.0, 700.0, 1e25] {
            let mut other = x.clone();
            other.rescale(largest.max(1.0));
            for node in 0..2 {
                let error = (other.at(node) - x.at(node)).abs();
                assert!(error <= other.unit() / 2.0, "{largest} {error}");
            }
            let exact = largest * f64::exp2(f64::from(other.exponent));
            assert!(largest < 1.0 || (2f64.powi(61)..2f64.powi(62)).contains(&exact));
        }
    }
}
