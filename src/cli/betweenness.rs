//! `rank betweenness`.

use super::arcs::ArcReport;
use super::betweenness_approx::{self as approx, ApproxArgs};
use super::shared::distance_method::ANNOUNCED;
use super::shared::options::{Global, GraphArgs, Output, OutputArgs};
use super::shared::report::{Phases, Report};
use super::shared::units;
use clap::ValueEnum;
use std::time::Duration;
use webrank::internals::centrality::betweenness::arcs::{arc_betweenness, arc_memory, arc_seconds};
use webrank::internals::centrality::betweenness::sampled::{AdaptiveOptions, BoundedBetweenness};
use webrank::internals::centrality::betweenness::{BetweennessOptions, ExactBetweenness, sampled};
use webrank::internals::error::{Error, Result};
use webrank::internals::graph::{Csr, Names, Predecessors, Source, Successors};
use webrank::internals::progress::Progress;
use webrank::internals::scores::Scores;
use webrank::internals::scores::ranking::Ranking;

/// Betweenness: how many shortest paths pass through a node
///
/// The sum over ordered pairs y != z, both different from x, of the fraction of the shortest paths
/// from y to z that pass through x. Directed; pairs without a path add nothing; self-loops count
/// for nothing, parallel arcs once.
///
/// The exact method announces its time, estimated from sampled searches, if it is long, and stops
/// if it is above the time budget.
///
/// The approximation samples shortest paths until every normalised score is within --epsilon, or
/// with --top until the order of the K best is proved, if that is sooner. The table then has the
/// columns lower and upper: with probability 1 - delta ALL scores lie between theirs. With --top,
/// 'certain' tells which nodes' ranks are proved.
///
/// Source: Freeman 1977; Brandes 2001; Brandes and Pich 2007 (sources); Borassi and Natale 2016,
/// Pellegrina and Vandin 2023 (approx).
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    graph: GraphArgs,
    /// Divide by the number of ordered pairs of other nodes, (n - 1)(n - 2); with --endpoints or
    /// --arcs by n (n - 1)
    #[arg(long)]
    normalize: bool,
    /// Paths pass through their first and last nodes too
    #[arg(long)]
    endpoints: bool,
    /// Scores of arcs instead, a table source,target,score: the sum over ordered pairs of the
    /// fraction of the shortest paths that take the arc; always exact
    #[arg(long, conflicts_with_all = ["endpoints", "samples"])]
    arcs: bool,
    /// How to compute
    #[arg(long, value_enum, default_value_t = Method::Exact)]
    method: Method,
    /// Sources: search from this many nodes
    #[arg(long, value_name = "N", default_value_t = 1000)]
    samples: usize,
    #[command(flatten)]
    approx: ApproxArgs,
    /// Sources and approx: the seed that fixes the sample
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// The time that an exact computation may take, such as 90s, 10m, 2h
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = humantime::parse_duration)]
    time_budget: Duration,
    #[command(flatten)]
    output: OutputArgs,
}

/// How to compute.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Method {
    /// Exact if it fits the time budget, else approx
    Auto,
    /// Exact; an error if it does not fit the time budget
    Exact,
    /// From the shortest paths of sampled nodes to all others: unbiased, with a proved error
    Sources,
    /// From sampled shortest paths: as many as the precision needs, with proved bounds
    Approx,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let mut phases = Phases::start();
    let sampled = match args.method {
        Method::Auto | Method::Exact => None,
        Method::Sources => Some("sources"),
        Method::Approx => Some("approx"),
    };
    if let Some(method) = sampled.filter(|_| args.arcs) {
        return Err(Error::argument(
            "--method",
            method,
            "betweenness of arcs is always exact; leave --arcs or --method away",
        ));
    }
    if args.samples == 0 {
        return Err(Error::argument("--samples", 0, "give at least 1"));
    }
    if args.method == Method::Approx || (args.method == Method::Auto && !args.endpoints) {
        args.precision()?;
    }
    let output = args.output.open()?;
    let source = args.graph.open()?;
    let names = source.names()?;
    let progress = global.progress();
    let (successors, predecessors) = source.both(progress.as_ref())?;
    phases.done("load");
    if args.arcs {
        drop(predecessors);
        return arcs(args, &source, names, &successors, output, global, phases);
    }
    let (forward, backward) = (Successors(&successors), Predecessors(&predecessors));
    let (found, notes) = args.search(forward, backward, global, progress.as_ref())?;
    drop(progress);
    phases.done("search");
    let values = found.scores().values.as_slice();
    let ranking = Ranking::new(values.expect("one column is contiguous"))?;
    phases.done("rank");
    let bounded = match &found {
        Found::Bounded(bounded) => Some(bounded),
        Found::Scores(_) => None,
    };
    let bounds = bounded.map(|b| [("lower", &b.lower[..]), ("upper", &b.upper[..])]);
    let top = bounded.filter(|_| args.output.top.is_some());
    let report = Report {
        source: &source,
        names: names.as_ref(),
        scores: std::slice::from_ref(found.scores()),
        ranking: &ranking,
        certain: top.map(|b| (&b.certain[..], b.proved)),
        form: None,
        notes,
    };
    let bounds = bounds.as_ref().map_or(&[][..], |bounds| bounds);
    report.write_between(bounds, output, &args.output, global, phases)
}

