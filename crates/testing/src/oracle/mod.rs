//! Slow and obvious computations that share no code with the library.

pub mod betweenness;
pub mod compare;
pub mod components;
pub mod distances;
pub mod exact;
pub mod fractions;
pub mod leaderrank;
pub mod pagerank;
pub mod pagerank_variants;
pub mod spectral;
