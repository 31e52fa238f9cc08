//! The graph of links of a Wikipedia, or of any other wiki of MediaWiki, from the tables of its
//! database as they are dumped: `page`, `pagelinks`, `redirect`, in newer dumps `linktarget`, and
//! `page_props` for numbers of Wikidata.
//!
//! Nodes are the pages of some namespaces that are no redirects. A link to a redirect leads to where the
//! redirect leads, by any number of steps. Left out, and counted, are links on redirects, links to
//! pages that do not exist, and links to redirects that lead in a circle, to another wiki or to
//! another namespace. Sections of pages (`rd_fragment`) do not count.
//!
//! Three tables are held in memory: the place of each page by its number (4 bytes) and by its title (17
//! bytes, for nodes and redirects), and of each link target by its number (4 bytes). Links are
//! looked up in them, one by one, and sorted as in [`crate::import`], on disk if they do not fit.
//!
//! * `window`, `row`, `statement`, `script`, `dump`: the rows of a dump;
//! * `tables`: which file holds which table;
//! * `place`, `numbers`, `titles`: what is held in memory;
//! * `pages`, `redirects`, `links`: the tables;
//! * `counts`: what became of them.

mod counts;
mod dump;
mod links;
mod numbers;
mod pages;
mod place;
mod redirects;
mod row;
mod script;
mod statement;
mod tables;
mod titles;
mod window;

use self::links::{Columns, Wiki};
use self::pages::NodeTitles;
use crate::import::{self, GivenArcs, ImportOptions, ImportReport, Problem, Receiver};
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use webrank_base::error::{Error, Result};
use webrank_base::output::TemporaryFolder;
use webrank_base::progress::Progress;
use webrank_base::shown::shown;
use webrank_graph::bundle::{BundleOptions, FileEntry, MadeFrom, check_output};
use webrank_tables::text::checksums::Checksums;

pub use counts::WikipediaCounts;
pub use dump::{Dump, DumpRow};
pub use tables::WikipediaTables;

/// What nodes are called.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum NodeNames {
    /// Titles of pages, with blanks
    #[default]
    Title,
    /// Numbers of Wikidata, such as Q42
    Qid,
}

/// How the tables of a wiki are read.
#[derive(Debug, Clone, Default)]
pub struct WikipediaOptions {
    /// The namespaces whose pages are nodes, by their numbers.
    pub namespaces: Vec<i64>,
    /// The names of nodes.
    pub names: NodeNames,
    /// The treatment of the arcs.
    pub import: ImportOptions,
}

/// Rows between two looks at whether the user wants to stop.
const CHECKED: u64 = 1 << 16;

/// Makes a bundle of the tables of a wiki. O(n log n + m log m).
///
/// # Errors
/// If a table cannot be read, or a row of it cannot be used, with the file and the row; if memory or
/// disk are short; if the bundle cannot be written. Nothing is left behind.
pub fn wikipedia(
    tables: &WikipediaTables,
    options: &WikipediaOptions,
    output: &Path,
    bundle: BundleOptions,
    progress: &dyn Progress,
) -> Result<(ImportReport, WikipediaCounts)> {
    check_output(output, bundle)?;
    let temp = match &options.import.temp {
        Some(folder) => folder.clone(),
        None => webrank_graph::arcs::temporary_files_of(output),
    };
    let folder = TemporaryFolder::create(&temp)?;
    let checksums = Checksums::default();
    let mut counts = WikipediaCounts::default();
    let read = Reading {
        tables,
        options,
        checksums: &checksums,
        progress,
    };
    let (wiki, titles, qids) = read.all(&folder, &mut counts)?;
    let mut dump = Dump::open(tables.links()?, &checksums)?;
    let columns = Columns::of(&dump, wiki.targets.is_some())?;
    let shared = Arc::new(Mutex::new(counts));
    let noted = Arc::new(OnceLock::new());
    let (to_count, to_note) = (Arc::clone(&shared), Arc::clone(&noted));
    let arcs = GivenArcs {
        weighted: false,
        numbered: false,
        give: move |to: &mut dyn Receiver| {
            let mut counts = to_count.lock().unwrap_or_else(PoisonError::into_inner);
            name_nodes(titles, qids.as_deref(), &mut counts, to)?;
            wiki.read_links(&mut dump, &columns, &mut counts, &mut |source, target| {
                to.arc(source, target, 1.0).map_err(unusable)
            })?;
            let sources = checksums.all().into_iter().map(|(path, found)| {
                let path = path.display().to_string();
                (path, FileEntry::new(found))
            });
            let made_from = MadeFrom {
                sources: sources.collect(),
                counts: counts.all(),
                fingerprints: None,
            };
            // It is noted once: nobody else does.
            let _ = to_note.set(made_from);
            Ok(())
        },
    };
    let with = (noted, None);
    let report = import::import_arcs(arcs, &options.import, output, bundle, with, progress)?;
    let counts = *shared.lock().unwrap_or_else(PoisonError::into_inner);
    Ok((report, counts))
}

