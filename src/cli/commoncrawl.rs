//! `rank commoncrawl`.

use super::shared::distance_method::{MethodArgs, SampleArgs};
use super::shared::unfinished::Unfinished;
use flate2::write::GzEncoder;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use webrank::{Graph, Harmonic, Limits, Measure, PageRank};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::output::{PendingFile, publish};
use webrank_base::phases::Phases;
use webrank_base::progress::Progress;
use webrank_distances::geometric::Geometric;
use webrank_formats::import;
use webrank_formats::import::{ImportFiles, ImportOptions};
use webrank_graph::Csr;
use webrank_graph::Size;
use webrank_graph::bow_tie;
use webrank_graph::bow_tie::Partition;
use webrank_graph::bundle::{BundleOptions, Entry};
use webrank_graph::components::StrongComponents;
use webrank_scores::Scores;
use webrank_scores::manifest::{Manifest, path_beside};
use webrank_scores::ranked::Ranked;
use webrank_tables::table::{Column, Table};
use webrank_tables::text::records::Records;
use webrank_tables::write::{Format, write as write_table, write_compressed};
use webrank_terminal::input_format::told;
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
    let harmonic = harmonic
        .method(args.harmonic.method)
        .precision(args.sample.precision()?)
        .temp(temp.unwrap_or_else(|| output.clone()));
    let folder = Unfinished::begin(output)?;
    let bundle = BundleOptions {
        replace: folder.is_taken_over,
        ..BundleOptions::default()
    };
    match fill(args, bundle, pagerank, harmonic, global) {
        Ok(()) => folder.finish(),
        Err(problem) => {
            folder.give_up();
            Err(problem)
        }
    }
}

