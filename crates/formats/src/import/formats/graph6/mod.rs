//! graph6, sparse6 and digraph6, the formats of nauty: a line of printable bytes for each graph, with six
//! bits in each byte.
//!
//! After a header such as `>>graph6<<`, which may be missing, the first byte shows the format: `:`
//! sparse6, `&` digraph6, others graph6. Nodes have numbers from 0. graph6 is the upper triangle of
//! the matrix, column by column; digraph6 is the whole matrix, row by row; sparse6 is a list of edges.
//! Edges of graph6 and sparse6 have no directions. A file of several graphs is refused. Incremental
//! sparse6 (`;`) needs a graph before it, and is refused, too.
//!
//! Source: McKay, <https://users.cecs.anu.edu.au/~bdm/data/formats.txt>.

mod bits;
#[cfg(test)]
mod tests;

use super::super::Input;
use super::super::receiver::{Problem, Receiver};
use super::super::recognise::{First, Verdict};
use super::held::Text;
use std::io::Read;
use std::path::Path;
use webrank_base::Node;
use webrank_base::error::Result;

use bits::Bits;

/// The headers of the formats.
const HEADERS: [&str; 3] = [">>graph6<<", ">>sparse6<<", ">>digraph6<<"];

/// Files with a header, and those named for the format.
pub(in crate::import) fn recognise(first: &First) -> Verdict {
    if let Some(header) = HEADERS
        .iter()
        .find(|header| first.text_bytes().starts_with(header.as_bytes()))
    {
        return Verdict::Is(format!("starts with {header}").into());
    }
    match first.extension() {
        Some(extension @ ("g6" | "s6" | "d6" | "graph6" | "sparse6" | "digraph6")) => {
            Verdict::Is(format!("named .{extension}").into())
        }
        _ if first.is_whole && looks_like_one(&first.text) => {
            Verdict::IsClose("it may be graph6 or sparse6 (--from graph6)".into())
        }
        _ => Verdict::No,
    }
}

/// True if every line has the length that its first byte, the number of nodes, says in graph6, or starts
/// with the mark of another format.
fn looks_like_one(text: &str) -> bool {
    let is_one = |line: &str| {
        let bytes = line.as_bytes();
        let are_bits = |bytes: &[u8]| bytes.iter().all(|byte| (63..127).contains(byte));
        match bytes {
            [b':' | b'&', rest @ ..] => rest.len() > 1 && are_bits(rest),
            // More nodes have a longer number.
            [number @ 65..126, rest @ ..] => {
                let nodes = usize::from(number - 63);
                are_bits(rest) && rest.len() == (nodes * (nodes - 1) / 2).div_ceil(6)
            }
            _ => false,
        }
    };
    !text.trim().is_empty() && text.lines().all(is_one)
}

/// One of the formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Graph6,
    Sparse6,
    Digraph6,
}

/// Reads the header and the number of nodes.
///
/// # Errors
/// If the file cannot be read, or does not start like one of the formats.
pub(in crate::import) fn open(path: &Path, input: Box<dyn Read + Send>) -> Result<Input> {
    let mut text = Text::new(path, input)?;
    let kind = start(&mut text)?;
    let mut bits = Bits::new(text);
    let nodes = bits.number_of_nodes()?;
    Ok(Input {
        weighted: false,
        is_directed: true,
        is_numbered: true,
        read: Box::new(move |to| {
            // A matrix shows by its length how many nodes there are: its end comes before they are made.
            let read = match kind {
                Kind::Graph6 => graph6(&mut bits, nodes, to).and_then(|()| to.declare(nodes)),
                Kind::Digraph6 => digraph6(&mut bits, nodes, to).and_then(|()| to.declare(nodes)),
                Kind::Sparse6 => to
                    .declare(nodes)
                    .and_then(|()| sparse6(&mut bits, nodes, to)),
            };
            read.map_err(|problem| problem.at(|problem| bits.wrong(problem)))?;
            bits.end()
        }),
    })
}

/// Skips a header and the mark of a format.
fn start(text: &mut Text) -> Result<Kind> {
    let mut header = Vec::new();
    if text.peek()? == Some(b'>') {
        // The header ends with its second mark.
        text.take(&mut header, |byte| {
            byte != b'<' && !byte.is_ascii_whitespace()
        })?;
        text.take(&mut header, |byte| byte == b'<')?;
    }
    let kind = match text.peek()? {
        Some(b':') => Kind::Sparse6,
        Some(b'&') => Kind::Digraph6,
        Some(b';') => {
            let problem = "incremental sparse6 (';'), which needs the graph before it; write it as \
                           sparse6 (nauty's copyg -s)";
            return Err(text.wrong(problem));
        }
        _ => Kind::Graph6,
    };
    let expected = match kind {
        Kind::Graph6 => HEADERS[0],
        Kind::Sparse6 => HEADERS[1],
        Kind::Digraph6 => HEADERS[2],
    };
    if !header.is_empty() && header != expected.as_bytes() {
        return Err(text.wrong(format!("the header is not {expected}, as what follows is")));
    }
    if kind != Kind::Graph6 {
        text.next()?;
    }
    Ok(kind)
}

/// The upper triangle, column by column.
fn graph6(bits: &mut Bits, nodes: u64, to: &mut dyn Receiver) -> Result<(), Problem> {
    for column in 1..nodes {
        for row in 0..column {
            if bits.next()? {
                to.edge(row as Node, column as Node, 1.0)?;
            }
        }
    }
    Ok(())
}

/// The matrix, row by row.
fn digraph6(bits: &mut Bits, nodes: u64, to: &mut dyn Receiver) -> Result<(), Problem> {
    for row in 0..nodes {
        for column in 0..nodes {
            if bits.next()? {
                to.arc(row as Node, column as Node, 1.0)?;
            }
        }
    }
    Ok(())
}

/// Pairs of a bit and a number: the bit goes to the next node; a larger number goes to that node, and
/// another one is an edge to it.
fn sparse6(bits: &mut Bits, nodes: u64, to: &mut dyn Receiver) -> Result<(), Problem> {
    // The bits of the largest number of a node.
    let width = u64::BITS - nodes.saturating_sub(1).leading_zeros();
    let mut node = 0;
    while bits.has(1 + width)? {
        node += u64::from(bits.next()?);
        let mut number = 0;
        for _ in 0..width {
            number = number << 1 | u64::from(bits.next()?);
        }
        if node >= nodes || number >= nodes {
            // Only the end is filled so.
            if bits.is_within_last()? {
                return Ok(());
            }
            let problem = format!("node {} of {nodes}", node.max(number));
            return Err(Problem::Record(problem));
        }
        if number > node {
            node = number;
        } else {
            to.edge(number as Node, node as Node, 1.0)?;
        }
    }
    Ok(())
}
