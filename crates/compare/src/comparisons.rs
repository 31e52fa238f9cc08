//! All coefficients of all pairs of several score vectors, ready to be written as JSON, CSV,
//! terminal matrix or report.
//!
//! Every vector is sorted once, and every pair is prepared once ([`Ranking`], [`Pair`]).
//! Coefficients that are undefined for a pair are none, never NaN. Sorting m vectors costs O(m n
//! log n), and comparing all pairs O(m^2 n log n). Memory per row: 12 bytes for each vector, and 40
//! more while a pair is compared (150 with error bounds).

use serde::Serialize;

use super::certified::{BoundedScores, CertifiedAgreement, certified};
use super::distance::{ScoreDistances, distances};
use super::movers::{Change, Movers, movers};
use super::overlap::{TopOverlap, powers_of_ten, top_overlap};
use super::pair::PairCounts;
use super::pearson_log::{PearsonLog, pearson_log};
use super::rank_like::{RankLike, rank_like};
use super::rbo::{Persistence, RankBiasedOverlap, rank_biased_overlap};
use super::weighted_tau::{Weighting, weighted_tau, weighted_tau_by};
use super::{ApCorrelation, Pair, Ranking, ap_correlation, gamma, rho, tau_b};
use webrank_base::error::{Error, Result};
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;

/// A named vector of scores; row i is the same node in every column.
#[derive(Debug, Clone, Copy)]
pub struct NamedScores<'a> {
    /// Its name in messages and reports.
    pub name: &'a str,
    /// The scores: larger is better.
    pub scores: &'a [f64],
    /// The error bounds of the scores; none if they are taken as exact.
    pub bounds: Option<BoundedScores<'a>>,
}

/// Options of the comparison.
#[derive(Debug, Clone, Serialize)]
pub struct CompareOptions {
    /// The weighted tau.
    pub weighting: Weighting,
    /// Ranks for the weighted tau, in place of those that `weighting` selects.
    pub ranks: Option<GivenRanks>,
    /// The persistence of rank-biased overlap.
    pub persistence: Persistence,
    /// Sizes k of top-k overlaps; if empty, 10, 100, 1000, ... below n.
    pub top: Vec<usize>,
    /// How many climbers and fallers to list.
    pub movers: usize,
    /// How a change of rank is measured.
    pub change: Change,
}

impl Default for CompareOptions {
    fn default() -> Self {
        Self {
            weighting: Weighting::default(),
            ranks: None,
            persistence: Persistence::default(),
            top: Vec::new(),
            movers: 10,
            change: Change::default(),
        }
    }
}

/// Ranks for the weighted tau from a vector that is not compared.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GivenRanks {
    /// Its name.
    pub name: String,
    /// The rank of each row of the columns, from 0.
    #[serde(skip)]
    pub ranks: Vec<u32>,
}

impl GivenRanks {
    /// Ranks each row, from 0, by the number of rows with a larger score.
    ///
    /// # Errors
    /// As [`Ranking::new`].
    pub fn new(name: &str, scores: &[f64]) -> Result<Self> {
        let ranking = Ranking::new(scores)?;
        let rows = 0..scores.len() as u32;
        Ok(GivenRanks {
            name: name.to_owned(),
            ranks: rows
                .filter_map(|row| Some(ranking.rank(row)? - 1))
                .collect(),
        })
    }
}

/// All comparisons of the columns.
#[derive(Debug, Clone, Serialize)]
pub struct Comparisons {
    /// Number of rows of each column.
    pub rows: u64,
    /// The options that they were computed with.
    pub options: CompareOptions,
    /// The columns, in the order given.
    pub columns: Vec<ColumnSummary>,
    /// Every pair of columns x < y, in lexicographic order.
    pub comparisons: Vec<Comparison>,
}

/// A column on its own.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ColumnSummary {
    /// Its name.
    pub name: String,
    /// Number of different scores.
    pub distinct: u64,
    /// Pairs of rows with equal scores.
    pub tied_pairs: u64,
    /// Why the column looks like ranks instead of scores, if it does.
    pub rank_like: Option<RankLike>,
}

/// The coefficients of two columns.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// Index of the first column.
    pub x: usize,
    /// Index of the second column.
    pub y: usize,
    /// Concordant, discordant and tied pairs of rows.
    pub counts: PairCounts,
    /// Kendall's tau-b.
    pub tau_b: Option<f64>,
    /// Vigna's weighted tau.
    pub weighted_tau: Option<f64>,
    /// Spearman's rho.
    pub rho: Option<f64>,
    /// Pearson's correlation of the logarithms.
    pub pearson_log: PearsonLog,
    /// Goodman and Kruskal's gamma.
    pub gamma: Option<f64>,
    /// AP correlation.
    pub ap: ApCorrelation,
    /// Rank-biased overlap.
    pub rbo: Option<RankBiasedOverlap>,
    /// Overlaps of the best nodes.
    pub top: Vec<TopOverlap>,
    /// Distances of the normalised scores.
    pub distances: Option<ScoreDistances>,
    /// The nodes that move most from x to y.
    pub movers: Movers,
    /// The certified comparison within error bounds; none if both columns are exact.
    pub certified: Option<CertifiedAgreement>,
}

/// Up to so many rows, pairs are compared side by side; above, one after the other, each with all
/// threads.
pub(super) const PARALLEL_ROWS: usize = 1 << 14;

