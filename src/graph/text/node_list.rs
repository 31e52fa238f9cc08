//! Some nodes of a graph, by name or number.
//!
//! A file of nodes has one name or number a line; empty lines and those that start with # do not
//! count. It may also be a table as `rank` writes it: CSV or TSV whose header has a column `name` or
//! `node`. Files may be compressed with gzip or zstd.

use super::names::decompressed;
use super::suggestions::nearest;
use crate::error::{Error, Result};
use crate::graph::{Names, Node};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The node with this name, or else with this number.
pub fn find_node(key: &str, num_nodes: usize, names: Option<&Names>) -> Option<Node> {
    let by_name = names.and_then(|names| names.find(key));
    let number = || {
        let node: Option<Node> = key.parse().ok();
        node.filter(|&node| (node as usize) < num_nodes)
    };
    by_name.or_else(number)
}

/// Names offered in place of one that no node has.
const LIKE_NAMES: usize = 5;

/// Why [`find_node`] finds nothing, as a remedy.
pub fn unknown_node(key: &str, num_nodes: usize, names: Option<&Names>) -> String {
    match names {
        Some(names) => match nearest(names, key, LIKE_NAMES)[..] {
            [] => "no node has this name, nor one like it".to_owned(),
            ref like => format!("no node has this name; did you mean {}?", like.join(", ")),
        },
        None => format!("the graph has no names: give a number below {num_nodes}"),
    }
}

/// Reads a file of nodes, in its order.
///
/// # Errors
/// If the file cannot be read or holds no node; if a node is unknown or occurs twice: the message
/// names the line.
pub fn read_nodes(path: &Path, num_nodes: usize, names: Option<&Names>) -> Result<Vec<Node>> {
    let file = File::open(path).map_err(|source| Error::io(path, "cannot open", source))?;
    let mut text = String::new();
    decompressed(path, file)?
        .read_to_string(&mut text)
        .map_err(|source| Error::io(path, "cannot read", source))?;
    let keys = match key_column(&text, names.is_some()) {
        Some((delimiter, column)) => column_of(path, &text, delimiter, column)?,
        None => lines_of(&text),
    };
    let mut nodes = Vec::with_capacity(keys.len());
    let mut seen = vec![false; num_nodes];
    for (line, key) in keys {
        let node = find_node(&key, num_nodes, names).ok_or_else(|| {
            let problem = format!("'{key}': {}", unknown_node(&key, num_nodes, names));
            Error::line(path, line, problem)
        })?;
        if std::mem::replace(&mut seen[node as usize], true) {
            return Err(Error::line(path, line, format!("'{key}' occurs twice")));
        }
        nodes.push(node);
    }
    match nodes.is_empty() {
        true => Err(Error::file(path, "no nodes; write one a line")),
        false => Ok(nodes),
    }
}

/// The delimiter and the column of keys, if the text is a table.
fn key_column(text: &str, has_names: bool) -> Option<(u8, usize)> {
    let header = text.lines().next()?;
    let delimiter = if header.contains('\t') { '\t' } else { ',' };
    let fields: Vec<&str> = header.split(delimiter).map(str::trim).collect();
    let find = |name: &str| fields.iter().position(|&field| field == name);
    let by_name = find("name").filter(|_| has_names);
    Some((delimiter as u8, by_name.or(find("node"))?)).filter(|_| fields.len() > 1)
}

fn column_of(path: &Path, text: &str, delimiter: u8, column: usize) -> Result<Vec<(u64, String)>> {
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .from_reader(text.as_bytes());
    let mut keys = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|problem| {
            let line = problem.position().map_or(1, csv::Position::line);
            Error::line(path, line, format!("not a table: {problem}"))
        })?;
        let line = record.position().map_or(0, csv::Position::line);
        keys.push((line, record[column].to_owned()));
    }
    Ok(keys)
}

fn lines_of(text: &str) -> Vec<(u64, String)> {
    let lines = text
        .lines()
        .zip(1..)
        .map(|(text, line)| (line, text.trim()));
    let keys = lines.filter(|(_, text)| !text.is_empty() && !text.starts_with('#'));
    keys.map(|(line, text)| (line, text.to_owned())).collect()
}
