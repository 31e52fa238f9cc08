//! `rank katz`.

use super::shared::limits::RelativeL1Distance;
use super::shared::matrix::{MatrixArgs, WorkerArgs};
use std::path::PathBuf;
use webrank::Katz;
use webrank_base::error::Result;
use webrank_terminal::options::{Direction, Global};
use webrank_walks::katz::{Attenuation, KatzMethod};

/// Katz's index, to a certified error
///
/// The score of a node counts the walks that end at it (or, with --direction out, that start at
/// it): each walk of length k has weight alpha^k times the beta of its other end. In matrix form
///
///   x = beta (I - alpha A)^-1 = beta + alpha x A
///
/// A: adjacency matrix; rho: its spectral radius; alpha: attenuation, below 1/rho; beta: 1 by
/// default. Scores are not scaled. For alpha near 1/rho the ranking is that of 'rank eigenvector',
/// for alpha near 0 that of indegree. Graphs without cycles admit any alpha.
///
/// The l1 distance to the true vector, divided by the sum of scores, is proved to be within the
/// tolerance. The manifest has this bound as 'relative_error_bound', and that of the distance
/// itself as 'error_bound'.
///
/// Source: Katz, "A new status index derived from sociometric analysis", 1953.
#[derive(clap::Args)]
#[command(verbatim_doc_comment, next_help_heading = "Measure")]
pub struct Args {
    #[command(flatten)]
    matrix: MatrixArgs<RelativeL1Distance>,
    /// Attenuation of each step: below 1/rho, or auto, which is 0.85/rho (without cycles: 0.85
    /// divided by the largest indegree)
    #[arg(long, default_value = "auto", allow_hyphen_values = true)]
    #[arg(help_heading = "Measure")]
    alpha: String,
    /// Weight of each node as the other end of a walk: FILE with one number per line, or
    /// name,weight or node,weight lines for some of the nodes [default: 1]
    #[arg(long, value_name = "FILE", help_heading = "Measure")]
    beta: Option<PathBuf>,
    /// Whether walks end or start at the node
    #[arg(long, value_enum, default_value_t = Direction::In, help_heading = "Measure")]
    direction: Direction,
    /// Algorithm
    #[arg(long, value_enum, default_value_t = KatzMethod::Bicgstab, help_heading = "Measure")]
    method: KatzMethod,
    #[command(flatten)]
    workers: WorkerArgs,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let alpha: Attenuation = args.alpha.parse()?;
    let run = args.matrix.run(global)?;
    args.workers.rank(run, args.beta.is_some(), |graph, team| {
        let beta = args.beta.as_ref();
        let beta = beta.map(|path| graph.node_values(path));
        Ok(Katz {
            alpha,
            beta: beta.transpose()?,
            direction: args.direction,
            method: args.method,
            form: args.matrix.form,
            temp: args.matrix.temp.clone(),
            team,
        })
    })
}
