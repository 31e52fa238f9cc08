//! Checkpoints: the state of a long run in a file, from which the same command goes on.
//!
//! A computation that keeps its state asks its [`Progress`] for a [`Checkpoint`],
//! [begins](Checkpoint::begin) a stage, takes up what the file holds, and asks at every safe point
//! whether its state is [due](Stage::is_due). It is due after a time, and when the user asks to
//! stop. A run that goes on from a checkpoint ends with the bits of one that was never stopped.
//!
//! The file ([`file`]) says which work it belongs to: the version of the program, the graph, the
//! measure, and all parameters that bits depend on. Threads and memory are not among them. Work that
//! differs is refused, unless it may only take more iterations.

mod batches;
mod file;
mod numbers;
mod state;

pub use batches::map_kept;
pub use file::{CheckpointReader, CheckpointWriter};
pub use numbers::Number;
pub use state::StateVisitor;

use crate::error::{Error, Result};
use crate::output::{PendingFile, is_written_directly};
use crate::progress::Progress;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use xxhash_rust::xxh3::Xxh3;

/// The runs that can be kept.
pub const KEPT: &str = "checkpoints are for pagerank (by the power method, without proved positions), \
                         distances without weights of nodes, betweenness, ingest, and, on shards, hits, \
                         katz and eigenvector";

/// Everything that the bits of a run depend on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Work {
    version: String,
    graph: String,
    measure: String,
    parameters: Map<String, Value>,
}

/// The file in which the state of one run is kept.
pub struct Checkpoint {
    path: PathBuf,
    every: Duration,
    work: Work,
    phase: AtomicU8,
    /// Safe points before a stop.
    points: AtomicU64,
    /// When the state was last written, or began.
    written: Mutex<Instant>,
    found: Mutex<Option<CheckpointReader>>,
    /// The columns that are done, which every file begins with: the stage under way is that of the next.
    done: Mutex<Vec<Vec<f64>>>,
}

/// No stage is under way: nothing could be written.
const IDLE: u8 = 0;
/// A stage is under way.
const BUSY: u8 = 1;
/// It was asked to write its state, and to stop.
const ASKED: u8 = 2;

/// The parameter of which a run that goes on may have more.
const MORE: &str = "max_iterations";

/// The remedy for a file that does not fit.
const REMEDY: &str = "repeat the command that wrote it, or remove it to begin anew";

impl Checkpoint {
    /// The checkpoint of `work` in the file at `path`, which is written when `every` has passed. The
    /// state that the file holds, if it is there, is taken up.
    ///
    /// # Errors
    /// If the file belongs to other work, is damaged or is no checkpoint; if it cannot be written; if
    /// there is too little memory for columns that are done.
    pub fn open(work: Work, path: &Path, every: Duration) -> Result<Self> {
        if is_written_directly(path) {
            let problem = "is no regular file, and cannot hold a checkpoint; name another one";
            return Err(Error::file(path, problem));
        }
        // A wrong folder fails at once.
        drop(PendingFile::create(path)?);
        let mut done = Vec::new();
        let found = match CheckpointReader::open(path)? {
            None => None,
            Some((header, mut found)) => {
                let of_file: Result<Work, _> = serde_json::from_value(header);
                let of_file = of_file.map_err(|_| file::damaged(path))?;
                work.check(&of_file, path)?;
                let mut count = [0u64];
                found.fill(&mut count)?;
                for _ in 0..count[0] {
                    done.push(found.list(usize::MAX)?);
                }
                // A column that did not converge is computed again, and so are all behind it.
                let unfinished = done.iter().position(Vec::is_empty);
                done.truncate(unfinished.unwrap_or(done.len()));
                unfinished.is_none().then_some(found)
            }
        };
        Ok(Checkpoint {
            path: path.to_owned(),
            every,
            work,
            phase: AtomicU8::new(IDLE),
            points: AtomicU64::new(u64::MAX),
            written: Mutex::new(Instant::now()),
            found: Mutex::new(found),
            done: Mutex::new(done),
        })
    }

