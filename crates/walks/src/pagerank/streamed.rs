//! PageRank of a graph that stays compressed.

use super::PageRank;
use super::late_nodes_streamed;
use super::methods::reduced_rank::in_fixed_point::BYTES_OF_NODE;
use super::methods::streamed::streamed;
use serde_json::json;
use webrank_base::error::Result;
use webrank_base::limits::Limits;
use webrank_base::output::SpillBudget;
use webrank_base::phases::Phases;
use webrank_base::progress::Progress;
use webrank_base::units;
use webrank_cluster::Exchange;
use webrank_cluster::delivery::Gathered;
use webrank_graph::Size;
use webrank_graph::{Compressed, Graph, Rows};
use webrank_linear::StopRule;
use webrank_measure::form::{Storage, needs_memory, source_of};
use webrank_scores::Scores;
use webrank_scores::ranked::Ranked;

/// Computes PageRank by the power method, to a certified l1 error, from the compressed graph: rows
/// of successors are decoded in every sweep ([`super::methods::streamed`]).
///
/// 24 bytes per node, for any number of arcs, and 24 more in memory or in files. The result has the
/// same bits for any number of threads, and equal bits for nodes with equal predecessors. It differs
/// from that of [`pagerank`](super::pagerank), within the bounds of both.
///
/// # Errors
/// As for [`pagerank`](super::pagerank); if the file is damaged; if Gauss-Seidel or proved positions, which need the
/// rows in memory, are requested.
pub fn pagerank_streamed(
    graph: &Compressed,
    params: &PageRank,
    stop: &StopRule,
    progress: &dyn Progress,
) -> Result<Scores> {
    streamed_within(graph, params, &SpillBudget::in_memory(), stop, progress)
}

/// [`pagerank_streamed`], if there is memory for `room` besides 24 bytes a node.
fn streamed_within(
    graph: &Compressed,
    params: &PageRank,
    room: &SpillBudget,
    stop: &StopRule,
    progress: &dyn Progress,
) -> Result<Scores> {
    check_streamable(params, stop)?;
    params.check(graph.num_nodes())?;
    params.warn_of_roundings(graph.num_arcs(), stop, progress);
    let n = graph.num_nodes();
    let (equation, start) = (params.equation(n), params.first_scores(n));
    let exchange = &mut Exchange::alone();
    let power = streamed(graph, equation, start, room, exchange)?;
    // Its memory serves what follows.
    let (mut certified, sweeps) = power.solve(stop, progress)?;
    let (tolerance, jumps) = (stop.tolerance.get(), params.jumps());
    late_nodes_streamed::extend(&mut certified, tolerance, jumps, graph, progress)?;
    progress.end();
    Ok(params.scores(certified, true, sweeps, stop))
}

impl PageRank {
    /// The ranking from the compressed graph.
    pub(super) fn streamed(
        &self,
        graph: &Graph,
        limits: &Limits,
        stop: &StopRule,
        mut phases: Phases,
        progress: &dyn Progress,
    ) -> Result<Ranked> {
        if graph.has_weights() {
            return Err(needs_memory("weights", "given"));
        }
        if let Some(parameter) = self.columns.parameter() {
            return Err(needs_memory(parameter, "given"));
        }
        check_streamable(self, stop)?;
        progress.announce(&format!(
            "the graph stays compressed and is decoded in every sweep, which takes many times \
             longer than with the {} of memory that its rows need",
            units::megabytes(self.needs_in_memory(Size::of(graph)))
        ));
        let compressed = source_of(graph).streamed()?;
        let vectors = BYTES_OF_NODE.saturating_mul(graph.num_nodes() as u64);
        phases.done("load");
        let room = self
            .forms(graph)
            .room_besides(Storage::Streamed, limits, vectors)?;
        let scores = streamed_within(&compressed, self, &room, stop, progress)?;
        phases.done("iterate");
        let form = json!({ "name": Storage::Streamed });
        let delivered = Gathered {
            columns: self.headed(graph, vec![scores]),
            in_parts: None,
        };
        self.unproved(graph, delivered, form, phases)
    }
}

/// # Errors
/// If the parameters request something that [`pagerank_streamed`] cannot do.
pub(super) fn check_streamable(params: &PageRank, stop: &StopRule) -> Result<()> {
    if params.method.needs_rows_in_memory() {
        return Err(needs_memory("method", params.method.name()));
    }
    match stop.certify_top {
        Some(k) => Err(needs_memory("certify_top", k)),
        None => Ok(()),
    }
}
