//! The scores that an iteration begins with.

use super::Distribution;
use super::PageRank;
use std::ops::Range;
use std::sync::Arc;
use webrank_base::error::Result;
use webrank_base::parallel::sums::{chained, sum_of_tasks};
use webrank_base::parallel::tasks;
use webrank_scores::parameters::Dangling;

impl PageRank {
    /// Begins with these scores, one for each node, such as those of an earlier version of the graph:
    /// the nearer they are, the fewer sweeps are needed. 0 means that nothing is known of a node,
    /// which begins with what it gets from restarts alone. They are scaled to add up to one, unless
    /// mass is lost in dangling nodes and they add up to less. The certified error does not depend on
    /// them.
    ///
    /// # Errors
    /// If a score is NaN, infinite or negative, or if all are 0.
    pub fn start(self, scores: Vec<f64>) -> Result<Self> {
        let sum: f64 = scores.iter().sum();
        let scaled = Distribution::from_weights(scores.clone())?;
        let start = match scaled {
            // The sum may be too large for a double.
            Distribution::Dense(scaled) if sum > 1.0 => Arc::from(scaled),
            _ => Arc::from(scores),
        };
        let start = Some(start);
        Ok(PageRank { start, ..self })
    }

    /// The scores to begin with.
    pub(super) fn first_scores(&self, n: usize) -> Vec<f64> {
        self.first_scores_of(n, 0..n)
    }

    /// The scores of some nodes to begin with.
    pub(super) fn first_scores_of(&self, n: usize, nodes: Range<usize>) -> Vec<f64> {
        let first = nodes.start;
        let preference = |node| self.preference.weight(node, n);
        match &self.start {
            None => tasks::tabulate(nodes.len(), |index| preference(first + index)),
            Some(start) => {
                let given = |node: usize| match start[node] {
                    0.0 => (1.0 - self.damping.get()) * preference(node),
                    score => score,
                };
                let total = match self.dangling {
                    Dangling::None => 1.0,
                    _ => sum_of_tasks(n, |nodes| chained(nodes.map(given))),
                };
                tasks::tabulate(nodes.len(), |index| given(first + index) / total)
            }
        }
    }
}
