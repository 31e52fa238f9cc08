//! `rank wikipedia`.

use super::shared::rank_tables::{RankTables, ranked};
use serde_json::json;
use std::path::{Path, PathBuf};
use webrank::{Graph, Harmonic, Limits, PageRank, StoragePlan};
use webrank_base::error::Result;
use webrank_base::memory::{self, allowed_memory};
use webrank_base::output::publish;
use webrank_base::visible::visible;
use webrank_distances::geometric::Geometric;
use webrank_formats::import::{self, ImportOptions};
use webrank_formats::wikipedia::{NodeNames, WikipediaOptions, WikipediaTables, wikipedia};
use webrank_graph::Size;
use webrank_terminal::bundle_args::BundleArgs;
use webrank_terminal::input_format::{made, told};
use webrank_terminal::options::Global;
use webrank_terminal::plan::WorkPlan;

/// Make a graph of a Wikipedia from the tables of its dumps
///
/// TABLE is a file of dumps.wikimedia.org or of another wiki of MediaWiki, as it is (page.sql.gz,
/// pagelinks.sql.gz, redirect.sql.gz, and in dumps since 2023 linktarget.sql.gz), or a folder with these
/// files. Each is recognised by the CREATE TABLE in it. Dumps of 2024 and before, whose links have titles
/// (pl_title), and later ones, whose links have numbers (pl_target_id), are read.
///
/// Nodes are the pages of a namespace, articles by default, that are no redirects. A link to a redirect
/// leads to where the redirect leads, by any number of steps. Left out are links on redirects, links to
/// pages that do not exist or that are in other namespaces, and links to redirects that lead in a circle
/// or to another wiki. The numbers of all these are told, and are in the manifest of the bundle.
///
/// Nodes are named by the titles of their pages, with blanks. Titles of other namespaces than 0 have a
/// prefix that every wiki reads, such as Category:, or {{ns:100}}: where names differ between wikis.
///
/// English Wikipedia takes about 3 GB of memory, as computed from its numbers of pages and link targets;
/// links and names that do not fit go to temporary files.
#[derive(clap::Args)]
pub struct Args {
    /// Files of tables, or folders with them
    #[arg(required = true, value_name = "TABLE")]
    dumps: Vec<PathBuf>,
    /// The bundle to write, such as wiki.bv
    #[arg(short, long, value_name = "BUNDLE")]
    output: PathBuf,
    /// The namespace whose pages are nodes, by its number: 0 for articles, 14 for categories; may be given
    /// several times
    #[arg(
        long,
        value_name = "NUMBER",
        default_value = "0",
        allow_hyphen_values = true
    )]
    #[arg(help_heading = "Reading")]
    namespace: Vec<i64>,
    /// What nodes are called; pages without a number of Wikidata are called ':Title'
    #[arg(long, value_enum, default_value_t = NodeNames::Title, help_heading = "Reading")]
    names: NodeNames,
    /// The table page_props.sql.gz, which has the numbers of Wikidata for --names qid
    #[arg(long, value_name = "FILE", help_heading = "Reading")]
    page_props: Option<PathBuf>,
    /// Rank the nodes, too: PREFIX-ranks.txt.gz and PREFIX-ranks.parquet beside the bundle PREFIX.bv hold
    /// harmonic centrality and PageRank, in the layout of 'rank commoncrawl'
    #[arg(long, help_heading = "Measure")]
    rank: bool,
    /// The damping factor of PageRank
    #[arg(
        long,
        default_value_t = 0.85,
        help_heading = "Measure",
        requires = "rank"
    )]
    alpha: f64,
    /// Print what was made as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    bundle: BundleArgs,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let pagerank = PageRank::default().alpha(args.alpha)?;
    let paths: Vec<PathBuf> = args.dumps.iter().chain(&args.page_props).cloned().collect();
    let tables = WikipediaTables::find(&paths)?;
    for other in tables.others() {
        log::info!("{}: left alone: no table that is needed", other.display());
    }
    admit(&tables, global)?;
    let options = WikipediaOptions {
        namespaces: args.namespace.clone(),
        names: args.names,
        import: args.bundle.import(ImportOptions::default())?,
    };
    let progress = global.progress();
    let (output, bundle) = (&args.output, args.bundle.bundle());
    let written = wikipedia(&tables, &options, output, bundle, progress.as_ref());
    let (report, counts) = written?;
    drop(progress);
    let tables = match args.rank {
        true => rank(args, &pagerank, global)?,
        false => Vec::new(),
    };
    let json = || {
        let mut json = made(&report, output);
        json["counts"] = json!(counts.all());
        json["tables"] = json!(tables);
        json
    };
    global.account(output, args.json.then(json), |out| {
        let output = output.to_string_lossy();
        writeln!(out, "{}: {}", visible(&output), told(&report))?;
        let mut lines = counts.told().into_iter();
        lines.try_for_each(|line| writeln!(out, "{line}"))
    })
}

/// Memory is checked before anything is read: numbers are held in memory, links go to the disk.
fn admit(tables: &WikipediaTables, global: &Global) -> Result<()> {
    let least = StoragePlan {
        takes_more: true,
        ..StoragePlan::in_memory(import::least_memory().saturating_add(tables.least_memory()))
    };
    Global::log_memory("wikipedia", &least);
    if global.plan {
        global.print_plan(&WorkPlan::of("wikipedia", &[least]))?;
    }
    memory::admit("wikipedia", least.bytes, allowed_memory())?;
    global.end_plan()
}

/// Ranks the nodes of the bundle, and writes the tables beside it; returns their paths.
fn rank(args: &Args, pagerank: &PageRank, global: &Global) -> Result<Vec<PathBuf>> {
    let graph = Graph::open(&args.output)?;
    // Scores, ranks and intervals of both measures, and the rows of both directions.
    global.admit("wikipedia", Size::of(&graph).bytes(160, 10))?;
    let progress = global.progress();
    let limits = Limits::default();
    let harmonic = Geometric::of(Harmonic { normalize: false }).temp(folder_of(&args.output));
    let pagerank = ranked(pagerank, &graph, &limits, progress.as_ref())?;
    let harmonic = ranked(&harmonic, &graph, &limits, progress.as_ref())?;
    let tables = RankTables {
        graph: &graph,
        harmonic: &harmonic,
        pagerank: &pagerank,
        hosts: None,
        name_header: "#title",
    };
    let file = |end: &str| {
        let stem = args.output.file_stem().unwrap_or_default();
        let name = format!("{}{end}", stem.to_string_lossy());
        folder_of(&args.output).join(name)
    };
    let paths = ["-ranks.txt.gz", "-ranks.parquet"].map(file);
    publish(tables.tables(&paths[0], &paths[1])?)?;
    Ok(paths.into())
}

/// The folder in which a bundle lies.
fn folder_of(output: &Path) -> PathBuf {
    match output.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}
