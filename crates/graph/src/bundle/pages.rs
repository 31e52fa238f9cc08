//! The texts of the nodes of a bundle: titles, texts, and the texts of the links to them.
//!
//! A line of JSON for each node that has any of them, with zstd; nodes increase:
//!
//! ```json
//! {"node":12,"title":"Graphs","text":"A graph has nodes ...","anchors":["about graphs"]}
//! ```

use super::{NameSorter, PAGES};
use crate::StoredGraph;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_base::output::SpillBudget;
use webrank_base::{Node, regular};
use xxhash_rust::xxh3::Xxh3;

/// The texts of a node, and of links to it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Page {
    /// The node.
    pub node: Node,
    /// Its title; empty if it has none.
    pub title: String,
    /// Its text without markup.
    pub text: String,
    /// The texts of links from other nodes: by the numbers that these had before any reordering, and as
    /// they come in each.
    pub anchors: Vec<String>,
}

/// The longest title, in bytes.
pub const MAX_TITLE: usize = 64 << 10;
/// The longest text, in bytes.
pub const MAX_TEXT: usize = 1 << 20;
/// The texts of the links to a node take at most so many bytes together.
pub const MAX_ANCHORS: usize = 64 << 10;

/// The longest line: every character may take two bytes, and each anchor has quotes and a comma.
pub const MAX_LINE: usize = 4 << 20;

/// Cuts a text behind a character, so that it has at most so many bytes.
pub fn cut(text: &mut String, bytes: usize) {
    text.truncate(text.floor_char_boundary(bytes));
}

/// Writes the texts of nodes, which increase.
pub struct PagesWriter {
    path: PathBuf,
    out: zstd::Encoder<'static, BufWriter<File>>,
}

impl PagesWriter {
    /// Begins the file in the folder of a bundle.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn create(folder: &Path) -> Result<Self> {
        let path = folder.join(PAGES);
        let cannot = |source| Error::io(&path, "cannot write", source);
        let file = File::create(&path).map_err(cannot)?;
        let out = zstd::Encoder::new(BufWriter::with_capacity(1 << 16, file), 3);
        let out = out.map_err(cannot)?;
        Ok(PagesWriter { path, out })
    }

    /// Writes the next one.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn push(&mut self, page: &Page) -> Result<()> {
        let mut line = Vec::new();
        write_line(page, &mut line);
        self.push_line(&line)
    }

    fn push_line(&mut self, line: &[u8]) -> Result<()> {
        let written = self.out.write_all(line);
        written.map_err(|source| Error::io(&self.path, "cannot write", source))
    }

    /// Ends the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(self) -> Result<()> {
        let written = self.out.finish().and_then(|mut out| out.flush());
        written.map_err(|source| Error::io(self.path, "cannot write", source))
    }
}

/// Adds the line of a page.
fn write_line(page: &Page, line: &mut Vec<u8>) {
    serde_json::to_writer(&mut *line, page).expect("strings and numbers serialise");
    line.push(b'\n');
}

/// The texts of nodes, one after the other, from the disk.
pub struct Pages {
    path: PathBuf,
    input: BufReader<zstd::Decoder<'static, BufReader<Hashed>>>,
    num_nodes: usize,
    line: Vec<u8>,
    lines: u64,
    last: Option<Node>,
    /// The checksum of the manifest, if there is one.
    expected: Option<String>,
    is_over: bool,
}

/// A file with a checksum of what was read.
struct Hashed {
    file: File,
    hasher: Xxh3,
}

impl Read for Hashed {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.hasher.update(&buffer[..count]);
        Ok(count)
    }
}

impl StoredGraph {
    /// The file of the texts of the nodes, if the graph is a bundle that has one.
    pub fn pages_path(&self) -> Option<PathBuf> {
        let path = self.folder.as_ref()?.join(PAGES);
        path.exists().then_some(path)
    }

    /// The texts of the nodes, in the order of the nodes, if the graph is a bundle that has them. In
    /// constant memory; the checksum of the file is compared at its end.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub fn pages(&self) -> Result<Option<Pages>> {
        let Some(path) = self.pages_path() else {
            return Ok(None);
        };
        let expected = self.manifest.as_ref().and_then(|manifest| {
            let entry = manifest.files.get(PAGES);
            entry.map(|entry| entry.xxh3_128.clone())
        });
        Pages::open(path, self.properties().nodes, expected).map(Some)
    }
}

impl Pages {
    fn open(path: PathBuf, num_nodes: usize, expected: Option<String>) -> Result<Self> {
        let file = Hashed {
            file: regular::open(&path)?,
            hasher: Xxh3::new(),
        };
        let input = zstd::Decoder::new(file);
        let input = input.map_err(|source| Error::io(&path, "cannot read", source))?;
        Ok(Pages {
            path,
            input: BufReader::with_capacity(1 << 17, input),
            num_nodes,
            line: Vec::new(),
            lines: 0,
            last: None,
            expected,
            is_over: false,
        })
    }

