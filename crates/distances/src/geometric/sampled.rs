//! Geometric measures from sampled nodes, with a proved bound on the error of every score.
//!
//! A measure that is a sum of terms f(d(y, x)) in [0, 1] over the y, divided by n - 1, is a mean
//! over all nodes, up to the factor n/(n-1). The mean over k nodes y drawn without replacement is
//! an estimate of it. One search from y, ALONG the arcs for incoming distances, gives the term of y
//! for every x. So k searches serve all nodes, 512 at a time.
//!
//! By Hoeffding's inequality in Serfling's form for sampling without replacement (Annals of
//! Statistics 2, 1974), the error of one estimate of the mean exceeds e with probability at most 2
//! exp(-2 k e^2 / (1 - (k-1)/n)). A union bound over the n nodes gives the number of samples in
//! [`Precision::samples`]: with probability at least 1 - delta EVERY normalised score is within
//! epsilon. That is a bound for all nodes at once, and the same for all. The interval of each node is
//! for that node alone, mostly much narrower, and proved as well: see
//! [`sample_mean`](crate::sample_mean), which needs the squares of the terms too. Beyond
//! that, it is known that neighbours add f(1) each and other nodes f(2) at most; a node without
//! neighbours is known exactly.
//!
//! A measure declares by [`DistanceMeasure::largest`] that it is such a sum: harmonic,
//! decay and reachable do; closeness, Lin, eccentricity and integration do not. (Eppstein and Wang
//! 2004 sample closeness this way; here terms are bounded without knowing the diameter.)

use super::exact_number::ExactNumber;
use super::measure::{DistanceMeasure, Sums, Whole, is_known_from};
use super::{Direction, run_of};
use crate::reduction::loops;
use crate::sample_mean::SampleMean;
use crate::traversal::bit_parallel::{LANES, Mask, Tally, Workspace};
use crate::traversal::hyperball::BallRows;
use ndarray::Array1;
use serde_json::json;
use webrank_base::Node;
use webrank_base::checkpoint;
use webrank_base::checkpoint::Stage;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::simd::Simd;
use webrank_base::parallel::tasks;
use webrank_base::parallel::workspaces::Pool;
use webrank_base::progress::Progress;
use webrank_graph::sources::SearchSources;
use webrank_graph::{Csr, Predecessors, Successors};
use webrank_scores::intervals::{Claim, Confidence, Holds, Intervals};
use webrank_scores::{Outcome, Scores};

/// An error bound on normalised scores, and the probability that it fails.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Precision {
    epsilon: f64,
    delta: f64,
}

impl Default for Precision {
    /// Every normalised score within 0.01, with probability 0.9.
    fn default() -> Self {
        Precision {
            epsilon: 0.01,
            delta: 0.1,
        }
    }
}

impl Precision {
    /// Every normalised score within `epsilon`, with probability at least 1 - `delta`.
    ///
    /// # Errors
    /// If `epsilon` or `delta` is not above 0 and below 1.
    pub fn new(epsilon: f64, delta: f64) -> Result<Self> {
        for (name, value) in [("epsilon", epsilon), ("delta", delta)] {
            if !(value > 0.0 && value < 1.0) {
                return Err(Error::argument(
                    name,
                    value,
                    "give a number above 0 and below 1",
                ));
            }
        }
        Ok(Precision { epsilon, delta })
    }

    /// The error.
    pub fn epsilon(self) -> f64 {
        self.epsilon
    }

    /// The probability that it is larger.
    pub fn delta(self) -> f64 {
        self.delta
    }

    /// The number of nodes to sample from a graph of `num_nodes`: the smallest k with 2 n exp(-2 k
    /// e^2 / (1 - (k-1)/n)) <= delta, where e = epsilon (n-1)/n; at most n.
    pub fn samples(self, num_nodes: usize) -> usize {
        let n = num_nodes as f64;
        if num_nodes < 2 {
            return num_nodes;
        }
        let error = self.epsilon * (n - 1.0) / n;
        let with_replacement = (2.0 * n / self.delta).ln() / (2.0 * error * error);
        // The square of a tiny error underflows; then every node has to be searched from.
        if with_replacement.is_infinite() {
            return num_nodes;
        }
        let without = with_replacement * (n + 1.0) / (n + with_replacement);
        (without.ceil() as usize).min(num_nodes)
    }

