//! `rank closeness`, `harmonic`, `lin`, `reachable`, `eccentricity`, `decay`, `integration`, and
//! `geometric`, which computes several of them from one traversal.

use super::shared::distance_method::{MethodArgs, Searched};
use super::shared::options::{Direction, Global, GraphArgs, OutputArgs};
use super::shared::report::{Phases, Report};
use clap::builder::PossibleValuesParser;
use std::path::PathBuf;
use webrank::internals::centrality::geometric::decay::Base;
use webrank::internals::centrality::geometric::weighted_harmonic::weighted_harmonic;
use webrank::internals::centrality::geometric::{
    DistanceMeasure, all_measures, closeness, decay, eccentricity, harmonic, integration, lin,
    reachable,
};
use webrank::internals::error::{Error, Result};
use webrank::internals::graph::text::node_values::read_node_values;
use webrank::internals::graph::{Predecessors, Successors};
use webrank::internals::scores::ranking::Ranking;

/// Closeness: the inverse of the sum of the distances to a node
///
/// With r the number of other nodes that reach x, and S the sum of their distances to x:
///
///   bavelas          1 / S; 0 if r = 0
///   lin              (r + 1)^2 / S; 1 if r = 0
///   nieminen         (r + 1)^2 - S
///   wasserman-faust  (r / (n - 1)) (r / S); 0 if r = 0
///
/// Nodes that do not reach x are left out, so on a graph that is not strongly connected bavelas
/// scores small components highest: prefer 'rank harmonic' there.
///
/// Source: Bavelas 1950; Lin 1976; Nieminen 1973; Wasserman and Faust 1994.
#[derive(clap::Args)]
pub struct Closeness {
    /// The definition
    #[arg(long, default_value = "bavelas", value_name = "NAME")]
    #[arg(value_parser = ["bavelas", "lin", "nieminen", "wasserman-faust"])]
    variant: String,
    #[command(flatten)]
    common: Common,
}

/// Harmonic centrality: the sum of the inverse distances to a node
///
/// The sum of 1/d(y, x) over the y != x that reach x; nodes that do not add nothing.
///
/// Source: Marchiori and Latora 2000; Boldi and Vigna 2014.
#[derive(clap::Args)]
pub struct Harmonic {
    /// Divide by n - 1
    #[arg(long)]
    normalize: bool,
    /// Weights of the nodes, for the sum of w(y)/d(y, x): FILE with one number a line, or
    /// name,weight or node,weight lines for some of the nodes; always exact
    #[arg(long, value_name = "FILE", conflicts_with = "method")]
    weights: Option<PathBuf>,
    #[command(flatten)]
    common: Common,
}

/// Lin's index: the square of how many reach a node over the sum of their distances
///
/// (r + 1)^2 / S, with r the number of other nodes that reach x and S the sum of their distances;
/// 1 if there is none.
///
/// Source: Lin 1976; Boldi and Vigna 2014.
#[derive(clap::Args)]
pub struct Lin {
    #[command(flatten)]
    common: Common,
}

/// How many other nodes reach a node
#[derive(clap::Args)]
pub struct Reachable {
    #[command(flatten)]
    common: Common,
}

/// Eccentricity: the largest distance to a node, from the nodes that reach it
///
/// 0 if there is none. Larger is further out, so rank 1 is the most remote node.
#[derive(clap::Args)]
pub struct Eccentricity {
    #[command(flatten)]
    common: Common,
}

/// Decay centrality: the sum of base^d over the distances d to a node
///
/// Source: Jackson 2008.
#[derive(clap::Args)]
pub struct Decay {
    /// The base: above 0, below 1
    #[arg(long, default_value_t = 0.5, allow_hyphen_values = true)]
    base: f64,
    #[command(flatten)]
    common: Common,
}

/// Integration: how much nearer than the diameter the other nodes are to a node, on average
///
/// The sum of D + 1 - d(y, x) over the y != x that reach x, divided by n - 1; D is the diameter.
/// With --direction out it is radiality. Exact, or by HyperBall, which knows the diameter nearly.
///
/// Source: Valente and Foreman 1998.
#[derive(clap::Args)]
pub struct Integration {
    #[command(flatten)]
    common: Common,
}

/// Several geometric measures from one traversal, a column each
///
/// The table has the columns node, name and one for each measure; --sort score and --top go by the
/// first.
#[derive(clap::Args)]
pub struct Geometric {
    /// The measures: closeness, harmonic, lin, reachable, eccentricity, decay, integration
    #[arg(long, value_delimiter = ',', required = true, value_name = "NAMES")]
    #[arg(value_parser = PossibleValuesParser::new(all_measures().iter().map(|m| m.name())))]
    measures: Vec<String>,
    #[command(flatten)]
    common: Common,
}

