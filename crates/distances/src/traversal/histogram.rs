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

    /// Calls `visit(d, change)` for every distance d whose count is not that of d + 1, farthest
    /// first; `change` is the difference, the count of d less that of d + 1. The sum of count times
    /// f(d) is the sum of change times f(1) + ... + f(d).
    #[inline]
    pub fn for_changes(self, mut visit: impl FnMut(u32, i64)) {
        let mut farther = 0;
        for (&count, distance) in self.far_first.iter().zip((1..=self.eccentricity()).rev()) {
            if count != farther {
                visit(distance, count as i64 - farther as i64);
                farther = count;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_levels() {
        let histogram = Histogram::new(&[0, 0, 3, 3, 4]);
        let sums = (
            histogram.eccentricity(),
            histogram.reached(),
            histogram.sum_of_distances(),
        );
        assert_eq!(sums, (3, 10, 4 + 2 * 3 + 3 * 3));
        let mut changes = Vec::new();
        histogram.for_changes(|distance, change| changes.push((distance, change)));
        assert_eq!(changes, [(3, 3), (1, 1)]);
    }
}
