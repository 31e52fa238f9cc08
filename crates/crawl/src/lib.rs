//! From a crawl to a graph.
//!
//! * `sieve`: every URL once, in the order of first sight;
//! * `ingest`: archives of pages as a graph;
//! * `crawler`: a small crawler, which makes archives (feature `live`);
//! * [`near`]: pages that are nearly the same: fingerprints, and all pairs that are close;
//! * [`placement`]: which of several machines a key belongs to.

pub mod commands;
pub mod crawler;
pub mod ingest;
pub mod near;
pub mod placement;
pub mod sieve;
