//! `rank import`.

use std::path::PathBuf;
use webrank::StoragePlan;
use webrank_base::error::Result;
use webrank_base::memory;
use webrank_base::memory::allowed_memory;
use webrank_base::visible::visible;
use webrank_formats::import;
use webrank_formats::import::{Duplicates, ImportFiles, ImportOptions};
use webrank_graph::StoredGraph;
use webrank_terminal::bundle_args::BundleArgs;
use webrank_terminal::input_format::{InputFormatArgs, made, told};
use webrank_terminal::options::{Global, warn_unverified};
use webrank_terminal::plan::WorkPlan;

/// Make a graph from files of any kind
///
/// SOURCE is a list of arcs, a table of arcs (Parquet, Arrow), a matrix (MatrixMarket, .npz of scipy)
/// or a graph (GraphML, GEXF, GML, DOT, JSON, Pajek, METIS, TGF, LGL, NCOL, graph6, adjacency list,
/// BVGraph); its content shows which.
///
/// A list of arcs has lines with the names (with --ids, the numbers) of source and target, and
/// perhaps a weight, separated by a tab, a comma or blanks, as the first line shows. Between commas, a
/// name may stand in quotation marks, as in CSV. A line with one field declares a node. Lines that
/// start with # are comments, and those that start with % if the first line does. A header such as
/// source,target,weight is found out.
///
/// Nodes are numbered in the order of their names, or in another order: --order llp makes most graphs
/// smaller; nodes that had numbers are then named by them. Arcs that are given several times count once, or
/// add up if they have weights. Arcs and names that do not fit into memory (--memory) go to
/// temporary files.
///
/// The bundle holds the compressed graph, its transpose, offsets, names, weights and checksums, in
/// WebGraph's formats.
#[derive(clap::Args)]
pub struct Args {
    /// Files, folders of files, or - for standard input; plain or compressed (gzip, zstd, bzip2,
    /// xz)
    #[arg(required = true, value_name = "SOURCE")]
    sources: Vec<PathBuf>,
    /// The bundle to write, such as graph.bv
    #[arg(short, long, value_name = "BUNDLE")]
    output: PathBuf,
    #[command(flatten)]
    reading: InputFormatArgs,
    /// Names of nodes that have numbers: FILE with a name a line, or number and name, in order
    #[arg(long, value_name = "FILE")]
    names: Option<PathBuf>,
    /// Treatment of arcs that occur several times [default: sum with weights, otherwise drop]
    #[arg(long, value_enum, value_name = "HOW")]
    duplicates: Option<Duplicates>,
    /// Leave out up to N lines that cannot be used, and list the first ten
    #[arg(long, value_name = "N", default_value_t = 0)]
    skip_bad: u64,
    /// Print what was read as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    bundle: BundleArgs,
}

impl Args {
    fn options(&self) -> Result<ImportOptions> {
        self.bundle.import(ImportOptions {
            names: self.names.clone(),
            duplicates: self.duplicates,
            skip_bad: self.skip_bad,
            ..self.reading.options()
        })
    }
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let bundles = args.sources.iter().filter(|path| path.is_dir());
    for path in bundles {
        if StoredGraph::open(path).is_ok_and(|source| source.lacks_manifest()) {
            warn_unverified(path);
        }
    }
    let sources = ImportFiles::new(&args.sources)?;
    // Arcs that do not fit go to the disk.
    let allowed = allowed_memory();
    if global.plan {
        let least = StoragePlan {
            takes_more: true,
            ..StoragePlan::in_memory(import::least_memory())
        };
        Global::log_memory("import", &least);
        global.print_plan(&WorkPlan::of("import", &[least]))?;
        memory::admit("import", least.bytes, allowed)?;
        return global.end_plan();
    }
    log::info!("memory: import keeps to {allowed} bytes at most");
    let progress = global.progress();
    let report = import::import(
        &sources,
        &args.options()?,
        &args.output,
        args.bundle.bundle(),
        progress.as_ref(),
    )?;
    drop(progress);
    let json = || made(&report, &args.output);
    global.account(&args.output, args.json.then(json), |out| {
        let output = args.output.to_string_lossy();
        writeln!(out, "{}: {}", visible(&output), told(&report))?;
        report
            .first_skipped
            .iter()
            .try_for_each(|problem| writeln!(out, "skipped: {problem}"))
    })
}
