//! Which fingerprints are near a new one: all tables at once, for single queries.

use super::design::{cuts, fronts};
use super::table::Table;
use super::{MAX_DISTANCE, distance};
use webrank_base::error::{Error, Result};
use webrank_base::memory::reserve;
use webrank_base::progress::Progress;

/// Fingerprints in which those that are near another one are looked up.
///
/// ```
/// use webrank_base::progress::Silent;
/// use webrank_crawl::near::{Index, TAU};
///
/// let index = Index::new(&[0x00ff, 0x00fe, 0xff00], 3, TAU, &Silent)?;
/// assert_eq!(index.near(0x00fc), [0x00fe, 0x00ff]);
/// # Ok::<(), webrank_base::error::Error>(())
/// ```
pub struct Index {
    max_distance: u32,
    /// The front of each table.
    fronts: Vec<u64>,
    tables: Vec<Table>,
}

/// A query looks at about 2^tau fingerprints in each table.
pub const TAU: f64 = 10.0;

/// More tables than this are refused; no design for distances up to 5 has as many.
const MAX_TABLES: usize = 1 << 10;

impl Index {
    /// Makes [`num_tables`](super::num_tables) tables of fingerprints in any order, for distances up to
    /// `max_distance`; about 8 bytes a fingerprint and table, less what neighbours share.
    ///
    /// # Errors
    /// If the distance is larger than [`MAX_DISTANCE`] or needs more than 1024 tables; if memory is
    /// short; if the user interrupts.
    pub fn new(
        fingerprints: &[u64],
        max_distance: u32,
        tau: f64,
        progress: &dyn Progress,
    ) -> Result<Self> {
        if max_distance > MAX_DISTANCE {
            let remedy = format!("it must be at most {MAX_DISTANCE}");
            return Err(Error::argument("distance", max_distance, remedy));
        }
        let mut words = Vec::new();
        reserve(&mut words, fingerprints.len(), "fingerprints")?;
        words.extend_from_slice(fingerprints);
        words.sort_unstable();
        words.dedup();
        let d = (words.len().max(1) as f64).log2();
        let cuts = cuts(64.0, max_distance, d, tau);
        let mut fronts = Vec::new();
        fronts_of(u64::MAX, &cuts, max_distance, 0, &mut fronts);
        if fronts.len() > MAX_TABLES {
            let remedy = format!(
                "so many fingerprints need more than {MAX_TABLES} tables; look for smaller distances"
            );
            return Err(Error::argument("distance", max_distance, remedy));
        }
        progress.begin("tables", Some(fronts.len() as u64));
        let tables = fronts.iter().map(|&front| {
            progress.check()?;
            let table = Table::new(&words, front)?;
            progress.advance(1);
            Ok(table)
        });
        let tables = tables.collect::<Result<_>>()?;
        progress.end();
        Ok(Index {
            max_distance,
            fronts,
            tables,
        })
    }

    /// The fingerprints within the distance, in order, the same one if it is there.
    pub fn near(&self, query: u64) -> Vec<u64> {
        let mut found = Vec::new();
        for (i, table) in self.tables.iter().enumerate() {
            table.near(query, self.max_distance, &mut |word| {
                // Words that agree in a front before were found there.
                let different = word ^ query;
                if self.fronts[..i].iter().all(|front| different & front != 0) {
                    found.push(word);
                }
            });
        }
        found.sort_unstable();
        debug_assert!(
            found
                .iter()
                .all(|&word| distance(word, query) <= self.max_distance)
        );
        found
    }

    /// The number of tables.
    pub fn num_tables(&self) -> usize {
        self.tables.len()
    }

    /// The bytes of all tables.
    pub fn memory(&self) -> u64 {
        self.tables.iter().map(Table::memory).sum()
    }
}

/// The fronts by these cuts, one after the other; more than [`MAX_TABLES`] if there are too many.
fn fronts_of(free: u64, cuts: &[u32], k: u32, front: u64, all: &mut Vec<u64>) {
    // The bits that are left may be fewer than the blocks.
    let cut = cuts.first().map(|&blocks| blocks.min(free.count_ones()));
    match cut.filter(|&blocks| blocks > k) {
        None => all.push(front),
        Some(blocks) => {
            for one in fronts(free, blocks, k) {
                if all.len() > MAX_TABLES {
                    return;
                }
                fronts_of(free & !one, &cuts[1..], k, front | one, all);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use webrank_base::progress::Silent;

    proptest! {
        #[test]
        fn queries_find_what_is_near(
            words in prop::collection::vec(any::<u64>(), 1..300),
            flips in prop::collection::vec(prop::collection::vec(0u32..64, 0..6), 1..20),
            k in 0u32..6,
            tau in -2.0f64..10.0,
        ) {
            // Neighbours of some words, which are queries, too.
            let near = flips.iter().zip(&words);
            let near = near.map(|(flips, word)| flips.iter().fold(*word, |word, bit| word ^ 1 << bit));
            let queries: Vec<u64> = near.collect();
            let mut all = words.clone();
            all.extend(queries.iter().skip(5));
            all.sort_unstable();
            all.dedup();
            let index = Index::new(&all, k, tau, &Silent).unwrap();
            for &query in &queries {
                let is_near = |word: &u64| distance(*word, query) <= k;
                let expected: Vec<u64> = all.iter().copied().filter(is_near).collect();
                prop_assert_eq!(index.near(query), expected);
            }
        }
    }

    #[test]
    fn nothing_is_near_in_an_empty_index() {
        let index = Index::new(&[], 3, TAU, &Silent).unwrap();
        assert_eq!((index.near(0).len(), index.num_tables()), (0, 1));
        assert!(Index::new(&[], MAX_DISTANCE + 1, TAU, &Silent).is_err());
    }

    #[test]
    fn there_are_as_many_tables_as_the_formula_says() {
        let words: Vec<u64> = (0..1u64 << 12).map(|i| i << 52 | i).collect();
        for (tau, tables) in [(0.0, 4), (-5.0, 10), (12.0, 1)] {
            let index = Index::new(&words, 3, tau, &Silent).unwrap();
            assert_eq!(index.num_tables(), tables, "tau {tau}");
        }
    }
}
