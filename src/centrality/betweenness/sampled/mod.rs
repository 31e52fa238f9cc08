//! Betweenness from sampled shortest paths, with an interval for every node, all proved at once.
//!
//! A sample is an ordered pair s != t, uniform, and a uniformly random shortest path from s to t; a
//! pair without a path is an empty sample. A path passes through x, other than as an end, with
//! probability b(x) = betweenness(x) / (n(n-1)), whatever the graph.
//!
//! **Theorem.** Let rho be the sum of all b(x), and let the paths be counted at the sizes
//! T_1 < T_2 < ... with shares delta_1 + delta_2 + ... <= delta, all fixed before the first path is
//! drawn. At T_j let rho_j bound rho from above but with probability delta_j/20, and give every x the
//! [interval] of its count with tests of level 19/40 delta_j b / rho_j. With probability at least
//! 1 - delta, EVERY interval of EVERY node at EVERY T_j holds b(x), so also at the one where the
//! run stops, by whatever rule.
//!
//! *Proof.* If rho <= rho_j, the true b(x) is rejected only if its count falls into a tail of
//! probability at most 19/40 delta_j b(x) / rho, on one of two sides. The sum over x is
//! 19/20 delta_j, because the b(x) add up to rho; rho_j fails with probability delta_j/20; and
//! the delta_j add up to at most delta. ∎
//!
//! The number of nodes does not appear. rho is the mean number of inner nodes; rho_j is the
//! empirical Bernstein bound from the same paths, whose lengths lie below
//! [a bound on every shortest path](crate::centrality::betweenness::sampled::longest). A pilot of separate paths, never counted,
//! predicts the T at which the error is small enough, and so fixes the T_j. There is no cap by the
//! dimension of Vapnik and Chervonenkis (Riondato and Kornaropoulos 2016): the constant in theirs is
//! measured and not proved.
//!
//! KADABRA (Borassi and Natale 2016) splits delta over the nodes by a pilot, SILVAN (Pellegrina and
//! Vandin 2023) groups nodes by variance. Counts are binomial, and here their own tails are used.
//!
//! Paths come from [`bidirectional`] searches; number i is drawn with a
//! random sequence fixed by the seed and i, so that the bits do not depend on the threads.

pub mod bidirectional;
pub mod bounds;
pub mod longest;

use crate::centrality::geometric::sampled::Precision;
use crate::error::Result;
use crate::graph::{Csr, Node, Predecessors, Successors};
use crate::parallel::workspaces::Pool;
use crate::progress::Progress;
use crate::scores::{Outcome, Run, Scores};
use crate::traversal::sources::SplitMix;
use bidirectional::Sampler;
use bounds::{interval, mean_at_most};
use longest::longest_shortest_path;
use ndarray::Array1;
use rayon::prelude::*;
use serde_json::{Map, json};
use std::collections::HashMap;

/// What to reach before stopping.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AdaptiveOptions {
    /// Every normalised score within epsilon, and every interval right with probability 1 - delta.
    pub precision: Precision,
    /// Stop before that once the order of this many best nodes is proved.
    pub top: Option<usize>,
    /// Divide by (n-1)(n-2). The precision speaks of divided scores in any case.
    pub normalize: bool,
    /// Fixes the paths.
    pub seed: u64,
}

/// Estimates with proved intervals.
#[derive(Debug, Clone)]
pub struct Bounded {
    /// Estimates: the share of the paths through each node, in the scale of exact scores.
    pub scores: Scores,
    /// With probability 1 - delta no score is below its entry...
    pub lower: Vec<f64>,
    /// ...nor above this one; 0 for nodes without arcs in or without arcs out.
    pub upper: Vec<f64>,
    /// Paths counted, those of unreachable pairs included.
    pub samples: u64,
    /// The largest distance between an estimate and an end of its interval, normalised.
    pub epsilon: f64,
    /// Whether each node's rank is proved: its interval is disjoint from all others.
    pub certain: Vec<bool>,
    /// The number of first positions whose nodes are proved.
    pub proved: usize,
}

