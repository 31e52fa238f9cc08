//! Finds the place of every list by parsing the file once, without assembling lists.

use super::bits::{PartReader, Storage, all};
use super::codes::{Bits, Order};
use super::compressed::Compressed;
use super::decode::{List, Parser, Problem};
use super::offsets::{Offsets, OffsetsBuilder};
use super::properties::Endianness;
use dsi_bitstream::prelude as bitstream;
use std::ops::Range;
use webrank_base::Node;
use webrank_base::error::Result;

/// Bits that are read from a file at a time, if its lists are shorter.
const PART: u64 = 1 << 21;

/// The places of the lists of `graph`, whose own are not used.
///
/// # Errors
/// If the file is damaged or cannot be read.
pub(super) fn locate(graph: &Compressed) -> Result<Offsets> {
    use bitstream::{BE, LE};
    match (graph.storage(), graph.properties().endianness) {
        (Storage::Memory(words), Endianness::Big) => parse::<BE, _>(graph, |_| Ok(all(words))),
        (Storage::Memory(words), Endianness::Little) => parse::<LE, _>(graph, |_| Ok(all(words))),
        (Storage::File(file), Endianness::Big) => parse::<BE, _>(graph, |bits| file.part(bits)),
        (Storage::File(file), Endianness::Little) => parse::<LE, _>(graph, |bits| file.part(bits)),
    }
}

fn parse<E: Order, R: Bits<E>>(
    graph: &Compressed,
    part: impl Fn(Range<u64>) -> Result<PartReader<R>>,
) -> Result<Offsets> {
    let n = graph.properties().nodes;
    let num_bits = graph.available();
    let mut parser = Parser::<E, R>::new(part(0..PART)?, graph.properties(), ());
    let mut list = List::default();
    // A ring of the outdegrees that a list can refer to.
    let mut outdegrees = vec![0; graph.properties().window.min(n) + 1];
    let ring = outdegrees.len();
    let mut offsets = OffsetsBuilder::new(n, num_bits);
    let mut start = 0;
    for node in 0..n {
        offsets.push(start);
        let mut length = PART;
        loop {
            let parsed = parser.parse(node as Node, &mut list, |back| {
                Ok(outdegrees[(node - back) % ring])
            });
            match parsed {
                Ok(()) => break,
                // The list may go on after the part at hand.
                Err(Problem::End) if parser.held().end < num_bits => {
                    parser.replace(part(start..start.saturating_add(length))?);
                    let seek = parser.seek(start);
                    seek.map_err(|problem| graph.damaged(node, start, problem))?;
                    length = length.saturating_mul(2);
                }
                Err(problem) => return Err(graph.damaged(node, parser.position(), problem)),
            }
        }
        outdegrees[node % ring] = list.outdegree;
        start = parser.position();
        if start > num_bits {
            return Err(graph.damaged(node, start, Problem::End));
        }
    }
    offsets.push(start);
    Ok(offsets.build())
}
