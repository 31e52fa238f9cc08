//! `rank verify`: the error that is found is the true one, whatever the scores.

#[cfg(feature = "cli")]
pub mod command;
#[cfg(feature = "cli")]
mod manifest;
