//! What subcommands share: groups of options, and reporting of scores.

pub mod bundle_args;
pub mod checkpoint;
pub mod cluster;
pub mod distance_method;
pub mod form;
pub mod graph_file;
pub mod in_files_report;
pub mod iterative;
pub mod limits;
pub mod node_args;
pub mod options;
pub mod output_args;
pub mod plan;
pub mod progress_bar;
pub mod ranked_report;
pub mod reading;
pub mod reported;
pub mod retrieval_args;
pub mod run;
pub mod say;
pub mod unfinished;
pub mod units;
pub mod weights;
