//! The transpose of any rows, built by scanning them twice: count, then scatter.
//!
//! Rows that are decoded may be kept between both scans, as single nodes and runs, as far as there is
//! room.

mod row_cache;

use super::{Csr, Rows};
use row_cache::RowCache;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::prefix_sum::running_sums;
use webrank_base::parallel::sums::INDICES_PER_TASK;
use webrank_base::parallel::{blocks, tasks};
use webrank_base::progress::Progress;

/// The result of a transposition.
pub(crate) struct Transposed {
    /// Row `x` holds the `y` whose row held `x`.
    pub(crate) rows: Csr,
    /// The lengths of the rows that were scanned.
    pub(crate) degrees: Vec<u32>,
}

/// Consecutive blocks of rows that one task scans, block by block.
pub(crate) type Stripe = Vec<Range<usize>>;

/// The largest number of stripes in a transposition; each takes 4 bytes a node.
const MAX_STRIPES: usize = 8;

/// Groups blocks of rows, cut by `blocks(weight)`, into a stripe per thread, at most 8.
pub(crate) fn stripes(
    blocks: impl FnOnce(u64) -> Vec<Range<usize>>,
    total_weight: u64,
) -> Vec<Stripe> {
    let parts = rayon::current_num_threads().clamp(1, MAX_STRIPES);
    // At least sixteen blocks per stripe, so that stripes have about equal weight.
    let weight = (total_weight / (16 * parts as u64)).clamp(1, 4 * blocks::BLOCK_WEIGHT);
    let blocks = blocks(weight);
    let per_stripe = blocks.len().div_ceil(parts).max(1);
    blocks.chunks(per_stripe).map(<[_]>::to_vec).collect()
}

/// The bytes for rows that are kept while rows of a graph are transposed, of which plans say nothing: with
/// eight stripes, counts take as much.
pub(crate) fn room_of_kept(num_nodes: usize, num_arcs: u64, stripes: usize) -> u64 {
    let fewer = MAX_STRIPES.saturating_sub(stripes) as u64;
    // Properties that are damaged may tell of any number of arcs.
    num_arcs.saturating_add(4 * fewer * num_nodes as u64)
}

/// Transposes `rows`, which `stripes` partition in order. Rows that take long to scan are kept from the
/// first scan to the second, in `room` bytes.
///
/// Each stripe counts and scatters independently. Its counts and those of earlier stripes determine
/// where it writes, so rows come out sorted without sorting, and are the same for every choice of
/// stripes. Takes 4 bytes per node and stripe besides the result.
///
/// # Errors
/// The errors of the scan, and if there is not enough memory.
pub(crate) fn transpose<R: Rows + ?Sized>(
    rows: &R,
    stripes: &[Stripe],
    room: u64,
    progress: &dyn Progress,
) -> Result<Transposed> {
    let n = rows.num_nodes();
    let mut degrees = zeroed(n)?;
    progress.begin("count arcs", Some(n as u64));
    let room = room / 4 / stripes.len().max(1) as u64;
    let (mut counts, kept) = count(rows, stripes, &mut degrees, room as usize, progress)?;
    let offsets = place_rows(&mut counts, n)?;
    let targets: Vec<u32> = zeroed(offsets[n] as usize)?;
    let targets: Vec<AtomicU32> = targets.into_iter().map(AtomicU32::new).collect();
    progress.begin("transpose", Some(n as u64));
    let scattered = Scattered {
        offsets: &offsets,
        targets: &targets,
    };
    tasks::try_map(
        stripes.iter().zip(kept).zip(&mut counts),
        |((stripe, kept), places)| {
            let (again, rest) = stripe.split_at(kept.blocks);
            for block in again {
                progress.check()?;
                progress.advance(block.len() as u64);
            }
            let first = extent(stripe).start;
            kept.visit(&degrees[first..], |place, row| {
                let source = (first + place) as Node;
                row.for_each(|target| scattered.write(places, source, target));
            });
            scan(rows, rest, progress, |source, row| {
                row.iter()
                    .for_each(|&target| scattered.write(places, source, target));
            })
        },
    )?;
    drop(counts);
    let targets = targets.into_iter().map(AtomicU32::into_inner).collect();
    Ok(Transposed {
        rows: Csr::from_checked(offsets, targets),
        degrees,
    })
}

/// The transposed rows, and the weights in their order. O(n + m).
///
/// # Errors
/// If there is not enough memory.
pub(crate) fn transpose_weighted(rows: &Csr, weights: &[f64]) -> Result<(Csr, Vec<f64>)> {
    let transposed = rows.transpose()?;
    let mut next: Vec<u64> = zeroed(transposed.offsets().len())?;
    next.copy_from_slice(transposed.offsets());
    let mut result = zeroed(weights.len())?;
    // Sources come in increasing order, as in the rows of the result.
    for (&target, &weight) in rows.targets().iter().zip(weights) {
        let place = &mut next[target as usize];
        result[*place as usize] = weight;
        *place += 1;
    }
    Ok((transposed, result))
}

