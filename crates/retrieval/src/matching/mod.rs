//! Queries page by page, over posting lists of any kind: of the index, or in codes of our own.
//!
//! An expression becomes a tree of cursors that move in the order of pages. Counts are read for pages that
//! match, positions for pages that have all words of a phrase.

mod leaf;
mod places;
mod plan;
mod scoring;
mod top;
mod tree;

pub use scoring::{Idf, Model, Scoring};
pub use top::Best;
