//! Rows that are asked for one by one, in any order.

use super::compact::{Buffer, CompactRows, Index};
use super::{Distinct, FlatRows, Row, RunRows};
use webrank_base::error::Result;

/// Rows that are asked for one by one, in any order: compact ones are decoded without those around them.
/// For many of them; making it takes a sweep.
pub struct SingleRows<'r> {
    all: &'r RunRows,
    form: SingleForm<'r>,
}

/// How the rows are found.
enum SingleForm<'r> {
    Flat(&'r FlatRows),
    Compact(&'r CompactRows, Index),
}

/// The buffers of a thread that decodes single rows.
#[derive(Default)]
pub struct RowBuffer(Buffer);

impl RunRows {
    /// All rows, to be asked for one by one. Parallel.
    ///
    /// # Errors
    /// If rows are in a file that cannot be read.
    pub fn single_rows(&self) -> Result<SingleRows<'_>> {
        let form = match &*self.distinct {
            Distinct::Flat(rows) => SingleForm::Flat(rows),
            Distinct::Compact(rows) => SingleForm::Compact(rows, Index::new(rows)?),
        };
        Ok(SingleRows { all: self, form })
    }
}

impl SingleRows<'_> {
    /// The number of nodes.
    pub(crate) fn num_nodes(&self) -> usize {
        self.all.num_nodes()
    }

    /// The number of arcs.
    pub(crate) fn num_arcs(&self) -> u64 {
        self.all.num_arcs()
    }

    /// The result of `work` on the row of a node.
    ///
    /// # Errors
    /// If the row is in a file that cannot be read.
    pub fn with_row_of<R>(
        &self,
        node: usize,
        buffer: &mut RowBuffer,
        work: impl FnOnce(Row) -> R,
    ) -> Result<R> {
        let row = self.all.row_of(node);
        match &self.form {
            SingleForm::Flat(rows) => Ok(work(rows.row(row))),
            SingleForm::Compact(rows, index) => index.with_row(rows, row, &mut buffer.0, work),
        }
    }
}
