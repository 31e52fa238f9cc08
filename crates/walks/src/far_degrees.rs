//! Degrees of a graph on shards with more nodes than memory has room for: only those with arcs are held.

use webrank_base::error::{Error, Result};
use webrank_base::memory::reserve;
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_graph::shards::{Part, Shards, damaged};
use webrank_graph::{Compressed, Direction};

/// Bits (plus nodes) that a task decodes at a time.
const BLOCK_BITS: u64 = 1 << 21;

/// A node by its number in the whole graph, and a number of arcs.
pub type FarDegree = (u64, u64);

/// The `count` nodes with the most predecessors or successors, the best first; equal ones by node. Nodes
/// without arcs are left out. O(n + m) time, one part after the other; 32 bytes for each node with arcs.
///
/// # Errors
/// If a part is damaged, if there is not enough memory, or if the user interrupts.
pub fn far_degrees(
    shards: &Shards,
    direction: Direction,
    count: usize,
    progress: &dyn Progress,
) -> Result<Vec<FarDegree>> {
    let mut all = Vec::new();
    for part in 0..shards.plan().parts.len() {
        let part = Part::open(shards, part)?;
        let first = part.range.start;
        let own = |row: u32| Some(first + u64::from(row));
        let away = |row: u32| part.touched.get(row as usize).copied();
        for found in [
            of_rows(&part.own, direction, first, &own, progress)?,
            of_rows(&part.away, direction, first, &away, progress)?,
        ] {
            reserve(&mut all, found.len(), "degrees")?;
            all.extend(found);
        }
        united(&mut all);
    }
    all.sort_unstable_by_key(|&(node, degree)| (std::cmp::Reverse(degree), node));
    all.truncate(count);
    Ok(all)
}

/// The degrees that some rows of predecessors give, whose nodes `target` tells and whose entries count from
/// `first`.
fn of_rows(
    rows: &Compressed,
    direction: Direction,
    first: u64,
    target: &(dyn Fn(u32) -> Option<u64> + Sync),
    progress: &dyn Progress,
) -> Result<Vec<FarDegree>> {
    let blocks = tasks::try_map(rows.blocks(BLOCK_BITS), |block| {
        progress.check()?;
        let mut found = Vec::new();
        webrank_graph::Rows::try_rows(rows, block, &mut |row, sources| {
            if sources.is_empty() {
                return Ok(());
            }
            let node =
                target(row).ok_or_else(|| damaged(rows.path(), format!("row {row} cannot be")))?;
            match direction {
                Direction::In => found.push((node, sources.len() as u64)),
                Direction::Out => {
                    found.extend(sources.iter().map(|&source| (first + u64::from(source), 1)))
                }
            }
            Ok(())
        })?;
        united(&mut found);
        Ok::<_, Error>(found)
    })?;
    Ok(blocks.concat())
}

/// Adds up what belongs to the same node.
fn united(degrees: &mut Vec<FarDegree>) {
    degrees.sort_unstable();
    degrees.dedup_by(|next, kept| {
        let is_same = next.0 == kept.0;
        kept.1 += if is_same { next.1 } else { 0 };
        is_same
    });
}
