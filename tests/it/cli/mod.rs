//! Behaviour that all commands share.

mod control_group;
mod explain;
mod failures;
mod memory;
mod memory_choice;
#[cfg(target_os = "linux")]
mod memory_growth;
mod memory_of_files;
mod plan;
mod printed;
mod snapshots;
mod threads;
