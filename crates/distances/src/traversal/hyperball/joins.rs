//! How registers, or the lanes of searches, are joined.

use super::counters::Tally;

/// How the numbers of a node and of its neighbours are joined, byte by byte.
pub(super) trait Joins: Send + Sync {
    /// The change of a node in a step.
    type Change: Copy + Default + Send + Sync;

    /// Joins others to those of a node.
    fn join(own: &mut [u8], others: &[u8]);

    /// The change between two states.
    fn change(before: &[u8], after: &[u8]) -> Self::Change;

    /// The changes of two steps together.
    fn both(one: Self::Change, other: Self::Change) -> Self::Change;
}

/// The largest registers.
pub(super) struct Largest;

impl Joins for Largest {
    type Change = Tally;

    #[inline]
    fn join(own: &mut [u8], others: &[u8]) {
        for (ours, &theirs) in own.iter_mut().zip(others) {
            *ours = (*ours).max(theirs);
        }
    }

    fn change(before: &[u8], after: &[u8]) -> Tally {
        Tally::fall(before, after)
    }

    fn both(one: Tally, other: Tally) -> Tally {
        one.plus(other)
    }
}
