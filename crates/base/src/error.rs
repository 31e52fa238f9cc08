//! One error type for the whole crate: every variant names the thing, the value and the remedy.

use crate::units::{self, megabytes_down, megabytes_up};
use std::path::{Path, PathBuf};

/// A failure, from a bad argument to a corrupt graph.
///
/// Every message is one line: the file or argument, the place in it, and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused to read or write a file.
    #[error("{}: {action}: {source}{}", path.display(), remedy(source))]
    Io {
        /// The file.
        path: PathBuf,
        /// The action that failed, as in "cannot read".
        action: &'static str,
        /// The system's error.
        source: std::io::Error,
    },

    /// A file has the wrong content; `problem` says where and what to do.
    #[error("{}: {problem}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Where, and what to do.
        problem: String,
    },

    /// Rounding ended an iteration before its tolerance was reached, and long before the iteration limit.
    #[error(
        "not converged: the {quantity} {}, and rounding allows no better: more iterations do not help; allow \
         that much, or accept what was reached",
        missed(*reached, *tolerance)
    )]
    RoundingLimit {
        /// The name of the quantity, as in "residual".
        quantity: &'static str,
        /// The quantity.
        reached: f64,
        /// The wanted tolerance.
        tolerance: f64,
    },

    /// A check has neither proved nor disproved what a file says of itself.
    #[error("{}: {problem}", path.display())]
    NotDecided {
        /// The file.
        path: PathBuf,
        /// The open question.
        problem: String,
    },

    /// The bits of a compressed graph contradict the format or the properties.
    #[error(
        "{}: node {node}, bit {bit}: {problem}; the file is damaged or does not belong to its \
         .properties: copy it again from its source",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The node whose row was being decoded.
        node: u64,
        /// The position of the decoder, in bits from the start of the file.
        bit: u64,
        /// The contradiction.
        problem: String,
    },

    /// A line of a text file cannot be used.
    #[error("{}, line {line}: {problem}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: u64,
        /// The problem, and its remedy.
        problem: String,
    },

    /// A command is a program of its own, which is not installed.
    #[error(
        "'rank {name}' is a program of its own, rank-{name}, which is neither beside rank nor in a folder \
         of PATH: cargo install {of}"
    )]
    MissingTool {
        /// The command.
        name: String,
        /// The crate that has it.
        of: String,
    },

    /// An argument is outside its domain.
    #[error("{name} is {value}: {remedy}")]
    Argument {
        /// The parameter.
        name: &'static str,
        /// The value that was given.
        value: String,
        /// The values to give instead.
        remedy: String,
    },

    /// Two parameters exclude each other.
    #[error("{one} cannot be combined with {other}; leave one of them out")]
    Combination {
        /// One of them.
        one: &'static str,
        /// The other.
        other: &'static str,
    },

    /// A score or a bound is NaN or infinite.
    #[error(
        "{what} is {value} in row {row} (counted from 0), but only finite numbers can be ranked and \
         compared: correct the row or leave it out"
    )]
    NotFinite {
        /// The kind of number, as in "a score".
        what: &'static str,
        /// The row, or the node, counted from 0.
        row: usize,
        /// The number.
        value: f64,
    },

    /// A plot does not fit its canvas.
    #[error("cannot draw a plot: {0}")]
    Plot(String),

    /// An allocation failed.
    #[error(
        "not enough memory for {what}: {} more are needed; free some, allow more, or use a machine \
         with more",
        megabytes_up(*bytes)
    )]
    Memory {
        /// The use of the memory.
        what: &'static str,
        /// How many bytes were asked for.
        bytes: u64,
    },

    /// A computation would need more memory than it may have.
    #[error(
        "{what} needs up to {} of memory, and {} are allowed or free: allow more, free \
         some, or use a machine with more",
        megabytes_up(*needed),
        megabytes_down(*allowed)
    )]
    NeedsMemory {
        /// The computation.
        what: &'static str,
        /// A bound on the bytes it needs at once.
        needed: u64,
        /// The bytes that it may have.
        allowed: u64,
    },

    /// The measure is not defined on the graph.
    #[error("{measure} is not defined on this graph: {reason}")]
    Undefined {
        /// The measure.
        measure: &'static str,
        /// Why, and which measures are defined there.
        reason: String,
    },

    /// One of several workers has failed.
    #[error("worker {worker}{} {problem}", place(address))]
    Worker {
        /// Which one.
        worker: usize,
        /// Where it is, if it is a process of its own.
        address: Option<String>,
        /// The problem, and its remedy.
        problem: String,
    },

    /// Rows do not form a graph.
    #[error("graph: {problem}")]
    Rows {
        /// The problem, and its place.
        problem: String,
    },

    /// A graph has more nodes than this version can number.
    #[error(
        "the graph has {nodes} nodes; this version ranks graphs of at most {} nodes",
        u32::MAX
    )]
    TooManyNodes {
        /// Number of nodes.
        nodes: u64,
    },

    /// A method cannot compute a measure.
    #[error("{measure} cannot be computed by {method}: {remedy}")]
    NoMethod {
        /// The measure.
        measure: &'static str,
        /// The method.
        method: &'static str,
        /// Why, and what to use instead.
        remedy: &'static str,
    },

    /// The iteration limit was reached before the promised precision.
    #[error(
        "not converged: after {} the error bound is {bound:.3e}, above the tolerance {tolerance:.3e}; \
         allow more iterations, or accept what was reached",
        units::counted(*iterations, "iteration")
    )]
    NotConverged {
        /// Sweeps done.
        iterations: u32,
        /// The certified bound reached.
        bound: f64,
        /// The bound asked for.
        tolerance: f64,
    },

    /// The iteration limit was reached before a measure's own precision.
    #[error(
        "not converged: after {} the {quantity} {}; allow more iterations, or accept what was reached",
        units::counted(*iterations, "iteration"),
        missed(*reached, *tolerance)
    )]
    NotReached {
        /// The name of the quantity, as in "residual".
        quantity: &'static str,
        /// Sweeps done.
        iterations: u32,
        /// The quantity.
        reached: f64,
        /// The wanted tolerance.
        tolerance: f64,
    },

    /// The order of the first nodes could not be proved.
    #[error(
        "only the first {proved} of {wanted} positions are proved: after {iterations} iterations \
         the error bound is {bound:.3e}, the best that 64-bit arithmetic gives; ask for fewer, or \
         accept these"
    )]
    NotProved {
        /// Sweeps done.
        iterations: u32,
        /// The certified bound reached.
        bound: f64,
        /// Positions asked for.
        wanted: usize,
        /// Positions proved.
        proved: usize,
    },

    /// The limit of sampled paths was reached before the promised precision.
    #[error(
        "not converged: after {paths} sampled paths, the limit, the scores are known \
         within {epsilon:.1e} only; give a larger epsilon, or accept what was reached"
    )]
    NotSampled {
        /// Paths drawn.
        paths: u64,
        /// The largest error reached.
        epsilon: f64,
    },

    /// An exact computation would exceed its time budget.
    #[error(
        "{what} would take about {}, more than the time budget of {}: allow more time, or take a \
         method that estimates, if there is one",
        units::seconds(*seconds),
        units::seconds(*allowed)
    )]
    TakesLonger {
        /// The computation.
        what: &'static str,
        /// An estimate of the seconds it takes.
        seconds: f64,
        /// The time budget in seconds.
        allowed: f64,
    },

    /// The user asked to stop.
    #[error("interrupted")]
    Interrupted,

    /// The user asked to stop, and the state of the run is kept.
    #[error("stopped; the same command goes on from {}", path.display())]
    Stopped {
        /// The file that holds the state.
        path: PathBuf,
    },
}

