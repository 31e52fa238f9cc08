//! Behaviour that all commands share.

mod explain;
mod failures;
mod memory;
mod snapshots;
mod threads;
