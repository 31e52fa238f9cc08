//! Current-flow betweenness: b(x) = sum over ordered pairs y != z, both different from x, of the current
//! through x when a unit of current enters at y and leaves at z.
//!
//! Edges are resistors, of conductance 1 or their weight. The current through x is half the sum of the
//! absolute currents in its edges. Equally, it is how often a random walk from y, which ends at z and
//! follows edges in proportion to their weights, passes through x, where passes that go back cancel. So
//! detours count, not only shortest paths. On a tree there are no detours, and b is
//! betweenness.
//!
//! Graphs are undirected: each arc has a reverse arc of equal weight. Self-loops carry no current. Pairs in
//! different components add 0. Normalised, b(x) is divided by (n-1)(n-2) and lies in [0, 1].
//!
//! With L the Laplacian matrix of a component without one of its k nodes, the ground, row x of its inverse
//! holds the potentials when a unit of current enters at x and leaves at the ground ([`potentials`]).
//! Differences of two rows give the current in an edge for every y, so sorting them gives the sum over all
//! pairs ([`flows`]). O(k^3 + k m log k) and 16 bytes k^2 for each component.
//!
//! Rounding errors are bounded after the fact, from residuals in twice the precision of doubles. Scores
//! that this bound cannot distinguish are made equal.
//!
//! Source: Newman, "A measure of betweenness centrality based on random walks", Social Networks 27, 2005;
//! Brandes and Fleischer, "Centrality measures based on current flow", STACS 2005.

mod flows;
mod network;
mod potentials;

use flows::Flows;
use network::Network;
use potentials::Potentials;
use serde::Serialize;
use std::time::Duration;
use webrank_base::error::{Error, Result};
use webrank_base::limits::Limits;
use webrank_base::phases::Phases;
use webrank_base::progress::Progress;
use webrank_graph::{Direction, Graph, Size};
use webrank_linear::matrix::Matrix;
use webrank_measure::cost_model::{CostModel, Passes, TimeEstimate, Times, announce};
use webrank_measure::{About, Described, Measure, StoragePlan, parameters};
use webrank_scores::ranked::Ranked;
use webrank_scores::{Outcome, Run, Scores};

/// The time that a computation may take by default.
const TIME_BUDGET: Duration = Duration::from_secs(600);

/// A bound on the relative error of scores above this is refused: conductances are too different.
const COARSEST: f64 = 1e-6;

/// Nanoseconds of a core for a multiplication with an addition, and for sorting and adding a current.
const OF_PRODUCT: f64 = 0.35;
const OF_CURRENT: f64 = 25.0;

/// Current-flow betweenness with its parameters.
#[derive(Debug, Clone, Default, Serialize)]
pub struct CurrentFlow {
    /// Whether scores are divided by (n - 1)(n - 2).
    pub normalize: bool,
}

impl Described for CurrentFlow {
    const ABOUT: About = About {
        name: "current-flow",
        definition: "sum over pairs y, z of the part of a random walk from y to z that passes through x",
        direction: "none: graphs are undirected",
        cost: "O(k^3 + k m log k) for each component of k nodes and m edges; 16 k^2 bytes",
        guarantee: "exact up to a proved relative error",
    };
}

impl Measure for CurrentFlow {
    fn forms_of(&self, graph: &Graph) -> Vec<StoragePlan> {
        vec![StoragePlan::in_memory(
            Size::of(graph).weighted_bytes(140, 30),
        )]
    }

    fn seconds_of(&self, graph: &Graph, limits: &Limits, progress: &dyn Progress) -> Result<Times> {
        let networks = Network::components(&undirected(graph, progress)?, progress)?;
        let memory = bytes(&networks);
        limits.admit_more(Self::ABOUT.name, memory)?;
        let passes = Passes::over(graph);
        let besides = passes.reading_both() + passes.writing(1);
        let estimate = TimeEstimate::about(besides + seconds(graph, &networks)).with(memory);
        Ok(vec![Some(estimate.within(limits.time_or(TIME_BUDGET)))])
    }

    fn compute(&self, graph: &Graph, limits: &Limits, progress: &dyn Progress) -> Result<Ranked> {
        let mut phases = Phases::start();
        let matrix = undirected(graph, progress)?;
        phases.done("load");
        let networks = Network::components(&matrix, progress)?;
        afford(graph, &networks, limits, progress)?;
        let mut found = Found::new(graph.num_nodes());
        for network in &networks {
            found.add(network, progress)?;
        }
        phases.done("solve");
        let bound = found.level();
        if self.normalize {
            let n = graph.num_nodes() as f64;
            let pairs = ((n - 1.0) * (n - 2.0)).max(1.0);
            found.values.iter_mut().for_each(|score| *score /= pairs);
        }
        let mut parameters = parameters(self);
        let weights = matrix.weights().map(|_| "vector");
        parameters.insert("weights".into(), weights.into());
        let scores = Scores {
            intervals: None,
            run: Run {
                measure: Self::ABOUT.name,
                method: "inverse",
                parameters,
                outcome: Outcome::rounded(bound, &found.values),
            },
            values: found.values.into(),
        };
        let note = (networks.len() > 1).then(|| {
            format!(
                "{} components have three nodes or more: pairs in different ones add 0",
                networks.len()
            )
        });
        Ok(Ranked::single(graph, scores, phases)?.noting(note))
    }
}

