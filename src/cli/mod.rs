//! One file per subcommand: `Args` and `run`.

mod arcs;
mod betweenness;
mod called;
mod check;
mod claimed;
mod closeness;
mod codes;
mod codes_table;
mod commoncrawl;
mod compare;
mod comparison;
mod completions;
mod components;
mod crawl;
mod decay;
mod degree;
mod distances;
mod duplicates;
mod eccentricity;
mod eigenvector;
mod estimate;
mod evaluate;
mod evaluation;
mod explain;
mod explanation;
mod export;
mod fold;
mod geometric;
mod harmonic;
mod hubs;
mod import;
mod index;
mod info;
mod ingest;
mod integration;
mod join;
mod katz;
mod kendall_wei;
mod leaderrank;
mod lin;
mod lookup;
mod man;
mod measures;
mod origin;
mod outputs;
mod pagerank;
mod plan;
mod reachable;
mod recode;
mod rerun;
mod search;
mod seeley;
mod shard;
mod shared;
mod signals;
mod subgraph;
mod top;
mod trustrank;
mod verified_rows;
mod verify;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use shared::checkpoint;
use shared::options::Global;
pub use shared::say::say;
pub use signals::{exit_code, watch};
use std::io::ErrorKind;
use webrank::internals::error::{Error, Result};
use webrank::internals::memory::peak_memory;
use webrank::internals::visible::visible_lines;

/// Rank the nodes of web-scale graphs, with certified error bounds.
///
/// GRAPH is a bundle (a directory such as graph.bv, made by 'rank import'), the basename of a
/// WebGraph BVGraph, or any one of its files. Missing offsets and transposes are computed.
///
/// Exit codes: 0 done, 1 error, 2 wrong usage, 3 not converged.
#[derive(Parser)]
#[command(name = "rank", version, max_term_width = 100, disable_help_flag = true)]
pub struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

macro_rules! commands {
    ($($command:ident($args:path) => $run:path),* $(,)?) => {
        #[derive(Subcommand)]
        enum Command {
            $($command($args)),*
        }

        impl Command {
            fn run(&self, global: &Global) -> Result<()> {
                match self {
                    $(Command::$command(args) => $run(args, global)),*
                }
            }
        }
    };
}

commands! {
    Pagerank(pagerank::Args) => pagerank::run,
    Trustrank(trustrank::Args) => trustrank::run,
    Eigenvector(eigenvector::Args) => eigenvector::run,
    Katz(katz::Args) => katz::run,
    Seeley(seeley::Args) => seeley::run,
    KendallWei(kendall_wei::Args) => kendall_wei::run,
    Leaderrank(leaderrank::Args) => leaderrank::run,
    Harmonic(harmonic::Args) => harmonic::run,
    Closeness(closeness::Args) => closeness::run,
    Lin(lin::Args) => lin::run,
    Reachable(reachable::Args) => reachable::run,
    Eccentricity(eccentricity::Args) => eccentricity::run,
    Decay(decay::Args) => decay::run,
    Integration(integration::Args) => integration::run,
    Geometric(geometric::Args) => geometric::run,
    Betweenness(betweenness::Args) => betweenness::run,
    Distances(distances::Args) => distances::run,
    Hits(hubs::HitsArgs) => hubs::hits,
    Salsa(hubs::SalsaArgs) => hubs::salsa,
    Indegree(degree::IndegreeArgs) => degree::indegree,
    Outdegree(degree::OutdegreeArgs) => degree::outdegree,
    Compare(compare::Args) => compare::run,
    Join(join::Args) => join::run,
    Explain(explain::Args) => explain::run,
    Rerun(rerun::Args) => rerun::run,
    Plan(plan::Args) => plan::run,
    Top(top::Args) => top::run,
    Verify(verify::Args) => verify::run,
    Import(import::Args) => import::run,
    Crawl(crawl::Args) => crawl::run,
    Ingest(ingest::Args) => ingest::run,
    Export(export::Args) => export::run,
    Subgraph(subgraph::Args) => subgraph::run,
    Fold(fold::Args) => fold::run,
    Commoncrawl(commoncrawl::Args) => commoncrawl::run,
    Recode(recode::Args) => recode::run,
    Shard(shard::Args) => shard::run,
    Info(info::Args) => info::run,
    Lookup(lookup::Args) => lookup::lookup,
    Neighbors(lookup::NeighborArgs) => lookup::neighbors,
    Components(components::Args) => components::run,
    Duplicates(duplicates::Args) => duplicates::run,
    Index(index::Args) => index::run,
    Search(search::Args) => search::run,
    Evaluate(evaluate::Args) => evaluate::run,
    Codes(codes::Args) => codes::run,
    Check(check::Args) => check::run,
    Measures(measures::Args) => measures::run,
    Completions(completions::Args) => completions::run,
    Man(man::Args) => man::run,
}

