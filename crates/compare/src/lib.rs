//! [webrank]: ../webrank/index.html
#![doc = include_str!("../README.md")]
//!
//! # Questions and coefficients
//!
//! All functions take vectors of finite scores, larger being better, of equal length and
//! joined by key: row i of each is the same node. A vector is sorted once into a [`Ranking`], two
//! complete rankings are matched once into a [`Pair`], and all coefficients read these, so
//! computing all of them costs little more than one. [`compare_columns`] computes everything for
//! every pair of columns.
//!
//! | question | coefficient | file |
//! |---|---|---|
//! | same order, ties included? | Kendall's [`tau_b`], [`gamma()`] on untied pairs | `kendall`, `gamma` |
//! | same order, the top above all? | [`weighted_tau()`] (Vigna), [`ap_correlation`] (Yilmaz) | `weighted_tau`, `ap` |
//! | same ranks? | Spearman's [`rho`] | `spearman` |
//! | one a power of the other? | [`pearson_log()`] | `pearson_log` |
//! | same first nodes? | [`rank_biased_overlap`], [`top_overlap`] | `rbo`, `overlap` |
//! | same numbers? | [`distances`] | `distance` |
//! | who moves? | [`movers()`] | `movers` |
//! | what is certain? | [`certified()`] | `certified` |
//! | scores or ranks? | [`looks_like_ranks`] | `rank_like` |
//!
//! NaN and infinities are errors that name the row. A coefficient that is undefined (a constant
//! vector, fewer than two rows) is `None`. Everything is O(n log n) or better, parallel, and has
//! the same bits for any number of threads: counts are integers, sums are compensated and added in
//! a fixed order.

pub mod ap;
pub mod certified;
pub mod comparisons;
pub(crate) mod counting;
pub mod distance;
pub mod gamma;
pub mod kendall;
pub mod movers;
pub mod needs;
pub mod overlap;
pub mod pair;
pub mod pearson_log;
pub mod rank_like;
pub mod rbo;
#[cfg(feature = "page")]
pub mod report;
pub mod scalars;
pub mod spearman;
mod sums;
pub mod tables;

pub mod weighted_tau;

pub use ap::{ApCorrelation, ap_correlation};
pub use certified::{BoundedScores, CertifiedAgreement, certified};
pub use comparisons::{
    CompareOptions, Comparison, Comparisons, GivenRanks, NamedScores, compare_columns,
};
pub use distance::{ScoreDistances, distances};
pub use gamma::gamma;
pub use kendall::tau_b;
pub use movers::{Change, Mover, Movers, movers};
pub use overlap::{TopOverlap, top_overlap};
pub use pair::{Pair, PairCounts};
pub use pearson_log::{PearsonLog, pearson_log};
pub use rank_like::{RankKind, RankLike, looks_like_ranks, rank_like};
pub use rbo::{Persistence, RankBiasedOverlap, rank_biased_overlap};
pub use scalars::Scalar;
pub use spearman::rho;
pub use weighted_tau::{Combine, RankBy, Weigher, Weighting, weighted_tau, weighted_tau_by};

pub use webrank_scores::ranking::Ranking;

use webrank_base::error::{Error, Result};
use webrank_base::parallel::tasks;

/// Fails unless both vectors have the same length.
fn check_lengths(x: usize, y: usize) -> Result<()> {
    if x == y {
        return Ok(());
    }
    Err(Error::argument(
        "the number of rows of a vector",
        y,
        format!("join the vectors by key first: the first one has {x}"),
    ))
}

/// Fails unless both vectors have the same length and hold finite numbers.
fn check_scores(x: &[f64], y: &[f64]) -> Result<()> {
    check_lengths(x.len(), y.len())?;
    check_finite("a score", x)?;
    check_finite("a score", y)
}

/// Fails on the first value that is NaN or infinite; `what` names the values.
fn check_finite(what: &'static str, values: &[f64]) -> Result<()> {
    match tasks::first(values.len(), |row| !values[row].is_finite()) {
        Some(row) => Err(Error::not_finite(what, row, values[row])),
        None => Ok(()),
    }
}
