//! `rank indegree` and `rank outdegree`.

use super::far_degrees;
use super::shared::run::RankRun;
use webrank::{Indegree, Measure, Outdegree};
use webrank_base::error::Result;
use webrank_graph::Direction;
use webrank_terminal::options::{Global, GraphArgs, OutputArgs};

/// The number of predecessors of each node, the baseline of all measures
///
/// Self-loops count.
#[derive(clap::Args)]
pub struct IndegreeArgs {
    #[command(flatten)]
    args: DegreeArgs,
}

/// The number of successors of each node
///
/// Self-loops count.
#[derive(clap::Args)]
pub struct OutdegreeArgs {
    #[command(flatten)]
    args: DegreeArgs,
}

#[derive(clap::Args)]
struct DegreeArgs {
    #[command(flatten)]
    graph: GraphArgs,
    #[command(flatten)]
    output: OutputArgs,
}

impl DegreeArgs {
    fn rank<M: Measure>(&self, measure: M, direction: Direction, global: &Global) -> Result<()> {
        let name = (measure.name(), direction);
        match far_degrees::ranked(name, &self.graph, &self.output, global)? {
            true => Ok(()),
            false => RankRun::new(global, &self.graph, &self.output).rank(|_| Ok(measure)),
        }
    }
}

pub fn indegree(command: &IndegreeArgs, global: &Global) -> Result<()> {
    command.args.rank(Indegree {}, Direction::In, global)
}

pub fn outdegree(command: &OutdegreeArgs, global: &Global) -> Result<()> {
    command.args.rank(Outdegree {}, Direction::Out, global)
}
