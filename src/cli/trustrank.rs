//! `rank trustrank`.

use super::shared::cluster::ClusterArgs;
use super::shared::limits::{IterationArgs, L1Distance, ToleranceArgs};
use super::shared::node_args::{NodeArgs, SeedArgs};
use super::shared::run::RankRun;
use webrank::TrustRank;
use webrank_base::error::{Error, Result};
use webrank_scores::parameters::Damping;
use webrank_terminal::options::{Global, GraphArgs, OutputArgs};
use webrank_walks::pagerank::trustrank::SeedCandidates;

/// TrustRank: PageRank whose walks start at trusted nodes, to a certified error
///
/// Good pages seldom point to spam, so trust flows along arcs from seeds that someone has inspected:
///
///   x = alpha x (G + d v) + (1 - alpha) v
///
/// G: row-normalised adjacency; d: dangling nodes; v: uniform over the seeds. Nodes that no seed
/// reaches get 0.
///
/// Work in two steps. First, --select K lists candidates by inverse PageRank (the PageRank of the
/// transposed graph: candidates reach many nodes). Then inspect them, keep the good ones, and name
/// these with --seeds, or with --seeds-file, which reads the same table:
///
///   rank trustrank web.bv --select 200 -o candidates.csv
///   rank trustrank web.bv --seeds-file candidates.csv -o trust.csv
///
/// The tolerance bounds the l1 distance to the true vector, certified by the residual. The column
/// 'certain' says whether the rank of a node is proved.
///
/// Source: Gyongyi, Garcia-Molina and Pedersen 2004.
#[derive(clap::Args)]
#[command(verbatim_doc_comment, next_help_heading = "Measure")]
#[command(group(clap::ArgGroup::new("what").args(["seeds", "seeds_file", "select"]).required(true)))]
pub struct Args {
    #[command(flatten)]
    graph: GraphArgs,
    #[command(flatten)]
    seeds: SeedArgs,
    /// List the K best candidates for seeds instead of trust
    #[arg(long, value_name = "K", conflicts_with_all = ["sort", "top"], help_heading = "Measure")]
    select: Option<usize>,
    /// Probability of following an arc: at least 0, below 1
    #[arg(
        long,
        default_value_t = 0.85,
        allow_hyphen_values = true,
        alias = "damping",
        help_heading = "Measure"
    )]
    alpha: f64,
    #[command(flatten)]
    tolerance: L1Distance,
    /// Iterate until the first K positions are proved or exact ties
    #[arg(long, value_name = "K", help_heading = "Stop")]
    certify_top: Option<usize>,
    #[command(flatten)]
    iteration: IterationArgs,
    #[command(flatten)]
    cluster: ClusterArgs,
    #[command(flatten)]
    output: OutputArgs,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let (damping, certify_top) = (Damping::new(args.alpha)?, args.certify_top);
    let team = args.cluster.team_writing(&args.output, global)?;
    let run = RankRun {
        limits: args.iteration.limits(args.tolerance.get())?,
        allow_unconverged: args.iteration.allow_unconverged,
        trace: args.iteration.trace.as_deref(),
        team: Some(&team),
        ..RankRun::new(global, &args.graph, &args.output)
    };
    match args.select {
        None => run.rank_among(|graph| {
            Ok(TrustRank {
                seeds: args.seeds.find(graph)?,
                damping,
                certify_top,
                team: team.clone(),
            })
        }),
        Some(count) if team.table.is_some() => {
            let remedy = "the best are a table of one part: name a file, such as candidates.csv";
            Err(Error::argument("select", count, remedy))
        }
        Some(count) => run.rank_among_shaped(&OutputArgs::best(count), |_| {
            Ok(SeedCandidates {
                damping,
                certify_top,
                team: team.clone(),
            })
        }),
    }
}
