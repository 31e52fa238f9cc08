//! Measures of importance, one file each: what it is, its parameters, one function.
//!
//! Geometric measures are formulas over "how many nodes lie at each distance", and share one
//! traversal: see [`geometric`].

pub mod betweenness;
pub mod degree;
pub mod eigenvector;
pub mod geometric;
pub mod hits;
pub mod katz;
pub mod kendall_wei;
pub mod pagerank;
pub mod salsa;
pub mod seeley;
