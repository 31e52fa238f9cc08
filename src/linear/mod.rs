//! Linear algebra on the rows of a graph, without ever forming a dense matrix.
//!
//! * [`runs`]: rows of predecessors, equal rows and runs of nodes found once;
//! * [`prefixes`]: the sum of a run of nodes in two reads;
//! * [`matrix`]: nonnegative matrices by rows, with or without weights;
//! * [`prepared`]: one made ready for many multiplications;
//! * [`irreducible`]: their strong components that have a cycle;
//! * [`dominant`]: those with the largest spectral radius;
//! * [`perron`]: their spectral radii, between certified bounds, and dominant eigenvectors, by
//!   [`arnoldi`];
//! * [`stationary`]: long runs of irreducible walks, certified by hitting times, by [`bicgstab`];
//! * [`stop`]: when an iteration may stop.

pub mod arnoldi;
pub mod bicgstab;
pub mod dominant;
pub mod irreducible;
pub mod matrix;
pub mod perron;
pub mod prefixes;
pub mod prepared;
pub mod runs;
pub mod stationary;
pub mod stop;

pub use matrix::Matrix;
pub use stop::{StopRule, Tolerance};
