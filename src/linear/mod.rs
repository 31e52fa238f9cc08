//! Fixed points of linear maps on a graph, without ever forming a matrix.
//!
//! * [`RandomWalk`]: the row-normalised adjacency, as rows of predecessors and outdegrees;
//! * [`pull`]: rows of predecessors, equal rows and runs of nodes found once;
//! * [`sums`]: sums that are accurate and do not depend on the number of threads;
//! * [`equation`]: what PageRank solves, whatever form the walk takes;
//! * [`form`]: whether rows are kept in memory;
//! * [`map`]: the map whose fixed point is PageRank, and the certificate of a vector near it;
//! * [`power`]: the power method with extrapolation;
//! * [`gauss_seidel`]: sweeps that use new values at once;
//! * [`streamed`]: the power method on a graph that stays compressed;
//! * [`solve`]: sweeps until a certified bound is within a tolerance;
//! * [`operator`]: nonnegative matrices by rows, with or without weights;
//! * [`irreducible`]: their strong components that have a cycle;
//! * [`dominant`]: those with the largest spectral radius;
//! * [`perron`]: their spectral radii, between certified bounds, and dominant eigenvectors, by
//!   [`arnoldi`];
//! * [`stop`]: when an iteration may stop;
//! * [`ties`]: nodes whose true scores are equal.

pub mod arnoldi;
pub mod dominant;
pub mod equation;
pub mod form;
pub mod gauss_seidel;
pub mod irreducible;
pub mod map;
pub mod operator;
pub mod perron;
pub mod power;
pub mod prefixes;
pub mod pull;
mod schedule;
pub mod solve;
pub mod stop;
pub mod streamed;
pub mod sums;
pub mod ties;
pub mod walk;

pub use operator::Matrix;
pub use stop::{StopRule, Tolerance};
pub use walk::RandomWalk;
