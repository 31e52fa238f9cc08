//! `rank kendall-wei`.

use super::shared::convergence::ConvergenceArgs;
use super::shared::describe::node_name;
use super::shared::options::{Direction, Global, GraphArgs, OutputArgs};
use super::shared::report::{Phases, Report};
use super::shared::weights::WeightArgs;
use webrank::centrality::eigenvector::{Eigenvector, Norm};
use webrank::centrality::kendall_wei::{Group, Ranked, kendall_wei};
use webrank::error::Result;
use webrank::graph::Successors;
use webrank::linear::Tolerance;
use webrank::scores::ranking::Ranking;

/// Groups that the summary names.
const SHOWN: usize = 10;

/// Kendall-Wei ranking of a tournament: a win counts as much as the one who lost
///
/// Nodes are players, and an arc leads from the winner to the loser ('source,target' reads 'source
/// beat target'; with --direction in, 'target beat source'). Scores are the x >= 0 with
///
///   W x = rho x
///
/// W: what each player won against each other, 1 or the weight; rho: its spectral radius. In a
/// tournament every two players meet, one arc a pair; pairs that never met and pairs with arcs both
/// ways are counted, and taken as they are. Where not everybody beat everybody, directly or by way
/// of others, the summary has the groups that are left, best first, and says whose score is not
/// defined, which then is 0.
///
/// Source: Wei 1952; Kendall 1955.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    graph: GraphArgs,
    /// Whose scores make a player good: those it points to (who lost to it), or those that point to
    /// it
    #[arg(long, value_enum, default_value_t = Direction::Out)]
    direction: Direction,
    #[command(flatten)]
    weights: WeightArgs,
    /// The residual at which to stop
    #[arg(long, default_value_t = 1e-12, allow_hyphen_values = true)]
    tolerance: f64,
    #[command(flatten)]
    convergence: ConvergenceArgs,
    #[command(flatten)]
    output: OutputArgs,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let mut phases = Phases::start();
    let params = Eigenvector {
        norm: Norm::L1,
        tolerance: Tolerance::new(args.tolerance)?,
        max_iterations: args.convergence.max_iterations(),
    };
    let output = args.output.open()?;
    let source = args.graph.open()?;
    let names = source.names()?;
    let progress = global.progress();
    let beaten = args
        .weights
        .load(&source, args.direction, names.as_ref(), progress.as_ref())?;
    phases.done("load");
    let mut found = kendall_wei(Successors(&beaten), &params, progress.as_ref())?;
    phases.done("iterate");
    drop(progress);
    let scores = &mut found.dominance.scores;
    let wins = match args.direction {
        Direction::Out => "out: source beat target",
        Direction::In => "in: target beat source",
    };
    scores
        .run
        .parameters
        .insert("direction".into(), wins.into());
    args.convergence
        .check(&scores.run.outcome, args.tolerance)?;
    let scores = &found.dominance.scores;
    let ranking = Ranking::new(scores.values.as_slice().expect("one column is contiguous"))?;
    phases.done("rank");
    let name = |node| node_name(names.as_ref(), node);
    let scores = std::slice::from_ref(scores);
    let notes = notes(&found, args.weights.are_given(), name);
    let report = Report::plain(&source, names.as_ref(), scores, &ranking, notes);
    report.write(output, &args.output, global, phases)
}

/// What kind of tournament it is, and whose scores mean something.
fn notes(found: &Ranked, weighted: bool, name: impl Fn(u32) -> String) -> Vec<String> {
    let pairs = found.pairs;
    let mut notes = vec![match (pairs.never_met, pairs.both_ways) {
        (0, 0) => format!("a tournament: one arc for each of {} pairs", pairs.all),
        (never_met, both_ways) => format!(
            "not quite a tournament: of {} pairs {never_met} never met, and {both_ways} have arcs \
             both ways{}",
            pairs.all,
            match weighted || both_ways == 0 {
                true => "",
                false => ", which without --weights say that both won",
            }
        ),
    }];
    if let [_] = found.groups[..] {
        notes.push("every player beat every other, directly or by way of others".into());
        return notes;
    }
    let named = |group: &Group| match group.nodes {
        1 => name(group.first),
        nodes => format!("{nodes} with {}", name(group.first)),
    };
    let mut groups: Vec<String> = found.groups.iter().take(SHOWN).map(named).collect();
    if found.groups.len() > SHOWN {
        groups.push(format!("{} more", found.groups.len() - SHOWN));
    }
    notes.push(format!(
        "not every player beat every other, directly or by way of others: there are {} groups{}: {}",
        found.groups.len(),
        match pairs.never_met {
            0 => ", best first, each of which beat all later ones",
            _ => ", no player of which beat one of an earlier group",
        },
        groups.join("; ")
    ));
    let undefined = found.dominance.scores.values.len() - found.dominance.positive;
    if undefined > 0 {
        notes.push(format!(
            "the scores of {undefined} players are not defined, and 0: they beat nobody of the \
             group of {}, whose spectral radius is the largest, directly or by way of others",
            name(found.dominance.dominant[0].first)
        ));
    }
    notes
}
