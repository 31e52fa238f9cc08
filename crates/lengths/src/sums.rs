//! What a search tells of its source: integers from which scores are computed.

use super::distance::{Distance, Plus, small};
use super::search::{LengthSearch, Uncounted};
use super::whole::Unit;
use ethnum::U256;
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use webrank_base::Node;
use webrank_base::parallel::sums::Compensated;
use webrank_distances::betweenness::modular::Residue;
use webrank_distances::betweenness::path_count::PathCount;
use webrank_distances::geometric::decay::Base;
use webrank_distances::geometric::exact_number::ExactNumber;
use webrank_distances::geometric::terms::{LengthTerm, Term, UNIT_BITS};
use webrank_linear::exact_sum;

/// The distances of one node, summed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NodeSums<D: Distance> {
    pub reached: u32,
    pub distances: D::Sum,
    pub farthest: D,
    /// A sum of scattered bits of all distances: equal sets have equal ones, and others hardly.
    pub print: u64,
}

/// A sum of terms, in units: it is at least `units`, and at most `doubt` more.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct TermSum {
    pub units: U256,
    pub doubt: u64,
    /// The sum in doubles, for terms that have no units.
    pub real: f64,
}

/// How the terms of a measure are computed for distances that are multiples of a unit.
pub(crate) enum Terms {
    Inverses { bits: u32, unit: Unit },
    Powers(PowerTable),
    RealPowers { base: f64, unit: Unit },
}

/// The longest table of powers.
const MOST_POWERS: usize = 1 << 16;

/// The powers of a base for distances that are whole numbers.
pub(crate) struct PowerTable {
    base: Base,
    /// base^d in units at place d; 0 from the end on.
    powers: Vec<U256>,
    factor: BigUint,
}

impl PowerTable {
    /// None if the powers fall so slowly that they do not fit.
    fn new(base: Base, unit: &Unit) -> Option<Self> {
        let mut powers = vec![U256::ZERO];
        loop {
            let last = powers[powers.len() - 1];
            let next = base.units(powers.len() as u32, last);
            if next == U256::ZERO {
                break;
            }
            powers.push(next);
            if powers.len() > MOST_POWERS {
                return None;
            }
        }
        Some(PowerTable {
            base,
            powers,
            factor: unit.numerator.clone(),
        })
    }

    /// base^d in units, rounded down, and by how many units at most.
    fn at(&self, distance: &impl Distance) -> (U256, u64) {
        let whole = (distance.big() * &self.factor).to_usize();
        let end = self.powers.len();
        match whole.filter(|&whole| whole < end) {
            // Each power is off by less than a unit more than the one before.
            Some(whole) => {
                let is_exact = whole <= self.base.whole_up_to() as usize;
                (self.powers[whole], if is_exact { 0 } else { whole as u64 })
            }
            None => (U256::ZERO, end as u64),
        }
    }
}

impl Terms {
    /// None if the term is 1.
    pub fn new<D: Distance>(
        term: LengthTerm,
        unit: &Unit,
        least: &D,
        longest: &BigUint,
    ) -> Option<Self> {
        Some(match term {
            LengthTerm::One => return None,
            LengthTerm::Inverse => Terms::Inverses {
                bits: D::bits_of_inverse(least, longest),
                unit: unit.clone(),
            },
            LengthTerm::Power(base) => {
                let table = unit.is_whole().then(|| PowerTable::new(base, unit));
                match table.flatten() {
                    Some(table) => Terms::Powers(table),
                    None => Terms::RealPowers {
                        base: base.get(),
                        unit: unit.clone(),
                    },
                }
            }
        })
    }

    /// Whether sums are doubles.
    pub fn are_real(&self) -> bool {
        matches!(self, Terms::RealPowers { .. })
    }

    /// The term of a distance.
    #[inline(always)]
    fn at<D: Distance>(&self, distance: &D) -> TermSum {
        let (units, doubt, real) = match self {
            Terms::Inverses { bits, .. } => {
                let (units, is_exact) = distance.inverse(*bits);
                (units, u64::from(!is_exact), 0.0)
            }
            Terms::Powers(table) => {
                let (units, doubt) = table.at(distance);
                (units, doubt, 0.0)
            }
            Terms::RealPowers { base, unit } => {
                (U256::ZERO, 0, base.powf(unit.double(&distance.big())))
            }
        };
        TermSum { units, doubt, real }
    }

    /// A sum as a number.
    pub fn number(&self, sum: &TermSum) -> ExactNumber {
        let middle = sum.units + U256::from(sum.doubt / 2);
        match self {
            Terms::Inverses { bits, unit } => {
                let (high, low) = middle.into_words();
                let middle = (BigUint::from(high) << 128u32) + low;
                let (top, bottom) = (middle * &unit.denominator, unit.numerator.clone());
                truncated(top, bottom, -(*bits as i32)).0
            }
            Terms::Powers(table) => {
                let (denominator, exponent) = table.base.grain();
                ExactNumber::fraction(middle, denominator << UNIT_BITS, exponent)
            }
            Terms::RealPowers { .. } => ExactNumber::Estimate(sum.real),
        }
    }

