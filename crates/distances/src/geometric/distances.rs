//! The distance distribution of a graph, and the figures derived from it.
//!
//! All figures are over the reachable pairs: ordered pairs (y, x) of different nodes with a path
//! from y to x. (WebGraph's neighbourhood function counts the pairs (x, x) too.)
//!
//! * average distance: the mean of d(y, x);
//! * effective diameter: the smallest distance within which 90% of the reachable pairs lie,
//!   interpolated linearly between one distance and the next, with no pair within distance 0;
//! * harmonic diameter: n(n-1) divided by the sum of 1/d(y, x): the harmonic mean distance over all
//!   pairs, where unreachable pairs are infinitely far apart; infinite without arcs. Marchiori and
//!   Latora 2000;
//! * spid: the variance of the distances divided by their mean; below 1 for social networks, above
//!   1 for the web. Backstrom, Boldi, Rosa, Ugander and Vigna 2012;
//! * diameter: the largest distance.

use super::exact::Exact;
use super::ranking::DistanceMethod;
use super::{choice, share_of_pairs};
use crate::reduction::{Reduced, Reductions};
use crate::traversal::bit_parallel::LANES;
use crate::traversal::diameter as longest;
use crate::traversal::histograms;
use crate::traversal::histograms::Engine;
use crate::traversal::hyperball::{BallRows, Counters, HyperBall, Slicing};
use std::path::PathBuf;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::limits::Limits;
use webrank_base::progress::{Progress, Silent};
use webrank_cluster::{Exchange, Workers};
use webrank_graph::sources::SearchSources;
use webrank_graph::{Csr, Direction, Graph, Predecessors, Successors};
use webrank_scores::Outcome;

/// The number of pairs at each distance.
#[derive(Debug, Clone, PartialEq)]
pub struct Distances {
    /// The number of nodes of the graph.
    pub num_nodes: usize,
    /// `pairs[i]` is the number of reachable pairs at distance i + 1; integers when exact.
    pub pairs: Vec<f64>,
    /// The largest distance, if all nodes were searched from; otherwise [`diameter`] finds it.
    pub diameter: Option<u32>,
    /// The certainty of `pairs`. For samples, the bound holds for each distance t separately: the
    /// error of the share of all ordered pairs that lie within t is at most epsilon with
    /// probability at least 1 - delta (Hoeffding).
    pub outcome: Outcome,
    /// Notes for people.
    pub notes: Vec<String>,
}

/// Which figures about the distances of a graph to compute, and how.
///
/// ```
/// use webrank_graph::Graph;
/// use webrank_distances::geometric::distances::DistanceDistribution;
///
/// let cycle = Graph::from_arcs(4, [(0, 1), (1, 2), (2, 3), (3, 0)])?;
/// let found = DistanceDistribution::default().run(&cycle)?;
/// assert_eq!(found.average_distance(), Some(2.0));
/// # Ok::<(), webrank_base::error::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct DistanceDistribution {
    /// The method: exact, from sampled nodes, or HyperBall. By default exact if that fits into memory
    /// and the time budget (ten minutes unless the limits set another), otherwise HyperBall.
    pub method: DistanceMethod,
    /// The number of nodes to sample, if by samples; 1000 by default.
    pub samples: usize,
    /// HyperBall's counters, whose seed is also that of samples.
    pub counters: Counters,
    /// The folder of temporary files, by default the system's: HyperBall needs files if its counters
    /// do not fit into memory.
    pub temp: PathBuf,
    /// Whether to compute the diameter exactly even if the distances are estimated.
    pub diameter: bool,
    /// The workers among which the parts of shards are divided.
    pub team: Workers,
}

impl Default for DistanceDistribution {
    fn default() -> Self {
        DistanceDistribution {
            method: DistanceMethod::Auto,
            samples: 1000,
            counters: Counters::default(),
            temp: std::env::temp_dir(),
            diameter: false,
            team: Workers::default(),
        }
    }
}

impl DistanceDistribution {
    /// The distances of a graph, within the default limits.
    ///
    /// # Errors
    /// As for [`Self::compute`].
    pub fn run(&self, graph: &Graph) -> Result<Distances> {
        self.compute(graph, &Limits::default(), &Silent)
    }

