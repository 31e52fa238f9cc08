//! What several folders of tests share: small graphs, running the command, tables of fixtures, patience,
//! webs on the loopback interface.

#[cfg(feature = "cli")]
pub mod cli;
pub mod fixtures;
pub mod graphs;
pub mod mutants;
pub mod outcomes;
pub mod patience;
#[cfg(feature = "cli")]
pub mod web;
