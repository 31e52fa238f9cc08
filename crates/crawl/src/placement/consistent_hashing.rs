//! Consistent hashing: agents have points on a circle, and a key belongs to the first point that
//! follows its own.
//!
//! With C points an agent and P agents, the share of an agent is that of C of C P random arcs: 1 / P on
//! average, with variance (1 / P) (1 - 1 / P) / (C P + 1), so its relative error is about 1 / sqrt(C).
//! A new agent's points cut arcs: what lies before them moves to it, and nothing else moves. Karger et
//! al., "Consistent hashing and random trees", STOC 1997.

use super::{Agents, Placement, hash};
use webrank_base::error::{Error, Result};

/// The points of an agent of weight 1.
pub const REPLICAS: u64 = 200;

/// More points than this are refused.
const MAX_POINTS: u64 = 1 << 25;

/// See the [module](super).
#[derive(Debug, Clone)]
pub struct ConsistentHashing(Vec<(u64, u32)>);

impl ConsistentHashing {
    /// With another number of points than [`REPLICAS`] for an agent of weight 1, at least 1.
    ///
    /// # Errors
    /// If there are more than 2^25 points.
    pub fn with_replicas(agents: &Agents, replicas: u64) -> Result<Self> {
        let replicas = replicas.max(1);
        let total = agents.total().saturating_mul(replicas);
        if total > MAX_POINTS {
            let remedy = format!("there may be {MAX_POINTS} points; take fewer replicas");
            return Err(Error::argument("points of agents", total, remedy));
        }
        let points = agents.units().flat_map(|(agent, unit)| {
            let replicas = 0..replicas;
            replicas.map(move |replica| (hash(unit, !replica), agent))
        });
        let mut points: Vec<(u64, u32)> = points.collect();
        // Agents that share a point are in the order of their numbers.
        points.sort_unstable();
        Ok(ConsistentHashing(points))
    }
}

impl Placement for ConsistentHashing {
    fn new(agents: &Agents) -> Result<Self> {
        ConsistentHashing::with_replicas(agents, REPLICAS)
    }

    fn agent_of(&self, key: u64) -> u32 {
        let place = hash(key, 0);
        let next = self.0.partition_point(|&(point, _)| point < place);
        // After the last point comes the first.
        let next = self.0.get(next).or(self.0.first());
        next.map_or(0, |&(_, agent)| agent)
    }
}