/// Estimates the betweenness of every node.
///
/// `predecessors` is the transpose of `successors`. About 9 b(1-b) / epsilon^2 paths, with b the
/// largest score, and of the order of 10 / epsilon where all scores are small; 32 bytes a node for
/// each thread. Tells `progress` of as many units as paths are expected.
///
/// # Errors
/// [`Interrupted`](crate::Error::Interrupted) when the user stops the run.
pub fn adaptive(
    successors: Successors<Csr>,
    predecessors: Predecessors<Csr>,
    options: &AdaptiveOptions,
    progress: &dyn Progress,
) -> Result<Bounded> {
    let n = successors.0.num_nodes();
    let (longest, component) = longest_shortest_path(successors, predecessors);
    if longest < 2 {
        // No path has an inner node.
        let none = Counts::new(n);
        let table = Table::new(&none, 0.0);
        return Ok(bounded(options, &none, table, 0.0, |_| false));
    }
    let paths = Paths {
        component,
        rooms: Pool::new(|| Sampler::new(successors, predecessors)),
        seed: options.seed,
    };
    let is_between = |x| successors.0.degree(x) > 0 && predecessors.0.degree(x) > 0;
    let longest_inner = (longest - 1) as f64;
    // A path through x has two other ends, so the largest normalised error is this times larger.
    let scale = n as f64 / (n as f64 - 2.0);
    let (epsilon, delta) = (options.precision.epsilon(), options.precision.delta());
    let pilot_size = (4.0 / epsilon).ceil() as u64;
    let mut pilot = Counts::new(n);
    progress.begin("pilot", Some(pilot_size));
    paths.count(PILOT..PILOT + pilot_size, &mut pilot, progress)?;
    progress.end();
    let expected = pilot.expected(epsilon / scale, delta, longest_inner);
    progress.begin("sampling", Some(expected));
    let mut counts = Counts::new(n);
    let mut checks = schedule(pilot_size, expected, options.top.is_some());
    loop {
        let (samples, share) = checks.next().expect("the schedule has no end");
        paths.count(counts.samples..samples, &mut counts, progress)?;
        let table = Table::new(&counts, counts.share(delta * share, longest_inner));
        let error = table.error * scale;
        progress.remark(&format!("error {error:.1e}"));
        let ordered = |top| table.ordered(counts.largest(top + 1), top);
        if error <= epsilon || options.top.is_some_and(ordered) {
            progress.end();
            return Ok(bounded(options, &counts, table, error, is_between));
        }
    }
}

/// Where the numbers of the paths of a pilot begin: far from those counted.
const PILOT: u64 = 1 << 62;

/// Growth of the sizes near the one expected to do, and of those at which an order is looked for.
const FINE: f64 = 1.1;
const COARSE: f64 = 1.5;

/// Sizes at which to look, and the share of delta to spend there: at the expected size and beyond,
/// halving; with `early`, half of all is shared by smaller sizes.
fn schedule(first: u64, expected: u64, early: bool) -> impl Iterator<Item = (u64, f64)> {
    let mut sizes = Vec::new();
    let mut size = first as f64;
    while early && size * FINE < expected as f64 {
        sizes.push(size as u64);
        size *= COARSE;
    }
    let rest = if sizes.is_empty() { 1.0 } else { 0.5 };
    let share = 0.5 / sizes.len().max(1) as f64;
    let late = (0..).map(move |i| {
        let size = (expected as f64 * FINE.powi(i)).ceil() as u64;
        (size, rest * 0.5f64.powi(i + 1))
    });
    sizes.into_iter().map(move |size| (size, share)).chain(late)
}

/// Paths by number.
struct Paths<'g, F> {
    /// No path leads to a larger number: see [`longest_shortest_path`].
    component: Vec<u32>,
    rooms: Pool<Sampler<'g>, F>,
    seed: u64,
}

/// Paths that a task draws, and tasks between two looks at the user's wishes.
const PATHS_PER_TASK: usize = 64;
const TASKS_AT_A_TIME: usize = 64;

