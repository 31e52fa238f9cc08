//! Decodes compressed rows into memory in parallel, as they are or transposed.

use crate::transpose::{Transposed, room_of_kept, stripes, transpose};
use crate::{Compressed, Csr, Rows};
use std::ops::Range;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::blocks::split_mut;
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;

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
pub fn decode(graph: &Compressed, progress: &dyn Progress) -> Result<Csr> {
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
    let weight = (graph.num_bits() + n as u64) / (32 * at_once as u64);
    let blocks = graph.blocks(weight.clamp(1, BLOCK_BITS));
    let mut ready: Vec<Block> = Vec::new();
    let mut filled = 0;
    for wave in blocks.chunks(at_once).chain([&[][..]]) {
        progress.check()?;
        let end = offset(&offsets) as usize;
        let mut places = Vec::with_capacity(ready.len());
        let mut start = filled;
        for block in &ready {
            places.push(start..start + block.targets.len());
            start += block.targets.len();
        }
        let parts = ready.iter().zip(split_mut(&mut targets[..end], &places));
        // One wave is decoded while the one before is copied.
        let (decoded, ()) = rayon::join(
            || tasks::try_map(wave, |range| decode_block(graph, range.clone())),
            || {
                tasks::for_each(parts, |(block, place)| {
                    place.copy_from_slice(&block.targets)
                })
            },
        );
        filled = end;
        ready = decoded?;
        for block in &ready {
            for degree in &block.degrees {
                offsets.push(offset(&offsets) + *degree as u64);
            }
            if offset(&offsets) > m {
                graph.check_count(offset(&offsets))?;
            }
            progress.advance(block.degrees.len() as u64);
        }
    }
    graph.check_count(offset(&offsets))?;
    Ok(Csr::from_checked(offsets, targets))
}

/// Decodes all rows, those for which there is no room twice, and keeps their transpose and their lengths.
///
/// # Errors
/// As for [`decode`].
pub(crate) fn decode_transposed(graph: &Compressed, progress: &dyn Progress) -> Result<Transposed> {
    let weight = graph.num_bits() + graph.num_nodes() as u64;
    let stripes = stripes(|weight| graph.blocks(weight), weight);
    let room = room_of_kept(graph.num_nodes(), graph.num_arcs(), stripes.len());
    let transposed = transpose(graph, &stripes, room, progress)?;
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
