//! [webrank]: ../webrank/index.html
#![doc = include_str!("../README.md")]

pub mod aligned;
pub mod bundle_args;
pub mod examples;
pub mod hosts;
pub mod input_format;
pub mod options;
pub mod output_args;
pub mod path_conflicts;
pub mod plan;
pub mod program;
pub mod progress_bar;
mod progress_log;
pub mod ranked_report;
pub mod reported;
pub mod rerun;
pub mod say;
pub mod signals;
pub mod tool;
mod typed;
pub mod usage;

pub use tool::{Tool, run_tool};
