//! `rank geometric`: several distance measures at once.

use super::shared::distance_method::{AnyEngine, DistanceArgs};
use clap::builder::PossibleValuesParser;
use webrank_base::error::Result;
use webrank_distances::geometric::{Geometric, all_measures};
use webrank_terminal::options::Global;

/// Several distance measures from one traversal, one column each
///
/// The table has the columns node, name and one for each measure; --sort score and --top use the
/// first measure.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(flatten)]
    distances: DistanceArgs<AnyEngine>,
    /// The measures, separated by commas
    #[arg(long, value_delimiter = ',', required = true, value_name = "NAMES")]
    #[arg(value_parser = PossibleValuesParser::new(all_measures().iter().map(|it| it.name())))]
    #[arg(help_heading = "Measure")]
    measures: Vec<String>,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    args.distances
        .rank(Geometric::named(&args.measures)?, global)
}
