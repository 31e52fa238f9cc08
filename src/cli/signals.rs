//! Signals: partial files go away when the user or the system stops a run, and a limit on the size
//! of files is an error like a full disk.

/// Removes partial files on SIGINT (Ctrl-C), SIGTERM and SIGHUP, and then exits as a shell expects:
/// with 128 plus the number of the signal. Signals that the parent told this process to ignore stay
/// ignored: `nohup` and background jobs of scripts rely on that.
#[cfg(unix)]
pub fn watch() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    if let Some(ignored) = ignored() {
        let stops = [SIGINT, SIGTERM, SIGHUP].into_iter();
        let stops = stops.filter(|signal| ignored & (1 << (signal - 1)) == 0);
        // Without handlers, the next run removes what this one leaves.
        if let Ok(mut signals) = Signals::new(stops) {
            std::thread::spawn(move || {
                if let Some(signal) = signals.forever().next() {
                    webrank::internals::output::remove_pending();
                    std::process::exit(128 + signal);
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
    let _ = ctrlc::set_handler(|| {
        webrank::internals::output::remove_pending();
        std::process::exit(130);
    });
}
