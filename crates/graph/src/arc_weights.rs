//! A positive number for each arc, from a file.
//!
//! Files ending in `.f32` or `.f64` hold numbers of that type, little-endian, in the order of the
//! arcs: by source, then by target. Others are text, `source,target,weight` lines in any order,
//! one for every arc; a header that starts with `source` is skipped.

use crate::Csr;
use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::path::Path;
use webrank_base::error::{Error, Result};
use webrank_base::memory::filled;
use webrank_tables::text::checksums::Checksums;
use webrank_tables::text::keys::NodeKeys;
use webrank_tables::text::names::Names;
use webrank_tables::text::records::{Record, Records};
use webrank_tables::text::separator::unquoted;

/// Reads the weight of each arc of a graph given by its rows of successors; notes the checksum of the
/// file.
///
/// # Errors
/// If the file cannot be read; if it does not have one weight for each arc; if a weight is not
/// positive and finite, a node is unknown, or an arc is not in the graph or twice in the file
/// (messages name the arc or the line).
pub fn read_weights(
    path: &Path,
    successors: &Csr,
    names: Option<&Names>,
    checksums: &Checksums,
) -> Result<Vec<f64>> {
    match raw_numbers(path, successors.num_arcs(), "weights", checksums)? {
        Some(weights) => match weights.iter().position(|&weight| !is_weight(weight)) {
            None => Ok(weights),
            Some(arc) => {
                let weight = weights[arc];
                let problem =
                    format!("arc {arc} weighs {weight}; weights must be positive and finite");
                Err(Error::file(path, problem))
            }
        },
        None => {
            let records = Records::list_noting(path, checksums)?;
            read_text(path, records, successors, names)
        }
    }
}

/// The numbers of a file that ends in `.f32` or `.f64`, one for each arc by source and target; none for
/// other files, which are text. Notes the checksum of the file.
///
/// # Errors
/// If the file cannot be read, or does not have so many numbers.
pub fn raw_numbers(
    path: &Path,
    arcs: u64,
    what: &'static str,
    checksums: &Checksums,
) -> Result<Option<Vec<f64>>> {
    let numbers = || {
        let file = File::open(path).map_err(|source| Error::io(path, "cannot open", source))?;
        Ok::<_, Error>(checksums.noting(path, file))
    };
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("f32") => {
            let number = |bytes| f32::from_le_bytes(bytes) as f64;
            read_raw(path, numbers()?, (arcs, what), number).map(Some)
        }
        Some("f64") => read_raw(path, numbers()?, (arcs, what), f64::from_le_bytes).map(Some),
        _ => Ok(None),
    }
}

