//! PageRank with rows and vectors in files: how much is in memory at a time, and where the rest is.

use super::Distribution;
use super::PageRank;
use super::form::PARTS;
use super::methods::external::{Files, bytes_of_block, external, in_pieces};
use super::methods::nondangling::bytes_of_live;
use super::methods::reduced_rank::in_fixed_point::BYTES_OF_NODE;
use super::streamed::check_streamable;
use ndarray::Array1;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use webrank_base::error::{Error, Result};
use webrank_base::file_vector::FileVector;
use webrank_base::limits::Limits;
use webrank_base::output::{SpillBudget, TemporaryFolder};
use webrank_base::phases::Phases;
use webrank_base::progress::Progress;
use webrank_base::units;
use webrank_cluster::Exchange;
use webrank_cluster::delivery::Gathered;
use webrank_graph::Size;
use webrank_graph::arcs::{ArcStore, Duplicates, SortedArcs};
use webrank_graph::bundle::Content;
use webrank_graph::{Compressed, Graph, Rows, StoredGraph};
use webrank_linear::StopRule;
use webrank_linear::runs::compact::blocked;
use webrank_linear::runs::compact::blocked::{Grid, MAX_BLOCKS, PredecessorScan};
use webrank_linear::runs::compact::pack;
use webrank_measure::Described;
use webrank_measure::form::{Storage, needs_memory, source_of};
use webrank_scores::external as ranking;
use webrank_scores::external::ExternalRanking;
use webrank_scores::ranked::Ranked;
use webrank_scores::{Run, Scores};

/// The bytes a node of where lists start, while they are read.
const OF_OFFSETS: u64 = 4;

/// The bytes a node of all scores and their ranking.
const OF_RANKED: u64 = 33;

/// The bytes a node of vectors in files: scores, outdegrees, and the changes in the last sweeps.
const OF_VECTORS: u64 = 12 + BYTES_OF_NODE;

/// Scores in a file.
struct InFiles {
    /// The blocks that memory was shared out for.
    blocks: u64,
    scores: FileVector<f64>,
    run: Run,
    form: Value,
    folder: Arc<TemporaryFolder>,
}

impl PageRank {
    /// The bytes held in sweeps over so many blocks, besides a block.
    fn external_besides(&self, graph: &Graph, blocks: u64) -> u64 {
        let size = Size::of(graph);
        let index = blocked::bytes_of_index(size.nodes, size.arcs, size.graph, blocks);
        size.bytes_without_rows(OF_OFFSETS)
            .saturating_add(bytes_of_live(size.nodes))
            .saturating_add(PARTS)
            .saturating_add(blocked::bytes_of_windows(size.nodes, size.arcs))
            .saturating_add(index)
    }

    /// [`Self::external_besides`] with a block, or with the least that ranks the nodes.
    fn external_in(&self, graph: &Graph, blocks: u64) -> u64 {
        let n = graph.num_nodes() as u64;
        let of_block = bytes_of_block(block_of(n, blocks) as u64);
        let besides = self.external_besides(graph, blocks);
        besides.saturating_add(of_block.max(ranking::least_bytes(n)))
    }

    /// The fewest blocks for so many bytes; those that take least if there are none.
    fn blocks_within(&self, graph: &Graph, bytes: u64) -> u64 {
        let mut counts = 1..=MAX_BLOCKS as u64;
        let fits = |&blocks: &u64| self.external_in(graph, blocks) <= bytes;
        let least = || {
            counts
                .clone()
                .min_by_key(|&blocks| self.external_in(graph, blocks))
        };
        let fewest = counts.clone().find(fits);
        fewest.or_else(least).or_else(|| counts.next()).unwrap_or(1)
    }

    /// The least bytes held with rows and vectors in files.
    pub(super) fn needs_external(&self, graph: &Graph) -> u64 {
        self.external_in(graph, self.blocks_within(graph, 0))
    }

    /// The bytes held where so many are allowed: sweeps take few blocks, and ranking sorts all at once.
    pub(super) fn held_external(&self, graph: &Graph, allowed: u64) -> u64 {
        let blocks = self.blocks_within(graph, allowed);
        let ranking = ranking::most_bytes(graph.num_nodes() as u64);
        let all = self.external_besides(graph, blocks).saturating_add(ranking);
        self.external_in(graph, blocks).max(all.min(allowed))
    }

