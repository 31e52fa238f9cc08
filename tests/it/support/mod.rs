//! What several folders of tests share: small graphs, running the command, tables of fixtures.

#[cfg(feature = "cli")]
pub mod cli;
pub mod fixtures;
pub mod graphs;
