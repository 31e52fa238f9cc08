//! The in-memory form of a graph: compressed sparse rows with 32-bit targets.

use super::{Node, Rows, blocks};
use crate::error::{Error, Result};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// The rows of a graph in two arrays: row `x` is `targets[offsets[x]..offsets[x + 1]]`, strictly
/// increasing. 4 bytes an arc and 8 bytes a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Csr {
    offsets: Box<[u64]>,
    targets: Box<[Node]>,
}

impl Csr {
    /// Wraps cumulated degrees and targets.
    ///
    /// # Errors
    /// If `offsets` does not start at 0, decreases or does not end at `targets.len()`, if a row
    /// is not strictly increasing, if a target is not a node, or at 2^32 nodes or more.
    pub fn new(offsets: Vec<u64>, targets: Vec<Node>) -> Result<Self> {
        let refuse = |problem: String| Err(Error::Unsupported(format!("graph: {problem}")));
        if offsets.first() != Some(&0) || offsets.last() != Some(&(targets.len() as u64)) {
            return refuse("offsets must go from 0 to the number of arcs".into());
        }
        let n = offsets.len() - 1;
        check_num_nodes(n as u64)?;
        for (node, ends) in offsets.windows(2).enumerate() {
            if ends[0] > ends[1] || ends[1] > targets.len() as u64 {
                return refuse(format!("offsets decrease or overflow at node {node}"));
            }
            let row = &targets[ends[0] as usize..ends[1] as usize];
            if row.windows(2).any(|pair| pair[0] >= pair[1]) {
                return refuse(format!("the row of node {node} is not strictly increasing"));
            }
            if row.last().is_some_and(|&last| last as usize >= n) {
                return refuse(format!("the row of node {node} leaves the graph"));
            }
        }
        Ok(Self::from_checked(offsets, targets))
    }

    /// Wraps arrays whose invariants the caller has established.
    pub(crate) fn from_checked(offsets: Vec<u64>, targets: Vec<Node>) -> Self {
        Csr {
            offsets: offsets.into_boxed_slice(),
            targets: targets.into_boxed_slice(),
        }
    }

    /// Builds the rows of `num_nodes` nodes from arcs in any order; duplicates are dropped.
    /// O(m log m).
    ///
    /// # Errors
    /// If an arc names a node that is not below `num_nodes`.
    pub fn from_arcs(
        num_nodes: usize,
        arcs: impl IntoIterator<Item = (Node, Node)>,
    ) -> Result<Self> {
        check_num_nodes(num_nodes as u64)?;
        let mut arcs: Vec<_> = arcs.into_iter().collect();
        arcs.sort_unstable();
        arcs.dedup();
        let mut offsets = vec![0u64; num_nodes + 1];
        for &(source, target) in &arcs {
            if source.max(target) as usize >= num_nodes {
                return Err(Error::Unsupported(format!(
                    "graph: the arc {source} -> {target} leaves a graph of {num_nodes} nodes"
                )));
            }
            offsets[source as usize + 1] += 1;
        }
        for node in 0..num_nodes {
            offsets[node + 1] += offsets[node];
        }
        let targets = arcs.into_iter().map(|(_, target)| target).collect();
        Ok(Self::from_checked(offsets, targets))
    }

    /// The number of nodes.
    pub fn num_nodes(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The number of arcs, self-loops included.
    pub fn num_arcs(&self) -> u64 {
        self.targets.len() as u64
    }

    /// The neighbours of `node`, strictly increasing.
    ///
    /// # Panics
    /// If `node` is not in the graph.
    #[inline]
    pub fn row(&self, node: Node) -> &[Node] {
        let node = node as usize;
        &self.targets[self.offsets[node] as usize..self.offsets[node + 1] as usize]
    }

    /// The number of neighbours of `node`.
    #[inline]
    pub fn degree(&self, node: Node) -> u64 {
        let node = node as usize;
        self.offsets[node + 1] - self.offsets[node]
    }

    /// The bytes taken.
    pub fn memory(&self) -> u64 {
        8 * self.offsets.len() as u64 + 4 * self.num_arcs()
    }

    /// The cumulated degrees: n + 1 entries, from 0 to the number of arcs.
    pub fn offsets(&self) -> &[u64] {
        &self.offsets
    }

    /// All rows, one after the other.
    pub fn targets(&self) -> &[Node] {
        &self.targets
    }

    /// Blocks of rows that weigh about `weight` arcs and nodes: see [`blocks::cut`].
    pub fn blocks(&self, weight: u64) -> Vec<Range<usize>> {
        blocks::cut(&self.offsets, weight)
    }

    /// The reversed graph: row `x` of the result holds the `y` whose row holds `x`.
    ///
    /// O(n + m), parallel; see [`transpose`].
    pub fn transpose(&self) -> Csr {
        let stripes = stripes(&self.offsets, rayon::current_num_threads());
        transpose(self, &stripes).expect("a CSR is scanned without errors")
    }
}

impl Rows for Csr {
    fn num_nodes(&self) -> usize {
        self.num_nodes()
    }

