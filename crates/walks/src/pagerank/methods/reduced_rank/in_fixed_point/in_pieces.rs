//! Extrapolation of scores in files, of which pieces are in memory.

use super::{ChangeHistory, Extrapolation, go_back};
use std::sync::Arc;
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
        exchange: &mut Exchange,
    ) -> Result<f64> {
        let Some((back, moved)) = self.combination(error, exchange)? else {
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
}
