//! `rank codes`.

mod command;
mod taught;
