//! Tables and text files, in and out.
//!
//! * [`text`]: text files about nodes and arcs, all read by the same rules;
//! * [`read`]: tables of scores in any format, joined by name or node;
//! * [`write`](mod@write): tables of scores in any format;
//! * [`table`]: columns and cells; [`keys`]: the keys of rows; [`join`]: tables by their keys;
//! * [`arrow_batch`], [`numpy_header`], [`parquet_file`]: what readers of these formats share
//!   (features `arrow`, `npy`, `parquet`).

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
