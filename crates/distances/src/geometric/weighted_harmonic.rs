//! Harmonic centrality with node weights: H(x) = sum of w(y)/d(y, x) over the y != x that reach x.
//!
//! Unreachable nodes add 0; for outgoing distances read d(x, y). With all weights 1 it is
//! [`harmonic`](crate::geometric::harmonic) up to rounding. Normalised, it is divided
//! by n - 1, like the unweighted measure.
//!
//! The weights of a level are added in the order in which the search meets their nodes, with one
//! partial sum per source, so real weights need no rounding to integers. Nothing is ever
//! subtracted, so searches run on the unreduced graph, and sources do not share them. The relative
//! error of a score is below n * 2^-53. Nodes whose scores are closer than that are searched from again:
//! their order, their ties and their doubles are those of exact sums (`weighted_order.rs`), unless these
//! would take too much memory; then the outcome is `rounded`. Bit masks update a level's 512 partial sums, which makes a
//! run several times slower than the unweighted one, but many times faster than one search at a
//! time.

use super::weighted_order::Weighted;
use crate::reduction::{loops, order};
use crate::traversal::bit_parallel::{LANES, Mask, Tally, Workspace};
use ndarray::Array1;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};
use std::borrow::Cow;
use webrank_base::Node;
use webrank_base::checkpoint::unkept;
use webrank_base::error::{Error, Result};
use webrank_base::limits::Limits;
use webrank_base::parallel::simd::Simd;
use webrank_base::parallel::tasks;
use webrank_base::parallel::workspaces::Pool;
use webrank_base::phases::Phases;
use webrank_base::progress::Progress;
use webrank_base::units::counted_as;
use webrank_graph::Size;
use webrank_graph::{Csr, Direction, Graph, Predecessors, Successors};
use webrank_linear::wide::{ExtendedFloat, times_power};
use webrank_measure::cost_model::{BATCH, Passes, TimeEstimate, Times};
use webrank_measure::{About, Described, Measure, StoragePlan, parameters};
use webrank_scores::ranked::Ranked;
use webrank_scores::ranking::Ranking;
use webrank_scores::{Run, Scores};

/// Sums of larger weights might overflow.
const LARGE: f64 = 1e290;

/// Quotients of smaller weights by distances might lose digits.
const SMALL: f64 = 1e-290;

/// The exponent of the unit of small weights.
const OF_SMALL: i64 = -500;

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

impl Described for WeightedHarmonic {
    const ABOUT: About = About {
        name: "harmonic",
        definition: "sum of w(y)/d(y, x) over the y that reach x",
        direction: "in: near to heavy nodes; or out",
        cost: "one search of each node, 512 at a time",
        guarantee: "exact; ranks and ties are those of exact sums",
    };
}

impl Measure for WeightedHarmonic {
    fn forms_of(&self, graph: &Graph) -> Vec<StoragePlan> {
        vec![StoragePlan::in_memory(
            Size::of(graph).weighted_bytes(160, 20),
        )]
    }

    fn seconds_of(&self, graph: &Graph, _: &Limits, _: &dyn Progress) -> Result<Times> {
        let passes = Passes::over(graph);
        let batches = graph.num_nodes().div_ceil(LANES) as f64;
        let searching = batches * passes.of(BATCH);
        let seconds = passes.reading_both() + searching + passes.writing(1);
        Ok(vec![Some(TimeEstimate::about(seconds))])
    }

    fn kept_parameters(&self, _graph: &Graph, _limits: &Limits) -> Result<Map<String, Value>> {
        Err(unkept("harmonic with weights"))
    }

    fn compute(&self, graph: &Graph, _limits: &Limits, progress: &dyn Progress) -> Result<Ranked> {
        let mut phases = Phases::start();
        let (successors, predecessors) = graph.both(progress)?;
        phases.done("load");
        let WeightedScores {
            scores,
            rests,
            num_lost,
        } = weighted_harmonic(
            Predecessors(&predecessors),
            Successors(&successors),
            self,
            progress,
        )?;
        phases.done("search");
        let ranking = Ranking::refined(scores.as_slice(), |node| rests[node as usize])?;
        phases.done("rank");
        let hidden = scores.run.outcome.hidden_order();
        let columns = vec![("score".into(), scores)];
        let note = format!(
            "{} a positive score below the least normal double: it is rounded",
            counted_as(num_lost, "node has", "nodes have")
        );
        let ranked = Ranked::in_order(graph, columns, ranking, phases);
        Ok(ranked.noting((num_lost > 0).then_some(note)).noting(hidden))
    }
}

