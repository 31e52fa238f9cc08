//! Parts that subcommands share: groups of options, and reporting of scores.

pub mod checkpoint;
pub mod cluster;
pub mod distance_method;
pub mod graph_file;
pub mod lengths;
pub mod limits;
pub mod matrix;
pub mod node_args;
pub mod node_columns;
pub mod plan;
pub mod rank_tables;
pub mod run;
pub mod unfinished;
pub mod weights;
