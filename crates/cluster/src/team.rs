//! Who computes together: threads of this process, or processes of which this is one.

use super::{Division, Exchange, LocalSizes, Traffic, threads};
use rayon::{ThreadPool, ThreadPoolBuilder, current_num_threads};
use serde_json::{Map, Value, json};
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::progress::{Progress, Unheard};
use webrank_graph::Graph;
use webrank_graph::shards::Shards;
use webrank_scores::parts::PartitionedTable;
#[cfg(feature = "network")]
use {super::network::Processes, xxhash_rust::xxh3::Xxh3};

/// The workers among which the parts of shards are divided; by default one.
#[derive(Debug, Clone, Default)]
pub struct Workers {
    /// The number of workers that are threads of this process; 1 by default.
    pub workers: Option<NonZeroUsize>,
    /// Workers that are processes; none by default.
    #[cfg(feature = "network")]
    #[doc(hidden)]
    pub processes: Option<Arc<Processes>>,
    /// The table of which each worker writes its parts; if none, worker 0 gets all scores.
    #[doc(hidden)]
    pub table: Option<Arc<PartitionedTable>>,
}

impl Workers {
    /// So many workers that are threads of this process.
    pub fn of_threads(workers: usize) -> Self {
        Workers {
            workers: NonZeroUsize::new(workers),
            ..Workers::default()
        }
    }

    /// The number of workers.
    pub fn count(&self) -> usize {
        #[cfg(feature = "network")]
        if let Some(processes) = &self.processes {
            return processes.hosts.count();
        }
        self.workers.map_or(1, NonZeroUsize::get)
    }

    /// Which worker this process is, or 0 if it is all of them: worker 0 has the results.
    pub fn me(&self) -> usize {
        #[cfg(feature = "network")]
        if let Some(processes) = &self.processes {
            return processes.hosts.me();
        }
        0
    }

    /// The workers' shares of the parts, as in the file of hosts.
    pub fn weights(&self) -> Vec<u32> {
        #[cfg(feature = "network")]
        if let Some(processes) = &self.processes {
            return processes.hosts.weights();
        }
        vec![1; self.count()]
    }

    /// Whether workers are processes.
    pub(crate) fn is_spread(&self) -> bool {
        #[cfg(feature = "network")]
        if self.processes.is_some() {
            return true;
        }
        false
    }

