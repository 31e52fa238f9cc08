//! Queries, and which pages are relevant to them.

use super::collection::Collection;
use std::collections::{BTreeMap, HashMap};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use tantivy::DocId;
use webrank_base::error::{Error, Result};
use webrank_base::shown::quoted;
use webrank_tables::text::input;

/// A query and its relevant pages.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Topic {
    /// The name in the judgements.
    pub id: String,
    /// Its words.
    pub text: String,
    /// The grades of the relevant pages that the index has.
    pub grades: BTreeMap<DocId, u32>,
    /// The grades of those that it does not have: no ranking finds them.
    pub unknown: Vec<u32>,
}

impl Topic {
    /// The grades of all relevant pages.
    pub fn judged(&self) -> Vec<u32> {
        self.grades.values().chain(&self.unknown).copied().collect()
    }
}

/// A longer line is an error.
const MAX_LINE: u64 = 1 << 20;

/// No more lines are read, in queries or judgements.
const MAX_LINES: u64 = 100_000_000;

/// Calls `each` with every line that is not empty, and its number.
pub(super) fn lines(path: &Path, mut each: impl FnMut(u64, &str) -> Result<()>) -> Result<()> {
    let mut input = BufReader::new(input::open(path)?);
    let mut line = Vec::new();
    for number in 1..=MAX_LINES {
        line.clear();
        let read = input
            .by_ref()
            .take(MAX_LINE + 1)
            .read_until(b'\n', &mut line);
        read.map_err(|source| Error::io(path, "cannot read", source))?;
        if line.is_empty() {
            return Ok(());
        }
        if line.len() as u64 > MAX_LINE {
            return Err(Error::line(
                path,
                number,
                "is longer than 1 MiB; make it shorter",
            ));
        }
        let text = std::str::from_utf8(&line);
        let text =
            text.map_err(|_| Error::line(path, number, "is not UTF-8; write it as UTF-8"))?;
        let text = text.trim_end_matches(['\n', '\r']);
        // A byte order mark is no part of a name.
        let text = match number {
            1 => text.trim_start_matches('\u{feff}'),
            _ => text,
        };
        if !text.trim().is_empty() {
            each(number, text)?;
        }
    }
    Err(Error::file(
        path,
        "has more than 100000000 lines; give fewer",
    ))
}

/// Reads queries, `id<TAB>words` a line, and judgements as TREC writes them, `query 0 page grade` a line;
/// a page is a name (a URL) or a node. Grades of 0 and below say that a page is not relevant.
///
/// # Errors
/// If a file cannot be read, a line is wrong, a query is judged that is not there, or no relevant page is in
/// the index.
pub fn read(queries: &Path, judgements: &Path, collection: &Collection) -> Result<Vec<Topic>> {
    let mut topics: Vec<Topic> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    lines(queries, |number, line| {
        let (id, text) = line.split_once('\t').ok_or_else(|| {
            Error::line(
                queries,
                number,
                "has no tab; write an identifier, a tab, and words",
            )
        })?;
        let id = id.trim();
        if id.is_empty() || id.contains(char::is_whitespace) {
            let problem = "an identifier is one word, of at least one character";
            return Err(Error::line(queries, number, problem));
        }
        if places.insert(id.to_owned(), topics.len()).is_some() {
            let problem = format!("query {} was there before; give each its own", quoted(id));
            return Err(Error::line(queries, number, problem));
        }
        topics.push(Topic {
            id: id.to_owned(),
            text: text.to_owned(),
            ..Topic::default()
        });
        Ok(())
    })?;
    let mut judged: HashMap<(usize, String), u64> = HashMap::new();
    lines(judgements, |number, line| {
        let wrong = |problem: String| Err(Error::line(judgements, number, problem));
        let fields: Vec<&str> = line.split_whitespace().collect();
        let [id, _, page, grade] = fields[..] else {
            return wrong("has not four fields; write: query 0 page grade".into());
        };
        let Some(&topic) = places.get(id) else {
            return wrong(format!(
                "query {} is not among the queries; add it to them, or leave the line out",
                quoted(id)
            ));
        };
        let Ok(grade) = grade.parse::<i64>() else {
            return wrong(format!(
                "grade {} is not a whole number; give one, such as 1",
                quoted(grade)
            ));
        };
        if let Some(before) = judged.insert((topic, page.to_owned()), number) {
            let page = quoted(page);
            return wrong(format!(
                "page {page} was judged for this query in line {before}; leave one out"
            ));
        }
        if grade <= 0 {
            return Ok(());
        }
        let grade = u32::try_from(grade).unwrap_or(u32::MAX);
        let topic = &mut topics[topic];
        match page_of(collection, page)? {
            None => topic.unknown.push(grade),
            Some(page) => {
                let old = topic.grades.entry(page).or_default();
                *old = grade.max(*old);
            }
        }
        Ok(())
    })?;
    let unknown: usize = topics.iter().map(|topic| topic.unknown.len()).sum();
    if unknown > 0 && topics.iter().all(|topic| topic.grades.is_empty()) {
        let problem = format!(
            "none of the {unknown} relevant pages is in the index; a page is the URL that 'rank search' \
             prints, or its node"
        );
        return Err(Error::file(judgements, problem));
    }
    Ok(topics)
}

/// The page with this name, or of this node.
fn page_of(collection: &Collection, page: &str) -> Result<Option<DocId>> {
    if let Some(&found) = collection.pages_named(page)?.first() {
        return Ok(Some(found));
    }
    match page.parse() {
        Ok(node) => collection.page_of(node),
        Err(_) => Ok(None),
    }
}
