//! GML: ids are the numbers of nodes, labels are their names, or their numbers if they have none.
//!
//! The text is ASCII, as GML's definition says: other characters are entities. Source: Himsolt, GML: A
//! Portable Graph File Format, 1997.

use super::attributes::Value;
use super::{Exported, Written, label};
use std::fmt::Write as _;
use std::io::Write;
use webrank_base::Node;

pub(super) fn write(graph: &Exported, out: &mut dyn Write) -> Written {
    writeln!(out, "graph [\n  directed 1")?;
    let mut text = String::new();
    let keys = graph.identifiers(&["id", "label"]);
    for node in 0..graph.num_nodes() as Node {
        text.clear();
        let _ = write!(text, "  node [\n    id {node}\n    label \"");
        push_escaped(&label(graph, node)?, &mut text);
        text.push_str("\"\n");
        for (column, value) in graph.attributes(node) {
            let _ = write!(text, "    {} ", keys[column]);
            push_value(value, &mut text);
            text.push('\n');
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

/// Adds a value. Whole numbers have 32 bits in GML, larger ones become texts; yes and no are 1 and 0.
fn push_value(value: Value, text: &mut String) {
    match value {
        Value::Number(number) => text.push_str(&real(number)),
        Value::Flag(flag) => text.push(if flag { '1' } else { '0' }),
        Value::Whole(number) if i32::try_from(number).is_ok() => text.push_str(&value.text()),
        Value::Whole(_) | Value::Text(_) => {
            text.push('"');
            push_escaped(&value.text(), text);
            text.push('"');
        }
    }
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
