//! Signals: partial files go away when the user or the system stops a run, and a limit on the size
//! of files is an error like a full disk.

use crate::say::say;
use std::io::IsTerminal;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU8, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError};
use webrank_base::output::remove_pending;
use webrank_base::visible::visible;

/// Asks the run to stop, if it can: false if it cannot now, or was asked before.
type Ask = Box<dyn Fn() -> bool + Send>;

/// How the run is asked to write its state and to stop, if it keeps one.
static KEPT: Mutex<Option<Ask>> = Mutex::new(None);

/// Says what is kept of a run.
type Hint = Box<dyn Fn() -> String + Send>;

/// The words when a run is stopped at once.
static HINT: Mutex<Option<Hint>> = Mutex::new(None);

/// The exit code of the signal that asked the run to stop; 0 if none did.
static CODE: AtomicU8 = AtomicU8::new(0);

/// From now on, a signal asks the run to write its state first. A second one does not wait for it.
pub fn keep(ask: impl Fn() -> bool + Send + 'static) {
    *KEPT.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(ask));
}

/// From now on, whoever stops the run at once reads this.
pub fn hint(text: impl Fn() -> String + Send + 'static) {
    *HINT.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(text));
}

/// The exit code of a run that was asked to stop.
pub fn exit_code() -> ExitCode {
    match CODE.load(SeqCst) {
        0 => ExitCode::FAILURE,
        code => ExitCode::from(code),
    }
}

/// Stops the run: at its next safe point if it keeps its state, otherwise at once.
#[cfg(any(unix, windows))]
fn stop(code: u8) {
    CODE.store(code, SeqCst);
    let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if !kept.as_ref().is_some_and(|ask| ask()) {
        remove_pending();
        let hint = HINT.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(hint) = &*hint {
            // In place of the bar.
            let clear = match std::io::stderr().is_terminal() {
                true => "\r\x1b[2K",
                false => "",
            };
            say(&format!("{clear}rank: {}\n", visible(&hint())));
        }
        std::process::exit(code.into());
    }
}

/// Removes partial files on SIGINT (Ctrl-C), SIGTERM and SIGHUP, and then exits as a shell expects:
/// with 128 plus the number of the signal. A run that keeps its state writes it first. Signals that the
/// parent told this process to ignore stay ignored: `nohup` and background jobs of scripts rely on that.
#[cfg(unix)]
pub fn watch() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;
    use std::sync::atomic::AtomicBool;
    if let Some(ignored) = ignored() {
        let stops = [SIGINT, SIGTERM, SIGHUP].into_iter();
        let stops = stops.filter(|signal| ignored & (1 << (signal - 1)) == 0);
        // Without handlers, the next run removes what this one leaves.
        if let Ok(mut signals) = Signals::new(stops) {
            std::thread::spawn(move || {
                for signal in signals.forever() {
                    stop(128 + signal as u8);
                }
            });
        }
    }
    // With any handler, a write beyond the limit fails instead of killing the process.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::<AtomicBool>::default());
}

/// The signals that are ignored, as bits; none where the system does not say. Then no signal is
/// taken over, so that none is taken wrongly.
#[cfg(unix)]
fn ignored() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let mut lines = status.lines();
    let mask = lines.find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(mask.trim(), 16).ok()
}

/// Removes partial files on Ctrl-C.
#[cfg(not(unix))]
pub fn watch() {
    #[cfg(windows)]
    let _ = ctrlc::set_handler(|| stop(130));
}
