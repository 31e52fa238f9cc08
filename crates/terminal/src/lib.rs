//! What the programs of this workspace share: `rank` and the tools beside it, such as `rank-crawl`.
//!
//! * [`program`]: from the words of a command line to an exit code; [`Tool`]: a program of one command;
//! * [`options`]: options of all commands; [`output_args`], [`input_format`], [`bundle_args`], [`hosts`]: those
//!   that several commands share;
//! * [`plan`]: what a command would need; [`rerun`]: repeating a run from its manifest;
//! * [`reported`]: results as tables, manifests and summaries;
//! * [`progress_bar`], [`say`]: what people see; [`signals`]: how they stop a run;
//! * [`path_conflicts`]: no command writes over what it reads.

pub mod bundle_args;
pub mod hosts;
pub mod input_format;
pub mod options;
pub mod output_args;
pub mod path_conflicts;
pub mod plan;
pub mod program;
pub mod progress_bar;
pub mod ranked_report;
pub mod reported;
pub mod rerun;
pub mod say;
pub mod signals;
pub mod tool;

pub use tool::{Tool, run_tool};
