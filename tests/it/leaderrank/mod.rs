//! LeaderRank.

#[cfg(feature = "cli")]
mod command;
