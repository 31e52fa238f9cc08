//! The state of many walks in a checkpoint.

use super::{Corrections, Lanes, Long, WIDTH};
use webrank_base::checkpoint::{CheckpointReader, CheckpointWriter};
use webrank_base::error::Result;

impl Lanes<'_> {
    /// Writes the state: 320 bytes a live node at most. Prefix sums follow from corrections.
    pub(crate) fn save(&self, to: &mut CheckpointWriter) -> Result<()> {
        let state = [self.norm, self.norm_of_r, self.unit];
        to.numbers(state.as_flattened())?;
        to.numbers(&[self.relative])?;
        to.numbers(&[self.last_settled])?;
        to.numbers(&self.schedule.place())?;
        to.numbers(self.settled.as_flattened())?;
        to.numbers(self.residual.as_flattened())?;
        to.numbers(self.correction.as_flattened())?;
        to.numbers(self.earlier.as_flattened())
    }

    /// Goes on from what [`Self::save`] has written.
    pub(crate) fn restore(&mut self, from: &mut CheckpointReader) -> Result<()> {
        let mut state: [Long; 3] = [[0.0; WIDTH]; 3];
        from.fill(state.as_flattened_mut())?;
        [self.norm, self.norm_of_r, self.unit] = state;
        let (mut relative, mut settled, mut place) = ([0.0], [0u32], [0; 5]);
        from.fill(&mut relative)?;
        from.fill(&mut settled)?;
        from.fill(&mut place)?;
        [self.relative] = relative;
        self.schedule.go_on(place);
        [self.last_settled] = settled;
        if self.last_settled > self.schedule.sweeps() {
            return Err(from.damaged());
        }
        from.fill(self.settled.as_flattened_mut())?;
        from.fill(self.residual.as_flattened_mut())?;
        let mut correction = std::mem::take(&mut self.correction);
        from.fill(correction.as_flattened_mut())?;
        self.correction.clone_from(&correction);
        self.update(&Corrections::These(&correction));
        let earlier = from.list(self.settled.len() * WIDTH)?;
        self.earlier = earlier.as_chunks().0.to_vec();
        let is_whole = self.earlier.is_empty() || self.earlier.len() == self.settled.len();
        match is_whole {
            true => Ok(()),
            false => Err(from.damaged()),
        }
    }
}
