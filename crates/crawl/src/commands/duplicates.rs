//! `rank duplicates`.

use crate::near::{Clusters, Duplicates, FingerprintList, MAX_DISTANCE, Merged, Pair, Within};
use std::path::{Path, PathBuf};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::memory::resident_memory;
use webrank_base::phases::Phases;
use webrank_base::progress::Progress;
use webrank_base::visible::visible;
use webrank_formats::import::is_foreign;
use webrank_graph::Graph;
use webrank_graph::Size;
use webrank_graph::bundle::{BundleOptions, Entry, Nodes, check_output, write_nodes};
use webrank_scores::manifest::{GraphRecord, Manifest};
use webrank_tables::table::{Cells, Columns, Field};
use webrank_tables::text::checksums::Checksums;
use webrank_tables::text::names::Names;
use webrank_terminal::Tool;
use webrank_terminal::input_format::InputFormatArgs;
use webrank_terminal::options::{Global, GraphArgs, Output, OutputArgs, write_lines};
use webrank_terminal::reported::Reported;

/// Find pages that are nearly the same
///
/// Pages have fingerprints of 64 bits (SimHash), which differ in few bits where texts differ in few
/// words. Pages that differ in at most --distance bits are near, and no such pair is missed. A cluster
/// is what steps between near pages connect, so two of its pages may be farther from each other.
///
/// FINGERPRINTS is a bundle with fingerprints, or a list of them: 64 bits in hexadecimal a line, after
/// a name and a tab if there are names (- is standard input). A line is a node, from 0. In a bundle, a
/// fingerprint of 0 means that a page has no text: it is like no other.
///
/// The table has a row for each page of a cluster, the largest cluster first, or with --pairs a row
/// i,j,distance for each pair of pages that are near.
///
/// Source: Manku, Jain and Das Sarma, Detecting near-duplicates for web crawling, 2007.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// A bundle with fingerprints, or a list of fingerprints
    #[arg(value_name = "FINGERPRINTS")]
    graph: PathBuf,
    /// In how many bits near pages differ at most, up to 16; distances above 5 take long
    #[arg(
        long,
        default_value_t = 3,
        value_name = "K",
        value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_DISTANCE))
    )]
    distance: u32,
    /// Write all pairs of near pages, not clusters
    #[arg(long, help_heading = "Output")]
    pairs: bool,
    /// Write a bundle in which each cluster is one page, its first, with the arcs of all of them;
    /// weights add up
    #[arg(
        long,
        requires = "output",
        conflicts_with = "pairs",
        help_heading = "Output"
    )]
    merge: bool,
    /// With --merge: keep arcs between two pages of a cluster, as arcs from the page to itself
    #[arg(long, requires = "merge", help_heading = "Output")]
    keep_loops: bool,
    /// With --merge: replace the bundle if it exists; anything else is refused
    #[arg(long, requires = "merge", help_heading = "Output")]
    force: bool,
    /// Write the table to FILE, in the format of its extension as in other commands, and a manifest to
    /// FILE.json; with --merge, the bundle to write [default: the standard output, as CSV]
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
}

impl Tool for Args {
    const NAME: &'static str = "duplicates";

    fn run(&self, global: &Global) -> Result<()> {
        run(self, global)
    }
}

fn run(args: &Args, global: &Global) -> Result<()> {
    if args.merge {
        return merge(args, global);
    }
    // There is no summary for people.
    let output = args.output.as_deref().unwrap_or(Path::new("-"));
    let output = Output::of_rows(Some(output), global)?;
    let mut phases = Phases::start();
    let pages = Pages::open(args, global)?;
    phases.done("load");
    let progress = global.progress();
    let duplicates = pages.duplicates(progress.as_ref())?;
    let rows = match args.pairs {
        true => Rows::Pairs(duplicates.pairs(args.distance, progress.as_ref())?),
        false => Rows::Clusters(duplicates.clusters(args.distance, progress.as_ref())?),
    };
    drop(progress);
    phases.done("compare");
    let report = DuplicatesReport {
        counts: (duplicates.num_nodes(), duplicates.num_distinct()),
        distance: args.distance,
        pages,
        rows,
        phases,
    };
    report.write(output, &OutputArgs::all(), global)
}

/// Where the fingerprints come from.
// A run has only one: its size does not matter.
#[allow(clippy::large_enum_variant)]
enum Pages {
    Bundle(Graph, Vec<u64>),
    List(FingerprintList, Checksums),
}

impl Pages {
    fn open(args: &Args, global: &Global) -> Result<Self> {
        let path = &args.graph;
        let reading = InputFormatArgs::default();
        if is_foreign(path, &reading.options()) {
            let read = Checksums::default();
            let list = FingerprintList::read(path, &read)?;
            let more = Duplicates::BYTES_OF_NODE.saturating_mul(list.fingerprints.len() as u64);
            global.admit("duplicates", resident_memory().saturating_add(more))?;
            return Ok(Pages::List(list, read));
        }
        let (graph, fingerprints) = open_bundle(path, global)?;
        let needed = Size::of(&graph).bytes_without_rows(Duplicates::BYTES_OF_NODE);
        global.admit("duplicates", needed)?;
        Ok(Pages::Bundle(graph, fingerprints))
    }

    fn duplicates(&self, progress: &dyn Progress) -> Result<Duplicates> {
        progress.begin("sort", None);
        match self {
            Pages::Bundle(_, fingerprints) => Duplicates::of(fingerprints, true),
            Pages::List(list, _) => Duplicates::of(&list.fingerprints, false),
        }
    }

    fn names(&self) -> Option<&Names> {
        match self {
            Pages::Bundle(graph, _) => graph.names(),
            Pages::List(list, _) => list.names.as_ref(),
        }
    }
}

