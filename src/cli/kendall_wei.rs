//! `rank kendall-wei`.

use super::shared::limits::Residual;
use super::shared::matrix::MatrixArgs;
use webrank::KendallWei;
use webrank_base::error::Result;
use webrank_terminal::options::{Direction, Global};

/// Kendall-Wei ranking of a tournament: a win is worth the score of the loser
///
/// Nodes are players, and an arc leads from the winner to the loser ('source,target' reads 'source
/// beat target'; with --direction in, 'target beat source'). Scores are the x >= 0 with
///
///   W x = rho x
///
/// W: the wins of each player against each other, 1 or the weight; rho: its spectral radius. In a
/// tournament every two players meet, so each pair has one arc. Pairs that never met and pairs with
/// arcs both ways are counted and accepted. If not everybody beat everybody, directly or through
/// others, the summary lists the strong components, best first, and says whose score is undefined;
/// such scores are 0.
///
/// Source: Wei 1952; Kendall 1955.
#[derive(clap::Args)]
#[command(verbatim_doc_comment, next_help_heading = "Measure")]
pub struct Args {
    #[command(flatten)]
    matrix: MatrixArgs<Residual>,
    /// Whose scores make a player good: those of the players it points to (who lost to it), or of
    /// those that point to it
    #[arg(long, value_enum, default_value_t = Direction::Out, help_heading = "Measure")]
    direction: Direction,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    args.matrix.run(global)?.rank(|_| {
        Ok(KendallWei {
            direction: args.direction,
            form: args.matrix.form,
            temp: args.matrix.temp.clone(),
        })
    })
}
