//! `rank info web.shards --network 10G --cores 16`: what runs on shards are expected to take.

use bytesize::ByteSize;
use std::io::{self, Write};
use std::ops::Range;
use webrank::PageRank;
use webrank_base::error::{Error, Result};
use webrank_base::limits::Tolerance;
use webrank_base::memory;
use webrank_base::units::{self, size};
use webrank_distances::geometric::distributed::memory_of_worker;
use webrank_distances::traversal::hyperball::Counters;
use webrank_graph::Size;
use webrank_graph::shards::Plan;
use webrank_measure::cost_model::{FULL_STEPS, most_sweeps};
use webrank_measure::machines::{Expected, Machines};
use webrank_scores::parameters::Damping;

/// The machines that may be had for a graph that is cut into shards.
#[derive(clap::Args)]
#[command(next_help_heading = "Machines, for shards")]
pub struct EstimateArgs {
    /// Tell what PageRank and HyperBall are expected to take on machines with this network, in bits a
    /// second, such as 10G; an estimate
    #[arg(long, value_name = "BITS", requires = "cores", conflicts_with = "json")]
    network: Option<ByteSize>,
    /// The cores of each machine
    #[arg(long, value_name = "N", requires = "network")]
    cores: Option<usize>,
    /// The number of machines, a worker on each [default: one for each part]
    #[arg(long, value_name = "N", requires = "network")]
    workers: Option<usize>,
    /// PageRank: the probability of following an arc
    #[arg(
        long,
        default_value_t = 0.85,
        allow_hyphen_values = true,
        requires = "network"
    )]
    alpha: f64,
    /// PageRank: the certified l1 distance to the true vector
    #[arg(
        long,
        default_value_t = 1e-9,
        allow_hyphen_values = true,
        requires = "network"
    )]
    tolerance: f64,
    /// HyperBall: base-2 logarithm of the registers of a counter
    #[arg(long, default_value_t = 10, value_name = "N", requires = "network")]
    log2m: u32,
}

/// The contents of an estimate.
pub struct Estimate {
    machines: Machines,
    /// For people.
    described: String,
    damping: Damping,
    tolerance: Tolerance,
    counters: Counters,
}

impl EstimateArgs {
    /// # Errors
    /// If machines are given, but the graph is not cut.
    pub fn refuse(&self) -> Result<()> {
        match self.network {
            None => Ok(()),
            Some(network) => {
                let remedy = "the graph is not cut into parts for several machines: see rank shard";
                Err(Error::argument("network", network.as_u64(), remedy))
            }
        }
    }

    /// The estimate that is asked for, if one is.
    ///
    /// # Errors
    /// If a value is impossible.
    pub fn of(&self, plan: &Plan) -> Result<Option<Estimate>> {
        let (Some(network), Some(cores)) = (self.network, self.cores) else {
            return Ok(None);
        };
        let workers = self.workers.unwrap_or(plan.parts.len());
        let bits = network.as_u64() as f64;
        Ok(Some(Estimate {
            machines: Machines::new(plan, workers, cores, bits)?,
            described: format!("{workers} x {cores} cores, {} Gbit/s", bits / 1e9),
            damping: Damping::new(self.alpha)?,
            tolerance: Tolerance::new(self.tolerance)?,
            counters: Counters::new(self.log2m, 0)?,
        }))
    }
}

impl Estimate {
    /// Writes what is expected.
    pub fn write(&self, out: &mut dyn Write, plan: &Plan) -> io::Result<()> {
        let nodes = self.machines.most_nodes(plan);
        let base = memory::of_process();
        let size_of = Size {
            nodes: plan.nodes,
            arcs: plan.arcs,
            weights: false,
            base,
            graph: 0,
        };
        let (alpha, tolerance) = (self.damping.get(), self.tolerance.get());
        let sweeps = most_sweeps(alpha, tolerance);
        let log2m = self.counters.log2m();
        writeln!(
            out,
            "estimate         for {}, from times of other graphs (docs/src/measurements/shards.md); bytes are the most",
            self.described
        )?;
        let of_worker = self.machines.held(plan).into_iter();
        let of_worker = of_worker.map(|held| PageRank::default().needs_of_part(size_of, held));
        let of_worker = of_worker.max();
        let sweep = self.machines.sweep(plan);
        writeln!(out, "pagerank sweep   {}", described(&sweep))?;
        writeln!(
            out,
            "pagerank         {} for {sweeps} sweeps, the most for alpha {alpha} and tolerance {tolerance:e}",
            times(&sweep.seconds, sweeps..sweeps),
        )?;
        writeln!(
            out,
            "                 {} a worker, and rows beside it or on disk; {} more for worker 0",
            size(of_worker.unwrap_or(base)),
            size(PageRank::needs_of_first(plan.nodes))
        )?;
        let step = self.machines.step(plan, log2m);
        writeln!(
            out,
            "hyperball step   {}, if all counters change",
            described(&step)
        )?;
        writeln!(
            out,
            "hyperball        {} for {} to {} such steps of 2^{log2m} registers",
            times(&step.seconds, FULL_STEPS),
            FULL_STEPS.start,
            FULL_STEPS.end
        )?;
        writeln!(
            out,
            "                 {} a worker, and rows beside it or on disk",
            size(base + memory_of_worker(plan, self.counters, nodes))
        )
    }
}

/// A sweep or a step.
fn described(expected: &Expected) -> String {
    let Expected {
        bytes,
        network,
        computing,
        seconds,
    } = expected;
    format!(
        "{} between workers: {} s, computing {} s, both {} s",
        size(*bytes),
        number(*network),
        numbers(computing),
        numbers(seconds)
    )
}

/// From the shortest to the longest time of so many sweeps or steps.
fn times(each: &Range<f64>, count: Range<f64>) -> String {
    let described = |seconds: f64| match seconds < 10.0 {
        true => format!("{} s", number(seconds)),
        false => units::seconds(seconds),
    };
    let start = described(each.start * count.start);
    let end = described(each.end * count.end);
    match start == end {
        true => start,
        false => format!("{start} to {end}"),
    }
}

fn numbers(range: &Range<f64>) -> String {
    let (start, end) = (number(range.start), number(range.end));
    match start == end {
        true => start,
        false => format!("{start} to {end}"),
    }
}

/// Two digits at least.
fn number(seconds: f64) -> String {
    match seconds {
        s if s >= 10.0 => format!("{s:.0}"),
        s if s >= 1.0 => format!("{s:.1}"),
        s if s >= 0.0095 => format!("{s:.2}"),
        0.0 => "0".into(),
        s => format!("{s:.0e}"),
    }
}
