//! Progress reports and interruption for long computations.

use crate::checkpoint::Checkpoint;
use crate::error::{Error, Result};
use std::sync::{Mutex, PoisonError};

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

    /// After so many sweeps of an iteration, `quantity`, such as `error below`, is `value`.
    fn sweep(&self, sweeps: u64, quantity: &str, value: f64) {
        self.remark(&format!("sweep {sweeps}, {quantity} {value:.1e}"));
    }

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

/// The message of an iteration after a sweep.
#[derive(Debug, Clone, PartialEq)]
pub struct Sweep {
    /// The number of sweeps so far.
    pub sweep: u64,
    /// The name of the value: `error below`, `residual`, `change`.
    pub quantity: String,
    /// How large it is.
    pub value: f64,
}

/// Passes everything on, and keeps what iterations say after each sweep.
pub struct Traced<'a> {
    inner: &'a dyn Progress,
    sweeps: Mutex<Vec<Sweep>>,
}

/// More sweeps are not kept.
const MAX_SWEEPS: usize = 1 << 20;

impl<'a> Traced<'a> {
    /// A listener that also keeps sweeps.
    pub fn new(inner: &'a dyn Progress) -> Self {
        Traced {
            inner,
            sweeps: Mutex::default(),
        }
    }

    /// The first [`MAX_SWEEPS`] sweeps, in their order.
    pub fn sweeps(self) -> Vec<Sweep> {
        self.sweeps
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Progress for Traced<'_> {
    fn begin(&self, phase: &str, total: Option<u64>) {
        self.inner.begin(phase, total);
    }

    fn advance(&self, units: u64) {
        self.inner.advance(units);
    }

    fn resume(&self, units: u64) {
        self.inner.resume(units);
    }

    fn remark(&self, text: &str) {
        self.inner.remark(text);
    }

    fn sweep(&self, sweep: u64, quantity: &str, value: f64) {
        self.inner.sweep(sweep, quantity, value);
        let mut sweeps = self.sweeps.lock().unwrap_or_else(PoisonError::into_inner);
        if sweeps.len() < MAX_SWEEPS {
            let quantity = quantity.to_owned();
            sweeps.push(Sweep {
                sweep,
                quantity,
                value,
            });
        }
    }

    fn announce(&self, text: &str) {
        self.inner.announce(text);
    }

    fn end(&self) {
        self.inner.end();
    }

    fn interrupted(&self) -> bool {
        self.inner.interrupted()
    }

    fn checkpoint(&self) -> Option<&Checkpoint> {
        self.inner.checkpoint()
    }
}
