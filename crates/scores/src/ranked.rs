//! The result of a measure: columns of scores, the order of the nodes, and guarantees on both.

use super::intervals::{Intervals, RankRanges};
use super::proved_order::Certainty;
use super::ranking::Ranking;
use super::{Outcome, Run, Scores, Status};
use serde_json::Value;
use std::borrow::Cow;
use std::sync::Arc;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::limits::Tolerance;
use webrank_base::phases::Phases;
use webrank_graph::Graph;
use webrank_tables::text::names::Names;

/// The nodes of a graph, ranked.
///
/// There is one column of scores or several; nodes are ordered by the first. Larger scores come
/// first, and nodes with equal scores share their rank.
pub struct Ranked {
    columns: Vec<(String, Scores)>,
    ranking: Ranking,
    certainty: Option<Certainty>,
    rank_ranges: Option<RankRanges>,
    wanted_positions: Option<usize>,
    tolerance: Option<Tolerance>,
    form: Option<Value>,
    notes: Vec<String>,
    names: Option<Arc<Names>>,
    phases: Phases,
}

impl Ranked {
    /// Ranks the nodes of `graph` by the first of these columns, each with its header.
    ///
    /// # Errors
    /// If a score of the first column is not a number.
    pub fn new(graph: &Graph, columns: Vec<(String, Scores)>, mut phases: Phases) -> Result<Self> {
        let ranking = Ranking::new(columns[0].1.as_slice())?;
        phases.done("rank");
        Ok(Self::in_order(graph, columns, ranking, phases))
    }

    /// [`Self::new`] with a known order.
    pub fn in_order(
        graph: &Graph,
        columns: Vec<(String, Scores)>,
        ranking: Ranking,
        phases: Phases,
    ) -> Self {
        let intervals = columns[0].1.intervals.as_ref();
        Ranked {
            rank_ranges: intervals.map(Intervals::ranks),
            columns,
            ranking,
            certainty: None,
            wanted_positions: None,
            tolerance: None,
            form: None,
            notes: Vec::new(),
            names: graph.shared_names(),
            phases,
        }
    }

    /// The result of one measure: a column `score`.
    ///
    /// # Errors
    /// If a score is not a number.
    pub fn single(graph: &Graph, scores: Scores, phases: Phases) -> Result<Self> {
        Self::new(graph, vec![("score".into(), scores)], phases)
    }

    /// The results of several measures: one column each, named after the measure.
    ///
    /// # Errors
    /// If a score of the first measure is not a number.
    pub fn several(graph: &Graph, scores: Vec<Scores>, phases: Phases) -> Result<Self> {
        let column = |scores: Scores| (scores.run.measure.to_string(), scores);
        Self::new(graph, scores.into_iter().map(column).collect(), phases)
    }

    /// Sets the tolerance that the outcomes had to reach.
    pub fn within(mut self, tolerance: Tolerance) -> Self {
        self.tolerance = Some(tolerance);
        self
    }

    /// Adds which positions are proved, and how many were requested.
    pub fn proved(mut self, certainty: Option<Certainty>, wanted: Option<usize>) -> Self {
        self.certainty = certainty;
        self.wanted_positions = wanted;
        self
    }

    /// Adds the form that the graph was swept in.
    pub fn swept(mut self, form: Value) -> Self {
        self.form = Some(form);
        self
    }

    /// Adds sentences for people: what was chosen and why, what zeros mean.
    pub fn noting(mut self, notes: impl IntoIterator<Item = String>) -> Self {
        self.notes.extend(notes);
        self
    }

    /// Returns itself if every column converged and all requested positions are proved.
    ///
    /// # Errors
    /// [`Error::NotConverged`], [`Error::NotReached`], [`Error::NotProved`] or
    /// [`Error::NotSampled`].
    pub fn converged(self) -> Result<Self> {
        self.check_converged().map(|()| self)
    }

    /// Fails unless every column converged and all requested positions are proved.
    ///
    /// # Errors
    /// As [`converged`](Self::converged).
    pub fn check_converged(&self) -> Result<()> {
        let mut columns = self.columns.iter();
        columns.try_for_each(|(_, scores)| {
            let most = scores.run.parameters.get("max_iterations");
            let most = most.and_then(Value::as_u64);
            self.check(&scores.run.outcome)
                .map_err(|problem| limited(problem, most))
        })
    }

    fn check(&self, outcome: &Outcome) -> Result<()> {
        let tolerance = self.tolerance.unwrap_or_default().get();
        let proved = self.certainty.as_ref().map(Certainty::proved_positions);
        match (outcome, self.wanted_positions.zip(proved)) {
            (
                &Outcome::Iterated {
                    status: Status::NotConverged,
                    iterations,
                    error_bound: bound,
                },
                Some((wanted, proved)),
            ) if bound <= tolerance => Err(Error::NotProved {
                iterations,
                bound,
                wanted,
                proved,
            }),
            _ => outcome.converged(tolerance),
        }
    }

