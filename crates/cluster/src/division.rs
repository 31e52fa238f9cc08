//! How the parts of a graph are divided among workers.

use std::ops::Range;
use webrank_graph::shards::{Boundary, PartPlan, Plan, Range64};

/// The parts of each worker: consecutive ones, in proportion to weights.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Division {
    parts: Vec<Range<usize>>,
    nodes: Vec<Range64>,
}

impl Division {
    /// Divides the parts of a plan among workers with these weights, which are positive: worker w has
    /// the parts from `W_w p / W` on, where p is the number of parts, W the sum of all weights and W_w
    /// that of the weights before w.
    pub fn new(plan: &Plan, weights: &[u32]) -> Self {
        let all: u64 = weights.iter().map(|&weight| u64::from(weight)).sum();
        let num_parts = plan.parts.len() as u64;
        let start = |before: u64| (before * num_parts / all.max(1)) as usize;
        let mut before = 0;
        let parts = weights.iter().map(|&weight| {
            let first = start(before);
            before += u64::from(weight);
            first..start(before)
        });
        let parts: Vec<Range<usize>> = parts.collect();
        let nodes = parts.iter().map(|parts| {
            let parts = &plan.parts[parts.clone()];
            match (parts.first(), parts.last()) {
                (Some(first), Some(last)) => first.range().start..last.range().end,
                _ => 0..0,
            }
        });
        Division {
            nodes: nodes.collect(),
            parts,
        }
    }

    /// The parts of a worker.
    pub fn parts(&self, worker: usize) -> Range<usize> {
        self.parts[worker].clone()
    }

    /// The nodes of a worker, by their numbers in the whole graph.
    pub fn nodes(&self, worker: usize) -> Range64 {
        self.nodes[worker].clone()
    }

    /// The nodes of all workers.
    pub(crate) fn all_nodes(&self) -> &[Range64] {
        &self.nodes
    }

    /// The number of nodes of a worker.
    pub fn num_nodes(&self, worker: usize) -> u64 {
        self.nodes[worker].end - self.nodes[worker].start
    }

    /// The first worker without a part.
    pub(crate) fn idle(&self) -> Option<usize> {
        self.parts.iter().position(Range::is_empty)
    }

    /// The number of nodes of other workers that the arcs of each worker's parts lead to: a node counts
    /// for each part.
    pub fn touched(&self, plan: &Plan, which: Boundary) -> Vec<u64> {
        let of_worker = |mine: &Range<usize>| {
            let parts = plan.parts[mine.clone()].iter();
            let elsewhere = |touched: &[u64]| -> u64 {
                let others = touched[..mine.start].iter().chain(&touched[mine.end..]);
                others.sum()
            };
            parts.map(|part| elsewhere(part.touched(which))).sum()
        };
        self.parts.iter().map(of_worker).collect()
    }

    /// The number of nodes elsewhere that arcs from the parts of a worker lead to, and of its own nodes
    /// that arcs from other parts lead to.
    pub fn touched_by(&self, plan: &Plan, worker: usize, which: Boundary) -> u64 {
        let mine = self.parts(worker);
        let of_part = |(index, part): (usize, &PartPlan)| -> u64 {
            let touched = part.touched(which);
            let to_mine: u64 = touched[mine.clone()].iter().sum();
            let elsewhere = match mine.contains(&index) {
                true => touched.iter().sum(),
                false => 0,
            };
            to_mine + elsewhere
        };
        plan.parts.iter().enumerate().map(of_part).sum()
    }

    /// The sizes of a worker.
    pub fn held(&self, plan: &Plan, worker: usize) -> LocalSizes {
        let parts = plan.parts[self.parts(worker)].iter();
        let [touched, touched_live] =
            [Boundary::All, Boundary::Live].map(|which| self.touched_by(plan, worker, which));
        LocalSizes {
            nodes: self.num_nodes(worker),
            live: parts.map(|part| part.live).sum(),
            touched,
            touched_live,
        }
    }

