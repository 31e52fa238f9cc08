//! [webrank]: ../webrank/index.html
#![doc = include_str!("../README.md")]

#[cfg(feature = "arrow")]
pub mod arrow_batch;
pub mod join;
pub mod keys;
#[cfg(feature = "npy")]
pub mod numpy_header;
#[cfg(feature = "parquet")]
pub mod parquet_file;
pub mod read;
pub mod table;
pub mod text;
pub mod write;