/// For each stripe, how often each node occurs in its rows, and the rows that are kept in `room` words;
/// fills in the degrees of the rows.
fn count<R: Rows + ?Sized>(
    rows: &R,
    stripes: &[Stripe],
    degrees: &mut [u32],
    room: usize,
    progress: &dyn Progress,
) -> Result<(Vec<Vec<u32>>, Vec<RowCache>)> {
    let extents: Vec<_> = stripes.iter().map(extent).collect();
    let parts = stripes.iter().zip(blocks::split_mut(degrees, &extents));
    let counted = tasks::try_map(parts, |(stripe, degrees)| {
        let mut count: Vec<u32> = zeroed(rows.num_nodes())?;
        let mut kept = RowCache::within(room);
        let first = extent(stripe).start;
        for block in stripe.chunks(1) {
            scan(rows, block, progress, |node, row| {
                degrees[node as usize - first] = row.len() as u32;
                for &target in row {
                    count[target as usize] += 1;
                }
                kept.keep(row);
            })?;
            kept.end_block();
        }
        Ok::<_, Error>((count, kept))
    })?;
    Ok(counted.into_iter().unzip())
}

/// Where sources are written.
struct Scattered<'a> {
    offsets: &'a [u64],
    targets: &'a [AtomicU32],
}

impl Scattered<'_> {
    /// Writes a source into the row of a target.
    #[inline(always)]
    fn write(&self, places: &mut [u32], source: Node, target: Node) {
        let place = &mut places[target as usize];
        let index = self.offsets[target as usize] + *place as u64;
        // Relaxed stores: no two stripes share a place, and joining the tasks orders them before
        // every read.
        self.targets[index as usize].store(source, Relaxed);
        *place += 1;
    }
}

fn scan<R: Rows + ?Sized>(
    rows: &R,
    blocks: &[Range<usize>],
    progress: &dyn Progress,
    mut visit: impl FnMut(Node, &[Node]),
) -> Result<()> {
    for block in blocks {
        progress.check()?;
        rows.for_rows(block.clone(), &mut visit)?;
        progress.advance(block.len() as u64);
    }
    Ok(())
}

fn extent(stripe: &Stripe) -> Range<usize> {
    match (stripe.first(), stripe.last()) {
        (Some(first), Some(last)) => first.start..last.end,
        _ => 0..0,
    }
}

/// Turns the counts of each stripe into the place, within each target's row, where the stripe
/// starts writing; returns the offsets of the rows.
fn place_rows(counts: &mut [Vec<u32>], n: usize) -> Result<Vec<u64>> {
    let mut offsets: Vec<u64> = zeroed(n + 1)?;
    running_sums(&mut offsets[1..], |node| {
        counts.iter().map(|count| u64::from(count[node])).sum()
    });
    let mut chunks: Vec<_> = counts
        .iter_mut()
        .map(|count| count.chunks_mut(INDICES_PER_TASK))
        .collect();
    let parts = tasks::ranges(n).map(|range| {
        let parts = chunks.iter_mut().filter_map(Iterator::next);
        (range.len(), parts.collect::<Vec<_>>())
    });
    tasks::for_each(parts, |(length, mut counts)| {
        for node in 0..length {
            // A row of a simple graph has fewer than 2^32 entries.
            let mut degree = 0u32;
            for count in &mut counts {
                degree += std::mem::replace(&mut count[node], degree);
            }
        }
    });
    Ok(offsets)
}

/// A vector of `len` zeros, or an error where the allocator would abort. The system zeroes pages at their
/// first write, which all threads share.
fn zeroed<T: Copy + Default>(len: usize) -> Result<Vec<T>> {
    let bytes = (size_of::<T>() * len) as u64;
    Vec::<T>::new()
        .try_reserve_exact(len)
        .map_err(|_| Error::memory("the transpose", bytes))?;
    Ok(vec![T::default(); len])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use webrank_base::progress::Silent;

    fn arcs(max_nodes: u32) -> impl Strategy<Value = (usize, Vec<(Node, Node)>)> {
        (1..=max_nodes).prop_flat_map(|n| {
            let arc = (0..n, 0..n);
            (
                Just(n as usize),
                prop::collection::vec(arc, 0..4 * n as usize),
            )
        })
    }

    proptest! {
        #[test]
        fn transpose_reverses_every_arc(
            (n, arcs) in arcs(40),
            weight in 1u64..60,
            per in 1usize..9,
            room in 0u64..900,
        ) {
            let graph = Csr::from_arcs(n, arcs.clone()).unwrap();
            let reversed = Csr::from_arcs(n, arcs.iter().map(|&(u, v)| (v, u))).unwrap();
            let stripes: Vec<Stripe> = graph.blocks(weight).chunks(per).map(<[_]>::to_vec).collect();
            let transposed = transpose(&graph, &stripes, room, &Silent).unwrap();
            prop_assert_eq!(&transposed.rows, &reversed);
            for node in 0..n {
                prop_assert_eq!(transposed.degrees[node] as u64, graph.degree(node as Node));
            }
            prop_assert_eq!(reversed.transpose().unwrap(), graph);
        }
    }

    #[test]
    fn weights_stay_with_their_arcs() {
        let graph = Csr::from_arcs(3, [(0, 1), (0, 2), (1, 2), (2, 0)]).unwrap();
        let (rows, weights) = graph.transpose_weighted(&[0.1, 0.2, 1.2, 2.0]).unwrap();
        assert_eq!(rows, graph.transpose().unwrap());
        assert_eq!(weights, [2.0, 0.1, 0.2, 1.2]);
    }

    #[test]
    fn a_graph_without_nodes_has_a_transpose() {
        let empty = Csr::from_arcs(0, []).unwrap();
        assert_eq!(empty.transpose().unwrap(), empty);
    }
}