    /// The bytes of the sums that all workers together send in a sweep: 8 for each of
    /// [`Self::touched`].
    pub fn bytes_of_sweep(&self, plan: &Plan) -> u64 {
        8 * self.touched(plan, Boundary::All).iter().sum::<u64>()
    }
}

/// How many nodes one or several workers hold something of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LocalSizes {
    /// Their own nodes.
    pub nodes: u64,
    /// Own nodes with successors.
    pub live: u64,
    /// Nodes elsewhere that arcs from their parts lead to, and own nodes that arcs from other parts lead
    /// to: a node counts for each part.
    pub touched: u64,
    /// Nodes among these with successors.
    pub touched_live: u64,
}

impl LocalSizes {
    /// The sums of both.
    pub(crate) fn with(self, other: Self) -> Self {
        LocalSizes {
            nodes: self.nodes + other.nodes,
            live: self.live + other.live,
            touched: self.touched + other.touched,
            touched_live: self.touched_live + other.touched_live,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// A plan of parts with so many nodes.
    fn plan(nodes: &[u64]) -> Plan {
        let mut first = 1 << 40;
        let parts = nodes.iter().map(|&nodes| {
            first += nodes;
            PartPlan {
                first: first - nodes,
                nodes,
                own_arcs: 0,
                away_arcs: 0,
                touched: Vec::new(),
                live: 0,
                touched_live: Vec::new(),
                files: BTreeMap::new(),
            }
        });
        Plan {
            format: 1,
            made_by: String::new(),
            nodes: nodes.iter().sum(),
            arcs: 0,
            fingerprint: String::new(),
            has_names: false,
            has_integer_names: false,
            parts: parts.collect(),
            checksum: String::new(),
        }
    }

    #[test]
    fn every_part_has_one_worker_and_weights_are_shares() {
        let plan = plan(&[5, 0, 7, 1, 2, 9, 4]);
        for weights in [
            &[1][..],
            &[1; 7],
            &[1, 1, 1],
            &[3, 1, 2],
            &[1000, 1],
            &[1, 2, 4],
        ] {
            let division = Division::new(&plan, weights);
            let mut next = 0;
            for worker in 0..weights.len() {
                assert_eq!(division.parts(worker).start, next);
                next = division.parts(worker).end;
            }
            assert_eq!(next, 7);
            let held = (0..weights.len()).map(|worker| division.num_nodes(worker));
            assert_eq!(held.sum::<u64>(), plan.nodes);
        }
        let parts = |weights: &[u32]| {
            let division = Division::new(&plan, weights);
            (0..weights.len())
                .map(|worker| division.parts(worker).len())
                .collect::<Vec<_>>()
        };
        assert_eq!(parts(&[1, 2, 4]), [1, 2, 4]);
        assert_eq!(parts(&[1; 7]), [1; 7]);
        let mut touching = plan.clone();
        for (from, part) in touching.parts.iter_mut().enumerate() {
            part.touched = (0..7)
                .map(|to| {
                    if to == from {
                        0
                    } else {
                        10 * from as u64 + to as u64
                    }
                })
                .collect();
        }
        // The nodes that parts 2 and 3 send elsewhere and to each other, and others to them.
        let of_two = Division::new(&touching, &[2, 2, 3]).touched_by(&touching, 1, Boundary::All);
        let all = |parts: &[u64]| parts.iter().sum::<u64>();
        assert_eq!(
            of_two,
            all(&[20, 21, 23, 24, 25, 26, 30, 31, 32, 34, 35, 36])
                + all(&[2, 3, 12, 13, 42, 43, 52, 53, 62, 63])
                + 23
                + 32
        );
        let division = Division::new(&plan, &[1, 1000]);
        assert_eq!((division.idle(), division.parts(1)), (Some(0), 0..7));
    }
}
