//! From a graph on disk, and perhaps weights, to a matrix to multiply by.

use super::options::Direction;
use clap::Args;
use std::path::PathBuf;
use webrank::error::Result;
use webrank::graph::text::arc_weights::read_weights;
use webrank::graph::{Names, Source};
use webrank::linear::Matrix;
use webrank::progress::Progress;

/// Where the weights of arcs come from.
#[derive(Args)]
pub struct WeightArgs {
    /// Weights of the arcs: FILE with one number an arc, by source and target (.f32 or .f64,
    /// little-endian), or source,target,weight lines [default: 1]
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

impl WeightArgs {
    /// Whether there are any.
    pub fn are_given(&self) -> bool {
        self.weights.is_some()
    }

    /// Rows of what flows into each node: its predecessors, or with [`Direction::Out`] its
    /// successors.
    pub fn load(
        &self,
        source: &Source,
        direction: Direction,
        names: Option<&Names>,
        progress: &dyn Progress,
    ) -> Result<Matrix> {
        let Some(path) = &self.weights else {
            return Ok(Matrix::new(match direction {
                Direction::In => source.predecessors(progress)?.rows,
                Direction::Out => source.successors(progress)?,
            }));
        };
        let successors = source.successors(progress)?;
        let weights = read_weights(path, &successors, names)?;
        let (rows, weights) = match direction {
            Direction::In => successors.transpose_weighted(&weights)?,
            Direction::Out => (successors, weights),
        };
        Matrix::weighted(rows, weights)
    }
}
