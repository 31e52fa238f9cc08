//! Single rows of prepared matrices. Compact rows are decoded with all others of their block, so where
//! many are asked for, all are swept.

use super::inflow::Inflow;
use super::prepared::PreparedMatrix;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::parallel::tasks;

/// Compact rows are swept if at least one in so many is asked for.
const SWEPT: usize = 8;

impl PreparedMatrix {
    /// Hands each entry of a row to `visit`, in an order that depends on the row alone.
    ///
    /// # Errors
    /// As for [`Self::has_entries`].
    pub fn for_entries(&self, node: Node, mut visit: impl FnMut(Node, f64)) -> Result<()> {
        match self {
            PreparedMatrix::Weighted { matrix, .. } => {
                matrix.row(node).for_each(|(j, weight)| visit(j, weight));
                Ok(())
            }
            PreparedMatrix::Runs { rows, .. } => {
                let row = rows.row_of(node as usize);
                rows.with_row(row, |row| row.nodes().for_each(|j| visit(j, 1.0)))
            }
        }
    }

    /// The sum of `w_ij value(j)` over the entries of row i other than `w_ii`, and that.
    ///
    /// # Errors
    /// As for [`Self::has_entries`].
    pub fn dot_of_others(
        &self,
        node: Node,
        value: impl Fn(Node) -> f64 + Copy,
    ) -> Result<(f64, f64)> {
        let other = |j: Node| if j == node { 0.0 } else { value(j) };
        match self {
            PreparedMatrix::Weighted { matrix, .. } => {
                Ok((matrix.dot(node, other), matrix.entry(node, node)))
            }
            PreparedMatrix::Runs { rows, .. } => rows.with_row(rows.row_of(node as usize), |row| {
                (row.exact_sum(other), f64::from(row.contains(node)))
            }),
        }
    }

    /// Whether so many rows are better had from a sweep over all.
    fn is_swept_for(&self, count: usize) -> bool {
        let is_compact = self.rows().is_some_and(|rows| rows.flat().is_none());
        is_compact && count * SWEPT >= self.num_nodes()
    }

    /// The entries of M x at these nodes, with the bits of [`Self::multiply`].
    ///
    /// # Errors
    /// As for [`Self::has_entries`].
    pub fn multiply_at(&mut self, nodes: &[Node], x: &[f64]) -> Result<Vec<f64>> {
        if self.is_swept_for(nodes.len()) {
            let mut y = vec![0.0; self.num_nodes()];
            self.multiply(x, &mut y)?;
            return Ok(nodes.iter().map(|&node| y[node as usize]).collect());
        }
        let matrix = &*self;
        at(nodes, |node| match matrix {
            PreparedMatrix::Weighted { matrix, .. } => Ok(matrix.dot(node, |j| x[j as usize])),
            PreparedMatrix::Runs { rows, .. } => {
                let row = rows.row_of(node as usize);
                rows.with_row(row, |row| row.exact_sum(|j| x[j as usize]))
            }
        })
    }

    /// The entries of [`Self::imbalances`] at these nodes.
    ///
    /// # Errors
    /// As for [`Self::has_entries`].
    pub fn imbalances_at(
        &self,
        nodes: &[Node],
        start: f64,
        shares: &[f64],
        totals: &[f64],
    ) -> Result<Vec<(f64, f64)>> {
        if self.is_swept_for(nodes.len()) {
            let all = self.imbalances(start, shares, totals)?;
            return Ok(nodes.iter().map(|&node| all[node as usize]).collect());
        }
        at(nodes, |node| {
            let (share, total) = (shares[node as usize], totals[node as usize]);
            match self {
                PreparedMatrix::Weighted { matrix, .. } => {
                    Ok(matrix.imbalance(node, start, shares, total))
                }
                PreparedMatrix::Runs { rows, .. } => {
                    rows.with_row(rows.row_of(node as usize), |row| {
                        let mut inflow = Inflow::default();
                        row.nodes().for_each(|j| inflow.add(shares[j as usize]));
                        inflow.imbalance(start, share, total)
                    })
                }
            }
        })
    }
}

/// A value at each of these nodes, in their order.
fn at<T: Send>(nodes: &[Node], value: impl Fn(Node) -> Result<T> + Sync) -> Result<Vec<T>> {
    let parts = tasks::try_map(tasks::ranges(nodes.len()), |range| {
        let values = nodes[range].iter().map(|&node| value(node));
        values.collect::<Result<Vec<T>>>()
    });
    Ok(parts?.into_iter().flatten().collect())
}
