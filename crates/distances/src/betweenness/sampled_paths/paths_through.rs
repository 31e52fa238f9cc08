//! The number of sampled paths through each node, and the intervals that follow from it.

use super::binomial::{interval, mean_at_most};
use super::numbered_paths::DrawnPaths;
use std::collections::HashMap;

/// The statistics kept about the paths.
pub(super) struct PathsThrough {
    /// The number of paths through each node.
    pub through: Vec<u64>,
    /// The number of paths in total, those of unreachable pairs included.
    pub samples: u64,
    /// The sum of the numbers of inner nodes, and the sum of their squares.
    pub inner: u64,
    pub squares: u128,
}

impl PathsThrough {
    /// No paths yet.
    pub fn new(num_nodes: usize) -> Self {
        PathsThrough {
            through: vec![0; num_nodes],
            samples: 0,
            inner: 0,
            squares: 0,
        }
    }

    /// Counts more paths.
    pub fn add(&mut self, drawn: &DrawnPaths) {
        for &x in &drawn.nodes {
            self.through[x as usize] += 1;
        }
        let mut start = 0;
        for &end in &drawn.ends {
            let inner = (end - start) as u64;
            self.inner += inner;
            self.squares += inner as u128 * inner as u128;
            start = end;
        }
        self.samples += drawn.ends.len() as u64;
    }

    /// The level of a test of b, divided by b.
    pub fn share(&self, delta: f64, longest_inner: f64) -> f64 {
        let (sum, squares) = (self.inner, self.squares);
        let rho = mean_at_most(sum, squares, self.samples, longest_inner, delta / 20.0);
        19.0 / 40.0 * delta / rho
    }

    /// The `count` largest numbers of paths, in decreasing order.
    pub fn largest(&self, count: usize) -> Vec<u64> {
        let mut through = self.through.clone();
        let count = count.min(through.len());
        if count < through.len() {
            through.select_nth_unstable_by(count, |a, b| b.cmp(a));
        }
        through.truncate(count);
        through.sort_unstable_by(|a, b| b.cmp(a));
        through
    }

    /// The number of samples after which the error is probably within `epsilon`: an estimate that
    /// affects only how long the run takes. None if it is above `most`.
    pub fn expected(&self, epsilon: f64, delta: f64, longest_inner: f64, most: u64) -> Option<u64> {
        let share = self.share(0.5 * delta, longest_inner);
        let largest = self.through.iter().copied().max().unwrap_or(0) as f64;
        let largest = largest / self.samples as f64;
        let fits = |samples: u64| {
            let count = (largest * samples as f64).round() as u64;
            let table =
                [0, count].map(|count| error(count, samples, interval(count, samples, share)));
            table[0].max(table[1]) <= epsilon
        };
        let mut samples = self.samples;
        while !fits(samples) {
            samples += samples / 20 + 1;
            if samples > most {
                return None;
            }
        }
        Some(samples)
    }
}

/// The distance between an estimate and the farther end of its interval.
fn error(count: u64, samples: u64, (lower, upper): (f64, f64)) -> f64 {
    let estimate = count as f64 / samples as f64;
    (estimate - lower).max(upper - estimate)
}

/// The intervals of all counts that occur.
pub(super) struct IntervalsByCount {
    intervals: HashMap<u64, (f64, f64)>,
    /// The largest distance between an estimate and an end of its interval.
    pub error: f64,
}

impl IntervalsByCount {
    /// The intervals with tests of level `share * b`: see [`interval`].
    pub fn new(counts: &PathsThrough, share: f64) -> Self {
        let mut table = IntervalsByCount {
            intervals: HashMap::new(),
            error: 0.0,
        };
        for &count in counts.through.iter().filter(|_| counts.samples > 0) {
            table.intervals.entry(count).or_insert_with(|| {
                let ends = interval(count, counts.samples, share);
                table.error = table.error.max(error(count, counts.samples, ends));
                ends
            });
        }
        table
    }

    /// The interval of nodes that `count` of the paths pass through; [0, 0] without paths.
    pub fn interval(&self, count: u64) -> (f64, f64) {
        self.intervals.get(&count).copied().unwrap_or((0.0, 0.0))
    }

    /// Whether the intervals prove the order of the first `top` of these counts.
    pub fn ordered(&self, largest: Vec<u64>, top: usize) -> bool {
        let apart = |pair: &[u64]| self.intervals[&pair[0]].0 > self.intervals[&pair[1]].1;
        largest.windows(2).take(top).all(apart)
    }
}