/// A graph and its fingerprints.
fn open_bundle(path: &Path, global: &Global) -> Result<(Graph, Vec<u64>)> {
    let graph = GraphArgs::of(path).open_graph(global)?;
    let fingerprints = match graph.source() {
        Some(source) => source.fingerprints()?,
        None => None,
    };
    let fingerprints = fingerprints.ok_or_else(|| {
        let problem = "has no fingerprints of pages; name a bundle that has them, or a list of \
                       fingerprints";
        Error::file(path, problem)
    })?;
    Ok((graph, fingerprints))
}

fn merge(args: &Args, global: &Global) -> Result<()> {
    let Some(output) = &args.output else {
        return Err(Error::argument(
            "output",
            "not given",
            "name a bundle to write",
        ));
    };
    let options = BundleOptions {
        replace: args.force,
        compact: false,
    };
    if is_foreign(&args.graph, &InputFormatArgs::default().options()) {
        let problem = "is no bundle: a list of fingerprints has no arcs to merge";
        return Err(Error::file(&args.graph, problem));
    }
    check_output(output, options)?;
    let (graph, fingerprints) = open_bundle(&args.graph, global)?;
    let (of_node, of_arc) = Merged::BYTES;
    let of_node = of_node + Duplicates::BYTES_OF_NODE;
    let needed = Size::of(&graph).weighted_bytes(of_node, 2 * of_arc + 8);
    global.admit("duplicates", needed)?;
    let progress = global.progress();
    let n = graph.num_nodes();
    let clusters =
        Duplicates::of(&fingerprints, true)?.clusters(args.distance, progress.as_ref())?;
    let representatives = clusters.representatives(n)?;
    let within = match args.keep_loops {
        true => Within::Kept,
        false => Within::Dropped,
    };
    progress.begin("merge", None);
    let merged = match graph.weighted_successors(progress.as_ref())? {
        Some((rows, weights)) => Merged::of(&rows, Some(&weights), &representatives, within)?,
        None => {
            let rows = graph.take_successors(progress.as_ref())?;
            Merged::of(&rows, None, &representatives, within)?
        }
    };
    let names = graph.names().map(|names| {
        let names = merged.nodes.iter().map(|&node| names.get(node).into());
        names.collect::<Vec<Box<str>>>()
    });
    let kept = merged.nodes.iter().map(|&node| fingerprints[node as usize]);
    let kept: Vec<u64> = kept.collect();
    let nodes = Nodes {
        names: names.as_deref(),
        fingerprints: Some(&kept),
    };
    write_nodes(
        &merged.successors,
        merged.weights.as_deref(),
        nodes,
        output,
        options,
    )?;
    drop(progress);
    if global.quiet {
        return Ok(());
    }
    write_lines(|out| {
        let path = output.to_string_lossy();
        let (count, arcs) = (merged.nodes.len(), merged.successors.num_arcs());
        writeln!(
            out,
            "{}: {count} nodes, {arcs} arcs; {n} nodes and {} arcs before",
            visible(&path),
            graph.num_arcs()
        )
    })
}

enum Rows {
    Clusters(Clusters),
    Pairs(Vec<Pair>),
}

struct DuplicatesReport {
    pages: Pages,
    /// Pages with fingerprints, and different fingerprints.
    counts: (usize, usize),
    distance: u32,
    rows: Rows,
    phases: Phases,
}

/// A column of numbers of nodes, or counts.
fn counts<'a>(name: &'static str, entry: impl Fn(usize) -> u32 + Sync + 'a) -> Field<'a> {
    Field::new(name, Cells::Counts(Box::new(entry)))
}

impl Reported for DuplicatesReport {
    fn summary(&self) -> String {
        let (pages, distinct) = self.counts;
        let found = match &self.rows {
            Rows::Pairs(pairs) => format!("{} pairs", pairs.len()),
            Rows::Clusters(clusters) => {
                format!(
                    "{} pages in {} clusters",
                    clusters.num_nodes(),
                    clusters.len()
                )
            }
        };
        let distance = self.distance;
        format!(
            "{found} at a distance of at most {distance}; {pages} fingerprints, {distinct} different\n"
        )
    }

    fn shown(&self, _: usize) -> String {
        String::new()
    }

    fn columns(&self, _: &OutputArgs) -> Columns<'_> {
        match &self.rows {
            Rows::Pairs(pairs) => Columns {
                rows: pairs.len(),
                fields: vec![
                    counts("i", |row| pairs[row].first),
                    counts("j", |row| pairs[row].second),
                    counts("distance", |row| pairs[row].distance),
                ],
            },
            Rows::Clusters(clusters) => {
                let node = |row: usize| -> Node { clusters.row(row).1 };
                let mut fields = vec![
                    counts("cluster", |row| clusters.row(row).0),
                    counts("node", node),
                ];
                if let Some(names) = self.pages.names() {
                    let name = move |row: usize| names.get(node(row));
                    fields.push(Field::new("name", Cells::Names(Box::new(name))));
                }
                Columns {
                    rows: clusters.num_nodes(),
                    fields,
                }
            }
        }
    }

    fn manifest(&self, phases: &Phases) -> Result<Manifest> {
        match &self.pages {
            Pages::Bundle(graph, _) => Manifest::of(graph, [], &[], phases),
            Pages::List(_, read) => {
                let mut manifest = Manifest::about(GraphRecord::default(), [], &[], phases);
                let inputs = read.all().into_iter();
                manifest.inputs = inputs
                    .map(|(path, found)| (path.to_string_lossy().into_owned(), Entry::new(found)))
                    .collect();
                Ok(manifest)
            }
        }
    }

    fn phases(&self) -> &Phases {
        &self.phases
    }
}
