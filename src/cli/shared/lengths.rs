//! The options for lengths of arcs.

use super::run::Weights;
use clap::Args;
use std::path::PathBuf;
use webrank_base::error::Result;
use webrank_lengths::{Cutoff, LengthSource};
use webrank_terminal::options::GraphArgs;

/// Lengths of arcs, and the longest path that counts.
#[derive(Args)]
#[command(next_help_heading = "Measure")]
pub struct LengthArgs {
    /// Distances are sums of lengths of arcs, exact to the tie: 'weights' takes the weights of the graph
    /// as lengths, 'inverse' 1/weight, FILE has source,target,length lines, or one number per arc,
    /// ordered by source and target (.f32 or .f64, little-endian); distances are not estimated then
    /// [default: every arc is one step]
    #[arg(long, value_name = "weights|inverse|FILE")]
    lengths: Option<PathBuf>,
    /// Only paths up to this length (without --lengths: of at most so many steps) count; distances are
    /// not estimated then
    #[arg(long, value_name = "LENGTH", allow_hyphen_values = true)]
    cutoff: Option<String>,
}

impl LengthArgs {
    /// The lengths and the longest path, if anything is given.
    ///
    /// # Errors
    /// If the longest path is not positive.
    pub fn given(&self) -> Result<Option<(LengthSource, Option<Cutoff>)>> {
        let lengths = self.lengths.as_ref().map(|path| match path.to_str() {
            Some("weights") => LengthSource::Weights,
            Some("inverse") => LengthSource::Inverse,
            _ => LengthSource::File(path.clone()),
        });
        let cutoff = self.cutoff.as_ref().map(|text| text.parse::<Cutoff>());
        let cutoff = cutoff.transpose()?;
        let is_given = lengths.is_some() || cutoff.is_some();
        Ok(is_given.then(|| (lengths.unwrap_or_default(), cutoff)))
    }

    /// The graph: of parallel arcs, the shortest counts if weights are lengths or their inverses.
    pub fn graph(&self, graph: &GraphArgs) -> GraphArgs {
        let lengths = self.lengths.as_deref();
        GraphArgs {
            reading: graph.reading.clone().with_lengths(lengths),
            ..graph.clone()
        }
    }

    /// Whether the weights of the graph count.
    pub fn weights(&self) -> Weights<'static> {
        match self.lengths {
            Some(_) => Weights::OfGraph,
            None => Weights::NoLengths,
        }
    }
}
