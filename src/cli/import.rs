//! `rank import`.

use super::shared::options::{Global, write_stdout};
use std::path::PathBuf;
use webrank::internals::error::Result;
use webrank::internals::graph::bundle::{BundleOptions, check_output};
use webrank::internals::graph::import::{EdgeOptions, read_edges};
use webrank::internals::visible::visible;

/// Make a graph from a list of arcs
///
/// Each line holds one arc: the names (with --ids, the numbers) of source and target, separated by
/// a tab, a comma or blanks, as the first line shows. Between commas, a name may stand in quotation
/// marks, as in CSV. A line with one field declares a node. Lines that start with # are skipped.
/// Nodes are numbered in the order of their names; duplicate arcs are dropped.
///
/// The bundle holds the compressed graph, its transpose, offsets, names and checksums, in
/// WebGraph's formats.
#[derive(clap::Args)]
pub struct Args {
    /// The list: plain, gzip or zstd; - is standard input
    edges: PathBuf,
    /// The bundle to write, such as graph.bv
    #[arg(short, long, value_name = "BUNDLE")]
    output: PathBuf,
    /// Fields are node numbers from 0
    #[arg(long)]
    ids: bool,
    /// Skip the first line that is not a comment
    #[arg(long)]
    header: bool,
    /// Leave out the transpose and the offsets, which are computed when needed: half the size, a
    /// slower start
    #[arg(long)]
    compact: bool,
    /// Replace the bundle if it exists; anything else is refused
    #[arg(long)]
    force: bool,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let options = BundleOptions {
        replace: args.force,
        compact: args.compact,
    };
    check_output(&args.output, options)?;
    let edges = EdgeOptions {
        ids: args.ids,
        header: args.header,
    };
    let progress = global.progress();
    let imported = read_edges(&args.edges, &edges, progress.as_ref())?;
    progress.begin("compress", None);
    imported.write(&args.output, options)?;
    drop(progress);
    if global.quiet {
        return Ok(());
    }
    write_stdout(|out| {
        writeln!(
            out,
            "{}: {} nodes, {} arcs; {} duplicate arcs dropped",
            visible(&args.output.to_string_lossy()),
            imported.successors.num_nodes(),
            imported.successors.num_arcs(),
            imported.duplicates
        )
    })
}
