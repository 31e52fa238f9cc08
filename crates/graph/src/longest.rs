//! The longest rows of a graph, from which the memory of compression is reckoned.

/// The lengths of some of the longest rows.
#[derive(Debug, Clone)]
pub struct LongestRows {
    most: usize,
    lengths: Vec<u64>,
}

impl LongestRows {
    /// None yet, and so many at most.
    pub fn none(most: usize) -> Self {
        LongestRows {
            most,
            lengths: Vec::new(),
        }
    }

    /// Adds a row.
    pub fn push(&mut self, length: usize) {
        self.lengths.push(length as u64);
        if self.lengths.len() >= 2 * self.most + 64 {
            self.cut();
        }
    }

    /// These and others.
    pub fn with(mut self, others: &Self) -> Self {
        self.lengths.extend(&others.lengths);
        self.cut();
        self
    }

    /// The largest total length of so many rows.
    pub fn sum(&self, rows: usize) -> u64 {
        let mut lengths = self.lengths.clone();
        lengths.sort_unstable_by(|a, b| b.cmp(a));
        lengths.iter().take(rows).sum()
    }

    fn cut(&mut self) {
        self.lengths.sort_unstable_by(|a, b| b.cmp(a));
        self.lengths.truncate(self.most);
    }
}

#[cfg(test)]
mod tests {
    use super::LongestRows;

    #[test]
    fn the_longest_are_kept() {
        let mut halves = [LongestRows::none(3), LongestRows::none(3)];
        for length in 0..1000 {
            halves[length % 2].push(length * 7 % 1000);
        }
        let [even, odd] = halves;
        let all = even.with(&odd);
        let sums = [0, 1, 3, 4].map(|rows| all.sum(rows));
        assert_eq!(sums, [0, 999, 999 + 998 + 997, 999 + 998 + 997]);
    }
}
