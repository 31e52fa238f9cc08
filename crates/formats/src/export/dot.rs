//! DOT, of Graphviz: names are ids in quotation marks; nodes without names have their numbers.
//!
//! Source: <https://graphviz.org/doc/info/lang.html>.

use super::{Exported, Failure, Written, label};
use std::fmt::Write as _;
use std::io::Write;
use webrank_base::Node;
use webrank_base::error::Error;
use webrank_base::shown::quoted;

pub(super) fn write(graph: &Exported, out: &mut dyn Write) -> Written {
    writeln!(out, "digraph {{")?;
    let mut text = String::new();
    let keys = graph.identifiers(&[]);
    for node in 0..graph.num_nodes() as Node {
        text.clear();
        text.push_str("  ");
        push_id(graph, node, &mut text)?;
        let mut next = " [";
        for (column, value) in graph.attributes(node) {
            let _ = write!(text, "{next}{}=", keys[column]);
            push_quoted(&value.text(), &mut text)
                .map_err(|value| unwritable(&value, "attribute", node))?;
            next = ", ";
        }
        if next == ", " {
            text.push(']');
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
    push_quoted(&name, text).map_err(|name| unwritable(&name, "name", node))
}

/// Adds a text in quotation marks; fails with the text if that has no such form.
fn push_quoted(it: &str, text: &mut String) -> Result<(), String> {
    text.push('"');
    let mut backslashes = 0;
    for letter in it.chars() {
        let is_mark = letter == '"';
        if backslashes % 2 == 1 && (is_mark || matches!(letter, '\n' | '\r')) {
            return Err(it.to_owned());
        }
        backslashes = if letter == '\\' { backslashes + 1 } else { 0 };
        if is_mark {
            text.push('\\');
        }
        text.push(letter);
    }
    if backslashes % 2 == 1 {
        return Err(it.to_owned());
    }
    text.push('"');
    Ok(())
}

fn unwritable(it: &str, what: &str, node: Node) -> Failure {
    let problem = format!(
        "the {what} {} of node {node} has a backslash before a quotation mark or at its end, which DOT \
         cannot hold; write another format",
        quoted(it)
    );
    Failure::Graph(Error::Rows { problem })
}
