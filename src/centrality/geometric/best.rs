//! The K best nodes, exactly, without the scores of the others.
//!
//! Nodes are searched from one by one, the likely best first, and a search is cut short as soon as
//! its node cannot be among the K best any more. After level d, with r nodes reached so far, the
//! next level holds at most g nodes, the sum of the degrees of level d; any others are at d + 2 or
//! beyond; and no more than R nodes can be reached in all, those with an arc in the direction
//! towards the source. The best that can come of that is:
//!
//! * harmonic and decay: g more nodes at d + 1, the others at d + 2;
//! * Bavelas's closeness: nothing more is reached, for every node reached adds to the sum;
//! * the other forms of closeness and Lin: a convex function of the number of nodes reached, once
//!   each is as near as can be, so the best of three numbers: r, r + g, R.
//!
//! In the line of Bergamini, Borassi, Crescenzi, Marino and Meyerhenke ("Computing top-k closeness
//! centrality faster in unweighted graphs", 2019). With Bavelas's closeness the smallest
//! components come first, as its definition has it: see [`closeness`](crate::centrality::geometric::closeness).
//!
//! On large graphs this is tens of times faster than all scores; on small dense ones all scores
//! come first, so searches get half the time that all scores are estimated to take, and then
//! give way. Both ways give the same bits.

use super::closeness::Variant;
use super::{Direction, Exact, Measure};
use crate::error::Result;
use crate::graph::{Csr, Node, Predecessors, Successors};
use crate::parallel::workspaces::Pool;
use crate::progress::Progress;
use crate::reduction::loops;
use crate::scores::{Outcome, Run};
use crate::traversal::histogram::Histogram;
use crate::traversal::single::Search;
use rayon::prelude::*;
use serde_json::json;
use std::cmp::Reverse;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The best nodes of a graph.
#[derive(Debug, Clone)]
pub struct Top {
    /// Nodes and scores, best first; of equal scores, the smaller node first.
    pub best: Vec<(Node, f64)>,
    /// The run; its method is `cut` or `exact`.
    pub run: Run,
}

/// The `count` best nodes by `measure`, exactly; all nodes when there are not more.
///
/// `successors` is the transpose of `predecessors`. The result is the same for any number of
/// threads. O(n m) at worst; usually close to O(n + m) with a factor that grows with `count`. Tells
/// `progress` of nodes searched or cut.
///
/// # Errors
/// [`Interrupted`](crate::Error::Interrupted) when the user stops the run.
pub fn top(
    predecessors: Predecessors<Csr>,
    successors: Successors<Csr>,
    direction: Direction,
    measure: Measure,
    count: usize,
    progress: &dyn Progress,
) -> Result<Top> {
    let exact = Exact::new(predecessors, successors, direction);
    let (rows, reverse) = direction.rows(predecessors, successors);
    let mut method = "cut";
    let mut best = None;
    if can_cut(measure) && count > 0 {
        let patience = Duration::from_secs_f64(exact.seconds(progress)? / 2.0);
        best = by_cutting(rows, reverse, measure, count, patience, progress)?;
    }
    if best.is_none() {
        method = "exact";
        let scores = exact.run(&[measure], progress)?.scores.remove(0);
        let mut all = Best::new(count);
        for (node, &score) in scores.values.iter().enumerate() {
            all.offer(node as Node, score);
        }
        best = Some(all.nodes);
    }
    let mut run = measure.run(direction, method, Outcome::Exact);
    run.parameters.insert("top".into(), json!(count));
    let best = best.unwrap_or_default();
    Ok(Top { best, run })
}

/// Whether what a search has found bounds what it can find.
fn can_cut(measure: Measure) -> bool {
    !matches!(measure, Measure::Reachable | Measure::Eccentricity)
}

/// Nodes of one task: enough to hide its cost.
const NODES_PER_TASK: usize = 64;

/// The best by searches cut short, for any patience the same; none when patience ran out.
///
/// # Errors
/// [`Interrupted`](crate::Error::Interrupted) when the user stops the run.
pub fn by_cutting(
    rows: &Csr,
    reverse: &Csr,
    measure: Measure,
    count: usize,
    patience: Duration,
    progress: &dyn Progress,
) -> Result<Option<Vec<(Node, f64)>>> {
    let started = Instant::now();
    let rows = loops::strip(rows);
    let n = rows.num_nodes();
    let order = search_order(&rows, measure);
    let reachable = (0..n as Node).filter(|&y| reverse.degree(y) > 0).count() as u64;
    let best = Mutex::new(Best::new(count));
    let threshold = AtomicU64::new(f64::NEG_INFINITY.to_bits());
    let searches = Pool::new(|| (Search::new(n), Vec::new()));
    let told = Mutex::new(());
    progress.begin("searching for the best", Some(n as u64));
    let in_time = order
        .par_chunks(NODES_PER_TASK)
        .with_max_len(1)
        .map(|nodes| {
            for &source in nodes {
                progress.check()?;
                if started.elapsed() > patience {
                    return Ok(false);
                }
                let score = searches.with(|(search, counts)| {
                    let to_beat = || f64::from_bits(threshold.load(Relaxed));
                    cut_search(search, counts, &rows, source, measure, reachable, to_beat)
                });
                if let Some(score) = score {
                    let mut best = best.lock().expect("nothing panics while it holds the best");
                    best.offer(source, score);
                    threshold.store(best.threshold().to_bits(), Relaxed);
                }
            }
            let _one_at_a_time = told.lock().expect("a listener does not panic");
            progress.advance(nodes.len() as u64);
            Ok(true)
        })
        .try_reduce(|| true, |one, other| Ok(one && other))?;
    progress.end();
    let best = best
        .into_inner()
        .expect("nothing panics while it holds the best");
    Ok(in_time.then_some(best.nodes))
}

