//! Breadth-first searches.
//!
//! * [`single`]: one source at a time, the simple engine that the others must equal;
//! * [`multi`]: 512 sources at a time in the lanes of bit masks, with [`simd`];
//! * [`components`]: strong components;
//! * [`every`]: the histograms of many nodes;
//! * [`histogram`]: how many nodes lie at each distance from a source;
//! * [`sources`]: all nodes, some, or a sample.

mod batch;
pub mod components;
mod counter;
pub mod every;
pub mod histogram;
pub mod hyperball;
pub mod multi;
pub(crate) mod pool;
pub mod simd;
pub mod single;
pub mod sources;