    /// # Errors
    /// If the parameters request something that blocks in files do not allow.
    fn check_external(&self, graph: &Graph, stop: &StopRule) -> Result<()> {
        if graph.has_weights() {
            return Err(needs_memory("weights", "given"));
        }
        if let Some(parameter) = self.columns.parameter() {
            return Err(needs_memory(parameter, "given"));
        }
        check_streamable(self, stop)?;
        let is_vector = |given: &Distribution| *given != Distribution::Uniform;
        let needs_vectors = |parameter| {
            let remedy = "it takes 8 bytes a node in memory, and the form external is for graphs of \
                          which not even the vectors fit: ask for the form streamed, or allow more \
                          memory";
            Err(Error::argument(parameter, "given", remedy))
        };
        match self.dangling_distribution() {
            _ if is_vector(&self.preference) => needs_vectors("preference"),
            Some(u) if is_vector(u) => needs_vectors("dangling"),
            _ if self.start.is_some() => needs_vectors("start"),
            _ => Ok(()),
        }
    }

    /// The ranking by scores in files, which are read into memory.
    pub(super) fn external(
        &self,
        graph: &Graph,
        limits: &Limits,
        stop: &StopRule,
        mut phases: Phases,
        progress: &dyn Progress,
    ) -> Result<Ranked> {
        let ranked = OF_RANKED.saturating_mul(graph.num_nodes() as u64);
        let needed = self.needs_external(graph).saturating_add(ranked);
        limits.admit(Self::ABOUT.name, needed)?;
        let found = self.in_files(graph, limits, stop, &mut phases, progress)?;
        let scores = Array1::from_vec(found.scores.read(0..graph.num_nodes())?);
        let delivered = Gathered {
            columns: self.headed(graph, vec![Scores::new(scores, found.run)]),
            in_parts: None,
        };
        self.unproved(graph, delivered, found.form, phases)
    }

    /// The ranking by scores in files, which stays there.
    ///
    /// # Errors
    /// As for [`super::pagerank_streamed`]; if files cannot be written; if the parameters request
    /// something that blocks in files do not allow.
    pub(super) fn ranked_in_files(
        &self,
        graph: &Graph,
        limits: &Limits,
        stop: &StopRule,
        progress: &dyn Progress,
    ) -> Result<ExternalRanking> {
        let mut phases = Phases::start();
        let found = self.in_files(graph, limits, stop, &mut phases, progress)?;
        let left = limits.left_after(self.external_besides(graph, found.blocks));
        let (scores, run, folder) = (found.scores, found.run, found.folder);
        let mut ranked =
            ExternalRanking::new(scores, run, stop.tolerance, left, &folder, progress)?;
        phases.done("rank");
        ranked.notes = self.unproved_notes(&found.form);
        ranked.form = found.form;
        ranked.phases = phases;
        Ok(ranked)
    }

    fn in_files(
        &self,
        graph: &Graph,
        limits: &Limits,
        stop: &StopRule,
        phases: &mut Phases,
        progress: &dyn Progress,
    ) -> Result<InFiles> {
        self.check_external(graph, stop)?;
        let blocks = self.blocks_within(graph, limits.allowed_memory());
        let block = block_of(graph.num_nodes() as u64, blocks);
        let temp = self.forms(graph).temp_folder();
        let folder = Arc::new(TemporaryFolder::create(&temp)?);
        let files = pack(source_of(graph), block, &folder, progress)?;
        phases.done("pack");
        let [of_rows, of_sums] = files.grid().num_bytes();
        let n = graph.num_nodes() as u64;
        progress.announce(&format!(
            "the rows and vectors of the graph are kept in temporary files of up to {} in {}, \
             and swept in {}",
            units::megabytes(of_rows + of_sums + OF_VECTORS * n),
            temp.display(),
            match files.grid().num_blocks() {
                1 => "one block of nodes".into(),
                blocks => format!("{blocks} blocks of nodes"),
            }
        ));
        let mut form = json!({ "name": Storage::External, "blocks": files.grid().num_blocks() });
        form["bytes_per_arc"] = (of_rows as f64 / graph.num_arcs().max(1) as f64).into();
        let (scores, run) =
            self.swept_in_files(&files, graph.num_arcs(), stop, &folder, progress)?;
        phases.done("iterate");
        Ok(InFiles {
            blocks,
            scores,
            run,
            form,
            folder,
        })
    }

