//! `rank ingest`.

use super::goal::GoalArgs;
use crate::ingest;
use crate::ingest::{IngestCheckpoint, IngestCounts, IngestOptions, Ingested, Nofollow, Targets};
use crate::near::{MAX_DISTANCE, Signals, TermWeights, TextUnit};
use crate::sieve::{SieveKind, SieveStats};
use bytesize::ByteSize;
use serde_json::json;
use std::path::PathBuf;
use std::time::Duration;
use webrank_base::error::Result;
use webrank_base::limits::duration;
use webrank_base::memory::{admit, allowed_memory};
use webrank_base::units::counted;
use webrank_base::visible::visible;
use webrank_formats::import::{Fold, ImportOptions, least_memory};
use webrank_terminal::Tool;
use webrank_terminal::bundle_args::BundleArgs;
use webrank_terminal::hosts::{To, folded};
use webrank_terminal::input_format::{made, told};
use webrank_terminal::options::Global;
use webrank_terminal::tool::GROWS;

/// Make a graph of a crawl: of WARC, WAT and ARC files, or of folders of HTML
///
/// Pages of HTML with status 200 become nodes, named by their URLs without fragments; of several with
/// one URL, the first counts. Links become arcs: a, area, link rel=canonical (with href) and meta
/// refresh. base is heeded, and redirects are followed: an arc leads where the chain ends.
///
/// ARCHIVE is a WARC or WAT file, or an ARC file of the years before (version 1 or 2), plain or
/// compressed (gzip, zstd, bzip2, xz), a folder of HTML, or - for standard input. Pages of folders (.html, .htm, .xhtml, .xht) are named by --base and their
/// paths; links to folders lead to their index.html, and queries do not count where no file has them.
///
/// Damaged records are left out and counted; -v says where the first ones of each archive are. Pages may be compressed in any way that browsers
/// understand, and are in any encoding. URLs of more than 8192 bytes are left out. Links wait in
/// temporary files; memory holds 40 bytes a page, the redirects, and what 'rank import' holds; with
/// --fingerprints 16 bytes a page more, and with --merge-duplicates 70 bytes a page while pages are
/// compared, and about 150 for each that is like another; with --merge-copies 36 instead of 70.
///
/// --fingerprints writes fingerprints.u64, from which 'rank duplicates' finds pages that are nearly the
/// same. --merge-duplicates makes one node of such pages, and --merge-copies of those with the same bytes,
/// decompressed: named by the page that most of the others name by link rel=canonical, or else by the oldest (WARC-Date), or else by the first. The node has the
/// links of all of them, but those between them; merged.tsv in the bundle names the other pages and
/// their nodes.
///
/// --text writes pages.jsonl.zst: a line {"node":0,"title":"...","text":"...","anchors":["..."]} for
/// each node that has any of them. anchors are the texts of links from other nodes, in the order of the
/// names of these (with --order given, as nodes are met). A title is cut at 64 KiB, a text at 1 MiB, and
/// all anchors of a node at 64 KiB. Scripts, styles and markup are left out.
///
/// The bundle's manifest says from what the graph was made: checksums, and numbers of what was found.
#[derive(clap::Args)]
pub struct Args {
    /// WARC, WAT or ARC files, folders of HTML, or - for standard input
    #[arg(required = true, value_name = "ARCHIVE")]
    archives: Vec<PathBuf>,
    /// The bundle to write, such as web.bv
    #[arg(short, long, value_name = "BUNDLE")]
    output: PathBuf,
    /// Print what was made as JSON
    #[arg(long)]
    json: bool,
    /// The pages that arcs may lead to
    #[arg(long, value_enum, default_value_t, help_heading = "Crawl")]
    targets: Targets,
    /// Treatment of links with rel=nofollow, and of links on pages that tell robots not to follow
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "HOW",
        help_heading = "Crawl"
    )]
    nofollow: Nofollow,
    /// Make a graph of hosts at once, as 'rank fold --to hosts' would
    #[arg(long, conflicts_with = "domains", help_heading = "Crawl")]
    hosts: bool,
    /// Make a graph of domains at once, as 'rank fold --to domains' would
    #[arg(long, help_heading = "Crawl")]
    domains: bool,
    /// The URL of folders of HTML
    #[arg(
        long,
        default_value = "file:///",
        value_name = "URL",
        help_heading = "Crawl"
    )]
    base: String,
    /// How pages that were there already are found; all but bloom make the same graph
    #[arg(long, value_enum, default_value_t, help_heading = "Crawl")]
    sieve: SieveKind,
    #[command(flatten)]
    goal: GoalArgs,
    /// Keep fingerprints of the texts of pages (SimHash); the manifest names their signals, bits and weights
    #[arg(long, conflicts_with_all = ["hosts", "domains"], help_heading = "Texts")]
    fingerprints: bool,
    /// The signals of fingerprints: words=N or characters=N, N at a time, up to 16
    #[arg(
        long,
        default_value = "words=3",
        value_name = "UNIT=N",
        help_heading = "Texts"
    )]
    signals: TextUnit,
    /// The bits of fingerprints, 8 to 64: the lowest ones of the 64. With --merge-duplicates, --distance
    /// bounds them: up to 4 with 32 bits, up to 14 with 64
    #[arg(
        long,
        default_value_t = 64,
        value_name = "B",
        value_parser = clap::value_parser!(u32).range(8..=64),
        help_heading = "Texts"
    )]
    bits: u32,
    /// How much words or characters count that occur several times
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "HOW",
        help_heading = "Texts"
    )]
    weights: TermWeights,
    /// Make one node of pages with the same bytes
    #[arg(long, conflicts_with_all = ["hosts", "domains", "merge_duplicates"], help_heading = "Texts")]
    merge_copies: bool,
    /// Make one node of pages that are nearly the same
    #[arg(long, conflicts_with_all = ["hosts", "domains"], help_heading = "Texts")]
    merge_duplicates: bool,
    /// With --merge-duplicates: in how many bits of their fingerprints near pages differ at most
    #[arg(
        long,
        default_value_t = 3,
        value_name = "K",
        requires = "merge_duplicates",
        value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_DISTANCE)),
        help_heading = "Texts"
    )]
    distance: u32,
    /// Keep titles and texts of pages, and the texts of the links to them
    #[arg(long, conflicts_with_all = ["hosts", "domains"], help_heading = "Texts")]
    text: bool,
    /// Cut pages at this size
    #[arg(
        long,
        default_value = "16MiB",
        value_name = "SIZE",
        help_heading = "Crawl"
    )]
    max_page: ByteSize,
    /// Save the pages that were read in FOLDER, from time to time. After a kill, the same command resumes
    /// there and makes the same graph. FOLDER is removed when the bundle is written, and refused if it
    /// belongs to other sources or options
    #[arg(long, value_name = "FOLDER", help_heading = "Checkpoint")]
    checkpoint: Option<PathBuf>,
    /// How often that is, such as 90s, 5m, 2h
    #[arg(
        long,
        value_name = "TIME",
        default_value = "1m",
        value_parser = duration,
        requires = "checkpoint",
        help_heading = "Checkpoint"
    )]
    checkpoint_every: Duration,
    #[command(flatten)]
    bundle: BundleArgs,
}

