//! The counts of sampled paths in a checkpoint.

use super::STAGE;
use super::paths_through::PathsThrough;
use webrank_base::checkpoint::Stage;
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
        let (keeping, found) = checkpoint.begin(STAGE, progress)?;
        if let Some(mut found) = found {
            let mut numbers = [0u64; 4];
            found.fill(&mut numbers)?;
            found.fill(&mut counts.through)?;
            let [samples, inner, low, high] = numbers;
            let is_possible = |&count: &u64| count <= samples;
            if samples > most || !counts.through.iter().all(is_possible) {
                return Err(found.damaged());
            }
            (counts.samples, counts.inner) = (samples, inner);
            counts.squares = u128::from(high) << 64 | u128::from(low);
            found.end()?;
            progress.advance(samples);
        }
        Ok((counts, Some(keeping)))
    }

    /// Writes the counts: 8 bytes a node.
    pub fn keep(&self, keeping: &Stage) -> Result<()> {
        keeping.keep(&format!("path {}", self.samples), |to| {
            let [low, high] = [self.squares as u64, (self.squares >> 64) as u64];
            to.numbers(&[self.samples, self.inner, low, high])?;
            to.numbers(&self.through)
        })
    }
}
