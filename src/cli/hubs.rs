//! `rank hits` and `rank salsa`.

use super::shared::cluster::ClusterArgs;
use super::shared::limits::Residual;
use super::shared::matrix::{MatrixArgs, WorkerArgs};
use super::shared::run::{RankRun, Weights};
use super::shared::weights::WeightArgs;
use webrank::{Hits, Salsa};
use webrank_base::error::Result;
use webrank_terminal::options::{Global, GraphArgs, OutputArgs};

/// HITS: hubs and authorities, one column each
///
/// Good hubs point to good authorities, and good authorities are pointed at by good hubs:
///
///   a A' A = lambda a,   h = a A'
///
/// A: adjacency matrix; lambda: the largest eigenvalue of A' A. Each column sums to 1. If several
/// parts of a graph have the same lambda, a is the limit of the iteration from equal scores. Scores
/// that the residual cannot resolve are set to 0, so that they tie: usually only one dense part of
/// a graph has positive scores.
///
/// The tolerance is on the residual ||a A' A - lambda a|| / (lambda ||a||).
///
/// Source: Kleinberg 1999.
#[derive(clap::Args)]
#[command(verbatim_doc_comment, next_help_heading = "Measure")]
pub struct HitsArgs {
    #[command(flatten)]
    matrix: MatrixArgs<Residual>,
    #[command(flatten)]
    workers: WorkerArgs,
}

/// SALSA: exact hubs and authorities of an alternating random walk, one column each
///
/// A step of the walk leads from an authority to a random predecessor, and from there to a random
/// successor. In the long run the walk is at x with probability
///
///   a(x) = |C| / |A| indegree(x) / arcs(C)
///
/// A: nodes with predecessors; C: those that such walks connect with x; arcs(C): the sum of their
/// indegrees. With --weights, arcs are followed with probability proportional to their weights.
/// Hubs are defined in the same way with directions exchanged. Each column sums to 1.
///
/// Source: Lempel and Moran 2001.
#[derive(clap::Args)]
#[command(verbatim_doc_comment, next_help_heading = "Measure")]
pub struct SalsaArgs {
    #[command(flatten)]
    graph: GraphArgs,
    #[command(flatten)]
    weights: WeightArgs,
    #[command(flatten)]
    cluster: ClusterArgs,
    #[command(flatten)]
    output: OutputArgs,
}

pub fn hits(args: &HitsArgs, global: &Global) -> Result<()> {
    let run = args.matrix.run(global)?;
    args.workers.rank(run, false, |_, team| {
        Ok(Hits {
            form: args.matrix.form,
            temp: args.matrix.temp.clone(),
            team,
        })
    })
}

pub fn salsa(args: &SalsaArgs, global: &Global) -> Result<()> {
    let team = args.cluster.team_writing(&args.output, global)?;
    let run = RankRun {
        weights: Weights::given(args.weights.path()),
        team: Some(&team),
        is_named: false,
        ..RankRun::new(global, &args.graph, &args.output)
    };
    run.rank_among(|_| Ok(Salsa { team: team.clone() }))
}