fn read_raw<const BYTES: usize>(
    path: &Path,
    input: impl Read,
    (arcs, what): (u64, &'static str),
    number: impl Fn([u8; BYTES]) -> f64,
) -> Result<Vec<f64>> {
    let cannot = |source| Error::io(path, "cannot read", source);
    let expected = arcs * BYTES as u64;
    let mut numbers = filled(0.0, arcs as usize, what)?;
    // One byte more shows that the file is longer: it may be a device without end.
    let mut input = BufReader::with_capacity(1 << 18, input.take(expected + 1));
    for (arc, place) in numbers.iter_mut().enumerate() {
        let mut bytes = [0; BYTES];
        match input.read_exact(&mut bytes) {
            Ok(()) => *place = number(bytes),
            Err(e) if e.kind() == ErrorKind::UnexpectedEof => {
                let found = arc * BYTES;
                let problem = format!(
                    "{found} bytes, but {expected} are needed for the {arcs} arcs of the graph"
                );
                return Err(Error::file(path, problem));
            }
            Err(e) => return Err(cannot(e)),
        }
    }
    if !input.fill_buf().map_err(cannot)?.is_empty() {
        let problem =
            format!("too many bytes: {expected} are needed for the {arcs} arcs of the graph");
        return Err(Error::file(path, problem));
    }
    Ok(numbers)
}

fn read_text(
    path: &Path,
    records: Records,
    successors: &Csr,
    names: Option<&Names>,
) -> Result<Vec<f64>> {
    let keys = NodeKeys::new(successors.num_nodes(), names);
    let weights = parse_weights(records, successors, keys)?;
    let missing = weights.iter().filter(|&&weight| weight == 0.0).count();
    if missing > 0 {
        let arcs = weights.len();
        let verb = if missing == 1 { "has" } else { "have" };
        let problem = format!("{missing} of the {arcs} arcs of the graph {verb} no weight");
        return Err(Error::file(path, problem));
    }
    Ok(weights)
}

/// The weight of each arc in a list, 0 where there is none.
///
/// # Errors
/// As for [`read_weights`].
pub fn parse_weights(records: Records, successors: &Csr, keys: NodeKeys) -> Result<Vec<f64>> {
    let mut weights = filled(0.0, successors.num_arcs() as usize, "weights")?;
    for_arcs(records, successors, keys, |record, arc| {
        let weight = record.number(2).filter(|&weight| is_weight(weight));
        let wrong = || {
            record.wrong(format!(
                "'{}' is not a positive number",
                record.shown(2).trim()
            ))
        };
        let weight = weight.ok_or_else(wrong)?;
        match std::mem::replace(&mut weights[arc], weight) {
            0.0 => Ok(()),
            _ => Err(record.wrong("the arc already has a weight")),
        }
    })?;
    Ok(weights)
}

/// Calls `take` with each line `source,target,number` of a list, and the place of its arc by source and
/// target; a header that starts with `source` is skipped.
///
/// # Errors
/// If a line has other fields, a node is unknown or an arc is not in the graph; those of `take`.
pub fn for_arcs(
    mut records: Records,
    successors: &Csr,
    keys: NodeKeys,
    mut take: impl FnMut(&Record, usize) -> Result<()>,
) -> Result<()> {
    let mut is_first = true;
    while records.advance()? {
        let record = records.record();
        if record.is_comment() || (std::mem::take(&mut is_first) && is_header(&record)?) {
            continue;
        }
        take(&record, place_of(&record, successors, &keys)?)?;
    }
    Ok(())
}

fn is_header(record: &Record) -> Result<bool> {
    let first = record.text(0)?;
    let first = unquoted(first).unwrap_or_else(|| first.to_owned());
    Ok(first.starts_with("source") && record.number(record.len() - 1).is_none())
}

/// The place of the arc of a line.
fn place_of(record: &Record, successors: &Csr, keys: &NodeKeys) -> Result<usize> {
    if record.len() != 3 {
        let found = record.len();
        let problem = format!(
            "{found} fields, not the three of 'source,target,weight'; a name with a comma stands in \
             quotation marks"
        );
        return Err(record.wrong(problem));
    }
    let node = |field: usize| keys.find_in(record, record.text(field)?);
    let (from, to) = (node(0)?, node(1)?);
    let place = successors.row(from).binary_search(&to).map_err(|_| {
        let (source, target) = (record.shown(0), record.shown(1));
        record.wrong(format!("the graph has no arc {source} -> {target}"))
    })?;
    Ok(successors.offsets()[from as usize] as usize + place)
}

fn is_weight(weight: f64) -> bool {
    weight.is_finite() && weight > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// a,b -> "c" -> #d -> source -> a,b.
    fn parse(text: &str) -> Result<Vec<f64>> {
        let names = Names::from_text("a,b\n\"c\"\n#d\nsource\n");
        let graph = Csr::from_arcs(4, [(0, 1), (1, 2), (2, 3), (3, 0)]).unwrap();
        parse_weights(
            Records::of_bytes(text),
            &graph,
            NodeKeys::new(4, Some(&names)),
        )
    }

    #[test]
    fn every_name_can_be_the_end_of_an_arc() {
        let csv =
            "\"source\",\"a,b\",4\n\"#d\",source,3\n\"\"\"c\"\"\",#d,2\n\"a,b\",\"\"\"c\"\"\",1\n";
        let tsv = "# arcs\nsource\ta,b\t4\n\"#d\"\tsource\t3\r\n\"c\"\t#d\t2\na,b\t\"c\"\t1\n";
        let blanks = "source target weight\nsource  a,b 4\n2 3 3\n\"c\" #d 2\n0 1 1\n";
        for text in [csv, tsv, blanks, &format!("source,target,weight\n{csv}")] {
            assert_eq!(parse(text).unwrap(), [1.0, 2.0, 3.0, 4.0], "{text}");
        }
    }

    #[test]
    fn what_is_no_list_of_weights_is_refused() {
        for (text, words) in [
            ("a,b,\"c\",1\n", "line 1: 4 fields"),
            ("source,x,1\n", "line 1: 'x': no node has this name"),
            (
                "source,\"a,b\",1\nsource,\"a,b\",1\n",
                "line 2: the arc already has a weight",
            ),
            ("source,#d,1\n", "no arc source -> #d"),
            ("source\ta,b\t-1\n", "line 1: '-1' is not a positive number"),
        ] {
            let problem = parse(text).unwrap_err().to_string();
            assert!(problem.contains(words), "{problem}");
        }
    }
}
