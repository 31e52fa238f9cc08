//! Rows in the form that was chosen, from the files of a graph.

use super::{Storage, StorageOptions, needs_memory, source_of};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::limits::Limits;
use webrank_base::output::SpillBudget;
use webrank_base::parallel::tasks;
use webrank_base::phases::Phases;
use webrank_base::progress::Progress;
use webrank_graph::Direction;
use webrank_linear::matrix::Matrix;
use webrank_linear::prepared::PreparedMatrix;
use webrank_linear::runs::RunRows;
use webrank_linear::runs::compact::CompactRows;

/// Rows in the form that was chosen.
pub enum Loaded {
    /// In memory, as they are; with the weights of arcs, if they have any.
    Matrix(Matrix),
    /// Compact.
    Packed(RunRows),
}

impl Loaded {
    /// The matrix, prepared for many multiplications.
    pub fn prepared(self) -> PreparedMatrix {
        match self {
            Loaded::Matrix(matrix) => PreparedMatrix::new(matrix),
            Loaded::Packed(rows) => PreparedMatrix::of_rows(rows),
        }
    }
}

impl StorageOptions<'_> {
    /// The matrix of the graph, in the form that fits these limits.
    ///
    /// # Errors
    /// As for [`Self::chosen`] and [`Self::packed_both`]; if there are weights, which compact rows
    /// cannot have.
    pub fn load(
        &self,
        direction: Direction,
        limits: &Limits,
        phases: &mut Phases,
        progress: &dyn Progress,
    ) -> Result<(Storage, Loaded)> {
        let form = self.chosen(limits)?;
        let loaded = match form {
            Storage::Runs => Loaded::Matrix(Matrix::of(self.graph, direction, progress)?),
            _ => Loaded::Packed(self.packed(direction, form, limits, progress)?),
        };
        phases.done(if form == Storage::Runs {
            "load"
        } else {
            "pack"
        });
        Ok((form, loaded))
    }

    /// The rows in one direction, in a form that is read from files, whose entries are nodes.
    fn packed(
        &self,
        direction: Direction,
        form: Storage,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<RunRows> {
        self.check_unweighted()?;
        let (room, for_rows) = self.room(form, limits)?;
        let rows = self.pack(direction, &self.all_nodes(), room, for_rows, progress)?;
        self.announce(rows.compact(), progress);
        Ok(rows)
    }

    /// The rows in one direction, and the nodes that are in rows; entries are places among these.
    ///
    /// # Errors
    /// As for [`Self::packed_both`].
    pub fn packed_live(
        &self,
        direction: Direction,
        form: Storage,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<(RunRows, Vec<Node>)> {
        self.check_unweighted()?;
        let (room, for_rows) = self.room(form, limits)?;
        let live = self.live(direction, progress)?;
        let rows = self.pack(direction, &live, room, for_rows, progress)?;
        self.announce(rows.compact(), progress);
        Ok((rows, live))
    }

    /// Rows in one direction, whose entries are nodes, in the room that other compact rows leave.
    ///
    /// # Errors
    /// As for [`Self::packed_both`].
    pub fn packed_beside(
        &self,
        rows: &RunRows,
        direction: Direction,
        progress: &dyn Progress,
    ) -> Result<RunRows> {
        let room = rows
            .rest_of_room()
            .expect("only compact rows are packed beside others");
        self.pack(
            direction,
            &self.all_nodes(),
            room,
            self.transposing,
            progress,
        )
    }

    /// Checks that there is memory for rows of a measure that has begun without them.
    ///
    /// # Errors
    /// If there is not.
    pub fn admit_in_memory(&self, limits: &Limits, needed: u64) -> Result<()> {
        limits.admit(self.measure, needed).map_err(|_| {
            let remedy = "the tolerance needs a method that reads rows from memory (--form runs): \
                          allow more memory";
            Error::argument("form", "compact or disk", remedy)
        })
    }

    fn check_unweighted(&self) -> Result<()> {
        match self.graph.has_weights() {
            true => Err(needs_memory("weights", "given")),
            false => Ok(()),
        }
    }

    fn all_nodes(&self) -> Vec<Node> {
        (0..self.graph.num_nodes() as Node).collect()
    }

    /// The nodes that have successors, or with [`Direction::Out`] predecessors.
    fn live(&self, direction: Direction, progress: &dyn Progress) -> Result<Vec<Node>> {
        let source = source_of(self.graph);
        let reversed = match direction {
            Direction::In => Some(source.streamed()?),
            Direction::Out => source.streamed_transpose()?,
        };
        if let Some(reversed) = reversed {
            let degrees = reversed.outdegrees()?;
            let live = |node: usize| (degrees[node] > 0).then_some(node as Node);
            return Ok(tasks::select(degrees.len(), live));
        }
        let n = self.graph.num_nodes();
        let is_live: Vec<AtomicBool> = (0..n).map(|_| AtomicBool::new(false)).collect();
        source.streamed()?.scan_all("count", progress, |_, row| {
            row.iter()
                .for_each(|&node| is_live[node as usize].store(true, Relaxed));
        })?;
        let live = |node: usize| is_live[node].load(Relaxed).then_some(node as Node);
        Ok(tasks::select(n, live))
    }

    fn pack(
        &self,
        direction: Direction,
        live: &[Node],
        room: SpillBudget,
        for_rows: u64,
        progress: &dyn Progress,
    ) -> Result<RunRows> {
        let source = source_of(self.graph);
        let transpose = match direction {
            Direction::In => source.streamed_transpose()?,
            Direction::Out => Some(source.streamed()?),
        };
        match transpose {
            Some(rows) => RunRows::pack(&rows, live, room, progress),
            None => {
                let graph = source.streamed()?;
                RunRows::pack_transposed(&graph, live, room, for_rows, progress)
            }
        }
    }

    /// The rows of successors and of predecessors in a form that is read from files, whose entries are
    /// nodes. The rest of the memory for the first holds the second.
    ///
    /// # Errors
    /// If the graph is damaged or cannot be read; if the transpose beside it is that of another; if
    /// there are weights; if there is no room or a file cannot be written; if the user interrupts.
    pub fn packed_both(
        &self,
        form: Storage,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<[RunRows; 2]> {
        self.check_unweighted()?;
        let (room, for_rows) = self.room(form, limits)?;
        let nodes = self.all_nodes();
        let forward = self.pack(Direction::Out, &nodes, room.part(100), for_rows, progress)?;
        self.announce(forward.compact(), progress);
        let held = forward.compact().filter(|rows| !rows.is_on_disk());
        let rest = SpillBudget {
            bytes: room.bytes - room.bytes.min(held.map_or(0, CompactRows::num_bytes)),
            ..room
        };
        let backward = self.pack(Direction::In, &nodes, rest, for_rows, progress)?;
        drop(nodes);
        self.announce(backward.compact(), progress);
        let source = source_of(self.graph);
        if source.has_transpose() {
            let [out, back] = [(&forward, Direction::Out), (&backward, Direction::In)]
                .map(|(rows, direction)| rows.arc_hash(direction));
            source.compare_hashes(out?, back?)?;
        }
        Ok([forward, backward])
    }
}
