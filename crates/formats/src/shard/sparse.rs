//! Shards of a graph most of whose nodes have no arcs: their numbers may be beyond those of a [`Graph`].
//!
//! The cut graph is that of the nodes that occur, with their numbers as names. Its parts are packed one
//! after the other. O(m log m), and some bits for each node.

use super::{Cutter, NODE_WEIGHT, PartPacker, WrittenShards};
use std::path::Path;
use webrank_base::error::{Error, Result};
use webrank_base::memory::{filled, free_memory, reserve};
use webrank_base::progress::Progress;
use webrank_graph::arcs::temporary_files_of;
use webrank_graph::shards::plan::create_folder;
use webrank_graph::shards::{AWAY, MAX_PARTS, OWN, PLAN, Plan};
use webrank_graph::{Graph, Rows};

/// The most memory for the arcs of a part.
const PACKING: u64 = 1 << 30;

/// Writes shards of a graph on disk whose names are increasing numbers of nodes: those between have no
/// arcs. Ranges are those that [`Cutter`] makes of all nodes.
///
/// # Errors
/// If names are no numbers; if a part has 2^31 nodes or more; and as for [`Cutter::new`].
pub fn cut_sparse(
    graph: &Graph,
    num_parts: usize,
    output: &Path,
    progress: &dyn Progress,
) -> Result<WrittenShards> {
    let directory = Cutter::begin(num_parts, output)?;
    let names = graph.names().filter(|names| names.are_integers());
    let (Some(names), Some(source)) = (names, graph.source()) else {
        let problem = "numbers of nodes must be below 2^63";
        return Err(Error::file(graph.path().unwrap_or(output), problem));
    };
    let rows = source.streamed()?;
    let outdegrees = rows.outdegrees()?;
    let mut ids = Vec::new();
    reserve(&mut ids, outdegrees.len(), "the numbers of nodes")?;
    ids.extend((0..names.len()).map(|node| names.integer(node as _) as u64));
    let bounds = bounds(&ids, &outdegrees, num_parts)?;
    let temporary = temporary_files_of(output);
    let (mut parts, mut hash) = (Vec::new(), 0u64);
    progress.begin("cut", Some(ids.len() as u64));
    for (part, range) in bounds.windows(2).enumerate() {
        let memory = PACKING.min(free_memory() / 2);
        let mut packer = PartPacker::new(bounds.clone(), part, &temporary, memory)?;
        let [first, end] = [range[0], range[1]].map(|bound| ids.partition_point(|&id| id < bound));
        rows.try_rows(first..end, &mut |source, row| {
            progress.advance(1);
            row.iter().try_for_each(|&target| {
                let [source, target] = [source, target].map(|node| node as usize);
                packer.push(ids[source], ids[target], outdegrees[target] > 0)
            })
        })?;
        let files = create_folder(directory.path(), part)?;
        let (plan, of_part) = packer.finish(&files, progress)?;
        parts.push(plan);
        hash = hash.wrapping_add(of_part);
    }
    progress.end();
    let lists = parts
        .iter()
        .flat_map(|part| [OWN, AWAY].map(|name| part.files.get(&format!("{name}.graph"))));
    let bits = lists.flatten().map(|file| 8 * file.bytes).sum();
    let plan = Plan::of_parts(parts, hash)?;
    let path = directory.path().join(PLAN);
    std::fs::write(&path, plan.to_text())
        .map_err(|source| Error::io(path, "cannot write", source))?;
    directory.finish()?;
    Ok(WrittenShards { plan, bits })
}

/// The bounds of ranges of about equal weight: as [`super::bounds()`], of all nodes up to the last id.
fn bounds(ids: &[u64], outdegrees: &[u32], num_parts: usize) -> Result<Vec<u64>> {
    let nodes = ids.last().map_or(0, |last| last + 1);
    let mut before: Vec<u64> = filled(0, ids.len() + 1, "the numbers of arcs")?;
    for (node, &degree) in outdegrees.iter().enumerate() {
        before[node + 1] = before[node] + u64::from(degree);
    }
    let [weight, nodes_wide] = [NODE_WEIGHT, nodes].map(u128::from);
    let total = weight * nodes_wide + u128::from(before[ids.len()]);
    // Twice the weight before the middle of a node.
    let middle = |node: usize| {
        let arcs = before[node] + before[node + 1];
        weight * (2 * u128::from(ids[node]) + 1) + u128::from(arcs)
    };
    let (mut bounds, mut place) = (vec![0], 0);
    for part in 1..num_parts {
        let least = (2 * total * part as u128).div_ceil(num_parts as u128);
        while place < ids.len() && middle(place) < least {
            place += 1;
        }
        // The first node without arcs whose middle is there, if it comes earlier.
        let arcs = 2 * u128::from(before[place]) + weight;
        let empty = least.saturating_sub(arcs).div_ceil(2 * weight) as u64;
        let after = place.checked_sub(1).map_or(0, |place| ids[place] + 1);
        bounds.push(empty.max(after).min(ids.get(place).map_or(nodes, |&id| id)));
    }
    bounds.push(nodes);
    let longest = bounds.windows(2).map(|range| range[1] - range[0]).max();
    match longest.filter(|&longest| longest >= PartPacker::MOST_NODES) {
        None => Ok(bounds),
        Some(longest) => {
            let least = nodes / (PartPacker::MOST_NODES - 1) + 1;
            let remedy = match least <= MAX_PARTS as u64 {
                true => format!(
                    "a part would have {longest} nodes, and can have fewer than 2^31: give at least -n {least}"
                ),
                false => format!("nodes up to {} do not fit {MAX_PARTS} parts", nodes - 1),
            };
            Err(Error::argument("parts", num_parts, remedy))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ranges_are_those_of_all_nodes(
            degrees in prop::collection::vec(prop_oneof![3 => Just(0u32), 1 => 1u32..9], 1..90),
            parts in 1usize..9,
        ) {
            let last = degrees.len() - 1;
            // A node that occurs need not have successors.
            let occurs = |&node: &usize| degrees[node] > 0 || node == last || node % 11 == 3;
            let nodes: Vec<usize> = (0..degrees.len()).filter(occurs).collect();
            let ids: Vec<u64> = nodes.iter().map(|&node| node as u64).collect();
            let of_nodes: Vec<u32> = nodes.iter().map(|&node| degrees[node]).collect();
            let weights = degrees.iter().map(|&degree| u64::from(degree) + NODE_WEIGHT);
            let expected = super::super::bounds(weights, parts);
            let expected: Vec<u64> = expected.into_iter().map(|bound| bound as u64).collect();
            prop_assert_eq!(bounds(&ids, &of_nodes, parts).unwrap(), expected);
        }
    }

    #[test]
    fn parts_that_are_too_long_are_refused() {
        let said = |id, parts| bounds(&[3, id], &[1, 1], parts).unwrap_err().to_string();
        assert!(said(5_000_000_000, 2).contains("give at least -n 3"));
        assert!(said(1 << 62, 9).contains("do not fit 4096 parts"));
        let found = bounds(&[3, 5_000_000_000], &[1, 1], 4).unwrap();
        assert_eq!((found[0], found[4]), (0, 5_000_000_001));
    }
}