impl Args {
    fn options(&self) -> Result<IngestOptions> {
        let to = match (self.hosts, self.domains) {
            (true, _) => Some(To::Hosts),
            (_, true) => Some(To::Domains),
            _ => None,
        };
        Ok(IngestOptions {
            targets: self.targets,
            nofollow: self.nofollow,
            sieve: self.sieve,
            goal: self.goal.goal(),
            max_page: self.max_page.as_u64(),
            base: self.base.clone(),
            fingerprints: self.fingerprints,
            signals: Signals {
                unit: self.signals,
                bits: self.bits,
                weights: self.weights,
            },
            merge_duplicates: self.merge_duplicates.then_some(self.distance),
            merge_copies: self.merge_copies,
            text: self.text,
            checkpoint: self.checkpoint.clone().map(|folder| IngestCheckpoint {
                folder,
                every: self.checkpoint_every,
            }),
            fold: to.map(|to| -> Fold { Box::new(move |name| folded(name, to, false)) }),
            import: self.bundle.import(ImportOptions::default())?,
        })
    }
}

impl Tool for Args {
    const NAME: &'static str = "ingest";

    const WITHOUT_PLAN: Option<&'static str> = Some(GROWS);

    fn run(&self, global: &Global) -> Result<()> {
        run(self, global)
    }
}