/// Runs the command line of this process: its subcommand, unless it is wrong or asks for help.
///
/// # Errors
/// What the subcommand returns.
pub fn run() -> Result<Option<u8>> {
    let parsed = plan::matches().and_then(|matches| {
        let cli = Cli::from_arg_matches(&matches)?;
        Ok((matches, cli))
    });
    let (matches, cli) = match parsed {
        Ok(parsed) => parsed,
        Err(problem) => match checkpoint::refused(&problem) {
            Some(refused) => return Err(refused),
            None => return Ok(Some(explain_usage(&problem))),
        },
    };
    if let Some((name, arguments)) = matches.subcommand() {
        outputs::check(name, arguments)?;
        plan::check(name, &cli.global)?;
    }
    cli.global.start()?;
    match cli.command.run(&cli.global) {
        // The plan is all that was asked for.
        Err(Error::Interrupted) if cli.global.plan => return Ok(None),
        ended => ended?,
    }
    if let Some(bytes) = peak_memory() {
        log::info!("memory: {bytes} bytes were held at most");
    }
    Ok(None)
}

/// Prints help, or what is wrong with the arguments; returns the exit code.
fn explain_usage(problem: &clap::Error) -> u8 {
    let plain = problem.render().to_string();
    if plain == visible_lines(&plain) {
        // In colours, where there are colours.
        let _ = problem.print();
    } else {
        say(&visible_lines(&plain));
    }
    problem.exit_code().try_into().unwrap_or(2)
}

/// The error message for users: parameters by their options' names, and the options that help.
pub fn message(problem: &Error) -> String {
    match problem {
        Error::Argument {
            name,
            value,
            remedy,
        } => format!("{} is {value}: {remedy}", option(name)),
        Error::Combination { one, other } => {
            format!("{} cannot be combined with {}", option(one), option(other))
        }
        Error::NotConverged { .. } | Error::NotReached { .. } => {
            format!("{problem} (--max-iterations, --allow-unconverged)")
        }
        Error::NotProved { .. } | Error::NotSampled { .. } => {
            format!("{problem} (--allow-unconverged)")
        }
        Error::NeedsMemory { .. } => format!("{problem} (--memory)"),
        Error::TakesLonger { .. } => format!("{problem} (--time-budget, --method)"),
        _ => problem.to_string(),
    }
}

/// The option for a parameter, if there is one.
fn option(parameter: &str) -> String {
    let long = parameter.replace('_', "-");
    let command = Cli::command();
    let commands = command.get_subcommands().chain([&command]);
    let mut options = commands.flat_map(|command| command.get_arguments());
    if options.any(|option| option.get_long() == Some(&long)) {
        format!("--{long}")
    } else {
        parameter.to_owned()
    }
}

/// True if the reader of our standard output has closed it, as `head` does.
pub fn is_closed_pipe(problem: &Error) -> bool {
    let is_closed = |source: &std::io::Error| source.kind() == ErrorKind::BrokenPipe;
    // Tables wrap what their file says.
    let in_table = |source: &std::io::Error| {
        let problem = source.get_ref().and_then(|problem| problem.downcast_ref());
        let problem = problem.map(csv::Error::kind);
        matches!(problem, Some(csv::ErrorKind::Io(source)) if is_closed(source))
    };
    matches!(problem, Error::Io { path, source, .. }
        if (is_closed(source) || in_table(source)) && path.as_os_str() == shared::options::STDOUT)
}