/// The nodes that are likely to be best first: those with most neighbours, but for Bavelas's
/// closeness those with fewest, which belong to the smallest components, and those with none last.
fn search_order(rows: &Csr, measure: Measure) -> Vec<Node> {
    let mut order: Vec<Node> = (0..rows.num_nodes() as Node).collect();
    match measure {
        Measure::Closeness(Variant::Bavelas) => {
            order.par_sort_by_key(|&x| (rows.degree(x).wrapping_sub(1), x));
        }
        _ => order.par_sort_by_key(|&x| (Reverse(rows.degree(x)), x)),
    }
    order
}

/// Searches from `source` until its score is known, or known to be below `to_beat()`.
fn cut_search(
    search: &mut Search,
    counts: &mut Vec<u32>,
    rows: &Csr,
    source: Node,
    measure: Measure,
    reachable: u64,
    to_beat: impl Fn() -> f64,
) -> Option<f64> {
    counts.clear();
    let mut so_far = SoFar::default();
    let mut hopeless = false;
    search.by_level(rows, source, |distance, nodes| {
        if distance > 0 {
            counts.push(nodes.len() as u32);
            so_far.add(measure, distance, nodes.len());
        }
        let next: u64 = nodes.iter().map(|&y| rows.degree(y)).sum();
        let bound = so_far.bound(measure, distance, next, reachable, rows.num_nodes());
        // The bound and the score are rounded differently.
        hopeless = bound + bound.abs() * 1e-9 < to_beat();
        !hopeless
    });
    counts.reverse();
    (!hopeless).then(|| measure.score(Histogram::new(counts), rows.num_nodes()))
}

/// Sums over the levels of an unfinished search.
#[derive(Default)]
struct SoFar {
    reached: f64,
    sum_of_distances: f64,
    /// The sum of 1/d, or of powers of a decay's base.
    sum_of_terms: f64,
}

impl SoFar {
    fn add(&mut self, measure: Measure, distance: u32, nodes: usize) {
        self.reached += nodes as f64;
        self.sum_of_distances += distance as f64 * nodes as f64;
        self.sum_of_terms += term(measure, distance) * nodes as f64;
    }

    /// The highest score that the search can end with: level `distance` is done, at most `next`
    /// nodes follow at the next one, and no more than `reachable` are reached in all.
    fn bound(
        &self,
        measure: Measure,
        distance: u32,
        next: u64,
        reachable: u64,
        num_nodes: usize,
    ) -> f64 {
        let others = (num_nodes as f64 - 1.0).max(1.0);
        let left = (reachable as f64 - self.reached).max(0.0);
        let near = left.min(next as f64);
        // Without a next level there is none after it.
        let far = if next == 0 { 0.0 } else { left - near };
        let (d1, d2) = (distance + 1, distance + 2);
        // Scores that depend on nodes reached and sum of distances, at the three corners.
        let best_of_corners = |score: &dyn Fn(f64, f64) -> f64| {
            let (r, sum) = (self.reached, self.sum_of_distances);
            let (r1, sum1) = (r + near, sum + near * d1 as f64);
            let (r2, sum2) = (r1 + far, sum1 + far * d2 as f64);
            let now = if sum > 0.0 { score(r, sum) } else { 0.0 };
            let then = if sum1 > 0.0 {
                score(r1, sum1).max(score(r2, sum2))
            } else {
                1.0
            };
            now.max(then)
        };
        match measure {
            Measure::Harmonic { normalize } => {
                let sum = self.sum_of_terms + near * term(measure, d1) + far * term(measure, d2);
                if normalize { sum / others } else { sum }
            }
            Measure::Decay(_) => {
                self.sum_of_terms + near * term(measure, d1) + far * term(measure, d2)
            }
            Measure::Closeness(Variant::Bavelas) => match self.reached {
                // One neighbour and nothing behind it would do best.
                0.0 => 1.0,
                _ => 1.0 / self.sum_of_distances,
            },
            Measure::Closeness(Variant::WassermanFaust) => {
                best_of_corners(&|r, sum| r / others * (r / sum))
            }
            Measure::Closeness(Variant::Nieminen) => {
                best_of_corners(&|r, sum| (r + 1.0).powi(2) - sum)
            }
            Measure::Lin | Measure::Closeness(Variant::Lin) => {
                best_of_corners(&|r, sum| (r + 1.0).powi(2) / sum)
            }
            Measure::Reachable | Measure::Eccentricity => f64::INFINITY,
        }
    }
}

/// What a node at a distance adds to a measure that is a sum over nodes.
fn term(measure: Measure, distance: u32) -> f64 {
    match measure {
        Measure::Decay(base) => base.get().powi(distance as i32),
        _ => 1.0 / distance as f64,
    }
}

/// The best so far, best first.
struct Best {
    count: usize,
    nodes: Vec<(Node, f64)>,
}

impl Best {
    fn new(count: usize) -> Self {
        Best {
            count,
            nodes: Vec::new(),
        }
    }

    fn offer(&mut self, node: Node, score: f64) {
        let better = |other: &(Node, f64)| other.1 > score || (other.1 == score && other.0 < node);
        let place = self.nodes.partition_point(better);
        if place < self.count {
            self.nodes.insert(place, (node, score));
            self.nodes.truncate(self.count);
        }
    }

    /// The score below which nothing gets in.
    fn threshold(&self) -> f64 {
        match self.nodes.len() == self.count {
            true => self.nodes.last().map_or(f64::INFINITY, |&(_, score)| score),
            false => f64::NEG_INFINITY,
        }
    }
}
