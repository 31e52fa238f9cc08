//! From a crawl to a graph.
//!
//! * `sieve`: every URL once, in the order of first sight;
//! * `ingest`: archives of pages as a graph.

pub mod ingest;
pub mod sieve;
