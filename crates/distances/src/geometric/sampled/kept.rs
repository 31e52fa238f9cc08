//! The searches of a sample, one after the other, and their state in a checkpoint.

use super::small_reach::{ExactScores, SmallReach};
use super::spread::{Found, Searches};
use super::sums::Sums;
use crate::geometric::exact::{Exact, Summing};
use crate::geometric::measure::DistanceMeasure;
use crate::reduction::Reduced;
use crate::traversal::bit_parallel::LANES;
use webrank_base::checkpoint::{CheckpointReader, Stage};
use webrank_base::error::Result;
use webrank_base::progress::Progress;

/// The name of the searches in checkpoints.
pub const SAMPLED: &str = "sampled distances";

/// The findings so far.
pub(super) struct State {
    /// By the draws.
    pub(super) found: Found,
    /// By searches from nodes of small reach.
    pub(super) exact: ExactScores,
    /// Whether all of these were searched from.
    is_whole: bool,
}

impl State {
    /// Searches from all draws, and then from nodes of small reach; goes on from what a checkpoint holds.
    pub(super) fn run(
        searches: &Searches,
        exact: &Exact,
        measures: &[&dyn DistanceMeasure],
        progress: &dyn Progress,
    ) -> Result<State> {
        let n = exact.graph.num_nodes();
        let mut state = State {
            found: Found::new(searches),
            exact: ExactScores {
                scores: vec![f64::NAN; n * measures.len()],
                done: 0,
                arcs: 0,
            },
            is_whole: true,
        };
        let (keeping, found) = match progress.checkpoint() {
            None => (None, None),
            Some(checkpoint) => {
                let (keeping, found) = checkpoint.begin(SAMPLED, progress)?;
                (Some(keeping), found)
            }
        };
        if let Some(found) = found {
            state.restore(searches, found)?;
        }
        let count = searches.draws.len();
        progress.begin("sampling", Some(count as u64));
        progress.resume(state.found.done as u64);
        while state.found.done < count {
            let at = format!("search {} of {count}", state.found.done);
            keep(keeping.as_ref(), &at, &mut state.found, &state.exact)?;
            // Without a checkpoint, no thread waits for others.
            let batches = match keeping {
                None => count.div_ceil(LANES),
                Some(_) => rayon::current_num_threads(),
            };
            searches.advance(&mut state.found, batches, progress)?;
        }
        progress.end();
        let small = state.found.with_sums(|found, sums| {
            let summing = Summing::new(measures);
            SmallReach::new(exact, summing, searches.graph, sums, found.arcs)
        });
        progress.begin("searching", Some(small.len() as u64));
        progress.resume(state.exact.done as u64);
        let State { found, exact, .. } = &mut state;
        let keep_exact = |exact: &ExactScores| {
            let at = format!("exact search {} of {}", exact.done, small.len());
            keep(keeping.as_ref(), &at, found, exact)
        };
        small.run(exact, keep_exact, progress)?;
        progress.end();
        state.is_whole = state.exact.done == small.len();
        keeping.map_or(Ok(()), Stage::end)?;
        Ok(state)
    }

    /// A note on nodes of small reach that were not searched from.
    pub(super) fn note(&self, degrees: &[u32], graph: &Reduced) -> Option<String> {
        if self.is_whole {
            return None;
        }
        let known = self.exact.scores[..graph.num_nodes()].iter().zip(degrees);
        let exact = known.filter(|(score, degree)| !score.is_nan() || **degree == 0);
        Some(format!(
            "not all nodes of small reach were searched from, which would take longer than the sample: {} \
             nodes are exact, and others that few nodes reach have wide intervals; more sources help",
            exact.count()
        ))
    }

    fn restore(&mut self, searches: &Searches, mut from: CheckpointReader) -> Result<()> {
        let mut counts = [0u64; 4];
        from.fill(&mut counts)?;
        let classes = searches.graph.quotient().num_nodes();
        let mut sums = Sums::new(classes, searches.scales.len());
        sums.restore(&mut from)?;
        let mut returned = vec![0; searches.draws.len()];
        from.fill(&mut returned)?;
        from.fill(&mut self.exact.scores)?;
        from.end()?;
        let done = (counts[0] as usize).min(searches.draws.len());
        self.found = Found::resumed(done, returned, counts[1], sums);
        (self.exact.done, self.exact.arcs) = (counts[2] as usize, counts[3]);
        Ok(())
    }
}

/// Writes the state if it is due: 136 bytes a class and measure, 8 a node and measure.
fn keep(keeping: Option<&Stage>, at: &str, found: &mut Found, exact: &ExactScores) -> Result<()> {
    let Some(keeping) = keeping.filter(|keeping| keeping.is_due()) else {
        return Ok(());
    };
    found.with_sums(|found, sums| {
        keeping.keep(at, |to| {
            let done = [found.done, exact.done].map(|done| done as u64);
            to.numbers(&[done[0], found.arcs, done[1], exact.arcs])?;
            sums.keep(to)?;
            to.numbers(&found.returned)?;
            to.numbers(&exact.scores)
        })
    })
}
