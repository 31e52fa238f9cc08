//! DOT, of Graphviz: names are ids in quotation marks; nodes without names have their numbers.
//!
//! Source: <https://graphviz.org/doc/info/lang.html>.

use super::{Exported, Failure, Written, label, score};
use std::fmt::Write as _;
use std::io::Write;
use webrank_base::Node;
use webrank_base::error::Error;
use webrank_base::shown::quoted;

pub(super) fn write(graph: &Exported, out: &mut dyn Write) -> Written {
    writeln!(out, "digraph {{")?;
    let mut text = String::new();
    for node in 0..graph.num_nodes() as Node {
        text.clear();
        text.push_str("  ");
        push_id(graph, node, &mut text)?;
        if let Some(score) = score(graph, node) {
            let _ = write!(text, " [score=\"{}\"]", ryu::Buffer::new().format(score));
        }
        text.push_str(";\n");
        out.write_all(text.as_bytes())?;
    }
    graph.each_row(&mut |source, row, weights| {
        text.clear();
        text.push_str("  ");
        push_id(graph, source, &mut text)?;
        text.push_str(" -> ");
        let start = text.len();
        for (place, &target) in row.iter().enumerate() {
            text.truncate(start);
            push_id(graph, target, &mut text)?;
            if let Some(weights) = weights {
                let weight = ryu::Buffer::new().format(weights[place]).to_owned();
                // Numbers of DOT have no exponents.
                let _ = write!(text, " [weight=\"{weight}\"]");
            }
            text.push_str(";\n");
            out.write_all(text.as_bytes())?;
        }
        Ok(())
    })?;
    writeln!(out, "}}")?;
    Ok(())
}

/// Adds a node as an id. A text in quotation marks has one escape: `\"` is a mark.
fn push_id(graph: &Exported, node: Node, text: &mut String) -> Written {
    if graph.names.is_none() {
        let _ = write!(text, "{node}");
        return Ok(());
    }
    let name = label(graph, node)?;
    text.push('"');
    let mut backslashes = 0;
    for letter in name.chars() {
        let is_mark = letter == '"';
        if backslashes % 2 == 1 && (is_mark || matches!(letter, '\n' | '\r')) {
            return Err(unwritable(&name, node));
        }
        backslashes = if letter == '\\' { backslashes + 1 } else { 0 };
        if is_mark {
            text.push('\\');
        }
        text.push(letter);
    }
    if backslashes % 2 == 1 {
        return Err(unwritable(&name, node));
    }
    text.push('"');
    Ok(())
}

fn unwritable(name: &str, node: Node) -> Failure {
    let problem = format!(
        "the name {} of node {node} has a backslash before a quotation mark or at its end, which DOT \
         cannot hold; write another format",
        quoted(name)
    );
    Failure::Graph(Error::Rows { problem })
}
