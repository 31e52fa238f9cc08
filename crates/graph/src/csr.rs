//! The in-memory form of a graph: compressed sparse rows with 32-bit targets.

use super::{Rows, transpose};
use std::ops::Range;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::{blocks, tasks};
use webrank_base::progress::Silent;

/// The rows of a graph in two arrays: row `x` is `targets[offsets[x]..offsets[x + 1]]`, strictly
/// increasing. 4 bytes an arc and 8 bytes a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Csr {
    offsets: Box<[u64]>,
    targets: Box<[Node]>,
}

impl Csr {
    /// Wraps cumulative degrees and targets.
    ///
    /// # Errors
    /// If `offsets` does not start at 0, decreases or does not end at `targets.len()`, if a row is
    /// not strictly increasing, if a target is not a node, or if there are 2^32 nodes or more.
    pub fn new(offsets: Vec<u64>, targets: Vec<Node>) -> Result<Self> {
        let refuse = |problem: String| Err(Error::Rows { problem });
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
    pub fn from_checked(offsets: Vec<u64>, targets: Vec<Node>) -> Self {
        Csr {
            offsets: offsets.into_boxed_slice(),
            targets: targets.into_boxed_slice(),
        }
    }

    /// Builds the rows of `num_nodes` nodes from arcs in any order; duplicates are dropped.
    /// O(m log m).
    ///
    /// # Errors
    /// If an arc names a node that is not below `num_nodes`, or if there is not enough memory for so
    /// many nodes.
    pub fn from_arcs(
        num_nodes: usize,
        arcs: impl IntoIterator<Item = (Node, Node)>,
    ) -> Result<Self> {
        check_num_nodes(num_nodes as u64)?;
        let mut arcs: Vec<_> = arcs.into_iter().collect();
        arcs.sort_unstable();
        arcs.dedup();
        let mut offsets: Vec<u64> = Vec::new();
        offsets
            .try_reserve_exact(num_nodes + 1)
            .map_err(|_| Error::memory("the rows of nodes", 8 * num_nodes as u64 + 8))?;
        offsets.resize(num_nodes + 1, 0);
        for &(source, target) in &arcs {
            if source.max(target) as usize >= num_nodes {
                let problem =
                    format!("the arc {source} -> {target} leaves a graph of {num_nodes} nodes");
                return Err(Error::Rows { problem });
            }
            offsets[source as usize + 1] += 1;
        }
        for node in 0..num_nodes {
            offsets[node + 1] += offsets[node];
        }
        let mut targets = Vec::new();
        let reserved = targets.try_reserve_exact(arcs.len());
        reserved.map_err(|_| Error::memory("the rows of nodes", 4 * arcs.len() as u64))?;
        targets.extend(arcs.into_iter().map(|(_, target)| target));
        Ok(Self::from_checked(offsets, targets))
    }

    /// The rows of any form in memory. O(n + m), parallel.
    ///
    /// # Errors
    /// The errors of the rows.
    pub fn of_rows(rows: &dyn Rows) -> Result<Self> {
        let parts = tasks::try_map(tasks::ranges(rows.num_nodes()), |range| {
            let (mut degrees, mut targets) = (Vec::with_capacity(range.len()), Vec::new());
            rows.for_rows(range, &mut |_, row| {
                degrees.push(row.len() as u64);
                targets.extend_from_slice(row);
            })?;
            Ok::<_, Error>((degrees, targets))
        })?;
        let degrees = parts.iter().flat_map(|(degrees, _)| degrees);
        let mut offsets = Vec::with_capacity(rows.num_nodes() + 1);
        offsets.push(0);
        let mut end = 0;
        offsets.extend(degrees.map(|degree| {
            end += degree;
            end
        }));
        let mut targets = Vec::with_capacity(end as usize);
        parts.into_iter().for_each(|(_, part)| targets.extend(part));
        Ok(Self::from_checked(offsets, targets))
    }

    /// The offsets and targets, to be reused.
    pub fn into_parts(self) -> (Box<[u64]>, Vec<Node>) {
        (self.offsets, self.targets.into_vec())
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

    /// The memory taken, in bytes.
    pub fn memory(&self) -> u64 {
        8 * self.offsets.len() as u64 + 4 * self.num_arcs()
    }

    /// The cumulative degrees: n + 1 entries, from 0 to the number of arcs.
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
    /// O(n + m), parallel; the result does not depend on the number of threads.
    ///
    /// # Errors
    /// If there is not enough memory, 4 bytes an arc and 12 bytes a node.
    pub fn transpose(&self) -> Result<Csr> {
        let stripes = transpose::stripes(|weight| self.blocks(weight), self.num_arcs());
        Ok(transpose::transpose(self, &stripes, 0, &Silent)?.rows)
    }

    /// As [`Self::transpose`], with a weight for each arc, which moves with its arc.
    ///
    /// # Errors
    /// If there is not enough memory: 8 more bytes for each arc and node.
    pub fn transpose_weighted(&self, weights: &[f64]) -> Result<(Csr, Vec<f64>)> {
        transpose::transpose_weighted(self, weights)
    }
}

impl Rows for Csr {
    fn num_nodes(&self) -> usize {
        self.num_nodes()
    }

    fn num_arcs(&self) -> u64 {
        self.num_arcs()
    }

    fn try_rows(
        &self,
        range: Range<usize>,
        visit: &mut dyn FnMut(Node, &[Node]) -> Result<()>,
    ) -> Result<()> {
        let mut nodes = range.map(|node| node as Node);
        nodes.try_for_each(|node| visit(node, self.row(node)))
    }
}

/// Refuses graphs whose node numbers do not fit in a [`Node`].
pub fn check_num_nodes(num_nodes: u64) -> Result<()> {
    if num_nodes > u32::MAX as u64 {
        return Err(Error::TooManyNodes { nodes: num_nodes });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

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
