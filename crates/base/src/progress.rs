//! Progress reports and interruption for long computations.

use crate::checkpoint::Checkpoint;
use crate::error::{Error, Result};

/// A listener for long computations. The library calls it from any thread, and from several at a
/// time.
pub trait Progress: Sync {
    /// A phase begins; `total` is the number of units it will take, when known.
    fn begin(&self, _phase: &str, _total: Option<u64>) {}

    /// `units` more of the phase's total are done.
    fn advance(&self, _units: u64) {}

    /// `units` of the phase's total were done by an earlier run: they take no time of this one.
    fn resume(&self, units: u64) {
        self.advance(units);
    }

    /// A short remark on the state of the phase, such as the error bound reached.
    fn remark(&self, _text: &str) {}

    /// A sentence that users should see before long work begins, such as how long it will take.
    fn announce(&self, _text: &str) {}

    /// The phase is over.
    fn end(&self) {}

    /// True once the user asked to stop; computations poll it between units.
    fn interrupted(&self) -> bool {
        false
    }

    /// Where the state of the run is kept, if it is.
    #[doc(hidden)]
    fn checkpoint(&self) -> Option<&Checkpoint> {
        None
    }

    /// [`Error::Interrupted`] once the user asked to stop.
    fn check(&self) -> Result<()> {
        if self.interrupted() {
            Err(Error::Interrupted)
        } else {
            Ok(())
        }
    }
}

/// A listener that hears nothing and never interrupts.
pub struct Silent;

impl Progress for Silent {}

/// Passes interruptions on, and nothing else: for work whose progress is not shown, and whose state is
/// not kept.
pub struct Unheard<'a>(pub &'a dyn Progress);

impl Progress for Unheard<'_> {
    fn interrupted(&self) -> bool {
        self.0.interrupted()
    }
}
