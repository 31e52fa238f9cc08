//! A line for each arc: source and target, and the weight if there is one. A node without arcs has a
//! line of its own at the end, so that the graph reads back whole. Beside a table of the nodes, which
//! has them all, the list has a header instead, as Gephi wants it.
//!
//! Names are fields of CSV in quotation marks. Between tabs there is no quoting: names with tabs,
//! and those that look like comments, are refused.

use super::{Exported, Failure, Written};
use std::io::Write;
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
    Ok(())
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
