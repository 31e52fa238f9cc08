//! Checkpoints of an iteration whose state is a vector and some numbers.

use webrank_base::error::Result;
use webrank_cluster::fixed_point::FixedPointVector;
use webrank_cluster::{DistributedVisitor, State};

/// The state of an iteration: numbers that are the same for all workers, and a vector.
pub(super) struct NumberedVector<'v> {
    pub(super) numbers: &'v mut [f64],
    pub(super) x: &'v mut FixedPointVector,
}

impl State for NumberedVector<'_> {
    fn visit(&mut self, visitor: &mut DistributedVisitor) -> Result<()> {
        let mut exponent = [u64::from(self.x.exponent as u32)];
        visitor.same(&mut exponent)?;
        visitor.same(self.numbers)?;
        visitor.of_nodes(&mut self.x.units)?;
        self.x.exponent = exponent[0] as u32 as i32;
        Ok(())
    }
}
