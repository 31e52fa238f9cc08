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
//! 1. some of the batches that all scores need are searched: those with the most promising nodes,
//!    whose K-th best score is the score to beat, and a few others, whose arcs yield an estimate of
//!    the work of the rest;
//! 2. the other nodes are searched one by one in rounds, the most promising first, while they are
//!    likely to take less than a quarter of that work. They are expensive at first and become
//!    cheaper, so a round too expensive to go on costs a few hundredths of that work;
//! 3. if cutting is given up, the undecided nodes are searched in batches. Such a search may stand for
//!    decided nodes, too.
//!
//! So the cheaper way never takes much more work than all scores. Work is measured in arcs followed,
//! and the score to beat is fixed within a round: the choice does not depend on the machine, its
//! load or the number of threads. All ways give the same bits.

mod board;
mod cutting;

use super::exact::{Exact, Summing};
use super::exact_number::{ExactNumber, Rounded};
use super::far_nodes::of_best;
use super::measure::{DistanceMeasure, Whole, is_known_from};
use super::{Direction, run_of};
use crate::traversal::bit_parallel::LANES;
use crate::traversal::histogram::Histogram;
use crate::traversal::single::SingleSearch;
use board::{Board, Found};
use cutting::{End, FROM_SEARCH, Partial, RoundLimits};
use rayon::prelude::*;
use serde_json::json;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::parallel::tasks;
use webrank_base::parallel::workspaces::Pool;
use webrank_base::progress::Progress;
use webrank_graph::{Csr, Predecessors, Successors};
use webrank_scores::Run;

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
/// [`Interrupted`](webrank_base::error::Error::Interrupted) when the user stops the run.
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
    /// [`Interrupted`](webrank_base::error::Error::Interrupted) when the user stops the run.
    pub fn best(
        &self,
        measure: &dyn DistanceMeasure,
        count: usize,
        way: Way,
        progress: &dyn Progress,
    ) -> Result<Top> {
        let whole = Whole {
            num_nodes: self.graph.num_nodes(),
            diameter: ExactNumber::UNKNOWN,
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
        let mut run = run_of(measure, self.direction, found.method, found.outcome);
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
            outcome: all.scores[0].run.outcome.clone(),
            best: board.nodes,
            method: "exact",
            arcs: all.arcs,
        })
    }
}

