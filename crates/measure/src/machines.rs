//! How long runs on shards are expected to take on machines that nobody has tried yet.
//!
//! Bytes are those of nodes for which each part sends something, as `plan.json` tells. Seconds are estimates
//! from times of other graphs on another machine (`docs/src/measurements/shards.md`, "Larger graphs, on paper").

use crate::cost_model::{SHARDS, STEP};
use std::ops::Range;
use webrank_base::error::{Error, Result};
use webrank_cluster::{Division, LocalSizes};
use webrank_graph::shards::{Boundary, PartPlan, Plan};

/// The part of a network's nominal speed that arrives.
const ARRIVES: f64 = 0.8;

/// The part of the shorter of computing and sending that is not hidden.
const NOT_HIDDEN: f64 = 1.0 / 3.0;

/// Machines that are alike, one for each worker.
#[derive(Debug, Clone, Copy)]
pub struct Machines {
    workers: usize,
    cores: usize,
    bits_per_second: f64,
}

/// The expected bytes and seconds of a sweep or a step.
#[derive(Debug, Clone, PartialEq)]
pub struct Expected {
    /// The bytes that all workers together send.
    pub bytes: u64,
    /// The seconds that the worker with most to send or to receive needs for it.
    pub network: f64,
    /// The seconds that the worker with most arcs computes, at least and at most.
    pub computing: Range<f64>,
    /// Both together, partly at the same time.
    pub seconds: Range<f64>,
}

impl Machines {
    /// So many workers, with so many cores each, and a network of this speed.
    ///
    /// # Errors
    /// If there are no workers, more than parts, no cores, or no network.
    pub fn new(plan: &Plan, workers: usize, cores: usize, bits_per_second: f64) -> Result<Self> {
        let parts = plan.parts.len();
        if !(1..=parts).contains(&workers) {
            let remedy = format!("there are {parts} parts: give from 1 to {parts}");
            return Err(Error::argument("workers", workers, remedy));
        }
        if cores == 0 {
            return Err(Error::argument("cores", cores, "give at least 1"));
        }
        if !(bits_per_second >= 1.0 && bits_per_second.is_finite()) {
            let remedy = "give bits a second, such as 10G";
            return Err(Error::argument("network", bits_per_second, remedy));
        }
        Ok(Machines {
            workers,
            cores,
            bits_per_second,
        })
    }

    fn division(&self, plan: &Plan) -> Division {
        Division::new(plan, &vec![1; self.workers])
    }

    /// The share of each worker.
    pub fn held(&self, plan: &Plan) -> Vec<LocalSizes> {
        let division = self.division(plan);
        let held = (0..self.workers).map(|worker| division.held(plan, worker));
        held.collect()
    }

    /// The most nodes that a worker has.
    pub fn most_nodes(&self, plan: &Plan) -> u64 {
        let division = self.division(plan);
        let nodes = (0..self.workers).map(|worker| division.num_nodes(worker));
        nodes.max().unwrap_or(0)
    }

    /// A sweep of PageRank: 8 bytes for each node of another worker that arcs lead to, if it has
    /// successors.
    pub fn sweep(&self, plan: &Plan) -> Expected {
        self.expected(plan, (Boundary::Live, 8), SHARDS)
    }

    /// A step of HyperBall that changes all counters of 2^`log2m` registers: each has a byte, and 8 bytes
    /// for its node.
    pub fn step(&self, plan: &Plan, log2m: u32) -> Expected {
        let registers = f64::exp2(f64::from(log2m));
        let of_arc = STEP.map(|nanoseconds| nanoseconds * registers / 1024.0);
        self.expected(plan, (Boundary::All, (1 << log2m) + 8), of_arc)
    }

