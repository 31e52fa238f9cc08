//! Behaviour that all commands share.

mod control_group;
mod explain;
mod failures;
mod memory;
mod memory_choice;
mod memory_of_files;
#[cfg(target_os = "linux")]
mod memory_of_large;
#[cfg(target_os = "linux")]
mod memory_of_real_graphs;
mod plan;
mod printed;
mod snapshots;
mod threads;
mod tools;