    /// The bytes of a node while so many are sampled by all threads: those of a search for each thread,
    /// and sums of terms and of squares for each batch that is held and for all of them.
    pub(super) fn bytes_of_node(self, num_nodes: usize) -> u64 {
        let batches = self.samples(num_nodes).div_ceil(LANES);
        let held = batches.min(BATCHES_AT_A_TIME);
        let searches = held.min(rayon::current_num_threads());
        (192 * searches + 16 * (held + 1)) as u64
    }
}

/// What to sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// It fixes the number of sampled nodes.
    pub precision: Precision,
    /// That of the interval of each node.
    pub confidence: Confidence,
    /// It fixes the sampled nodes.
    pub seed: u64,
}

/// Estimates of `measure` for every node, with intervals.
///
/// `successors` is the transpose of `predecessors`. O(m) for each 512 samples at worst; 192 bytes
/// per node and thread, and 128 per node for partial sums and their squares. The bits depend only on
/// the graph and the seed. Reports one unit to `progress` per sampled node.
///
/// # Errors
/// If the measure is not a sum of terms in [0, 1];
/// [`Interrupted`](Error::Interrupted) when the user stops the run.
pub fn sample(
    predecessors: Predecessors<Csr>,
    successors: Successors<Csr>,
    direction: Direction,
    measure: &dyn DistanceMeasure,
    wanted: Sample,
    progress: &dyn Progress,
) -> Result<Scores> {
    sample_column(
        predecessors,
        successors,
        direction,
        measure,
        (wanted, 0),
        progress,
    )
}

/// The same, for the column at this place of a run that may keep those that are done.
pub(super) fn sample_column(
    predecessors: Predecessors<Csr>,
    successors: Successors<Csr>,
    direction: Direction,
    measure: &dyn DistanceMeasure,
    (wanted, place): (Sample, usize),
    progress: &dyn Progress,
) -> Result<Scores> {
    // The direction is opposite to that of an exact search.
    let (neighbours, rows) = direction.rows(predecessors, successors);
    let n = rows.num_nodes();
    let whole = Whole {
        num_nodes: n,
        diameter: ExactNumber::UNKNOWN,
    };
    // For a measure with terms, the terms are added; otherwise nodes are counted.
    let term = measure.term();
    let sums_of = |sum: f64| match term {
        Some(_) => Sums {
            terms: ExactNumber::Estimate(sum),
            ..Sums::UNKNOWN
        },
        None => Sums {
            reached: ExactNumber::Estimate(sum),
            ..Sums::UNKNOWN
        },
    };
    if measure.largest(&whole).is_none() || !is_known_from(measure, &sums_of(1.0), &whole) {
        return Err(Error::NoMethod {
            measure: measure.name(),
            method: "sampling with a proved error",
            remedy: "sample harmonic, or use the exact method or hyperball",
        });
    }
    let rows = loops::strip(rows);
    let (precision, seed) = (wanted.precision, wanted.seed);
    let count = precision.samples(n);
    let sources = SearchSources::Sample { count, seed }.nodes(n)?;
    progress.begin("searching", Some(count as u64));
    let value = |distance| term.map_or(1.0, |term| term.at(distance));
    let sums = checkpoint::column(
        progress,
        (place, 2 * n),
        || sum_of_values(&rows, &sources, &value, progress),
        |sums: &Vec<[f64; 2]>| sums.as_flattened().to_vec(),
        |column| column.as_chunks().0.to_vec(),
    )?;
    progress.end();
    let score = |sum: f64| measure.score(&sums_of(sum), &whole).value();
    let scaled = |[sum, _]: &[f64; 2]| score(sum * n as f64 / count as f64);
    let values: Array1<f64> = sums.iter().map(scaled).collect();
    let sample = SampleMean::new(count, n, wanted.confidence);
    // Counts are not rounded; other sums are, at most once for each sampled node.
    let rounding = term.map_or(0.0, |_| (count + 4) as f64 * f64::EPSILON);
    let rows = BallRows::Lists {
        rows: neighbours,
        reverse: None,
    };
    let degrees = rows.degrees()?;
    let known = Known {
        degrees: &degrees,
        num_nodes: n,
        values: [value(1), value(2)],
    };
    let ends = |x: usize| {
        let [sum, squares] = sums[x];
        let (lower, upper) = known.narrowed(x, sample.interval(sum, Some(squares)));
        (
            score(lower * (1.0 - rounding)),
            score(upper * (1.0 + rounding)),
        )
    };
    let claim = Claim {
        confidence: wanted.confidence.get(),
        holds: Holds::EachNode,
        proved: true,
    };
    let scores = values.as_slice().expect("one column is contiguous");
    let intervals = Intervals::around(scores, claim, ends);
    let normalized = measure.parameters().get("normalize") == Some(&true.into());
    let outcome = Outcome::Sampled {
        sources: count as u64,
        epsilon: precision.epsilon,
        delta: precision.delta,
        unit: Some(if normalized { 1.0 } else { n as f64 - 1.0 }),
    };
    let mut run = run_of(measure, direction, "sample", outcome);
    run.parameters.insert("seed".into(), json!(seed));
    Ok(Scores {
        values,
        run,
        intervals: Some(intervals),
    })
}

