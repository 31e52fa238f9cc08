//! HyperBall, and samples, from the rows of one direction, where those of both do not fit into memory.
//!
//! [Distinct rows](SharedRows) of a graph on disk are kept as bytes: in memory, as far as that makes
//! slices of counters no narrower, and otherwise in a file, which every step reads once. Decoding
//! costs little beside the joins, so wide slices are worth more than rows in memory.

use super::hyperball::can_estimate;
use super::ranking::COLUMN;
use super::sampled::{Sweeping, can_sample};
use super::{DistanceMethod, DistanceScores, Geometric, choice};
use crate::traversal::hyperball::{BallRows, SharedRows, Slicing};
use std::sync::Arc;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::limits::Limits;
use webrank_base::output::{SpillBudget, TemporaryFolder};
use webrank_base::phases::Phases;
use webrank_base::progress::Progress;
use webrank_base::units;
use webrank_graph::Size;
use webrank_graph::{Csr, Direction, Graph, StoredGraph};
use webrank_linear::runs::RunRows;
use webrank_linear::runs::compact::pack::{bytes_of_windows, transposing};

/// The bytes of a node in distinct rows, without the rows: its row, its place among those with the
/// same row, and at most one row with its checks.
const OF_NODE: u64 = 16;

/// The bytes of a node in a sample, at least: its place, its degree, and sums and counts of its row.
const OF_NODE_SWEPT: u64 = 44;

/// The bytes of a node while rows are packed.
const OF_NODE_PACKING: u64 = 44;

impl Geometric {
    /// The least bytes with the rows of one direction; none if neither HyperBall nor a sample is wanted and
    /// knows all measures.
    pub(super) fn needs_of_one(&self, graph: &Graph) -> Option<u64> {
        let n = graph.num_nodes();
        let is_possible = self.measures().iter().all(|&measure| match self.method {
            DistanceMethod::Hyperball | DistanceMethod::Auto => can_estimate(measure),
            DistanceMethod::Sample => can_sample(measure, n),
            DistanceMethod::Exact => false,
        });
        let counters = match self.method {
            // More is known once rows are.
            DistanceMethod::Sample => n as u64 * OF_NODE_SWEPT,
            _ => self.counters.least_memory(n),
        };
        is_possible.then(|| match graph.source() {
            Some(source) => {
                let packing = n as u64 * OF_NODE_PACKING
                    + bytes_of_windows(n as u64, graph.num_arcs())
                    + self.transposing(source, graph);
                let searching = n as u64 * OF_NODE + counters;
                match self.method {
                    // Columns come later than rows, and when nodes are ranked nothing else is left.
                    DistanceMethod::Sample => {
                        let ranking = n as u64 * self.of_columns();
                        let base = Size::of(graph).bytes_without_rows(0);
                        base + packing.max(searching).max(ranking)
                    }
                    _ => self.besides(graph) + packing.max(searching),
                }
            }
            // A sample may copy the rows.
            None => Size::of(graph).bytes(38 + self.of_columns(), 9) + counters,
        })
    }

    /// The bytes of everything but rows and counters.
    fn besides(&self, graph: &Graph) -> u64 {
        Size::of(graph).bytes_without_rows(20 + self.of_columns())
    }

    /// The bytes of a node in all columns.
    pub(super) fn of_columns(&self) -> u64 {
        COLUMN * self.measures.len() as u64
    }

    /// The least bytes for rows that are transposed before they are packed.
    fn transposing(&self, source: &StoredGraph, graph: &Graph) -> u64 {
        match self.direction {
            Direction::In => transposing(source, graph.num_arcs()),
            Direction::Out => 0,
        }
    }

    /// Estimates from the rows of one direction.
    pub(super) fn on_one(
        &self,
        graph: &Graph,
        limits: &Limits,
        phases: &mut Phases,
        progress: &dyn Progress,
    ) -> Result<(DistanceScores, Vec<String>)> {
        if self.method == DistanceMethod::Sample {
            return self.swept(graph, limits, phases, progress);
        }
        let (scores, mut notes) = match graph.source() {
            Some(source) => {
                let n = graph.num_nodes();
                let left = limits.left_after(self.besides(graph) + n as u64 * OF_NODE);
                let slicing = Slicing::within(self.counters, n, left, self.temp.clone());
                let room = left.saturating_sub(slicing.memory(self.counters, n));
                let rows = SharedRows::new(self.packed(source, graph, room, progress)?)?;
                phases.done("pack");
                self.estimate(BallRows::Shared(&rows), limits, progress)?
            }
            None => {
                let rows = self.lists(graph, progress)?;
                phases.done("load");
                let rows = BallRows::Lists {
                    rows: &rows,
                    reverse: None,
                };
                self.estimate(rows, limits, progress)?
            }
        };
        if self.method == DistanceMethod::Auto {
            notes.insert(0, choice::of_memory(self.counters));
        }
        Ok((scores, notes))
    }

    /// A sample from the rows of one direction.
    fn swept(
        &self,
        graph: &Graph,
        limits: &Limits,
        phases: &mut Phases,
        progress: &dyn Progress,
    ) -> Result<(DistanceScores, Vec<String>)> {
        let rows = match graph.source() {
            // Rows in a file cost little: all memory is for the searches.
            Some(source) => self.packed(source, graph, 0, progress)?,
            None => RunRows::new(Arc::unwrap_or_clone(self.lists(graph, progress)?)),
        };
        phases.done("pack");
        let sweeping = Sweeping {
            rows: &rows,
            measures: &self.measures(),
            direction: self.direction,
            wanted: self.sample(),
        };
        sweeping.run(limits, progress)
    }

    /// The rows of a graph in memory.
    fn lists(&self, graph: &Graph, progress: &dyn Progress) -> Result<Arc<Csr>> {
        match self.direction {
            Direction::In => graph.predecessors(progress),
            Direction::Out => graph.successors(progress),
        }
    }

    /// The distinct rows as bytes: in memory if they fit into so many bytes, otherwise in a file.
    fn packed(
        &self,
        source: &StoredGraph,
        graph: &Graph,
        bytes: u64,
        progress: &dyn Progress,
    ) -> Result<RunRows> {
        let n = graph.num_nodes();
        let room = SpillBudget {
            bytes,
            folder: Some(Arc::new(TemporaryFolder::create(&self.temp)?)),
        };
        let all: Vec<Node> = (0..n as Node).collect();
        let transpose = match self.direction {
            Direction::In => source.streamed_transpose()?,
            Direction::Out => None,
        };
        let rows = match (transpose, self.direction) {
            (Some(rows), _) => RunRows::pack(&rows, &all, room, progress)?,
            (None, Direction::Out) => RunRows::pack(&source.streamed()?, &all, room, progress)?,
            (None, Direction::In) => {
                let at_once = self.transposing(source, graph);
                let graph = source.streamed()?;
                RunRows::pack_transposed(&graph, &all, room, at_once, progress)?
            }
        };
        if let Some(rows) = rows.compact().filter(|rows| rows.is_on_disk()) {
            progress.announce(&format!(
                "the rows of the graph are kept in a temporary file of {} in {}",
                units::megabytes(rows.num_bytes()),
                self.temp.display()
            ));
        }
        Ok(rows)
    }
}
