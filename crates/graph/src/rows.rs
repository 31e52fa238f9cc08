//! Rows, whatever holds them.

use std::ops::Range;
use webrank_base::Node;
use webrank_base::error::Result;

/// The rows of a graph: for each node, the strictly increasing list of its neighbours in one
/// direction.
pub trait Rows: Send + Sync {
    /// The number of nodes.
    fn num_nodes(&self) -> usize;

    /// The number of arcs, self-loops included.
    fn num_arcs(&self) -> u64;

    /// Calls `visit(node, row)` for every node of `range`, in increasing order, until it fails.
    ///
    /// # Errors
    /// The first one of the visitor. Only forms that decode during the scan can fail otherwise, when
    /// their file is damaged; the rows visited until then are correct.
    fn try_rows(
        &self,
        range: Range<usize>,
        visit: &mut dyn FnMut(Node, &[Node]) -> Result<()>,
    ) -> Result<()>;

    /// [`Self::try_rows`] with a visitor that cannot fail.
    ///
    /// # Errors
    /// The errors of the scan.
    fn for_rows(&self, range: Range<usize>, visit: &mut dyn FnMut(Node, &[Node])) -> Result<()> {
        self.try_rows(range, &mut |node, row| {
            visit(node, row);
            Ok(())
        })
    }
}
