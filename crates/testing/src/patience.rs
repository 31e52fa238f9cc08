//! A user who interrupts a computation that takes much longer than its limit.

use std::sync::atomic::{AtomicU32, Ordering};
use webrank_base::progress::Progress;

/// Interrupts after being asked 2000 times; it is asked about once per sweep.
#[derive(Default)]
pub struct Patience(AtomicU32);

impl Progress for Patience {
    fn interrupted(&self) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed) >= 2000
    }
}
