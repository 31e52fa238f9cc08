//! Scores that do not depend on the query, and what they add to BM25.
//!
//! For a score S with weight w (Craswell, Robertson, Zaragoza and Taylor, Relevance weighting for query
//! independent evidence, SIGIR 2005):
//!
//! * `log`: w ln S;
//! * `saturation`: w S / (k + S);
//! * `sigmoid`: w S^a / (k^a + S^a);
//! * `rank`: w (1 - (r - 1) / N), where r is 1 plus the number of pages with a larger score, of N pages:
//!   the share of pages that are not better. It depends on the order only.
//!
//! A page without a row has score 0. The logarithm of 0 is taken as that of the smallest positive score:
//! such pages are as good as the worst of the others. Negative scores have a rank, and nothing else.

use super::collection::Collection;
use std::path::Path;
use webrank_base::error::{Error, Result};
use webrank_tables::read::read_scores;

/// How a static score is combined with BM25.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Transform {
    /// weight x ln S
    #[default]
    Log,
    /// weight x the share of pages that are not better
    Rank,
    /// weight x S / (k + S)
    Saturation,
    /// weight x S^a / (k^a + S^a)
    Sigmoid,
}

/// How, and with which parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TransformParams {
    /// The function.
    pub combine: Transform,
    /// w, what it is multiplied with.
    pub weight: f64,
    /// k, the score that counts half; the median of the positive scores if `None`.
    pub k: Option<f64>,
    /// a, how steep it is.
    pub a: f64,
}

impl Default for TransformParams {
    fn default() -> Self {
        TransformParams {
            combine: Transform::Log,
            weight: 1.0,
            k: None,
            a: 0.6,
        }
    }
}

impl TransformParams {
    /// Checks the parameters.
    ///
    /// # Errors
    /// If the weight is not from 0 to 10^9, or k or a not positive and finite.
    pub fn checked(self) -> Result<Self> {
        if !(0.0..=1e9).contains(&self.weight) {
            let remedy = "give a weight from 0 to 1e9";
            return Err(Error::argument("weight", self.weight, remedy));
        }
        let is_positive = |number: f64| number > 0.0 && number.is_finite();
        if let Some(k) = self.k.filter(|&k| !is_positive(k)) {
            return Err(Error::argument("k", k, "give a positive score"));
        }
        if !is_positive(self.a) {
            return Err(Error::argument("a", self.a, "give a positive number"));
        }
        Ok(self)
    }
}

/// The static score of each page of an index.
#[derive(Debug, Clone)]
pub struct StaticScores {
    /// By page; 0 for those without a row.
    pub values: Vec<f64>,
    /// How many pages have no row.
    pub missing: usize,
    /// How many rows are about no page of the index.
    pub elsewhere: usize,
}

impl StaticScores {
    /// Reads a table by name or node; the first column of scores, or the one named.
    ///
    /// # Errors
    /// If the table cannot be read, has no such column or no such keys, or two rows for a page.
    pub fn read(path: &Path, column: Option<&str>, collection: &Collection) -> Result<Self> {
        let table = read_scores(path, None)?;
        let by_node = match table.key_column.as_str() {
            "node" => true,
            "name" => false,
            _ => {
                let problem = "has neither a column 'name' nor 'node'; give it one";
                return Err(Error::file(path, problem));
            }
        };
        let found = match column {
            None => table.columns.first(),
            Some(wanted) => table.columns.iter().find(|(name, _)| name == wanted),
        };
        let Some((_, scores)) = found else {
            let all: Vec<&str> = table
                .columns
                .iter()
                .map(|(name, _)| name.as_str())
                .collect();
            let problem = format!("no such column of scores; there are {}", all.join(", "));
            return Err(Error::file(path, problem));
        };
        let mut values = vec![f64::NAN; collection.len()];
        let mut elsewhere = 0;
        for (key, &score) in table.keys.iter().zip(scores) {
            let pages = match by_node {
                true => match key.parse() {
                    Ok(node) => collection.page_of(node)?.into_iter().collect(),
                    Err(_) => Vec::new(),
                },
                false => collection.pages_named(key)?,
            };
            elsewhere += usize::from(pages.is_empty());
            for page in pages {
                values[page as usize] = score;
            }
        }
        let scores = Self::of(values, elsewhere);
        if scores.missing == collection.len() && !collection.is_empty() {
            let problem = "has no row for any page of the index; is it of the same graph?";
            return Err(Error::file(path, problem));
        }
        Ok(scores)
    }

    /// From scores of which some are missing (NaN).
    fn of(mut values: Vec<f64>, elsewhere: usize) -> Self {
        let missing = values.iter_mut().filter(|value| value.is_nan());
        let missing = missing.map(|value| *value = 0.0).count();
        StaticScores {
            values,
            missing,
            elsewhere,
        }
    }

