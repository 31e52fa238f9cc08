//! [webrank]: ../webrank/index.html
#![doc = include_str!("../README.md")]
//!
//! # Files
//!
//! Each measure is one file, or a folder if it needs several. The file gives first the definition
//! (formula, direction, normalisation, unreachable and dangling nodes, source), then the parameters, whose
//! types exclude invalid values, then the computation.

pub mod current_flow;
pub mod degree;
pub mod distributed;
pub mod eigenvector;
pub mod far_degrees;
pub mod hits;
pub mod katz;
pub mod kendall_wei;
mod late_nodes;
pub mod leaderrank;
pub mod pagerank;
pub mod salsa;
mod salsa_order;
pub mod seeley;
pub mod walk_counts;
