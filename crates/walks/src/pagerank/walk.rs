//! The random walk on a graph: each node passes its score on to its successors in equal parts.

use std::fmt::Display;
use std::ops::Range;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::output::SpillBudget;
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_graph::{Csr, IncomingRows, StoredGraph};
use webrank_linear::runs::flat::FlatRows;
use webrank_linear::runs::{EqualRows, RunRows};
use webrank_measure::form::needs_memory;

/// The row-normalised adjacency G of a graph, as rows of predecessors and outdegrees:
/// `(x G)_i = sum over the predecessors j of i of x_j / outdegree(j)`.
///
/// A node is *live* if it has successors. Only live nodes give anything, so what they give is
/// indexed by their place among the live nodes: the entries of [`Self::rows`] are places in
/// [`Self::live`].
pub struct RandomWalk {
    rows: RunRows,
    live: Vec<Node>,
    outdegrees: Vec<u32>,
    /// The room for vectors that may be in files.
    room: SpillBudget,
}

impl RandomWalk {
    /// Takes rows of predecessors and the outdegrees of the nodes; counts the outdegrees if none
    /// are given. O(n log n + m), parallel.
    ///
    /// # Errors
    /// If there is not one outdegree per node, if the outdegrees do not add up to the number of
    /// arcs, or if a predecessor has outdegree 0.
    pub fn new(backward: IncomingRows) -> Result<Self> {
        let IncomingRows { rows, outdegrees } = backward;
        let equal = EqualRows::of(&rows);
        let outdegrees = match outdegrees {
            Some(outdegrees) => check_outdegrees(&rows, &equal, outdegrees)?,
            None => equal.counts(&rows),
        };
        let live = |node: usize| (outdegrees[node] > 0).then_some(node as Node);
        let live = tasks::select(rows.num_nodes(), live);
        let rows = RunRows::of_live_and_equal(rows, equal, &live);
        Ok(RandomWalk {
            outdegrees: tasks::tabulate(live.len(), |place| outdegrees[live[place] as usize]),
            rows,
            live,
            room: SpillBudget::in_memory(),
        })
    }

    /// Packs the rows of a graph on disk: as many bytes in memory as there is room for, or all in a
    /// file. Without a transpose beside the graph, `transposing` bytes hold some rows at a time
    /// ([`RunRows::pack_transposed`]). O(n log n + m), parallel.
    ///
    /// # Errors
    /// If the graph is damaged or cannot be read; if there is no room or a file cannot be written; if
    /// the user interrupts.
    pub(crate) fn pack(
        source: &StoredGraph,
        room: SpillBudget,
        transposing: u64,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let graph = source.streamed()?;
        let mut outdegrees = graph.outdegrees()?;
        let live = |node: usize| (outdegrees[node] > 0).then_some(node as Node);
        let live = tasks::select(outdegrees.len(), live);
        outdegrees.retain(|&degree| degree > 0);
        outdegrees.shrink_to_fit();
        let rows = match source.streamed_transpose()? {
            Some(transpose) => RunRows::pack(&transpose, &live, room, progress)?,
            None => RunRows::pack_transposed(&graph, &live, room, transposing, progress)?,
        };
        Ok(RandomWalk {
            rows,
            live,
            outdegrees,
            room: SpillBudget::in_memory(),
        })
    }

    /// This walk, with so much room for vectors that may be in files.
    pub(crate) fn with_room(self, room: SpillBudget) -> Self {
        RandomWalk { room, ..self }
    }

    /// The room for vectors that may be in files.
    pub(crate) fn room(&self) -> &SpillBudget {
        &self.room
    }

    /// The number of nodes.
    pub fn num_nodes(&self) -> usize {
        self.rows.num_nodes()
    }

    /// The number of arcs.
    pub fn num_arcs(&self) -> u64 {
        self.rows.num_arcs()
    }

    /// The number of nodes without successors.
    pub fn num_dangling(&self) -> usize {
        self.num_nodes() - self.live.len()
    }

    /// The rows of predecessors, one per node; their entries are places among the live nodes.
    pub fn rows(&self) -> &RunRows {
        &self.rows
    }

    /// The rows, if they are flat.
    ///
    /// # Errors
    /// If they are not, although this parameter needs them.
    pub(crate) fn flat_rows(
        &self,
        parameter: &'static str,
        value: impl Display,
    ) -> Result<&FlatRows> {
        let flat = self.rows.flat();
        flat.ok_or_else(|| needs_memory(parameter, value))
    }

    /// The nodes that have successors, in increasing order.
    pub fn live(&self) -> &[Node] {
        &self.live
    }

    /// The number of successors of each live node.
    pub fn live_outdegrees(&self) -> &[u32] {
        &self.outdegrees
    }

    /// The places of the live nodes among these nodes. O(log n).
    pub(crate) fn live_within(&self, nodes: Range<usize>) -> Range<usize> {
        let place = |node: usize| self.live.partition_point(|&live| (live as usize) < node);
        place(nodes.start)..place(nodes.end)
    }

    /// The dangling nodes among these nodes, in increasing order.
    pub(crate) fn dangling_within(&self, nodes: Range<usize>) -> impl Iterator<Item = usize> {
        let live = &self.live[self.live_within(nodes.clone())];
        let mut live = live.iter().peekable();
        nodes.filter(move |&node| live.next_if(|&&live| live as usize == node).is_none())
    }

    /// The distinct row of each live node. O(n).
    pub(crate) fn live_rows(&self) -> Vec<u32> {
        let row_of = |place: usize| self.rows.row_of(self.live[place] as usize) as u32;
        tasks::tabulate(self.live.len(), row_of)
    }
}

/// # Errors
/// If outdegrees and rows of predecessors do not match, as far as can be checked without counting.
fn check_outdegrees(
    predecessors: &Csr,
    equal: &EqualRows,
    outdegrees: Vec<u32>,
) -> Result<Vec<u32>> {
    let total: u64 = outdegrees.iter().map(|&degree| degree as u64).sum();
    let are_live = |node: usize| {
        let row = predecessors.row(node as Node);
        !equal.is_first(node) || row.iter().all(|&x| outdegrees[x as usize] > 0)
    };
    if outdegrees.len() == predecessors.num_nodes()
        && total == predecessors.num_arcs()
        && tasks::all(predecessors.num_nodes(), are_live)
    {
        return Ok(outdegrees);
    }
    let problem = format!(
        "the outdegrees of {} nodes add up to {total}, but the graph has {} nodes and {} arcs",
        outdegrees.len(),
        predecessors.num_nodes(),
        predecessors.num_arcs()
    );
    Err(Error::Rows { problem })
}
