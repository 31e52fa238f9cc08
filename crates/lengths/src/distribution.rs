//! The distribution of distances that are sums of lengths.
//!
//! The figures are those of [`webrank_distances::geometric::distances`]: the effective diameter interpolates
//! between one distance that occurs and the next, and the mean, the spid and the diameter are of exact sums.

use super::cutoff::Cutoff;
use super::distance::Distance;
use super::engine::{OnLengths, Prepared};
use super::ranking::afford;
use super::source::LengthSource;
use num_bigint::BigUint;
use std::collections::BTreeMap;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::limits::Limits;
use webrank_base::parallel::sums::Compensated;
use webrank_base::parallel::tasks;
use webrank_base::parallel::workspaces::Pool;
use webrank_base::progress::Progress;
use webrank_distances::probe;
use webrank_graph::{Direction, Graph, Size};

/// The most different distances whose pairs are counted.
const MOST_DISTANCES: usize = 1 << 20;

/// How many pairs are at each distance, and figures about them.
#[derive(Debug, Clone, PartialEq)]
pub struct LengthDistances {
    /// The number of nodes.
    pub num_nodes: usize,
    /// The number of ordered pairs of different nodes with a path.
    pub reachable_pairs: u64,
    /// The mean distance; none without pairs, like the figures below.
    pub average_distance: Option<f64>,
    /// The distance within which 90% of the pairs lie; none too if there are more than a million distances.
    pub effective_diameter: Option<f64>,
    /// The harmonic mean distance of all pairs; infinite without a path.
    pub harmonic_diameter: f64,
    /// The variance of the distances over their mean.
    pub spid: Option<f64>,
    /// The largest distance; 0 without pairs.
    pub diameter: f64,
    /// The distances, and the pairs at each; empty if there are more than a million distances.
    pub pairs: Vec<(f64, u64)>,
    /// Notes for people.
    pub notes: Vec<String>,
}

/// Which distances are counted.
#[derive(Debug, Clone)]
pub struct LengthDistribution {
    /// The lengths of the arcs.
    pub lengths: LengthSource,
    /// The longest distance that counts.
    pub cutoff: Option<Cutoff>,
}

impl LengthDistribution {
    /// The bytes that reading the graph takes at most.
    pub fn needs(&self, graph: &Graph) -> u64 {
        Size::of(graph).weighted_bytes(100, 40)
    }

    /// Searches from all nodes.
    ///
    /// # Errors
    /// If lengths cannot be read or are not positive; if it would exceed the time budget or memory; if the
    /// user interrupts.
    pub fn compute(
        &self,
        graph: &Graph,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<LengthDistances> {
        let lengths = self.lengths.read(graph, progress)?;
        lengths.admit_sums()?;
        let threads = rayon::current_num_threads();
        let counts = 64 * (MOST_DISTANCES * (threads + 1)) as u64;
        let all = 64 * (graph.num_nodes() as u64).saturating_pow(2);
        let memory = lengths.memory(threads, 0) + counts.min(all);
        limits.admit_more("searching by lengths", memory)?;
        let note = lengths.note.clone();
        let job = Counts { limits, progress };
        let mut found = lengths.along(Direction::Out, self.cutoff, job)?;
        found.notes.extend(note);
        Ok(found)
    }
}

struct Counts<'a> {
    limits: &'a Limits,
    progress: &'a dyn Progress,
}

/// The pairs at each distance; none if there are too many.
type PairCounts<D> = Option<BTreeMap<D, u64>>;

/// The findings from some sources.
struct Part<D: Distance> {
    pairs: PairCounts<D>,
    count: u64,
    farthest: D,
    /// In units, the sum of distances.
    sum: BigUint,
    /// The sum of squares, in those of the longest arc, so that none is too large for a double.
    squares: Compensated,
    inverses: Compensated,
}

impl<D: Distance> Part<D> {
    fn plus(mut self, other: Part<D>) -> Self {
        self.pairs = self.pairs.zip(other.pairs).and_then(|(mut pairs, more)| {
            for (distance, count) in more {
                *pairs.entry(distance).or_default() += count;
            }
            (pairs.len() <= MOST_DISTANCES).then_some(pairs)
        });
        self.count += other.count;
        self.farthest = self.farthest.max(other.farthest);
        self.sum += other.sum;
        self.squares.merge(other.squares);
        self.inverses.merge(other.inverses);
        self
    }
}

/// The sources of one part.
const SOURCES: usize = 256;