    /// A checkpoint that asks to stop by itself at the safe point with this number, counted from 1: for
    /// tests.
    pub fn stopping_at(self, point: u64) -> Self {
        let points = AtomicU64::new(point);
        Checkpoint { points, ..self }
    }

    /// Asks the run to write its state and to stop; false if it is at no stage that could, or was
    /// asked before.
    pub fn ask_to_stop(&self) -> bool {
        let asked = self.phase.compare_exchange(BUSY, ASKED, SeqCst, SeqCst);
        asked.is_ok()
    }

    /// True if there is a state that has not been taken up.
    pub fn is_found(&self) -> bool {
        lock(&self.found).is_some()
    }

    /// True if there is one, and it is of this stage.
    pub fn is_found_at(&self, stage: &str) -> bool {
        lock(&self.found)
            .as_ref()
            .is_some_and(|found| found.stage() == stage)
    }

    /// Begins a stage; returns its state if the file holds one, and tells the user so.
    ///
    /// # Errors
    /// If the file holds that of another stage.
    pub fn begin(
        &self,
        stage: &str,
        progress: &dyn Progress,
    ) -> Result<(Stage<'_>, Option<CheckpointReader>)> {
        let found = lock(&self.found).take();
        *lock(&self.written) = Instant::now();
        self.phase.store(BUSY, SeqCst);
        if let Some(found) = &found {
            if found.stage() != stage {
                let problem = format!(
                    "holds the state of {}, and this run makes {stage}, perhaps because it may use \
                     other memory; {REMEDY}",
                    found.stage()
                );
                return Err(Error::file(&self.path, problem));
            }
            let path = self.path.display();
            progress.announce(&format!("resumed from {path} at {}", found.at()));
        }
        let keeping = Stage {
            checkpoint: self,
            stage: stage.to_owned(),
        };
        Ok((keeping, found))
    }

    /// Removes the file, if it was written: the run is done.
    ///
    /// # Errors
    /// If it cannot be removed.
    pub fn remove(&self) -> Result<()> {
        match std::fs::remove_file(&self.path) {
            Err(problem) if problem.kind() != std::io::ErrorKind::NotFound => {
                Err(Error::io(&self.path, "cannot remove", problem))
            }
            _ => Ok(()),
        }
    }
}

impl Work {
    /// A run of `measure`, with these parameters, on the graph with this fingerprint.
    pub fn new(measure: &str, graph: String, parameters: Map<String, Value>) -> Self {
        Work {
            version: crate::VERSION.to_owned(),
            graph,
            measure: measure.to_owned(),
            parameters,
        }
    }

    /// Checks that a file at `path`, which belongs to `other`, belongs to this work.
    fn check(&self, other: &Work, path: &Path) -> Result<()> {
        let differs = |what: &str, theirs: &dyn std::fmt::Display, ours: &dyn std::fmt::Display| {
            let problem = format!("belongs to a run with {what} {theirs}, not {ours}; {REMEDY}");
            Err(Error::file(path, problem))
        };
        for (what, theirs, ours) in [
            ("the version", &other.version, &self.version),
            ("a graph of the fingerprint", &other.graph, &self.graph),
            ("the measure", &other.measure, &self.measure),
        ] {
            if theirs != ours {
                return differs(what, theirs, ours);
            }
        }
        let names = self.parameters.keys().chain(other.parameters.keys());
        for name in names {
            let of = |work: &Work| work.parameters.get(name).cloned().unwrap_or_default();
            let (theirs, ours) = (of(other), of(self));
            // Work that was done within fewer iterations is done.
            let has_more = name == MORE && theirs.as_u64() <= ours.as_u64();
            if theirs != ours && !has_more {
                return differs(name, &theirs, &ours);
            }
        }
        Ok(())
    }
}

/// A stage under way.
pub struct Stage<'c> {
    checkpoint: &'c Checkpoint,
    stage: String,
}

