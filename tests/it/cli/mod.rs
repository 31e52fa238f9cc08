//! Behaviour that all commands share.

mod explain;
mod failures;
mod snapshots;
mod threads;
