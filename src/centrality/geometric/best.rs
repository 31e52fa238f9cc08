//! The K best nodes, exactly, without the scores of the other nodes if that is less work.
//!
//! **Cutting.** Searches start from one node after another, the most promising first, and a search
//! is cut short as soon as its node can no longer be among the K best. After level d, with r nodes
//! reached so far, the next level holds at most g nodes, the sum of the degrees of level d. All
//! others are at distance d + 2 or more. In total no more than R nodes can be reached: those with
//! an arc in the direction towards the source. So the score is at most the largest of those with r,
//! r + 1, r + g and R nodes reached, each as near as possible: see [`DistanceMeasure::can_cut`].
//! The method follows Bergamini, Borassi, Crescenzi, Marino and Meyerhenke ("Computing top-k
//! closeness centrality faster in unweighted graphs", 2019).
//!
//! **The cheaper way.** Cutting takes tens of times less work than all scores on large graphs, but
//! more work on small dense ones, where a few levels reach everything. So:
//!
//! 1. the 512 most promising classes of nodes are searched together, as for all scores, and so are
//!    a few others: the K-th best score found is the score to beat, and the arcs followed for the
//!    others yield an estimate of the work of all scores;
//! 2. single searches from 256 nodes, evenly spaced from the most to the least promising, give the
//!    work of cutting; they stop at a fiftieth of the work of all scores;
//! 3. the cheaper way does the rest. Known scores are not computed again, and cutting is abandoned
//!    if it reaches half the work of all scores.
//!
//! Work is measured in arcs followed, so the choice does not depend on the machine or its load. All
//! ways give the same bits.

use super::exact::{Exact, Summing};
use super::measure::{DistanceMeasure, Sums, Whole, is_known_from};
use super::number::{Number, Rounded};
use super::{Direction, run_of};
use crate::error::Result;
use crate::graph::{Csr, Node, Predecessors, Successors};
use crate::parallel::tasks;
use crate::parallel::workspaces::Pool;
use crate::progress::Progress;
use crate::scores::{Outcome, Run};
use crate::traversal::bit_parallel::LANES;
use crate::traversal::histogram::Histogram;
use crate::traversal::single::SingleSearch;
use rayon::prelude::*;
use serde_json::json;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// The best nodes of a graph.
#[derive(Debug, Clone)]
pub struct Top {
    /// Nodes and scores, best first; among equal scores, the smaller node first.
    pub best: Vec<(Node, Rounded)>,
    /// The record of the run; its method is `cut` or `exact`.
    pub run: Run,
    /// The work done: the number of arcs followed, where an arc counts once for all searches that
    /// follow it together.
    pub arcs: u64,
}

/// The way of finding the best nodes. All ways find the same nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Whichever is less work.
    Cheaper,
    /// Searches cut short; all scores if the measure does not allow cutting.
    Cutting,
    /// All scores.
    All,
}

/// The `count` best nodes by `measure`, exactly; all nodes if there are no more than that.
///
/// `successors` is the transpose of `predecessors`. The result is the same for any number of
/// threads. O(n m) at worst; usually close to O(n + m) with a factor that grows with `count`.
///
/// # Errors
/// [`Interrupted`](crate::Error::Interrupted) when the user stops the run.
pub fn top(
    predecessors: Predecessors<Csr>,
    successors: Successors<Csr>,
    direction: Direction,
    measure: &dyn DistanceMeasure,
    count: usize,
    progress: &dyn Progress,
) -> Result<Top> {
    let exact = Exact::new(predecessors, successors, direction);
    exact.best(measure, count, Way::Cheaper, progress)
}

impl Exact<'_> {
    /// The `count` best nodes by `measure`: see [`top`].
    ///
    /// # Errors
    /// [`Interrupted`](crate::Error::Interrupted) when the user stops the run.
    pub fn best(
        &self,
        measure: &dyn DistanceMeasure,
        count: usize,
        way: Way,
        progress: &dyn Progress,
    ) -> Result<Top> {
        let whole = Whole {
            num_nodes: self.graph.num_nodes(),
            diameter: Number::UNKNOWN,
        };
        let small = way == Way::Cheaper && self.graph.leaders().len() <= SMALL;
        let can_cut = measure.can_cut() && is_known_from(measure, &FROM_SEARCH, &whole);
        let found = if !can_cut || count == 0 || small || way == Way::All {
            self.best_of_all(measure, count, progress)?
        } else {
            let mut contest = Contest::new(self, measure, whole, count);
            contest.run(way == Way::Cheaper, progress)?;
            contest.found()
        };
        let mut run = run_of(measure, self.direction, found.method, Outcome::Exact);
        run.parameters.insert("top".into(), json!(count));
        Ok(Top {
            best: found.best,
            run,
            arcs: found.arcs,
        })
    }

    fn best_of_all(
        &self,
        measure: &dyn DistanceMeasure,
        count: usize,
        progress: &dyn Progress,
    ) -> Result<Found> {
        let all = self.run(&[measure], progress)?;
        let mut board = Board::new(count);
        let scores = all.scores[0].values.iter().zip(&all.rests[0]);
        for (node, (&value, &rest)) in scores.enumerate() {
            board.offer(node as Node, Rounded { value, rest });
        }
        Ok(Found {
            best: board.nodes,
            method: "exact",
            arcs: all.arcs,
        })
    }
}

