//! Checkpoints of an iteration whose state is a vector and some numbers.

use webrank_base::checkpoint::{CheckpointReader, CheckpointWriter, Stage};
use webrank_base::error::Result;
use webrank_base::progress::Progress;
use webrank_cluster::fixed_point::FixedPointVector;
use webrank_cluster::{DistributedReader, DistributedWriter, Exchange};

/// The checkpoint of an iteration, if the run has one; worker 0 has the file.
pub(super) struct KeptVector<'p> {
    keeping: Option<Stage<'p>>,
    is_kept: bool,
}

impl<'p> KeptVector<'p> {
    /// Begins a stage, if it is one, and takes up the state that the checkpoint holds, if it holds one.
    ///
    /// # Errors
    /// If what it holds cannot be read, or is of other work; if another worker fails.
    pub(super) fn begin(
        stage: Option<&str>,
        exchange: &mut Exchange,
        progress: &'p dyn Progress,
        numbers: &mut [f64],
        x: &mut FixedPointVector,
    ) -> Result<Self> {
        let (mut keeping, mut found) = (None, None);
        if let (Some(stage), Some(checkpoint)) = (stage, progress.checkpoint()) {
            let (begun, state) = checkpoint.begin(stage, progress)?;
            (keeping, found) = (Some(begun), state);
        }
        let is_kept = exchange.is_for_first(keeping.is_some())?;
        if is_kept && exchange.is_for_first(found.is_some())? {
            let from = found.as_mut();
            let mut among = DistributedReader {
                from,
                exchange,
                some: None,
            };
            let mut exponent = [0u64];
            among.same(&mut exponent)?;
            among.same(numbers)?;
            among.of_nodes(&mut x.units)?;
            x.exponent = exponent[0] as u32 as i32;
            found.map(CheckpointReader::end).transpose()?;
        }
        Ok(KeptVector { keeping, is_kept })
    }

    /// Writes the state, if that is due; `at` says where the run is.
    ///
    /// # Errors
    /// As for [`Stage::keep`]; if another worker fails.
    pub(super) fn keep(
        &self,
        at: &str,
        exchange: &mut Exchange,
        numbers: &[f64],
        x: &FixedPointVector,
    ) -> Result<()> {
        let is_due = self.keeping.as_ref().is_some_and(Stage::is_due);
        if !self.is_kept || !exchange.is_for_first(is_due)? {
            return Ok(());
        }
        let save = |to: Option<&mut CheckpointWriter>, exchange: &mut Exchange| {
            let mut among = DistributedWriter {
                to,
                exchange,
                some: None,
            };
            among.same(&[u64::from(x.exponent as u32)])?;
            among.same(numbers)?;
            among.of_nodes(&x.units)
        };
        match &self.keeping {
            Some(keeping) => keeping.keep(at, |to| save(Some(to), exchange)),
            None => save(None, exchange),
        }
    }

    /// Ends the stage.
    ///
    /// # Errors
    /// As for [`Stage::end`].
    pub(super) fn end(self) -> Result<()> {
        self.keeping.map_or(Ok(()), Stage::end)
    }
}