/// Scores, and what doubles cannot hold.
#[derive(Debug, Clone)]
pub struct WeightedScores {
    /// The scores.
    pub scores: Scores,
    /// The numbers that order nodes whose scores are the same double: larger ones first.
    pub rests: Vec<u64>,
    /// The number of positive scores below the least normal double, which are rounded.
    pub num_lost: usize,
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
) -> Result<WeightedScores> {
    let (rows, reverse) = measure.direction.rows(predecessors, successors);
    let n = rows.num_nodes();
    check(&measure.weights, n)?;
    let rows = loops::strip(rows);
    let sources = order::breadth_first(reverse);
    let rooms = Pool::new(|| Workspace::new(n));
    let groups = in_units(&measure.weights);
    progress.begin("searching", Some((n * groups.len()) as u64));
    let search = |weights: &[f64], sources: &[Node]| {
        progress.check()?;
        let mut sums = LaneSums::new(weights);
        rooms.with(|room| {
            enter(room, &rows, sources);
            room.search(&rows, &mut sums, Simd::best());
        });
        progress.advance(sources.len() as u64);
        Ok((sums.total, sums.levels))
    };
    let mut of_groups = Vec::with_capacity(groups.len());
    let mut farthest = 0;
    for group in &groups {
        let batches = sources.chunks(LANES);
        let batches = tasks::try_map(batches, |sources| search(&group.weights, sources))?;
        farthest = batches.iter().map(|batch| batch.1).fold(farthest, u32::max);
        let sums = batches.into_iter().map(|(sums, _)| sums);
        of_groups.push(sums.collect::<Vec<_>>());
    }
    progress.end();
    let scale = if measure.normalize && n > 1 {
        (n - 1) as f64
    } else {
        1.0
    };
    let mut values = Array1::zeros(n);
    let mut num_lost = 0;
    for (place, &source) in sources.iter().enumerate() {
        let sum = |group: usize| of_groups[group][place / LANES][place % LANES] / scale;
        let value = &mut values[source as usize];
        if let [InUnits { exponent: 0, .. }] = groups[..] {
            *value = sum(0);
            continue;
        }
        let terms = groups.iter().enumerate();
        let terms =
            terms.map(|(group, units)| ExtendedFloat::new(sum(group)).scaled(units.exponent));
        let score: ExtendedFloat = terms.sum();
        *value = score.get();
        if !score.is_zero() && *value < f64::MIN_POSITIVE {
            // 0 is for nodes that no weight reaches.
            *value = value.max(f64::from_bits(1));
            num_lost += 1;
        }
        if value.is_infinite() {
            let largest = measure.weights.iter().copied().fold(0.0, f64::max);
            let remedy = format!(
                "the score of node {source} is about {score}, more than a double holds: divide all \
                 weights by one number"
            );
            return Err(Error::argument(
                "weights",
                format!("up to {largest:e}"),
                remedy,
            ));
        }
    }
    let exactly = Weighted {
        rows: &rows,
        reverse,
        weights: &measure.weights,
        scale: scale as u64,
        farthest,
    };
    let slice = values.as_slice_mut().expect("one column is contiguous");
    let (rests, outcome) = exactly.settle(&sources, slice, progress)?;
    let scores = Scores {
        intervals: None,
        values,
        run: Run {
            measure: WeightedHarmonic::ABOUT.name,
            method: "exact",
            parameters: parameters(measure),
            outcome,
        },
    };
    Ok(WeightedScores {
        scores,
        rests,
        num_lost,
    })
}

/// Puts the neighbours of these sources, one in each lane, at level 1 of their searches.
pub(super) fn enter(room: &mut Workspace, rows: &Csr, sources: &[Node]) {
    room.clear();
    for (lane, &source) in sources.iter().enumerate() {
        room.exclude(source, lane);
        for &y in rows.row(source) {
            room.start(y, lane);
        }
    }
}

/// Some of the weights, and 0 for the other nodes, in units of 2^exponent.
struct InUnits<'a> {
    weights: Cow<'a, [f64]>,
    exponent: i64,
}

/// Weights in units in which neither sums of them nor their parts leave the range of doubles; two
/// groups if they span all of it.
fn in_units(weights: &[f64]) -> Vec<InUnits<'_>> {
    let positive = weights.iter().copied().filter(|&weight| weight > 0.0);
    let least = positive.clone().fold(f64::INFINITY, f64::min);
    let largest = positive.fold(0.0, f64::max);
    let group = |exponent: i64, counts: &dyn Fn(f64) -> bool| {
        let in_units = |&weight: &f64| match counts(weight) {
            true => times_power(weight, -exponent),
            false => 0.0,
        };
        InUnits {
            weights: weights.iter().map(in_units).collect(),
            exponent,
        }
    };
    let of_large = if largest > LARGE { 64 } else { 0 };
    match (least < SMALL, of_large) {
        (false, 0) => vec![InUnits {
            weights: Cow::Borrowed(weights),
            exponent: 0,
        }],
        (false, _) => vec![group(of_large, &|_| true)],
        (true, _) if largest < 1.0 => vec![group(OF_SMALL, &|_| true)],
        (true, _) => vec![
            group(of_large, &|weight| weight >= 1.0),
            group(OF_SMALL, &|weight| weight < 1.0),
        ],
    }
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
    /// The number of levels.
    levels: u32,
}

impl<'a> LaneSums<'a> {
    fn new(weights: &'a [f64]) -> Self {
        LaneSums {
            weights,
            level: Box::new([0.0; LANES]),
            total: Box::new([0.0; LANES]),
            levels: 0,
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
        self.levels = level;
        for (total, sum) in self.total.iter_mut().zip(self.level.iter_mut()) {
            *total += std::mem::take(sum) / level as f64;
        }
        true
    }
}
