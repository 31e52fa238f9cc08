//! The Kendall-Wei ranking.

#[cfg(feature = "cli")]
mod command;
