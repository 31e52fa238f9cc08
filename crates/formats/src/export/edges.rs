//! A line for each arc: source and target, and the weight if there is one. A node without arcs has a
//! line of its own at the end, so that the graph reads back whole. Beside a table of the nodes, which
//! has them all, the list has a header instead, as Gephi wants it. It has a header, too, if the first arc may
//! be taken for one, or for numbers of nodes and arcs.
//!
//! Names are fields of CSV in quotation marks. Between tabs there is no quoting: names with tabs,
//! and those that look like comments, are refused.

use super::super::import::reads_back;
use super::{Exported, Failure, Written};
use std::io::{self, Write};
use webrank_base::Node;
use webrank_base::error::Error;
use webrank_base::memory::filled;
use webrank_base::shown::quoted;

pub(super) fn write(graph: &Exported, separator: u8, out: &mut dyn Write) -> Written {
    let n = graph.num_nodes();
    let mut line = Vec::new();
    let has_table = !graph.columns.is_empty();
    if has_table {
        let header = match graph.weights {
            None => &["Source", "Target"][..],
            Some(_) => &["Source", "Target", "Weight"],
        };
        writeln!(out, "{}", header.join(&char::from(separator).to_string()))?;
    }
    let mut out = Start {
        held: Some(Vec::new()).filter(|_| !has_table && graph.rows.num_arcs() > 0),
        header: &|| header(graph, separator),
        is_weighted: graph.weights.is_some(),
        out,
    };
    let mut has_arcs = filled(false, n, "nodes")?;
    graph.each_row(&mut |source, row, weights| {
        if row.is_empty() {
            return Ok(());
        }
        has_arcs[source as usize] = true;
        line.clear();
        push_node(graph, source, separator, &mut line)?;
        line.push(separator);
        let start = line.len();
        for (i, &target) in row.iter().enumerate() {
            has_arcs[target as usize] = true;
            line.truncate(start);
            push_node(graph, target, separator, &mut line)?;
            if let Some(weights) = weights {
                line.push(separator);
                line.extend_from_slice(ryu::Buffer::new().format(weights[i]).as_bytes());
            }
            line.push(b'\n');
            out.write_all(&line)?;
        }
        Ok(())
    })?;
    if has_table {
        return Ok(());
    }
    // Numbers go up to the largest: only it needs to be mentioned.
    let first = if graph.names.is_some() {
        0
    } else {
        n.saturating_sub(1)
    };
    for node in (first..n).filter(|&node| !has_arcs[node]) {
        line.clear();
        push_node(graph, node as Node, separator, &mut line)?;
        line.push(b'\n');
        out.write_all(&line)?;
    }
    Ok(out.decide(true)?)
}

/// A header that no arc is equal to.
fn header(graph: &Exported, separator: u8) -> String {
    let n = graph.num_nodes() as Node;
    let is_node = |text: &str| {
        let mut names = graph.names.into_iter().flat_map(|name| (0..n).map(name));
        names.any(|name| name == text)
    };
    let mut names = ["source".to_owned(), "target".to_owned()];
    for number in 1.. {
        if !is_node(&names[0]) {
            break;
        }
        names = [format!("source{number}"), format!("target{number}")];
    }
    let mut header = names.join(&char::from(separator).to_string());
    if graph.weights.is_some() {
        header.push(char::from(separator));
        header.push_str("weight");
    }
    header + "\n"
}

/// Holds the start of a list back until it is known whether it needs a header.
struct Start<'a> {
    held: Option<Vec<u8>>,
    header: &'a dyn Fn() -> String,
    is_weighted: bool,
    out: &'a mut dyn Write,
}

/// So many bytes of a list show what it is.
const SHOWN: usize = 1 << 16;

impl Start<'_> {
    /// Writes what was held back, which may be all.
    fn decide(&mut self, is_whole: bool) -> io::Result<()> {
        let Some(held) = self.held.take() else {
            return Ok(());
        };
        if !reads_back(&held[..held.len().min(SHOWN)], is_whole, self.is_weighted) {
            self.out.write_all((self.header)().as_bytes())?;
        }
        self.out.write_all(&held)
    }
}

impl Write for Start<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(held) = &mut self.held else {
            return self.out.write(bytes);
        };
        held.extend_from_slice(bytes);
        if held.len() >= SHOWN {
            self.decide(false)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Adds a node to a line.
fn push_node(graph: &Exported, node: Node, separator: u8, line: &mut Vec<u8>) -> Written {
    let Some(name) = graph.names else {
        line.extend_from_slice(itoa::Buffer::new().format(node).as_bytes());
        return Ok(());
    };
    let name = name(node);
    if separator == b',' {
        line.push(b'"');
        for &byte in name.as_bytes() {
            if byte == b'"' {
                line.push(b'"');
            }
            line.push(byte);
        }
        line.push(b'"');
        return Ok(());
    }
    let is_ambiguous = name.starts_with(['#', '%', ' ']) || name.ends_with([' ', '\r']);
    if is_ambiguous || name.contains('\t') || name.is_empty() {
        let problem = format!(
            "the name {} of node {node} cannot stand between tabs; write .csv, which has quotation \
             marks",
            quoted(name)
        );
        return Err(Failure::Graph(Error::Rows { problem }));
    }
    line.extend_from_slice(name.as_bytes());
    Ok(())
}
