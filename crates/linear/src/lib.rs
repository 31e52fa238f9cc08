//! [webrank]: ../webrank/index.html
#![doc = include_str!("../README.md")]

pub mod arnoldi;
pub mod bicgstab;
pub mod components;
pub mod dominant;
pub mod exact_sum;
pub mod fibres;
pub mod inflow;
pub mod irreducible;
pub mod matrix;
pub mod perron;
pub mod prefixes;
pub mod prepared;
pub mod radii;
pub mod runs;
pub mod scaling;
mod single_rows;
pub mod stationary;
pub mod stop;
pub mod wide;

pub use matrix::Matrix;
pub use stop::{StopRule, Tolerance};
