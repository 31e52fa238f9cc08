//! Lengths of arcs in a file.

use super::decimal::Decimal;
use super::source::{ZERO, check};
use super::whole::Numbers;
use std::path::Path;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::memory::filled;
use webrank_base::units::counted_as;
use webrank_graph::arc_weights::{for_arcs, raw_numbers};
use webrank_graph::{Csr, Graph};
use webrank_tables::text::keys::NodeKeys;
use webrank_tables::text::records::Records;

/// The lengths in a file, and a note if a line stands for both directions.
///
/// # Errors
/// If the file cannot be read, or has not one positive length for each arc.
pub(crate) fn read(path: &Path, graph: &Graph, rows: &Csr) -> Result<(Numbers, Option<String>)> {
    let checksums = graph.files_read();
    if let Some(values) = raw_numbers(path, rows.num_arcs(), "lengths", checksums)? {
        let wrong = |problem| Error::file(path, problem);
        check(&values, graph, rows, wrong)?;
        let are_singles = path.extension().is_some_and(|it| it == "f32");
        return Ok((Numbers::of_doubles(&values, are_singles), None));
    }
    let records = Records::list_noting(path, checksums)?;
    let keys = NodeKeys::new(rows.num_nodes(), graph.names());
    let mut decimals = parse_lengths(records, rows, keys)?;
    let count = |decimals: &[Decimal]| decimals.iter().filter(|&&it| it == MISSING).count();
    let mut note = None;
    if count(&decimals) > 0
        && let Some(mirrored) = mirrored(&decimals, rows)
    {
        let filled = count(&decimals) - count(&mirrored);
        let is_other = |&arc: &usize| ![MISSING, mirrored[arc]].contains(&decimals[arc]);
        if let Some(arc) = (0..decimals.len()).find(is_other) {
            let source = rows
                .offsets()
                .partition_point(|&offset| offset <= arc as u64)
                - 1;
            let [a, b] = [source as Node, rows.targets()[arc]].map(|node| graph.label(node));
            let problem = format!(
                "{a} -> {b} and {b} -> {a} have different lengths, and other arcs have one line for both \
                 directions: give one line for each pair, or a line for each arc"
            );
            return Err(Error::file(path, problem));
        }
        note = Some(format!(
            "{} reverse, which alone has a line",
            counted_as(filled, "arc is as long as its", "arcs are as long as their")
        ))
        .filter(|_| filled > 0);
        decimals = mirrored;
    }
    let missing = count(&decimals);
    let problem = |count: usize, what: &str| {
        let arcs = decimals.len();
        Err(Error::file(
            path,
            format!("{count} of the {arcs} arcs of the graph {what}"),
        ))
    };
    if missing > 0 {
        return problem(missing, "have no length");
    }
    match decimals.iter().filter(|it| it.digits == 0).count() {
        0 => Ok((Numbers::of_decimals(decimals.into_iter()), note)),
        zeros => problem(zeros, ZERO),
    }
}

/// One length for each pair of an arc and its reverse: that of the one that has any, or of the first; none if
/// some arc has no reverse.
fn mirrored(decimals: &[Decimal], rows: &Csr) -> Option<Vec<Decimal>> {
    let of_arc = |source: Node, target: Node| {
        let place = rows.row(source).binary_search(&target).ok()?;
        Some(decimals[rows.offsets()[source as usize] as usize + place])
    };
    let of_pair = |source: Node, target: Node| {
        let [a, b] = [of_arc(source, target)?, of_arc(target, source)?];
        Some(match (a, b) {
            (MISSING, known) | (known, MISSING) => known,
            (first, _) if source < target => first,
            (_, first) => first,
        })
    };
    let arcs = (0..rows.num_nodes() as Node).flat_map(|v| rows.row(v).iter().map(move |&w| (v, w)));
    arcs.map(|(v, w)| of_pair(v, w)).collect()
}

/// Stands for a length that is not in the file.
const MISSING: Decimal = Decimal {
    digits: 0,
    exponent: i32::MIN,
};

/// The length of each arc in a list.
///
/// # Errors
/// If a line is not `source,target,length`; if an arc is not in the graph, or twice in the file.
#[doc(hidden)]
pub fn parse_lengths(records: Records, rows: &Csr, keys: NodeKeys) -> Result<Vec<Decimal>> {
    let mut lengths = filled(MISSING, rows.num_arcs() as usize, "lengths")?;
    for_arcs(records, rows, keys, |record, arc| {
        let length = Decimal::parse(record.text(2)?.trim()).ok_or_else(|| {
            let shown = record.shown(2);
            record.wrong(format!(
                "'{}' is not a positive decimal number of at most 19 digits",
                shown.trim()
            ))
        })?;
        match std::mem::replace(&mut lengths[arc], length) {
            MISSING => Ok(()),
            _ => Err(record.wrong("the arc already has a length")),
        }
    })?;
    Ok(lengths)
}
