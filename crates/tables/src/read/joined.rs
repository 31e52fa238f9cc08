//! Rows of several files, matched by their keys.

use super::ScoreFile;
use crate::keys::Keys;

/// Files whose rows have been matched by key.
#[derive(Debug, Clone, PartialEq)]
pub struct Joined {
    /// The keys that occur in every file, in the order of the first.
    pub keys: Keys,
    /// For each file, its columns for those keys.
    pub columns: Vec<Vec<(String, Vec<f64>)>>,
    /// For each file, the interval of its scores for those keys.
    pub intervals: Vec<Option<[Vec<f64>; 2]>>,
    /// For each file, the keys that some other file lacks.
    pub unmatched: Vec<Keys>,
}

/// Matches the rows of files by key.
pub fn join(files: Vec<ScoreFile>) -> Joined {
    let Some(first) = files.first() else {
        return Joined {
            keys: Keys::default(),
            columns: Vec::new(),
            intervals: Vec::new(),
            unmatched: Vec::new(),
        };
    };
    let places: Vec<Vec<Option<u32>>> = files
        .iter()
        .map(|file| first.keys.rows_in(&file.keys))
        .collect();
    let everywhere = |row: &usize| places.iter().all(|places| places[*row].is_some());
    let common: Vec<usize> = (0..first.keys.len()).filter(everywhere).collect();
    let keys = first.keys.select(common.iter().copied());
    let mut joined = Joined {
        keys,
        columns: Vec::new(),
        intervals: Vec::new(),
        unmatched: Vec::new(),
    };
    for (file, places) in files.into_iter().zip(&places) {
        let rows: Vec<usize> = common
            .iter()
            .filter_map(|&row| places[row].map(|row| row as usize))
            .collect();
        let mut matched = vec![false; file.keys.len()];
        rows.iter().for_each(|&row| matched[row] = true);
        let unmatched = (0..matched.len()).filter(|&row| !matched[row]);
        joined.unmatched.push(file.keys.select(unmatched));
        let pick = |entries: Vec<f64>| {
            if rows.len() == entries.len() && rows.is_sorted() {
                return entries;
            }
            rows.iter().map(|&row| entries[row]).collect()
        };
        let columns = file.columns.into_iter();
        let columns = columns.map(|(name, entries)| (name, pick(entries)));
        joined.columns.push(columns.collect());
        joined
            .intervals
            .push(file.interval.map(|ends| ends.map(pick)));
    }
    joined
}
