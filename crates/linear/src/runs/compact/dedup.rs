//! Equal rows of different windows.

use super::{CompactRows, Decoded};
use rayon::prelude::*;
use std::collections::HashMap;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::tasks;

/// Blocks of first rows that are decoded at a time, at least and at most.
const AT_ONCE: [usize; 2] = [16, 512];

/// The bytes of a decoded block, about: entries, and where rows start.
const BLOCK_BYTES: usize = 128 << 10;

/// Groups of hashes that are sorted one after the other, to save memory.
const GROUPS: u64 = 8;

/// The rows that are equal to an earlier one, each with the first such, by increasing row. `hashes`
/// has a hash for each row; rows whose hashes are equal are compared. 8 bytes a row or 2 MB, and 16
/// for each of these.
///
/// # Errors
/// If rows cannot be read.
pub(super) fn first_same(rows: &CompactRows, hashes: Vec<u64>) -> Result<Vec<[u32; 2]>> {
    let [least, most] = AT_ONCE;
    let at_once = (8 * hashes.len() / BLOCK_BYTES).clamp(least, most);
    let (mut keys, mut pairs): (Vec<(u64, u32)>, Vec<[u32; 2]>) = (Vec::new(), Vec::new());
    for group in 0..GROUPS {
        let all = hashes.iter().copied().zip(0..);
        keys.clear();
        keys.extend(all.filter(|(hash, _)| hash >> 61 == group));
        keys.par_sort_unstable();
        let equal = keys.chunk_by(|a, b| a.0 == b.0);
        pairs.extend(equal.flat_map(|equal| {
            let first = equal[0].1;
            equal[1..].iter().map(move |&(_, later)| [first, later])
        }));
    }
    drop((keys, hashes));
    pairs.par_sort_unstable();
    let mut same = Vec::new();
    let mut rest = pairs.as_mut_slice();
    while let [[first, _], ..] = *rest {
        let bound = (rows.block_of(first as usize) + at_once).min(rows.numbers.len());
        let bound = rows.firsts[bound];
        let (batch, after) = rest.split_at_mut(rest.partition_point(|pair| pair[0] < bound));
        rest = after;
        same.extend(compared(rows, batch)?);
    }
    same.par_sort_unstable();
    Ok(same)
}

/// Pairs of these, by increasing first row, whose rows are equal, turned round.
fn compared(rows: &CompactRows, pairs: &mut [[u32; 2]]) -> Result<Vec<[u32; 2]>> {
    let block_of = |row: u32| rows.block_of(row as usize);
    let mut blocks: Vec<usize> = pairs.iter().map(|pair| block_of(pair[0])).collect();
    blocks.dedup();
    let decoded = tasks::try_map(&blocks, |&block| rows.decoded(block))?;
    let firsts: HashMap<usize, Decoded> = blocks.into_iter().zip(decoded).collect();
    pairs.sort_unstable_by_key(|&[first, later]| (later, first));
    let groups = pairs.chunk_by(|a, b| block_of(a[1]) == block_of(b[1]));
    let row = |block: &Decoded, index: usize, row: u32| {
        let row = block.row(row as usize - rows.firsts[index] as usize);
        (row.singles.to_vec(), row.runs.to_vec())
    };
    let same = tasks::try_map(groups, |group| {
        let at = block_of(group[0][1]);
        let block = rows.decoded(at)?;
        let equal = group.iter().filter(|&&[first, later]| {
            let of_first = block_of(first);
            row(&firsts[&of_first], of_first, first) == row(&block, at, later)
        });
        Ok::<_, Error>(
            equal
                .map(|&[first, later]| [later, first])
                .collect::<Vec<_>>(),
        )
    })?;
    Ok(same.into_iter().flatten().collect())
}
