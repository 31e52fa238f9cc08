//! `rank trustrank`.

use super::shared::convergence::ConvergenceArgs;
use super::shared::options::{Global, GraphArgs, OutputArgs};
use super::shared::report::{Phases, Report};
use super::shared::seeds::SeedArgs;
use webrank::centrality::pagerank::trustrank::{seed_candidates, trust_in, trustrank};
use webrank::centrality::pagerank::walk::RandomWalk;
use webrank::centrality::pagerank::{Damping, PageRank};
use webrank::error::Result;
use webrank::graph::Backward;
use webrank::linear::{StopRule, Tolerance};
use webrank::scores::ranking::Ranking;

/// TrustRank: PageRank whose walks start at trusted nodes, to a certified error
///
/// Good pages seldom point to spam, so trust flows along arcs from seeds that someone has inspected:
///
///   x = alpha x (G + d v) + (1 - alpha) v
///
/// G: row-normalised adjacency; d: dangling nodes; v: uniform over the seeds. Nodes that no seed
/// reaches get 0.
///
/// In two steps: --select K lists candidates, by inverse PageRank (the PageRank of the transposed
/// graph: from them much is reached). Inspect them, keep the good ones, and name them with --seeds or
/// --seeds-file, which reads that very table:
///
///   rank trustrank web.bv --select 200 -o candidates.csv
///   rank trustrank web.bv --seeds-file candidates.csv -o trust.csv
///
/// The tolerance is a promise on the l1 distance to the true vector, certified by the residual.
/// The column 'certain' says whether the rank of a node is proved.
///
/// Source: Gyongyi, Garcia-Molina and Pedersen 2004.
#[derive(clap::Args)]
#[command(group(clap::ArgGroup::new("what").args(["seeds", "seeds_file", "select"]).required(true)))]
pub struct Args {
    #[command(flatten)]
    graph: GraphArgs,
    #[command(flatten)]
    seeds: SeedArgs,
    /// List the K best candidates for seeds, and no trust
    #[arg(long, value_name = "K", conflicts_with_all = ["sort", "top"])]
    select: Option<usize>,
    /// Probability of following an arc: at least 0, below 1
    #[arg(long, default_value_t = 0.85, allow_hyphen_values = true)]
    alpha: f64,
    /// Certified l1 distance to the true vector
    #[arg(long, default_value_t = 1e-9, allow_hyphen_values = true)]
    tolerance: f64,
    /// Go on until the first K positions are proved or exact ties
    #[arg(long, value_name = "K")]
    certify_top: Option<usize>,
    #[command(flatten)]
    convergence: ConvergenceArgs,
    #[command(flatten)]
    output: OutputArgs,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let mut phases = Phases::start();
    let damping = Damping::new(args.alpha)?;
    let stop = StopRule {
        tolerance: Tolerance::new(args.tolerance)?,
        max_iterations: args.convergence.max_iterations(),
        certify_top: args.certify_top,
    };
    let output = args.output.open()?;
    let source = args.graph.open()?;
    let names = source.names()?;
    let n = source.properties().nodes;
    let params = match args.select {
        None => trust_in(&args.seeds.find(n, names.as_ref())?, damping, n)?,
        Some(_) => PageRank {
            damping,
            ..PageRank::default()
        },
    };
    let progress = global.progress();
    let backward = match args.select {
        None => source.predecessors(progress.as_ref())?,
        // The predecessors in the transposed graph.
        Some(_) => Backward {
            rows: source.successors(progress.as_ref())?,
            outdegrees: None,
        },
    };
    phases.done("load");
    let walk = RandomWalk::new(backward)?;
    phases.done("prepare");
    let scores = match args.select {
        None => trustrank(&walk, &params, &stop, progress.as_ref())?,
        Some(_) => seed_candidates(&walk, &params, &stop, progress.as_ref())?,
    };
    phases.done("iterate");
    drop(progress);
    let ranking = Ranking::new(scores.values.as_slice().expect("one column is contiguous"))?;
    let certainty = params.certainty(&walk, &stop, &scores, &ranking);
    phases.done("rank");
    let proved = certainty.proved_positions();
    let positions = args.certify_top.map(|wanted| (wanted, proved));
    let outcome = &scores.run.outcome;
    args.convergence
        .check_order(outcome, args.tolerance, positions)?;
    let unreached = scores.values.iter().filter(|&&score| score == 0.0).count();
    let report = Report {
        source: &source,
        names: names.as_ref(),
        scores: std::slice::from_ref(&scores),
        ranking: &ranking,
        certain: Some((certainty.certain(), proved)),
        form: None,
        notes: match unreached {
            0 => Vec::new(),
            _ => vec![format!(
                "{unreached} nodes are reached from no seed: their score is 0"
            )],
        },
    };
    match args.select {
        None => report.write(output, &args.output, global, phases),
        Some(count) => report.write(output, &OutputArgs::best(count), global, phases),
    }
}