/// The matrix of an undirected graph.
fn undirected(graph: &Graph, progress: &dyn Progress) -> Result<Matrix> {
    let forward = Matrix::of(graph, Direction::Out, progress)?;
    let backward = Matrix::of(graph, Direction::In, progress)?;
    for node in 0..graph.num_nodes() as u32 {
        let differs = |one: &Matrix, other: &Matrix| {
            let mut row = one.row(node);
            row.find(|&(to, weight)| other.entry(node, to) != weight)
        };
        let (from, to) = match differs(&forward, &backward) {
            Some((to, _)) => (node, to),
            None => match differs(&backward, &forward) {
                Some((from, _)) => (from, node),
                None => continue,
            },
        };
        let (from, to, back) = (graph.label(from), graph.label(to), forward.entry(to, from));
        return Err(undefined(match back > 0.0 {
            true => format!(
                "edges have no direction, but the arcs between {from} and {to} have different weights; give \
                 both arcs one weight"
            ),
            false => format!(
                "edges have no direction, but an arc leads from {from} to {to} and none back; --symmetric \
                 adds it"
            ),
        }));
    }
    Ok(forward)
}

/// The bytes of the largest component: two numbers for each pair of nodes, and rows of threads.
fn bytes(networks: &[Network]) -> u64 {
    let rows = 8 * potentials::ROWS as u64 * (2 + rayon::current_num_threads() as u64);
    let largest = networks.iter().map(|network| network.len() as u64).max();
    largest.map_or(0, |k| k.saturating_mul(16 * k + rows))
}

/// About the seconds of solving and sorting.
fn seconds(graph: &Graph, networks: &[Network]) -> f64 {
    let of = |network: &Network| {
        let (k, m) = (network.len() as f64, network.edges().len() as f64);
        2.0 * k.powi(3) * OF_PRODUCT + m * k * OF_CURRENT
    };
    let nanoseconds: f64 = networks.iter().map(of).sum();
    Passes::over(graph).of(CostModel {
        node: nanoseconds / graph.num_nodes().max(1) as f64,
        arc: 0.0,
        bit: 0.0,
    })
}

/// Refuses what exceeds the memory or the time, and announces what takes long.
fn afford(
    graph: &Graph,
    networks: &[Network],
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<()> {
    let (what, memory) = (CurrentFlow::ABOUT.name, bytes(networks));
    limits.admit_more(what, memory)?;
    let seconds = seconds(graph, networks);
    limits.admit_time(what, seconds, TIME_BUDGET)?;
    announce(what, seconds, memory, progress);
    Ok(())
}

/// The scores of all nodes.
struct Found {
    values: Vec<f64>,
    /// A bound on the relative error of all scores.
    bound: f64,
}

impl Found {
    fn new(n: usize) -> Self {
        Found {
            values: vec![0.0; n],
            bound: 0.0,
        }
    }

    /// Adds the scores of a component.
    fn add(&mut self, network: &Network, progress: &dyn Progress) -> Result<()> {
        let potentials = Potentials::of(network, progress)?;
        let flows = Flows::of(network, &potentials, progress)?;
        for (place, &node) in network.nodes().iter().enumerate() {
            // Nothing passes through a node with one neighbour.
            if network.neighbours(place).len() > 1 {
                let (score, error) = flows.score(place);
                self.values[node as usize] = score;
                // NaN is too coarse.
                let relative = error / (score - error);
                if !(0.0..=COARSEST).contains(&relative) {
                    return Err(too_different());
                }
                self.bound = self.bound.max(relative);
            }
        }
        Ok(())
    }

    /// Makes scores that the bound cannot distinguish equal to the largest of them; returns a bound for
    /// the new scores.
    fn level(&mut self) -> f64 {
        let mut order: Vec<usize> = (0..self.values.len()).collect();
        order.sort_by(|&x, &y| self.values[y].total_cmp(&self.values[x]).then(x.cmp(&y)));
        let mut first = f64::INFINITY;
        for node in order {
            let value = &mut self.values[node];
            if *value >= first * (1.0 - 2.0 * self.bound) {
                *value = first;
            } else {
                first = *value;
            }
        }
        4.0 * self.bound
    }
}

fn too_different() -> Error {
    undefined(
        "weights of a component are too different for doubles: scores would have fewer than 6 certain \
         digits; make weights more alike, or leave them out (--unweighted)"
            .into(),
    )
}

fn undefined(reason: String) -> Error {
    Error::Undefined {
        measure: "current-flow betweenness",
        reason,
    }
}
