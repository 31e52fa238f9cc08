//! Power extrapolation, which takes one vector, and when it is due.
//!
//! Many eigenvalues of the map lie at or near alpha and -alpha, one for each closed set of pages
//! and each pair of sets that point at each other. Their part of the error vanishes in
//! `(y_k - alpha^2 y_{k-2}) / (1 - alpha^2)` (Haveliwala, Kamvar, Klein, Manning and Golub,
//! "Computing PageRank using power extrapolation", 2003). If it does not help, it is tried less and
//! less often. Where there is room for more vectors, `reduced_rank` needs fewer sweeps: many columns at
//! a time have none.

/// Counts sweeps and plans extrapolations.
pub(crate) struct Schedule {
    alpha: f64,
    sweeps: u32,
    /// The sweep before which to extrapolate.
    next: u32,
    interval: u32,
    /// The change of the last sweep.
    change: f64,
    /// The change of the last sweep before the last extrapolation.
    before: f64,
}

impl Schedule {
    pub(crate) fn new(alpha: f64) -> Self {
        // Long enough for the components of other eigenvalues to decay, and to remember two sweeps.
        let interval = (2.0 / (1.0 - alpha)).ceil().clamp(4.0, 1e6) as u32;
        Schedule {
            alpha,
            sweeps: 0,
            next: interval,
            interval,
            change: f64::INFINITY,
            before: f64::INFINITY,
        }
    }

    /// Counts a sweep and records its change.
    pub(crate) fn count(&mut self, change: f64) {
        self.sweeps += 1;
        self.change = change;
    }

    pub(crate) fn sweeps(&self) -> u32 {
        self.sweeps
    }

    /// Where the schedule is, for a checkpoint.
    pub(crate) fn place(&self) -> [u64; 5] {
        let [sweeps, next, interval] = [self.sweeps, self.next, self.interval].map(u64::from);
        [
            sweeps,
            next,
            interval,
            self.change.to_bits(),
            self.before.to_bits(),
        ]
    }

    /// Goes on from a [place](Self::place).
    pub(crate) fn go_on(&mut self, place: [u64; 5]) {
        let [sweeps, next, interval, change, before] = place;
        [self.sweeps, self.next, self.interval] = [sweeps, next, interval].map(|it| it as u32);
        [self.change, self.before] = [change, before].map(f64::from_bits);
    }

    /// The number of sweeps between two extrapolations.
    pub(crate) fn interval(&self) -> u32 {
        self.interval
    }

    /// True two sweeps before an extrapolation.
    pub(crate) fn next_needs_memory(&self) -> bool {
        self.sweeps + 2 == self.next
    }

    /// True if it is time to extrapolate; plans the next time.
    pub(crate) fn is_due(&mut self) -> bool {
        if self.sweeps < self.next {
            return false;
        }
        // Components of other eigenvalues of nearly the same size grow at an extrapolation. If a
        // whole interval has not mended that, no later one will.
        if self.change > self.before {
            self.next = u32::MAX;
            return false;
        }
        // Between two extrapolations, plain sweeps would have multiplied the change by
        // alpha^interval. An extrapolation with a worse result does more harm than good.
        let expected = self.before * self.alpha.powf(self.interval as f64);
        if self.change > expected {
            self.interval = self.interval.saturating_mul(2);
        }
        self.before = self.change;
        self.next = self.sweeps.saturating_add(self.interval);
        true
    }
}