    fn read(&mut self) -> Result<Option<Page>> {
        self.line.clear();
        let mut input = (&mut self.input).take(MAX_LINE as u64 + 1);
        let read = input.read_until(b'\n', &mut self.line);
        read.map_err(|source| Error::io(&self.path, "cannot read", source))?;
        if self.line.is_empty() {
            return self.check().map(|()| None);
        }
        self.lines += 1;
        let wrong = |problem: String| {
            let remedy = "the bundle is damaged: make it again or copy it again";
            Error::line(&self.path, self.lines, format!("{problem}; {remedy}"))
        };
        if self.line.len() > MAX_LINE {
            return Err(wrong(format!("longer than {} MiB", MAX_LINE >> 20)));
        }
        let page: Page = serde_json::from_slice(&self.line).map_err(|problem| {
            let problem = webrank_base::shown::shown(&problem.to_string());
            wrong(format!("not the text of a node ({problem})"))
        })?;
        if page.node as usize >= self.num_nodes || self.last.is_some_and(|last| last >= page.node) {
            let node = page.node;
            return Err(wrong(format!(
                "node {node} is out of order or out of range"
            )));
        }
        self.last = Some(page.node);
        Ok(Some(page))
    }

    /// Compares what was read with the manifest.
    fn check(&self) -> Result<()> {
        let read = &self.input.get_ref().get_ref().get_ref().hasher;
        match &self.expected {
            Some(expected) if *expected != super::hex(read.digest128()) => {
                let problem = "the file does not match its checksum in the manifest; the bundle is \
                               damaged: make it again or copy it again";
                Err(Error::file(&self.path, problem))
            }
            _ => Ok(()),
        }
    }
}

impl Iterator for Pages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Result<Page>> {
        if self.is_over {
            return None;
        }
        let next = self.read().transpose();
        self.is_over = !matches!(next, Some(Ok(_)));
        next
    }
}

/// Writes the texts of nodes that get these new numbers into the folder of a bundle, sorted within
/// `room`.
///
/// # Errors
/// If they cannot be read or written, or if memory is short.
pub(crate) fn renumber(
    pages: Pages,
    numbers: &[Node],
    room: SpillBudget,
    folder: &Path,
) -> Result<()> {
    let mut sorter = NameSorter::new(room, true);
    let mut record = Vec::new();
    for page in pages {
        let page = page?;
        let node = numbers[page.node as usize];
        record.clear();
        record.extend(node.to_be_bytes());
        write_line(&Page { node, ..page }, &mut record);
        sorter.push(&record)?;
    }
    let mut out = PagesWriter::create(folder)?;
    sorter.finish(&mut |record, _| out.push_line(record.get(4..).unwrap_or_default()))?;
    out.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(node: Node, text: &str) -> Page {
        Page {
            node,
            title: "a \"title\"".to_owned(),
            text: text.to_owned(),
            anchors: vec![text.to_owned(), "é".to_owned()],
        }
    }

    fn open(folder: &Path, num_nodes: usize) -> Pages {
        Pages::open(folder.join(PAGES), num_nodes, None).unwrap()
    }

    #[test]
    fn pages_are_read_as_they_were_written_and_renumbered() {
        let folder = tempfile::tempdir().unwrap();
        let pages = [
            page(1, "one\u{2028}"),
            page(3, ""),
            page(4, &"x".repeat(MAX_TEXT)),
        ];
        let mut out = PagesWriter::create(folder.path()).unwrap();
        pages.iter().for_each(|page| out.push(page).unwrap());
        out.finish().unwrap();
        let read: Result<Vec<Page>> = open(folder.path(), 5).collect();
        assert_eq!(read.unwrap(), pages);
        let other = tempfile::tempdir().unwrap();
        let room = SpillBudget {
            bytes: 0,
            folder: Some(
                webrank_base::output::TemporaryFolder::create(other.path())
                    .unwrap()
                    .into(),
            ),
        };
        renumber(open(folder.path(), 5), &[0, 4, 1, 2, 3], room, other.path()).unwrap();
        let read: Result<Vec<Page>> = open(other.path(), 5).collect();
        let nodes: Vec<Node> = read
            .as_ref()
            .unwrap()
            .iter()
            .map(|page| page.node)
            .collect();
        assert_eq!(nodes, [2, 3, 4]);
        assert_eq!(read.unwrap()[2].text, "one\u{2028}");
    }

    #[test]
    fn damage_is_an_error_that_names_the_line_and_ends_the_pages() {
        let folder = tempfile::tempdir().unwrap();
        let line = |node: u32| format!(r#"{{"node":{node},"title":"","text":"","anchors":[]}}"#);
        let long = format!("\"{}\"", "x".repeat(MAX_LINE));
        for (lines, words) in [
            (vec![line(0), line(0)], "line 2: node 0 is out of order"),
            (
                vec![line(2)],
                "line 1: node 2 is out of order or out of range",
            ),
            (vec![line(0), "{".into()], "line 2: not the text of a node"),
            (vec![long], "line 1: longer than 4 MiB"),
        ] {
            let bytes = zstd::encode_all(lines.join("\n").as_bytes(), 1).unwrap();
            std::fs::write(folder.path().join(PAGES), bytes).unwrap();
            let mut pages = open(folder.path(), 2);
            let problem = pages.find_map(Result::err).unwrap().to_string();
            assert!(problem.contains(words), "{problem}");
            assert!(pages.next().is_none());
        }
    }
}