/// In graphs that need no more searches than this, all scores are computed without a comparison.
const SMALL: usize = 8 * LANES;
/// The number of batches, besides the first, that are searched to estimate the work of all scores.
const SAMPLED_BATCHES: usize = 4;
/// The number of single searches that estimate the work of cutting.
const PROBES: usize = 256;
/// The fraction of the work of all scores that probing may take.
const PROBING: f64 = 0.02;
/// Cutting is chosen below this fraction of the work of all scores, and abandoned above twice that:
/// an arc followed by one search costs about as much as one followed by 512.
const CHEAPER: f64 = 0.25;

/// The sums that an unfinished search knows.
const FROM_SEARCH: Sums = Sums {
    reached: Number::ONE,
    distances: Number::ONE,
    terms: Number::ONE,
    eccentricity: Number::UNKNOWN,
};

struct Found {
    best: Vec<(Node, Rounded)>,
    method: &'static str,
    arcs: u64,
}

/// The search for the best nodes.
struct Contest<'a> {
    exact: &'a Exact<'a>,
    measure: &'a dyn DistanceMeasure,
    whole: Whole,
    /// The number of nodes with an arc in the direction towards a source.
    reachable: u64,
    board: Mutex<Board>,
    /// The bits of the score below which no node is put on the board.
    to_beat: AtomicU64,
    /// Whether each node's score is known, or known to be too low.
    is_decided: Vec<AtomicBool>,
    arcs: AtomicU64,
    method: &'static str,
}

impl<'a> Contest<'a> {
    fn new(
        exact: &'a Exact<'a>,
        measure: &'a dyn DistanceMeasure,
        whole: Whole,
        count: usize,
    ) -> Self {
        let nodes = 0..whole.num_nodes as Node;
        Contest {
            exact,
            measure,
            whole,
            reachable: nodes.clone().filter(|&x| exact.graph.may_return(x)).count() as u64,
            board: Mutex::new(Board::new(count)),
            to_beat: AtomicU64::new(f64::NEG_INFINITY.to_bits()),
            is_decided: nodes.map(|_| AtomicBool::new(false)).collect(),
            arcs: AtomicU64::new(0),
            method: "cut",
        }
    }

    fn found(self) -> Found {
        let board = self.board.into_inner();
        Found {
            best: board
                .expect("nothing panics while it holds the board")
                .nodes,
            method: self.method,
            arcs: self.arcs.into_inner(),
        }
    }

    /// Decides every node, by cutting alone or in the `cheaper` way.
    fn run(&mut self, cheaper: bool, progress: &dyn Progress) -> Result<()> {
        let order = self.by_promise();
        if !cheaper {
            self.cut(&order, u64::MAX, progress)?;
            return Ok(());
        }
        let work_of_all = self.search_samples(&order, progress)? as f64;
        let undecided = self.undecided(&order);
        let cheap = self.work_of_cutting(&undecided, PROBING * work_of_all, progress)?
            < CHEAPER * work_of_all;
        let patience = (2.0 * CHEAPER * work_of_all) as u64;
        if !(cheap && self.cut(&undecided, patience, progress)?) {
            self.method = "exact";
            let rest = self.undecided(&order);
            self.search_together(&self.exact.graph.leaders_of(rest), "searching", progress)?;
        }
        Ok(())
    }

    /// All nodes, the most promising first: ordered by the score that their neighbours alone give.
    fn by_promise(&self) -> Vec<Node> {
        let rows = self.exact.graph.rows();
        let promises = tasks::tabulate(self.whole.num_nodes, |x| {
            let mut neighbours = Partial::default();
            neighbours.add(self.measure, 1, rows.degree(x as Node) as f64);
            neighbours.score(self.measure, &self.whole)
        });
        let mut order: Vec<Node> = (0..self.whole.num_nodes as Node).collect();
        let promise = |x: Node| promises[x as usize];
        order.par_sort_unstable_by(|&x, &y| promise(y).total_cmp(&promise(x)).then(x.cmp(&y)));
        order
    }

