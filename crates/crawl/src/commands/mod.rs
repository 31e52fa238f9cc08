//! The commands `rank crawl`, `rank ingest` and `rank duplicates`.

pub mod crawl;
pub mod duplicates;
mod goal;
pub mod ingest;
