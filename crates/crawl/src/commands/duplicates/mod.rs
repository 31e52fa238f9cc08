//! `rank duplicates`.

mod pages;

use self::pages::{Pages, open_bundle};
use crate::near::{Clusters, MAX_DISTANCE, Merged, NearDuplicates, NearPair, Within};
use serde_json::json;
use std::path::{Path, PathBuf};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::phases::Phases;
use webrank_base::units::counted;
use webrank_base::visible::visible;
use webrank_formats::import::is_foreign;
use webrank_graph::Size;
use webrank_graph::bundle::{BundleOptions, FileEntry, Nodes, check_output, write_nodes};
use webrank_scores::manifest::{GraphRecord, Manifest};
use webrank_tables::table::{Cells, ColumnTable, NamedColumn};
use webrank_terminal::Tool;
use webrank_terminal::input_format::InputFormatArgs;
use webrank_terminal::options::{Global, Output, OutputArgs};
use webrank_terminal::reported::Reported;

/// Find pages that are nearly the same
///
/// Pages have fingerprints of 64 bits (SimHash), which differ in few bits where texts differ in few
/// words. Pages that differ in at most --distance bits are near, and no such pair is missed. A cluster
/// is what steps between near pages connect, so two of its pages may be farther from each other.
///
/// FINGERPRINTS is a bundle with fingerprints, or a list of them: 64 bits in hexadecimal a line, after
/// a name and a tab if there are names (- is standard input). Each line with a fingerprint is a node,
/// from 0; blank lines and lines that begin with # are none. In a bundle, a fingerprint of 0 means that
/// a page has no text: it is like no other.
///
/// The table has a row for each page of a cluster, the largest cluster first, or with --pairs a row
/// i,j,distance for each pair of pages that are near, or with --query a row query,node,distance for each
/// page that is near one of the queries, the nearest first.
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
    /// Write the pages near this fingerprint (16 hexadecimal digits, or fewer behind 0x), or near the page of
    /// this name (can be repeated); queries are numbered from 0
    #[arg(
        long,
        value_name = "FINGERPRINT|NAME",
        conflicts_with_all = ["pairs", "merge"],
        help_heading = "Output"
    )]
    query: Vec<String>,
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
    /// With --merge: print what was made as JSON
    #[arg(long, requires = "merge", help_heading = "Output")]
    json: bool,
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
    let pages = Pages::open(&args.graph, global)?;
    phases.done("load");
    let progress = global.progress();
    if !args.query.is_empty() {
        let rows = Rows::Near(pages.near(&args.query, args.distance)?);
        drop(progress);
        phases.done("compare");
        let report = DuplicatesReport {
            counts: pages.counts(),
            distance: args.distance,
            pages,
            rows,
            phases,
        };
        return report.write(output, &OutputArgs::all(), global);
    }
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
    let of_node = of_node + NearDuplicates::BYTES_OF_NODE;
    let needed = Size::of(&graph).weighted_bytes(of_node, 2 * of_arc + 8);
    global.admit("duplicates", needed)?;
    let progress = global.progress();
    let n = graph.num_nodes();
    let clusters =
        NearDuplicates::of(&fingerprints, true)?.clusters(args.distance, progress.as_ref())?;
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
    let (nodes, arcs) = (merged.nodes.len(), merged.successors.num_arcs());
    let before = graph.num_arcs();
    let json = || {
        json!({
            "graph": output,
            "nodes": nodes,
            "arcs": arcs,
            "nodes_before": n,
            "arcs_before": before,
        })
    };
    global.account(output, args.json.then(json), |out| {
        let path = output.to_string_lossy();
        let (nodes, arcs) = (counted(nodes, "node"), counted(arcs, "arc"));
        let (n, before) = (counted(n, "node"), counted(before, "arc"));
        writeln!(
            out,
            "{}: {nodes}, {arcs}; {n} and {before} before",
            visible(&path)
        )
    })
}

enum Rows {
    Clusters(Clusters),
    Pairs(Vec<NearPair>),
    Near(Vec<(u32, Node, u32)>),
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
fn counts<'a>(name: &'static str, entry: impl Fn(usize) -> u32 + Sync + 'a) -> NamedColumn<'a> {
    NamedColumn::new(name, Cells::Counts(Box::new(entry)))
}

impl DuplicatesReport {
    /// The names of the nodes in rows, if there are names.
    fn names<'a>(&'a self, node: impl Fn(usize) -> Node + Sync + 'a) -> Option<NamedColumn<'a>> {
        let names = self.pages.names()?;
        let name = move |row: usize| names.get(node(row));
        Some(NamedColumn::new("name", Cells::Names(Box::new(name))))
    }
}

impl Reported for DuplicatesReport {
    fn summary(&self) -> String {
        let (pages, distinct) = self.counts;
        let found = match &self.rows {
            Rows::Pairs(pairs) => counted(pairs.len(), "pair"),
            Rows::Near(near) => counted(near.len(), "page"),
            Rows::Clusters(clusters) => {
                format!(
                    "{} in {}",
                    counted(clusters.num_nodes(), "page"),
                    counted(clusters.len(), "cluster")
                )
            }
        };
        let distance = self.distance;
        format!(
            "{found} at a distance of at most {distance}; {}, {distinct} different\n",
            counted(pages, "fingerprint")
        )
    }

    fn shown(&self, _: usize) -> String {
        String::new()
    }

    fn columns(&self, _: &OutputArgs) -> ColumnTable<'_> {
        match &self.rows {
            Rows::Pairs(pairs) => ColumnTable {
                rows: pairs.len(),
                fields: vec![
                    counts("i", |row| pairs[row].first),
                    counts("j", |row| pairs[row].second),
                    counts("distance", |row| pairs[row].distance),
                ],
            },
            Rows::Near(near) => {
                let mut fields = vec![
                    counts("query", |row| near[row].0),
                    counts("node", |row| near[row].1),
                    counts("distance", |row| near[row].2),
                ];
                fields.extend(self.names(|row| near[row].1));
                ColumnTable {
                    rows: near.len(),
                    fields,
                }
            }
            Rows::Clusters(clusters) => {
                let node = |row: usize| -> Node { clusters.row(row).1 };
                let mut fields = vec![
                    counts("cluster", |row| clusters.row(row).0),
                    counts("node", node),
                ];
                fields.extend(self.names(node));
                ColumnTable {
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
                    .map(|(path, found)| {
                        (path.to_string_lossy().into_owned(), FileEntry::new(found))
                    })
                    .collect();
                Ok(manifest)
            }
        }
    }

    fn phases(&self) -> &Phases {
        &self.phases
    }
}
