//! From a crawl to a graph: near-duplicates.

#[cfg(feature = "cli")]
mod duplicates;
mod fingerprints;
