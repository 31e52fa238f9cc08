//! Workers that are processes of another system, such as tasks of Spark, and compute together what the
//! command computes on shards.

use crate::assigned::{WorkerSettings, assigned};
use crate::distances::counters;
use crate::errors::exception;
use crate::options::Options;
use crate::work::run;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use webrank_base::memory::allowed_memory;
use webrank_cluster::Workers;
use webrank_cluster::network::{Hosts, Processes, Secret};
use webrank_distances::geometric::distances::DistanceDistribution;
use webrank_graph::Graph;
use webrank_graph::shards::{Boundary, PartPlan, Shards};
use webrank_scores::parts::PartitionedTable;
use webrank_scores::report::Report;

/// A port at which this process listens for other workers.
#[pyclass(frozen, module = "webrank._webrank")]
pub struct Port {
    listener: Arc<TcpListener>,
}

#[pymethods]
impl Port {
    /// The first of these ports that is free at an address; 0 for one that the system chooses.
    #[new]
    fn new(host: &str, ports: Vec<u16>) -> PyResult<Self> {
        let addresses: Vec<_> = ports.into_iter().map(|port| (host, port)).collect();
        let mut problem = std::io::Error::from(std::io::ErrorKind::InvalidInput);
        for address in addresses {
            match TcpListener::bind(address) {
                Ok(listener) => {
                    let listener = Arc::new(listener);
                    return Ok(Port { listener });
                }
                Err(found) => problem = found,
            }
        }
        Err(problem.into())
    }

    #[getter]
    fn number(&self) -> PyResult<u16> {
        Ok(self.listener.local_addr()?.port())
    }
}

/// How a process finds the other workers.
#[pyclass(frozen, module = "webrank._webrank")]
pub struct Team {
    processes: Arc<Processes>,
}

#[pymethods]
impl Team {
    #[new]
    fn new(
        addresses: Vec<String>,
        me: usize,
        port: Option<&Bound<'_, Port>>,
        secret: &[u8],
        timeout: Duration,
    ) -> Self {
        let hosts = Hosts::new(addresses, me);
        let hosts = match port {
            Some(port) => hosts.listening(port.get().listener.clone()),
            None => hosts,
        };
        Team {
            processes: Arc::new(Processes {
                hosts,
                patience: timeout,
                secret: Secret::new(secret),
            }),
        }
    }
}

impl Team {
    fn workers(&self, table: Option<Arc<PartitionedTable>>) -> Workers {
        Workers {
            workers: None,
            processes: Some(self.processes.clone()),
            table,
        }
    }
}

/// The bytes that this process may still take.
#[pyfunction]
pub fn free_memory() -> u64 {
    allowed_memory()
}

/// The graph of which a folder has the plan, and the parts of this worker.
fn open(py: Python<'_>, folder: &Path) -> PyResult<Graph> {
    match Shards::open(folder) {
        Ok(shards) => Ok(Graph::from_unnamed_shards(shards)),
        Err(problem) => Err(exception(py, &problem)),
    }
}

/// Does the part of a worker, whose rows go to the folder `output`. Worker 0 returns the manifest.
#[pyfunction]
pub fn rank_part(
    team: &Bound<'_, Team>,
    folder: PathBuf,
    output: PathBuf,
    measure: &str,
    options: &Bound<'_, PyDict>,
    command: Vec<String>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Option<String>> {
    let (py, options) = (team.py(), Options::new(options));
    let graph = open(py, &folder)?;
    let limits = options.limits()?;
    let table = Arc::new(options.checked(PartitionedTable::create(&output, true))?);
    let workers = team.get().workers(Some(table.clone()));
    let assigned = assigned(measure, &options, &graph, workers)?;
    let every = options
        .optional::<f64>("checkpoint_every")?
        .unwrap_or(300.0);
    let settings = WorkerSettings {
        limits: &limits,
        allows_unconverged: options.optional("allow_unconverged")?.unwrap_or(false),
        checkpoint: (options.path("checkpoint")?)
            .map(|path| (path, Duration::from_secs_f64(every.max(0.0)))),
    };
    run(py, progress, |progress| {
        let Some(ranked) = assigned.work(&graph, &settings, progress)? else {
            return table.finish(None).map(|_| None);
        };
        let (graph, ranked) = (&graph, &ranked);
        let mut manifest = Report { graph, ranked }.manifest(ranked.phases())?;
        manifest.command = command;
        let text = manifest.text();
        table.finish(Some(&text)).map(|_| Some(text))
    })
}

/// Does the part of a worker for the distribution of distances. Worker 0 returns it as JSON.
#[pyfunction]
pub fn distances_part(
    team: &Bound<'_, Team>,
    folder: PathBuf,
    options: &Bound<'_, PyDict>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Option<String>> {
    let (py, options) = (team.py(), Options::new(options));
    let graph = open(py, &folder)?;
    let limits = options.limits()?;
    let mut asked = DistanceDistribution {
        team: team.get().workers(None),
        ..DistanceDistribution::default()
    };
    asked.counters = counters(&options)?.unwrap_or(asked.counters);
    asked.temp = options.path("temp")?.unwrap_or(asked.temp);
    let found = run(py, progress, |progress| {
        limits.admit("distances", asked.needs(&graph))?;
        limits.on_threads(|| asked.compute(&graph, &limits, progress))
    })?;
    Ok((asked.team.me() == 0).then(|| found.to_json().to_string()))
}

/// The share of each worker: nodes, arcs, bytes of memory, and the numbers that it sends and takes in an
/// exchange between all.
#[pyfunction]
pub fn held_by_workers(
    py: Python<'_>,
    folder: PathBuf,
    workers: usize,
    measure: &str,
    options: &Bound<'_, PyDict>,
) -> PyResult<Vec<[u64; 5]>> {
    let options = Options::new(options);
    let graph = open(py, &folder)?;
    let shards = graph.shards().expect("shards were opened");
    let addresses = vec![String::new(); workers];
    let output = folder.join("ranks");
    let each = (0..workers).map(|me| {
        let table = Arc::new(options.checked(PartitionedTable::create(&output, false))?);
        let team = Team::new(addresses.clone(), me, None, b"", Duration::ZERO);
        let team = team.workers(Some(table));
        options.checked(team.shards(&graph).map(drop))?;
        let division = team.division(shards);
        let (plan, mine) = (shards.plan(), division.parts(me));
        let needs = match measure {
            "distances" => DistanceDistribution {
                team,
                counters: counters(&options)?.unwrap_or_default(),
                ..DistanceDistribution::default()
            }
            .needs(&graph),
            _ => assigned(measure, &options, &graph, team)?.needs(&graph),
        };
        let arcs = plan.parts[mine].iter().map(PartPlan::num_arcs).sum();
        let sent = division.touched(plan, Boundary::All)[me];
        let both = division.touched_by(plan, me, Boundary::All);
        Ok([
            division.num_nodes(me),
            arcs,
            needs,
            sent,
            both.saturating_sub(sent),
        ])
    });
    each.collect()
}
