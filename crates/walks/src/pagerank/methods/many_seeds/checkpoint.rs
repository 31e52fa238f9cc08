//! The state of many walks in a checkpoint.

use super::{Corrections, Lanes, WIDTH};
use std::slice;
use webrank_base::checkpoint::StateVisitor;
use webrank_base::error::Result;

impl Lanes<'_> {
    /// Writes the state to a checkpoint, or takes it from there: 320 bytes per live node at most. Prefix sums
    /// follow from corrections.
    pub(crate) fn visit(&mut self, visitor: &mut StateVisitor) -> Result<()> {
        let (mut state, mut place) = (
            [self.norm, self.norm_of_r, self.unit],
            self.schedule.place(),
        );
        visitor.numbers(state.as_flattened_mut())?;
        visitor.numbers(slice::from_mut(&mut self.relative))?;
        visitor.numbers(slice::from_mut(&mut self.last_settled))?;
        visitor.numbers(&mut place)?;
        [self.norm, self.norm_of_r, self.unit] = state;
        self.schedule.go_on(place);
        visitor.check(self.last_settled <= self.schedule.sweeps())?;
        visitor.numbers(self.settled.as_flattened_mut())?;
        visitor.numbers(self.residual.as_flattened_mut())?;
        visitor.numbers(self.correction.as_flattened_mut())?;
        if !visitor.is_restoring() {
            return visitor.numbers(self.earlier.as_flattened_mut());
        }
        let correction = self.correction.clone();
        self.update(&Corrections::These(&correction));
        let (mut earlier, most) = (Vec::new(), self.settled.len() * WIDTH);
        visitor.list(&mut earlier, most)?;
        visitor.check(earlier.is_empty() || earlier.len() == most)?;
        self.earlier = earlier.as_chunks().0.to_vec();
        Ok(())
    }
}
