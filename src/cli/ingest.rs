//! `rank ingest`.

use super::fold::{To, folded};
use super::shared::bundle_args::BundleArgs;
use super::shared::options::{Global, write_lines};
use super::shared::reading::told;
use bytesize::ByteSize;
use std::path::PathBuf;
use webrank::internals::crawl::ingest::{self, Counts, IngestOptions, Ingested, Nofollow, Targets};
use webrank::internals::crawl::sieve::{Account, SieveKind};
use webrank::internals::error::Result;
use webrank::internals::graph::import::{Fold, ImportOptions};
use webrank::internals::visible::visible;

/// Make a graph of a crawl: of WARC and WAT files, or of folders of HTML
///
/// Pages of HTML with status 200 become nodes, named by their URLs without fragments; of several with
/// one URL, the first counts. Links become arcs: a, area, link rel=canonical (with href) and meta
/// refresh. base is heeded, and redirects are followed: an arc leads where the chain ends.
///
/// ARCHIVE is a WARC or WAT file, plain or compressed (gzip, zstd, bzip2, xz), a folder of HTML, or -
/// for standard input. Pages of folders (.html, .htm, .xhtml, .xht) are named by --base and their
/// paths; links to folders lead to their index.html, and queries do not count where no file has them.
///
/// Damaged records are left out and counted. Pages may be compressed in any way that browsers
/// understand, and are in any encoding. URLs of more than 8192 bytes are left out. Links wait in
/// temporary files; memory holds 40 bytes a page, the redirects, and what 'rank import' holds.
///
/// The bundle's manifest says from what the graph was made: checksums, and numbers of what was found.
#[derive(clap::Args)]
pub struct Args {
    /// WARC or WAT files, folders of HTML, or - for standard input
    #[arg(required = true, value_name = "ARCHIVE")]
    archives: Vec<PathBuf>,
    /// The bundle to write, such as web.bv
    #[arg(short, long, value_name = "BUNDLE")]
    output: PathBuf,
    /// What arcs may lead to
    #[arg(long, value_enum, default_value_t, help_heading = "Crawl")]
    targets: Targets,
    /// What becomes of links with rel=nofollow, and of those of pages whose robots are not to follow
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
    /// Cut pages at this size
    #[arg(
        long,
        default_value = "16MiB",
        value_name = "SIZE",
        help_heading = "Crawl"
    )]
    max_page: ByteSize,
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
            max_page: self.max_page.as_u64(),
            base: self.base.clone(),
            fold: to.map(|to| -> Fold { Box::new(move |name| folded(name, to, false)) }),
            import: self.bundle.import(ImportOptions::default())?,
        })
    }
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let options = args.options()?;
    let progress = global.progress();
    let made = ingest::ingest(
        &args.archives,
        options,
        &args.output,
        args.bundle.bundle(),
        progress.as_ref(),
    )?;
    drop(progress);
    if global.quiet {
        return Ok(());
    }
    let Ingested {
        graph,
        counts,
        sieve,
    } = made;
    write_lines(|out| {
        let output = args.output.to_string_lossy();
        writeln!(out, "{}: {}", visible(&output), told(&graph))?;
        writeln!(out, "{}", found(&counts))?;
        writeln!(out, "{}", followed(&counts))?;
        writeln!(out, "{}", sifted(args.sieve, &sieve))
    })
}

/// Parts of a line, with those that are zero left out.
pub fn parts(first: String, others: &[(u64, &str)]) -> String {
    let others = others.iter().filter(|(count, _)| *count > 0);
    let others = others.map(|(count, what)| format!("; {count} {what}"));
    first + &others.collect::<String>()
}

/// What was found in the archives.
fn found(counts: &Counts) -> String {
    let first = format!(
        "{} records ({}): {} pages",
        counts.records,
        ByteSize::b(counts.bytes),
        counts.pages
    );
    parts(
        first,
        &[
            (counts.pages_again, "pages again"),
            (counts.redirects, "redirects"),
            (counts.not_ok, "with another status than 200"),
            (counts.not_html, "not HTML"),
            (counts.pages_cut, "pages cut at --max-page"),
            (counts.bodies_broken, "pages that end early"),
            (counts.unusable_urls, "without a URL that names can be"),
            (counts.unreadable, "that cannot be parsed"),
            (counts.damaged, "damaged and left out"),
        ],
    )
}

/// What became of the links.
fn followed(counts: &Counts) -> String {
    parts(
        format!("{} links", counts.links),
        &[
            (counts.nofollow, "with nofollow"),
            (counts.links_elsewhere, "to something else than pages"),
            (counts.links_wrong, "that are no URL"),
            (counts.links_long, "with a URL that is too long"),
            (counts.links_beyond, "beyond 16 MiB of a page"),
            (counts.links_in_circles, "redirected in circles"),
            (counts.links_not_crawled, "to pages that were not fetched"),
        ],
    )
}

/// What the sieve did, and what it may have lost.
fn sifted(kind: SieveKind, account: &Account) -> String {
    let lost = match kind {
        SieveKind::Offline => "exact".to_owned(),
        SieveKind::Bloom => format!("about {:.1} pages lost", account.lost),
        SieveKind::Memory | SieveKind::Mercator | SieveKind::Store => {
            format!(
                "a page is lost with probability {:.1e} at most",
                account.lost
            )
        }
    };
    format!(
        "sieve: {} URLs taken, {} given; {lost}",
        account.taken, account.given
    )
}
