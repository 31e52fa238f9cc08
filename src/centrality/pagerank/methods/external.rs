//! The power method on a graph of which not even the vectors fit into memory.
//!
//! Vectors are in files, and so are the rows ([`Grid`]), cut into blocks of nodes. A sweep has two
//! halves. In the first, the shares of a block of sources are in memory, and their sums over all rows
//! are written; in the second, these are added up for a block of targets. About 24 bytes for each node
//! of a block are in memory, and all files are read and written from their beginnings to their ends.
//!
//! Shares are whole numbers ([`super::whole`]), so scores have the same bits for blocks of any size, and
//! are those of [`super::streamed`]. Rows are decoded once for all, so a sweep is faster than there.

use super::shares::sums_of_shares;
use super::whole::{Pulled, STAGE, Sweep, WholeScores, known};
use crate::centrality::pagerank::certificate::{Certified, Iteration};
use crate::centrality::pagerank::equation::Equation;
use crate::checkpoint::{Found, Saving};
use crate::error::Result;
use crate::graph::Compressed;
use crate::linear::file_vector::FileVector;
use crate::linear::runs::Row;
use crate::linear::runs::compact::grid::{Grid, not_the_transpose};
use crate::memory::filled;
use crate::output::TemporaryFolder;
use crate::parallel::fixed::FixedSum;
use crate::progress::Progress;
use std::sync::Arc;

/// The bytes for each node of a block: of sources, the scores, sums of shares and outdegrees; of targets,
/// the scores, inflows and their change; and what packs them.
pub(crate) const OF_BLOCK: u64 = 24;

/// A graph in files.
pub(crate) struct Files {
    grid: Grid,
    outdegrees: FileVector<u32>,
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
        let mut arcs = 0;
        for block in 0..grid.num_blocks() {
            let nodes = grid.nodes(block);
            let degrees = graph.outdegrees_within(nodes.clone())?;
            let sum: u64 = degrees.iter().map(|&degree| u64::from(degree)).sum();
            if sum != grid.num_arcs_from(block) {
                return Err(not_the_transpose(nodes));
            }
            arcs += sum;
            outdegrees.write(nodes.start, &degrees)?;
        }
        graph.check_count(arcs)?;
        Ok(Files { grid, outdegrees })
    }

    /// The rows.
    pub(crate) fn grid(&self) -> &Grid {
        &self.grid
    }
}

/// The state of an iteration.
pub(crate) struct External<'a> {
    files: &'a Files,
    /// What all blocks share, and the vectors of the block that is in memory.
    nodes: WholeScores<'a>,
    scores: FileVector<f64>,
    progress: &'a dyn Progress,
}

impl<'a> External<'a> {
    /// Starts from the preference vector, which must be uniform, as must the distribution after
    /// dangling nodes.
    ///
    /// # Errors
    /// If files cannot be written.
    pub(crate) fn new(
        files: &'a Files,
        num_arcs: u64,
        equation: Equation<'a>,
        folder: &Arc<TemporaryFolder>,
        progress: &'a dyn Progress,
    ) -> Result<Self> {
        let n = equation.num_nodes;
        let scores = FileVector::zeros(folder, n)?;
        for block in 0..files.grid.num_blocks() {
            let nodes = files.grid.nodes(block);
            let first = equation.preference.weight(nodes.start, n);
            scores.write(nodes.start, &filled(first, nodes.len(), "the scores")?)?;
        }
        Ok(External {
            files,
            nodes: WholeScores::in_blocks(equation, num_arcs, folder)?,
            scores,
            progress,
        })
    }

    /// The scores.
    pub(crate) fn into_scores(self) -> FileVector<f64> {
        self.scores
    }

    /// x <- F(x).
    fn apply(&mut self) -> Result<Sweep> {
        let scale = self.nodes.scale();
        let (grid, mut dangling) = (&self.files.grid, FixedSum::default());
        for block in 0..grid.num_blocks() {
            self.progress.check()?;
            dangling.merge(self.scatter(block, scale)?);
        }
        let mut found = Pulled::default();
        for block in 0..grid.num_blocks() {
            self.progress.check()?;
            let mut inflows = filled(0, grid.nodes(block).len(), "the scores")?;
            grid.gather(block, &mut inflows)?;
            let nodes = grid.nodes(block);
            self.nodes.take_block(self.scores.read(nodes.clone())?)?;
            let pulled = self.nodes.pull(scale, dangling, known(&inflows));
            found = Pulled::of([found, pulled]);
            self.scores.write(nodes.start, &self.nodes.give_block()?)?;
        }
        self.nodes.swept(scale, found)
    }

    /// Sums the shares of a block over all rows; returns the mass on dangling nodes.
    fn scatter(&self, block: usize, scale: f64) -> Result<FixedSum> {
        let nodes = self.files.grid.nodes(block);
        let mut before = filled(0, nodes.len() + 1, "the shares")?;
        let scores = self.scores.read(nodes.clone())?;
        let outdegrees = self.files.outdegrees.read(nodes)?;
        let dangling = sums_of_shares(&scores, &outdegrees, scale, &mut before);
        drop((scores, outdegrees));
        let sum = |row: Row| row.whole_sum(&before);
        self.files.grid.scatter(block, sum).map(|()| dangling)
    }
}

/// The scores are in a file: certificates hold none.
impl Iteration for &mut External<'_> {
    fn sweep(&mut self) -> Result<f64> {
        self.nodes.extrapolate_in_file(&self.scores)?;
        Ok(self.apply()?.change)
    }

    fn certify(&mut self) -> Result<Certified> {
        let sweep = self.apply()?;
        Ok(self.nodes.certified(&sweep))
    }

    fn floor(&self) -> f64 {
        self.nodes.floor()
    }

    fn stage(&self) -> Option<&'static str> {
        Some(STAGE)
    }

    fn save(&mut self, to: Option<&mut Saving>) -> Result<()> {
        let Some(to) = to else { return Ok(()) };
        self.nodes.save_in_file(&self.scores, to)
    }

    fn restore(&mut self, from: Option<&mut Found>) -> Result<()> {
        let Some(from) = from else { return Ok(()) };
        self.nodes.restore_in_file(&self.scores, from)
    }
}
