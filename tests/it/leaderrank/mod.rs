//! LeaderRank.

#[cfg(feature = "cli")]
mod command;
mod definition;
