//! Sums of f(d) over the nodes reached, in integers.
//!
//! f(d) is held as an integer number of *units*. A unit is 2^-64 of a *grain*, and a grain is a
//! number that the measure chooses so that f(d) is a whole number of grains for all distances that
//! usually occur. A sum of counts times f(d) is added in units and rounded to the nearest grain at
//! the end. With n the number of nodes:
//!
//! * if every f(d) that occurs is a whole number of grains, the sum is exact: equal fractions are
//!   equal integers, and larger fractions are larger integers;
//! * otherwise nodes whose sums are close are ordered by whole numbers of any length
//!   ([`super::far_nodes`]), unless that takes too long. In grains, each f(d) is rounded down by less than one unit (a measure may state more), so the
//!   sum is rounded down by less than n units, n 2^-64 grains. Equal fractions then have equal sums
//!   unless they lie within that error of the middle between two grains. Fractions that differ by
//!   slightly more than a grain never have equal sums, and never the wrong order.
//!
//! Counts rarely change from one large distance to the next, so sums use summation by parts: the
//! sum of c(d) f(d) is the sum of (c(d) - c(d+1)) F(d) with F(d) = f(1) + ... + f(d), which takes
//! one product for each change of the counts.

use super::decay::Base;
use super::exact_number::ExactNumber;
use crate::traversal::histogram::Histogram;
use ethnum::U256;
use num_bigint::BigUint;
use std::fmt::Debug;
use std::sync::{Arc, RwLock};

/// The number of bits of a unit below a grain: sums keep no smaller bits.
pub const UNIT_BITS: u32 = 64;

/// A non-increasing function of the distance, in [0, 1].
pub trait Term: Debug + Send + Sync {
    /// f(d), rounded to a double.
    fn at(&self, distance: u32) -> f64;

    /// f(d) in units, rounded down; `previous` is the value at the previous distance, or 0 before
    /// the first. Small enough that 2^32 of them can be added.
    fn units(&self, distance: u32, previous: U256) -> U256;

    /// The denominator and the exponent of grains as fractions:
    /// `grains / denominator * 2^exponent`.
    fn grain(&self) -> (U256, i32);

    /// The largest distance d for which f(1), ..., f(d) are whole numbers of grains.
    fn whole_up_to(&self) -> u32;

    /// The bits that f(1), ..., f(d) take as whole numbers of one unit of their own.
    fn exact_bits(&self, distance: u32) -> u64;

    /// f(1), ..., f(d) as whole numbers of one unit of their own.
    fn exact(&self, distance: u32) -> Vec<BigUint>;

    /// f where distances are not whole.
    fn of_lengths(&self) -> LengthTerm;
}

/// A function of distances that may not be whole.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LengthTerm {
    /// 1.
    One,
    /// 1/d.
    Inverse,
    /// base^d.
    Power(Base),
}

/// Sums of one term over histograms; shared by all threads.
#[derive(Debug)]
pub(crate) struct TermSums<'a> {
    term: &'a dyn Term,
    /// The longest table made so far: F(d) in units at place d.
    longest: RwLock<TermTable>,
}

type TermTable = Arc<[U256]>;

/// A thread's view of the table. The thread replaces it when it meets larger distances.
pub(crate) type TableView = TermTable;

impl<'a> TermSums<'a> {
    pub fn new(term: &'a dyn Term) -> Self {
        TermSums {
            term,
            longest: RwLock::new(Arc::new([U256::ZERO])),
        }
    }

    /// A view to pass to [`grains`](Self::grains).
    pub fn view(&self) -> TableView {
        let longest = self.longest.read();
        longest
            .expect("nothing panics while it holds the table")
            .clone()
    }

    /// The sum of f over the nodes of a histogram, in grains.
    #[inline]
    pub fn grains(&self, histogram: Histogram, view: &mut TableView) -> U256 {
        let eccentricity = histogram.eccentricity() as usize;
        if view.len() <= eccentricity {
            *view = self.up_to(eccentricity);
        }
        let mut units = Limbs::default();
        histogram.for_changes(|distance, change| {
            units.add_product(view[distance as usize], change);
        });
        let half = U256::ONE << (UNIT_BITS - 1);
        (units.value().wrapping_add(half)) >> UNIT_BITS
    }

    /// A table that reaches at least to `distance`.
    #[cold]
    fn up_to(&self, distance: usize) -> TermTable {
        let mut longest = self
            .longest
            .write()
            .expect("nothing panics while it holds the table");
        if longest.len() <= distance {
            let mut table = longest.to_vec();
            let mut last = match table[..] {
                [.., before, end] => end - before,
                _ => U256::ZERO,
            };
            for d in table.len()..(distance + 1).next_power_of_two() {
                last = self.term.units(d as u32, last);
                table.push(table[d - 1] + last);
            }
            *longest = table.into();
        }
        longest.clone()
    }

    /// A number of grains as a [`ExactNumber`].
    pub fn number(&self, grains: U256) -> ExactNumber {
        let (denominator, exponent) = self.term.grain();
        ExactNumber::fraction(grains, denominator, exponent)
    }
}

/// A sum of products, modulo 2^256.
#[derive(Default)]
struct Limbs([u64; 4]);

impl Limbs {
    /// Adds `factor * change`.
    #[inline]
    fn add_product(&mut self, factor: U256, change: i64) {
        let (high, low) = factor.into_words();
        let size = change.unsigned_abs() as u128;
        let mut carry = 0u128;
        let words = [
            low as u64,
            (low >> 64) as u64,
            high as u64,
            (high >> 64) as u64,
        ];
        if change >= 0 {
            for (limb, word) in self.0.iter_mut().zip(words) {
                carry += word as u128 * size + *limb as u128;
                *limb = carry as u64;
                carry >>= 64;
            }
        } else {
            for (limb, word) in self.0.iter_mut().zip(words) {
                // The amount to subtract, including the borrow.
                carry += word as u128 * size;
                let (rest, borrows) = limb.overflowing_sub(carry as u64);
                *limb = rest;
                carry = (carry >> 64) + borrows as u128;
            }
        }
    }

    fn value(&self) -> U256 {
        let [a, b, c, d] = self.0.map(u128::from);
        U256::from_words(d << 64 | c, b << 64 | a)
    }
}
