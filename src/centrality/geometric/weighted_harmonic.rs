//! Harmonic centrality with node weights: H(x) = sum of w(y)/d(y, x) over the y != x that reach x.
//!
//! Unreachable nodes add 0; for outgoing distances read d(x, y). With all weights 1 it is
//! [`harmonic`](crate::centrality::geometric::harmonic) up to rounding. Normalised, it is divided
//! by n - 1, like the unweighted measure.
//!
//! The weights of a level are added in the order in which the search meets their nodes, with one
//! partial sum per source, so real weights need no rounding to integers. Nothing is ever
//! subtracted, so searches run on the unreduced graph, and sources do not share them. The relative
//! error of a score is below n * 2^-53. Bit masks update a level's 512 partial sums, which makes a
//! run several times slower than the unweighted one, but many times faster than one search at a
//! time.

use crate::centrality::{About, Measure, parameters};
use crate::error::{Error, Result};
use crate::graph::{Csr, Direction, Graph, Node, Predecessors, Successors};
use crate::limits::Limits;
use crate::linear::wide::{Wide, times_power};
use crate::parallel::simd::Simd;
use crate::parallel::tasks;
use crate::parallel::workspaces::Pool;
use crate::progress::Progress;
use crate::reduction::{loops, order};
use crate::scores::phases::Phases;
use crate::scores::ranked::Ranked;
use crate::scores::ranking::Ranking;
use crate::scores::{Outcome, Run, Scores};
use crate::traversal::bit_parallel::{LANES, Mask, Tally, Workspace};
use ndarray::Array1;
use serde::ser::{Serialize, SerializeMap, Serializer};

/// Harmonic centrality with node weights; see the [module](self).
#[derive(Debug, Clone, PartialEq)]
pub struct WeightedHarmonic {
    /// One weight per node: finite and not negative.
    pub weights: Vec<f64>,
    /// Divide by n - 1.
    pub normalize: bool,
    /// Which distances count.
    pub direction: Direction,
}

impl Serialize for WeightedHarmonic {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut parameters = serializer.serialize_map(Some(3))?;
        parameters.serialize_entry("direction", &self.direction)?;
        parameters.serialize_entry("normalize", &self.normalize)?;
        parameters.serialize_entry("weights", &true)?;
        parameters.end()
    }
}

impl Measure for WeightedHarmonic {
    const ABOUT: About = About {
        name: "harmonic",
        definition: "sum of w(y)/d(y, x) over the y that reach x",
        direction: "in: near to heavy nodes; or out",
        cost: "one search of each node, 512 at a time",
        guarantee: "exact up to rounding",
    };

    fn needs(&self, graph: &Graph) -> u64 {
        graph.size().weighted_bytes(120, 20)
    }

    fn compute(&self, graph: &Graph, _limits: &Limits, progress: &dyn Progress) -> Result<Ranked> {
        let mut phases = Phases::start();
        let (successors, predecessors) = graph.both(progress)?;
        phases.done("load");
        let scores = weighted_harmonic(
            Predecessors(&predecessors),
            Successors(&successors),
            self,
            progress,
        )?;
        phases.done("search");
        let ranking = Ranking::new(scores.as_slice())?;
        phases.done("rank");
        let columns = vec![("score".into(), scores)];
        Ok(Ranked::in_order(graph, columns, ranking, phases))
    }
}

