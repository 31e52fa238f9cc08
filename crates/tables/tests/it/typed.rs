//! Columns of the types that Spark, polars and numpy write: decimals, half floats, binary strings.

#[cfg(feature = "arrow")]
mod arrow;
#[cfg(feature = "npy")]
mod npy;
#[cfg(feature = "parquet")]
mod parquet;

use webrank_tables::read::{ScoreFile, read_scores};

/// The scores in a file of this name with this content.
fn read(name: &str, bytes: &[u8]) -> Result<ScoreFile, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    read_scores(&path, None).map_err(|problem| problem.to_string())
}

/// The keys and the only column of scores in a file.
fn table(name: &str, bytes: &[u8]) -> (Vec<String>, Vec<f64>) {
    let read = read(name, bytes).unwrap();
    let keys = read.keys.iter().map(str::to_owned).collect();
    let [(_, scores)] = read.columns.try_into().unwrap();
    (keys, scores)
}
