//! The commands `rank index`, `rank search` and `rank evaluate`.

pub mod evaluate;
mod evaluation;
mod given;
pub mod index;
mod runs;
mod scoring;
pub mod search;