impl<'g, F: Fn() -> Sampler<'g> + Sync> Paths<'g, F> {
    /// Counts the paths with these numbers.
    fn count(
        &self,
        numbers: std::ops::Range<u64>,
        counts: &mut Counts,
        progress: &dyn Progress,
    ) -> Result<()> {
        let wave = (PATHS_PER_TASK * TASKS_AT_A_TIME) as u64;
        for start in numbers.clone().step_by(wave as usize) {
            progress.check()?;
            let end = numbers.end.min(start + wave);
            let tasks: Vec<u64> = (start..end).step_by(PATHS_PER_TASK).collect();
            let parts: Vec<_> = tasks
                .into_par_iter()
                .with_max_len(1)
                .map(|first| self.draw(first..end.min(first + PATHS_PER_TASK as u64)))
                .collect();
            parts.iter().for_each(|part| counts.add(part));
            progress.advance(end - start);
        }
        Ok(())
    }

    /// The inner nodes of each path.
    fn draw(&self, numbers: std::ops::Range<u64>) -> Drawn {
        let mut drawn = Drawn::default();
        let n = self.component.len() as u64;
        let component = |x: Node| self.component[x as usize];
        self.rooms.with(|room| {
            for number in numbers {
                let mut random = SplitMix::new(SplitMix::new(self.seed).next() ^ number);
                // Neighbouring numbers are neighbouring states: the first output sets them apart.
                let mut random = SplitMix::new(random.next());
                let source = random.below(n) as Node;
                let target = random.below(n - 1) as Node;
                let target = target + (target >= source) as Node;
                if component(source) >= component(target) {
                    room.path(source, target, &mut random, &mut drawn.nodes);
                }
                drawn.ends.push(drawn.nodes.len());
            }
        });
        drawn
    }
}

/// Inner nodes of paths, one path after the other.
#[derive(Default)]
struct Drawn {
    nodes: Vec<Node>,
    ends: Vec<usize>,
}

/// What is kept of the paths.
struct Counts {
    /// Paths through each node.
    through: Vec<u64>,
    samples: u64,
    /// The sum of the numbers of inner nodes, and of their squares.
    inner: u64,
    squares: u64,
}

impl Counts {
    fn new(num_nodes: usize) -> Self {
        Counts {
            through: vec![0; num_nodes],
            samples: 0,
            inner: 0,
            squares: 0,
        }
    }

    fn add(&mut self, drawn: &Drawn) {
        for &x in &drawn.nodes {
            self.through[x as usize] += 1;
        }
        let mut start = 0;
        for &end in &drawn.ends {
            let inner = (end - start) as u64;
            self.inner += inner;
            self.squares += inner * inner;
            start = end;
        }
        self.samples += drawn.ends.len() as u64;
    }

    /// The level of a test of b, divided by b.
    fn share(&self, delta: f64, longest_inner: f64) -> f64 {
        let (sum, squares) = (self.inner, self.squares);
        let rho = mean_at_most(sum, squares, self.samples, longest_inner, delta / 20.0);
        19.0 / 40.0 * delta / rho
    }

    /// The `count` largest numbers of paths, in decreasing order.
    fn largest(&self, count: usize) -> Vec<u64> {
        let mut through = self.through.clone();
        let count = count.min(through.len());
        if count < through.len() {
            through.select_nth_unstable_by(count, |a, b| b.cmp(a));
        }
        through.truncate(count);
        through.sort_unstable_by(|a, b| b.cmp(a));
        through
    }

    /// The samples after which the error is probably within `epsilon`: an estimate that decides
    /// how long the run takes, and nothing else.
    fn expected(&self, epsilon: f64, delta: f64, longest_inner: f64) -> u64 {
        let share = self.share(0.5 * delta, longest_inner);
        let largest = self.through.iter().copied().max().unwrap_or(0) as f64;
        let largest = largest / self.samples as f64;
        let fits = |samples: u64| {
            let count = (largest * samples as f64).round() as u64;
            let table =
                [0, count].map(|count| error(count, samples, interval(count, samples, share)));
            table[0].max(table[1]) <= epsilon
        };
        let mut samples = self.samples;
        while !fits(samples) {
            samples += samples / 20 + 1;
        }
        samples
    }
}

