//! Graphs cut into shards.

#[cfg(feature = "cli")]
mod command;
mod definition;
#[cfg(feature = "cli")]
mod processes;