#[derive(clap::Args)]
struct Common {
    #[command(flatten)]
    graph: GraphArgs,
    /// Which distances count
    #[arg(long, value_enum, default_value_t = Direction::In)]
    direction: Direction,
    #[command(flatten)]
    method: MethodArgs,
    #[command(flatten)]
    output: OutputArgs,
}

pub fn closeness(command: &Closeness, global: &Global) -> Result<()> {
    let variant = command.variant.parse()?;
    run(
        &command.common,
        &[&closeness::Closeness { variant }],
        global,
    )
}

pub fn harmonic(command: &Harmonic, global: &Global) -> Result<()> {
    let normalize = command.normalize;
    let measure = harmonic::Harmonic { normalize };
    let weights = command.weights.as_ref().map(|path| (path, normalize));
    run_weighted(&command.common, &[&measure], weights, global)
}

pub fn lin(command: &Lin, global: &Global) -> Result<()> {
    run(&command.common, &[&lin::Lin], global)
}

pub fn reachable(command: &Reachable, global: &Global) -> Result<()> {
    run(&command.common, &[&reachable::Reachable], global)
}

pub fn eccentricity(command: &Eccentricity, global: &Global) -> Result<()> {
    run(&command.common, &[&eccentricity::Eccentricity], global)
}

pub fn decay(command: &Decay, global: &Global) -> Result<()> {
    let base = Base::new(command.base)?;
    run(&command.common, &[&decay::Decay { base }], global)
}

pub fn integration(command: &Integration, global: &Global) -> Result<()> {
    run(&command.common, &[&integration::Integration], global)
}

pub fn geometric(command: &Geometric, global: &Global) -> Result<()> {
    let names = &command.measures;
    if let Some(twice) = (1..names.len()).find(|&i| names[..i].contains(&names[i])) {
        return Err(Error::argument(
            "--measures",
            &names[twice],
            "name each measure once",
        ));
    }
    let all = all_measures();
    let measures: Vec<&dyn DistanceMeasure> = names
        .iter()
        .filter_map(|name| all.iter().find(|measure| measure.name() == name))
        .map(|measure| &**measure)
        .collect();
    run(&command.common, &measures, global)
}

fn run(args: &Common, measures: &[&dyn DistanceMeasure], global: &Global) -> Result<()> {
    run_weighted(args, measures, None, global)
}

/// Runs the measures, or harmonic centrality with the weights in a file.
fn run_weighted(
    args: &Common,
    measures: &[&dyn DistanceMeasure],
    weights: Option<(&PathBuf, bool)>,
    global: &Global,
) -> Result<()> {
    let mut phases = Phases::start();
    let method = args.method.check()?;
    let output = args.output.open()?;
    let source = args.graph.open()?;
    let names = source.names()?;
    let n = source.properties().nodes;
    let weights = weights
        .map(|(path, normalize)| Ok((read_node_values(path, n, names.as_ref())?, normalize)))
        .transpose()?;
    let progress = global.progress();
    let (successors, predecessors) = source.both(progress.as_ref())?;
    phases.done("load");
    let (backward, forward) = (Predecessors(&predecessors), Successors(&successors));
    let direction = args.direction.into();
    let searched = match weights {
        Some((weights, normalize)) => {
            let progress = progress.as_ref();
            Searched {
                scores: vec![weighted_harmonic(
                    backward, forward, direction, &weights, normalize, progress,
                )?],
                rests: Vec::new(),
                reachable_share: None,
                notes: Vec::new(),
            }
        }
        None => {
            let progress = progress.as_ref();
            let best = match args.output.top {
                Some(count) => {
                    method.best(backward, forward, direction, measures, count, progress)?
                }
                None => None,
            };
            match best {
                Some(best) => best,
                None => method.search(backward, forward, direction, measures, global, progress)?,
            }
        }
    };
    phases.done("search");
    drop(progress);
    let first = &searched.scores[0].values;
    let first = first.as_slice().expect("one column is contiguous");
    let ranking = match searched.rests.first() {
        Some(rests) => Ranking::refined(first, |node| rests[node as usize])?,
        None => Ranking::new(first)?,
    };
    phases.done("rank");
    let mut notes = searched.notes;
    if let Some(share) = searched.reachable_share {
        notes.extend(measures.iter().filter_map(|measure| measure.caution(share)));
    }
    let scores = &searched.scores;
    let report = Report::plain(&source, names.as_ref(), scores, &ranking, notes);
    report.write(output, &args.output, global, phases)
}
