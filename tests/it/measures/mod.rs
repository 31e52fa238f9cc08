//! Properties of all measures: they stop when they are asked to, long ones go on from their
//! checkpoints, and equal rows tie.

mod checkpoint_refusals;
pub mod checkpoints;
mod equal_rows;
mod forms;
mod interruption;
mod length_checkpoints;
