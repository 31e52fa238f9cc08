//! What is kept between two sweeps: the same for scores in memory, in files, or of several workers.
//!
//! Lists have an entry for each node. Those of dangling nodes are not read.

use super::FixedPointScores;
use webrank_base::checkpoint::{CheckpointReader, CheckpointWriter};
use webrank_base::error::Result;
use webrank_base::file_vector::FileVector;
use webrank_cluster::{DistributedReader, DistributedWriter};

impl FixedPointScores<'_> {
    /// 32 bytes a node at most.
    pub(in super::super) fn save(&mut self, to: &mut DistributedWriter) -> Result<()> {
        to.same(&[self.largest, self.most, self.error])?;
        to.of_nodes(&self.scores)?;
        self.extrapolation.save(to)
    }

    /// The same for scores in a file.
    pub(in super::super) fn save_in_file(
        &self,
        scores: &FileVector<f64>,
        to: &mut CheckpointWriter,
    ) -> Result<()> {
        to.numbers(&[self.largest, self.most, self.error])?;
        scores.save(to)?;
        self.extrapolation.save_in_file(to)
    }

    /// Goes on from what [`Self::save_in_file`] has written, or [`Self::save`].
    pub(in super::super) fn restore_in_file(
        &mut self,
        scores: &FileVector<f64>,
        from: &mut CheckpointReader,
    ) -> Result<()> {
        let mut numbers = [0.0; 3];
        from.fill(&mut numbers)?;
        [self.largest, self.most, self.error] = numbers;
        scores.restore(from)?;
        self.extrapolation.restore_in_file(from)
    }

    /// Goes on from what [`Self::save`] has written.
    pub(in super::super) fn restore(&mut self, from: &mut DistributedReader) -> Result<()> {
        let mut numbers = [0.0; 3];
        from.same(&mut numbers)?;
        [self.largest, self.most, self.error] = numbers;
        from.of_nodes(&mut self.scores)?;
        self.extrapolation.restore(from)
    }
}
