//! `rank walks` and `rank current-flow`.

#[cfg(feature = "cli")]
mod command;