/// The weighted harmonic centrality of every node, exact up to rounding.
///
/// `successors` is the transpose of `predecessors`. O(m) for each 512 nodes at worst, 192 bytes per
/// node and thread. Reports n units to `progress`.
///
/// # Errors
/// If there is not one weight per node, or if a weight is negative, infinite or NaN; if a score is
/// more than a double holds;
/// [`Interrupted`](Error::Interrupted) when the user stops the run.
pub fn weighted_harmonic(
    predecessors: Predecessors<Csr>,
    successors: Successors<Csr>,
    measure: &WeightedHarmonic,
    progress: &dyn Progress,
) -> Result<Scores> {
    let (rows, reverse) = measure.direction.rows(predecessors, successors);
    let n = rows.num_nodes();
    check(&measure.weights, n)?;
    let rows = loops::strip(rows);
    let sources = order::breadth_first(reverse);
    let rooms = Pool::new(|| Workspace::new(n));
    progress.begin("searching", Some(n as u64));
    // Sums of weights near the limit of doubles might overflow where scores do not.
    let largest = measure.weights.iter().copied().fold(0.0, f64::max);
    let exponent = if largest > 1e290 { 64 } else { 0 };
    let in_units = |weight: &f64| times_power(*weight, -exponent);
    let in_units: Vec<f64> = match exponent {
        0 => Vec::new(),
        _ => measure.weights.iter().map(in_units).collect(),
    };
    let weights = if exponent == 0 {
        &measure.weights
    } else {
        &in_units
    };
    let search = |sources: &[Node]| {
        progress.check()?;
        let mut sums = LaneSums::new(weights);
        rooms.with(|room| {
            room.clear();
            for (lane, &source) in sources.iter().enumerate() {
                room.exclude(source, lane);
                for &y in rows.row(source) {
                    room.start(y, lane);
                }
            }
            room.search(&rows, &mut sums, Simd::best());
        });
        progress.advance(sources.len() as u64);
        Ok(sums.total)
    };
    let parts = tasks::try_map(sources.chunks(LANES), search)?;
    progress.end();
    let scale = if measure.normalize && n > 1 {
        (n - 1) as f64
    } else {
        1.0
    };
    let mut values = Array1::zeros(n);
    for (&source, &sum) in sources
        .iter()
        .zip(parts.iter().flat_map(|part| part.iter()))
    {
        values[source as usize] = sum / scale;
        if exponent > 0 {
            let score = Wide::new(sum / scale).scaled(exponent);
            if score.get().is_infinite() {
                let value = format!("up to {largest:e}");
                let remedy = format!(
                    "the score of node {source} is about {score}, more than a double holds: divide \
                     all weights by one number"
                );
                return Err(Error::argument("weights", value, remedy));
            }
            values[source as usize] = score.get();
        }
    }
    Ok(Scores {
        values,
        run: Run {
            measure: WeightedHarmonic::ABOUT.name,
            method: "exact",
            parameters: parameters(measure),
            outcome: Outcome::Exact,
        },
    })
}

fn check(weights: &[f64], num_nodes: usize) -> Result<()> {
    if weights.len() != num_nodes {
        let value = format!("a list of {}", weights.len());
        let remedy = format!("give one weight for each of the {num_nodes} nodes");
        return Err(Error::argument("weights", value, remedy));
    }
    match weights.iter().position(|w| !(w.is_finite() && *w >= 0.0)) {
        Some(node) => Err(Error::argument(
            "weights",
            format!("{} for node {node}", weights[node]),
            "give finite numbers that are not negative",
        )),
        None => Ok(()),
    }
}

/// The sums of one batch, one per lane.
struct LaneSums<'a> {
    weights: &'a [f64],
    /// The weights of the current level so far.
    level: Box<[f64; LANES]>,
    total: Box<[f64; LANES]>,
}

impl<'a> LaneSums<'a> {
    fn new(weights: &'a [f64]) -> Self {
        LaneSums {
            weights,
            level: Box::new([0.0; LANES]),
            total: Box::new([0.0; LANES]),
        }
    }
}

impl Tally for LaneSums<'_> {
    #[inline(always)]
    fn reach(&mut self, node: Node, new: Mask, _level: u32) {
        let weight = self.weights[node as usize];
        for (&word, sums) in new.0.iter().zip(self.level.chunks_exact_mut(64)) {
            if word != 0 {
                for (bit, sum) in sums.iter_mut().enumerate() {
                    // Adding 0 keeps the bits of a sum that is not negative.
                    *sum += if word >> bit & 1 == 1 { weight } else { 0.0 };
                }
            }
        }
    }

    #[inline(always)]
    fn end_level(&mut self, level: u32) -> bool {
        for (total, sum) in self.total.iter_mut().zip(self.level.iter_mut()) {
            *total += std::mem::take(sum) / level as f64;
        }
        true
    }
}
