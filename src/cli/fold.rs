//! `rank fold`.

use std::path::PathBuf;
use webrank_base::error::Result;
use webrank_base::visible::visible;
use webrank_formats::import;
use webrank_formats::import::{Fold, ImportOptions};
use webrank_graph::Size;
use webrank_graph::bundle::BundleOptions;
use webrank_terminal::hosts::{To, folded};
use webrank_terminal::input_format::{made, told};
use webrank_terminal::options::{Global, GraphArgs};

/// Make a graph of hosts or domains of a graph of pages or hosts
///
/// Nodes whose names lie in the same host, or in the same registered domain by the list of public
/// suffixes, become one node. Arcs between two of them become one arc, whose weight is the sum of
/// their weights (their number if arcs have no weights). Names are URLs or hosts.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    graph: GraphArgs,
    /// The kind of the new nodes
    #[arg(long, value_enum)]
    to: To,
    /// Names are hosts from right to left, as in org.example.www; so are the new ones
    #[arg(long)]
    reversed: bool,
    /// The bundle to write
    #[arg(short, long, value_name = "BUNDLE")]
    output: PathBuf,
    /// Leave out arcs within a host or domain
    #[arg(long)]
    drop_loops: bool,
    /// Replace the bundle if it exists; anything else is refused
    #[arg(long)]
    force: bool,
    /// Print what was made as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let graph = args.graph.open_graph(global)?;
    // The rows, their weights, and a new arc for each.
    global.admit("fold", Size::of(&graph).weighted_bytes(40, 48))?;
    let options = ImportOptions {
        drop_loops: args.drop_loops,
        ..ImportOptions::default()
    };
    let bundle = BundleOptions {
        replace: args.force,
        compact: false,
    };
    let (to, reversed) = (args.to, args.reversed);
    let fold: Fold = Box::new(move |name| folded(name, to, reversed));
    let progress = global.progress();
    let report = import::fold(
        graph,
        fold,
        &options,
        &args.output,
        bundle,
        progress.as_ref(),
    )?;
    drop(progress);
    let output = args.output.to_string_lossy();
    let json = || made(&report, &args.output);
    global.account(&args.output, args.json.then(json), |out| {
        writeln!(out, "{}: {}", visible(&output), told(&report))
    })
}
