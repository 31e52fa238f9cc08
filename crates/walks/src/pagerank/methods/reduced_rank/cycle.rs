//! When iterates are combined, and in which norm.

/// Sweeps between combinations.
pub(crate) const CYCLE: u32 = 7;

/// Counts sweeps and plans combinations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ExtrapolationSchedule {
    /// Sweeps since the last restart, and how many precede a combination.
    sweeps: u32,
    wait: u32,
    /// Whether the last combination was rejected, and the norm of the next has weights.
    weighted: bool,
}

impl ExtrapolationSchedule {
    pub(super) fn new() -> Self {
        ExtrapolationSchedule {
            sweeps: 0,
            wait: CYCLE,
            weighted: false,
        }
    }

    pub(super) fn is_weighted(&self) -> bool {
        self.weighted
    }

    /// Counts a sweep.
    pub(super) fn count(&mut self) {
        self.sweeps += 1;
    }

    pub(super) fn restart(&mut self) {
        self.sweeps = 0;
    }

    /// Whether it is time to combine.
    pub(super) fn is_due(&self) -> bool {
        self.sweeps >= self.wait
    }

    /// A combination was used.
    pub(super) fn accept(&mut self) {
        *self = ExtrapolationSchedule::new();
    }

    /// A combination was no better. True if the next one is due after a sweep, with the iterates of this
    /// one: it will be the best in the other norm.
    pub(super) fn reject(&mut self) -> bool {
        if self.weighted {
            self.fail();
            return false;
        }
        self.weighted = true;
        self.sweeps = self.wait - 1;
        true
    }

    /// No combination helps: the next is due later.
    pub(super) fn fail(&mut self) {
        self.wait = self.wait.saturating_mul(2);
        self.restart();
    }

    /// Where it is, for a checkpoint.
    pub(super) fn place(&self) -> [u32; 3] {
        [self.sweeps, self.wait, u32::from(self.weighted)]
    }

    /// Resumes from a [place](Self::place); false if it is no place.
    pub(super) fn resume(&mut self, [sweeps, wait, weighted]: [u32; 3]) -> bool {
        *self = ExtrapolationSchedule {
            sweeps,
            wait,
            weighted: weighted == 1,
        };
        weighted < 2 && wait >= CYCLE
    }
}
