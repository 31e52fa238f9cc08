//! [webrank]: ../webrank/index.html
#![doc = include_str!("../README.md")]

pub mod betweenness;
pub mod geometric;
pub mod probe;
pub mod reduction;
pub mod sample_mean;
pub mod traversal;
