//! `rank crawl`.

mod agents;
mod summary;

use self::agents::AgentsArgs;
use self::summary::{came, ended, exchanged, followed, forbidden, made};
use super::goal::GoalArgs;
use crate::crawler::{
    Budget, Copies, CrawlOptions, Identity, MOST_BITS, Overrides, Patience, Priority, Scope,
    TlsRoots, crawl, read_seed,
};
use crate::ingest::Nofollow;
use crate::sieve::SieveKind;
use bytesize::ByteSize;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;
use webrank_base::error::{Error, Result};
use webrank_base::limits::duration;
use webrank_base::progress::Progress;
use webrank_base::visible::visible;
use webrank_terminal::Tool;
use webrank_terminal::options::Global;
use webrank_terminal::signals;
use webrank_terminal::tool::GROWS;

/// Crawl small parts of the web politely, into WARC files for 'rank ingest'
///
/// SEEDS are URLs, or files with a URL a line. Links are followed on the hosts and ports of the seeds
/// (the usual ports of http and https count as one), and on those to which seeds redirect; --within and
/// --everywhere allow more. Each URL is asked for once, by
/// --priority within its host. Only pages of HTML are kept, and redirects and errors without their bodies.
///
/// Each host and each IP address has at most one connection at a time, with a delay after each request:
/// the longest of --delay, --delay-factor times the request, and the delay that robots.txt asks for. robots.txt is heeded (RFC 9309): none allows everything, one that cannot
/// be reached to its end forbids everything, and URLs of its host are set aside until the next run. --contact tells
/// the owners of hosts whom they can write to. No cookies are sent, and no proxies are used. Names that
/// lead to a local network are refused, but for seeds, at their ports, and --resolve.
///
/// The folder holds crawl-00000.warc.gz and so on, and the state of the crawl in 'state'. To resume a
/// crawl that a budget, Ctrl-C or a kill has ended, run the same command again; --pages, --bytes and
/// --time may be larger. Other values of --sieve, --priority, --copies, --depth, --hosts, --host-pages and
/// --links are refused. Only requests in progress are repeated. Ctrl-C waits for them; a second Ctrl-C does not. Budgets count from the first run on,
/// except --time.
///
/// With --agents, several processes divide the hosts, each with a folder of its own. An agent that was killed
/// goes on when it is started again; no page is stored twice, and none is lost. Budgets count for each agent.
///
/// Memory holds 160 MiB, 300 bytes per host, and for each fetcher three pages and at most 16 MiB of
/// links; URLs wait on disk.
#[derive(clap::Args)]
pub struct Args {
    /// URLs to begin with, or files with one URL per line
    #[arg(required = true, value_name = "SEEDS")]
    seeds: Vec<String>,
    /// The folder to write, or to go on in
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,
    /// Print what was made as JSON
    #[arg(long)]
    json: bool,
    /// Where the owners of hosts can write to: a page or a mail address
    #[arg(long, value_name = "URL|MAIL", help_heading = "Crawl")]
    contact: String,
    /// Name of the crawler; robots.txt matches the part before the /
    #[arg(long, default_value = concat!("webrank/", env!("CARGO_PKG_VERSION")), value_name = "NAME", help_heading = "Crawl")]
    user_agent: String,
    /// Follow links to this domain and all below it, too (can be repeated)
    #[arg(long, value_name = "DOMAIN", help_heading = "Crawl")]
    within: Vec<String>,
    /// Which URL of a host comes first: breadth (fewest links from a seed), short (shortest), offsite
    /// (met on another host), words=A,B (most of these words in it)
    #[arg(
        long,
        default_value = "breadth",
        value_name = "HOW",
        help_heading = "Crawl"
    )]
    priority: Priority,
    /// Follow links to all hosts
    #[arg(long, help_heading = "Crawl")]
    everywhere: bool,
    /// Pages whose links are not followed: those with the same bytes as an earlier page (exact), or also
    /// those with nearly the same text (near)
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "WHICH",
        help_heading = "Crawl"
    )]
    copies: Which,
    /// With --copies near: in how many bits of their fingerprints such pages differ at most, up to 7
    /// [default: 3]
    #[arg(
        long,
        value_name = "K",
        requires = "copies",
        value_parser = clap::value_parser!(u32).range(0..=i64::from(MOST_BITS)),
        help_heading = "Crawl"
    )]
    distance: Option<u32>,
    /// Treatment of links with rel=nofollow, and of links on pages that tell robots not to follow
    #[arg(
        long,
        value_enum,
        default_value = "drop",
        value_name = "HOW",
        help_heading = "Crawl"
    )]
    nofollow: Nofollow,
    /// How URLs that were seen already are found
    #[arg(long, value_enum, default_value_t, help_heading = "Crawl")]
    sieve: SieveKind,
    #[command(flatten)]
    goal: GoalArgs,
    /// Cut pages at this size
    #[arg(
        long,
        default_value = "4MiB",
        value_name = "SIZE",
        help_heading = "Crawl"
    )]
    max_page: ByteSize,
    /// Begin another file once one has this size
    #[arg(
        long,
        default_value = "1GB",
        value_name = "SIZE",
        help_heading = "Crawl"
    )]
    warc_size: ByteSize,
    /// A host is at this address (and port), whatever its name says (can be repeated)
    #[arg(long, value_name = "HOST:ADDRESS[:PORT]", help_heading = "Crawl")]
    resolve: Vec<String>,
    /// Trust these authorities (certificates in PEM) with https, instead of those of the web
    #[arg(long, value_name = "FILE", help_heading = "Crawl")]
    ca_file: Option<PathBuf>,
    #[command(flatten)]
    patience: PatienceArgs,
    #[command(flatten)]
    budget: BudgetArgs,
    #[command(flatten)]
    agents: AgentsArgs,
}

