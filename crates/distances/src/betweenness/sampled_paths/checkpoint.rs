//! The counts of sampled paths in a checkpoint.

use super::STAGE;
use super::paths_through::PathsThrough;
use webrank_base::checkpoint::{Stage, StateVisitor};
use webrank_base::error::Result;
use webrank_base::progress::Progress;

impl PathsThrough {
    /// No paths yet, or those in the checkpoint of the run: `most` at most.
    pub fn begin(
        num_nodes: usize,
        most: u64,
        progress: &dyn Progress,
    ) -> Result<(Self, Option<Stage<'_>>)> {
        let mut counts = PathsThrough::new(num_nodes);
        let Some(checkpoint) = progress.checkpoint() else {
            return Ok((counts, None));
        };
        let (stage, found) = checkpoint.begin(STAGE, progress)?;
        if let Some(mut found) = found {
            counts.visit(StateVisitor::Restore(Some(&mut found)), most)?;
            found.end()?;
            progress.resume(counts.samples);
        }
        Ok((counts, Some(stage)))
    }

    /// Writes the counts: 8 bytes per node.
    pub fn keep(&mut self, stage: &Stage) -> Result<()> {
        stage.keep(&format!("path {}", self.samples), |to| {
            self.visit(StateVisitor::Save(Some(to)), u64::MAX)
        })
    }

    fn visit(&mut self, mut visitor: StateVisitor, most: u64) -> Result<()> {
        let [low, high] = [self.squares as u64, (self.squares >> 64) as u64];
        let mut numbers = [self.samples, self.inner, low, high];
        visitor.numbers(&mut numbers)?;
        visitor.numbers(&mut self.through)?;
        let [samples, inner, low, high] = numbers;
        let is_possible = |&count: &u64| count <= samples;
        visitor.check(samples <= most && self.through.iter().all(is_possible))?;
        (self.samples, self.inner) = (samples, inner);
        self.squares = u128::from(high) << 64 | u128::from(low);
        Ok(())
    }
}