fn run(args: &Args, global: &Global) -> Result<()> {
    let options = args.options()?;
    admit("ingest", least_memory(), allowed_memory())?;
    let progress = global.progress();
    let ingested = ingest::ingest(
        &args.archives,
        options,
        &args.output,
        args.bundle.bundle(),
        progress.as_ref(),
    )?;
    drop(progress);
    let json = || {
        let mut json = made(&ingested.graph, &args.output);
        json["counts"] = json!(ingested.counts);
        json["sieve"] = json!(ingested.sieve);
        json
    };
    let Ingested {
        graph,
        counts,
        sieve,
    } = &ingested;
    global.account(&args.output, args.json.then(json), |out| {
        let output = args.output.to_string_lossy();
        writeln!(out, "{}: {}", visible(&output), told(graph))?;
        writeln!(out, "{}", found(counts))?;
        writeln!(out, "{}", followed(counts))?;
        writeln!(out, "{}", sifted(args.sieve, sieve))
    })
}

/// Parts of a line, with those that are zero left out.
pub fn parts(first: String, others: &[(u64, &str)]) -> String {
    let others = others.iter().filter(|(count, _)| *count > 0);
    let others = others.map(|(count, what)| match count {
        1 => format!("; 1 {}", singular(what)),
        _ => format!("; {count} {what}"),
    });
    first + &others.collect::<String>()
}

/// Words about several, as they are about one.
fn singular(what: &str) -> String {
    const WORDS: [(&str, &str); 8] = [
        ("pages", "page"),
        ("redirects", "redirect"),
        ("URLs", "URL"),
        ("copies of other pages", "copy of another page"),
        ("hosts do", "host does"),
        ("that hold", "that holds"),
        ("that are", "that is"),
        ("to pages that were", "to a page that was"),
    ];
    let begins = |(many, _): &&(&str, &str)| what.starts_with(many);
    let one = WORDS.iter().find(begins).map_or_else(
        || what.to_owned(),
        |(many, one)| what.replacen(many, one, 1),
    );
    one.replace("that end ", "that ends ")
}

/// A share, as `12.3%`.
pub fn percent(part: u64, whole: u64) -> String {
    format!("{:.1}%", 100.0 * part as f64 / whole.max(1) as f64)
}

/// The records of the archives.
fn found(counts: &IngestCounts) -> String {
    let first = format!(
        "{} ({}): {}",
        counted(counts.records, "record"),
        ByteSize::b(counts.bytes),
        counted(counts.pages, "page")
    );
    parts(
        first,
        &[
            (counts.pages_again, "pages again"),
            (
                counts.pages_merged,
                "merged with pages that are nearly the same",
            ),
            (counts.pages_copied, "merged with pages of the same bytes"),
            (counts.redirects, "redirects"),
            (counts.not_ok, "with another status than 200"),
            (counts.not_html, "not HTML"),
            (counts.no_response, "that hold no response of http"),
            (counts.pages_cut, "pages cut at --max-page"),
            (counts.bodies_broken, "pages that end early"),
            (counts.unusable_urls, "without a URL that names can be"),
            (counts.unreadable, "that cannot be parsed"),
            (counts.damaged, "damaged and left out"),
        ],
    )
}

/// The outcomes of the links.
fn followed(counts: &IngestCounts) -> String {
    parts(
        counted(counts.links, "link"),
        &[
            (counts.nofollow, "with nofollow"),
            (counts.links_elsewhere, "to something else than pages"),
            (counts.links_wrong, "that are no URL"),
            (counts.links_long, "with a URL that is too long"),
            (counts.links_beyond, "beyond 16 MiB of a page"),
            (counts.links_in_circles, "redirected in circles"),
            (counts.links_too_far, "redirected more than 20 times"),
            (counts.links_merged, "within merged pages"),
            (counts.links_not_crawled, "to pages that were not fetched"),
        ],
    )
}

/// The numbers of the sieve, and its possible losses.
fn sifted(kind: SieveKind, account: &SieveStats) -> String {
    let lost = match kind {
        SieveKind::Offline => "exact".to_owned(),
        SieveKind::Bloom => format!("about {:.1} pages lost", account.lost),
        SieveKind::Memory | SieveKind::Mercator | SieveKind::Store | SieveKind::Lsm => {
            format!(
                "a page is lost with probability {:.1e} at most",
                account.lost
            )
        }
    };
    let found = percent(account.found, account.taken);
    format!(
        "sieve: {} taken ({found} found in the cache), {} given; {lost}",
        counted(account.taken, "URL"),
        account.given
    )
}
