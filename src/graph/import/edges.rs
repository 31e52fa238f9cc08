//! Edge lists: one arc per line, as two names or two node numbers, by the rules of
//! [`crate::graph::text`].
//!
//! A line with a single field declares a node.

use super::{Imported, sort_names};
use crate::error::{Error, Result};
use crate::graph::csr::check_num_nodes;
use crate::graph::text::records::{Record, Records};
use crate::graph::text::shown::quoted;
use crate::graph::{Csr, Node};
use crate::memory::{free_memory, reserve};
use crate::progress::Progress;
use std::collections::HashMap;
use std::path::Path;

/// How to read an edge list.
#[derive(Debug, Clone, Default)]
pub struct EdgeOptions {
    /// Fields are node numbers from 0, not names; the graph has nodes up to the largest.
    pub ids: bool,
    /// Skip the first line that is not a comment.
    pub header: bool,
}

/// Reads the edge list at `path`. O(m log m) time; 8 bytes for each arc, and the names, in memory.
///
/// # Errors
/// If the file cannot be read, or a line has no field, too many fields, or an invalid number.
pub fn read_edges(path: &Path, options: &EdgeOptions, progress: &dyn Progress) -> Result<Imported> {
    parse_edges(Records::list(path)?, options, progress)
}

/// The graph in a list of arcs.
///
/// # Errors
/// As for [`read_edges`].
pub fn parse_edges(
    mut records: Records,
    options: &EdgeOptions,
    progress: &dyn Progress,
) -> Result<Imported> {
    let mut nodes = Nodes::new(options.ids);
    let mut arcs: Vec<(Node, Node)> = Vec::new();
    let (mut skip, mut since) = (options.header, 0);
    progress.begin("read arcs", None);
    while records.advance()? {
        let record = records.record();
        if record.is_comment() || std::mem::take(&mut skip) {
            continue;
        }
        let (source, target) = fields(&record)?;
        let source = nodes.node(source, &record)?;
        if let Some(target) = target {
            reserve(&mut arcs, 1, "arcs")?;
            arcs.push((source, nodes.node(target, &record)?));
        }
        since += 1;
        if since == PROGRESS_RECORDS {
            progress.check()?;
            progress.advance(std::mem::take(&mut since));
        }
    }
    progress.end();
    if let Nodes::Numbered { count, line } = nodes {
        let checked = check_rows_fit(count, free_memory);
        checked.map_err(|problem| records.wrong(line, problem))?;
    }
    nodes.finish(arcs)
}

/// Refuses a largest number, perhaps a slip, if memory cannot hold so many nodes even without arcs.
fn check_rows_fit(num_nodes: u64, free_memory: impl FnOnce() -> u64) -> Result<(), String> {
    let bytes = 8 * num_nodes;
    if bytes < SMALL || bytes <= free_memory() {
        return Ok(());
    }
    Err(format!(
        "node {}: a graph with nodes up to this number needs {:.1} GB or more, but less is free; \
         if numbers have gaps, import them as names, without --ids",
        num_nodes - 1,
        bytes as f64 / 1e9
    ))
}

/// Up to this many bytes, free memory is not checked.
const SMALL: u64 = 1 << 26;

const PROGRESS_RECORDS: u64 = 1 << 16;

/// The one or two fields of a line.
fn fields<'a>(record: &Record<'a>) -> Result<(&'a str, Option<&'a str>)> {
    let wrong = |problem| Err(record.wrong(problem));
    if record.len() > 2 {
        return wrong("more than two fields; a line is 'source<TAB>target', without weights");
    }
    let source = record.text(0)?;
    let target = (record.len() == 2).then(|| record.text(1)).transpose()?;
    if source.is_empty() || target == Some("") {
        return wrong("a name is empty; a line is 'source<TAB>target'");
    }
    let has_line_feed = |name: &str| name.contains('\n');
    if record.is_quoted() && (has_line_feed(source) || target.is_some_and(has_line_feed)) {
        return wrong("a name contains a line feed, but names are kept one per line; rename it");
    }
    Ok((source, target))
}

/// The nodes met so far.
enum Nodes {
    /// Names in order of first occurrence.
    Named(HashMap<Box<str>, Node>),
    /// Numbers: how many nodes there are, and the line that implies it.
    Numbered { count: u64, line: u64 },
}

impl Nodes {
    fn new(ids: bool) -> Self {
        if ids {
            Nodes::Numbered { count: 0, line: 0 }
        } else {
            Nodes::Named(HashMap::new())
        }
    }

    fn node(&mut self, field: &str, record: &Record) -> Result<Node> {
        let check =
            |count| check_num_nodes(count).map_err(|problem| record.wrong(problem.to_string()));
        match self {
            Nodes::Named(nodes) => {
                if let Some(&node) = nodes.get(field) {
                    return Ok(node);
                }
                let node = nodes.len() as u64;
                check(node + 1)?;
                let bytes = 2 * size_of::<(Box<str>, Node)>() as u64 * (node + 1);
                let reserved = nodes.try_reserve(1);
                reserved.map_err(|_| Error::memory("names", bytes))?;
                nodes.insert(field.into(), node as Node);
                Ok(node as Node)
            }
            Nodes::Numbered { count, line } => {
                let node: u64 = field.trim().parse().map_err(|_| {
                    record.wrong(format!(
                        "{} is not a node number; without --ids, fields are names",
                        quoted(field)
                    ))
                })?;
                check(node.saturating_add(1))?;
                if node >= *count {
                    (*count, *line) = (node + 1, record.line());
                }
                Ok(node as Node)
            }
        }
    }