/// Scores, and where they lie if that is proved.
enum Found {
    Scores(Scores),
    Bounded(BoundedBetweenness),
}

impl Found {
    fn scores(&self) -> &Scores {
        match self {
            Found::Scores(scores) => scores,
            Found::Bounded(bounded) => &bounded.scores,
        }
    }
}

fn arcs(
    args: &Args,
    source: &Source,
    names: Option<Names>,
    successors: &Csr,
    output: Output,
    global: &Global,
    mut phases: Phases,
) -> Result<()> {
    let progress = global.progress();
    let seconds = arc_seconds(Successors(successors), progress.as_ref())?;
    let memory = arc_memory(Successors(successors), rayon::current_num_threads());
    args.afford(seconds, memory, global)?;
    let scores = arc_betweenness(Successors(successors), args.normalize, progress.as_ref())?;
    drop(progress);
    phases.done("search");
    let report = ArcReport {
        source,
        names: names.as_ref(),
        successors,
        scores: &scores,
    };
    report.write(output, &args.output, global, phases)
}

impl Args {
    /// Scores by the method asked for, and what to say of them.
    fn search(
        &self,
        forward: Successors<Csr>,
        backward: Predecessors<Csr>,
        global: &Global,
        progress: &dyn Progress,
    ) -> Result<(Found, Vec<String>)> {
        let exactly = matches!(self.method, Method::Auto | Method::Exact);
        let mut notes = Vec::new();
        if exactly {
            let exact = ExactBetweenness::new(forward, backward);
            let seconds = exact.seconds(progress)?;
            let memory = exact.memory(rayon::current_num_threads());
            match self.afford(seconds, memory, global) {
                Ok(()) => {
                    let (scores, ties) = exact.run(self.options(), progress)?;
                    notes.extend(ties.note("nodes"));
                    return Ok((Found::Scores(scores), notes));
                }
                Err(problem) if self.method == Method::Exact || self.endpoints => {
                    return Err(problem);
                }
                // What is taken when exact scores would take too long.
                Err(_) => notes.push(format!(
                    "exact scores would take about {}, more than the time budget of {}: these are \
                     estimates; --method exact with a larger --time-budget, or a smaller \
                     --epsilon, gives better",
                    units::time(seconds),
                    units::time(self.time_budget.as_secs_f64()),
                )),
            }
        }
        if self.method == Method::Sources {
            let scores = self.sampled(forward, backward, progress)?;
            return Ok((Found::Scores(scores), notes));
        }
        let (bounded, more) = approx::run(forward, backward, self.precision()?, progress)?;
        notes.extend(more);
        Ok((Found::Bounded(bounded), notes))
    }

    fn precision(&self) -> Result<AdaptiveOptions> {
        self.approx
            .check(self.options(), self.output.top, self.seed)
    }

    fn options(&self) -> BetweennessOptions {
        BetweennessOptions {
            normalize: self.normalize,
            endpoints: self.endpoints,
        }
    }

    fn sampled(
        &self,
        forward: Successors<Csr>,
        backward: Predecessors<Csr>,
        progress: &dyn Progress,
    ) -> Result<Scores> {
        let (samples, seed) = (self.samples, self.seed);
        sampled(forward, backward, samples, seed, self.options(), progress)
    }

    /// Announces an exact computation, or refuses it.
    fn afford(&self, seconds: f64, memory: u64, global: &Global) -> Result<()> {
        let memory = units::size(memory);
        log::info!("exact: about {seconds:.1} s and {memory}");
        if seconds > self.time_budget.as_secs_f64() {
            let instead = if self.arcs {
                ""
            } else {
                ", or estimate the scores with --method approx"
            };
            let remedy = format!(
                "exact betweenness would take about {} and {memory}, more than the time budget of \
                 {}: give a larger --time-budget{instead}",
                units::time(seconds),
                units::time(self.time_budget.as_secs_f64()),
            );
            return Err(Error::Unaffordable { remedy });
        }
        if seconds > ANNOUNCED {
            let text = format!("exact, in about {} and {memory}\n", units::time(seconds));
            global.summary(&text);
        }
        Ok(())
    }
}
