//! The option for weights of arcs.

use clap::Args;
use std::path::{Path, PathBuf};

/// Weights of arcs, from a file.
#[derive(Args)]
#[command(next_help_heading = "Measure")]
pub struct WeightArgs {
    /// Weights of the arcs: FILE with one number per arc, ordered by source and target (.f32 or
    /// .f64, little-endian), or source,target,weight lines [default: 1]
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

impl WeightArgs {
    /// The file, if arcs have weights.
    pub fn path(&self) -> Option<&Path> {
        self.weights.as_deref()
    }
}