/// The distance between an estimate and the farther end of its interval.
fn error(count: u64, samples: u64, (lower, upper): (f64, f64)) -> f64 {
    let estimate = count as f64 / samples as f64;
    (estimate - lower).max(upper - estimate)
}

/// The interval of every number of paths that occurs.
struct Table {
    intervals: HashMap<u64, (f64, f64)>,
    error: f64,
}

impl Table {
    fn new(counts: &Counts, share: f64) -> Self {
        let mut table = Table {
            intervals: HashMap::new(),
            error: 0.0,
        };
        for &count in counts.through.iter().filter(|_| counts.samples > 0) {
            table.intervals.entry(count).or_insert_with(|| {
                let ends = interval(count, counts.samples, share);
                table.error = table.error.max(error(count, counts.samples, ends));
                ends
            });
        }
        table
    }

    /// Whether the intervals prove the order of the first `top` of these counts.
    fn ordered(&self, largest: Vec<u64>, top: usize) -> bool {
        let apart = |pair: &[u64]| self.intervals[&pair[0]].0 > self.intervals[&pair[1]].1;
        largest.windows(2).take(top).all(apart)
    }
}

fn bounded(
    options: &AdaptiveOptions,
    counts: &Counts,
    table: Table,
    epsilon: f64,
    is_between: impl Fn(Node) -> bool,
) -> Bounded {
    let n = counts.through.len() as f64;
    // No score exceeds the number of pairs of other nodes.
    let most = match options.normalize {
        true => 1.0,
        false => (n - 1.0) * (n - 2.0),
    };
    let scale = most * n / (n - 2.0);
    // Without samples all scores are 0, and the scale of two nodes is not a number.
    let scaled = |b: f64| if b > 0.0 { (scale * b).min(most) } else { 0.0 };
    let ends = |count| table.intervals.get(&count).copied().unwrap_or((0.0, 0.0));
    let samples = counts.samples.max(1) as f64;
    let values = counts.through.iter().map(|&c| scaled(c as f64 / samples));
    let values: Array1<f64> = values.collect();
    let lower: Vec<f64> = counts.through.iter().map(|&c| scaled(ends(c).0)).collect();
    let upper = (0..)
        .zip(&counts.through)
        .map(|(x, &c)| match is_between(x) {
            true => scaled(ends(c).1),
            false => 0.0,
        });
    let upper: Vec<f64> = upper.collect();
    let (certain, proved) = certain(values.as_slice().expect("contiguous"), &lower, &upper);
    let mut parameters = Map::new();
    parameters.insert("normalize".into(), json!(options.normalize));
    parameters.insert("epsilon".into(), json!(options.precision.epsilon()));
    parameters.insert("delta".into(), json!(options.precision.delta()));
    parameters.insert("seed".into(), json!(options.seed));
    if let Some(top) = options.top {
        parameters.insert("top".into(), json!(top));
    }
    let outcome = Outcome::SampledPaths {
        paths: counts.samples,
        epsilon,
        delta: options.precision.delta(),
        unit: Some(most),
    };
    Bounded {
        scores: Scores {
            values,
            run: Run {
                measure: "betweenness",
                method: "approx",
                parameters,
                outcome,
            },
        },
        lower,
        upper,
        samples: counts.samples,
        epsilon,
        certain,
        proved,
    }
}

/// Which nodes are apart from all others, and how many of the first are.
fn certain(values: &[f64], lower: &[f64], upper: &[f64]) -> (Vec<bool>, usize) {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&x, &y| values[y].total_cmp(&values[x]));
    let mut certain = vec![true; values.len()];
    let mut least = f64::INFINITY;
    for &x in &order {
        certain[x] &= upper[x] < least;
        least = least.min(lower[x]);
    }
    let mut most = f64::NEG_INFINITY;
    for &x in order.iter().rev() {
        certain[x] &= lower[x] > most;
        most = most.max(upper[x]);
    }
    let proved = order.iter().take_while(|&&x| certain[x]).count();
    (certain, proved)
}