impl OnLengths for Counts<'_> {
    type Found = LengthDistances;

    fn run<D: Distance>(self, graph: Prepared<D>) -> Result<LengthDistances> {
        let (n, progress) = (graph.arcs.num_nodes(), self.progress);
        let room = || graph.search();
        let seconds = probe::seconds_from_each(n, progress, room, |room, source| {
            room.search(source, &mut |_, _| ());
        })?;
        afford("distances", seconds, self.limits)?;
        progress.begin("searching", Some(n as u64));
        let rooms = Pool::new(|| graph.search());
        let empty = || Part {
            pairs: Some(BTreeMap::new()),
            count: 0,
            farthest: D::zero(),
            sum: BigUint::default(),
            squares: Compensated::default(),
            inverses: Compensated::default(),
        };
        let unit = &graph.unit;
        let scale = unit.double(&(&graph.arcs.longest / (n as u64 + 1)));
        let of_sources = |sources: std::ops::Range<usize>| {
            let mut part = empty();
            rooms.with(|room| {
                for source in sources {
                    progress.check()?;
                    let (mut sum, mut last) = (D::Sum::default(), (D::zero(), 0u64));
                    let mut runs: Vec<(D, u64)> = Vec::new();
                    room.search(source as Node, &mut |distance, _| {
                        distance.add_to(1, &mut sum);
                        if *distance == last.0 {
                            last.1 += 1;
                        } else {
                            runs.push(std::mem::replace(&mut last, (distance.clone(), 1)));
                        }
                    });
                    runs.push(last);
                    part.sum += D::of_sum(&sum);
                    for (distance, count) in runs.into_iter().filter(|run| run.1 > 0) {
                        let length = unit.double(&distance.big());
                        part.count += count;
                        let scaled = length / scale;
                        part.squares.add(scaled * scaled * count as f64);
                        part.inverses.add(count as f64 / length);
                        if let Some(pairs) = &mut part.pairs {
                            *pairs.entry(distance.clone()).or_default() += count;
                        }
                        part.farthest = part.farthest.clone().max(distance);
                    }
                    let is_much = part
                        .pairs
                        .as_ref()
                        .is_some_and(|it| it.len() > MOST_DISTANCES);
                    if is_much {
                        part.pairs = None;
                    }
                    progress.advance(1);
                }
                Ok::<_, Error>(())
            })?;
            Ok(part)
        };
        // A few parts at a time, so that few counts are held.
        let mut all = empty();
        let blocks: Vec<_> = (0..n)
            .step_by(SOURCES)
            .map(|at| at..n.min(at + SOURCES))
            .collect();
        for some in blocks.chunks(rayon::current_num_threads()) {
            let parts = tasks::try_map(some.iter().cloned(), of_sources)?;
            all = parts.into_iter().fold(all, Part::plus);
        }
        progress.end();
        let pairs = all.pairs.unwrap_or_default();
        let pairs: Vec<(f64, u64)> = pairs
            .into_iter()
            .map(|(distance, count)| (unit.double(&distance.big()), count))
            .collect();
        let count = all.count as f64;
        let is_any = all.count > 0;
        let mean = is_any.then(|| unit.mean(&all.sum, all.count));
        let notes = (is_any && pairs.is_empty()).then(|| {
            format!("there are more than {MOST_DISTANCES} different distances: they are not listed")
        });
        Ok(LengthDistances {
            num_nodes: n,
            reachable_pairs: all.count,
            average_distance: mean,
            effective_diameter: effective_diameter(&pairs, 0.9 * count),
            harmonic_diameter: n as f64 * (n as f64 - 1.0) / all.inverses.value(),
            spid: mean.and_then(|mean| {
                let variance = match pairs.is_empty() {
                    false => variance(&pairs, mean, count),
                    true => {
                        let scaled = mean / scale;
                        let variance = all.squares.value() / count - scaled * scaled;
                        variance.max(0.0) / (scaled * scaled)
                    }
                };
                Some(variance * mean).filter(|spid| spid.is_finite())
            }),
            diameter: unit.double(&all.farthest.big()),
            pairs,
            notes: notes.into_iter().collect(),
        })
    }
}

/// The variance over the square of the mean.
fn variance(pairs: &[(f64, u64)], mean: f64, count: f64) -> f64 {
    let mut squares = Compensated::default();
    for &(distance, pairs) in pairs {
        let off = distance / mean - 1.0;
        squares.add(off * off * pairs as f64);
    }
    squares.value() / count
}

/// The distance within which so many pairs lie.
fn effective_diameter(pairs: &[(f64, u64)], goal: f64) -> Option<f64> {
    let (mut within, mut last) = (0.0, 0.0);
    for &(distance, count) in pairs {
        let count = count as f64;
        if within + count >= goal {
            return Some(last + (distance - last) * (goal - within) / count);
        }
        (within, last) = (within + count, distance);
    }
    pairs.last().map(|pairs| pairs.0)
}