    /// The parts of the graph for these workers; none if the graph is whole and so is the team.
    ///
    /// # Errors
    /// If there are several workers for a graph that is not cut, or more than parts.
    pub fn shards<'g>(&self, graph: &'g Graph) -> Result<Option<&'g Shards>> {
        let workers = self.count();
        let parameter = match self.workers {
            Some(_) => "workers",
            None => "hosts",
        };
        let Some(shards) = graph.shards() else {
            if self.workers.is_none() && !self.is_spread() {
                return Ok(None);
            }
            let remedy = "the graph is not cut into parts for them: see rank shard";
            return Err(Error::argument(parameter, workers, remedy));
        };
        let parts = shards.plan().parts.len();
        if workers > parts {
            let remedy = format!(
                "there are {parts} parts: give at most as many workers, or cut the graph again"
            );
            return Err(Error::argument(parameter, workers, remedy));
        }
        if self.table.is_none() && Node::try_from(shards.plan().nodes).is_err() {
            let remedy =
                "2^32 nodes or more do not fit one table: write it in parts, such as -o scores/";
            return Err(Error::argument(
                "number of nodes",
                shards.plan().nodes,
                remedy,
            ));
        }
        let division = self.division(shards);
        let too_many = |&worker: &usize| Node::try_from(division.num_nodes(worker)).is_err();
        if let Some(worker) = (0..workers).find(too_many) {
            let remedy = format!(
                "worker {worker} gets {} nodes, and can have fewer than 2^32: give more workers",
                division.num_nodes(worker)
            );
            return Err(Error::argument(parameter, workers, remedy));
        }
        if let Some(idle) = division.idle() {
            let remedy = format!(
                "worker {idle} gets none of the {parts} parts: give it more weight, or cut the graph \
                 into more parts"
            );
            return Err(Error::argument(parameter, workers, remedy));
        }
        Ok(Some(shards))
    }

    /// Which parts of these shards each worker has.
    pub fn division(&self, shards: &Shards) -> Division {
        Division::new(shards.plan(), &self.weights())
    }

    /// The entry of a manifest for workers that have done this.
    pub fn described(&self, shards: &Shards, account: Traffic) -> Value {
        json!({
            "name": "shards",
            "parts": shards.plan().parts.len(),
            "workers": self.count(),
            "bytes_sent": account.bytes_sent,
            "seconds_waited": account.seconds_waited,
        })
    }

    /// The sizes of this process.
    pub fn held(&self, shards: &Shards) -> LocalSizes {
        let (division, plan) = (self.division(shards), shards.plan());
        match self.is_spread() {
            true => division.held(plan, self.me()),
            false => (0..self.count())
                .map(|worker| division.held(plan, worker))
                .fold(LocalSizes::default(), LocalSizes::with),
        }
    }

    /// The share of each worker of this process in so many bytes of it.
    pub fn share(&self, bytes: u64) -> u64 {
        match self.is_spread() {
            true => bytes,
            false => bytes / self.count() as u64,
        }
    }

    /// Does a job together. All workers must have the same `parameters`. Returns what the job gives to
    /// worker 0, or if workers are processes, to this one.
    ///
    /// # Errors
    /// The errors of the job; if a worker cannot be reached in time, has other shards, parameters or
    /// another version; if the system refuses to start threads.
    pub fn run<T: Send>(
        &self,
        shards: &Shards,
        parameters: &Map<String, Value>,
        progress: &dyn Progress,
        job: impl Fn(&mut Exchange, &dyn Progress) -> Result<T> + Sync,
    ) -> Result<T> {
        #[cfg(feature = "network")]
        if let Some(processes) = &self.processes {
            progress.begin("connect", None);
            let same = fingerprint(shards, &self.weights(), parameters);
            let mut exchange = processes.connect(same)?;
            progress.end();
            let result = job(&mut exchange, progress);
            return exchange.end(result);
        }
        let _ = (shards, parameters);
        let workers = self.count();
        let unheard = Unheard(progress);
        let run = |transport| {
            let mut exchange = Exchange::new(transport);
            let progress = match exchange.index() {
                0 => progress,
                _ => &unheard,
            };
            let result = job(&mut exchange, progress);
            exchange.end(result)
        };
        let mut transports = threads(workers);
        if workers == 1 {
            return run(transports.remove(0));
        }
        // The threads of this pool, shared out.
        let threads_of_each = (current_num_threads() / workers).max(1);
        let pool = |_| {
            let pool = ThreadPoolBuilder::new().num_threads(threads_of_each);
            pool.build().map_err(|problem| {
                let remedy = format!("the system refuses to start threads: {problem}");
                Error::argument("workers", workers, remedy)
            })
        };
        let pools: Vec<_> = (0..workers).map(pool).collect::<Result<_>>()?;
        let results = thread::scope(|scope| {
            let start = |(pool, transport)| {
                let run = &run;
                let install = move || ThreadPool::install(pool, || run(transport));
                scope.spawn(install)
            };
            let started: Vec<_> = pools.iter().zip(transports).map(start).collect();
            let joined = started
                .into_iter()
                .map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)));
            joined.collect()
        });
        first_of(results)
    }
}

/// The result of worker 0, or the first error that does not only report that of another worker.
fn first_of<T>(results: Vec<Result<T>>) -> Result<T> {
    let (mut first, mut reported) = (None, None);
    for result in results {
        match result {
            Ok(result) => first = first.or(Some(result)),
            Err(problem @ Error::Worker { .. }) => reported = Some(problem),
            Err(problem) => return Err(problem),
        }
    }
    match reported {
        Some(problem) => Err(problem),
        None => Ok(first.expect("there is a worker")),
    }
}

/// A hash of all that must be the same for all workers.
#[cfg(feature = "network")]
fn fingerprint(shards: &Shards, weights: &[u32], parameters: &Map<String, Value>) -> [u8; 16] {
    let parameters = Value::from(parameters.clone()).to_string();
    let mut hash = Xxh3::new();
    for part in [
        env!("CARGO_PKG_VERSION"),
        &shards.plan().checksum,
        &format!("{weights:?}"),
        &parameters,
    ] {
        hash.update(&(part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hash.digest128().to_le_bytes()
}
