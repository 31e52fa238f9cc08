//! Behaviour that all commands share.

mod explain;
mod failures;
mod memory;
mod memory_choice;
mod snapshots;
mod threads;
