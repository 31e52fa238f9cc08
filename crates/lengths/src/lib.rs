//! [webrank]: ../webrank/index.html
#![doc = include_str!("../README.md")]

mod all_sums;
mod approx;
mod arc_betweenness;
mod batch;
pub mod betweenness;
mod cutoff;
pub mod decimal;
mod dependencies;
mod distance;
pub mod distribution;
mod engine;
pub mod file;
pub mod node_distances;
mod path_block;
mod path_lanes;
mod path_sampler;
pub mod paths;
mod queue;
pub mod ranking;
mod scores;
mod search;
pub mod source;
mod sums;
pub mod whole;

pub use arc_betweenness::LengthArcBetweenness;
pub use betweenness::LengthBetweenness;
pub use cutoff::Cutoff;
pub use distribution::LengthDistribution;
pub use ranking::LengthRanking;
pub use source::LengthSource;
