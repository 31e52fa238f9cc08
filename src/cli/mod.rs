//! One file per subcommand: `Args` and `run`.

mod arcs;
mod betweenness;
mod check;
mod closeness;
mod commoncrawl;
mod compare;
mod comparison;
mod completions;
mod components;
mod current_flow;
mod decay;
mod degree;
mod distances;
mod eccentricity;
mod eigenvector;
mod estimate;
mod explain;
mod explanation;
mod export;
mod far_degrees;
mod fold;
mod geometric;
mod harmonic;
mod help;
mod hubs;
mod import;
mod info;
mod integration;
mod join;
mod katz;
mod kendall_wei;
mod leaderrank;
mod lin;
mod lookup;
mod man;
mod measures;
mod pagerank;
mod path;
mod plan;
mod provenance;
mod python_replay;
mod reachable;
mod recode;
mod rerun;
mod seeley;
mod shard;
mod shared;
mod subgraph;
mod tools;
mod top;
mod trustrank;
mod unused_options;
mod verification_target;
mod verified_rows;
mod verify;
mod walks;
mod wikipedia;
mod words;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;
use webrank_base::error::Result;
use webrank_terminal::options::Global;
use webrank_terminal::{path_conflicts, program, usage};

/// Rank the nodes of graphs of any size, with certified error bounds.
///
/// GRAPH is a file of arcs (CSV, Parquet, GraphML and many more) or a compressed graph: a bundle (a
/// directory such as graph.bv, made by 'rank import'), or a BVGraph by its basename or one of its files.
///
/// 'rank COMMAND --help' ends with examples. Exit codes: 0 done, 1 error, 2 wrong usage, 3 not
/// converged, 4 not decided, 130 stopped by Ctrl-C, 143 stopped by SIGTERM.
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
    Walks(walks::Args) => walks::run,
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
    CurrentFlow(current_flow::Args) => current_flow::run,
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
    Export(export::Args) => export::run,
    Subgraph(subgraph::Args) => subgraph::run,
    Fold(fold::Args) => fold::run,
    Commoncrawl(commoncrawl::Args) => commoncrawl::run,
    Wikipedia(wikipedia::Args) => wikipedia::run,
    Recode(recode::Args) => recode::run,
    Shard(shard::Args) => shard::run,
    Info(info::Args) => info::run,
    Lookup(lookup::Args) => lookup::lookup,
    Neighbors(lookup::NeighborArgs) => lookup::neighbors,
    Path(path::Args) => path::run,
    Components(components::Args) => components::run,
    Check(check::Args) => check::run,
    Measures(measures::Args) => measures::run,
    Completions(completions::Args) => completions::run,
    Man(man::Args) => man::run,
}

/// Runs the command line of this process: its subcommand, or the program of its own that it names,
/// unless it is wrong or asks for help.
///
/// # Errors
/// As for the subcommand.
pub fn run() -> Result<Option<u8>> {
    let words = plan::planned(std::env::args_os().collect());
    if let Some((tool, words)) = tools::named(&words) {
        return tools::run(&tool, words).map(Some);
    }
    let parsed = command().try_get_matches_from(&words).and_then(|matches| {
        let cli = Cli::from_arg_matches(&matches)?;
        Ok((matches, cli))
    });
    let (matches, mut cli) = match parsed {
        Ok(parsed) => parsed,
        Err(problem) => return Ok(explain(problem, &words)),
    };
    if let Some((name, arguments)) = matches.subcommand() {
        path_conflicts::check(name, arguments)?;
        plan::check(name, &cli.global)?;
        unused_options::check(name, arguments)?;
        cli.global.json = usage::asks_for_json(arguments);
    }
    cli.global.start()?;
    program::ended(cli.command.run(&cli.global), cli.global.plan)
}

/// Prints help, or what is wrong with these words; returns the exit code.
fn explain(problem: clap::Error, words: &[OsString]) -> Option<u8> {
    let again = match usage::is_help(problem.kind()) {
        // Help alone says which tools are there, for which folders are searched.
        true => help::grouped(command()),
        false => return program::explain_usage(&problem),
    };
    let problem = again.try_get_matches_from(words).err().unwrap_or(problem);
    program::explain_usage(&problem)
}

/// The whole command. It knows the names of tools, so that they are suggested.
pub fn command() -> clap::Command {
    let tools = tools::commands().map(|tool| tool.hide(true));
    help::with_examples(Cli::command().subcommands(tools))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_definition_of_the_command_has_all_tools() {
        let tools = super::tools::TOOLS.map(|(name, ..)| name);
        let command = super::command();
        assert!(
            tools
                .iter()
                .all(|name| command.find_subcommand(name).is_some())
        );
    }
}
