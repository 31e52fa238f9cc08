//! Commands that read and write graphs.

mod bundles;
mod command;
mod components;
mod export_command;