    fn undecided(&self, nodes: &[Node]) -> Vec<Node> {
        let is_decided = |x: Node| self.is_decided[x as usize].load(Relaxed);
        nodes.iter().copied().filter(|&x| !is_decided(x)).collect()
    }

    /// Searches together from the most promising classes and from a sample of the others; returns
    /// the estimated work of the rest.
    fn search_samples(&self, order: &[Node], progress: &dyn Progress) -> Result<u64> {
        let leaders = self.exact.graph.leaders();
        let mut is_first = vec![false; self.whole.num_nodes];
        let mut is_leader = vec![false; self.whole.num_nodes];
        for &x in leaders {
            is_leader[x as usize] = true;
        }
        for &x in order.iter().filter(|&&x| is_leader[x as usize]).take(LANES) {
            is_first[x as usize] = true;
        }
        let (first, others): (Vec<Node>, Vec<Node>) =
            leaders.iter().partition(|&&x| is_first[x as usize]);
        let batches: Vec<&[Node]> = others.chunks(LANES).collect();
        let sampled = batches.len().min(SAMPLED_BATCHES);
        // The middle of each of `sampled` equal parts.
        let middle = |i| batches[(2 * i + 1) * batches.len() / (2 * sampled)];
        let sample: Vec<Node> = (0..sampled).flat_map(middle).copied().collect();
        self.search_together(&first, "searching the most promising", progress)?;
        let arcs = self.search_together(&sample, "sampling", progress)?;
        let rest = (others.len() - sample.len()) as f64;
        Ok((arcs as f64 * rest / sample.len() as f64) as u64)
    }

    /// Finds the exact scores of all nodes that `leaders` stand for; returns the number of arcs
    /// followed.
    fn search_together(
        &self,
        leaders: &[Node],
        phase: &str,
        progress: &dyn Progress,
    ) -> Result<u64> {
        let measures = [self.measure];
        let summing = Summing::new(&measures);
        progress.begin(phase, Some(leaders.len() as u64));
        let searched = self.exact.search(&summing, leaders, progress)?;
        progress.end();
        for (nodes, scores) in summing.scores(&searched.states, &self.whole) {
            for (&node, &score) in nodes.iter().zip(&scores) {
                self.offer(node, score);
                self.is_decided[node as usize].store(true, Relaxed);
            }
        }
        self.arcs.fetch_add(searched.arcs, Relaxed);
        Ok(searched.arcs)
    }

    fn offer(&self, node: Node, score: Rounded) {
        if score.value < f64::from_bits(self.to_beat.load(Relaxed)) {
            return;
        }
        let board = self.board.lock();
        let mut board = board.expect("nothing panics while it holds the board");
        board.offer(node, score);
        self.to_beat.store(board.to_beat().to_bits(), Relaxed);
    }

    /// The work of searching from all of `nodes` one by one, estimated from a sample of them;
    /// infinite if the sample takes more than `budget`.
    fn work_of_cutting(&self, nodes: &[Node], budget: f64, progress: &dyn Progress) -> Result<f64> {
        let probes = nodes.len().min(PROBES);
        if probes == 0 {
            return Ok(0.0);
        }
        let probe = |i| nodes[(2 * i + 1) * nodes.len() / (2 * probes)];
        let sample: Vec<Node> = (0..probes).map(probe).collect();
        // Few at a time and against a fixed score, so that the sum is the same on any machine.
        let before = self.arcs.load(Relaxed);
        for some in sample.chunks(PROBES / 16) {
            let limit = f64::from_bits(self.to_beat.load(Relaxed));
            self.search_each(some, || limit, u64::MAX, progress)?;
            if (self.arcs.load(Relaxed) - before) as f64 > budget {
                return Ok(f64::INFINITY);
            }
        }
        let work = (self.arcs.load(Relaxed) - before) as f64;
        Ok(work * nodes.len() as f64 / probes as f64)
    }

    /// Searches from each of `nodes` until it is decided. False if that would follow more than
    /// `patience` arcs.
    fn cut(&self, nodes: &[Node], patience: u64, progress: &dyn Progress) -> Result<bool> {
        progress.begin("searching for the best", Some(nodes.len() as u64));
        let patience = self.arcs.load(Relaxed).saturating_add(patience);
        let to_beat = || f64::from_bits(self.to_beat.load(Relaxed));
        self.search_each(nodes, to_beat, patience, progress)?;
        progress.end();
        Ok(self.arcs.load(Relaxed) < patience)
    }

