//! Does a column hold ranks (1 is the best) where scores (larger is better) are expected?
//!
//! Ranks passed as scores turn every coefficient upside down, so columns that can only be ranks are
//! recognised: each value must say how many smaller values there are, under one of the usual
//! treatments of ties, counting from 1 or from 0. For a tie of `t` values after `before` smaller
//! ones, counting from 1:
//!
//! - ordinal: 1, 2, 3, 4, ...; without ties, all treatments below give the same;
//! - competition: before + 1, as in 1, 2, 2, 4;
//! - modified competition: before + t, as in 1, 3, 3, 4;
//! - fractional: before + (t + 1)/2, as in 1, 2.5, 2.5, 4.
//!
//! Dense ranks (1, 2, 2, 3) are not recognised, since degrees look the same. Columns with fewer
//! than three rows or three different values are never taken for ranks, nor are columns that lack a
//! rank. True scores can look like ranks by accident if there are few rows, so a caller should let
//! the user insist. O(n).

use std::fmt;

use serde::Serialize;

/// The kind of ranks that a column seems to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RankKind {
    /// All different: 1, 2, 3, 4.
    Ordinal,
    /// Ties share the best of their ranks: 1, 2, 2, 4.
    Competition,
    /// Ties share the worst of their ranks: 1, 3, 3, 4.
    ModifiedCompetition,
    /// Ties share the average of their ranks: 1, 2.5, 2.5, 4.
    Fractional,
}

/// Why a column looks like ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct RankLike {
    /// The treatment of ties.
    pub kind: RankKind,
    /// The best rank: 0 or 1.
    pub from: u8,
    /// Number of rows.
    pub rows: u64,
}

impl fmt::Display for RankLike {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, from, rows } = self;
        match kind {
            RankKind::Ordinal => {
                let to = *rows - 1 + u64::from(*from);
                write!(
                    f,
                    "the {rows} values are the numbers {from} to {to}, each once"
                )
            }
            RankKind::Competition => write!(
                f,
                "each of the {rows} values is {from} plus the number of smaller ones"
            ),
            RankKind::ModifiedCompetition => write!(
                f,
                "counting from {from}, each of the {rows} values is the last place of its tie"
            ),
            RankKind::Fractional => write!(
                f,
                "counting from {from}, each of the {rows} values is the average place of its tie"
            ),
        }
    }
}

/// True if the column can only hold ranks; see [`rank_like`] for why.
pub fn looks_like_ranks(scores: &[f64]) -> bool {
    rank_like(scores).is_some()
}

/// The ranks that the column seems to hold, if any.
pub fn rank_like(scores: &[f64]) -> Option<RankLike> {
    let counts = counts_of_half_integers(scores)?;
    let distinct = counts.iter().filter(|&&count| count > 0).count();
    if distinct < 3 {
        return None;
    }
    let kinds = if distinct == scores.len() {
        &[RankKind::Ordinal][..]
    } else {
        &[
            RankKind::Competition,
            RankKind::ModifiedCompetition,
            RankKind::Fractional,
        ]
    };
    let rows = scores.len() as u64;
    let fits = |&(kind, from): &(RankKind, u8)| holds(kind, from, &counts);
    kinds
        .iter()
        .flat_map(|&kind| [1, 0].map(|from| (kind, from)))
        .find(fits)
        .map(|(kind, from)| RankLike { kind, from, rows })
}

/// Number of occurrences of each value, indexed by twice the value; none if a value is not a
/// multiple of one half in 0 to n.
fn counts_of_half_integers(scores: &[f64]) -> Option<Vec<u32>> {
    let mut counts = vec![0u32; 2 * scores.len() + 1];
    for score in scores {
        let twice = 2.0 * score;
        if !(0.0..counts.len() as f64).contains(&twice) || twice.fract() != 0.0 {
            return None;
        }
        counts[twice as usize] += 1;
    }
    Some(counts)
}

/// True if every value is the rank of its tie.
fn holds(kind: RankKind, from: u8, counts: &[u32]) -> bool {
    let mut before = 0u64;
    counts
        .iter()
        .enumerate()
        .filter(|&(_, &count)| count > 0)
        .all(|(twice, &count)| {
            let ties = u64::from(count);
            let twice_place = 2 * before
                + match kind {
                    RankKind::Ordinal | RankKind::Competition => 0,
                    RankKind::ModifiedCompetition => 2 * (ties - 1),
                    RankKind::Fractional => ties - 1,
                };
            before += ties;
            twice as u64 == twice_place + 2 * u64::from(from)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_recognised() {
        use RankKind::*;
        for (column, kind, from) in [
            (&[3.0, 1.0, 2.0][..], Ordinal, 1),
            (&[3.0, 1.0, 2.0, 0.0], Ordinal, 0),
            (&[2.0, 1.0, 2.0, 4.0], Competition, 1),
            (&[1.0, 0.0, 1.0, 3.0], Competition, 0),
            (&[3.0, 1.0, 3.0, 4.0], ModifiedCompetition, 1),
            (&[2.5, 4.0, 2.5, 1.0], Fractional, 1),
            (&[1.5, 0.0, 3.0, 1.5], Fractional, 0),
        ] {
            let rows = column.len() as u64;
            assert_eq!(rank_like(column), Some(RankLike { kind, from, rows }));
        }
    }

    #[test]
    fn scores_are_not() {
        for column in [
            &[][..],
            &[1.0],
            &[1.0, 2.0],
            &[1.0, 1.0, 1.0, 1.0],
            &[1.0, 2.0, 2.0, 3.0],
            &[0.5, 0.25, 0.25],
            &[1.0, 2.0, 4.0],
            &[-1.0, 1.0, 2.0],
            &[1.0, 2.0, f64::NAN],
            &[1.0, 2.0, f64::INFINITY],
        ] {
            assert!(!looks_like_ranks(column), "{column:?}");
        }
    }

    #[test]
    fn the_reason_names_the_values() {
        let reason = rank_like(&[2.0, 3.0, 1.0]).unwrap().to_string();
        assert_eq!(reason, "the 3 values are the numbers 1 to 3, each once");
    }
}
