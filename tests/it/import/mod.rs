//! Graphs from foreign formats, by `rank import` and by every command that takes a graph.

mod commoncrawl;
mod direct;
mod files;
mod fold;
mod integer_names;
#[cfg(unix)]
mod killed;
mod lookup;
mod node_tables;
mod orders;
#[cfg(unix)]
mod recipes;
pub mod wikipedia;
