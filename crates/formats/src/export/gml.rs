//! GML: ids are the numbers of nodes, labels are their names, or their numbers if they have none.
//!
//! The text is ASCII, as GML's definition says: other characters are entities. Source: Himsolt, GML: A
//! Portable Graph File Format, 1997.

use super::{Exported, Written, label, score};
use std::fmt::Write as _;
use std::io::Write;
use webrank_base::Node;

pub(super) fn write(graph: &Exported, out: &mut dyn Write) -> Written {
    writeln!(out, "graph [\n  directed 1")?;
    let mut text = String::new();
    for node in 0..graph.num_nodes() as Node {
        text.clear();
        let _ = write!(text, "  node [\n    id {node}\n    label \"");
        push_escaped(&label(graph, node)?, &mut text);
        text.push_str("\"\n");
        if let Some(score) = score(graph, node) {
            let _ = writeln!(text, "    score {}", real(score));
        }
        text.push_str("  ]\n");
        out.write_all(text.as_bytes())?;
    }
    graph.each_arc(|source, target, weight| {
        text.clear();
        let _ = write!(text, "  edge [\n    source {source}\n    target {target}\n");
        if let Some(weight) = weight {
            let _ = writeln!(text, "    weight {}", real(weight));
        }
        text.push_str("  ]\n");
        out.write_all(text.as_bytes())?;
        Ok(())
    })?;
    writeln!(out, "]")?;
    Ok(())
}

/// A real number of GML, which has a point.
fn real(value: f64) -> String {
    let text = ryu::Buffer::new().format(value).to_owned();
    match text.split_once('e') {
        Some((digits, exponent)) if !digits.contains('.') => format!("{digits}.0e{exponent}"),
        _ => text,
    }
}

/// Adds a text; what GML's texts cannot hold becomes entities.
fn push_escaped(label: &str, text: &mut String) {
    for letter in label.chars() {
        match letter {
            '"' => text.push_str("&quot;"),
            '&' => text.push_str("&amp;"),
            ' '..='~' => text.push(letter),
            _ => {
                let _ = write!(text, "&#{};", u32::from(letter));
            }
        }
    }
}
