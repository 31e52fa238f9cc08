//! Options of the commands that iterate over the arcs of one graph, which may have weights.

use super::limits::IterationArgs;
use super::run::{RankRun, Weights};
use super::weights::WeightArgs;
use clap::Args;
use webrank_base::error::Result;
use webrank_terminal::options::{Global, GraphArgs, OutputArgs};

/// What these commands share. Tolerances differ in meaning, so each command has its own.
#[derive(Args)]
pub struct IterativeArgs {
    #[command(flatten)]
    graph: GraphArgs,
    #[command(flatten)]
    weights: WeightArgs,
    #[command(flatten)]
    iteration: IterationArgs,
    #[command(flatten)]
    output: OutputArgs,
}

impl IterativeArgs {
    /// Where the table goes.
    pub fn output(&self) -> &OutputArgs {
        &self.output
    }

    /// The run that these options describe.
    pub fn run<'a>(&'a self, tolerance: f64, global: &'a Global) -> Result<RankRun<'a>> {
        Ok(RankRun {
            limits: self.iteration.limits(tolerance)?,
            allow_unconverged: self.iteration.allow_unconverged,
            weights: Weights::given(self.weights.path()),
            ..RankRun::new(global, &self.graph, &self.output)
        })
    }
}
