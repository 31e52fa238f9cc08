//! From a crawl to a graph.
//!
//! * `sieve`: every URL once, in the order of first sight.

pub mod sieve;
