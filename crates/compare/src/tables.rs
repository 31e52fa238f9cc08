//! Tables of scores, matched by key: their names, their error bounds, and what to say of them.

use super::comparisons::{Comparisons, GivenRanks, NamedScores};
use super::{BoundedScores, comparisons};
use comparisons::{CompareOptions, compare_ranked, rank_columns};
use std::path::Path;
use webrank_base::error::{Error, Result};
use webrank_base::progress::Progress;
use webrank_base::shown::{quoted, shown};
use webrank_base::units::counted_as;
use webrank_scores::guarantee::Guarantee;
use webrank_tables::read::Joined;

/// Tables to compare.
pub struct Tables {
    /// The tables, matched by key.
    pub joined: Joined,
    /// How messages name each table, and the one that gives ranks, if there is one.
    pub labels: Vec<String>,
    /// The name of each column: the table's, and the column's header if the table has several.
    pub names: Vec<String>,
    /// The guarantee of each column, if error bounds count.
    pub guarantees: Option<Vec<Guarantee>>,
    /// The error bound of the scores of each column, if all share one.
    half_widths: Vec<Option<Vec<f64>>>,
}

impl Tables {
    /// Tables with these short names, one for each table that is compared.
    pub fn new(joined: Joined, labels: Vec<String>, names: &[String]) -> Self {
        let tables = names.iter().zip(&joined.columns);
        let names = tables.flat_map(|(name, columns)| {
            columns.iter().map(move |(header, _)| match columns.len() {
                1 => name.clone(),
                _ => format!("{name}:{header}"),
            })
        });
        let names: Vec<String> = names.collect();
        Tables {
            half_widths: vec![None; names.len()],
            joined,
            labels,
            names,
            guarantees: None,
        }
    }

    /// Removes the last table, which is not compared, and ranks by its only column of scores.
    ///
    /// # Errors
    /// If it has several columns.
    pub fn take_ranks(joined: &mut Joined, label: &str) -> Result<GivenRanks> {
        let columns = joined.columns.pop().unwrap_or_default();
        let [(_, scores)] = &columns[..] else {
            let headers: Vec<&str> = columns.iter().map(|(header, _)| header.as_str()).collect();
            return Err(Error::file(
                Path::new(label),
                format!(
                    "ranks must come from one column, not from {}; name that column 'score'",
                    shown(&headers.join(", "))
                ),
            ));
        };
        GivenRanks::new(label, scores)
    }

    /// Takes error bounds from what is guaranteed of each column.
    ///
    /// # Errors
    /// If nothing is guaranteed of any.
    pub fn respecting(mut self, guarantees: Vec<Guarantee>) -> Result<Self> {
        let why = |guarantee: &Guarantee| match guarantee {
            Guarantee::None { why } => Some(why.clone()),
            _ => None,
        };
        let whys: Option<Vec<String>> = guarantees.iter().map(why).collect();
        if let Some(why) = whys.and_then(|whys| whys.into_iter().next()) {
            let remedy = format!(
                "no table has a guarantee to respect (the first: {why}); compare without it, or \
                 with tables that have their manifests (FILE.json) beside them"
            );
            return Err(Error::argument("respect_bounds", "given", remedy));
        }
        let rows = self.joined.keys.len();
        let widths = guarantees.iter().map(|guarantee| match guarantee {
            Guarantee::Exact => Some(vec![0.0; rows]),
            Guarantee::Within { half_width, .. } => Some(vec![*half_width; rows]),
            _ => None,
        });
        self.half_widths = widths.collect();
        self.guarantees = Some(guarantees);
        Ok(self)
    }

    /// The columns of all tables, with their bounds.
    ///
    /// # Errors
    /// If a bound is none, or if there are fewer than two columns.
    pub fn columns(&self) -> Result<Vec<NamedScores<'_>>> {
        let tables = self.joined.columns.iter().zip(&self.joined.intervals);
        let scores = tables.flat_map(|(columns, interval)| {
            let scores = columns.iter();
            scores.map(move |(_, scores)| (scores, interval.as_ref()))
        });
        let named = scores.zip(&self.names).zip(&self.half_widths).enumerate();
        let guarantees = self.guarantees.as_deref();
        let columns = named.map(|(i, (((scores, interval), name), half_widths))| {
            let between =
                matches!(guarantees, Some(g) if matches!(g[i], Guarantee::Between { .. }));
            let bounds = match (half_widths, interval) {
                (Some(half_widths), _) => Some(BoundedScores::new(scores, half_widths)?),
                (None, Some([lower, upper])) if between => {
                    Some(BoundedScores::between(lower, upper)?)
                }
                _ => None,
            };
            Ok(NamedScores {
                name,
                scores,
                bounds,
            })
        });
        let columns: Vec<NamedScores> = columns.collect::<Result<_>>()?;
        match columns.len() {
            0 | 1 => Err(Error::argument(
                "FILES",
                "one column of scores",
                "name two tables or more",
            )),
            _ => Ok(columns),
        }
    }

    /// Compares every pair of columns.
    ///
    /// # Errors
    /// As for [`columns`](Self::columns) and
    /// [`compare_columns`](comparisons::compare_columns); if a column looks like ranks, unless
    /// `ranks_are_scores`.
    pub fn compare<'a>(
        &self,
        columns: &'a [NamedScores<'a>],
        options: CompareOptions,
        ranks_are_scores: bool,
        progress: &dyn Progress,
    ) -> Result<(Vec<super::Ranking>, Comparisons)> {
        let rankings = rank_columns(columns, progress)?;
        let found = compare_ranked(columns, &rankings, options, progress)?;
        if !ranks_are_scores {
            self.refuse_ranks(&found)?;
        }
        Ok((rankings, found))
    }

    /// Fails on the first column of ranks.
    fn refuse_ranks(&self, found: &Comparisons) -> Result<()> {
        let tables = self.labels.iter().zip(&self.joined.columns);
        let columns = tables.flat_map(|(label, columns)| columns.iter().map(move |_| label));
        for (label, column) in columns.zip(&found.columns) {
            if let Some(why) = column.rank_like {
                let name = &column.name;
                let problem = format!(
                    "{name} looks like ranks, not scores ({why}), but larger must be better: \
                     compare the scores, or insist with --ranks-are-scores"
                );
                return Err(Error::file(Path::new(label), problem));
            }
        }
        Ok(())
    }

    /// Sentences for the reader: rows left out, bounds respected.
    pub fn notes(&self) -> Vec<String> {
        let tables = self.labels.iter().zip(&self.joined.unmatched);
        let unmatched = tables.filter_map(|(label, keys)| {
            Some(format!(
                "{label}: {} left out, the first is {}",
                counted_as(
                    keys.len(),
                    "row that another table lacks is",
                    "rows that another table lacks are"
                ),
                quoted(keys.iter().next()?)
            ))
        });
        let guarantees = self.guarantees.iter().flatten();
        let guarantees = self.names.iter().zip(guarantees);
        let guarantees = guarantees.map(|(name, it)| format!("{name}: {}", it.text()));
        unmatched.chain(guarantees).collect()
    }
}