    fn expected(
        &self,
        plan: &Plan,
        (which, of_node): (Boundary, u64),
        of_arc: [f64; 2],
    ) -> Expected {
        let division = self.division(plan);
        let sent = division.touched(plan, which);
        let received: Vec<u64> = (0..self.workers)
            .map(|worker| received(plan, &division.parts(worker), which))
            .collect();
        let most = sent
            .iter()
            .chain(&received)
            .max()
            .map_or(0, |&nodes| nodes * of_node);
        let network = most as f64 * 8.0 / (ARRIVES * self.bits_per_second);
        let arcs = |worker| {
            let parts = plan.parts[division.parts(worker)].iter();
            parts.map(PartPlan::num_arcs).sum::<u64>()
        };
        let arcs = (0..self.workers).map(arcs).max().unwrap_or(0);
        let computing =
            of_arc.map(|nanoseconds| arcs as f64 * nanoseconds / 1e9 / self.cores as f64);
        let seconds = computing.map(|it| it.max(network) + NOT_HIDDEN * it.min(network));
        Expected {
            bytes: of_node * sent.iter().sum::<u64>(),
            network,
            computing: computing[0]..computing[1],
            seconds: seconds[0]..seconds[1],
        }
    }
}

/// The number of nodes of some parts that arcs of the others lead to, counted for each of these.
fn received(plan: &Plan, mine: &Range<usize>, which: Boundary) -> u64 {
    let others = plan.parts[..mine.start]
        .iter()
        .chain(&plan.parts[mine.end..]);
    let touched = others.flat_map(|part| &part.touched(which)[mine.clone()]);
    touched.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Three parts of 10 nodes; part p has arcs to 10 p + q nodes of part q, of which q are live.
    fn plan() -> Plan {
        let part = |p: u64| PartPlan {
            first: 10 * p,
            nodes: 10,
            own_arcs: 1000,
            away_arcs: 100 * p,
            touched: (0..3)
                .map(|q| if p == q { 0 } else { 10 * p + q })
                .collect(),
            live: 5,
            touched_live: (0..3).map(|q| if p == q { 0 } else { q }).collect(),
            files: BTreeMap::new(),
        };
        Plan {
            format: 1,
            made_by: String::new(),
            nodes: 30,
            arcs: 3300,
            fingerprint: String::new(),
            has_names: false,
            has_integer_names: false,
            parts: (0..3).map(part).collect(),
            checksum: String::new(),
        }
    }

    #[test]
    fn bytes_are_those_of_nodes_of_other_workers() {
        let plan = plan();
        let sweep = |workers| Machines::new(&plan, workers, 2, 8e9).unwrap().sweep(&plan);
        assert_eq!(sweep(1).bytes, 0);
        // Parts 1 and 2 belong to the second worker: 1 + 2 nodes there, 10 + 20 here.
        assert_eq!(sweep(2).bytes, 8 * (1 + 2));
        assert_eq!(sweep(3).bytes, 8 * (1 + 2 + 2 + 1));
        let step = Machines::new(&plan, 2, 2, 8e9).unwrap().step(&plan, 10);
        assert_eq!(step.bytes, 1032 * 33);
        // The second worker has 2300 arcs and gets 3 values.
        let expected = sweep(2);
        assert!((expected.network - 24.0 / 0.8e9).abs() < 1e-15);
        assert!((expected.computing.start - 2300.0 * SHARDS[0] / 2e9).abs() < 1e-15);
        assert!(expected.seconds.start > expected.computing.start.max(expected.network));
        assert!(expected.seconds.end < expected.computing.end + expected.network);
    }

    #[test]
    fn impossible_machines_are_refused() {
        let plan = plan();
        let refused = |workers, cores, network| match Machines::new(&plan, workers, cores, network)
        {
            Err(Error::Argument { name, .. }) => name,
            _ => panic!("accepted"),
        };
        assert_eq!(refused(0, 1, 1e9), "workers");
        assert_eq!(refused(4, 1, 1e9), "workers");
        assert_eq!(refused(3, 0, 1e9), "cores");
        assert_eq!(refused(3, 1, f64::NAN), "network");
    }
}
