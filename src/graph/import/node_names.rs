//! Names of nodes that have numbers: a line for each node, in their order, as a name or as a number
//! and a name (`7<TAB>org.example`); further columns do not count.

use super::{NameSink, Sources};
use crate::error::{Error, Result};
use crate::graph::text::records::Records;
use crate::graph::text::shown::quoted;
use std::path::Path;

/// Gives the names in a file, or in a folder of parts, to `sink`; returns how many nodes there are, at least `nodes`.
///
/// # Errors
/// If the file cannot be read, if numbers are not in order, or if there are fewer names than nodes.
pub(super) fn read(path: &Path, nodes: u64, sink: &mut NameSink) -> Result<usize> {
    let mut count = 0;
    for part in Sources::new(&[path.to_owned()])?.files() {
        read_part(part, &mut count, sink)?;
    }
    if count < nodes {
        let last = nodes - 1;
        let problem = format!("only {count} names, but arcs name nodes up to number {last}");
        return Err(Error::file(path, problem));
    }
    Ok(count as usize)
}

fn read_part(path: &Path, count: &mut u64, sink: &mut NameSink) -> Result<()> {
    let mut records = Records::list(path)?.without_comments();
    while records.advance()? {
        let record = records.record();
        let name = match record.len() {
            1 => record.text(0)?,
            _ => {
                let number = record.text(0)?.trim();
                if number.parse() != Ok(*count) {
                    return Err(record.wrong(format!(
                        "{} is not the next number, {count}: lines are a name each, or a number from \
                         0 and a name, in order",
                        quoted(number)
                    )));
                }
                record.text(1)?
            }
        };
        if name.contains('\n') {
            return Err(record.wrong("a name contains a line feed; rename it"));
        }
        sink(name)?;
        *count += 1;
    }
    Ok(())
}
