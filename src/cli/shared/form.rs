//! The options of measures whose rows can have several forms.

use clap::Args;
use std::path::PathBuf;
use webrank::RowStorage;

/// Where rows are kept.
#[derive(Args)]
#[command(next_help_heading = "Measure")]
pub struct FormArgs {
    /// Where the rows of the graph are kept, for all sweeps; scores have the same bits in all forms
    #[arg(long, value_enum, default_value_t = RowStorage::Auto, help_heading = "Measure")]
    pub form: RowStorage,
    /// The folder of temporary files, for rows that do not fit into memory [default: the system's]
    #[arg(long, value_name = "FOLDER", help_heading = "Measure")]
    pub temp: Option<PathBuf>,
}
