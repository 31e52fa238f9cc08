//! `rank distances`.

use super::shared::cluster::ClusterArgs;
use super::shared::distance_method::MethodArgs;
use super::shared::lengths::LengthArgs;
use super::shared::plan;
use super::shared::run::{Weights, hops_of};
use serde_json::json;
use std::io::{self, Write};
use std::time::Duration;
use webrank_base::error::{Error, Result};
use webrank_distances::geometric::DistanceMethod;
use webrank_distances::geometric::distances::{DistanceDistribution, Distances};
use webrank_lengths::LengthDistribution;
use webrank_lengths::distribution::LengthDistances;
use webrank_scores::Outcome;
use webrank_terminal::options::{Global, GraphArgs, write_stdout};

/// The distribution of the distances between nodes, and its statistics
///
/// It covers all ordered pairs of different nodes with a path from the first to the second: how
/// many are at each distance, average distance, effective diameter (90% of the pairs are within
/// it), harmonic diameter (the harmonic mean distance of all pairs, unreachable ones included),
/// spid (variance over mean) and, if every node is a source, the diameter.
///
/// Source: Boldi and Vigna 2012; Backstrom, Boldi, Rosa, Ugander and Vigna 2012.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(flatten)]
    graph: GraphArgs,
    #[command(flatten)]
    lengths: LengthArgs,
    #[command(flatten)]
    method: MethodArgs,
    /// With sampling: search from this many nodes
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1000,
        help_heading = "Measure"
    )]
    samples: usize,
    /// Compute the diameter exactly even if the distances are not
    #[arg(long, help_heading = "Measure")]
    diameter: bool,
    #[command(flatten)]
    cluster: ClusterArgs,
    /// Print JSON
    #[arg(long, help_heading = "Output")]
    json: bool,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    if let Some((lengths, cutoff)) = args.lengths.given()? {
        return by_length(args, LengthDistribution { lengths, cutoff }, global);
    }
    let asked = DistanceDistribution {
        method: args.method.method,
        samples: args.samples,
        counters: args.method.counters.counters()?,
        temp: args.method.counters.temp(),
        diameter: args.diameter,
        team: args.cluster.team(global)?,
    };
    let graph = hops_of(args.graph.open_graph(global)?, global);
    let (limits, progress) = (args.method.counters.limits(), global.progress());
    let forms = asked.forms(&graph);
    if global.plan {
        let seconds = asked.seconds(&graph, &limits, progress.as_ref())?;
        plan::print_forms("distances", &graph, (&forms, &seconds), global)?;
    }
    global.admit_form("distances", &forms)?;
    let found = asked.compute(&graph, &limits, progress.as_ref())?;
    drop(progress);
    if asked.team.me() > 0 {
        return Ok(());
    }
    write_stdout(|out| {
        if args.json {
            writeln!(out, "{:#}", found.to_json())
        } else {
            print(out, &found)
        }
    })
}

/// The distances that are sums of lengths.
fn by_length(args: &Args, asked: LengthDistribution, global: &Global) -> Result<()> {
    let method = args.method.method;
    if !matches!(method, DistanceMethod::Auto | DistanceMethod::Exact) {
        let remedy = "with lengths or a cutoff, only exact searches are made";
        return Err(Error::argument(
            "method",
            format!("{method:?}").to_lowercase(),
            remedy,
        ));
    }
    args.cluster.refuse("searches by lengths")?;
    let graph = args.lengths.graph(&args.graph).open_graph(global)?;
    let graph = match args.lengths.weights() {
        Weights::OfGraph => graph,
        _ => hops_of(graph, global),
    };
    global.admit("distances", asked.needs(&graph))?;
    let limits = match method {
        DistanceMethod::Auto => args.method.counters.limits(),
        _ => args.method.counters.limits().time(Duration::MAX),
    };
    let progress = global.progress();
    let found = asked.compute(&graph, &limits, progress.as_ref())?;
    drop(progress);
    write_stdout(|out| {
        if args.json {
            return writeln!(out, "{:#}", lengths_as_json(&found));
        }
        let short = |value: f64| match value.abs() {
            size if size > 0.0 && !(1e-4..1e15).contains(&size) => format!("{value:e}"),
            _ => format!("{value:.6}"),
        };
        let number = |value: Option<f64>| value.map_or("none".into(), short);
        let whole = |value: f64| match value.abs() {
            size if size > 0.0 && !(1e-9..1e21).contains(&size) => format!("{value:e}"),
            _ => value.to_string(),
        };
        writeln!(out, "method               exact")?;
        for note in &found.notes {
            writeln!(out, "note                 {note}")?;
        }
        writeln!(out, "reachable pairs      {}", found.reachable_pairs)?;
        writeln!(
            out,
            "average distance     {}",
            number(found.average_distance)
        )?;
        let effective = number(found.effective_diameter);
        writeln!(out, "effective diameter   {effective} (90%)")?;
        writeln!(
            out,
            "harmonic diameter    {}",
            short(found.harmonic_diameter)
        )?;
        writeln!(out, "spid                 {}", number(found.spid))?;
        writeln!(out, "diameter             {}", whole(found.diameter))?;
        writeln!(out, "\ndistance  pairs")?;
        for (distance, pairs) in &found.pairs {
            writeln!(out, "{:>8}  {pairs}", whole(*distance))?;
        }
        Ok(())
    })
}

fn lengths_as_json(found: &LengthDistances) -> serde_json::Value {
    json!({
        "nodes": found.num_nodes,
        "outcome": Outcome::Exact,
        "reachable_pairs": found.reachable_pairs,
        "average_distance": found.average_distance,
        "effective_diameter_90": found.effective_diameter,
        "harmonic_diameter": Some(found.harmonic_diameter).filter(|d| d.is_finite()),
        "spid": found.spid,
        "diameter": found.diameter,
        "pairs_at_distance": found.pairs,
        "notes": found.notes,
    })
}

fn print(out: &mut dyn Write, found: &Distances) -> io::Result<()> {
    let how = match found.outcome {
        Outcome::Sampled { sources, .. } => format!("from {sources} sampled nodes"),
        Outcome::Estimated {
            relative_standard_error: error,
        } => {
            format!(
                "by HyperBall, relative standard error {:.1}% per counter",
                100.0 * error
            )
        }
        _ => "exact".into(),
    };
    let number = |value: Option<f64>| value.map_or("none".into(), |v| format!("{v:.4}"));
    writeln!(out, "method               {how}")?;
    for note in &found.notes {
        writeln!(out, "note                 {note}")?;
    }
    writeln!(out, "reachable pairs      {:.0}", found.reachable_pairs())?;
    writeln!(
        out,
        "share of all pairs   {:.4}%",
        100.0 * found.reachable_share()
    )?;
    writeln!(
        out,
        "average distance     {}",
        number(found.average_distance())
    )?;
    writeln!(
        out,
        "effective diameter   {} (90%)",
        number(found.effective_diameter(0.9))
    )?;
    writeln!(out, "harmonic diameter    {:.4}", found.harmonic_diameter())?;
    writeln!(out, "spid                 {}", number(found.spid()))?;
    match found.diameter {
        Some(diameter) => writeln!(out, "diameter             {diameter}")?,
        None => writeln!(out, "diameter             not computed (use --diameter)")?,
    }
    writeln!(out, "\ndistance  pairs")?;
    for (index, pairs) in found.pairs.iter().enumerate() {
        writeln!(out, "{:>8}  {pairs:.0}", index + 1)?;
    }
    Ok(())
}
