//! Edge lists: a line for each arc, two names or two node numbers, separated by a tab, a comma or
//! blanks; plain, gzip or zstd.
//!
//! A line with a single field declares a node. Lines that start with `#` and empty lines are
//! skipped.

use super::{Imported, sort_names};
use crate::error::{Error, Result};
use crate::graph::csr::check_num_nodes;
use crate::graph::text::names::decompressed;
use crate::graph::{Csr, Node};
use crate::progress::Progress;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// How to read an edge list.
#[derive(Debug, Clone, Default)]
pub struct EdgeOptions {
    /// Fields are node numbers from 0, not names; the graph has nodes up to the largest.
    pub ids: bool,
    /// Skip the first line that is not a comment.
    pub header: bool,
}

/// Reads the edge list at `path`. O(m log m) time, 8 bytes an arc and the names in memory.
///
/// # Errors
/// If the file cannot be read, or a line has no field, too many fields, or an invalid number.
pub fn read_edges(path: &Path, options: &EdgeOptions, progress: &dyn Progress) -> Result<Imported> {
    let file = File::open(path).map_err(|source| Error::io(path, "cannot open", source))?;
    let mut reader = BufReader::with_capacity(1 << 18, decompressed(path, file)?);
    let delimiter = delimiter(&mut reader).map_err(|e| Error::io(path, "cannot read", e))?;
    let mut lines = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .quoting(delimiter == b',')
        .comment(Some(b'#'))
        .flexible(true)
        .has_headers(options.header)
        .from_reader(reader);
    let mut nodes = Nodes::new(options.ids);
    let mut arcs: Vec<(Node, Node)> = Vec::new();
    let mut record = csv::StringRecord::new();
    progress.begin("read arcs", None);
    while lines
        .read_record(&mut record)
        .map_err(|problem| unreadable(path, problem))?
    {
        let line = record.position().map_or(0, csv::Position::line);
        let (source, target) =
            fields(&record).map_err(|problem| Error::line(path, line, problem))?;
        let mut node = |field| {
            let node = nodes.node(field);
            node.map_err(|problem| Error::line(path, line, problem))
        };
        let source = node(source)?;
        if let Some(target) = target {
            arcs.push((source, node(target)?));
        }
        if line.is_multiple_of(PROGRESS_LINES) {
            progress.check()?;
            progress.advance(PROGRESS_LINES);
        }
    }
    progress.end();
    nodes.finish(arcs)
}

const PROGRESS_LINES: u64 = 1 << 16;

/// What stands between fields: a tab if the first line has one, else a comma, else a blank.
fn delimiter(reader: &mut impl BufRead) -> std::io::Result<u8> {
    let mut lines = reader.fill_buf()?.split(|&byte| byte == b'\n');
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(b"#"));
    let first = first.unwrap_or_default();
    let candidates = [b'\t', b',', b' '];
    let found = candidates.into_iter().find(|byte| first.contains(byte));
    Ok(found.unwrap_or(b'\t'))
}

fn unreadable(path: &Path, problem: csv::Error) -> Error {
    let line = problem.position().map_or(0, csv::Position::line);
    match problem.into_kind() {
        csv::ErrorKind::Io(source) => Error::io(path, "cannot read", source),
        csv::ErrorKind::Utf8 { .. } => {
            Error::line(path, line, "is not UTF-8; convert the file to UTF-8")
        }
        other => Error::line(path, line, format!("cannot be read: {other:?}")),
    }
}

/// The one or two fields of a line.
fn fields(record: &csv::StringRecord) -> Result<(&str, Option<&str>), &'static str> {
    let (source, target) = (record.get(0).unwrap_or_default(), record.get(1));
    if record.len() > 2 {
        return Err("more than two fields; a line is 'source<TAB>target', without weights");
    }
    if record.iter().any(|name| name.contains('\n')) {
        return Err("a name contains a line feed, and names are kept one a line; rename it");
    }
    if source.is_empty() || target == Some("") {
        return Err("a name is empty; a line is 'source<TAB>target'");
    }
    Ok((source, target))
}

/// The nodes met so far.
enum Nodes {
    /// Names in order of first occurrence.
    Named(HashMap<Box<str>, Node>),
    /// Numbers; how many there are.
    Numbered(u64),
}

impl Nodes {
    fn new(ids: bool) -> Self {
        match ids {
            true => Nodes::Numbered(0),
            false => Nodes::Named(HashMap::new()),
        }
    }

    fn node(&mut self, field: &str) -> Result<Node, String> {
        match self {
            Nodes::Named(nodes) => {
                if let Some(&node) = nodes.get(field) {
                    return Ok(node);
                }
                let node = nodes.len() as u64;
                check_num_nodes(node + 1).map_err(|problem| problem.to_string())?;
                nodes.insert(field.into(), node as Node);
                Ok(node as Node)
            }
            Nodes::Numbered(count) => {
                let node: u64 = field.trim().parse().map_err(|_| {
                    format!("'{field}' is not a node number; without --ids, fields are names")
                })?;
                check_num_nodes(node.saturating_add(1)).map_err(|problem| problem.to_string())?;
                *count = (node + 1).max(*count);
                Ok(node as Node)
            }
        }
    }

    fn finish(self, mut arcs: Vec<(Node, Node)>) -> Result<Imported> {
        let (num_nodes, names) = match self {
            Nodes::Numbered(count) => (count as usize, None),
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
    fn compressed_lists_are_recognised_by_extension() {
        let text = b"a\tb\n";
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), Default::default());
        gzip.write_all(text).unwrap();
        for (name, bytes) in [
            ("e.tsv.gz", gzip.finish().unwrap()),
            ("e.tsv.zst", zstd::encode_all(&text[..], 1).unwrap()),
        ] {
            let imported = import(name, &bytes, &EdgeOptions::default()).unwrap();
            assert_eq!(names(&imported), ["a", "b"]);
        }
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
