//! [webrank]: ../webrank/index.html
#![doc = include_str!("../README.md")]

mod about;
pub mod build;
pub mod collection;
pub mod commands;
mod documents;
pub mod evaluate;
pub mod expression;
pub mod fields;
pub mod judgements;
pub mod known_items;
pub mod lists;
pub mod matching;
pub mod measures;
pub mod parts;
mod refused;
pub mod runs;
pub mod search;
pub mod significance;
pub mod static_rank;
#[cfg(test)]
mod tests;
pub mod trec;
pub mod tune;
