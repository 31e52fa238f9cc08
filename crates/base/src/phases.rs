//! How long the phases of a run took.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::time::Instant;

/// Seconds of each phase of a run, in order.
#[derive(Debug, Clone, Serialize)]
#[serde(transparent)]
pub struct Phases {
    phases: Vec<Phase>,
    #[serde(skip)]
    last: Instant,
}

/// A phase that is over.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Phase {
    /// The name: `load`, `iterate`.
    pub phase: Cow<'static, str>,
    /// How long it took.
    pub seconds: f64,
}

impl Phases {
    /// Begins the first phase.
    pub fn start() -> Self {
        Phases {
            phases: Vec::new(),
            last: Instant::now(),
        }
    }

    /// Records the time since the last call as `phase`, and begins the next one.
    pub fn done(&mut self, phase: &'static str) {
        let seconds = self.last.elapsed().as_secs_f64();
        self.phases.push(Phase {
            phase: phase.into(),
            seconds,
        });
        self.last = Instant::now();
    }

    /// The phases so far.
    pub fn all(&self) -> &[Phase] {
        &self.phases
    }
}