/// Pages whose links are not followed.
#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
enum Which {
    /// None: all links are followed
    #[default]
    Follow,
    /// Pages with the same bytes
    Exact,
    /// Pages with nearly the same text, too
    Near,
}

/// How the crawler waits.
#[derive(clap::Args)]
#[command(next_help_heading = "Politeness")]
struct PatienceArgs {
    /// Rest of a host between two requests
    #[arg(long, default_value = "1s", value_name = "TIME", value_parser = milliseconds)]
    delay: Duration,
    /// Rest of an address, which may be that of several hosts
    #[arg(long, default_value = "500ms", value_name = "TIME", value_parser = milliseconds)]
    ip_delay: Duration,
    /// Rest of a host and an address: so many times as long as the last request took, if that is longer
    #[arg(long, default_value_t = 1.0, value_name = "K")]
    delay_factor: f64,
    /// The longest rest that robots.txt can ask for
    #[arg(long, default_value = "60s", value_name = "TIME", value_parser = duration)]
    max_crawl_delay: Duration,
    /// Ask a host for one page after the other on one connection, until this time is used; 0s is a
    /// connection for each. --delay-factor is that of the time used
    #[arg(long, default_value = "0s", value_name = "TIME", value_parser = milliseconds)]
    slot: Duration,
    /// Requests at a time, each to another host and address
    #[arg(long, default_value_t = 16, value_name = "N")]
    fetchers: usize,
    /// Give up a connection after this time
    #[arg(long, default_value = "10s", value_name = "TIME", value_parser = duration)]
    connect_timeout: Duration,
    /// Give up a request after this time; of a page, what has come by then is kept
    #[arg(long, default_value = "30s", value_name = "TIME", value_parser = duration)]
    timeout: Duration,
}

/// When the crawl ends.
#[derive(clap::Args)]
#[command(next_help_heading = "Stop")]
struct BudgetArgs {
    /// Ask for at most so many URLs
    #[arg(long, default_value_t = 100_000, value_name = "N")]
    pages: u64,
    /// Follow at most so many links from a seed
    #[arg(long, default_value_t = 64, value_name = "N")]
    depth: u32,
    /// Ask at most so many hosts for pages
    #[arg(long, default_value_t = 10_000, value_name = "N")]
    hosts: u64,
    /// Ask each host for at most so many URLs
    #[arg(long, value_name = "N")]
    host_pages: Option<u64>,
    /// Follow at most so many links of a page, the first ones
    #[arg(long, value_name = "N")]
    links: Option<u64>,
    /// End once so many bytes of bodies have come
    #[arg(long, default_value = "16GB", value_name = "SIZE")]
    bytes: ByteSize,
    /// End after this time
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,
}

/// Reads times that are often shorter than a second, such as 500ms.
fn milliseconds(text: &str) -> Result<Duration, String> {
    match text.strip_suffix("ms").map(str::parse) {
        Some(Ok(number)) => Ok(Duration::from_millis(number)),
        Some(Err(_)) => Err("write a whole number of milliseconds, such as 500ms".into()),
        None => duration(text),
    }
}

