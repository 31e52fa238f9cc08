//! Fixed points of linear maps on a graph, without ever forming a matrix.
//!
//! * [`RandomWalk`]: the row-normalised adjacency, as rows of predecessors and outdegrees;
//! * [`sums`]: sums that are accurate and do not depend on the number of threads;
//! * [`power`]: one application of a map, with the certificate of what it returns;
//! * [`gauss_seidel`]: sweeps that use new values at once;
//! * [`stop`]: when an iteration may stop.

pub mod gauss_seidel;
pub mod power;
pub mod stop;
pub mod sums;
pub mod walk;

pub use stop::{StopRule, Tolerance};
pub use walk::RandomWalk;
