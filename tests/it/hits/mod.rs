//! HITS and SALSA.

#[cfg(feature = "cli")]
mod command;
mod definition;
mod peers;
