//! Tools for parallel loops.
//!
//! * [`blocks`]: blocks of rows with about equal arcs, fixed by the graph alone;
//! * `fixed_point_sum`: sums in fixed point, the same in any order;
//! * `prefix_sum`: running sums of whole numbers;
//! * [`sums`]: sums that are accurate and do not depend on the number of threads;
//! * `tasks`: pieces of work that threads share;
//! * [`simd`]: the choice of vector instructions at run time;
//! * [`workspaces`]: memory for searches, allocated once by each thread.

pub mod blocks;
pub mod fixed_point_sum;
pub mod prefix_sum;
pub mod simd;
pub mod sums;
pub mod tasks;
pub mod workspaces;
