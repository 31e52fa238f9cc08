//! The sum that flows into a node, nearly exactly.
//!
//! Products are split and sums compensated, so that cancellation leaves no more than the square of a
//! roundoff (Ogita, Rump and Oishi, "Accurate sum and dot product", SIAM Journal on Scientific
//! Computing 26, 2005).

use webrank_base::parallel::sums::Compensated;

/// The sum of `w_ij c_j` over a row i, for shares c that are not negative.
#[derive(Debug, Clone, Copy, Default)]
pub struct Inflow {
    sum: Compensated,
    /// The sum of the sizes of all terms.
    size: f64,
    num_terms: u64,
}

impl Inflow {
    /// Adds a share with weight 1.
    #[inline]
    pub fn add(&mut self, share: f64) {
        self.sum.add(share);
        self.size += share;
        self.num_terms += 1;
    }

    /// Adds a share with another weight.
    pub fn add_weighted(&mut self, weight: f64, share: f64) {
        self.add_product(weight, share);
        self.num_terms += 1;
    }

    fn add_product(&mut self, a: f64, b: f64) {
        let product = a * b;
        self.sum.add(product);
        self.sum.add(a.mul_add(b, -product));
        self.size += product.abs();
    }

    /// `start + inflow - share total`, and a bound on its error.
    pub fn imbalance(mut self, start: f64, share: f64, total: f64) -> (f64, f64) {
        self.sum.add(start);
        self.size += start;
        self.add_product(-share, total);
        let roundings = (2 * self.num_terms + 6) as f64 * f64::EPSILON;
        let value = self.sum.value();
        let error = f64::EPSILON * value.abs() + roundings * roundings * self.size;
        (value, error)
    }
}