impl Stage<'_> {
    /// Whether the state is to be written. It is asked once at every safe point.
    pub fn is_due(&self) -> bool {
        let points = &self.checkpoint.points;
        let before = points.fetch_update(SeqCst, SeqCst, |points| points.checked_sub(1));
        if before == Ok(1) {
            self.checkpoint.ask_to_stop();
        }
        self.is_asked_to_stop() || lock(&self.checkpoint.written).elapsed() >= self.checkpoint.every
    }

    /// Whether the run shall stop once its state is written.
    pub fn is_asked_to_stop(&self) -> bool {
        self.checkpoint.phase.load(SeqCst) == ASKED
    }

    /// Writes the state, which `save` hands over, in place of the one before. `at` says where the run
    /// is, as in "sweep 40".
    ///
    /// # Errors
    /// [`Error::Stopped`] if the run shall stop; if the file cannot be written, and then the one
    /// before stays.
    pub fn keep(
        &self,
        at: &str,
        save: impl FnOnce(&mut CheckpointWriter) -> Result<()>,
    ) -> Result<()> {
        let mut save = Some(save);
        self.kept(at, &mut |saving| save.take().expect("called once")(saving))
    }

    fn kept(
        &self,
        at: &str,
        save: &mut dyn FnMut(&mut CheckpointWriter) -> Result<()>,
    ) -> Result<()> {
        let checkpoint = self.checkpoint;
        let mut written = lock(&checkpoint.written);
        let work = serde_json::to_value(&checkpoint.work);
        let work = work.expect("strings and numbers serialise");
        let mut saving = CheckpointWriter::create(&checkpoint.path, work, &self.stage, at)?;
        let done = lock(&checkpoint.done);
        saving.numbers(&[done.len() as u64])?;
        done.iter().try_for_each(|column| saving.numbers(column))?;
        drop(done);
        save(&mut saving)?;
        saving.publish()?;
        *written = Instant::now();
        if self.is_asked_to_stop() {
            let path = checkpoint.path.clone();
            return Err(Error::Stopped { path });
        }
        Ok(())
    }

    /// The error of a file whose content contradicts itself.
    pub fn damaged(&self) -> Error {
        file::damaged(&self.checkpoint.path)
    }

    /// Ends the stage.
    ///
    /// # Errors
    /// If the run was asked to stop since its last safe point: [`Error::Stopped`] if an earlier state
    /// is kept, otherwise [`Error::Interrupted`].
    pub fn end(self) -> Result<()> {
        let path = self.checkpoint.path.clone();
        match self.checkpoint.phase.swap(IDLE, SeqCst) {
            ASKED if path.exists() => Err(Error::Stopped { path }),
            ASKED => Err(Error::Interrupted),
            _ => Ok(()),
        }
    }
}

/// A column of `length` numbers, which `compute` makes unless it was done before, and the place that it
/// has among those of the run. It stands in every file from then on, as what `pack` makes of it: nothing,
/// if it did not converge, and is to be computed again when the run goes on.
///
/// # Errors
/// The errors of `compute`; if the file holds another number of numbers.
pub fn column<T>(
    progress: &dyn Progress,
    (place, length): (usize, usize),
    compute: impl FnOnce() -> Result<T>,
    pack: impl FnOnce(&T) -> Vec<f64>,
    unpack: impl FnOnce(&[f64]) -> T,
) -> Result<T> {
    let Some(checkpoint) = progress.checkpoint() else {
        return compute();
    };
    if let Some(column) = lock(&checkpoint.done).get(place) {
        return match column.len() == length {
            true => Ok(unpack(column)),
            false => Err(file::damaged(&checkpoint.path)),
        };
    }
    let column = compute()?;
    lock(&checkpoint.done).push(pack(&column));
    Ok(column)
}

/// The error of a measure without checkpoints.
pub fn unkept(what: &str) -> Error {
    Error::argument(
        "checkpoint",
        "given",
        format!("{what} does not support it; {KEPT}"),
    )
}

/// xxh3-128 of numbers, in hexadecimal: vectors among the parameters.
pub fn hash(numbers: &[f64]) -> Value {
    let mut hash = Xxh3::new();
    let bytes = numbers.iter().map(|number| number.to_le_bytes());
    bytes.for_each(|bytes| hash.update(&bytes));
    format!("{:032x}", hash.digest128()).into()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
