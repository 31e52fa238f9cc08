//! Seeley's index.

#[cfg(feature = "cli")]
mod command;