impl Args {
    fn options(&self) -> Result<CrawlOptions> {
        let (patience, budget) = (&self.patience, &self.budget);
        if let (Some(distance), Which::Follow | Which::Exact) = (self.distance, self.copies) {
            let remedy = "it is for --copies near";
            return Err(Error::argument("distance", distance, remedy));
        }
        if let Some(domain) = self
            .within
            .iter()
            .find(|it| it.trim_matches('.').is_empty())
        {
            let remedy = "give a domain such as example.org";
            return Err(Error::argument("within", format!("'{domain}'"), remedy));
        }
        Ok(CrawlOptions {
            identity: Identity::new(&self.user_agent, &self.contact)?,
            scope: Scope::new(self.within.clone(), self.everywhere),
            priority: self.priority.clone(),
            budget: Budget {
                pages: budget.pages,
                depth: budget.depth,
                hosts: budget.hosts,
                host_pages: budget.host_pages,
                links: budget.links,
                bytes: budget.bytes.as_u64(),
                time: budget.time,
            },
            patience: Patience {
                host: patience.delay,
                address: patience.ip_delay,
                factor: patience.delay_factor,
                most: patience.max_crawl_delay,
                slot: patience.slot,
            },
            fetchers: patience.fetchers,
            connect_timeout: patience.connect_timeout,
            timeout: patience.timeout,
            max_page: self.max_page.as_u64(),
            warc_size: self.warc_size.as_u64(),
            sieve: self.sieve,
            goal: self.goal.goal(),
            copies: match self.copies {
                Which::Follow => Copies::Follow,
                Which::Exact => Copies::Exact,
                Which::Near => Copies::Near(self.distance.unwrap_or(3)),
            },
            nofollow: self.nofollow,
            resolve: Overrides::new(&self.resolve)?,
            authorities: match &self.ca_file {
                Some(path) => TlsRoots::read(path)?,
                None => TlsRoots::default(),
            },
            agents: self.agents.team()?,
        })
    }
}

/// The longest file of seeds.
const MAX_SEEDS: u64 = 1 << 26;

/// The seeds: URLs as they are, and those in files.
fn seeds(given: &[String]) -> Result<Vec<String>> {
    let mut seeds = Vec::new();
    for seed in given {
        if seed.contains("://") {
            seeds.push(seed.clone());
            continue;
        }
        let path = Path::new(seed);
        if !path.exists() && seed.contains('.') && read_seed(&format!("https://{seed}")).is_ok() {
            let problem = format!("no such file; write https://{seed} for a page of the web");
            return Err(Error::file(path, problem));
        }
        let cannot = |source| Error::io(path, "cannot read", source);
        if path.metadata().map_err(cannot)?.len() > MAX_SEEDS {
            return Err(Error::file(
                path,
                "longer than 64 MiB; is this the right file?",
            ));
        }
        let text = std::fs::read_to_string(path).map_err(cannot)?;
        let lines = (1..).zip(text.lines().map(str::trim));
        for (number, line) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
            read_seed(line).map_err(|problem| Error::line(path, number, problem))?;
            seeds.push(line.to_owned());
        }
    }
    Ok(seeds)
}

/// Passes progress on, and says when a signal has asked to stop.
struct Stoppable {
    inner: Box<dyn Progress>,
    asked: Arc<AtomicBool>,
}

impl Progress for Stoppable {
    fn begin(&self, phase: &str, total: Option<u64>) {
        self.inner.begin(phase, total);
    }

    fn remark(&self, text: &str) {
        self.inner.remark(text);
    }

    fn end(&self) {
        self.inner.end();
    }

    fn interrupted(&self) -> bool {
        self.asked.load(SeqCst)
    }
}

impl Tool for Args {
    const NAME: &'static str = "crawl";

    const WITHOUT_PLAN: Option<&'static str> = Some(GROWS);

    fn run(&self, global: &Global) -> Result<()> {
        run(self, global)
    }
}

fn run(args: &Args, global: &Global) -> Result<()> {
    let options = args.options()?;
    let seeds = seeds(&args.seeds)?;
    let asked = Arc::<AtomicBool>::default();
    let progress = Stoppable {
        inner: global.progress(),
        asked: Arc::clone(&asked),
    };
    signals::keep(move || !asked.swap(true, SeqCst));
    let crawled = crawl(&seeds, options, &args.output, &progress)?;
    drop(progress);
    let json = || {
        let mut json = json!(crawled);
        json["crawl"] = json!(args.output);
        json
    };
    global.account(&args.output, args.json.then(json), |out| {
        let output = args.output.to_string_lossy();
        writeln!(out, "{}: {}", visible(&output), made(&crawled))?;
        writeln!(out, "{}", came(&crawled.account))?;
        writeln!(out, "{}", forbidden(&crawled.account))?;
        writeln!(out, "{}", followed(&crawled.account))?;
        if args.agents.are_given() {
            writeln!(out, "{}", exchanged(&crawled.account))?;
        }
        writeln!(out, "{}", ended(&crawled))
    })
}