/// What is known of a sum of terms without a search: neighbours are at distance 1, and the others are
/// farther, if they are reached.
pub(super) struct Known<'a> {
    /// The number of neighbours of each node, itself not counted.
    pub(super) degrees: &'a [u32],
    /// The number of nodes of the graph.
    pub(super) num_nodes: usize,
    /// The terms at distances 1 and 2; farther ones are no larger.
    pub(super) values: [f64; 2],
}

impl Known<'_> {
    /// The part of an interval that is possible for the sum of a node.
    pub(super) fn narrowed(&self, x: usize, (lower, upper): (f64, f64)) -> (f64, f64) {
        let degree = self.degrees[x] as usize;
        if degree == 0 {
            return (0.0, 0.0);
        }
        let others = self.num_nodes - 1 - degree;
        let near = degree as f64 * self.values[0];
        let far = others as f64 * self.values[1];
        (lower.max(near), upper.min(near + far))
    }
}

/// The number of batches whose sums are held at a time; it is fixed so that the order of additions
/// is fixed.
const BATCHES_AT_A_TIME: usize = 8;

/// For each node, the sum of the values of the sources that reach it, and that of their squares.
fn sum_of_values(
    rows: &Csr,
    sources: &[Node],
    value: &(impl Fn(u32) -> f64 + Sync),
    progress: &dyn Progress,
) -> Result<Vec<[f64; 2]>> {
    let n = rows.num_nodes();
    let rooms = Pool::new(|| Workspace::new(n));
    let mut sums = vec![[0.0; 2]; n];
    let mut done = 0;
    let keeping = match progress.checkpoint() {
        None => None,
        Some(checkpoint) => {
            let (keeping, found) = checkpoint.begin("sampled distances", progress)?;
            if let Some(mut found) = found {
                let mut count = [0u64];
                found.fill(&mut count)?;
                done = count[0].min(sources.len() as u64) as usize;
                found.fill(sums.as_flattened_mut())?;
                found.end()?;
                progress.advance(done as u64);
            }
            Some(keeping)
        }
    };
    for group in sources[done..].chunks(BATCHES_AT_A_TIME * LANES) {
        // 16 bytes a node.
        if let Some(keeping) = keeping.as_ref().filter(|keeping| keeping.is_due()) {
            keeping.keep(&format!("search {done} of {}", sources.len()), |to| {
                to.numbers(&[done as u64])?;
                to.numbers(sums.as_flattened())
            })?;
        }
        let parts = tasks::try_map(group.chunks(LANES), |batch| {
            progress.check()?;
            let mut spread = Spread {
                value_at: value,
                value: 0.0,
                level: 0,
                sums: vec![[0.0; 2]; n],
            };
            rooms.with(|room| {
                room.clear();
                for (lane, &source) in batch.iter().enumerate() {
                    room.exclude(source, lane);
                    for &x in rows.row(source) {
                        room.start(x, lane);
                    }
                }
                room.search(rows, &mut spread, Simd::best());
            });
            Ok(spread.sums)
        })?;
        for part in &parts {
            for (sum, part) in sums.iter_mut().zip(part) {
                sum[0] += part[0];
                sum[1] += part[1];
            }
        }
        progress.advance(group.len() as u64);
        done += group.len();
    }
    keeping.map_or(Ok(()), Stage::end)?;
    Ok(sums)
}

/// Adds a value for each source, and its square, to the nodes that it reaches.
struct Spread<'a, F> {
    value_at: &'a F,
    /// The value at `level`.
    value: f64,
    level: u32,
    sums: Vec<[f64; 2]>,
}

impl<F: Fn(u32) -> f64> Tally for Spread<'_, F> {
    #[inline(always)]
    fn reach(&mut self, node: Node, new: Mask, level: u32) {
        if level != self.level {
            self.level = level;
            self.value = (self.value_at)(level);
        }
        let sum = new.count() as f64 * self.value;
        let sums = &mut self.sums[node as usize];
        sums[0] += sum;
        sums[1] += sum * self.value;
    }

    #[inline(always)]
    fn end_level(&mut self, _level: u32) -> bool {
        true
    }
}
