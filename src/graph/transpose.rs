//! The transpose of any rows, built by scanning them twice: count, then scatter.

use super::{Csr, Node, Rows};
use crate::error::{Error, Result};
use crate::parallel::{blocks, tasks};
use crate::progress::Progress;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

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

/// Transposes `rows`, which `stripes` partition in order.
///
/// Each stripe counts and scatters independently. Its counts and those of earlier stripes determine
/// where it writes, so rows come out sorted without sorting, and are the same for every choice of
/// stripes. Takes 4 bytes per node and stripe besides the result.
///
/// # Errors
/// Those of the scan, and if there is not enough memory.
pub(crate) fn transpose<R: Rows + ?Sized>(
    rows: &R,
    stripes: &[Stripe],
    progress: &dyn Progress,
) -> Result<Transposed> {
    let n = rows.num_nodes();
    let mut degrees = zeroed(n)?;
    progress.begin("count arcs", Some(n as u64));
    let mut counts = count(rows, stripes, &mut degrees, progress)?;
    let offsets = starts_within_rows(&mut counts, n);
    let targets: Vec<u32> = zeroed(offsets[n] as usize)?;
    let targets: Vec<AtomicU32> = targets.into_iter().map(AtomicU32::new).collect();
    progress.begin("transpose", Some(n as u64));
    scatter(rows, stripes, &mut counts, &offsets, &targets, progress)?;
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

/// For each stripe, how often each node occurs in its rows; fills in the degrees of the rows.
fn count<R: Rows + ?Sized>(
    rows: &R,
    stripes: &[Stripe],
    degrees: &mut [u32],
    progress: &dyn Progress,
) -> Result<Vec<Vec<u32>>> {
    let extents: Vec<_> = stripes.iter().map(extent).collect();
    let parts = stripes.iter().zip(blocks::split_mut(degrees, &extents));
    tasks::try_map(parts, |(stripe, degrees)| {
        let mut count: Vec<u32> = zeroed(rows.num_nodes())?;
        let first = extent(stripe).start;
        scan(rows, stripe, progress, |node, row| {
            degrees[node as usize - first] = row.len() as u32;
            for &target in row {
                count[target as usize] += 1;
            }
        })?;
        Ok(count)
    })
}

/// Writes every source into the rows of its targets.
fn scatter<R: Rows + ?Sized>(
    rows: &R,
    stripes: &[Stripe],
    places: &mut [Vec<u32>],
    offsets: &[u64],
    targets: &[AtomicU32],
    progress: &dyn Progress,
) -> Result<()> {
    tasks::try_map(stripes.iter().zip(places), |(stripe, places)| {
        scan(rows, stripe, progress, |source, row| {
            for &target in row {
                let place = &mut places[target as usize];
                let index = offsets[target as usize] + *place as u64;
                // Relaxed stores: no two stripes share a place, and joining the tasks orders
                // them before every read.
                targets[index as usize].store(source, Relaxed);
                *place += 1;
            }
        })
    })
    .map(drop)
}

fn scan<R: Rows + ?Sized>(
    rows: &R,
    stripe: &Stripe,
    progress: &dyn Progress,
    mut visit: impl FnMut(Node, &[Node]),
) -> Result<()> {
    for block in stripe {
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
fn starts_within_rows(counts: &mut [Vec<u32>], n: usize) -> Vec<u64> {
    let mut offsets = Vec::with_capacity(n + 1);
    let mut total = 0u64;
    offsets.push(0);
    for node in 0..n {
        // A row of a simple graph has fewer than 2^32 entries.
        let mut degree = 0u32;
        for count in counts.iter_mut() {
            degree += std::mem::replace(&mut count[node], degree);
        }
        total += degree as u64;
        offsets.push(total);
    }
    offsets
}

/// A vector of `len` zeros, or an error where the allocator would abort.
fn zeroed<T: Copy + Default>(len: usize) -> Result<Vec<T>> {
    let bytes = (size_of::<T>() * len) as u64;
    let mut vector = Vec::new();
    vector
        .try_reserve_exact(len)
        .map_err(|_| Error::memory("the transpose", bytes))?;
    vector.resize(len, T::default());
    Ok(vector)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;
    use proptest::prelude::*;

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
        fn transpose_reverses_every_arc((n, arcs) in arcs(40), weight in 1u64..60, per in 1usize..9) {
            let graph = Csr::from_arcs(n, arcs.clone()).unwrap();
            let reversed = Csr::from_arcs(n, arcs.iter().map(|&(u, v)| (v, u))).unwrap();
            let stripes: Vec<Stripe> = graph.blocks(weight).chunks(per).map(<[_]>::to_vec).collect();
            let transposed = transpose(&graph, &stripes, &Silent).unwrap();
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
