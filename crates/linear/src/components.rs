//! Strong components of rows in any form.

use crate::runs::{Row, RowBuffer, RunRows, SingleRows};
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::progress::Progress;
use webrank_graph::components::{SearchedRows, StrongComponents};

/// The strong components of rows in any form, whose entries are nodes, numbered as by
/// [`StrongComponents::new`]. 16 bytes per node more than for rows in memory.
///
/// # Errors
/// If the user interrupts, or if rows are in a file that cannot be read.
pub fn strong_components(rows: &RunRows, progress: &dyn Progress) -> Result<StrongComponents> {
    StrongComponents::searched(RowsOfPath::new(rows)?, rows.num_nodes(), progress)
}

/// Rows that are decoded when they are asked for. Rows of the last nodes of the path are kept, since
/// each is asked for as often as it has entries.
struct RowsOfPath<'r> {
    rows: SingleRows<'r>,
    buffer: RowBuffer,
    /// The nodes of the end of the path whose rows are kept, and where each row starts.
    nodes: Vec<(Node, usize)>,
    entries: Vec<Node>,
    /// The most entries to keep: four rows of all nodes.
    most: usize,
}

impl<'r> RowsOfPath<'r> {
    fn new(rows: &'r RunRows) -> Result<Self> {
        Ok(RowsOfPath {
            rows: rows.single_rows()?,
            buffer: RowBuffer::default(),
            nodes: Vec::new(),
            entries: Vec::new(),
            most: 4 * rows.num_nodes(),
        })
    }

    /// Keeps the row of the last node. If that is too much, rows are dropped that will not be asked for
    /// before half of all entries are done with. So each drop is paid by as many entries, and the
    /// whole search decodes each row a few times at most.
    fn keep(&mut self, node: Node) -> Result<()> {
        let start = self.entries.len();
        let (entries, buffer) = (&mut self.entries, &mut self.buffer);
        let keep = |row: Row| entries.extend(row.nodes());
        self.rows.with_row_of(node as usize, buffer, keep)?;
        self.entries[start..].sort_unstable();
        self.nodes.push((node, start));
        if self.entries.len() > self.most {
            let least = self.entries.len() - self.most / 2;
            let dropped = self.nodes.partition_point(|&(_, start)| start < least);
            let dropped = dropped.min(self.nodes.len() - 1);
            let first = self.nodes[dropped].1;
            self.entries.drain(..first);
            self.nodes.drain(..dropped);
            self.nodes.iter_mut().for_each(|(_, start)| *start -= first);
        }
        Ok(())
    }
}

impl SearchedRows for RowsOfPath<'_> {
    fn entry(&mut self, last: Node, place: usize) -> Result<Option<Node>> {
        if self.nodes.last().is_none_or(|&(node, _)| node != last) {
            self.keep(last)?;
        }
        let start = self.nodes.last().map_or(0, |&(_, start)| start);
        Ok(self.entries.get(start + place).copied())
    }

    fn leave(&mut self) {
        if let Some((_, start)) = self.nodes.pop() {
            self.entries.truncate(start);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use webrank_base::progress::Silent;
    use webrank_graph::Csr;

    proptest! {
        #[test]
        fn components_are_those_of_rows_in_memory(
            (n, arcs) in (1usize..=14).prop_flat_map(|n| {
                let arc = (0..n as Node, 0..n as Node);
                (Just(n), prop::collection::vec(arc, 0..3 * n))
            }),
        ) {
            let rows = Csr::from_arcs(n, arcs).unwrap();
            let components = StrongComponents::new(&rows, &Silent).unwrap();
            let of_runs = strong_components(&RunRows::new(rows), &Silent).unwrap();
            prop_assert_eq!(components.component_of(), of_runs.component_of());
        }
    }
}
