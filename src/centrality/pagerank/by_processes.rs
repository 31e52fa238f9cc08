//! PageRank of shards by several processes: see [`crate::cluster::network`].

use super::PageRank;
use super::certificate::Certified;
use super::methods::sharded::range_of;
use crate::centrality::Measure;
use crate::cluster::Exchange;
use crate::cluster::network::Processes;
use crate::error::{Error, Result};
use crate::graph::Graph;
use crate::graph::shards::Shards;
use crate::limits::Limits;
use crate::linear::StopRule;
use crate::progress::Progress;
use crate::scores::Scores;
use xxhash_rust::xxh3::Xxh3;

/// What a worker has when all are done.
#[doc(hidden)]
pub struct Worked {
    /// The scores of all nodes, which worker 0 has.
    pub scores: Option<Scores>,
    /// The certified bound on their l1 error.
    pub bound: f64,
    /// Sweeps over the graph.
    pub sweeps: u32,
}

impl PageRank {
    /// Does the part of this process: the scores of all nodes for worker 0, which ranks and writes
    /// them, none for the others.
    ///
    /// # Errors
    /// As for [`Self::run`](Measure::run); if the graph is not cut into shards; if a worker cannot be
    /// reached in time, has another graph, parameters or version, or fails.
    #[doc(hidden)]
    pub fn by_processes(
        &self,
        graph: &Graph,
        processes: &Processes,
        limits: &Limits,
        stop: &StopRule,
        progress: &dyn Progress,
    ) -> Result<Worked> {
        let shards = graph.shards().ok_or_else(|| {
            let remedy = "the graph is not cut into shards: make them with rank shard";
            Error::argument("hosts", "given", remedy)
        })?;
        self.check_shards(shards, stop)?;
        let workers = processes.hosts.count();
        let (room, _) = self.room(super::parameters::Form::Shards, graph, limits)?;
        let fingerprint = self.fingerprint(graph, shards, workers, limits)?;
        progress.begin("connect", None);
        let mut exchange = processes.connect(fingerprint)?;
        progress.end();
        let result = self
            .work(shards, &mut exchange, &room, stop, progress)
            .and_then(|(certified, sweeps)| {
                let bound = certified.bound;
                let all = gathered(&mut exchange, shards, certified)?;
                Ok((all, bound, sweeps))
            });
        let (all, bound, sweeps) = exchange.end(result)?;
        let scores = all.map(|certified| self.scores(certified, true, sweeps, stop));
        Ok(Worked {
            scores,
            bound,
            sweeps,
        })
    }

    /// A hash of all that must be the same for all workers.
    fn fingerprint(
        &self,
        graph: &Graph,
        shards: &Shards,
        workers: usize,
        limits: &Limits,
    ) -> Result<[u8; 16]> {
        let parameters = serde_json::Value::from(self.kept_parameters(graph, limits)?);
        let mut hash = Xxh3::new();
        for part in [
            env!("CARGO_PKG_VERSION"),
            &shards.plan().checksum,
            &workers.to_string(),
            &parameters.to_string(),
        ] {
            hash.update(&(part.len() as u64).to_le_bytes());
            hash.update(part.as_bytes());
        }
        Ok(hash.digest128().to_le_bytes())
    }
}

/// Sends the scores of the nodes of all workers to worker 0.
fn gathered(
    exchange: &mut Exchange,
    shards: &Shards,
    certified: Certified,
) -> Result<Option<Certified>> {
    let Certified { mut scores, bound } = certified;
    let workers = exchange.workers();
    if exchange.index() > 0 {
        exchange.send(0, scores.iter().map(|score| score.to_bits()).collect())?;
        exchange.gather([])?;
        return Ok(None);
    }
    let mut parts = vec![Vec::new(); workers];
    for _ in 1..workers {
        let (from, words) = exchange.receive()?;
        let range = range_of(shards, from, workers);
        if words.len() as u64 != range.end - range.start || !parts[from].is_empty() {
            return Err(exchange.not_planned(from));
        }
        parts[from] = words;
    }
    for part in parts {
        scores.extend(part.into_iter().map(f64::from_bits));
    }
    exchange.gather([])?;
    Ok(Some(Certified { scores, bound }))
}
