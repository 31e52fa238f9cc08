//! The table of pages: which are nodes, which are redirects, and what nodes are called.

use super::counts::WikipediaCounts;
use super::dump::{Dump, DumpRow};
use super::numbers::Numbers;
use super::place::{MOST, Nowhere, Place};
use super::titles::{Titles, TitlesBuilder};
use std::borrow::Cow;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::memory::reserve;
use webrank_base::output::TemporaryFolder;
use webrank_base::shown::quoted;

/// The pages of a wiki.
pub(super) struct Pages {
    /// Places by the numbers of pages.
    pub(super) numbers: Numbers,
    pub(super) titles: Titles,
    pub(super) num_nodes: u32,
    pub(super) num_redirects: u32,
}

/// The titles of nodes, in a temporary file: one a line.
pub(super) struct NodeTitles {
    path: PathBuf,
    file: BufWriter<File>,
}

/// Reads the table of pages, whose nodes are those of the namespaces.
///
/// # Errors
/// If a row cannot be used, if two pages have one number or title, or if memory or disk are short.
pub(super) fn read(
    dump: &mut Dump,
    namespaces: &[i64],
    folder: &TemporaryFolder,
    counts: &mut WikipediaCounts,
    check: &dyn Fn(u64) -> Result<()>,
) -> Result<(Pages, NodeTitles)> {
    let columns = [
        "page_id",
        "page_namespace",
        "page_title",
        "page_is_redirect",
    ];
    let [id, namespace, title, is_redirect] = columns.map(|column| dump.column(column));
    let (id, namespace, title, is_redirect) = (id?, namespace?, title?, is_redirect?);
    let (path, file) = folder.new_file()?;
    let mut names = NodeTitles {
        path,
        file: BufWriter::with_capacity(1 << 16, file),
    };
    let (mut numbers, mut titles) = (Numbers::default(), TitlesBuilder::new());
    let (mut num_nodes, mut num_redirects) = (0, 0);
    let path = dump.path().to_owned();
    while let Some(row) = dump.next_row()? {
        counts.pages += 1;
        check(counts.pages)?;
        let number = row.number(id)?;
        let space = row.signed(namespace)?;
        let place = if row.number(is_redirect)? != 0 {
            num_redirects += 1;
            Place::Redirect(num_redirects - 1)
        } else if namespaces.contains(&space) {
            num_nodes += 1;
            Place::Node(num_nodes - 1)
        } else {
            Place::Nowhere(Nowhere::Elsewhere)
        };
        if num_nodes.max(num_redirects) > MOST {
            return Err(row.wrong("there are more pages than this version can hold"));
        }
        if !numbers.insert(number, place)? {
            return Err(row.wrong(&format!("a row before has the number {number}, too")));
        }
        if place == Place::Nowhere(Nowhere::Elsewhere) {
            continue;
        }
        let text = text(&row, title)?;
        titles.push(space, &text, place)?;
        if let Place::Node(_) = place {
            names.push(&row, space, &text)?;
        }
    }
    counts.pages_of_the_namespaces = num_nodes.into();
    counts.pages_that_are_redirects = num_redirects.into();
    counts.pages_elsewhere = counts.pages - u64::from(num_nodes) - u64::from(num_redirects);
    let (titles, has_twins) = titles.finish();
    if has_twins {
        let problem = "two pages of a namespace have one title: is it a dump of one moment?";
        return Err(Error::file(path, problem));
    }
    let pages = Pages {
        numbers,
        titles,
        num_nodes,
        num_redirects,
    };
    Ok((pages, names))
}

/// The text in a column.
pub(super) fn text<'a>(row: &'a DumpRow, column: usize) -> Result<Cow<'a, [u8]>> {
    let text = row.text(column)?;
    text.ok_or_else(|| row.wrong_column(column, "holds no text"))
}

impl NodeTitles {
    fn push(&mut self, row: &DumpRow, namespace: i64, title: &[u8]) -> Result<()> {
        let title = std::str::from_utf8(title);
        let title = title.map_err(|_| row.wrong("the title of the page is not UTF-8"))?;
        if title.is_empty() || title.contains(['\n', '\0']) {
            let problem = format!("{} is no title of a page", quoted(title));
            return Err(row.wrong(&problem));
        }
        let (prefix, title) = (prefix(namespace), title.replace('_', " "));
        let written = writeln!(self.file, "{prefix}{title}");
        written.map_err(|source| Error::io(&self.path, "cannot write", source))
    }

