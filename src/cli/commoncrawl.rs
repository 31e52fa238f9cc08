//! `rank commoncrawl`.

use super::shared::distance_method::{MethodArgs, SampleArgs};
use super::shared::rank_tables::{RankTables, ranked};
use super::shared::unfinished::Unfinished;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use webrank::{Graph, Harmonic, Limits, PageRank};
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::output::{PendingFile, publish};
use webrank_base::progress::Progress;
use webrank_distances::geometric::Geometric;
use webrank_formats::import;
use webrank_formats::import::{ImportFiles, ImportOptions};
use webrank_graph::Csr;
use webrank_graph::Size;
use webrank_graph::bow_tie;
use webrank_graph::bow_tie::Partition;
use webrank_graph::bundle::BundleOptions;
use webrank_graph::components::StrongComponents;
use webrank_tables::text::records::Records;
use webrank_tables::write::write_compressed;
use webrank_terminal::input_format::{made, told};
use webrank_terminal::options::Global;

/// Rank a Common Crawl web graph, from a release's two files to its ranks
///
/// VERTICES holds a line for each node: its number, its reversed name, and for domains the number of
/// its hosts. EDGES holds a line for each arc: two numbers. Each is a file or a folder of parts, plain
/// or compressed.
///
/// FOLDER receives the graph (graph.bv), the ranks in the layout of Common Crawl's releases
/// (PREFIX-ranks.txt.gz, by harmonic centrality), the same with ranks that share ties and with bounds
/// (PREFIX-ranks.parquet and its manifest), the distributions of degrees (PREFIX.indegree and
/// PREFIX.outdegree: line k + 1 holds the number of nodes of degree k) and of the sizes of components:
/// strong ones (PREFIX.sccdistr: size and number) and weak ones
/// (PREFIX-connected-components-distrib.txt.gz: number, size, percentage of the nodes), the largest
/// first, as releases have them. PREFIX is what the name of VERTICES starts with. Releases have
/// HyperBall's centralities with --log2m 10. Temporary files are in FOLDER unless --temp names another.
///
/// While the run lasts, FOLDER holds unfinished.txt. A folder with this file, which a run has left that
/// was stopped, is taken over by the next one, which makes its files again.
#[derive(clap::Args)]
pub struct Args {
    /// The release's vertices, such as cc-main-2024-host-vertices.txt.gz
    vertices: PathBuf,
    /// The release's edges
    edges: PathBuf,
    /// The folder to make, or one that a run has left unfinished
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,
    /// The damping factor of PageRank
    #[arg(long, default_value_t = 0.85, help_heading = "Measure")]
    alpha: f64,
    /// Print what was made as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    harmonic: MethodArgs,
    #[command(flatten)]
    sample: SampleArgs,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let pagerank = PageRank::default().alpha(args.alpha)?;
    let harmonic =
        Geometric::of(Harmonic { normalize: false }).counters(args.harmonic.counters.counters()?);
    let output = &args.output;
    let temp = args.harmonic.counters.temp.clone();
    let harmonic = args
        .sample
        .on(harmonic)?
        .method(args.harmonic.method)
        .temp(temp.unwrap_or_else(|| output.clone()));
    let folder = Unfinished::begin(output)?;
    let bundle = BundleOptions {
        replace: folder.is_taken_over,
        ..BundleOptions::default()
    };
    match fill(args, bundle, pagerank, harmonic, global) {
        Ok(report) => {
            folder.finish()?;
            match args.json {
                true => global.account(output, Some(report), |_| Ok(())),
                false => Ok(()),
            }
        }
        Err(problem) => {
            folder.give_up();
            Err(problem)
        }
    }
}

/// Makes the graph, and then everything else, in the folder; returns what was made.
fn fill(
    args: &Args,
    bundle: BundleOptions,
    pagerank: PageRank,
    harmonic: Geometric,
    global: &Global,
) -> Result<Value> {
    let output = &args.output;
    let progress = global.progress();
    let (graph, mut made) = import_release(args, bundle, global, progress.as_ref())?;
    // Scores, ranks and intervals of both measures, and the rows of both directions.
    global.admit("commoncrawl", Size::of(&graph).bytes(160, 10))?;
    let hosts = hosts(&args.vertices, graph.num_nodes())?;
    let pagerank = ranked(&pagerank, &graph, &Limits::default(), progress.as_ref())?;
    let harmonic = ranked(
        &harmonic,
        &graph,
        &args.harmonic.counters.limits(),
        progress.as_ref(),
    )?;
    let release = RankTables {
        graph: &graph,
        harmonic: &harmonic,
        pagerank: &pagerank,
        hosts,
        name_header: "#host_rev",
    };
    let prefix = prefix(&args.vertices);
    let file = |end: &str| output.join(format!("{prefix}{end}"));
    let mut files = release.tables(&file("-ranks.txt.gz"), &file("-ranks.parquet"))?;
    let (successors, predecessors) = graph.both(progress.as_ref())?;
    files.push(degrees(&file(".indegree"), &predecessors)?);
    files.push(degrees(&file(".outdegree"), &successors)?);
    let (strong, weak) = (".sccdistr", "-connected-components-distrib.txt.gz");
    files.push(strong_components(
        &file(strong),
        &successors,
        progress.as_ref(),
    )?);
    files.push(weak_components(&file(weak), &successors)?);
    made["tables"] = files.iter().map(|file| json!(file.path())).collect();
    publish(files)?;
    Ok(made)
}