/// Tables being read.
struct Reading<'a> {
    tables: &'a WikipediaTables,
    options: &'a WikipediaOptions,
    checksums: &'a Checksums,
    progress: &'a dyn Progress,
}

impl Reading<'_> {
    /// Reads all tables but that of links: what links are looked up in, the titles of nodes, and their
    /// numbers of Wikidata if they are named by them.
    fn all(
        &self,
        folder: &TemporaryFolder,
        counts: &mut WikipediaCounts,
    ) -> Result<(Wiki, NodeTitles, Option<Vec<u32>>)> {
        let namespaces = &self.options.namespaces;
        let check = |rows: u64| match rows.is_multiple_of(CHECKED) {
            true => {
                self.progress.advance(CHECKED);
                self.progress.check()
            }
            false => Ok(()),
        };
        let mut dump = self.begin("read pages", self.tables.page()?)?;
        let (mut pages, titles) = pages::read(&mut dump, namespaces, folder, counts, &check)?;
        if pages.num_nodes == 0 {
            let numbers = namespaces.iter().map(i64::to_string);
            let numbers: Vec<String> = numbers.collect();
            let remedy = "the table has no page of it that is no redirect; articles are in 0";
            return Err(Error::argument("namespace", numbers.join(", "), remedy));
        }
        let mut dump = self.begin("read redirects", self.tables.redirect()?)?;
        let redirects = redirects::read(&mut dump, &pages, namespaces, counts, &check)?;
        let qids = match self.options.names {
            NodeNames::Title => None,
            NodeNames::Qid => {
                let mut dump = self.begin("read names", self.tables.page_props()?)?;
                Some(pages::wikidata_numbers(&mut dump, &pages, &check)?)
            }
        };
        let of_links = Dump::open(self.tables.links()?, &Checksums::default())?;
        let has_targets = self.tables.targets().is_some();
        let columns = Columns::of(&of_links, has_targets)?;
        let targets = match self.tables.targets().filter(|_| columns.need_numbers()) {
            None => None,
            Some(path) => {
                let mut dump = self.begin("read link targets", path)?;
                Some(links::targets(&mut dump, &pages, namespaces, &check)?)
            }
        };
        if !columns.need_titles() {
            pages.titles.forget();
        }
        self.progress.end();
        let wiki = Wiki {
            pages,
            redirects,
            targets,
            namespaces: namespaces.clone(),
        };
        Ok((wiki, titles, qids))
    }

    fn begin(&self, phase: &str, path: &Path) -> Result<Dump> {
        self.progress.begin(phase, None);
        Dump::open(path, self.checksums)
    }
}

/// Gives the names of nodes, in their order.
fn name_nodes(
    titles: NodeTitles,
    qids: Option<&[u32]>,
    counts: &mut WikipediaCounts,
    to: &mut dyn Receiver,
) -> Result<()> {
    titles.give(&mut |node, title| {
        let Some(qids) = qids else {
            return match to.key(title).map_err(unusable)? == node {
                true => Ok(()),
                false => Err(twice(title)),
            };
        };
        let qid = qids.get(node as usize).copied().unwrap_or(0);
        match qid {
            0 => counts.names_without_number += 1,
            _ if to.key(&format!("Q{qid}")).map_err(unusable)? == node => return Ok(()),
            _ => counts.names_with_number_of_another += 1,
        }
        // Titles do not begin with a colon, and in MediaWiki ':Title' is a link to the page.
        match to.key(&format!(":{title}")).map_err(unusable)? == node {
            true => Ok(()),
            false => Err(twice(title)),
        }
    })
}

fn twice(title: &str) -> Error {
    Error::argument(
        "title",
        shown(title),
        "two pages have it; is the dump of one moment?",
    )
}

fn unusable(problem: Problem) -> Error {
    match problem {
        Problem::Record(problem) => Error::argument("page", "a name", problem),
        Problem::Other(problem) => problem,
    }
}