    fn finish(self, mut arcs: Vec<(Node, Node)>) -> Result<Imported> {
        let (num_nodes, names) = match self {
            Nodes::Numbered { count, .. } => (count as usize, None),
            Nodes::Named(nodes) => {
                let mut names = vec![Box::default(); nodes.len()];
                for (name, node) in nodes {
                    names[node as usize] = name;
                }
                (names.len(), Some(sort_names(names, &mut arcs)))
            }
        };
        let read = arcs.len() as u64;
        let successors = Csr::from_arcs(num_nodes, arcs)?;
        Ok(Imported {
            duplicates: read - successors.num_arcs(),
            successors,
            names,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;
    use std::io::Write;

    fn import(name: &str, bytes: &[u8], options: &EdgeOptions) -> Result<Imported> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        read_edges(&path, options, &Silent)
    }

    fn names(imported: &Imported) -> Vec<&str> {
        let names = imported.names.as_ref().unwrap();
        names.iter().map(|name| name.as_ref()).collect()
    }

    #[test]
    fn nodes_come_in_the_order_of_their_names() {
        let text = "# a comment\nb\ta\nb\ta\nlonely\nc d\tb\n";
        let imported = import("edges.tsv", text.as_bytes(), &EdgeOptions::default()).unwrap();
        assert_eq!(names(&imported), ["a", "b", "c d", "lonely"]);
        assert_eq!(imported.duplicates, 1);
        assert_eq!(
            imported.successors,
            Csr::from_arcs(4, [(1, 0), (2, 1)]).unwrap()
        );
    }

    #[test]
    fn commas_quotes_and_headers() {
        let text = "source,target\n\"x,y\",z\n";
        let options = EdgeOptions {
            header: true,
            ..Default::default()
        };
        let imported = import("edges.csv", text.as_bytes(), &options).unwrap();
        assert_eq!(names(&imported), ["x,y", "z"]);
    }

    #[test]
    fn numbers_are_nodes_when_asked() {
        let options = EdgeOptions {
            ids: true,
            ..Default::default()
        };
        let imported = import("edges.txt", b"10 2\n2 3\n", &options).unwrap();
        assert!(imported.names.is_none());
        assert_eq!(
            imported.successors,
            Csr::from_arcs(11, [(10, 2), (2, 3)]).unwrap()
        );
        let problem = import("edges.txt", b"10 2\n2 x\n", &options).err().unwrap();
        assert!(
            problem
                .to_string()
                .contains("line 2: 'x' is not a node number")
        );
        let problem = import("edges.txt", b"1 4294967295\n", &options)
            .err()
            .unwrap();
        assert!(problem.to_string().contains("line 1"));
    }

    #[test]
    fn numbers_that_need_more_than_all_memory_are_refused() {
        assert!(check_rows_fit(1000, || 0).is_ok());
        assert!(check_rows_fit(1 << 30, || 8 << 30).is_ok());
        let problem = check_rows_fit(u32::MAX as u64, || 8 << 30).unwrap_err();
        assert!(problem.starts_with("node 4294967294: "), "{problem}");
        assert!(problem.contains("needs 34.4 GB"), "{problem}");
    }

    /// A gzip file of several members, which are read one by one, like the content of a pipe.
    fn parts(parts: &[&str]) -> Vec<u8> {
        let compress = |part: &&str| {
            let mut gzip = flate2::write::GzEncoder::new(Vec::new(), Default::default());
            gzip.write_all(part.as_bytes()).unwrap();
            gzip.finish().unwrap()
        };
        parts.iter().flat_map(compress).collect()
    }

    #[test]
    fn the_separator_is_that_of_the_whole_first_line() {
        let bytes = parts(&["New York", "\tBoston\nBoston\tNew York\n"]);
        let imported = import("edges.tsv.gz", &bytes, &EdgeOptions::default()).unwrap();
        assert_eq!(names(&imported), ["Boston", "New York"]);
    }

    #[test]
    fn lines_that_are_not_arcs_are_named() {
        for (text, word) in [
            (&b"a\tb\na\tb\t3\n"[..], "line 2: more than two"),
            (b"a\tb\n\tb\n", "line 2: a name is empty"),
            (b"a\tb\na\t\xff\n", "line 2: is not UTF-8"),
        ] {
            let problem = import("e.tsv", text, &EdgeOptions::default())
                .err()
                .unwrap();
            assert!(problem.to_string().contains(word), "{problem}");
        }
    }

    #[test]
    fn an_empty_list_is_a_graph_without_nodes() {
        let imported = import("e.tsv", b"", &EdgeOptions::default()).unwrap();
        assert_eq!(imported.successors.num_nodes(), 0);
    }
}
