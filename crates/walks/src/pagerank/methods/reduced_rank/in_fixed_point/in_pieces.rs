//! Extrapolation of scores in files, of which pieces are in memory.

use super::{ChangeHistory, Extrapolation, ExtrapolationSchedule, Norms, RESIDUALS, go_back};
use std::sync::Arc;
use webrank_base::checkpoint::{CheckpointReader, CheckpointWriter};
use webrank_base::error::Result;
use webrank_base::file_vector::FileVector;
use webrank_base::output::{SpillBudget, TemporaryFolder};
use webrank_cluster::Exchange;

impl Extrapolation {
    /// For the scores of all nodes, of which a piece of so many comes at a time ([`Self::put`]).
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(in super::super::super) fn in_pieces(
        num_nodes: usize,
        piece: usize,
        folder: &Arc<TemporaryFolder>,
    ) -> Result<Self> {
        let changes = ChangeHistory::in_pieces(num_nodes, piece, Some(folder.clone()));
        Ok(Extrapolation {
            changes,
            is_in_pieces: true,
            ..Self::new(num_nodes, 0, &SpillBudget::in_memory())?
        })
    }

    /// Begins the change of a sweep.
    ///
    /// # Errors
    /// If its file cannot be made.
    pub(in super::super::super) fn begin(&mut self) -> Result<()> {
        self.changes.begin()
    }

    /// Writes the change of the nodes of a piece.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(in super::super::super) fn put(&self, first: usize, moved: &[f32]) -> Result<()> {
        self.changes.put(first, moved)
    }

    /// [`Self::apply`] for scores in a file.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub(in super::super::super) fn apply_in_file(
        &mut self,
        scores: &FileVector<f64>,
        error: f64,
    ) -> Result<f64> {
        let Some((back, moved)) = self.combination(error, &mut Exchange::alone())? else {
            return Ok(0.0);
        };
        let ranges = self.changes.ranges();
        let written = self.changes.map(ranges, |range, changes| {
            let mut part = vec![0.0; range.len()];
            scores.next(range.start, &mut part)?;
            go_back(&mut part, back, changes);
            scores.put(range.start, &part)
        })?;
        written.into_iter().collect::<Result<()>>()?;
        self.clear();
        Ok(moved)
    }

    /// [`Self::save`] for changes in files, which are not in memory.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub(in super::super::super) fn save_in_file(&self, to: &mut CheckpointWriter) -> Result<()> {
        to.numbers(&self.cycle.place())?;
        let norms = self.norms.iter();
        let norms: Vec<f64> = norms.flat_map(|norms| [norms.sum, norms.largest]).collect();
        to.numbers(&[self.changes.len() as u32])?;
        to.numbers(&norms)?;
        for place in 0..self.changes.len() {
            to.begin::<f32>(self.changes.count() as u64)?;
            self.changes
                .for_parts(place, |part| to.append(part.iter().copied()).map(|_| ()))?;
        }
        Ok(())
    }

    /// Goes on from what [`Self::save_in_file`] has written, or [`Self::save`].
    ///
    /// # Errors
    /// If it cannot be read, or is not what was written.
    pub(in super::super::super) fn restore_in_file(
        &mut self,
        from: &mut CheckpointReader,
    ) -> Result<()> {
        let (mut place, mut count) = ([0u32; 3], [0u32]);
        from.fill(&mut place)?;
        from.fill(&mut count)?;
        let [count] = count.map(|count| count as usize);
        let cycle = ExtrapolationSchedule::at(place).filter(|_| count <= RESIDUALS);
        self.cycle = cycle.ok_or_else(|| from.damaged())?;
        let mut norms = vec![0.0; 2 * count];
        from.fill(&mut norms)?;
        let (norms, _) = norms.as_chunks();
        self.clear();
        for &[sum, largest] in norms {
            if from.begin::<f32>()? != self.changes.count() {
                return Err(from.damaged());
            }
            self.changes.begin()?;
            for range in self.changes.ranges() {
                self.moved.resize(range.len(), 0.0);
                from.fill_begun(&mut self.moved)?;
                self.changes.put(range.start, &self.moved)?;
            }
            self.changes.keep_begun();
            self.norms.push_back(Norms { sum, largest });
        }
        self.moved = Vec::new();
        Ok(())
    }
}
