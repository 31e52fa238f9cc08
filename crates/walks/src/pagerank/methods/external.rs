//! The power method on a graph of which not even the vectors fit into memory.
//!
//! Vectors are in files, and so are the rows ([`Grid`]), cut into blocks of nodes. A sweep has two
//! halves. In the first, the shares of a block of sources are in memory, and their sums over all rows
//! are written; in the second, these are added up for a block of targets. These are 8 bytes for each node
//! of a block; all other vectors are read and written piece by piece, by all threads, and files from their
//! beginnings to their ends.
//!
//! Shares are integers ([`super::fixed_point`]), so scores have the same bits for blocks of any size, and
//! are those of [`super::streamed`]. Only live nodes are iterated on: a bit for each node, in memory, says
//! which these are. Rows are decoded once for all, so a sweep is faster than there.

use super::fixed_point::{FixedPointScores, Step};
use super::fixed_point_power::{FixedPointPower, InflowSums};
use super::nondangling::{Live, LiveSet};
use super::pulling::SweepStats;
use super::shares::{SumOfShares, len_of_sums, sums_in_blocks};
use crate::pagerank::equation::Equation;
use std::ops::Range;
use std::sync::Arc;
use webrank_base::error::{Error, Result};
use webrank_base::file_vector::FileVector;
use webrank_base::memory::filled;
use webrank_base::output::TemporaryFolder;
use webrank_base::parallel::fixed_point_sum::FixedSum;
use webrank_base::parallel::sums::INDICES_PER_TASK;
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_cluster::Exchange;
use webrank_graph::Compressed;
use webrank_linear::runs::compact::blocked::{Grid, not_the_transpose};

/// The bytes for so many nodes of a block: of sources, the sums of shares; of targets, the inflows.
pub(crate) fn bytes_of_block(nodes: u64) -> u64 {
    (8 * nodes).saturating_add(nodes / 128 + 8)
}

/// Nodes of a block that is a whole number of pieces, and not smaller than this one.
pub(crate) fn in_pieces(block: usize) -> usize {
    block.next_multiple_of(piece_of(block))
}

/// The nodes whose scores a thread reads and writes at a time.
fn piece_of(block: usize) -> usize {
    block.clamp(1, INDICES_PER_TASK)
}

/// A graph in files.
pub(crate) struct Files {
    grid: Grid,
    outdegrees: FileVector<u32>,
    live: LiveSet,
}

impl Files {
    /// Takes rows of predecessors, and the outdegrees of the graph.
    ///
    /// # Errors
    /// If files cannot be read or written, or if the rows are those of another graph.
    pub(crate) fn new(
        grid: Grid,
        graph: &Compressed,
        folder: &Arc<TemporaryFolder>,
    ) -> Result<Self> {
        let outdegrees = FileVector::zeros(folder, graph.properties().nodes)?;
        let live = LiveSet::new(graph.properties().nodes);
        let mut arcs = 0;
        for block in 0..grid.num_blocks() {
            let nodes = grid.nodes(block);
            let degrees = graph.outdegrees_within(nodes.clone())?;
            let sum: u64 = degrees.iter().map(|&degree| u64::from(degree)).sum();
            if sum != grid.num_arcs_from(block) {
                return Err(not_the_transpose(nodes));
            }
            arcs += sum;
            live.insert(nodes.start, &degrees);
            outdegrees.write(nodes.start, &degrees)?;
        }
        graph.check_count(arcs)?;
        Ok(Files {
            grid,
            outdegrees,
            live,
        })
    }

    /// The rows.
    pub(crate) fn grid(&self) -> &Grid {
        &self.grid
    }
}

/// The inflow of nodes, a block at a time.
pub(crate) struct Blocks<'a> {
    files: &'a Files,
    scores: &'a FileVector<f64>,
    /// The shares of nodes before one in a block of sources, or the sums of a block of targets.
    block: Vec<u64>,
    /// The nodes of a piece.
    piece: usize,
    progress: &'a dyn Progress,
}

/// The buffers of a thread.
#[derive(Default)]
struct Piece {
    scores: Vec<f64>,
    outdegrees: Vec<u32>,
    moved: Vec<f32>,
}