    /// The distances of a graph.
    ///
    /// # Errors
    /// If a sample is empty, if rows cannot be read, if searches do not fit into memory, or if the
    /// user interrupts.
    pub fn compute(
        &self,
        graph: &Graph,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<Distances> {
        if self.samples == 0 {
            return Err(Error::argument("samples", 0, "give at least 1"));
        }
        if let Some(shards) = self.team.shards(graph)? {
            return self.compute_distributed(graph, shards, limits, progress);
        }
        let (successors, predecessors) = graph.both(progress)?;
        let (backward, forward) = (Predecessors(&*predecessors), Successors(&*successors));
        let exact = || Exact::new(backward, forward, Direction::In);
        let (count, seed) = (self.samples, self.counters.seed);
        let mut found = match self.method {
            DistanceMethod::Hyperball => self.estimate(backward, forward, limits, progress)?,
            DistanceMethod::Sample => {
                let exact = exact();
                choice::admit(memory(&exact.graph, count), limits)?;
                count_pairs(
                    &exact.graph,
                    &SearchSources::Sample { count, seed },
                    progress,
                )?
            }
            DistanceMethod::Exact => {
                let exact = exact();
                choice::admit(memory(&exact.graph, usize::MAX), limits)?;
                count_pairs(&exact.graph, &SearchSources::All, progress)?
            }
            DistanceMethod::Auto => {
                let exact = exact();
                let memory = memory(&exact.graph, usize::MAX);
                match choice::why_estimate(&exact, memory, &[], limits, progress)? {
                    None => count_pairs(&exact.graph, &SearchSources::All, progress)?,
                    Some(why) => {
                        drop(exact);
                        let mut found = self.estimate(backward, forward, limits, progress)?;
                        found.notes.insert(0, why.note(self.counters));
                        found
                    }
                }
            }
        };
        if self.diameter && found.diameter.is_none() {
            let (n, threads) = (graph.num_nodes(), rayon::current_num_threads());
            let needed = longest::memory(n, forward.0.num_arcs(), threads);
            limits.admit_more("the diameter", needed)?;
            found.diameter = Some(diameter(backward, forward, progress)?);
        }
        Ok(found)
    }

    fn estimate(
        &self,
        backward: Predecessors<Csr>,
        forward: Successors<Csr>,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<Distances> {
        let (counters, n) = (self.counters, backward.0.num_nodes());
        limits.admit_more("HyperBall", counters.least_memory(n))?;
        let (left, temp) = (limits.more_memory(), self.temp.clone());
        let slicing = Slicing::by_lines_within(counters, (n, backward.0.num_arcs()), left, temp);
        let notes = choice::of_slices(&slicing, counters);
        let found = estimate(backward, forward, counters, slicing, progress)?;
        Ok(Distances {
            notes: notes.into_iter().collect(),
            ..found
        })
    }
}

/// The probability that the epsilon of [`Outcome::Sampled`] fails for one distance.
const DELTA: f64 = 0.05;

impl Distances {
    /// The number of reachable pairs.
    pub fn reachable_pairs(&self) -> f64 {
        // The empty sum of `Iterator::sum` is -0.
        self.pairs.iter().fold(0.0, |sum, pairs| sum + pairs)
    }

    /// The reachable share of all ordered pairs of different nodes; 1 with fewer than two nodes.
    pub fn reachable_share(&self) -> f64 {
        share_of_pairs(self.reachable_pairs(), self.num_nodes)
    }

    /// The mean distance; none without reachable pairs, like the figures below.
    pub fn average_distance(&self) -> Option<f64> {
        let pairs = self.reachable_pairs();
        (pairs > 0.0).then(|| self.sum_of(|d| d) / pairs)
    }

    /// The interpolated distance within which a `share` of the reachable pairs lie, such as 0.9.
    pub fn effective_diameter(&self, share: f64) -> Option<f64> {
        let goal = share * self.reachable_pairs();
        let mut within = 0.0;
        for (i, &pairs) in self.pairs.iter().enumerate() {
            if pairs > 0.0 && within + pairs >= goal {
                return Some(i as f64 + (goal - within) / pairs);
            }
            within += pairs;
        }
        // Rounding may put the goal beyond the last sum.
        (within > 0.0).then_some(self.pairs.len() as f64)
    }

    /// The harmonic mean distance over all ordered pairs; infinite without reachable pairs.
    pub fn harmonic_diameter(&self) -> f64 {
        let n = self.num_nodes as f64;
        match self.sum_of(|d| 1.0 / d) {
            0.0 => f64::INFINITY,
            sum => n * (n - 1.0) / sum,
        }
    }

    /// The shortest-paths index of dispersion: the variance of the distances over their mean.
    pub fn spid(&self) -> Option<f64> {
        let mean = self.average_distance()?;
        let squares = self.sum_of(|d| (d - mean) * (d - mean));
        Some(squares / self.reachable_pairs() / mean)
    }

    fn sum_of(&self, term: impl Fn(f64) -> f64) -> f64 {
        let distances = (1..).map(f64::from);
        distances
            .zip(&self.pairs)
            .fold(0.0, |sum, (d, pairs): (f64, _)| sum + term(d) * pairs)
    }
}

/// Counts pairs by searches from `sources`: exactly if these are all nodes, otherwise scaled up.
///
/// `successors` is the transpose of `predecessors`. Time and space are those of [exact
/// scores](crate::geometric::Exact). Reports searches to `progress`.
///
/// # Errors
/// If a source is not a node, or a sample is empty; [`Interrupted`](Error::Interrupted) when the
/// user stops the run.
pub fn distances(
    predecessors: Predecessors<Csr>,
    successors: Successors<Csr>,
    sources: &SearchSources,
    progress: &dyn Progress,
) -> Result<Distances> {
    if let SearchSources::Sample { count: 0, .. } = sources {
        return Err(Error::argument("samples", 0, "give at least 1"));
    }
    let graph = Reduced::new(predecessors.0, successors.0, Reductions::ALL);
    count_pairs(&graph, sources, progress)
}

/// The bytes that so many searches take.
fn memory(graph: &Reduced, searches: usize) -> u64 {
    let threads = rayon::current_num_threads().min(searches.div_ceil(LANES));
    histograms::memory(graph, threads)
}

fn count_pairs(
    graph: &Reduced,
    sources: &SearchSources,
    progress: &dyn Progress,
) -> Result<Distances> {
    let n = graph.num_nodes();
    let nodes = sources.nodes(n)?;
    let mut wanted = vec![false; n];
    for &node in &nodes {
        wanted[node as usize] = true;
    }
    let leaders = graph.leaders_of(nodes.iter().copied());
    progress.begin("searching", Some(leaders.len() as u64));
    let parts = histograms::histograms(
        graph,
        &leaders,
        Engine::default(),
        Vec::new,
        |pairs: &mut Vec<u64>, node: Node, histogram| {
            if wanted[node as usize] {
                let levels = histogram.eccentricity() as usize;
                pairs.resize(pairs.len().max(levels), 0);
                for (distance, count) in histogram.levels() {
                    pairs[distance as usize - 1] += count as u64;
                }
            }
        },
        progress,
    )?;
    let parts = parts.states;
    progress.end();
    let mut pairs = vec![0u64; parts.iter().map(Vec::len).max().unwrap_or(0)];
    for part in &parts {
        for (sum, count) in pairs.iter_mut().zip(part) {
            *sum += count;
        }
    }
    let all = nodes.len() == n;
    let scale = n as f64 / nodes.len().max(1) as f64;
    Ok(Distances {
        num_nodes: n,
        diameter: all.then_some(pairs.len() as u32),
        pairs: pairs.iter().map(|&count| count as f64 * scale).collect(),
        outcome: if all {
            Outcome::Exact
        } else {
            Outcome::Sampled {
                sources: nodes.len() as u64,
                epsilon: ((2.0 / DELTA).ln() / (2.0 * nodes.len() as f64)).sqrt(),
                delta: DELTA,
                unit: Some(n as f64 * (n as f64 - 1.0)),
            }
        },
        notes: Vec::new(),
    })
}

/// Estimates the distribution by HyperBall: see [`hyperball`](crate::traversal::hyperball) for
/// method, space and sources.
///
/// # Errors
/// As for [`HyperBall::run`].
pub fn estimate(
    predecessors: Predecessors<Csr>,
    successors: Successors<Csr>,
    counters: Counters,
    slicing: Slicing,
    progress: &dyn Progress,
) -> Result<Distances> {
    let rows = BallRows::Lists {
        rows: predecessors.0,
        reverse: Some(successors.0),
    };
    let n = rows.num_nodes();
    let mut exchange = Exchange::alone();
    let found = estimate_along(&mut exchange, rows, n, counters, slicing, progress);
    exchange.end(found)
}

/// [`estimate`] along any rows, together with other workers.
pub(super) fn estimate_along(
    exchange: &mut Exchange,
    rows: BallRows,
    num_nodes: usize,
    counters: Counters,
    slicing: Slicing,
    progress: &dyn Progress,
) -> Result<Distances> {
    let run = HyperBall {
        rows,
        counters,
        slicing,
        functions: &[],
        progress,
    };
    let balls = run.run_among(exchange)?;
    let steps = balls.pairs_within.windows(2);
    let mut pairs: Vec<f64> = steps.map(|step| step[1] - step[0]).collect();
    // A step may change counters but not their estimates.
    while pairs.last() == Some(&0.0) {
        pairs.pop();
    }
    Ok(Distances {
        num_nodes,
        pairs,
        diameter: None,
        outcome: Outcome::Estimated {
            relative_standard_error: counters.relative_standard_error(),
        },
        notes: Vec::new(),
    })
}

/// The largest distance of a reachable pair, exact without searching from every node: see
/// [`traversal::diameter`](longest).
///
/// # Errors
/// [`Interrupted`](Error::Interrupted) when the user stops the run.
pub fn diameter(
    predecessors: Predecessors<Csr>,
    successors: Successors<Csr>,
    progress: &dyn Progress,
) -> Result<u32> {
    longest::diameter(successors.0, predecessors.0, progress)
}
