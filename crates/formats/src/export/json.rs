//! JSON of nodes and links, as networkx's `node_link_data` and d3 have it: ids are names, or numbers if
//! nodes have none.

use super::attributes::Value;
use super::{Exported, Written};
use std::fmt::Write as _;
use std::io::Write;
use webrank_base::Node;

pub(super) fn write(graph: &Exported, out: &mut dyn Write) -> Written {
    writeln!(
        out,
        "{{\"directed\": true, \"multigraph\": false, \"graph\": {{}}, \"nodes\": ["
    )?;
    let mut text = String::new();
    let mut next = "";
    let keys = graph.titles(&["id"]);
    for node in 0..graph.num_nodes() as Node {
        text.clear();
        text.push_str(next);
        next = ",\n";
        text.push_str("{\"id\": ");
        push_id(graph, node, &mut text);
        for (column, value) in graph.attributes(node) {
            text.push_str(", ");
            push_text(&keys[column], &mut text);
            text.push_str(": ");
            match value {
                Value::Text(value) => push_text(value, &mut text),
                value => text.push_str(&value.text()),
            }
        }
        text.push('}');
        out.write_all(text.as_bytes())?;
    }
    write!(out, "\n], \"edges\": [\n")?;
    let mut next = "";
    graph.each_arc(|source, target, weight| {
        text.clear();
        text.push_str(next);
        next = ",\n";
        text.push_str("{\"source\": ");
        push_id(graph, source, &mut text);
        text.push_str(", \"target\": ");
        push_id(graph, target, &mut text);
        if let Some(weight) = weight {
            let _ = write!(text, ", \"weight\": {}", ryu::Buffer::new().format(weight));
        }
        text.push('}');
        out.write_all(text.as_bytes())?;
        Ok(())
    })?;
    writeln!(out, "\n]}}")?;
    Ok(())
}

/// Adds a node.
fn push_id(graph: &Exported, node: Node, text: &mut String) {
    let Some(name) = graph.names else {
        let _ = write!(text, "{node}");
        return;
    };
    push_text(name(node), text);
}

/// Adds a text in quotation marks.
fn push_text(it: &str, text: &mut String) {
    text.push('"');
    for letter in it.chars() {
        match letter {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\0'..' ' => {
                let _ = write!(text, "\\u{:04x}", u32::from(letter));
            }
            letter => text.push(letter),
        }
    }
    text.push('"');
}
