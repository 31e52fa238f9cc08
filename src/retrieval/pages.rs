//! The text of the pages of a bundle: one JSON object a line, in increasing order of nodes.
//!
//! `{"node":12,"title":"Vec","text":"A growable array.","anchors":["Vec","vectors"]}`: the title, the
//! text without markup, and the texts of the links that lead to the page. Only `node` is required.
//! Pages without text have no line. Names are those of the bundle.

use crate::error::{Error, Result};
use crate::graph::Node;
use crate::graph::text::input;
use serde::Deserialize;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// The file of a bundle that holds the text of its pages.
pub const PAGES: &str = "pages.jsonl.zst";

/// A longer line is an error: text of a page, with all escapes.
pub const MAX_LINE: u64 = 16 << 20;

/// What a page says, and what links say of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Page {
    /// Its node.
    pub node: Node,
    /// Its title.
    #[serde(default)]
    pub title: String,
    /// Its text without markup.
    #[serde(default)]
    pub text: String,
    /// The texts of the links to it.
    #[serde(default)]
    pub anchors: Vec<String>,
}

/// Reads pages in turn.
pub struct Pages {
    path: PathBuf,
    input: BufReader<Box<dyn Read + Send>>,
    num_nodes: usize,
    line: Vec<u8>,
    number: u64,
    last: Option<Node>,
}

impl Pages {
    /// Opens the pages of a graph with so many nodes; compressed files are decompressed.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub fn open(path: &Path, num_nodes: usize) -> Result<Self> {
        Ok(Pages {
            path: path.to_owned(),
            input: BufReader::with_capacity(1 << 16, input::open(path)?),
            num_nodes,
            line: Vec::new(),
            number: 0,
            last: None,
        })
    }

    /// The next page, until there are no more. Empty lines do not count.
    ///
    /// # Errors
    /// If the file cannot be read, or if a line is too long, is no page, or is out of order.
    pub fn next_page(&mut self) -> Result<Option<Page>> {
        loop {
            self.line.clear();
            self.number += 1;
            let mut limited = self.input.by_ref().take(MAX_LINE + 1);
            limited
                .read_until(b'\n', &mut self.line)
                .map_err(|source| Error::io(&self.path, "cannot read", source))?;
            if self.line.is_empty() {
                return Ok(None);
            }
            if self.line.len() as u64 > MAX_LINE {
                return Err(self.wrong("is longer than 16 MiB; cut the text of the page"));
            }
            if !self.line.trim_ascii().is_empty() {
                return self.parse().map(Some);
            }
        }
    }

    fn parse(&mut self) -> Result<Page> {
        let page: Page = serde_json::from_slice(&self.line)
            .map_err(|problem| self.wrong(&format!("is no page: {problem}")))?;
        if page.node as usize >= self.num_nodes {
            let (node, n) = (page.node, self.num_nodes);
            return Err(self.wrong(&format!(
                "node {node} is none of the {n} nodes of the graph"
            )));
        }
        if self.last.is_some_and(|last| last >= page.node) {
            let problem = format!("node {} is out of order; nodes must increase", page.node);
            return Err(self.wrong(&problem));
        }
        self.last = Some(page.node);
        Ok(page)
    }

    fn wrong(&self, problem: &str) -> Error {
        Error::line(&self.path, self.number, problem)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Page>> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pages.jsonl");
        std::fs::write(&path, text).unwrap();
        let mut pages = Pages::open(&path, 5)?;
        std::iter::from_fn(|| pages.next_page().transpose()).collect()
    }

    #[test]
    fn pages_are_read_in_order() {
        let text =
            "{\"node\":1,\"title\":\"a\",\"text\":\"b\",\"anchors\":[\"c\"]}\n\n{\"node\":4}";
        let pages = read(text).unwrap();
        assert_eq!(pages[0].title, "a");
        assert_eq!(pages[0].anchors, ["c"]);
        assert_eq!((pages[1].node, pages[1].text.as_str()), (4, ""));
    }

    #[test]
    fn wrong_lines_are_named() {
        for (text, word) in [
            ("{\"node\":5}", "line 1: node 5 is none of the 5 nodes"),
            (
                "{\"node\":1}\n{\"node\":1}",
                "line 2: node 1 is out of order",
            ),
            (
                "{\"node\":3}\n{\"node\":1}",
                "line 2: node 1 is out of order",
            ),
            ("{\"node\":-1}", "line 1: is no page"),
            ("{}", "line 1: is no page"),
            ("{\"node\":1", "line 1: is no page"),
            ("\u{fffd}", "line 1: is no page"),
        ] {
            let problem = read(text).unwrap_err().to_string();
            assert!(problem.contains(word), "{problem}");
            assert!(!problem.contains('\n'), "{problem}");
        }
    }

    #[test]
    fn endless_lines_are_refused() {
        let problem = read(&" ".repeat(MAX_LINE as usize + 1)).unwrap_err();
        assert!(
            problem.to_string().contains("longer than 16 MiB"),
            "{problem}"
        );
    }
}