/// In graphs that need no more searches than this, all scores are computed without a comparison.
const SMALL: usize = 8 * LANES;
/// The number of batches that are searched for the most promising nodes.
const PROMISING_BATCHES: usize = 4;
/// The number of other batches that are searched to estimate the work of the rest.
const SAMPLED_BATCHES: usize = 4;
/// The number of single searches in the first round.
const FIRST_ROUND: usize = 4;
/// The fraction of the work of the other batches that cutting may take before it is judged.
const PATIENCE: f64 = 0.04;
/// Cutting goes on while it is likely to stay below this fraction of the work of the other batches:
/// an arc followed by one search costs about as much as one followed by 512.
const CHEAPER: f64 = 0.25;

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
    /// The largest eccentricity that was met.
    farthest: AtomicU32,
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
            farthest: AtomicU32::new(0),
            method: "cut",
        }
    }

    fn found(self) -> Found {
        let board = self.board.into_inner().expect("nothing panics meanwhile");
        let best = board.nodes;
        let (farthest, n) = (self.farthest.into_inner(), self.whole.num_nodes);
        let scores: Vec<f64> = best.iter().map(|(_, score)| score.value).collect();
        Found {
            outcome: of_best(self.measure, farthest, n, &scores),
            best,
            method: self.method,
            arcs: self.arcs.into_inner(),
        }
    }

    /// Decides every node, by cutting alone or in the `cheaper` way.
    fn run(&mut self, cheaper: bool, progress: &dyn Progress) -> Result<()> {
        let order = self.by_promise();
        if !cheaper {
            self.cut(&order, f64::INFINITY, progress)?;
            return Ok(());
        }
        let work_of_rest = self.search_samples(&order, progress)?;
        if !self.cut(&self.undecided(&order), work_of_rest, progress)? {
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

    /// Searches the batches with the most promising nodes, and a sample of the others; returns the
    /// estimated work of the rest.
    fn search_samples(&self, order: &[Node], progress: &dyn Progress) -> Result<f64> {
        let batches: Vec<&[Node]> = self.exact.graph.leaders().chunks(LANES).collect();
        let mut batch_of = vec![usize::MAX; self.whole.num_nodes];
        for (place, &leader) in self.exact.graph.leaders().iter().enumerate() {
            batch_of[leader as usize] = place / LANES;
        }
        let mut promising = Vec::new();
        for batch in order.iter().map(|&x| batch_of[x as usize]) {
            if promising.len() == PROMISING_BATCHES {
                break;
            }
            if batch != usize::MAX && !promising.contains(&batch) {
                promising.push(batch);
            }
        }
        let others = (0..batches.len()).filter(|batch| !promising.contains(batch));
        let others: Vec<usize> = others.collect();
        let sampled = others.len().min(SAMPLED_BATCHES);
        // The middle of each of `sampled` equal parts.
        let middle = |i| others[(2 * i + 1) * others.len() / (2 * sampled)];
        let sample: Vec<usize> = (0..sampled).map(middle).collect();
        let leaders = |some: &[usize]| {
            some.iter()
                .map(|&i| batches[i])
                .collect::<Vec<_>>()
                .concat()
        };
        self.search_together(
            &leaders(&promising),
            "searching the most promising",
            progress,
        )?;
        let arcs = self.search_together(&leaders(&sample), "sampling", progress)?;
        Ok(arcs as f64 * (others.len() - sampled) as f64 / sampled.max(1) as f64)
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
        let sums = searched.states.iter().flat_map(|batch| &batch.sums);
        let farthest = sums.map(|sums| sums.eccentricity).max();
        self.farthest.fetch_max(farthest.unwrap_or(0), Relaxed);
        for (nodes, scores) in summing.scores(&searched.states, &self.whole) {
            for (&node, &score) in nodes.iter().zip(&scores) {
                // A node that cutting has decided may be on the board already.
                if !self.is_decided[node as usize].swap(true, Relaxed) {
                    self.offer(node, score);
                }
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

    /// Searches from each of `nodes` until it is decided. False, with some of them undecided, if
    /// that is likely to take more than [`CHEAPER`] of `work_of_rest`.
    fn cut(&self, nodes: &[Node], work_of_rest: f64, progress: &dyn Progress) -> Result<bool> {
        progress.begin("searching for the best", Some(nodes.len() as u64));
        let workspaces = Pool::new(|| (SingleSearch::new(self.whole.num_nodes), Vec::new()));
        let before = self.arcs.load(Relaxed);
        let mut done = 0;
        let mut is_cheap = true;
        while done < nodes.len() && is_cheap {
            let round = &nodes[done..nodes.len().min(done + FIRST_ROUND.max(done / 4))];
            let limits = RoundLimits {
                to_beat: f64::from_bits(self.to_beat.load(Relaxed)),
                arcs_of_one: PATIENCE * work_of_rest / FIRST_ROUND as f64,
                arcs_of_all: before as f64 + CHEAPER * work_of_rest,
            };
            is_cheap = self.search_round(round, &workspaces, &limits, progress)?;
            done += round.len();
            let work = (self.arcs.load(Relaxed) - before) as f64;
            let likely = work * nodes.len() as f64 / done as f64;
            is_cheap &= work <= PATIENCE * work_of_rest || likely <= CHEAPER * work_of_rest;
        }
        progress.end();
        Ok(is_cheap)
    }

    /// Searches from each of `nodes` until it is decided. False, with some of them undecided, if a
    /// limit on arcs is reached.
    fn search_round<F: Fn() -> (SingleSearch, Vec<u32>) + Sync>(
        &self,
        nodes: &[Node],
        workspaces: &Pool<(SingleSearch, Vec<u32>), F>,
        limits: &RoundLimits,
        progress: &dyn Progress,
    ) -> Result<bool> {
        let measures = [self.measure];
        let summing = Summing::new(&measures);
        let task = nodes.len().div_ceil(FIRST_ROUND).min(NODES_PER_TASK);
        let searched = tasks::try_map(nodes.chunks(task), |nodes| {
            for &source in nodes {
                progress.check()?;
                if self.arcs.load(Relaxed) as f64 > limits.arcs_of_all {
                    return Ok(false);
                }
                let end = workspaces.with(|(search, counts)| {
                    let before = search.arcs();
                    let end = self.search_one(search, counts, source, limits);
                    self.arcs.fetch_add(search.arcs() - before, Relaxed);
                    if end == End::Complete {
                        let histogram = Histogram::new(counts);
                        self.farthest.fetch_max(histogram.eccentricity(), Relaxed);
                        self.offer(source, summing.score(source, histogram, &self.whole));
                    }
                    end
                });
                if end == End::TooLong {
                    return Ok(false);
                }
                self.is_decided[source as usize].store(true, Relaxed);
            }
            progress.advance(nodes.len() as u64);
            Ok(true)
        })?;
        Ok(searched.into_iter().all(|is_done| is_done))
    }
}

/// The number of nodes per task: enough to hide the cost of a task.
const NODES_PER_TASK: usize = 16;
