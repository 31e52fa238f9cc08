//! DOT, the language of Graphviz: `digraph { a -> b -> c [weight=2]; {d e} -> f }`.
//!
//! The id of a node is its name: a word, a numeral, a text in quotation marks (parts may be joined by
//! `+`), or a text in angle brackets, which stay part of it. Edges are those of `->` and `--`, between
//! nodes and between all nodes of groups in braces. The attribute `weight` of an edge, of its
//! statement or by `edge [weight=2]`, is its weight. In `strict` graphs an edge that comes again
//! is the same edge, and its weight is the last one. Ports, other attributes and the names of groups
//! are left out.
//!
//! Source: <https://graphviz.org/doc/info/lang.html>.

mod groups;
mod statements;
#[cfg(test)]
mod tests;
mod tokens;

use super::super::Input;
use super::super::recognise::{First, Verdict};
use super::held::{Ends, Held, Naming, Rules, Text};
use std::io::Read;
use std::path::Path;
use webrank_base::error::Result;

use statements::Dot;

/// A file that starts with `strict`, `graph` or `digraph`, perhaps a name, and a brace, comments
/// aside, or which is named `.dot` or `.gv`.
pub(in crate::import) fn recognise(first: &First) -> Verdict {
    // An input that cannot be read as words is something else.
    match (start(first), first.extension()) {
        (Ok(Some(kind)), _) => {
            Verdict::Is(format!("starts as DOT, with '{kind}' and a brace").into())
        }
        (_, Some(extension @ ("dot" | "gv"))) => Verdict::Is(format!("named .{extension}").into()),
        _ => Verdict::No,
    }
}

fn start(first: &First) -> Result<Option<String>> {
    let bytes = first.text.as_bytes();
    let bytes = bytes[..bytes.len().min(MAX_START)].to_vec();
    let text = Text::new("-".as_ref(), Box::new(std::io::Cursor::new(bytes)))?;
    Dot::new(text).header()
}

/// The text before the first brace is shorter.
const MAX_START: usize = 1 << 14;

/// Reads a file.
///
/// # Errors
/// If it cannot be read, or is not DOT.
pub(in crate::import) fn open(
    path: &Path,
    input: Box<dyn Read + Send>,
    unweighted: bool,
) -> Result<Input> {
    let dot = Dot::new(Text::new(path, input)?);
    let (held, is_directed) = dot.read()?;
    held.into_input(&Rules {
        naming: Naming::Ids,
        is_directed,
        unweighted,
    })
}

/// A graph in which every node that is mentioned is there.
fn held(path: &Path) -> Held {
    Held::new(path, Ends::Nodes)
}