/// Compares every pair of columns.
///
/// # Errors
/// [`Error::Argument`] if the columns differ in length, [`Error::NotFinite`] if a score is NaN or
/// infinite (the message names the row), [`Error::Interrupted`] if the user stops the run.
pub fn compare_columns(
    columns: &[NamedScores],
    options: CompareOptions,
    progress: &dyn Progress,
) -> Result<Comparisons> {
    compare_ranked(
        columns,
        &rank_columns(columns, progress)?,
        options,
        progress,
    )
}

/// The ranking of every column, for [`compare_ranked`] and other readers.
///
/// # Errors
/// As [`compare_columns`].
pub fn rank_columns(columns: &[NamedScores], progress: &dyn Progress) -> Result<Vec<Ranking>> {
    progress.begin("ranking", Some(columns.len() as u64));
    let mut rankings = Vec::with_capacity(columns.len());
    for column in columns {
        progress.check()?;
        super::check_finite("a score", column.scores)?;
        rankings.push(Ranking::new(column.scores)?);
        progress.advance(1);
    }
    progress.end();
    Ok(rankings)
}

/// Compares every pair of columns, whose `rankings` are known.
///
/// # Errors
/// As [`compare_columns`].
pub fn compare_ranked(
    columns: &[NamedScores],
    rankings: &[Ranking],
    options: CompareOptions,
    progress: &dyn Progress,
) -> Result<Comparisons> {
    let rows = columns.first().map_or(0, |column| column.scores.len());
    for column in columns {
        super::check_lengths(rows, column.scores.len())?;
    }
    if columns.len() != rankings.len() {
        return Err(Error::argument(
            "the number of rankings",
            rankings.len(),
            format!("give one for each of the {} columns", columns.len()),
        ));
    }
    let pairs = columns.len() * columns.len().saturating_sub(1) / 2;
    progress.begin("comparing", Some(pairs as u64));
    let mut comparisons: Vec<Comparison> = Vec::new();
    let reserved = comparisons.try_reserve_exact(pairs);
    let bytes = (pairs as u64).saturating_mul(size_of::<Comparison>() as u64);
    reserved.map_err(|_| Error::memory("the coefficients of all pairs", bytes))?;
    for x in 0..columns.len() {
        let others = x + 1..columns.len();
        if rows <= PARALLEL_ROWS {
            progress.check()?;
            let pair = |y| compare([x, y], columns, rankings, &options);
            let count = others.len() as u64;
            comparisons.extend(tasks::try_map(others, pair)?);
            progress.advance(count);
            continue;
        }
        for y in others {
            progress.check()?;
            comparisons.push(compare([x, y], columns, rankings, &options)?);
            progress.advance(1);
        }
    }
    progress.end();
    let summaries = columns
        .iter()
        .zip(rankings)
        .map(|(column, ranking)| ColumnSummary {
            name: column.name.to_owned(),
            distinct: ranking.num_classes() as u64,
            tied_pairs: ranking.tied_pairs(),
            rank_like: rank_like(column.scores),
        });
    Ok(Comparisons {
        rows: rows as u64,
        columns: summaries.collect(),
        comparisons,
        options,
    })
}

fn compare(
    [x, y]: [usize; 2],
    columns: &[NamedScores],
    rankings: &[Ranking],
    options: &CompareOptions,
) -> Result<Comparison> {
    let (scores_x, scores_y) = (columns[x].scores, columns[y].scores);
    let (ranking_x, ranking_y) = (&rankings[x], &rankings[y]);
    let pair = Pair::new(ranking_x, ranking_y)?;
    let sizes = if options.top.is_empty() {
        powers_of_ten(pair.len())
    } else {
        options.top.clone()
    };
    let (counts, tau_b, gamma) = (*pair.counts(), tau_b(&pair), gamma(&pair));
    let weighted_tau = match &options.ranks {
        Some(given) => weighted_tau_by(&pair, options.weighting.weigher, &given.ranks)?,
        None => weighted_tau(&pair, options.weighting),
    };
    let ap = ap_correlation(&pair);
    let rho = rho(&pair);
    drop(pair);
    Ok(Comparison {
        x,
        y,
        counts,
        tau_b,
        weighted_tau,
        rho,
        pearson_log: pearson_log(scores_x, scores_y)?,
        gamma,
        ap,
        rbo: rank_biased_overlap(ranking_x, ranking_y, options.persistence)?,
        top: sizes
            .into_iter()
            .map(|k| top_overlap(ranking_x, ranking_y, k))
            .collect::<Result<_>>()?,
        distances: distances(scores_x, scores_y)?,
        movers: movers(ranking_x, ranking_y, options.change, options.movers)?,
        certified: compare_within_bounds(columns[x], columns[y])?,
    })
}

fn compare_within_bounds(x: NamedScores, y: NamedScores) -> Result<Option<CertifiedAgreement>> {
    if x.bounds.is_none() && y.bounds.is_none() {
        return Ok(None);
    }
    let exact = vec![0.0; x.scores.len()];
    let bounded_x = x
        .bounds
        .map_or_else(|| BoundedScores::new(x.scores, &exact), Ok)?;
    let bounded_y = y
        .bounds
        .map_or_else(|| BoundedScores::new(y.scores, &exact), Ok)?;
    certified(bounded_x, bounded_y).map(Some)
}

impl Comparisons {
    /// The comparison of two different columns, in either order; `x` and `y` inside it are in the
    /// order of the columns.
    pub fn comparison(&self, a: usize, b: usize) -> Option<&Comparison> {
        let key = (a.min(b), a.max(b));
        self.comparisons
            .binary_search_by_key(&key, |comparison| (comparison.x, comparison.y))
            .ok()
            .map(|index| &self.comparisons[index])
    }
}
