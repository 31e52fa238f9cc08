//! The algorithms that solve PageRank's equation.
//!
//! * [`mod@reference`]: the plain method, to be read first;
//! * [`power`]: the power method on rows in memory, with extrapolation ([`reduced_rank`]);
//! * [`gauss_seidel`]: sweeps that use new values immediately;
//! * [`by_component`]: Gauss-Seidel by strong components, in topological order;
//! * [`streamed`]: the power method on a graph that stays compressed, with an extrapolation that
//!   takes less memory ([`power_extrapolation`]);
//! * [`weighted_power`]: the power method with arc weights;
//! * [`many_seeds`]: many walks at a time, each from a single node.

pub mod by_component;
pub mod gauss_seidel;
pub mod many_seeds;
pub(super) mod many_seeds_kernels;
pub mod power;
pub mod power_extrapolation;
pub mod reduced_rank;
pub mod reference;
pub mod streamed;
pub mod weighted_power;
