//! From a graph on disk, and perhaps weights, to a matrix to multiply by.

use super::options::Direction;
use std::path::Path;
use webrank::error::Result;
use webrank::graph::weights::{read_weights, transpose};
use webrank::graph::{Names, Source};
use webrank::linear::Matrix;
use webrank::progress::Progress;

/// Rows of what flows into each node: its predecessors, or with [`Direction::Out`] its successors.
pub fn load_matrix(
    source: &Source,
    direction: Direction,
    weights: Option<&Path>,
    names: Option<&Names>,
    progress: &dyn Progress,
) -> Result<Matrix> {
    let Some(path) = weights else {
        return Ok(Matrix::new(match direction {
            Direction::In => source.predecessors(progress)?.rows,
            Direction::Out => source.successors(progress)?,
        }));
    };
    let successors = source.successors(progress)?;
    let weights = read_weights(path, &successors, names)?;
    let (rows, weights) = match direction {
        Direction::In => transpose(&successors, &weights)?,
        Direction::Out => (successors, weights),
    };
    Matrix::weighted(rows, weights)
}
