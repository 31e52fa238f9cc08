//! Rankings whose scores and ranks are in files, for graphs with more nodes than fit into memory.
//!
//! * `sort`: sorts more than fits into memory;
//! * `order`: the order of the nodes, their ranks, and which of these are proved;
//! * `pages`: entries of files, for tables;
//! * `rows`: their tables, manifests and summaries.

mod order;
mod pages;
mod rows;
mod sort;

use super::proved_order::Proof;
use super::ranked_rows::Place;
use super::{Outcome, Run, Status};
use order::Ranks;
pub use order::{least_bytes, most_bytes};
use pages::{Failed, Pages};
use serde_json::Value;
use std::sync::Arc;
use webrank_base::error::{Error, Result};
use webrank_base::file_vector::FileVector;
use webrank_base::limits::Tolerance;
use webrank_base::output::TemporaryFolder;
use webrank_base::phases::Phases;
use webrank_base::progress::Progress;

/// The nodes of a graph, ranked, in files: one column of scores, the larger the better.
pub struct ExternalRanking {
    /// The measure, the method, and the certainty.
    pub run: Run,
    /// The form that the graph was swept in.
    pub form: Value,
    /// Sentences for people.
    pub notes: Vec<String>,
    /// How long the phases took.
    pub phases: Phases,
    tolerance: Tolerance,
    scores: FileVector<f64>,
    ranks: Ranks,
    failed: Failed,
}

impl ExternalRanking {
    /// Ranks nodes by their scores, whose l1 error is at most `bound`. O(n log n); about `bytes` in
    /// memory.
    ///
    /// # Errors
    /// If files cannot be read or written, or if the user interrupts.
    pub fn new(
        scores: FileVector<f64>,
        run: Run,
        tolerance: Tolerance,
        bytes: u64,
        folder: &Arc<TemporaryFolder>,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let bound = match run.outcome {
            Outcome::Iterated { error_bound, .. } => error_bound,
            _ => f64::INFINITY,
        };
        let proof = Proof::within(bound);
        Ok(ExternalRanking {
            ranks: Ranks::new(&scores, proof, bytes, folder, progress)?,
            run,
            form: Value::Null,
            notes: Vec::new(),
            phases: Phases::start(),
            tolerance,
            scores,
            failed: Failed::default(),
        })
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.scores.len()
    }

    /// True if there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Fails unless the tolerance was reached.
    ///
    /// # Errors
    /// [`Error::NotConverged`].
    pub fn check_converged(&self) -> Result<()> {
        match self.run.outcome {
            Outcome::Iterated {
                status: Status::NotConverged,
                iterations,
                error_bound,
            } => Err(Error::NotConverged {
                iterations,
                bound: error_bound,
                tolerance: self.tolerance.get(),
            }),
            _ => Ok(()),
        }
    }

    /// The node at each position, best first, with its score and rank.
    pub fn by_position(&self) -> impl Fn(usize) -> Place + Sync {
        let pages = Pages::of(&self.ranks.places, &self.failed);
        move |position| order::place(pages.get(position))
    }

    /// The score of each node.
    pub fn scores(&self) -> impl Fn(usize) -> f64 + Sync {
        let pages = Pages::of(&self.scores, &self.failed);
        move |node| pages.get(node)
    }

    /// The rank of each node, and whether it is proved.
    pub fn ranks(&self) -> impl Fn(usize) -> (u32, bool) + Sync {
        let pages = Pages::of(&self.ranks.of_nodes, &self.failed);
        move |node| {
            let [rank, certain] = pages.get(node);
            (rank, certain == 1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proved_order::Certainty;
    use crate::ranked_rows::RankedRows;
    use crate::ranking::Ranking;
    use proptest::prelude::*;
    use webrank_base::progress::Silent;

    fn ranked(scores: &[f64], bound: f64, bytes: u64) -> ExternalRanking {
        let folder = tempfile::tempdir().unwrap();
        let folder = Arc::new(TemporaryFolder::create(folder.path()).unwrap());
        let vector = FileVector::zeros(&folder, scores.len()).unwrap();
        vector.write(0, scores).unwrap();
        let run = Run {
            measure: "pagerank",
            method: "power",
            parameters: Default::default(),
            outcome: Outcome::Iterated {
                status: Status::Converged,
                iterations: 1,
                error_bound: bound,
            },
        };
        ExternalRanking::new(vector, run, Tolerance::default(), bytes, &folder, &Silent).unwrap()
    }

    proptest! {
        #[test]
        fn ranks_are_those_in_memory(
            scores in prop::collection::vec(prop_oneof![Just(0.0), Just(0.5), 0.0..1.0f64], 0..200),
            bound in prop_oneof![Just(0.0), Just(0.01)],
            bytes in prop_oneof![Just(0u64), 100..10_000u64],
        ) {
            let found = ranked(&scores, bound, bytes);
            let ranking = Ranking::new(&scores).unwrap();
            let certainty = Certainty::new(&ranking, &scores, bound, |_, _| false);
            prop_assert_eq!(found.proved_positions(), Some(certainty.proved_positions()));
            let (of_node, score, at) = (found.ranks(), found.scores(), found.by_position());
            for (position, &node) in ranking.order().iter().enumerate() {
                let node = node as usize;
                let expected = (ranking.ranks()[node], certainty.certain()[node]);
                prop_assert_eq!((of_node(node), score(node)), (expected, scores[node]));
                let place = at(position);
                prop_assert_eq!((place.rank, place.is_certain), expected);
                prop_assert_eq!((place.node as usize, place.score), (node, scores[node]));
            }
            prop_assert_eq!(found.places(3).len(), scores.len().min(3));
            found.check_read().unwrap();
        }
    }
}
