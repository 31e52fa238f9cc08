//! From a crawl to a graph.
//!
//! * [`near`]: pages that are nearly the same: fingerprints, and all pairs that are close;
//! * [`placement`]: which of several machines a key belongs to.

pub mod near;
pub mod placement;
