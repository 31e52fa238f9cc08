//! The keys of a table's rows, and the rows of several tables with equal keys.
//!
//! All keys lie in one string, so that millions of them are one allocation. They are found by
//! sorted 64-bit hashes and then compared byte for byte: a collision costs time, but never makes a
//! wrong match. O(n log n), parallel.

use rayon::prelude::*;
use webrank_base::error::Result;
use webrank_base::memory::{reserve, reserve_text};
use webrank_base::parallel::tasks;
use xxhash_rust::xxh3::xxh3_64;

/// The key of each row.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Keys {
    text: String,
    /// Where each key ends in the text.
    ends: Vec<usize>,
}

impl Keys {
    /// Adds a row.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn push(&mut self, key: &str) -> Result<()> {
        reserve_text(&mut self.text, key.len(), "the keys of a table")?;
        reserve(&mut self.ends, 1, "the keys of a table")?;
        self.text.push_str(key);
        self.ends.push(self.text.len());
        Ok(())
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The key of a row.
    pub fn get(&self, row: usize) -> &str {
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[row]]
    }

    /// All keys in row order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|row| self.get(row))
    }

    /// The keys of these rows.
    pub fn select(&self, rows: impl IntoIterator<Item = usize>) -> Keys {
        rows.into_iter().map(|row| self.get(row)).collect()
    }

    /// The first row, in row order, whose key an earlier row has.
    pub fn first_repeated(&self) -> Option<usize> {
        // In tables in the order of the graph, node numbers or names increase.
        let pairs = self.len().saturating_sub(1);
        let increase = |row: usize| self.get(row) < self.get(row + 1);
        let grow = |row: usize| {
            let (a, b) = (self.get(row), self.get(row + 1));
            (a.len(), a) < (b.len(), b)
        };
        if tasks::all(pairs, grow) || tasks::all(pairs, increase) {
            return None;
        }
        let index = self.index();
        let groups = index.0.chunk_by(|a, b| a.0 == b.0);
        let repeated = groups.filter(|group| group.len() > 1).filter_map(|group| {
            let mut rows: Vec<u32> = group.iter().map(|&(_, row)| row).collect();
            rows.sort_by_key(|&row| (self.get(row as usize), row));
            let pairs = rows.windows(2);
            let repeats = pairs.filter(|w| self.get(w[0] as usize) == self.get(w[1] as usize));
            repeats.map(|w| w[1] as usize).min()
        });
        repeated.min()
    }

    /// An index that finds rows by key.
    pub fn index(&self) -> KeyIndex {
        let hash = |row: usize| (xxh3_64(self.get(row).as_bytes()), row as u32);
        let mut rows = tasks::tabulate(self.len(), hash);
        rows.par_sort_unstable();
        KeyIndex(rows)
    }

    /// For each row, the row of `other` with the same key. No key occurs twice in `other`.
    pub fn rows_in(&self, other: &Keys) -> Vec<Option<u32>> {
        if self == other {
            return (0..self.len() as u32).map(Some).collect();
        }
        let index = other.index();
        let row = |row: usize| index.find(other, self.get(row)).map(|row| row as u32);
        tasks::tabulate(self.len(), row)
    }
}

impl<'k> FromIterator<&'k str> for Keys {
    fn from_iter<I: IntoIterator<Item = &'k str>>(keys: I) -> Self {
        let mut all = Keys::default();
        for key in keys {
            all.text.push_str(key);
            all.ends.push(all.text.len());
        }
        all
    }
}

/// The rows of some keys by hash.
pub struct KeyIndex(Vec<(u64, u32)>);

impl KeyIndex {
    /// The row with this key in `keys`, which the index was made of. O(log n).
    pub fn find(&self, keys: &Keys, key: &str) -> Option<usize> {
        let hash = xxh3_64(key.as_bytes());
        let start = self.0.partition_point(|&(other, _)| other < hash);
        let same_hash = self.0[start..]
            .iter()
            .take_while(|&&(other, _)| other == hash);
        let mut rows = same_hash.map(|&(_, row)| row as usize);
        rows.find(|&row| keys.get(row) == key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_are_found_by_key(
            a in prop::collection::hash_set("[ab]{0,3}", 0..12),
            b in prop::collection::hash_set("[ab]{0,3}", 0..12),
        ) {
            let (a, b): (Vec<_>, Vec<_>) = (a.into_iter().collect(), b.into_iter().collect());
            let keys = |keys: &[String]| keys.iter().map(String::as_str).collect::<Keys>();
            let found = keys(&a).rows_in(&keys(&b));
            for (key, row) in a.iter().zip(found) {
                let place = b.iter().position(|other| other == key);
                prop_assert_eq!(row.map(|row| row as usize), place);
            }
        }

        #[test]
        fn the_first_repetition_is_found(all in prop::collection::vec("[ab]{0,2}", 0..12)) {
            let keys: Keys = all.iter().map(String::as_str).collect();
            let repeated = (0..all.len()).find(|&row| all[..row].contains(&all[row]));
            prop_assert_eq!(keys.first_repeated(), repeated);
        }
    }
}
