//! How many nodes lie at each distance from a source: all that a geometric measure needs.

/// The number of nodes at distances 1, 2, ... from a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Histogram<'a> {
    /// Counts, farthest distance first, the last one being distance 1.
    far_first: &'a [u32],
}

impl<'a> Histogram<'a> {
    /// Wraps counts whose last entry is distance 1; zeros at the far end are dropped.
    pub fn new(far_first: &'a [u32]) -> Self {
        let zeros = far_first.iter().take_while(|&&count| count == 0).count();
        Histogram {
            far_first: &far_first[zeros..],
        }
    }

    /// Pairs of distance and number of nodes at that distance, by increasing distance from 1.
    #[inline]
    pub fn levels(self) -> impl Iterator<Item = (u32, u32)> + 'a {
        (1..).zip(self.far_first.iter().rev().copied())
    }

    /// The largest distance; 0 when no node is reached.
    pub fn eccentricity(self) -> u32 {
        self.far_first.len() as u32
    }

    /// The number of nodes reached, the source not counted.
    pub fn reached(self) -> u64 {
        self.far_first.iter().map(|&count| count as u64).sum()
    }

    /// The sum of the distances of all nodes reached.
    pub fn sum_of_distances(self) -> u64 {
        self.levels()
            .map(|(distance, count)| distance as u64 * count as u64)
            .sum()
    }

    /// The sum of 1/d over the nodes reached, added by increasing distance.
    pub fn sum_of_reciprocals(self) -> f64 {
        self.levels()
            .map(|(distance, count)| count as f64 / distance as f64)
            // Not `sum`, whose empty sum is -0.
            .fold(0.0, |sum, term| sum + term)
    }
}