fn import_release(
    args: &Args,
    options_of_bundle: BundleOptions,
    global: &Global,
    progress: &dyn Progress,
) -> Result<(Graph, Value)> {
    let bundle = args.output.join("graph.bv");
    let sources = ImportFiles::new(std::slice::from_ref(&args.edges))?;
    let options = ImportOptions {
        ids: true,
        header: Some(false),
        names: Some(args.vertices.clone()),
        temp: args.harmonic.counters.temp.clone(),
        ..ImportOptions::default()
    };
    let report = import::import(&sources, &options, &bundle, options_of_bundle, progress)?;
    global.summary(&format!("rank: {}: {}\n", bundle.display(), told(&report)));
    Ok((Graph::open(&bundle)?, made(&report, &bundle)))
}

/// The start of the names of a release's files.
fn prefix(vertices: &Path) -> String {
    let name = vertices.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.split_once(".txt").map_or(&*name, |(stem, _)| stem);
    stem.strip_suffix("-vertices").unwrap_or(stem).to_owned()
}

/// The number of hosts of each domain, if the vertices have a third column.
fn hosts(vertices: &Path, num_nodes: usize) -> Result<Option<Vec<u32>>> {
    let mut hosts = Vec::new();
    for path in ImportFiles::new(&[vertices.to_owned()])?.files() {
        let mut records = Records::list(path)?.without_comments();
        while records.advance()? {
            let record = records.record();
            if record.len() < 3 {
                return match hosts.is_empty() {
                    true => Ok(None),
                    false => Err(record.wrong("no number of hosts, as the lines before have")),
                };
            }
            let count = record.text(2)?;
            let count = count.trim().parse();
            hosts.push(count.map_err(|_| record.wrong("the third field is no number of hosts"))?);
        }
    }
    Ok(Some(hosts).filter(|hosts| hosts.len() == num_nodes && num_nodes > 0))
}

/// A file whose line k + 1 holds the number of rows of length k.
fn degrees(path: &Path, rows: &Csr) -> Result<PendingFile> {
    let mut counts: Vec<u64> = Vec::new();
    for node in 0..rows.num_nodes() {
        let degree = rows.degree(node as Node) as usize;
        if degree >= counts.len() {
            counts.resize(degree + 1, 0);
        }
        counts[degree] += 1;
    }
    lines(path, counts.into_iter().map(|count| count.to_string()))
}

/// A file with the sizes of strong components, and how many there are of each.
fn strong_components(
    path: &Path,
    successors: &Csr,
    progress: &dyn Progress,
) -> Result<PendingFile> {
    let found = StrongComponents::new(successors, progress)?;
    let components = Partition::new(found.component_of().to_vec(), found.num_components())?;
    let sizes = components.distribution().into_iter();
    lines(path, sizes.map(|(size, count)| format!("{size}\t{count}")))
}

/// A file with the sizes of weak components, how many there are of each, and which part of all nodes
/// they hold.
fn weak_components(path: &Path, successors: &Csr) -> Result<PendingFile> {
    let sizes = bow_tie::weak_components(successors)?.distribution();
    let of_size = sizes.into_iter().map(|(size, count)| {
        let nodes = f64::from(size) * count as f64;
        let percentage = 100.0 * nodes / successors.num_nodes() as f64;
        format!("{count}\t{size}\t{percentage:9.6}%")
    });
    let header = "#freq\t#size\t#perc".to_owned();
    lines(path, std::iter::once(header).chain(of_size))
}

/// A file of lines, compressed as its name says.
fn lines(path: &Path, mut lines: impl Iterator<Item = String>) -> Result<PendingFile> {
    let mut file = PendingFile::create(path)?;
    write_compressed(path, &mut file, |out| {
        lines.try_for_each(|line| writeln!(out, "{line}"))
    })?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_for_the_release() {
        for (vertices, expected) in [
            ("x/cc-main-2024-host-vertices.txt.gz", "cc-main-2024-host"),
            ("vertices.txt", "vertices"),
            ("cc-domain-vertices", "cc-domain"),
        ] {
            assert_eq!(prefix(vertices.as_ref()), expected);
        }
    }
}
