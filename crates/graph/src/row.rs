//! A single row of a graph, without the others in memory.

use super::{Compressed, Direction, Graph, Rows, StoredGraph};
use crate::Size;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::progress::Progress;

impl Graph {
    /// The graph in the files of `source`, as if its nodes had no names: they are not read.
    pub fn without_names(source: StoredGraph) -> Self {
        Self::of_source(source, None)
    }

    /// The neighbours of a node: with [`Direction::In`] those that have an arc to it, with
    /// [`Direction::Out`] those to which it has one. A graph on disk decodes only this row, unless the
    /// transpose is missing and must be computed.
    ///
    /// # Errors
    /// If a file is damaged or missing, or if memory is short.
    ///
    /// # Panics
    /// If `node` is not in the graph.
    pub fn row(
        &self,
        node: Node,
        direction: Direction,
        progress: &dyn Progress,
    ) -> Result<Vec<Node>> {
        let Some(rows) = self.streamed(direction)? else {
            let rows = match direction {
                Direction::In => self.predecessors(progress)?,
                Direction::Out => self.successors(progress)?,
            };
            return Ok(rows.row(node).to_vec());
        };
        let (place, mut found) = (node as usize, Vec::new());
        rows.for_rows(place..place + 1, &mut |_, row| found = row.to_vec())?;
        Ok(found)
    }

    /// The bytes that [`Self::row`] holds at most.
    pub fn needs_of_row(&self, direction: Direction) -> u64 {
        let has_rows = |source: &StoredGraph| direction == Direction::Out || source.has_transpose();
        let size = Size::of(self);
        match self.source().is_some_and(has_rows) {
            // Where lists start, and the lists that this one copies from.
            true => size
                .bytes_without_rows(16)
                .saturating_add(64 * size.arcs.min(size.nodes)),
            false => size.bytes(20, 9),
        }
    }

    fn streamed(&self, direction: Direction) -> Result<Option<Compressed>> {
        match (self.source(), direction) {
            (None, _) => Ok(None),
            (Some(source), Direction::Out) => source.streamed().map(Some),
            (Some(source), Direction::In) => source.streamed_transpose(),
        }
    }
}
