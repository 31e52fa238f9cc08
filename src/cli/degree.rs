//! `rank indegree` and `rank outdegree`.

use super::far_degrees;
use super::shared::run::RankRun;
use webrank::{Indegree, Outdegree};
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

pub fn indegree(command: &IndegreeArgs, global: &Global) -> Result<()> {
    let args = &command.args;
    match far_degrees::ranked(
        ("indegree", Direction::In),
        &args.graph,
        &args.output,
        global,
    )? {
        true => Ok(()),
        false => RankRun::new(global, &args.graph, &args.output).rank(|_| Ok(Indegree {})),
    }
}

pub fn outdegree(command: &OutdegreeArgs, global: &Global) -> Result<()> {
    let args = &command.args;
    match far_degrees::ranked(
        ("outdegree", Direction::Out),
        &args.graph,
        &args.output,
        global,
    )? {
        true => Ok(()),
        false => RankRun::new(global, &args.graph, &args.output).rank(|_| Ok(Outdegree {})),
    }
}
