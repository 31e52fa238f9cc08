//! Progress on stderr: a bar at a terminal, and elsewhere a line from time to time.

use crate::progress_log::Log;
use crate::say::say;
use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use webrank_base::checkpoint::Checkpoint;
use webrank_base::progress::Progress;
use webrank_base::visible::visible;

/// One bar at a time, for the phase under way.
pub struct Bar(Mutex<ProgressBar>);

impl Default for Bar {
    /// A bar that is hidden until a phase begins.
    fn default() -> Self {
        Bar(Mutex::new(ProgressBar::hidden()))
    }
}

impl Bar {
    fn with(&self, act: impl FnOnce(&mut ProgressBar)) {
        act(&mut self
            .0
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner()));
    }
}

impl Progress for Bar {
    fn begin(&self, phase: &str, total: Option<u64>) {
        let template = match total {
            Some(_) => "{prefix:12} {wide_bar} {percent:>3}%{left} {msg}",
            None => "{prefix:12} {spinner} {elapsed} {msg}",
        };
        let style = ProgressStyle::with_template(template).expect("the template is valid");
        // Nothing is known until a unit is done.
        let style = style.with_key("left", |state: &ProgressState, out: &mut dyn Write| {
            if state.pos() > 0 {
                let _ = write!(
                    out,
                    " {:>4} left",
                    format!("{:#}", HumanDuration(state.eta()))
                );
            }
        });
        self.with(|bar| {
            bar.finish_and_clear();
            *bar = match total {
                Some(total) => ProgressBar::new(total),
                None => ProgressBar::new_spinner(),
            };
            bar.set_style(style);
            bar.set_prefix(phase.to_owned());
            bar.enable_steady_tick(Duration::from_millis(100));
        });
    }

    fn advance(&self, units: u64) {
        self.with(|bar| bar.inc(units));
    }

    fn resume(&self, units: u64) {
        self.with(|bar| {
            bar.inc(units);
            bar.reset_eta();
        });
    }

    fn remark(&self, text: &str) {
        self.with(|bar| bar.set_message(text.to_owned()));
    }

    fn end(&self) {
        self.with(|bar| bar.finish_and_clear());
    }
}

/// The user's view of a long computation: messages, and a bar if stderr is a terminal. And where its
/// state is kept.
pub struct Watched {
    /// Where the state is kept, if it is.
    pub checkpoint: Option<Arc<Checkpoint>>,
    /// Whether messages are shown.
    pub announces: bool,
    /// The bar, at a terminal.
    pub bar: Option<Bar>,
    /// Lines elsewhere, such as in the log of `nohup`.
    pub log: Option<Log>,
}

impl Watched {
    fn shown(&self) -> impl Iterator<Item = &dyn Progress> {
        let bar = self.bar.iter().map(|bar| bar as &dyn Progress);
        bar.chain(self.log.iter().map(|log| log as &dyn Progress))
    }
}

impl Progress for Watched {
    fn checkpoint(&self) -> Option<&Checkpoint> {
        self.checkpoint.as_deref()
    }

    fn begin(&self, phase: &str, total: Option<u64>) {
        self.shown().for_each(|it| it.begin(phase, total));
    }

    fn advance(&self, units: u64) {
        self.shown().for_each(|it| it.advance(units));
    }

    fn resume(&self, units: u64) {
        self.shown().for_each(|it| it.resume(units));
    }

    fn remark(&self, text: &str) {
        self.shown().for_each(|it| it.remark(text));
    }

    fn announce(&self, text: &str) {
        if self.announces {
            let line = format!("rank: {}\n", visible(text));
            match &self.bar {
                Some(bar) => bar.with(|bar| bar.suspend(|| say(&line))),
                None => say(&line),
            }
        }
    }

    fn end(&self) {
        self.shown().for_each(|it| it.end());
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.end();
    }
}
