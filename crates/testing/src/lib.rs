//! What tests of this workspace share.
//!
//! * [`oracle`]: slow and obvious computations that share no code with the library;
//! * [`graphs`], [`fixtures`]: small graphs, and values of other programs;
//! * [`fuzz`]: parsers on damaged files;
//! * [`cli`]: running the programs; [`mutants`]: damaged bytes;
//!   [`patience`]: waiting; [`outcomes`]: what scores say of themselves.

pub mod cli;
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
