//! `rank eccentricity`.

use super::shared::checkpoint::CheckpointArgs;
use super::shared::distance_method::one_of;
use super::shared::lengths::LengthArgs;
use super::shared::run::RankRun;
use clap::builder::PossibleValue;
use std::time::Duration;
use webrank::{Eccentricity, Limits};
use webrank_base::error::Result;
use webrank_base::limits::duration;
use webrank_distances::geometric::{DistanceMethod, Geometric};
use webrank_graph::Direction;
use webrank_lengths::LengthRanking;
use webrank_terminal::options::{Global, GraphArgs, OutputArgs};

/// Eccentricity: the largest distance to a node, from the nodes that reach it
///
/// 0 if no node reaches it. Rank 1 is the most remote node, not the most central one. It is always
/// computed exactly.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(flatten)]
    graph: GraphArgs,
    /// Which distances count
    #[arg(long, value_enum, default_value_t = Direction::In, help_heading = "Measure")]
    direction: Direction,
    #[command(flatten)]
    lengths: LengthArgs,
    /// How to compute
    #[arg(long, value_parser = one_of(methods()), default_value = "auto", help_heading = "Measure")]
    method: DistanceMethod,
    /// With auto, the time that the computation may take (such as 90s, 10m, 2h); it is refused if it
    /// would take longer
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = duration)]
    #[arg(help_heading = "Measure")]
    time_budget: Duration,
    #[command(flatten)]
    checkpoint: CheckpointArgs,
    #[command(flatten)]
    output: OutputArgs,
}

/// The methods: nothing is known of estimates.
fn methods() -> [PossibleValue; 2] {
    [
        PossibleValue::new("auto").help("Exact if it fits the time budget and memory"),
        PossibleValue::new("exact").help("Exact, however long it takes"),
    ]
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let mut measure = Geometric::of(Eccentricity)
        .direction(args.direction)
        .method(args.method);
    if let Some(count) = args.output.top {
        measure = measure.top(count);
    }
    let graph = args.lengths.graph(&args.graph);
    let run = RankRun {
        limits: Limits::default().time(args.time_budget),
        checkpoint: Some(&args.checkpoint),
        weights: args.lengths.weights(),
        ..RankRun::new(global, &graph, &args.output)
    };
    match args.lengths.given()? {
        Some((lengths, cutoff)) => {
            run.rank(|_| Ok(LengthRanking::of(measure, lengths).cutoff(cutoff)))
        }
        None => run.rank(|_| Ok(measure)),
    }
}
