//! [webrank]: ../webrank/index.html
#![doc = include_str!("../README.md")]

pub mod commands;
pub mod crawler;
pub mod ingest;
pub mod near;
pub mod placement;
pub mod sieve;
