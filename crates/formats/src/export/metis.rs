//! The graph files of METIS: a line for each node with its neighbours, numbered from 1, and weights
//! after them, which are whole numbers. The caller has [checked](super::check_undirected) the graph.
//!
//! Source: Karypis, METIS 5.1.0 manual, section 4.1.

use super::{Exported, Failure, Written};
use std::io::Write;
use webrank_base::error::Error;

pub(super) fn write(graph: &Exported, out: &mut dyn Write) -> Written {
    let (n, edges) = (graph.num_nodes(), graph.rows.num_arcs() / 2);
    let kind = match graph.weights {
        // Weights of edges, none of nodes.
        Some(_) => " 001",
        None => "",
    };
    writeln!(
        out,
        "% node i of the graph is line i + 1 below the next one"
    )?;
    writeln!(out, "{n} {edges}{kind}")?;
    let mut line = Vec::new();
    graph.each_row(&mut |source, row, weights| {
        line.clear();
        for (i, &target) in row.iter().enumerate() {
            if i > 0 {
                line.push(b' ');
            }
            let mut integer = itoa::Buffer::new();
            line.extend_from_slice(integer.format(u64::from(target) + 1).as_bytes());
            if let Some(weights) = weights {
                let weight = whole(weights[i]).ok_or_else(|| {
                    let problem = format!(
                        "the arc {source} -> {target} weighs {}, and weights in METIS files are \
                         whole numbers; scale them, or write another format",
                        weights[i]
                    );
                    Failure::Graph(Error::Rows { problem })
                })?;
                line.push(b' ');
                line.extend_from_slice(integer.format(weight).as_bytes());
            }
        }
        line.push(b'\n');
        out.write_all(&line)?;
        Ok(())
    })
}

/// The weight, if METIS can read it: its numbers have 32 bits by default.
fn whole(weight: f64) -> Option<u32> {
    let is_whole = weight >= 1.0 && weight <= f64::from(i32::MAX) && weight.fract() == 0.0;
    is_whole.then_some(weight as u32)
}
