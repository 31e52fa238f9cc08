//! Names of nodes that have numbers: a line for each node, in their order, as a name or as a number
//! and a name (`7<TAB>org.example`); further columns do not count. Names that are not UTF-8
//! are read as ISO-8859-1, in which LAW's lists of URLs are.

use super::{ImportFiles, NameSink};
use std::borrow::Cow;
use std::path::Path;
use webrank_base::error::{Error, Result};
use webrank_base::shown::quoted;
use webrank_tables::text::records::Records;

/// How many names there were.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Count {
    pub(super) all: u64,
    /// Names that were not UTF-8.
    pub(super) in_latin1: u64,
}

/// Gives the names in a file, or in a folder of parts, to `sink`; returns how many there are, at least
/// `nodes`.
///
/// # Errors
/// If the file cannot be read, if numbers are not in order, or if there are fewer names than nodes.
pub(super) fn read(path: &Path, nodes: u64, sink: &mut NameSink) -> Result<Count> {
    let mut count = Count::default();
    for part in ImportFiles::new(&[path.to_owned()])?.files() {
        read_part(part, &mut count, sink)?;
    }
    if count.all < nodes {
        let (all, last) = (count.all, nodes - 1);
        let problem = format!("only {all} names, but arcs name nodes up to number {last}");
        return Err(Error::file(path, problem));
    }
    Ok(count)
}

fn read_part(path: &Path, count: &mut Count, sink: &mut NameSink) -> Result<()> {
    let mut records = Records::list(path)?.without_comments();
    while records.advance()? {
        let record = records.record();
        let field = match record.len() {
            1 => 0,
            _ => {
                let number = record.text(0)?.trim();
                if number.parse() != Ok(count.all) {
                    return Err(record.wrong(format!(
                        "{} is not the next number, {}: lines are a name each, or a number from \
                         0 and a name, in order",
                        quoted(number),
                        count.all
                    )));
                }
                1
            }
        };
        let name = std::str::from_utf8(record.bytes(field));
        count.in_latin1 += u64::from(name.is_err());
        // Each byte of ISO-8859-1 is the number of its character.
        let latin1 = || {
            record
                .bytes(field)
                .iter()
                .map(|&byte| byte as char)
                .collect()
        };
        let name = name.map_or_else(|_| Cow::Owned(latin1()), Cow::Borrowed);
        if name.contains('\n') {
            return Err(record.wrong("a name contains a line feed; rename it"));
        }
        sink(&name)?;
        count.all += 1;
    }
    Ok(())
}