/// Makes the graph, and then everything else, in the folder.
fn fill(
    args: &Args,
    bundle: BundleOptions,
    pagerank: PageRank,
    harmonic: Geometric,
    global: &Global,
) -> Result<()> {
    let output = &args.output;
    let progress = global.progress();
    let graph = import_release(args, bundle, global, progress.as_ref())?;
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
    let release = Release {
        graph: &graph,
        harmonic: &harmonic,
        pagerank: &pagerank,
        hosts,
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
    publish(files)
}

fn import_release(
    args: &Args,
    options_of_bundle: BundleOptions,
    global: &Global,
    progress: &dyn Progress,
) -> Result<Graph> {
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
    Graph::open(&bundle)
}

fn ranked<M: Measure>(
    measure: &M,
    graph: &Graph,
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<Ranked> {
    Global::log_memory(M::ABOUT.name, &measure.taken(graph, limits)?);
    measure.compute(graph, limits, progress)?.converged()
}

/// What the names of a release's files start with.
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

/// A graph with its ranks.
struct Release<'a> {
    graph: &'a Graph,
    harmonic: &'a Ranked,
    pagerank: &'a Ranked,
    hosts: Option<Vec<u32>>,
}

impl Release<'_> {
    /// The ranks as text and as Parquet, and the manifest of the latter.
    fn tables(&self, text: &Path, columns: &Path) -> Result<Vec<PendingFile>> {
        let mut ranks = PendingFile::create(text)?;
        let encoder = GzEncoder::new(&mut ranks, flate2::Compression::default());
        let mut out = BufWriter::with_capacity(1 << 16, encoder);
        let written = self.write_ranks(&mut out).and_then(|()| {
            let encoder = out.into_inner().map_err(|problem| problem.into_error())?;
            encoder.finish().map(drop)
        });
        written.map_err(|source| Error::io(text, "cannot write", source))?;
        let mut table = PendingFile::create(columns)?;
        let mut manifest = self.manifest()?;
        let inside = manifest.of_scores();
        let of_table = self.table().into_columns();
        write_table(&of_table, Format::Parquet, Some(&inside), &mut table)
            .map_err(|source| Error::io(columns, "cannot write", source))?;
        let beside = path_beside(columns);
        manifest.describe(columns, Entry::new(table.checksum()));
        let mut file = PendingFile::beside(&beside, columns)?;
        let written = file.write_all(manifest.text().as_bytes());
        written.map_err(|source| Error::io(&beside, "cannot write", source))?;
        Ok(vec![ranks, table, file])
    }

    /// The ranks in Common Crawl's layout. Positions go from 1 to the number of nodes: of nodes that
    /// tie, the one with the smaller number comes first.
    fn write_ranks(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let mut positions = vec![0; self.graph.num_nodes()];
        for (position, &node) in (1u32..).zip(self.pagerank.ranking().order()) {
            positions[node as usize] = position;
        }
        let (harmonic, pagerank) = (self.harmonic.values(), self.pagerank.values());
        write!(
            out,
            "#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#host_rev"
        )?;
        writeln!(
            out,
            "{}",
            if self.hosts.is_some() {
                "\t#n_hosts"
            } else {
                ""
            }
        )?;
        for (position, &node) in (1u32..).zip(self.harmonic.ranking().order()) {
            let place = node as usize;
            let (centrality, score) = (java_double(harmonic[place]), java_double(pagerank[place]));
            let (pr_pos, name) = (positions[place], self.graph.name(node));
            write!(out, "{position}\t{centrality}\t{pr_pos}\t{score}\t{name}")?;
            match &self.hosts {
                Some(hosts) => writeln!(out, "\t{}", hosts[place])?,
                None => writeln!(out)?,
            }
        }
        Ok(())
    }

    fn table(&self) -> Table<'_> {
        fn ranks(ranked: &Ranked) -> Column<'_> {
            Column::Counts(ranked.ranking().ranks())
        }
        let mut columns = vec![
            ("harmonic", Column::Numbers(self.harmonic.values())),
            ("harmonic_rank", ranks(self.harmonic)),
            ("pagerank", Column::Numbers(self.pagerank.values())),
            ("pagerank_rank", ranks(self.pagerank)),
        ];
        let intervals = self.harmonic.intervals().zip(self.harmonic.rank_ranges());
        if let Some((intervals, ranks)) = intervals {
            columns.extend([
                ("harmonic_lower", Column::Numbers(&intervals.lower)),
                ("harmonic_upper", Column::Numbers(&intervals.upper)),
                ("harmonic_rank_from", Column::Counts(&ranks.from)),
                ("harmonic_rank_to", Column::Counts(&ranks.to)),
            ]);
        }
        if let Some(certainty) = self.pagerank.certainty() {
            columns.push(("pagerank_certain", Column::Flags(certainty.certain())));
        }
        if let Some(hosts) = &self.hosts {
            columns.push(("n_hosts", Column::Counts(hosts)));
        }
        Table {
            nodes: None,
            num_nodes: self.graph.num_nodes(),
            names: self.graph.names(),
            columns: columns
                .into_iter()
                .map(|(header, column)| (header.into(), column))
                .collect(),
        }
    }

    fn manifest(&self) -> Result<Manifest> {
        let run = |ranked: &'_ Ranked| -> Scores { ranked.columns()[0].1.clone() };
        let (harmonic, pagerank) = (run(self.harmonic).run, run(self.pagerank).run);
        let notes: Vec<String> = [self.harmonic.notes(), self.pagerank.notes()].concat();
        let columns = [("harmonic", &harmonic), ("pagerank", &pagerank)];
        let mut manifest = Manifest::of(self.graph, columns, &notes, &Phases::start())?;
        let claim = self.harmonic.intervals().map(|intervals| intervals.claim);
        let claims = claim.map(|claim| ("harmonic".to_owned(), claim));
        manifest.intervals = claims.into_iter().collect();
        Ok(manifest)
    }
}

/// A number as Java writes it: Common Crawl's files come from Java.
fn java_double(value: f64) -> String {
    if value == 0.0 || (1e-3..1e7).contains(&value.abs()) {
        return format!("{value:?}");
    }
    let text = format!("{value:E}");
    match text.split_once('E') {
        Some((digits, exponent)) if !digits.contains('.') => format!("{digits}.0E{exponent}"),
        _ => text,
    }
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
    fn numbers_are_written_as_java_writes_them() {
        for (value, text) in [
            (0.0, "0.0"),
            (1.0, "1.0"),
            (0.001, "0.001"),
            (0.0005, "5.0E-4"),
            (1234567.25, "1234567.25"),
            (2.7541256e7, "2.7541256E7"),
            (1e7, "1.0E7"),
            (1.5e-9, "1.5E-9"),
        ] {
            assert_eq!(java_double(value), text);
        }
    }

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