    /// The `count` best nodes, best first: their names (or numbers) and scores.
    pub fn best(&self, count: usize) -> impl Iterator<Item = (Cow<'_, str>, f64)> {
        let order = self.ranking.order().iter().take(count);
        order.map(|&node| (self.name(node), self.values()[node as usize]))
    }

    /// The name of a node, or its number if nodes have no names.
    pub fn name(&self, node: Node) -> Cow<'_, str> {
        match &self.names {
            Some(names) => Cow::Borrowed(names.get(node)),
            None => Cow::Owned(node.to_string()),
        }
    }

    /// The scores that nodes are ordered by: entry x is the score of node x.
    pub fn values(&self) -> &[f64] {
        self.columns[0].1.as_slice()
    }

    /// The measure, the method, and the certainty of the scores that nodes are ordered by.
    pub fn run(&self) -> &Run {
        &self.columns[0].1.run
    }

    /// All columns of scores with their headers.
    pub fn columns(&self) -> &[(String, Scores)] {
        &self.columns
    }

    /// The intervals of the scores that nodes are ordered by, if these are estimates.
    pub fn intervals(&self) -> Option<&Intervals> {
        self.columns[0].1.intervals.as_ref()
    }

    /// The ends of the intervals of all columns, with their headers: `lower` and `upper` for a column
    /// `score`, otherwise `lin_lower` and `lin_upper` for a column `lin`.
    pub fn bounds(&self) -> Vec<(String, &[f64])> {
        bounds_of(&self.columns)
    }

    /// The ranks that the intervals of the first column leave open.
    pub fn rank_ranges(&self) -> Option<&RankRanges> {
        self.rank_ranges.as_ref()
    }

    /// The order of the nodes, and their ranks.
    pub fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    /// Which ranks are proved, for measures that can prove ranks.
    pub fn certainty(&self) -> Option<&Certainty> {
        self.certainty.as_ref()
    }

    /// The form that the graph was swept in.
    pub fn form(&self) -> Option<&Value> {
        self.form.as_ref()
    }

    /// Sentences for people: what was chosen and why, what zeros mean.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// How long the phases took.
    pub fn phases(&self) -> &Phases {
        &self.phases
    }
}

/// The error of an iteration that was allowed `most` sweeps: if it has made far fewer, rounding ended it.
fn limited(problem: Error, most: Option<u64>) -> Error {
    let is_rounding = |iterations: u32| most.is_some_and(|most| 4 * u64::from(iterations) < most);
    match problem {
        Error::NotConverged {
            iterations,
            bound: reached,
            tolerance,
        } if reached.is_finite() && is_rounding(iterations) => Error::RoundingLimit {
            quantity: "error bound",
            reached,
            tolerance,
        },
        Error::NotReached {
            quantity,
            iterations,
            reached,
            tolerance,
        } if reached.is_finite() && is_rounding(iterations) => Error::RoundingLimit {
            quantity,
            reached,
            tolerance,
        },
        other => other,
    }
}

/// The ends of intervals: see [`Ranked::bounds`].
pub(super) fn bounds_of(columns: &[(String, Scores)]) -> Vec<(String, &[f64])> {
    let with_ends = columns.iter().filter_map(|(header, scores)| {
        let prefix = match header.as_str() {
            "score" => String::new(),
            other => format!("{other}_"),
        };
        let intervals = scores.intervals.as_ref()?;
        Some([
            (format!("{prefix}lower"), &intervals.lower[..]),
            (format!("{prefix}upper"), &intervals.upper[..]),
        ])
    });
    with_ends.flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether rounding is what ended a run, of 100 sweeps at most.
    fn is_ended_by_rounding(iterations: u32, reached: f64) -> bool {
        let (bound, tolerance) = (reached, 1e-9);
        let quantity = "residual";
        let problems = [
            Error::NotConverged {
                iterations,
                bound,
                tolerance,
            },
            Error::NotReached {
                quantity,
                iterations,
                reached,
                tolerance,
            },
        ];
        let [one, other] = problems
            .map(|problem| matches!(limited(problem, Some(100)), Error::RoundingLimit { .. }));
        assert_eq!(one, other);
        one
    }

    #[test]
    fn runs_that_end_in_a_quarter_of_their_sweeps_are_ended_by_rounding() {
        assert!(is_ended_by_rounding(24, 0.1));
        assert!(!is_ended_by_rounding(25, 0.1) && !is_ended_by_rounding(100, 0.1));
        assert!(!is_ended_by_rounding(24, f64::INFINITY));
    }
}
