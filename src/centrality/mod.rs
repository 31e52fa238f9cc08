//! Measures of importance, one file each: what it is, its parameters, one function.
//!
//! Geometric measures are formulas over "how many nodes lie at each distance", and share one
//! traversal: see [`geometric`].

pub mod betweenness;
pub mod closeness;
pub mod decay;
pub mod degree;
pub mod distances;
pub mod eccentricity;
pub mod eigenvector;
pub mod estimated;
pub mod geometric;
pub mod harmonic;
pub mod hits;
pub mod inflow;
pub mod katz;
pub mod kendall_wei;
pub mod lin;
pub mod pagerank;
pub mod reachable;
pub mod salsa;
pub mod sampling;
pub mod seeley;
pub mod top;
pub mod trustrank;
pub mod weighted;
