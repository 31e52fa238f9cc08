//! The files of a wiki: which table each holds, and whether they belong together.

use super::dump::Dump;
use super::links::Columns;
use super::window::HELD;
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_base::shown::shown;
use webrank_tables::text::checksums::Checksums;

/// The tables that are read. The last two are not always needed.
const TABLES: [&str; 5] = ["page", "pagelinks", "redirect", "linktarget", "page_props"];

const PAGE: usize = 0;
const LINKS: usize = 1;
const REDIRECT: usize = 2;
const TARGET: usize = 3;
const PROPS: usize = 4;

/// Files that hold the tables of one wiki.
#[derive(Debug, Clone, Default)]
pub struct WikipediaTables {
    found: [Option<Found>; TABLES.len()],
    /// Tables in a folder that are not read.
    others: Vec<PathBuf>,
}

#[derive(Debug, Clone)]
struct Found {
    path: PathBuf,
    /// The part of its name before that of the table, as in `enwiki-20240501`.
    prefix: Option<String>,
    database: Option<String>,
    /// All numbers of rows are below.
    next_number: Option<u64>,
}

impl WikipediaTables {
    /// The tables in files and folders. Files of a folder are looked at if they have `.sql` in their names,
    /// and tables that are not needed are left alone.
    ///
    /// # Errors
    /// If a file is no dump of a table that is needed, if a table is there twice or not at all, or if names
    /// show that tables are of two wikis or days.
    pub fn find(paths: &[PathBuf]) -> Result<Self> {
        let mut tables = WikipediaTables::default();
        for path in paths {
            if path.as_os_str() == "-" {
                let problem = "a table is read from a file: save it, and name the file";
                return Err(Error::file("standard input", problem));
            }
            match path.is_dir() {
                true => {
                    for file in dumps_in(path)? {
                        tables.add(&file, true)?;
                    }
                }
                false => tables.add(path, false)?,
            }
        }
        tables.check(paths)?;
        Ok(tables)
    }

    fn add(&mut self, path: &Path, is_of_folder: bool) -> Result<()> {
        let dump = Dump::open(path, &Checksums::default())?;
        let place = TABLES.iter().position(|table| *table == dump.table());
        let Some(place) = place else {
            if is_of_folder {
                self.others.push(path.to_owned());
                return Ok(());
            }
            let (table, all) = (shown(dump.table()), TABLES.join(", "));
            let problem = format!("holds the table {table}; the tables that are read are {all}");
            return Err(Error::file(path, problem));
        };
        let found = Found {
            path: path.to_owned(),
            prefix: prefix(path, TABLES[place]),
            database: dump.database().map(str::to_owned),
            next_number: dump.next_number(),
        };
        match self.found[place].replace(found) {
            None => Ok(()),
            // A file that is in the folder, too.
            Some(before) if before.path == path => Ok(()),
            Some(before) => {
                let (table, before) = (TABLES[place], before.path);
                let before = before.display();
                let problem =
                    format!("holds the table {table}, as {before} does: give one of them");
                Err(Error::file(path, problem))
            }
        }
    }

    fn check(&self, paths: &[PathBuf]) -> Result<()> {
        for place in [PAGE, LINKS, REDIRECT] {
            if self.found[place].is_none() {
                let table = TABLES[place];
                let given = paths.first().map_or("wikipedia".as_ref(), PathBuf::as_path);
                let problem = format!(
                    "of the tables of a wiki, {table} is missing: give {table}.sql.gz, too"
                );
                return Err(Error::file(given, problem));
            }
        }
        let dump = Dump::open(self.path_of(LINKS)?, &Checksums::default())?;
        Columns::of(&dump, self.found[TARGET].is_some())?;
        let all = || self.found.iter().flatten();
        self.check_alike(all().map(|found| (found, found.prefix.as_deref())))?;
        self.check_alike(all().map(|found| (found, found.database.as_deref())))
    }

