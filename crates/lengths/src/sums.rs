//! Integers of the search from a source, from which scores are computed.

use super::batch::Batch;
use super::distance::{Distance, small};
use super::search::{LengthSearch, Uncounted};
use super::whole::Unit;
use ethnum::U256;
use num_bigint::BigUint;
use num_traits::{One, ToPrimitive};
use webrank_base::Node;
use webrank_base::parallel::sums::Compensated;
use webrank_distances::geometric::decay::Base;
use webrank_distances::geometric::exact_number::ExactNumber;
use webrank_distances::geometric::terms::{LengthTerm, Term, UNIT_BITS};
use webrank_distances::traversal::ring::{RingSearch, ShortArcs};
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

impl<D: Distance> NodeSums<D> {
    /// No distance.
    pub fn none() -> Self {
        NodeSums {
            reached: 0,
            distances: D::Sum::default(),
            farthest: D::zero(),
            print: 0,
        }
    }

    /// Adds so many nodes at a distance.
    #[inline(always)]
    pub fn add(&mut self, distance: &D, count: u32) {
        self.reached += count;
        distance.add_to(count, &mut self.distances);
        let print = distance.scattered().wrapping_mul(count.into());
        self.print = self.print.wrapping_add(print);
    }
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
    RealInverses { unit: Unit },
    RealPowers { base: f64, unit: Unit },
}

/// A positive fraction.
pub(crate) type Fraction = (BigUint, BigUint);

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
    pub fn new<D: Distance>(term: LengthTerm, unit: &Unit, longest: &BigUint) -> Option<Self> {
        Some(match term {
            LengthTerm::One => return None,
            LengthTerm::Inverse => {
                let unit = unit.clone();
                match D::bits_of_inverse(longest) {
                    Some(bits) => Terms::Inverses { bits, unit },
                    None => Terms::RealInverses { unit },
                }
            }
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
        matches!(self, Terms::RealInverses { .. } | Terms::RealPowers { .. })
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
            Terms::RealInverses { unit } => (U256::ZERO, 0, 1.0 / unit.double(&distance.big())),
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
            Terms::RealInverses { .. } | Terms::RealPowers { .. } => {
                ExactNumber::Estimate(sum.real)
            }
        }
    }

    /// The exact sum over these distances, each so many times, up to a factor that is the same for all nodes.
    pub fn fraction<D: Distance>(&self, distances: &[(D, u32)]) -> Fraction {
        match (self, distances) {
            (Terms::Powers(table), _) => {
                let (mantissa, exponent) = exact_sum::parts(table.base.get());
                let below = u64::from(exponent.unsigned_abs());
                let whole = |distance: &D| (distance.big() * &table.factor).to_u64().unwrap_or(0);
                let farthest = distances.last().map_or(0, |last| whole(&last.0));
                let terms = distances.iter().map(|(distance, count)| {
                    let d = whole(distance);
                    (BigUint::from(mantissa).pow(d as u32) * *count) << (below * (farthest - d))
                });
                (terms.sum(), BigUint::one() << (below * farthest))
            }
            (_, [(distance, count)]) => ((*count).into(), distance.big()),
            (_, []) => (BigUint::default(), BigUint::one()),
            (_, many) => {
                let (left, right) = many.split_at(many.len() / 2);
                let ((a, b), (c, d)) = (self.fraction(left), self.fraction(right));
                (a * &d + c * &b, b * d)
            }
        }
    }

    /// The bits of the exact sum over so many distances, at most.
    pub fn bits_of_fraction(&self, reached: u32, farthest: &BigUint) -> u64 {
        match self {
            Terms::Powers(table) => {
                let whole = (farthest * &table.factor).to_u64().unwrap_or(u64::MAX);
                whole.saturating_mul(2 * 1074)
            }
            _ => 2 * u64::from(reached) * farthest.bits(),
        }
    }
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
pub(crate) fn sum<D: Distance>(
    search: &mut LengthSearch<D, Uncounted>,
    source: Node,
    terms: &[Terms],
    sums: &mut Vec<TermSum>,
) -> NodeSums<D> {
    let mut found = NodeSums::none();
    let first = sums.len();
    sums.resize(first + terms.len(), TermSum::default());
    let sums = &mut sums[first..];
    // Terms of the last distance, which others often share; 0 is none.
    let mut last = D::zero();
    let mut at_last = [TermSum::default(); MOST_TERMS];
    let mut reals = [Compensated::default(); MOST_TERMS];
    search.search(source, &mut |distance, _| {
        found.add(distance, 1);
        if *distance != last {
            for (at, terms) in at_last.iter_mut().zip(terms) {
                *at = terms.at(distance);
            }
            last = distance.clone();
            if last > found.farthest {
                found.farthest = last.clone();
            }
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
    found
}

/// The most measures with terms: harmonic and decay.
pub(crate) const MOST_TERMS: usize = 2;

/// Sums the distances from up to 512 sources, and the terms of each kind.
pub(crate) fn sum_in_lanes<D: Distance>(
    search: &mut RingSearch,
    graph: ShortArcs,
    sources: &[Node],
    cutoff: u64,
    terms: &[Terms],
) -> Batch<D> {
    let mut found = vec![NodeSums::none(); sources.len()];
    let mut sums = vec![TermSum::default(); sources.len() * terms.len()];
    let mut reals = vec![Compensated::default(); sums.len()];
    search.search(graph, sources, cutoff, |distance, counts| {
        let distance = D::at_most(&distance.into());
        let at: Vec<TermSum> = terms.iter().map(|terms| terms.at(&distance)).collect();
        let lanes = found.iter_mut().zip(counts).enumerate();
        for (lane, (found, &count)) in lanes.filter(|(_, (_, count))| **count > 0) {
            found.add(&distance, count);
            found.farthest = distance.clone();
            let first = lane * at.len();
            for ((at, sum), real) in at.iter().zip(&mut sums[first..]).zip(&mut reals[first..]) {
                sum.units += at.units * U256::from(count);
                sum.doubt += at.doubt * u64::from(count);
                if at.real > 0.0 {
                    (0..count).for_each(|_| real.add(at.real));
                }
            }
        }
    });
    for (sum, real) in sums.iter_mut().zip(reals) {
        sum.real = real.value();
    }
    Batch { nodes: found, sums }
}
