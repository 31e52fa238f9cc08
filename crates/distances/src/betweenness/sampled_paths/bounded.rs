//! Estimates from sampled paths, with their intervals and what these prove about the order.

use super::paths_through::{IntervalsByCount, PathsThrough};
use crate::betweenness::{Betweenness, BetweennessMethod};
use ndarray::Array1;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::phases::Phases;
use webrank_graph::Graph;
use webrank_scores::intervals::{Claim, Holds, Intervals};
use webrank_scores::proved_order::Certainty;
use webrank_scores::ranked::Ranked;
use webrank_scores::ranking::Ranking;
use webrank_scores::{Outcome, Scores, Status};

/// Estimates with proved intervals.
#[derive(Debug, Clone)]
pub struct BoundedBetweenness {
    /// Estimates: the share of the paths through each node, on the scale of exact scores. With
    /// probability 1 - delta, all true scores are in their intervals at once; these are [0, 0] for nodes
    /// without arcs in or without arcs out.
    pub scores: Scores,
    /// The number of sampled paths, empty samples (unreachable pairs) included.
    pub samples: u64,
    /// The largest distance between an estimate and an end of its interval, normalised.
    pub epsilon: f64,
    /// The nodes ranked by their estimates.
    pub ranking: Ranking,
    /// Which ranks the intervals prove.
    pub certainty: Certainty,
}

impl BoundedBetweenness {
    /// The estimates from `counts` and their intervals, whose largest error is `epsilon`;
    /// `is_between` says which nodes have both arcs in and arcs out.
    pub(super) fn new(
        params: &Betweenness,
        counts: &PathsThrough,
        intervals: IntervalsByCount,
        epsilon: f64,
        is_between: impl Fn(Node) -> bool,
    ) -> Result<Self> {
        let n = counts.through.len() as f64;
        // No score exceeds the number of pairs of other nodes.
        let most = params.unit(counts.through.len());
        let scale = most * n / (n - 2.0);
        // Without samples all scores are 0, and the scale for two nodes is not a number.
        let scaled = |b: f64| if b > 0.0 { (scale * b).min(most) } else { 0.0 };
        let ends = |count| intervals.interval(count);
        let samples = counts.samples.max(1) as f64;
        let through = counts.through.iter();
        let values: Vec<f64> = through.map(|&c| scaled(c as f64 / samples)).collect();
        let lower: Vec<f64> = counts.through.iter().map(|&c| scaled(ends(c).0)).collect();
        let upper = (0..).zip(&counts.through).map(|(x, &c)| {
            if is_between(x) {
                scaled(ends(c).1)
            } else {
                0.0
            }
        });
        let upper: Vec<f64> = upper.collect();
        let ranking = Ranking::new(&values)?;
        let certainty = Certainty::of_intervals(&ranking, &lower, &upper);
        let is_ordered = params.top.is_some_and(|top| certainty.proves(top));
        let outcome = Outcome::SampledPaths {
            status: Status::of(is_ordered || epsilon <= params.precision.epsilon()),
            paths: counts.samples,
            epsilon,
            delta: params.precision.delta(),
            unit: Some(most),
        };
        let claim = Claim {
            confidence: 1.0 - params.precision.delta(),
            holds: Holds::AllNodes,
            proved: true,
        };
        Ok(BoundedBetweenness {
            scores: Scores {
                values: Array1::from(values),
                run: params.record(BetweennessMethod::Approx, outcome),
                intervals: Some(Intervals {
                    lower,
                    upper,
                    claim,
                }),
            },
            samples: counts.samples,
            epsilon,
            ranking,
            certainty,
        })
    }

    /// The intervals of the scores.
    pub fn intervals(&self) -> &Intervals {
        let intervals = self.scores.intervals.as_ref();
        intervals.expect("all sampled paths give intervals")
    }

    /// The result as a ranking of `graph`, with a note if the requested positions are not proved.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn ranked(self, graph: &Graph, params: &Betweenness, mut phases: Phases) -> Result<Ranked> {
        let proved = self.certainty.proved_positions();
        let unproved = params.top.filter(|&top| !self.certainty.proves(top));
        let note = unproved.map(|top| {
            let wanted = top.min(graph.num_nodes());
            format!(
                "only the first {proved} of {wanted} positions are proved: scores are closer than \
                 epsilon; a smaller epsilon separates more"
            )
        });
        let certainty = params.top.map(|_| self.certainty);
        phases.done("rank");
        let columns = vec![("score".into(), self.scores)];
        Ok(Ranked::in_order(graph, columns, self.ranking, phases)
            .proved(certainty, params.top)
            .noting(note))
    }
}
