//! `rank eigenvector`.

use super::shared::limits::Residual;
use super::shared::matrix::{MatrixArgs, WorkerArgs};
use webrank::Eigenvector;
use webrank_base::error::Result;
use webrank_terminal::options::{Direction, Global};
use webrank_walks::eigenvector::{EigenvectorMethod, Norm};

/// Eigenvector centrality, with a certified eigenvalue
///
/// The score of a node is proportional to the sum of the scores of the nodes that point to it (or,
/// with --direction out, that it points to): a nonnegative vector x with
///
///   x A = rho x
///
/// A: adjacency matrix; rho: its spectral radius.
///
/// Only the strong component with the largest spectral radius, and the nodes it reaches, have
/// positive scores. The summary names that component, and says how many scores are zero and why. If
/// several components share the largest radius, x is the limit of Katz's index as alpha tends to
/// 1/rho. A graph without cycles has no such x: use 'rank katz'. Scores that the residual cannot
/// resolve are set to 0, so that they tie.
///
/// The bounds on rho are certified; the tolerance is on the residual ||x A - rho x|| / (rho ||x||).
///
/// Source: Landau 1895; Bonacich 1972; Vigna, "Spectral ranking", 2016.
#[derive(clap::Args)]
#[command(verbatim_doc_comment, next_help_heading = "Measure")]
pub struct Args {
    #[command(flatten)]
    matrix: MatrixArgs<Residual>,
    /// Whose scores make a node important: those that point to it, or those it points to
    #[arg(long, value_enum, default_value_t = Direction::In, help_heading = "Measure")]
    direction: Direction,
    /// Scale scores so that this is 1: their sum, the sum of their squares, or the largest score
    #[arg(long, value_enum, default_value_t = Norm::L1, help_heading = "Measure")]
    norm: Norm,
    /// Algorithm; the scores are the same up to the tolerance
    #[arg(long, value_enum, default_value_t = EigenvectorMethod::Arnoldi, help_heading = "Measure")]
    method: EigenvectorMethod,
    #[command(flatten)]
    workers: WorkerArgs,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let run = args.matrix.run(global)?;
    args.workers.rank(run, false, |_, team| {
        Ok(Eigenvector {
            direction: args.direction,
            norm: args.norm,
            method: args.method,
            form: args.matrix.form,
            temp: args.matrix.temp.clone(),
            team,
        })
    })
}
