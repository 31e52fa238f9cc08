//! One file per subcommand: `Args` and `run`.

mod arcs;
mod betweenness;
mod check;
mod closeness;
mod compare;
mod comparison;
mod completions;
mod decay;
mod degree;
mod distances;
mod eccentricity;
mod eigenvector;
mod explain;
mod explanation;
mod geometric;
mod harmonic;
mod hubs;
mod import;
mod info;
mod integration;
mod katz;
mod kendall_wei;
mod leaderrank;
mod lin;
mod man;
mod measures;
mod pagerank;
mod reachable;
mod seeley;
mod shared;
mod trustrank;

use clap::{CommandFactory, Parser, Subcommand};
use shared::options::Global;
use std::io::ErrorKind;
use webrank::internals::error::{Error, Result};

/// Rank the nodes of web-scale graphs, with certified error bounds.
///
/// GRAPH is a bundle (a directory such as graph.bv, made by 'rank import'), the basename of a
/// WebGraph BVGraph, or any one of its files. Missing offsets and transposes are computed.
///
/// Exit codes: 0 done, 1 error, 2 wrong usage, 3 not converged.
#[derive(Parser)]
#[command(version, max_term_width = 100, disable_help_flag = true)]
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
    Explain(explain::Args) => explain::run,
    Import(import::Args) => import::run,
    Info(info::Args) => info::run,
    Check(check::Args) => check::run,
    Measures(measures::Args) => measures::run,
    Completions(completions::Args) => completions::run,
    Man(man::Args) => man::run,
}

impl Cli {
    /// Runs the subcommand.
    pub fn run(&self) -> Result<()> {
        self.global.start()?;
        self.command.run(&self.global)
    }
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

/// Removes partial files on SIGINT (Ctrl-C) and SIGTERM.
pub fn remove_temporaries_when_interrupted() {
    // Fails only if a handler is set already.
    let _ = ctrlc::set_handler(|| {
        webrank::internals::output::remove_pending();
        std::process::exit(130);
    });
}

/// True if the reader of our standard output has closed it, as `head` does.
pub fn is_closed_pipe(problem: &Error) -> bool {
    matches!(problem, Error::Io { path, source, .. }
        if source.kind() == ErrorKind::BrokenPipe && path.as_os_str() == shared::options::STDOUT)
}
