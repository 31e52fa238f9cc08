//! Memory: what a computation needs, what there is, and lists that grow only into free memory.
//!
//! Every command on a graph knows before its work begins how many bytes it will hold at once at most,
//! from the size of the graph alone, and refuses what does not fit: a system that promises
//! more memory than it has would end the process halfway. The bytes a node and an arc are upper
//! bounds over graphs of all shapes, measured (`tests/it/cli/memory.rs`). Searches from every node
//! are [checked](crate::limits::Limits) again when the graph is reduced, and what they take is known.
//!
//! A caller of the library sets a limit with [`Limits::memory`](crate::limits::Limits::memory); the command
//! sets one for the [whole process](allow), which the readers of text respect too, and the Python
//! package one [while it reads](allowing).

mod free;
mod lists;

pub use free::{
    allow, allowed_memory, allowing, check_limits, free_memory, peak_memory, resident_memory,
};
pub use lists::{filled, reserve, reserve_exact, reserve_text, zeros};

use crate::error::{Error, Result};

/// Code and buffers of a process, without its threads.
pub const PROCESS: u64 = 26 << 20;

/// The stack of a thread that works, and the blocks that it decodes.
pub const THREAD: u64 = 1 << 20;

/// Up to this many threads have blocks at the same time.
const BUSY_THREADS: u64 = 64;

/// The stack of a thread that has little to do.
const STACK: u64 = 128 << 10;

/// The bytes that a process with the current number of threads takes, whatever it computes.
pub fn of_process() -> u64 {
    let threads = rayon::current_num_threads() as u64;
    PROCESS + busy_threads() * THREAD + threads * STACK
}

/// The threads that hold more than their stack.
pub fn busy_threads() -> u64 {
    (rayon::current_num_threads() as u64).min(BUSY_THREADS)
}

/// A form in which a measure may be computed, and the memory that it needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoragePlan {
    /// Its name.
    pub name: &'static str,
    /// The bytes that the process holds at most, or if it [takes more](Self::takes_more), at least.
    pub bytes: u64,
    /// Whether it is faster with more, and then holds as much as is allowed; or needs more that shows only
    /// once the graph is read.
    pub takes_more: bool,
}

impl StoragePlan {
    /// The form that everything can have.
    pub fn in_memory(bytes: u64) -> Self {
        StoragePlan {
            name: "in memory",
            bytes,
            takes_more: false,
        }
    }

    /// The kind of bound that the bytes are, in words.
    pub fn bound(&self) -> &'static str {
        match self.takes_more {
            true => "at least",
            false => "at most",
        }
    }
}

/// Checks that a computation fits into so many bytes.
///
/// # Errors
/// If it needs more.
pub fn admit(what: &'static str, needed: u64, allowed: u64) -> Result<()> {
    if needed <= allowed {
        return Ok(());
    }
    Err(Error::NeedsMemory {
        what,
        needed,
        allowed,
    })
}
