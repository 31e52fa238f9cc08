//! The commands `rank index`, `rank search` and `rank evaluate`.

pub mod evaluate;
mod evaluation;
pub mod index;
mod runs;
mod scoring;
pub mod search;