    /// Searches from each of `nodes` until its score is known, or known to be below `to_beat()`,
    /// while no more than `patience` arcs are followed.
    fn search_each(
        &self,
        nodes: &[Node],
        to_beat: impl Fn() -> f64 + Sync,
        patience: u64,
        progress: &dyn Progress,
    ) -> Result<()> {
        let measures = [self.measure];
        let summing = Summing::new(&measures);
        let workspaces = Pool::new(|| (SingleSearch::new(self.whole.num_nodes), Vec::new()));
        tasks::try_map(nodes.chunks(NODES_PER_TASK), |nodes| {
            for &source in nodes {
                progress.check()?;
                if self.arcs.load(Relaxed) >= patience {
                    break;
                }
                workspaces.with(|(search, counts)| {
                    let before = search.arcs();
                    if self.search_one(search, counts, source, &to_beat) {
                        let histogram = Histogram::new(counts);
                        self.offer(source, summing.score(source, histogram, &self.whole));
                    }
                    self.arcs.fetch_add(search.arcs() - before, Relaxed);
                });
                self.is_decided[source as usize].store(true, Relaxed);
            }
            progress.advance(nodes.len() as u64);
            Ok(())
        })
        .map(drop)
    }

    /// Searches from `source`. False as soon as its score is known to be below `to_beat()`;
    /// otherwise `counts` holds how many nodes lie at each distance, farthest first.
    fn search_one(
        &self,
        search: &mut SingleSearch,
        counts: &mut Vec<u32>,
        source: Node,
        to_beat: impl Fn() -> f64,
    ) -> bool {
        let rows = self.exact.graph.rows();
        counts.clear();
        let mut partial = Partial::default();
        let mut is_hopeful = true;
        search.by_level(rows, source, |distance, nodes| {
            if distance > 0 {
                counts.push(nodes.len() as u32);
                partial.add(self.measure, distance, nodes.len() as f64);
            }
            let next: u64 = nodes.iter().map(|&y| rows.degree(y)).sum();
            let bound = self.bound(&partial, distance, next as f64);
            // A margin, as the bound and the score are rounded differently.
            is_hopeful = bound + bound.abs() * 1e-9 >= to_beat();
            is_hopeful
        });
        counts.reverse();
        is_hopeful
    }

    /// The highest score that a search can end with, when level `distance` is done and at most
    /// `next` nodes follow at the next level.
    fn bound(&self, partial: &Partial, distance: u32, next: f64) -> f64 {
        let left = (self.reachable as f64 - partial.reached).max(0.0);
        let near = left.min(next);
        // Without a next level there are no later ones.
        let far = if next == 0.0 { 0.0 } else { left - near };
        let with = |near: f64, far: f64| {
            let mut end = *partial;
            end.add(self.measure, distance + 1, near);
            end.add(self.measure, distance + 2, far);
            end.score(self.measure, &self.whole)
        };
        let ends = [(0.0, 0.0), (near.min(1.0), 0.0), (near, 0.0), (near, far)];
        ends.map(|(near, far)| with(near, far))
            .into_iter()
            .fold(f64::NEG_INFINITY, f64::max)
    }
}

/// The number of nodes per task: enough to hide the cost of a task.
const NODES_PER_TASK: usize = 16;

/// Sums over the levels of an unfinished search, in doubles.
#[derive(Clone, Copy, Default)]
struct Partial {
    reached: f64,
    distances: f64,
    terms: f64,
}

impl Partial {
    fn add(&mut self, measure: &dyn DistanceMeasure, distance: u32, nodes: f64) {
        self.reached += nodes;
        self.distances += distance as f64 * nodes;
        if let Some(term) = measure.term() {
            self.terms += term.at(distance) * nodes;
        }
    }

    fn score(&self, measure: &dyn DistanceMeasure, whole: &Whole) -> f64 {
        let sums = Sums {
            reached: Number::Estimate(self.reached),
            distances: Number::Estimate(self.distances),
            terms: Number::Estimate(self.terms),
            eccentricity: Number::UNKNOWN,
        };
        measure.score(&sums, whole).value()
    }
}

/// The best nodes so far, best first.
struct Board {
    count: usize,
    nodes: Vec<(Node, Rounded)>,
}

impl Board {
    fn new(count: usize) -> Self {
        Board {
            count,
            nodes: Vec::new(),
        }
    }

    fn offer(&mut self, node: Node, score: Rounded) {
        let better = |(other, its): &(Node, Rounded)| {
            its.compared_to(&score)
                .reverse()
                .then(other.cmp(&node))
                .is_lt()
        };
        let place = self.nodes.partition_point(better);
        if place < self.count {
            self.nodes.insert(place, (node, score));
            self.nodes.truncate(self.count);
        }
    }

    /// The score below which no node enters the board.
    fn to_beat(&self) -> f64 {
        if self.nodes.len() == self.count {
            self.nodes
                .last()
                .map_or(f64::INFINITY, |(_, score)| score.value)
        } else {
            f64::NEG_INFINITY
        }
    }
}