    fn swept_in_files(
        &self,
        files: &Files,
        num_arcs: u64,
        stop: &StopRule,
        folder: &Arc<TemporaryFolder>,
        progress: &dyn Progress,
    ) -> Result<(FileVector<f64>, Run)> {
        self.warn_of_roundings(num_arcs, stop, progress);
        let n = files.grid().num_nodes();
        let (scores, equation) = (FileVector::zeros(folder, n)?, self.equation(n));
        let exchange = &mut Exchange::alone();
        let power = external(
            files, &scores, num_arcs, equation, exchange, folder, progress,
        )?;
        let (found, sweeps) = power.solve(stop, progress)?;
        progress.end();
        Ok((scores, self.described(found.bound, true, sweeps, stop)))
    }
}

/// The nodes of each of so many blocks, or of fewer.
fn block_of(nodes: u64, blocks: u64) -> usize {
    in_pieces((nodes.div_ceil(blocks) as usize).max(1))
}

/// The scores of all nodes of a graph on disk, in blocks of so many, or a few more: for tests, whose graphs
/// fit into one block.
///
/// # Errors
/// As for [`super::pagerank_streamed`].
#[doc(hidden)]
pub fn pagerank_external(
    source: &StoredGraph,
    params: &PageRank,
    block: usize,
    temp: &Path,
    stop: &StopRule,
    progress: &dyn Progress,
) -> Result<Scores> {
    let folder = Arc::new(TemporaryFolder::create(temp)?);
    let files = pack(source, in_pieces(block.max(1)), &folder, progress)?;
    let num_arcs = source.properties().arcs;
    let (scores, run) = params.swept_in_files(&files, num_arcs, stop, &folder, progress)?;
    let scores = scores.read(0..source.properties().nodes)?;
    Ok(Scores::new(Array1::from_vec(scores), run))
}

/// Packs a graph in blocks of so many nodes. Without a transpose beside the graph, arcs are sorted on disk
/// first.
fn pack(
    source: &StoredGraph,
    block: usize,
    folder: &Arc<TemporaryFolder>,
    progress: &dyn Progress,
) -> Result<Files> {
    let graph = source.streamed()?;
    let n = graph.num_nodes();
    let grid = match source.streamed_transpose()? {
        Some(rows) => {
            let ranges = rows.blocks(pack::WINDOW_BITS);
            let scan: &PredecessorScan = &|range, visit| rows.try_rows(range, visit);
            Grid::pack(n, block, &ranges, scan, folder, progress)?
        }
        None => {
            let arcs = turned(&graph, bytes_of_block(block as u64), folder, progress)?;
            let scan: &PredecessorScan =
                &|range, visit| arcs.rows(range, &mut |node, row, _| visit(node, row));
            Grid::pack(n, block, &arcs.parts(), scan, folder, progress)?
        }
    };
    Files::new(grid, &graph, folder)
}

/// The arcs of a graph, sorted by their targets in so many bytes of memory, and beyond on disk.
fn turned(
    graph: &Compressed,
    bytes: u64,
    folder: &Arc<TemporaryFolder>,
    progress: &dyn Progress,
) -> Result<SortedArcs<u64>> {
    let n = graph.num_nodes();
    let folder = Some(folder.clone());
    let mut arcs = ArcStore::new(SpillBudget { bytes, folder }, false);
    progress.begin("transpose", Some(n as u64));
    graph.try_rows(0..n, &mut |node, row| {
        if node.is_multiple_of(1 << 16) {
            progress.check()?;
            progress.advance(1 << 16);
        }
        row.iter()
            .try_for_each(|&target| arcs.push(node, target, 1.0))
    })?;
    progress.end();
    let mut arcs = arcs.finish(n, None, Duplicates::Drop)?;
    arcs.reverse()?;
    Ok(arcs)
}
