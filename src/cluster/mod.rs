//! Workers that compute together, each with a part of the graph.
//!
//! * [`Exchange`]: what they do together; the rest of the library knows nothing else of other workers;
//! * [`threads`]: workers that are threads of one process.
//!
//! Sums of whole numbers do not depend on the order in which they arrive, so no result depends on how
//! many workers there are or which of them is first.

pub(crate) mod threads;

use crate::error::Result;

/// What a worker does together with the others. All of them take the same steps in the same order.
pub(crate) trait Exchange: Send {
    /// Which of the workers this is.
    fn index(&self) -> usize;

    /// The number of workers.
    fn workers(&self) -> usize;

    /// Sends words to another worker, which receives them after those sent before. It never waits.
    ///
    /// # Errors
    /// If that worker has failed.
    fn send(&mut self, to: usize, words: Vec<u64>) -> Result<()>;

    /// The next words from any other worker, and which it is. Waits for them.
    ///
    /// # Errors
    /// If a worker has failed.
    fn receive(&mut self) -> Result<(usize, Vec<u64>)>;

    /// The words that every worker gives, in the order of the workers. Waits for all.
    ///
    /// # Errors
    /// If a worker has failed.
    fn gather(&mut self, own: &[u64]) -> Result<Vec<Vec<u64>>>;
}
