//! One file per measure: what it is, its parameters, one function.

pub mod pagerank;