/// Words for the quantity that was reached instead of the tolerance, if it is known.
fn missed(reached: f64, tolerance: f64) -> String {
    if reached.is_finite() {
        format!("is {reached:.3e}, above the tolerance {tolerance:.3e}")
    } else {
        format!("has no bound yet, and the tolerance is {tolerance:.3e}")
    }
}

/// Where a worker is, and the end of its name.
fn place(address: &Option<String>) -> String {
    match address {
        Some(address) => format!(" ({address})"),
        None => ":".into(),
    }
}

/// Advice on an error of the system; empty where there is none.
fn remedy(problem: &std::io::Error) -> &'static str {
    use std::io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    match problem.kind() {
        StorageFull | QuotaExceeded => "; free some space, or write elsewhere",
        FileTooLarge => "; write to a file system, or under a limit, that allows larger files",
        _ => "",
    }
}

/// The result of every function in this crate that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An [`Error::Io`] on `path`; `action` reads like "cannot open".
    pub fn io(path: impl AsRef<Path>, action: &'static str, source: std::io::Error) -> Self {
        Error::Io {
            path: path.as_ref().to_owned(),
            action,
            source,
        }
    }

    /// An [`Error::File`] on `path`.
    pub fn file(path: impl AsRef<Path>, problem: impl Into<String>) -> Self {
        Error::File {
            path: path.as_ref().to_owned(),
            problem: problem.into(),
        }
    }

    /// This error, with a path below `from` moved to the same place below `to`.
    pub fn moved(mut self, from: &Path, to: &Path) -> Self {
        if let Error::Io { path, .. } | Error::File { path, .. } = &mut self
            && let Ok(rest) = path.strip_prefix(from)
        {
            *path = to.join(rest);
        }
        self
    }

    /// An [`Error::Line`] on `path`; lines are counted from 1.
    pub fn line(path: impl AsRef<Path>, line: u64, problem: impl Into<String>) -> Self {
        Error::Line {
            path: path.as_ref().to_owned(),
            line,
            problem: problem.into(),
        }
    }

    /// An [`Error::NotFinite`].
    pub fn not_finite(what: &'static str, row: usize, value: f64) -> Self {
        Error::NotFinite { what, row, value }
    }

    /// An [`Error::Memory`].
    pub fn memory(what: &'static str, bytes: u64) -> Self {
        Error::Memory { what, bytes }
    }

    /// An [`Error::Argument`].
    pub fn argument(
        name: &'static str,
        value: impl std::fmt::Display,
        remedy: impl Into<String>,
    ) -> Self {
        Error::Argument {
            name,
            value: value.to_string(),
            remedy: remedy.into(),
        }
    }
}