    /// Gives the title of each node, in their order, to `give`.
    ///
    /// # Errors
    /// If they cannot be read, and those of `give`.
    pub(super) fn give(self, give: &mut dyn FnMut(Node, &str) -> Result<()>) -> Result<()> {
        let path = self.path;
        let cannot = |source| Error::io(&path, "cannot read", source);
        let file = self
            .file
            .into_inner()
            .map_err(|problem| problem.into_error());
        let mut file = file.map_err(|source| Error::io(&path, "cannot write", source))?;
        file.seek(SeekFrom::Start(0)).map_err(cannot)?;
        let mut lines = BufReader::with_capacity(1 << 16, file);
        let (mut line, mut node) = (String::new(), 0);
        loop {
            line.clear();
            let length = read_line(&mut lines, &mut line).map_err(cannot)?;
            if length == 0 {
                return Ok(());
            }
            give(node, line.trim_end_matches('\n'))?;
            node += 1;
        }
    }
}

/// Titles have 255 bytes; so long a line is that of a damaged disk.
const LONGEST_LINE: u64 = 1 << 20;

fn read_line(lines: &mut impl std::io::BufRead, line: &mut String) -> std::io::Result<usize> {
    use std::io::BufRead;
    lines.take(LONGEST_LINE).read_line(line)
}

/// The prefix of the titles of a namespace. MediaWiki reads these in every language.
fn prefix(namespace: i64) -> Cow<'static, str> {
    let name = match namespace {
        0 => return "".into(),
        1 => "Talk",
        2 => "User",
        3 => "User talk",
        4 => "Project",
        5 => "Project talk",
        6 => "File",
        7 => "File talk",
        8 => "MediaWiki",
        9 => "MediaWiki talk",
        10 => "Template",
        11 => "Template talk",
        12 => "Help",
        13 => "Help talk",
        14 => "Category",
        15 => "Category talk",
        828 => "Module",
        829 => "Module talk",
        // A title has no braces.
        _ => return format!("{{{{ns:{namespace}}}}}:").into(),
    };
    format!("{name}:").into()
}

/// The numbers of Wikidata of the nodes, from the table of properties of pages; 0 for none.
///
/// # Errors
/// If a row cannot be used, or if memory is short.
pub(super) fn wikidata_numbers(
    dump: &mut Dump,
    pages: &Pages,
    check: &dyn Fn(u64) -> Result<()>,
) -> Result<Vec<u32>> {
    let columns = ["pp_page", "pp_propname", "pp_value"];
    let [page, name, value] = columns.map(|column| dump.column(column));
    let (page, name, value) = (page?, name?, value?);
    let mut numbers = Vec::new();
    let count = pages.num_nodes as usize;
    reserve(&mut numbers, count, "numbers of Wikidata")?;
    numbers.resize(count, 0);
    let mut rows = 0;
    while let Some(row) = dump.next_row()? {
        rows += 1;
        check(rows)?;
        if *text(&row, name)? != *b"wikibase_item" {
            continue;
        }
        let Some(Place::Node(node)) = pages.numbers.get(row.number(page)?) else {
            continue;
        };
        let value = text(&row, value)?;
        let digits = value.strip_prefix(b"Q").unwrap_or_default();
        let number = std::str::from_utf8(digits).ok();
        let number = number.and_then(|digits| digits.parse().ok());
        match number {
            Some(number) if number > 0 => numbers[node as usize] = number,
            _ => {
                let value = quoted(&String::from_utf8_lossy(&value));
                return Err(row.wrong(&format!("{value} is no number of Wikidata, such as Q42")));
            }
        }
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::prefix;

    #[test]
    fn namespaces_have_the_prefixes_that_every_wiki_reads() {
        for (namespace, expected) in [(0, ""), (14, "Category:"), (100, "{{ns:100}}:")] {
            assert_eq!(prefix(namespace), expected);
        }
    }
}
