//! Slow and obvious computations that share no code with the library.
#![allow(dead_code, reason = "each test uses the oracles that it needs")]

pub mod family;
pub mod pagerank;
pub mod spectral;
