//! `rank indegree` and `rank outdegree`.

use super::shared::options::{Global, GraphArgs, OutputArgs};
use super::shared::report::{Phases, Report};
use webrank::centrality::degree;
use webrank::error::Result;
use webrank::graph::{Predecessors, Successors};
use webrank::scores::ranking::Ranking;

/// The number of predecessors of each node, the baseline of all measures
///
/// Self-loops count.
#[derive(clap::Args)]
pub struct Indegree {
    #[command(flatten)]
    args: Args,
}

/// The number of successors of each node
///
/// Self-loops count.
#[derive(clap::Args)]
pub struct Outdegree {
    #[command(flatten)]
    args: Args,
}

#[derive(clap::Args)]
struct Args {
    #[command(flatten)]
    graph: GraphArgs,
    #[command(flatten)]
    output: OutputArgs,
}

pub fn indegree(command: &Indegree, global: &Global) -> Result<()> {
    run(&command.args, global, true)
}

pub fn outdegree(command: &Outdegree, global: &Global) -> Result<()> {
    run(&command.args, global, false)
}

fn run(args: &Args, global: &Global, incoming: bool) -> Result<()> {
    let mut phases = Phases::start();
    let output = args.output.open()?;
    let source = args.graph.open()?;
    let names = source.names()?;
    let progress = global.progress();
    let scores = match incoming {
        true => {
            let rows = source.predecessors(progress.as_ref())?.rows;
            degree::indegree(Predecessors(&rows))
        }
        false => degree::outdegree(Successors(&source.successors(progress.as_ref())?)),
    };
    drop(progress);
    phases.done("count");
    let ranking = Ranking::new(scores.values.as_slice().expect("one column is contiguous"))?;
    let scores = std::slice::from_ref(&scores);
    let report = Report::plain(&source, names.as_ref(), scores, &ranking, Vec::new());
    report.write(output, &args.output, global, phases)
}
