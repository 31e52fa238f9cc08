//! MatrixMarket's coordinate format: entry (i, j) is the arc from node i - 1 to node j - 1.
//!
//! Source: Boisvert, Pozo and Remington, The Matrix Market Exchange Formats, 1996.

use super::{Exported, Written};
use std::io::Write;

pub(super) fn write(graph: &Exported, out: &mut dyn Write) -> Written {
    let (n, arcs) = (graph.num_nodes(), graph.rows.num_arcs());
    let field = match graph.weights {
        Some(_) => "real",
        None => "pattern",
    };
    writeln!(out, "%%MatrixMarket matrix coordinate {field} general")?;
    writeln!(out, "% entry i j: an arc from node i - 1 to node j - 1")?;
    writeln!(out, "{n} {n} {arcs}")?;
    let mut text = Vec::new();
    graph.each_arc(|source, target, weight| {
        let mut integer = itoa::Buffer::new();
        text.clear();
        text.extend_from_slice(integer.format(u64::from(source) + 1).as_bytes());
        text.push(b' ');
        text.extend_from_slice(integer.format(u64::from(target) + 1).as_bytes());
        if let Some(weight) = weight {
            text.push(b' ');
            text.extend_from_slice(ryu::Buffer::new().format(weight).as_bytes());
        }
        text.push(b'\n');
        out.write_all(&text)?;
        Ok(())
    })
}
