//! Katz's index.

#[cfg(feature = "cli")]
mod command;
mod definition;
mod peers;
