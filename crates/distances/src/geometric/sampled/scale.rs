//! The sums that draws estimate, and their terms as whole numbers.

use crate::geometric::terms::Term;

/// A sum over the nodes that reach a node.
#[derive(Clone, Copy)]
pub(super) enum Quantity<'m> {
    /// Their number.
    Count,
    /// The sum of the terms of a measure.
    Terms(&'m dyn Term),
    /// The sum of their distances.
    Distances,
}

impl Quantity<'_> {
    /// True for two sums of any measures; each measure has its own terms.
    pub(super) fn is_same(self, other: Quantity) -> bool {
        matches!(
            (self, other),
            (Quantity::Count, Quantity::Count) | (Quantity::Distances, Quantity::Distances)
        )
    }

    /// What a node at this distance adds.
    fn at(self, distance: u32) -> f64 {
        match self {
            Quantity::Count => 1.0,
            Quantity::Terms(term) => term.at(distance),
            Quantity::Distances => distance.into(),
        }
    }
}

/// The terms f(d) of a sum as whole numbers of a unit. A neighbour that is drawn counts as if it were at distance
/// 2: how much it differs from that is known without a search.
pub(super) struct Scale<'m> {
    quantity: Quantity<'m>,
    /// f(1) and f(2).
    pub(super) near: f64,
    pub(super) second: f64,
    /// The number that terms are shares of: the largest that is sampled, f(2); 1 for distances, which have none.
    pub(super) whole: f64,
    /// Bits of the whole in units of sums, and of its square in those of squares.
    bits: u32,
    square_bits: u32,
}

impl<'m> Scale<'m> {
    /// The scale of `quantity` for so many draws, of which each sum has so many.
    pub(super) fn new(quantity: Quantity<'m>, draws: usize, of_sum: usize) -> Self {
        // So many terms are below 2^63 together; a double has no more bits.
        let bits = |count: usize| (63 - (usize::BITS - count.leading_zeros())).min(52);
        let second = quantity.at(2);
        let (whole, [bits, square_bits]) = match quantity {
            // Below 2^32, as the number of draws is.
            Quantity::Distances => (1.0, [0, 0]),
            _ => (second, [bits(of_sum), bits(draws)]),
        };
        Scale {
            quantity,
            near: quantity.at(1),
            second,
            whole,
            bits,
            square_bits,
        }
    }

    /// The term at a distance of 2 at least, as a share of the whole.
    fn share(&self, distance: u32) -> f64 {
        match self.quantity {
            Quantity::Count => 1.0,
            // The square of a tiny base underflows.
            Quantity::Terms(_) if self.whole == 0.0 => 0.0,
            Quantity::Terms(term) => (term.at(distance) / self.whole).min(1.0),
            Quantity::Distances => distance.max(2).into(),
        }
    }

    /// The term at a distance in units, rounded.
    pub(super) fn units(&self, distance: u32) -> u64 {
        (self.share(distance) * (1u64 << self.bits) as f64).round() as u64
    }

    /// Its square in units of squares, rounded up; 0 for distances, of which nothing is proved.
    fn square(&self, distance: u32) -> u64 {
        if let Quantity::Distances = self.quantity {
            return 0;
        }
        let share = self.share(distance);
        (share * share * (1u64 << self.square_bits) as f64).ceil() as u64
    }

    /// The term at a level, and its square.
    pub(super) fn at_level(&self, level: u32) -> [u64; 2] {
        [self.units(level), self.square(level)]
    }

    /// The units of sums, and of sums of squares, as shares of the whole and of its square.
    pub(super) fn unit(&self) -> f64 {
        1.0 / (1u64 << self.bits) as f64
    }

    pub(super) fn square_unit(&self) -> f64 {
        1.0 / (1u64 << self.square_bits) as f64
    }
}