    /// The sum over these distances modulo a prime, up to a factor that is the same for all nodes; none if
    /// the prime divides a distance. See [`webrank_distances::betweenness::modular`].
    pub fn residue<D: Distance>(&self, distances: &[D]) -> Option<Residue> {
        let zero = Residue::new(0);
        match self {
            Terms::Inverses { .. } => {
                // One inverse yields all inverses: Montgomery 1987.
                let mut products = Vec::with_capacity(distances.len());
                let mut product = Residue::ONE;
                for distance in distances {
                    products.push(product);
                    product = product.times(modulo(&distance.big()));
                }
                if product == zero {
                    return None;
                }
                let mut inverse = product.inverse();
                let mut sum = zero;
                for (distance, before) in distances.iter().zip(&products).rev() {
                    sum = sum.plus(inverse.times(*before));
                    inverse = inverse.times(modulo(&distance.big()));
                }
                Some(sum)
            }
            Terms::Powers(table) => {
                let (mantissa, exponent) = exact_sum::parts(table.base.get());
                let half = Residue::new(2).inverse();
                let base = Residue::new(mantissa).times(power(half, &(-exponent as u32).into()));
                let powers = distances.iter();
                let powers = powers.map(|d| power(base, &(d.big() * &table.factor)));
                Some(powers.fold(zero, Residue::plus))
            }
            Terms::RealPowers { .. } => None,
        }
    }
}

fn modulo(number: &BigUint) -> Residue {
    let word = Residue::new(1 << 63).times(Residue::new(2));
    let digits = number.iter_u64_digits().rev();
    digits.fold(Residue::new(0), |sum, digit| {
        sum.times(word).plus(Residue::new(digit))
    })
}

fn power(base: Residue, exponent: &BigUint) -> Residue {
    (0..exponent.bits()).rev().fold(Residue::ONE, |power, bit| {
        let square = power.times(power);
        if exponent.bit(bit) {
            square.times(base)
        } else {
            square
        }
    })
}

/// The bits that are kept of the numbers of a fraction, so that formulas fit.
const KEPT: u64 = 200;

/// `top / bottom * 2^exponent`, and whether nothing was cut off.
pub(crate) fn truncated(top: BigUint, bottom: BigUint, exponent: i32) -> (ExactNumber, bool) {
    let cut = |number: BigUint| {
        let zeros = number.trailing_zeros().unwrap_or(0);
        let excess = number.bits().saturating_sub(KEPT);
        let shift = if number.bits() > KEPT {
            excess.max(zeros)
        } else {
            0
        };
        (
            small(&(number >> shift)).unwrap_or(U256::MAX),
            shift as i32,
            excess <= zeros,
        )
    };
    let ((top, up, is_top), (bottom, down, is_bottom)) = (cut(top), cut(bottom));
    let number = ExactNumber::fraction(top, bottom, exponent + up - down);
    (number, is_top && is_bottom)
}

/// Sums the distances from a source, and the terms of each kind.
pub(crate) fn sum<D: Plus<A>, A: Clone + Ord>(
    search: &mut LengthSearch<D, A, Uncounted>,
    source: Node,
    terms: &[Terms],
    sums: &mut Vec<TermSum>,
) -> NodeSums<D> {
    let mut found = NodeSums {
        reached: 0,
        distances: D::Sum::default(),
        farthest: D::zero(),
        print: 0,
    };
    let first = sums.len();
    sums.resize(first + terms.len(), TermSum::default());
    let sums = &mut sums[first..];
    // Terms of the last distance, which others often share; 0 is none.
    let mut last = D::zero();
    let mut at_last = [TermSum::default(); MOST_TERMS];
    let mut reals = [Compensated::default(); MOST_TERMS];
    search.search(source, |distance, _| {
        found.reached += 1;
        distance.add_to(&mut found.distances);
        found.print = found.print.wrapping_add(distance.scattered());
        if *distance != last {
            for (at, terms) in at_last.iter_mut().zip(terms) {
                *at = terms.at(distance);
            }
            last = distance.clone();
        }
        for ((sum, real), at) in sums.iter_mut().zip(&mut reals).zip(&at_last) {
            sum.units += at.units;
            sum.doubt += at.doubt;
            real.add(at.real);
        }
    });
    for (sum, real) in sums.iter_mut().zip(reals) {
        sum.real = real.value();
    }
    found.farthest = last;
    found
}

/// The most measures with terms: harmonic and decay.
pub(crate) const MOST_TERMS: usize = 2;
