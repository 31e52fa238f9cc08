//! Degrees on shards, by several workers: exact.

use super::run::{OnShards, column};
use webrank_base::error::Result;
use webrank_base::limits::Limits;
use webrank_base::output::SpillBudget;
use webrank_base::phases::Phases;
use webrank_base::progress::Progress;
use webrank_cluster::pieces::LocalPartition;
use webrank_cluster::products::Products;
use webrank_cluster::{Exchange, Workers};
use webrank_graph::{Direction, Graph};
use webrank_scores::Outcome;
use webrank_scores::ranked::Ranked;

/// The bytes a node: its degree as a whole number and as a score, and the sums of values before it.
const OF_NODE: u64 = 24;

/// The bytes that [`degrees_among`] takes at most; none if the graph is not cut.
pub fn needs_of_degrees(direction: Direction, team: &Workers, graph: &Graph) -> u64 {
    OnShards::new(name(direction), team, graph, OF_NODE).map_or(0, |on| on.needs())
}

fn name(direction: Direction) -> &'static str {
    match direction {
        Direction::In => "indegree",
        Direction::Out => "outdegree",
    }
}

/// Counts the predecessors of the nodes of this worker, or their successors; self-loops count. Worker 0 has
/// the ranking, the others nothing. O(n + m): one exchange.
///
/// # Errors
/// If the graph is not cut; if a part is damaged; if there is not enough memory; if a worker cannot be
/// reached in time, has another graph or version, or fails.
pub fn degrees_among(
    direction: Direction,
    team: &Workers,
    graph: &Graph,
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<Option<Ranked>> {
    let mut phases = Phases::start();
    let measure = name(direction);
    let on = OnShards::new(measure, team, graph, OF_NODE)?;
    limits.admit(measure, on.needs())?;
    let none = Default::default();
    let work =
        |exchange: &mut Exchange, pieces: &LocalPartition, _: &SpillBudget, _: &dyn Progress| {
            let degrees = Products::new(pieces, exchange)?.degrees(direction)?;
            let values = degrees.into_iter().map(|degree| degree as f64).collect();
            let scores = column("score", values, (measure, "exact"), &none, Outcome::Exact);
            on.worked(exchange, vec![scores], None, vec![])
        };
    let worked = on.run(limits, &none, progress, work)?;
    phases.done("count");
    match team.me() {
        0 => on.ranked(worked, phases).map(Some),
        _ => Ok(None),
    }
}
