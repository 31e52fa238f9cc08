//! HITS and SALSA.

#[cfg(feature = "cli")]
mod command;
