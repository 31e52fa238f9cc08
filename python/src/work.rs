//! Long computations: off the interpreter's lock, with progress, and stopped by Ctrl-C.
//!
//! A computation runs in a thread of its own, and never touches Python. The calling thread waits
//! for it without the lock; 20 times a second it takes the lock, lets Python handle signals, and
//! shows how far the computation is. An exception from a signal, or from what shows progress, stops
//! the computation, and is raised once it has stopped.

use crate::errors::{exception, named};
use pyo3::prelude::*;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
use webrank::{Error, Progress};

/// How often Python handles signals.
const LOOK: Duration = Duration::from_millis(50);

/// The stack of the computing thread: as large as that of a main thread.
const STACK: usize = 8 << 20;

/// The process whose threads compute.
static PROCESS: OnceLock<u32> = OnceLock::new();

/// Refuses to compute in a fork of a process that has computed: its threads are not there.
///
/// # Errors
/// In such a fork.
pub fn refuse_fork(py: Python<'_>) -> PyResult<()> {
    let here = std::process::id();
    if *PROCESS.get_or_init(|| here) == here {
        return Ok(());
    }
    let problem = "this process is a fork of one that has used webrank, whose threads it does not \
                   have; start processes by 'spawn' or 'forkserver', as in \
                   multiprocessing.get_context('spawn')";
    Err(named(py, "ForkError", problem))
}

/// How far a computation is, for the thread that shows it.
#[derive(Default)]
struct State {
    interrupted: AtomicBool,
    done: AtomicU64,
    shown: Mutex<Shown>,
}

#[derive(Default, Clone)]
struct Shown {
    phase: String,
    total: Option<u64>,
    remark: String,
    announced: Vec<String>,
}

impl State {
    fn shown(&self) -> MutexGuard<'_, Shown> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows the state.
    fn show(&self, progress: &Bound<'_, PyAny>) -> PyResult<()> {
        let shown = {
            let mut shown = self.shown();
            let announced = std::mem::take(&mut shown.announced);
            Shown {
                announced,
                ..shown.clone()
            }
        };
        for text in shown.announced {
            progress.call_method1("say", (text,))?;
        }
        let done = self.done.load(Relaxed);
        progress.call_method1("show", (shown.phase, done, shown.total, shown.remark))?;
        Ok(())
    }
}

impl Progress for State {
    fn begin(&self, phase: &str, total: Option<u64>) {
        let mut shown = self.shown();
        shown.phase = phase.to_owned();
        shown.total = total;
        shown.remark.clear();
        self.done.store(0, Relaxed);
    }

    fn advance(&self, units: u64) {
        self.done.fetch_add(units, Relaxed);
    }

    fn remark(&self, text: &str) {
        self.shown().remark = text.to_owned();
    }

    fn announce(&self, text: &str) {
        self.shown().announced.push(text.to_owned());
    }

    fn interrupted(&self) -> bool {
        self.interrupted.load(Relaxed)
    }
}

/// The outcome of a computing thread: its result, or its panic.
type Found<T> = Result<Result<T, Error>, Box<dyn Any + Send>>;

/// Computes; `progress` has the methods `show(phase, done, total, remark)`, `say(text)` and
/// `close()`.
///
/// # Errors
/// As for `work`, as exceptions; what a handler of signals raises; an `InternalError` for a panic.
pub fn run<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&dyn Progress) -> Result<T, Error> + Send,
) -> PyResult<T> {
    refuse_fork(py)?;
    let state = State::default();
    let (sender, receiver) = sync_channel(1);
    let compute = |sender: SyncSender<Found<T>>| {
        let found = catch_unwind(AssertUnwindSafe(|| work(&state)));
        // The calling thread waits for it.
        let _ = sender.send(found);
    };
    let waited = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("webrank".into());
        let started = thread
            .stack_size(STACK)
            .spawn_scoped(scope, move || compute(sender));
        if let Err(problem) = started {
            return Err(named(
                py,
                "WebrankError",
                &format!("the system refuses to start a thread: {problem}"),
            ));
        }
        Ok(wait(py, progress, &state, receiver))
    });
    let closed = progress.map_or(Ok(()), |progress| progress.call_method0("close").map(drop));
    let (found, stopped) = waited?;
    if let Some(stopped) = stopped {
        return Err(stopped);
    }
    let result = found.map_err(|panic| internal(py, &*panic))?;
    let result = result.map_err(|problem| exception(py, &problem))?;
    closed.map(|()| result)
}

/// Waits for the result; returns what stopped the computation, too.
fn wait<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    state: &State,
    receiver: Receiver<Found<T>>,
) -> (Found<T>, Option<PyErr>) {
    let receiver = Mutex::new(receiver);
    let mut stopped = None;
    loop {
        let found = py.detach(|| {
            let receiver = receiver.lock().unwrap_or_else(PoisonError::into_inner);
            receiver.recv_timeout(LOOK)
        });
        match found {
            Ok(found) => return (found, stopped),
            Err(RecvTimeoutError::Disconnected) => {
                return (Err(Box::new("the thread ended without a result")), stopped);
            }
            Err(RecvTimeoutError::Timeout) if stopped.is_some() => {}
            Err(RecvTimeoutError::Timeout) => {
                let show = || progress.map_or(Ok(()), |progress| state.show(progress));
                if let Err(problem) = py.check_signals().and_then(|()| show()) {
                    state.interrupted.store(true, Relaxed);
                    stopped = Some(problem);
                }
            }
        }
    }
}

/// The exception for a panic.
fn internal(py: Python<'_>, panic: &(dyn Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let text = text.unwrap_or("no message");
    let problem = format!("webrank has a bug, please report it: {text}");
    named(py, "InternalError", &problem)
}

/// Panics while it computes, or does not end until it is interrupted: what tests cannot bring about
/// otherwise.
#[pyfunction]
#[pyo3(signature = (how, progress=None))]
pub fn fail(py: Python<'_>, how: &str, progress: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    run(py, progress, |progress| match how {
        "panic" => panic!("asked to panic"),
        _ => {
            progress.begin("wait", Some(1000));
            progress.announce("until it is interrupted");
            loop {
                progress.check()?;
                progress.advance(1);
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    })
}