    /// Refuses files that are marked for different wikis or days.
    fn check_alike<'a>(
        &self,
        marks: impl Iterator<Item = (&'a Found, Option<&'a str>)>,
    ) -> Result<()> {
        let marks = marks.filter_map(|(found, mark)| Some((found, mark?)));
        let marks: Vec<_> = marks.collect();
        let Some((first, mark)) = marks.first() else {
            return Ok(());
        };
        match marks.iter().find(|(_, other)| other != mark) {
            None => Ok(()),
            Some((other, of_other)) => {
                let (mark, of_other) = (shown(mark), shown(of_other));
                let problem = format!(
                    "is of {of_other}, but {} is of {mark}: give tables of one wiki and day",
                    first.path.display()
                );
                Err(Error::file(&other.path, problem))
            }
        }
    }

    fn path_of(&self, place: usize) -> Result<&Path> {
        let found = self.found[place].as_ref();
        found.map(|found| &*found.path).ok_or_else(|| {
            let (table, remedy) = (TABLES[place], "give it, too");
            Error::argument("table", format!("{table}, which is missing"), remedy)
        })
    }

    /// The table of pages.
    pub(super) fn page(&self) -> Result<&Path> {
        self.path_of(PAGE)
    }

    /// The table of links.
    pub(super) fn links(&self) -> Result<&Path> {
        self.path_of(LINKS)
    }

    /// The table of redirects.
    pub(super) fn redirect(&self) -> Result<&Path> {
        self.path_of(REDIRECT)
    }

    /// The table of link targets, if it is there.
    pub(super) fn targets(&self) -> Option<&Path> {
        self.path_of(TARGET).ok()
    }

    /// The table of properties of pages, which has the numbers of Wikidata.
    ///
    /// # Errors
    /// If it is missing.
    pub(super) fn page_props(&self) -> Result<&Path> {
        self.path_of(PROPS).map_err(|_| {
            let remedy = "numbers of Wikidata are in the table page_props: give it (--page-props)";
            Error::argument("names", "qid", remedy)
        })
    }

    /// Files of the folders that are not read.
    pub fn others(&self) -> &[PathBuf] {
        &self.others
    }

    /// The bytes that reading takes at least, besides what importing takes: four for each number of a page
    /// and of a link target, of which dumps tell the largest at their beginnings.
    pub fn least_memory(&self) -> u64 {
        let numbers = [PAGE, TARGET].map(|place| {
            let found = self.found[place].as_ref();
            let next = found.and_then(|found| Some((&found.path, found.next_number?)));
            next.map_or(0, |(path, next)| {
                // Numbers may have gaps: a row takes a byte of a compressed file at least.
                let bytes = path.metadata().map_or(0, |file| file.len());
                next.min(bytes)
            })
        });
        HELD + 4 * numbers.iter().sum::<u64>()
    }
}

/// The files of a folder with `.sql` in their names, in the order of these.
fn dumps_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let cannot = |source| Error::io(folder, "cannot read", source);
    let mut found = Vec::new();
    for entry in folder.read_dir().map_err(cannot)? {
        let entry = entry.map_err(cannot)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_dump = name.ends_with(".sql") || name.contains(".sql.");
        if is_dump && !name.starts_with(['.', '_']) && entry.path().is_file() {
            found.push(entry.path());
        }
    }
    if found.is_empty() {
        let problem = "the folder has no dumps of tables, such as page.sql.gz";
        return Err(Error::file(folder, problem));
    }
    found.sort_unstable();
    Ok(found)
}

/// The part of a name before that of the table, if it is named so.
fn prefix(path: &Path, table: &str) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let (stem, _) = name.split_once(".sql")?;
    let prefix = stem.strip_suffix(table)?;
    let trimmed = prefix.trim_end_matches(['-', '_', '.']);
    (!trimmed.is_empty() && trimmed != prefix).then(|| trimmed.to_owned())
}

#[cfg(test)]
mod tests {
    use super::prefix;

    #[test]
    fn names_say_which_wiki_they_are_of() {
        for (name, table, expected) in [
            (
                "enwiki-20240501-page.sql.gz",
                "page",
                Some("enwiki-20240501"),
            ),
            (
                "x/chwiki_latest_page_props.sql",
                "page_props",
                Some("chwiki_latest"),
            ),
            ("page.sql.gz", "page", None),
            ("homepage.sql", "page", None),
            ("links.sql", "pagelinks", None),
        ] {
            let found = prefix(name.as_ref(), table);
            assert_eq!(found.as_deref(), expected, "{name}");
        }
    }
}
