//! [webrank]: ../webrank/index.html
#![doc = include_str!("../README.md")]

pub mod export;
pub mod import;
pub mod shard;
pub mod wikipedia;