    /// The part of each page for its score, with weight 1. O(n log n).
    ///
    /// # Errors
    /// If a score is negative, but for ranks.
    pub fn parts(&self, how: &TransformParams) -> Result<Vec<f64>> {
        if how.combine == Transform::Rank {
            return Ok(self.shares());
        }
        if let Some(negative) = self.values.iter().find(|&&value| value < 0.0) {
            let remedy = "a static score is negative; only '--combine rank' takes such scores";
            return Err(Error::argument("static", negative, remedy));
        }
        let mut positive: Vec<f64> = self.values.iter().copied().filter(|&it| it > 0.0).collect();
        positive.sort_unstable_by(f64::total_cmp);
        let least = positive.first().copied().unwrap_or(1.0);
        let median = positive.get(positive.len() / 2).copied().unwrap_or(1.0);
        let k = how.k.unwrap_or(median);
        let part = |&score: &f64| match how.combine {
            Transform::Log => score.max(least).ln(),
            Transform::Saturation => saturation(score / k),
            Transform::Sigmoid => saturation((score / k).powf(how.a)),
            Transform::Rank => 0.0,
        };
        Ok(self.values.iter().map(part).collect())
    }

    /// The share of pages that are not better than each page.
    fn shares(&self) -> Vec<f64> {
        let mut sorted = self.values.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let n = sorted.len() as f64;
        let not_better = |&value: &f64| sorted.partition_point(|&other| other <= value) as f64 / n;
        self.values.iter().map(not_better).collect()
    }
}

/// x / (1 + x), which tends to 1, without an overflow.
fn saturation(x: f64) -> f64 {
    if x > 1.0 {
        1.0 / (1.0 + 1.0 / x)
    } else {
        x / (1.0 + x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(values: &[f64], combine: Transform, k: Option<f64>) -> Result<Vec<f64>> {
        let scores = StaticScores::of(values.to_vec(), 0);
        let how = TransformParams {
            combine,
            k,
            a: 2.0,
            ..TransformParams::default()
        };
        scores.parts(&how.checked()?)
    }

    #[test]
    fn functions_are_those_of_the_paper() {
        let values = [0.5, 2.0, 8.0];
        let log = parts(&values, Transform::Log, None).unwrap();
        assert_eq!(log, values.map(f64::ln));
        let saturation = parts(&values, Transform::Saturation, Some(2.0)).unwrap();
        assert_eq!(saturation, [0.2, 0.5, 0.8]);
        let sigmoid = parts(&values, Transform::Sigmoid, Some(2.0)).unwrap();
        let expected = [0.25 / 4.25, 0.5, 64.0 / 68.0];
        for (part, expected) in sigmoid.into_iter().zip(expected) {
            assert!((part - expected).abs() < 1e-15);
        }
        // The median counts half.
        assert_eq!(parts(&values, Transform::Saturation, None).unwrap()[1], 0.5);
    }

    #[test]
    fn ranks_are_shares_of_pages_that_are_not_better() {
        let shares = parts(&[3.0, -1.0, 3.0, f64::NAN], Transform::Rank, None).unwrap();
        assert_eq!(shares, [1.0, 0.25, 1.0, 0.5]);
    }

    #[test]
    fn extreme_scores_have_finite_parts() {
        let values = [0.0, -0.0, 1e-300, 5e-324, f64::MAX, f64::NAN, 1.0];
        for combine in [
            Transform::Log,
            Transform::Rank,
            Transform::Saturation,
            Transform::Sigmoid,
        ] {
            for k in [None, Some(1e-300), Some(1e300)] {
                let parts = parts(&values, combine, k).unwrap();
                assert!(
                    parts.iter().all(|part| part.is_finite()),
                    "{combine:?} {parts:?}"
                );
            }
        }
        // A score of 0 is as good as the smallest.
        let log = parts(&[0.0, 1e-300, f64::NAN], Transform::Log, None).unwrap();
        assert_eq!(log, [1e-300f64.ln(); 3]);
        assert_eq!(
            parts(&[0.0, 0.0], Transform::Log, None).unwrap(),
            [0.0, 0.0]
        );
        assert!(parts(&[], Transform::Saturation, None).unwrap().is_empty());
        assert!(parts(&[1.0, -1.0], Transform::Log, None).is_err());
    }

    #[test]
    fn parameters_are_checked() {
        let how = TransformParams::default();
        for wrong in [-1.0, f64::NAN, f64::INFINITY] {
            assert!(
                TransformParams {
                    weight: wrong,
                    ..how
                }
                .checked()
                .is_err()
            );
            assert!(
                TransformParams {
                    k: Some(wrong),
                    ..how
                }
                .checked()
                .is_err()
            );
            assert!(TransformParams { a: wrong, ..how }.checked().is_err());
        }
        assert!(
            TransformParams {
                k: Some(0.0),
                ..how
            }
            .checked()
            .is_err()
        );
    }
}
