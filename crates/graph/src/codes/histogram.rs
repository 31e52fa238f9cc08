//! How often each number occurs.

use webrank_base::error::{Error, Result};
use webrank_base::memory;

/// Counts numbers: below [`SMALL`] in a table, the others in sorted lists.
#[derive(Default)]
pub struct NumberHistogram {
    small: Vec<u64>,
    /// Numbers and their counts, increasing.
    large: Vec<(u64, u64)>,
    /// Numbers and their counts in any order, no more than a fraction of what is sorted.
    pending: Vec<(u64, u64)>,
    /// Why counting ended.
    failure: Option<Error>,
}

/// Most numbers of a graph are below.
const SMALL: u64 = 1 << 10;
/// So many numbers wait at least, before they are sorted.
const WAITING: usize = 1 << 12;

impl NumberHistogram {
    /// Counts a number once.
    #[inline]
    pub fn add(&mut self, number: u64) {
        self.add_many(number, 1);
    }

    /// Counts a number so many times.
    #[inline]
    pub fn add_many(&mut self, number: u64, count: u64) {
        if let Some(place) = self.small.get_mut(number as usize) {
            *place += count;
        } else if count > 0 {
            self.add_new(number, count);
        }
    }

    #[cold]
    fn add_new(&mut self, number: u64, count: u64) {
        if number < SMALL {
            let length = (number as usize + 1).next_power_of_two();
            self.small.resize(length, 0);
            self.small[number as usize] += count;
            return;
        }
        if self.pending.len() >= WAITING.max(self.large.len() / 4) {
            self.sort();
        }
        if self.failure.is_none() {
            match memory::reserve(&mut self.pending, 1, WHAT) {
                Ok(()) => self.pending.push((number, count)),
                Err(problem) => self.failure = Some(problem),
            }
        }
    }

    /// Adds the counts of another part of the graph.
    pub fn merge(&mut self, mut other: NumberHistogram) {
        other.sort();
        for (number, &count) in other.small.iter().enumerate() {
            self.add_many(number as u64, count);
        }
        for &(number, count) in &other.large {
            self.add_new(number, count);
        }
        self.failure = self.failure.take().or(other.failure);
    }

    /// Moves what waits into the sorted list.
    fn sort(&mut self) {
        if self.pending.is_empty() || self.failure.is_some() {
            return;
        }
        self.pending.sort_unstable();
        let mut merged: Vec<(u64, u64)> = Vec::new();
        let distinct = self.pending.chunk_by(|a, b| a.0 == b.0).count();
        let length = self.large.len() + distinct;
        if merged.try_reserve_exact(length).is_err() {
            self.failure = Some(Error::memory(WHAT, 16 * length as u64));
            return;
        }
        let mut sorted = self.large.iter().copied().peekable();
        for run in self.pending.chunk_by(|a, b| a.0 == b.0) {
            let number = run[0].0;
            let mut count: u64 = run.iter().map(|&(_, count)| count).sum();
            while let Some(before) = sorted.next_if(|&(other, _)| other < number) {
                merged.push(before);
            }
            if let Some((_, more)) = sorted.next_if(|&(other, _)| other == number) {
                count += more;
            }
            merged.push((number, count));
        }
        merged.extend(sorted);
        self.large = merged;
        self.pending.clear();
    }

    /// The counts.
    ///
    /// # Errors
    /// If memory was short while counting.
    pub fn finish(mut self) -> Result<NumberDistribution> {
        self.sort();
        self.pending = Vec::new();
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        let small = self.small.iter().enumerate();
        let mut counts: Vec<(u64, u64)> = small
            .filter(|&(_, &count)| count > 0)
            .map(|(number, &count)| (number as u64, count))
            .collect();
        counts
            .try_reserve_exact(self.large.len())
            .map_err(|_| Error::memory(WHAT, 16 * self.large.len() as u64))?;
        counts.append(&mut self.large);
        Ok(NumberDistribution { counts })
    }
}

const WHAT: &str = "the numbers of a graph and their counts";

/// Numbers and how often each occurs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NumberDistribution {
    /// Increasing numbers, each with its count, which is positive.
    counts: Vec<(u64, u64)>,
}

impl NumberDistribution {
    /// The distribution of some numbers.
    ///
    /// # Errors
    /// If memory is short.
    pub fn of(numbers: impl IntoIterator<Item = u64>) -> Result<Self> {
        let mut histogram = NumberHistogram::default();
        numbers.into_iter().for_each(|number| histogram.add(number));
        histogram.finish()
    }

    /// The distribution of the numbers of several.
    ///
    /// # Errors
    /// If memory is short.
    pub fn together<'d>(parts: impl IntoIterator<Item = &'d NumberDistribution>) -> Result<Self> {
        let mut histogram = NumberHistogram::default();
        for part in parts {
            for &(number, count) in &part.counts {
                histogram.add_many(number, count);
            }
        }
        histogram.finish()
    }

    /// Increasing numbers, each with its count.
    pub fn counts(&self) -> &[(u64, u64)] {
        &self.counts
    }

    /// How many numbers there are.
    pub fn len(&self) -> u64 {
        self.counts.iter().map(|&(_, count)| count).sum()
    }

    /// True if there are no numbers.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The largest number; 0 if there is none.
    pub fn max(&self) -> u64 {
        self.counts.last().map_or(0, |&(number, _)| number)
    }

    /// The mean; 0 if there are no numbers.
    pub fn mean(&self) -> f64 {
        let products = self.counts.iter();
        let sum: u128 = products
            .map(|&(number, count)| u128::from(number) * u128::from(count))
            .sum();
        sum as f64 / self.len().max(1) as f64
    }

    /// The entropy in bits a number: no code that knows only how often each number occurs has
    /// shorter code words on average.
    pub fn entropy(&self) -> f64 {
        let all = self.len() as f64;
        let terms = self.counts.iter().map(|&(_, count)| {
            let share = count as f64 / all;
            -share * share.log2()
        });
        // A single number has an entropy of 0, not of -0.
        terms.sum::<f64>() + 0.0
    }

    /// The bits of all numbers in a code with such lengths.
    pub fn bits(&self, length: impl Fn(u64) -> u64) -> u128 {
        let products = self.counts.iter();
        products
            .map(|&(number, count)| u128::from(length(number)) * u128::from(count))
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn numbers_of_any_size_are_counted_wherever_they_come() {
        let numbers = |seed: u64| {
            (0..60_000u64).map(move |i| {
                let mixed = (i + seed).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                (mixed >> 32) >> (mixed % 32)
            })
        };
        let mut expected = BTreeMap::new();
        let mut all = NumberHistogram::default();
        for seed in [0, 1_000_000, 500] {
            let mut part = NumberHistogram::default();
            for number in numbers(seed) {
                part.add(number);
                *expected.entry(number).or_insert(0u64) += 1;
            }
            all.merge(part);
        }
        let found = all.finish().unwrap();
        assert!(found.counts().iter().copied().eq(expected));
        assert_eq!(found.len(), 180_000);
    }

    #[test]
    fn moments_of_a_small_distribution() {
        let some = NumberDistribution::of([0, 0, 1, 1, 4, 4, 7, 7]).unwrap();
        assert_eq!((some.len(), some.max()), (8, 7));
        assert_eq!((some.mean(), some.entropy()), (3.0, 2.0));
        assert_eq!(some.bits(|number| number + 1), 32);
        let none = NumberDistribution::default();
        assert_eq!((none.mean(), none.entropy(), none.max()), (0.0, 0.0, 0));
        assert_eq!(NumberDistribution::of([9; 5]).unwrap().entropy(), 0.0);
    }
}
