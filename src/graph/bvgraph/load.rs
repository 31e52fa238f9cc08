//! Decodes compressed rows into memory in parallel, as they are or transposed.

use crate::error::{Error, Result};
use crate::graph::transpose::{Transposed, stripes, transpose};
use crate::graph::{Compressed, Csr, Node, Rows};
use crate::parallel::blocks::split_mut;
use crate::parallel::tasks;
use crate::progress::Progress;
use std::ops::Range;

/// Bits (plus nodes) that a task decodes at a time: half a millisecond of work.
const BLOCK_BITS: u64 = 1 << 17;

/// Decodes all rows.
///
/// Blocks of rows are decoded in parallel, a few at a time, and then copied to their places. Takes
/// 4 bytes an arc, 8 bytes a node, and the blocks in progress.
///
/// # Errors
/// If the file is damaged, if it holds another number of arcs than its properties declare, or if
/// there is not enough memory.
pub(crate) fn decode(graph: &Compressed, progress: &dyn Progress) -> Result<Csr> {
    let (n, m) = (graph.num_nodes(), graph.num_arcs());
    let mut offsets = Vec::new();
    let fits = usize::try_from(m).is_ok_and(|m| Vec::<Node>::new().try_reserve_exact(m).is_ok())
        && offsets.try_reserve_exact(n + 1).is_ok();
    if !fits {
        let bytes = m.saturating_mul(4).saturating_add(8 * n as u64);
        return Err(Error::memory("the graph", bytes));
    }
    // The system zeroes pages at their first write, which all threads share.
    let mut targets: Vec<Node> = vec![0; m as usize];
    offsets.push(0u64);
    progress.begin("decode", Some(n as u64));
    let at_once = 4 * rayon::current_num_threads();
    // Small files may hold large graphs: blocks in progress are a sixteenth of the graph at most.
    let weight = (graph.num_bits() + n as u64) / (16 * at_once as u64);
    let blocks = graph.blocks(weight.clamp(1, BLOCK_BITS));
    for wave in blocks.chunks(at_once) {
        progress.check()?;
        let decoded = tasks::try_map(wave, |range| decode_block(graph, range.clone()))?;
        let mut places = Vec::with_capacity(decoded.len());
        for block in &decoded {
            let start = offset(&offsets);
            for degree in &block.degrees {
                offsets.push(offset(&offsets) + *degree as u64);
            }
            if offset(&offsets) > m {
                graph.check_count(offset(&offsets))?;
            }
            places.push(start as usize..offset(&offsets) as usize);
            progress.advance(block.degrees.len() as u64);
        }
        let parts = decoded.iter().zip(split_mut(&mut targets, &places));
        tasks::for_each(parts, |(block, place)| {
            place.copy_from_slice(&block.targets);
        });
    }
    graph.check_count(offset(&offsets))?;
    Ok(Csr::from_checked(offsets, targets))
}

/// Decodes all rows twice and keeps their transpose and their lengths.
///
/// # Errors
/// As for [`decode`].
pub(crate) fn decode_transposed(graph: &Compressed, progress: &dyn Progress) -> Result<Transposed> {
    let weight = graph.num_bits() + graph.num_nodes() as u64;
    let stripes = stripes(|weight| graph.blocks(weight), weight);
    let transposed = transpose(graph, &stripes, progress)?;
    graph.check_count(transposed.rows.num_arcs())?;
    Ok(transposed)
}

/// Where the rows so far end.
fn offset(offsets: &[u64]) -> u64 {
    *offsets.last().expect("starts with 0")
}

struct Block {
    degrees: Vec<u32>,
    targets: Vec<Node>,
}

fn decode_block(graph: &Compressed, range: Range<usize>) -> Result<Block> {
    let mut block = Block {
        degrees: Vec::with_capacity(range.len()),
        targets: Vec::new(),
    };
    let mut too_many = false;
    graph.for_rows(range, &mut |_, row| {
        too_many |= (block.targets.len() + row.len()) as u64 > graph.num_arcs();
        if !too_many {
            block.degrees.push(row.len() as u32);
            block.targets.extend_from_slice(row);
        }
    })?;
    if too_many {
        graph.check_count(u64::MAX)?;
    }
    Ok(block)
}
