//! The memory of workers that compute PageRank on shards.

use super::Distribution;
use super::PageRank;
use super::parameters::Columns;
use crate::distributed;
use crate::distributed::{OnShards, needs_of_part};
use webrank_base::error::Result;
use webrank_cluster::LocalSizes;
use webrank_graph::Size;
use webrank_graph::{Direction, Graph};
use webrank_measure::Described;

/// The bytes a live node of a worker, besides its outdegree and its row: scores, sums of shares, sums over
/// distinct rows, changes, the list of live nodes, and their rows. Rows are packed before, in no more.
const OF_NODE: u64 = 8 * 3 + 4 * 3;

/// The bytes that a node without successors takes less than that, its outdegree and its row: at the end, it
/// has a sum and a place.
const OF_DANGLING_LESS: u64 = OF_NODE + distributed::OF_NODE - 16;

/// [`OF_NODE`] if walks go against arcs: indegrees, sums over successors, and their steps.
const OF_NODE_REVERSED: u64 = OF_NODE + 4 + 8 * 2;

/// The bytes of a node elsewhere, or with predecessors elsewhere, besides what every measure holds: its
/// number among those for which something arrives, and a part of a row; and the same among live nodes.
const OF_TOUCHED: u64 = 16;

/// The bytes that such a node takes less than that, and than in every measure, if it has no successors: only
/// its number is kept.
const OF_TOUCHED_LESS: u64 = OF_TOUCHED + distributed::OF_TOUCHED - 4;

/// The bytes of a node, and of one elsewhere, or with predecessors elsewhere, while parts are opened: lists
/// of these are read, and sent.
const OPENING: [u64; 2] = [4, 32];

/// The bytes a node of the scores of all workers, and their ranking.
const OF_RANKED: u64 = 24;

/// The bytes a node besides if some scores may be 0: then all rows are packed in the end.
const OF_ALL_ROWS: u64 = 36;

/// The bytes that sweeps do not take where nodes are not live.
fn spared(held: LocalSizes) -> u64 {
    let dangling = held.nodes - held.live;
    let touched = held.touched - held.touched_live;
    OF_DANGLING_LESS * dangling + OF_TOUCHED_LESS * touched
}

/// The bytes that are held while parts are opened.
fn opening(size: Size, held: LocalSizes) -> u64 {
    let [of_node, of_touched] = OPENING;
    let nodes = Size {
        nodes: held.nodes,
        ..size
    };
    nodes.bytes_without_rows(of_node) + of_touched.saturating_mul(held.touched)
}

impl PageRank {
    /// PageRank on shards, with what workers hold.
    ///
    /// # Errors
    /// As for [`OnShards::new`].
    pub(super) fn on_shards<'a>(
        &'a self,
        graph: &'a Graph,
        direction: Direction,
    ) -> Result<OnShards<'a>> {
        let columns = self.columns.count();
        let has_zeros = matches!(self.columns, Columns::Seeds(_))
            || matches!(self.preference, Distribution::Dense(_));
        let of_node = match direction {
            Direction::In if has_zeros => OF_NODE + OF_ALL_ROWS,
            Direction::In => OF_NODE,
            Direction::Out => OF_NODE_REVERSED,
        };
        // Columns that are done, and that of a seed.
        let of_columns = if columns > 1 { 8 * (columns + 1) } else { 0 };
        let on = OnShards::new(Self::ABOUT.name, &self.team, graph, 0)?;
        let held = self.team.held(on.shards);
        let is_live = direction == Direction::In && !has_zeros;
        Ok(OnShards {
            spared: if is_live { spared(held) } else { 0 },
            least: opening(Size::of(graph), held),
            of_all: self.vectors(),
            columns,
            temp: self.temp.as_deref(),
            of_node: of_node + of_columns,
            keeps: 8 * columns,
            of_touched: OF_TOUCHED,
            ..on
        })
    }

    /// The bytes held by this process: of the nodes of its workers, and if it writes the scores, of all.
    pub(super) fn needs_of_shards(&self, graph: &Graph, size: Size) -> u64 {
        let on = self.on_shards(graph, Direction::In);
        // A graph that is not cut is refused.
        on.map_or(size.base, |on| on.needs())
    }

    /// The bytes that the first worker holds besides, for the ranking of so many nodes.
    pub fn needs_of_first(nodes: u64) -> u64 {
        OF_RANKED.saturating_mul(nodes)
    }

    /// The bytes that one process which holds so much of a graph takes, besides rows and ranking.
    pub fn needs_of_part(&self, size: Size, held: LocalSizes) -> u64 {
        let of_nodes = Size {
            nodes: held.nodes,
            ..size
        };
        let all = needs_of_part(of_nodes, OF_NODE, held.touched);
        let all = all + OF_TOUCHED.saturating_mul(held.touched);
        (all - spared(held)).max(opening(size, held))
    }
}