    fn num_arcs(&self) -> u64 {
        self.num_arcs()
    }

    fn for_rows(&self, range: Range<usize>, visit: &mut dyn FnMut(Node, &[Node])) -> Result<()> {
        for node in range {
            visit(node as Node, self.row(node as Node));
        }
        Ok(())
    }
}

/// Refuses graphs whose nodes do not fit in a [`Node`].
pub(crate) fn check_num_nodes(num_nodes: u64) -> Result<()> {
    if num_nodes > u32::MAX as u64 {
        return Err(Error::Unsupported(format!(
            "the graph has {num_nodes} nodes; this version ranks graphs of at most {} nodes",
            u32::MAX
        )));
    }
    Ok(())
}

/// At most this many stripes, 4 bytes a node each, take part in a transposition.
const MAX_STRIPES: usize = 8;

/// Cuts rows into at most `threads` (and 8) stripes of equal weight for [`transpose`].
pub(crate) fn stripes(offsets: &[u64], threads: usize) -> Vec<Range<usize>> {
    let total = offsets.last().unwrap_or(&0) + offsets.len() as u64;
    let parts = threads.clamp(1, MAX_STRIPES) as u64;
    blocks::cut(offsets, total.div_ceil(parts))
}

/// Transposes any rows by scanning them twice: count, then scatter.
///
/// Each stripe of sources counts and scatters on its own, into places that its counts and those
/// of the stripes before it determine: rows come out sorted without sorting, and equal for every
/// choice of stripes. 4 bytes a node and stripe besides the result.
///
/// # Errors
/// Those of the scan.
pub(crate) fn transpose<R: Rows + ?Sized>(rows: &R, stripes: &[Range<usize>]) -> Result<Csr> {
    let n = rows.num_nodes();
    let mut counts: Vec<Vec<u32>> = stripes
        .par_iter()
        .map(|stripe| {
            let mut count = vec![0u32; n];
            rows.for_rows(stripe.clone(), &mut |_, row| {
                for &target in row {
                    count[target as usize] += 1;
                }
            })?;
            Ok(count)
        })
        .collect::<Result<_>>()?;
    let offsets = starts_within_rows(&mut counts, n);
    let targets = zeroed_atomics(offsets[n] as usize);
    stripes
        .par_iter()
        .zip(&mut counts)
        .try_for_each(|(stripe, next)| {
            rows.for_rows(stripe.clone(), &mut |source, row| {
                for &target in row {
                    let place = offsets[target as usize] + next[target as usize] as u64;
                    // Relaxed stores: no two stripes share a place, and joining orders them
                    // before every read.
                    targets[place as usize].store(source, Relaxed);
                    next[target as usize] += 1;
                }
            })
        })?;
    drop(counts);
    Ok(Csr::from_checked(
        offsets,
        targets.into_iter().map(AtomicU32::into_inner).collect(),
    ))
}

/// Turns per-stripe counts into the place, within each target's row, where each stripe starts
/// writing; returns the offsets of the rows.
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

/// Zeroed atomics in one allocation, reused when they are turned back into plain integers.
fn zeroed_atomics(len: usize) -> Vec<AtomicU32> {
    vec![0u32; len].into_iter().map(AtomicU32::new).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
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
        fn transpose_reverses_every_arc((n, arcs) in arcs(40), parts in 1usize..6) {
            let graph = Csr::from_arcs(n, arcs.clone()).unwrap();
            let reversed = Csr::from_arcs(n, arcs.iter().map(|&(u, v)| (v, u))).unwrap();
            let stripes = stripes(graph.offsets(), parts);
            prop_assert_eq!(&transpose(&graph, &stripes).unwrap(), &reversed);
            prop_assert_eq!(reversed.transpose(), graph);
        }
    }

    #[test]
    fn rows_that_break_an_invariant_are_refused() {
        assert!(Csr::new(vec![0, 2], vec![0, 0]).is_err());
        assert!(Csr::new(vec![0, 1], vec![1]).is_err());
        assert!(Csr::new(vec![0, 2, 1, 1], vec![0]).is_err());
        assert!(Csr::new(vec![1, 1], vec![0]).is_err());
        assert!(Csr::new(vec![0, 1], vec![0]).is_ok());
        assert!(Csr::new(vec![0], vec![]).is_ok());
        assert!(Csr::from_arcs(1, [(0, 1)]).is_err());
    }
}
