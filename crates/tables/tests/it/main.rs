//! Text files, and every name in them.

mod text;
#[cfg(any(feature = "arrow", feature = "npy", feature = "parquet"))]
mod typed;
