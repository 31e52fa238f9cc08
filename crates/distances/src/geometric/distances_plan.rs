//! The memory of the distribution of distances, before it is computed.

use super::distances::DistanceDistribution;
use super::harmonic::Harmonic;
use super::{DistanceMethod, Geometric};
use crate::traversal::diameter;
use webrank_base::error::Result;
use webrank_base::limits::Limits;
use webrank_base::progress::Progress;
use webrank_graph::{Graph, Size};
use webrank_measure::StoragePlan;
use webrank_measure::cost_model::Times;

impl DistanceDistribution {
    /// The forms in which it may be computed, the fastest first, and the bytes that each holds.
    pub fn forms(&self, graph: &Graph) -> Vec<StoragePlan> {
        let size = Size::of(graph);
        let more = |name, bytes| StoragePlan {
            name,
            bytes,
            takes_more: true,
        };
        if let Some(shards) = graph.shards() {
            return vec![more("shards", self.on_shards(shards).needs(size.base))];
        }
        if self.method != DistanceMethod::Hyperball {
            // The bytes of searching are known once the graph is reduced.
            return vec![more("in memory", size.bytes(70, 14))];
        }
        let (nodes, rest) = (graph.num_nodes(), size.bytes(60, 9));
        let (arcs, threads) = (graph.num_arcs(), rayon::current_num_threads());
        // The diameter is found when counters are gone.
        let longest = match self.diameter {
            true => diameter::memory(nodes, arcs, threads),
            false => 0,
        };
        let whole = self.counters.memory_in(nodes, arcs).max(longest);
        let slices = self.counters.least_memory(nodes).max(longest);
        vec![
            StoragePlan::in_memory(whole + rest),
            more("in slices", slices + rest),
        ]
    }

    /// The bytes of the form that takes the least.
    pub fn needs(&self, graph: &Graph) -> u64 {
        let bytes = self.forms(graph).into_iter().map(|form| form.bytes);
        bytes.min().unwrap_or(0)
    }

    /// About how long the first form takes, and what searches hold: as long as a ranking by distance.
    ///
    /// # Errors
    /// If the graph cannot be read, or if searches do not fit into memory.
    pub fn seconds(
        &self,
        graph: &Graph,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<Times> {
        if self.method == DistanceMethod::Sample {
            return Ok(Vec::new());
        }
        let ranking = Geometric {
            method: self.method,
            counters: self.counters,
            temp: self.temp.clone(),
            ..Geometric::of(Harmonic::default())
        };
        let mut seconds = ranking.seconds_in(graph, limits, progress)?;
        seconds.truncate(1);
        Ok(seconds)
    }
}
