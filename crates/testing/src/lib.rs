//! [webrank]: ../webrank/index.html
#![doc = include_str!("../README.md")]

pub mod cli;
pub mod damage;
pub mod fixtures;
pub mod fuzz;
pub mod graphs;
pub mod mutants;
pub mod oracle;
pub mod outcomes;
pub mod patience;

/// The path of a file of the workspace, for a test of a crate in `crates/`.
#[macro_export]
macro_rules! at {
    ($path:literal) => {
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../", $path)
    };
}