/// Starts from the preference vector, which must be uniform, as must the distribution after dangling nodes.
/// Writes the scores of all nodes over these ones: certificates hold none.
///
/// # Errors
/// If files cannot be written.
pub(crate) fn external<'a, 't>(
    files: &'a Files,
    scores: &'a FileVector<f64>,
    num_arcs: u64,
    equation: Equation<'a>,
    exchange: &'a mut Exchange<'t>,
    folder: &Arc<TemporaryFolder>,
    progress: &'a dyn Progress,
) -> Result<FixedPointPower<'a, 't, Blocks<'a>>> {
    let n = equation.num_nodes;
    let block = files.grid.nodes(0).len();
    let piece = piece_of(block);
    let first = equation.preference.weight(0, n);
    tasks::try_map(pieces(0..n, piece), |nodes| {
        scores.put(nodes.start, &filled(first, nodes.len(), "the scores")?)
    })?;
    let nodes = FixedPointScores::in_pieces(equation, num_arcs, scores, piece, folder)?;
    let inflows = Blocks {
        files,
        scores,
        block: filled(0, len_of_sums(block), "the shares")?,
        piece,
        progress,
    };
    FixedPointPower::new(nodes, inflows, exchange).counted()
}

impl InflowSums for Blocks<'_> {
    fn sweep(
        &mut self,
        nodes: &mut FixedPointScores,
        _: &mut Exchange,
        is_whole: bool,
    ) -> Result<(Step, SweepStats)> {
        let scale = nodes.scale(is_whole);
        let mut mass = FixedSum::default();
        for block in 0..self.files.grid.num_blocks() {
            self.progress.check()?;
            mass.merge(self.scatter(block, scale)?);
        }
        let step = Step {
            scale,
            mass,
            is_whole,
        };
        nodes.begin()?;
        let mut found = SweepStats::default();
        for block in 0..self.files.grid.num_blocks() {
            self.progress.check()?;
            found = SweepStats::of([found, self.gather(nodes, block, step)?]);
        }
        Ok((step, found))
    }

    fn num_live(&mut self) -> Result<usize> {
        Ok(self.files.live.count())
    }
}

impl Blocks<'_> {
    /// Sums the shares of a block over all rows; returns the mass on live nodes.
    fn scatter(&mut self, block: usize, scale: f64) -> Result<FixedSum> {
        let (grid, piece) = (&self.files.grid, self.piece);
        let nodes = grid.nodes(block);
        let before = &mut self.block[..len_of_sums(nodes.len())];
        let mut live = vec![FixedSum::default(); nodes.len().div_ceil(piece)];
        let parts = before.chunks_mut(len_of_sums(piece)).zip(&mut live);
        let parts = pieces(nodes, piece).zip(parts);
        tasks::try_in_order(parts, |state: &mut Piece, (nodes, (before, live))| {
            let Piece {
                scores, outdegrees, ..
            } = state;
            scores.resize(nodes.len(), 0.0);
            outdegrees.resize(nodes.len(), 0);
            self.scores.next(nodes.start, scores)?;
            self.files.outdegrees.next(nodes.start, outdegrees)?;
            *live = sums_in_blocks(scores, outdegrees, scale, before);
            Ok::<_, Error>(())
        })?;
        let before = &self.block[..];
        grid.scatter(block, &SumOfShares(before))?;
        Ok(FixedSum::of(live))
    }

    /// Gives the nodes of a block what comes along their arcs.
    fn gather(&mut self, all: &FixedPointScores, block: usize, step: Step) -> Result<SweepStats> {
        let (grid, piece) = (&self.files.grid, self.piece);
        let nodes = grid.nodes(block);
        let inflows = &mut self.block[..nodes.len()];
        grid.gather(block, inflows)?;
        let pull = all.map(step, Live::Among(&self.files.live));
        let mut found = vec![SweepStats::default(); nodes.len().div_ceil(piece)];
        let parts = inflows.chunks(piece).zip(&mut found);
        let parts = pieces(nodes, piece).zip(parts);
        tasks::try_in_order(parts, |state: &mut Piece, (nodes, (inflows, found))| {
            let Piece { scores, moved, .. } = state;
            scores.resize(nodes.len(), 0.0);
            moved.resize(nodes.len(), 0.0);
            self.scores.next(nodes.start, scores)?;
            *found = pull.nodes(nodes.start, scores, moved, inflows);
            self.scores.put(nodes.start, scores)?;
            all.put_moved(nodes.start, moved)
        })?;
        Ok(SweepStats::of(found))
    }
}

/// Pieces of so many nodes.
fn pieces(nodes: Range<usize>, piece: usize) -> impl Iterator<Item = Range<usize>> {
    let starts = nodes.clone().step_by(piece);
    starts.map(move |start| start..nodes.end.min(start + piece))
}
