//! The form of a graph in sweeps: rows in memory, or rows decoded from the compressed file.
//!
//! * *runs*: rows of predecessors in memory, with equal rows kept once and runs of nodes summed by
//!   prefix sums ([`crate::linear::runs`]);
//! * *streamed*: rows of successors decoded in every sweep ([`crate::centrality::pagerank::methods::streamed`]).
//!
//! A sweep over runs is faster on every graph that we have measured, by a factor of ten and more
//! (`benches/README.md`), so a graph is streamed only where its runs do not fit into the memory
//! allowed.

use crate::error::{Error, Result};
use crate::graph::Source;
use serde::Serialize;

/// The form of a graph in sweeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// Rows in memory.
    Runs,
    /// Rows decoded in every sweep.
    Streamed,
}

/// The memory that each form of a graph needs, and the limit, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryPlan {
    /// Rows in memory and the vectors of PageRank: a bound for all stages from the file to the
    /// ranking.
    pub runs: u64,
    /// The vectors alone, because the file is read part by part.
    pub streamed: u64,
    /// The limit.
    pub allowed: u64,
}

/// Code, stacks and buffers of a process.
const PROCESS: u64 = 8 << 20;

impl MemoryPlan {
    /// The needs of PageRank on a graph.
    pub fn new(source: &Source, allowed: u64) -> Self {
        let properties = source.properties();
        let (n, m) = (properties.nodes as u64, properties.arcs);
        let files = source.files().into_iter();
        let graph = files.filter(|(path, _)| path.extension().is_some_and(|e| e == "graph"));
        let largest = graph.map(|(_, bytes)| bytes).max();
        MemoryPlan {
            runs: PROCESS + 4 * m + 50 * n + largest.unwrap_or(0),
            // x, the pushed scores or the result, the last change of x; offsets.
            streamed: PROCESS + (8 + 8 + 8 + 2) * n,
            allowed,
        }
    }

    /// Runs if they fit, otherwise streamed.
    ///
    /// # Errors
    /// If not even the vectors fit.
    pub fn choose(&self) -> Result<Form> {
        if self.runs <= self.allowed {
            Ok(Form::Runs)
        } else if self.streamed <= self.allowed {
            Ok(Form::Streamed)
        } else {
            Err(Error::argument(
                "memory",
                format!("{} bytes", self.allowed),
                format!(
                    "the scores alone need {} bytes, the graph in memory needs {}",
                    self.streamed, self.runs
                ),
            ))
        }
    }
}

/// The free memory in bytes, as the system reports it: what is available without swapping, or what
/// is left to the process's control group, whichever is less. If the system reports nothing,
/// `u64::MAX`.
pub fn free_memory() -> u64 {
    let mut system = sysinfo::System::new();
    system.refresh_memory();
    let of_group = system.cgroup_limits().map(|limits| limits.free_memory);
    match (system.available_memory(), of_group) {
        (0, None | Some(0)) => u64::MAX,
        (0, Some(group)) => group,
        (system, None) => system,
        (system, Some(group)) => system.min(group),
    }
}

/// Makes room for `more` elements, doubling the room at hand. What a small compressed file can
/// inflate to any length must not take more than the free memory: a system that promises more
/// memory than it has would end the process.
///
/// # Errors
/// If there is not enough memory.
pub(crate) fn reserve<T>(list: &mut Vec<T>, more: usize, what: &'static str) -> Result<()> {
    if list.capacity() - list.len() >= more {
        return Ok(());
    }
    let wanted = list.len().saturating_add(more.max(list.len()));
    let bytes = (wanted as u64).saturating_mul(size_of::<T>() as u64);
    let short = || Error::memory(what, bytes);
    if bytes >= SMALL && bytes > free_memory() {
        return Err(short());
    }
    list.try_reserve(more).map_err(|_| short())
}

/// Up to this many bytes, free memory is not checked.
const SMALL: u64 = 1 << 28;

/// A vector of `length` times `value`, or an error where the allocator would abort.
///
/// # Errors
/// If there is not enough memory.
pub(crate) fn filled<T: Clone>(value: T, length: usize, what: &'static str) -> Result<Vec<T>> {
    let mut list = Vec::new();
    let bytes = (length as u64).saturating_mul(size_of::<T>() as u64);
    let reserved = list.try_reserve_exact(length);
    reserved.map_err(|_| Error::memory(what, bytes))?;
    list.resize(length, value);
    Ok(list)
}
