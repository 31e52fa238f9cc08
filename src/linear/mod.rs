//! Fixed points of linear maps on a graph, without ever forming a matrix.
//!
//! * [`RandomWalk`]: the row-normalised adjacency, as rows of predecessors and outdegrees;
//! * [`pull`]: rows of predecessors, equal rows and runs of nodes found once;
//! * [`sums`]: sums that are accurate and do not depend on the number of threads;
//! * [`map`]: the map whose fixed point is PageRank, and the certificate of a vector near it;
//! * [`power`]: the power method with extrapolation;
//! * [`gauss_seidel`]: sweeps that use new values at once;
//! * [`operator`]: nonnegative matrices by rows, with or without weights;
//! * [`irreducible`]: their strong components that have a cycle;
//! * [`dominant`]: those with the largest spectral radius;
//! * [`perron`]: their spectral radii, between certified bounds, and dominant eigenvectors, by
//!   [`arnoldi`];
//! * [`stationary`]: long runs of irreducible walks, certified by hitting times, by [`bicgstab`];
//! * [`stop`]: when an iteration may stop;
//! * [`ties`]: nodes whose true scores are equal.

pub mod arnoldi;
pub mod bicgstab;
pub mod dominant;
pub mod gauss_seidel;
pub mod irreducible;
pub mod map;
pub mod operator;
pub mod perron;
pub mod power;
pub mod prefixes;
pub mod pull;
pub mod stationary;
pub mod stop;
pub mod sums;
pub mod ties;
pub mod walk;

pub use operator::Matrix;
pub use stop::{StopRule, Tolerance};
pub use walk::RandomWalk;
