//! [webrank]: ../webrank/index.html
#![doc = include_str!("../README.md")]

pub mod join;
pub mod keys;
#[cfg(feature = "npy")]
pub mod numpy;
pub mod read;
pub mod table;
pub mod text;
pub mod trace;
pub mod write;
