//! One file per subcommand: `Args` and `run`.

mod arcs;
mod betweenness;
mod betweenness_approx;
mod check;
mod compare;
mod comparison;
mod degree;
mod distances;
mod eigenvector;
mod explain;
mod geometric;
mod hubs;
mod import;
mod info;
mod katz;
mod kendall_wei;
mod pagerank;
mod pagerank_columns;
mod seeley;
mod shared;
mod trustrank;

use clap::{Parser, Subcommand};
use shared::options::Global;
use std::io::ErrorKind;
use webrank::error::{Error, Result};

/// Rank the nodes of web-scale graphs, with certified error bounds.
///
/// GRAPH is a bundle (a directory such as graph.bv, made by 'rank import'), the basename of a
/// WebGraph BVGraph, or any one of its files. Offsets and transposes that are missing are computed.
///
/// Exit codes: 0 done, 1 error, 2 wrong usage, 3 not converged.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
pub struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Pagerank(pagerank::Args),
    Trustrank(trustrank::Args),
    Eigenvector(eigenvector::Args),
    Katz(katz::Args),
    Seeley(seeley::Args),
    KendallWei(kendall_wei::Args),
    Harmonic(geometric::Harmonic),
    Closeness(geometric::Closeness),
    Lin(geometric::Lin),
    Reachable(geometric::Reachable),
    Eccentricity(geometric::Eccentricity),
    Decay(geometric::Decay),
    Geometric(geometric::Geometric),
    Betweenness(betweenness::Args),
    Distances(distances::Args),
    Hits(hubs::Hits),
    Salsa(hubs::Salsa),
    Indegree(degree::Indegree),
    Outdegree(degree::Outdegree),
    Compare(compare::Args),
    Explain(explain::Args),
    Import(import::Args),
    Info(info::Args),
    Check(check::Args),
}

impl Cli {
    /// Runs the subcommand.
    pub fn run(&self) -> Result<()> {
        self.global.start()?;
        match &self.command {
            Command::Pagerank(args) => pagerank::run(args, &self.global),
            Command::Trustrank(args) => trustrank::run(args, &self.global),
            Command::Eigenvector(args) => eigenvector::run(args, &self.global),
            Command::Katz(args) => katz::run(args, &self.global),
            Command::Seeley(args) => seeley::run(args, &self.global),
            Command::KendallWei(args) => kendall_wei::run(args, &self.global),
            Command::Harmonic(args) => geometric::harmonic(args, &self.global),
            Command::Closeness(args) => geometric::closeness(args, &self.global),
            Command::Lin(args) => geometric::lin(args, &self.global),
            Command::Reachable(args) => geometric::reachable(args, &self.global),
            Command::Eccentricity(args) => geometric::eccentricity(args, &self.global),
            Command::Decay(args) => geometric::decay(args, &self.global),
            Command::Geometric(args) => geometric::geometric(args, &self.global),
            Command::Betweenness(args) => betweenness::run(args, &self.global),
            Command::Distances(args) => distances::run(args, &self.global),
            Command::Hits(args) => hubs::hits(args, &self.global),
            Command::Salsa(args) => hubs::salsa(args, &self.global),
            Command::Indegree(args) => degree::indegree(args, &self.global),
            Command::Outdegree(args) => degree::outdegree(args, &self.global),
            Command::Compare(args) => compare::run(args, &self.global),
            Command::Explain(args) => explain::run(args, &self.global),
            Command::Import(args) => import::run(args, &self.global),
            Command::Info(args) => info::run(args, &self.global),
            Command::Check(args) => check::run(args, &self.global),
        }
    }
}

/// Makes Ctrl-C (and a polite kill) leave no partial file behind.
pub fn remove_temporaries_when_interrupted() {
    // Fails only if a handler is set already.
    let _ = ctrlc::set_handler(|| {
        webrank::output::remove_pending();
        std::process::exit(130);
    });
}

/// True if the reader of our standard output went away, as `head` does.
pub fn is_closed_pipe(problem: &Error) -> bool {
    matches!(problem, Error::Io { path, source, .. }
        if source.kind() == ErrorKind::BrokenPipe && path.as_os_str() == shared::options::STDOUT)
}
