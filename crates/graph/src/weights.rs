//! The weights of a graph's arcs: those of its bundle, of a file, or in memory.

use super::arc_weights::read_weights;
use super::{Csr, Graph, StoredGraph};
use std::path::PathBuf;
use std::sync::Arc;
use webrank_base::error::{Error, Result};
use webrank_base::progress::Progress;
use webrank_tables::text::checksums::Checksums;

/// Where the weights of the arcs are.
#[derive(Clone)]
pub(super) enum Weights {
    File(PathBuf),
    /// By source and target.
    Memory(Arc<[f64]>),
}

impl Graph {
    /// This graph with arc weights from a file: one number for each arc, by source and target (`.f32` or
    /// `.f64`, little-endian), or lines `source,target,weight`. The file is read when a measure needs it.
    pub fn with_weights(mut self, file: impl Into<PathBuf>) -> Self {
        self.weights = Some(Weights::File(file.into()));
        self
    }

    /// This graph with arc weights: one number for each arc, by source and target.
    ///
    /// # Errors
    /// If there is not one for each arc, or if one is not positive and finite.
    pub fn with_arc_weights(mut self, weights: Vec<f64>) -> Result<Self> {
        let (given, arcs) = (weights.len() as u64, self.num_arcs);
        if given != arcs {
            let remedy = format!("the graph has {arcs} arcs");
            return Err(Error::argument("number of weights", given, remedy));
        }
        if let Some(weight) = weights.iter().find(|it| !(it.is_finite() && **it > 0.0)) {
            let remedy = "it must be positive and finite";
            return Err(Error::argument("weight", weight, remedy));
        }
        self.weights = Some(Weights::Memory(weights.into()));
        Ok(self)
    }

    /// This graph without arc weights: each arc weighs 1.
    pub fn without_weights(mut self) -> Self {
        self.weights = None;
        self
    }

    /// True if arcs have weights.
    pub fn has_weights(&self) -> bool {
        self.weights.is_some()
    }

    /// The rows of successors and the weights of their arcs, if arcs have weights; they are not
    /// kept.
    ///
    /// # Errors
    /// As for [`Self::successors`]; if weights cannot be read or do not fit the graph.
    pub fn weighted_successors(&self, progress: &dyn Progress) -> Result<Option<(Csr, Vec<f64>)>> {
        let Some(weights) = &self.weights else {
            return Ok(None);
        };
        let rows = self.take_successors(progress)?;
        let weights = match weights {
            Weights::File(path) => {
                // The manifest of a bundle knows its own.
                let own = self.source().and_then(StoredGraph::weights) == Some(path.as_path());
                let unnoted = Checksums::default();
                let noted = if own { &unnoted } else { &self.read };
                read_weights(path, &rows, self.names(), noted)?
            }
            Weights::Memory(weights) => weights.to_vec(),
        };
        Ok(Some((rows, weights)))
    }
}
