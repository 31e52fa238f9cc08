//! Progress of long runs where there is no terminal: a line from time to time.

use crate::say::say;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use webrank_base::progress::Progress;
use webrank_base::units;
use webrank_base::visible::visible;

/// The time between two lines.
const EVERY: Duration = Duration::from_secs(60);

/// Writes a line about the phase under way, not more than one in [`EVERY`].
pub struct Log {
    every: Duration,
    write: fn(&str),
    state: Mutex<State>,
}

/// The phase under way.
struct State {
    phase: String,
    total: Option<u64>,
    done: u64,
    /// The part that an earlier run has done.
    resumed: u64,
    remark: String,
    began: Instant,
    written: Instant,
}

impl Default for Log {
    fn default() -> Self {
        Log::writing(EVERY, say)
    }
}

impl Log {
    fn writing(every: Duration, write: fn(&str)) -> Self {
        let now = Instant::now();
        let state = State {
            phase: String::new(),
            total: None,
            done: 0,
            resumed: 0,
            remark: String::new(),
            began: now,
            written: now,
        };
        Log {
            every,
            write,
            state: Mutex::new(state),
        }
    }

    /// Changes the state, and writes a line if it is time.
    fn with(&self, act: impl FnOnce(&mut State)) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        act(&mut state);
        if state.written.elapsed() >= self.every {
            state.written = Instant::now();
            (self.write)(&format!(
                "rank: {}\n",
                visible(&state.line(state.began.elapsed()))
            ));
        }
    }
}

impl State {
    /// Such as `searching: 34%, about 3 min left`.
    fn line(&self, taken: Duration) -> String {
        let taken = taken.as_secs_f64();
        let phase = &self.phase;
        let mut line = match self.total {
            Some(total) if total > 0 => {
                let percent = 100 * u128::from(self.done) / u128::from(total);
                format!("{phase}: {percent}%")
            }
            _ => format!("{phase}: {} so far", units::seconds(taken)),
        };
        let of_this_run = self.done.saturating_sub(self.resumed);
        if let (Some(total), 1..) = (self.total, of_this_run) {
            let left = total.saturating_sub(self.done) as f64 / of_this_run as f64 * taken;
            line += &format!(", about {} left", units::seconds(left));
        }
        if !self.remark.is_empty() {
            line += &format!("; {}", self.remark);
        }
        line
    }
}

impl Progress for Log {
    fn begin(&self, phase: &str, total: Option<u64>) {
        self.with(|state| {
            state.phase = phase.to_owned();
            state.total = total;
            (state.done, state.resumed) = (0, 0);
            state.remark.clear();
            state.began = Instant::now();
        });
    }

    fn advance(&self, units: u64) {
        self.with(|state| state.done += units);
    }

    fn resume(&self, units: u64) {
        self.with(|state| {
            state.done += units;
            state.resumed += units;
        });
    }

    fn remark(&self, text: &str) {
        self.with(|state| state.remark = text.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_that_of_this_run() {
        let log = Log::default();
        log.begin("searching", Some(1000));
        log.resume(500);
        log.advance(100);
        let state = log.state.lock().unwrap();
        let line = state.line(Duration::from_secs(50));
        assert_eq!(line, "searching: 60%, about 3 min left");
    }

    #[test]
    fn phases_without_a_total_say_how_long_they_take() {
        let log = Log::default();
        log.begin("iterating", None);
        log.remark("error bound 1e-3");
        let state = log.state.lock().unwrap();
        let line = state.line(Duration::from_secs(300));
        assert_eq!(line, "iterating: 5 min so far; error bound 1e-3");
    }

    #[test]
    fn lines_keep_their_distance() {
        fn must_not(line: &str) {
            panic!("{line}");
        }
        let silent = Log::writing(Duration::MAX, must_not);
        silent.begin("searching", Some(2));
        silent.advance(1);
    }
}
