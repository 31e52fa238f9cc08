//! Two complete rankings of the same nodes, prepared once for all pairwise coefficients.
//!
//! Order the nodes by (x, y): by decreasing x, ties by decreasing y. Sort that order stably by y
//! and count how many nodes overtake each one (see `merge_sort`): the result is the order by (y, x),
//! and o(i) = the number of nodes worse than i in x and better in y. For every node i with ranks
//! p(i) and q(i) (from 0) in the two orders, o gives
//!
//! - the discordant pairs that i is in: D(i) = 2·o(i) + p(i) - q(i). Proof: the nodes better than
//!   i in x number p minus those tied in x and better in y; the same holds for y and q; both
//!   counts hold the nodes better in both, so their difference is p - q;
//! - the nodes better than i in both: U(i) = (better in y) - (tied in x, better in y) - o(i);
//! - the concordant pairs that i is in: all pairs of i minus tied minus discordant.
//!
//! Kendall's tau-b, gamma, weighted tau with additive weights of any kind and by either rank, and
//! AP correlation in both directions are sums of these integers over nodes. Nodes tied in both
//! vectors are interchangeable: their order never changes a coefficient, beyond rounding.
//!
//! If a vector has few classes, counting does the same without a sort (see `few_classes`).
//!
//! O(n log n) time; 12 bytes per node, 28 if x has ties, and 12 more while sorting.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use serde::Serialize;

use super::counting::few_classes::{self, FEW};
use super::counting::merge_sort::{CountedRow, sort_by_class};
use super::sums::{Compensated, sum_blocks};
use webrank_base::error::{Error, Result};
use webrank_base::parallel::blocks::split_mut;
use webrank_base::parallel::tasks;
use webrank_scores::ranking::{Ranking, pairs_of};

/// How the pairs of nodes compare in two vectors.
///
/// `concordant + discordant + tied_x + tied_y - tied_both` = n(n - 1)/2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PairCounts {
    /// All pairs of nodes.
    pub total: u64,
    /// Pairs in the same order in both vectors.
    pub concordant: u64,
    /// Pairs in opposite order.
    pub discordant: u64,
    /// Pairs tied in x (and perhaps in y).
    pub tied_x: u64,
    /// Pairs tied in y (and perhaps in x).
    pub tied_y: u64,
    /// Pairs tied in both.
    pub tied_both: u64,
}

/// Two complete rankings of the same nodes, and how every node compares.
#[derive(Debug)]
pub struct Pair<'a> {
    x: &'a Ranking,
    y: &'a Ranking,
    /// In the order by (y, x).
    rows: Vec<CountedRow>,
    /// The ties in x of every node, in the order by (x, y); none if x has no ties.
    ties: Option<Vec<TiesInX>>,
    counts: PairCounts,
}

/// The tie in x that a node is in, and the tie in both vectors.
#[derive(Debug, Clone, Copy, Default)]
struct TiesInX {
    /// Nodes better in x.
    first: u32,
    /// Nodes tied in x, itself included.
    len: u32,
    /// Rank by (x, y) of the first node tied in both.
    joint_first: u32,
    /// Nodes tied in both, itself included.
    joint_len: u32,
}

/// How one node compares with all others.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeTally {
    /// Rank by (x, y), from 0: p(i).
    pub rank_xy: u32,
    /// Rank by (y, x), from 0: q(i).
    pub rank_yx: u32,
    /// Nodes better in x.
    pub above_x: u32,
    /// Nodes tied in x, itself included.
    pub tied_x: u32,
    /// Nodes better in y.
    pub above_y: u32,
    /// Nodes tied in y, itself included.
    pub tied_y: u32,
    /// Nodes better in both: U(i).
    pub above_both: u32,
    /// Concordant pairs it is in, minus discordant pairs it is in.
    pub agreement: i64,
}

impl<'a> Pair<'a> {
    /// Compares all nodes of `x` and `y`.
    ///
    /// # Errors
    /// [`Error::Argument`] if the universes differ in size or a node lacks a score.
    pub fn new(x: &'a Ranking, y: &'a Ranking) -> Result<Self> {
        check_same_universe(x, y)?;
        for ranking in [x, y] {
            if !ranking.is_complete() {
                return Err(Error::argument(
                    "the number of nodes without a score",
                    ranking.universe() - ranking.len(),
                    "leave them out of both vectors; only overlaps compare partial rankings",
                ));
            }
        }
        let (classes, rows) = match (x.num_classes() <= FEW, y.num_classes() <= FEW) {
            (true, _) => match_few_in_x(x, y),
            (false, true) => match_few_in_y(x, y),
            (false, false) => match_many(x, y),
        };
        let ties = x.has_ties().then(|| ties_in_x(x, &classes));
        drop(classes);
        let discordant = sum_of(rows.len(), |p| u64::from(rows[p].overtaken));

        let total = pairs_of(x.len() as u64);
        let (tied_x, tied_y) = (x.tied_pairs(), y.tied_pairs());
        let tied_both = ties.as_ref().map_or(0, |ties| {
            sum_of(ties.len(), |p| u64::from(ties[p].joint_len - 1)) / 2
        });
        let concordant = total - discordant - (tied_x + tied_y - tied_both);
        let counts = PairCounts {
            total,
            concordant,
            discordant,
            tied_x,
            tied_y,
            tied_both,
        };
        Ok(Self {
            x,
            y,
            rows,
            ties,
            counts,
        })
    }

    /// The first ranking.
    pub fn x(&self) -> &'a Ranking {
        self.x
    }

    /// The second ranking.
    pub fn y(&self) -> &'a Ranking {
        self.y
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// True if there is no node.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Concordant, discordant and tied pairs.
    pub fn counts(&self) -> &PairCounts {
        &self.counts
    }

    /// The node of rank `q` by (y, x).
    fn tally(&self, q: usize) -> NodeTally {
        let row = self.rows[q];
        let p = row.rank_xy;
        let alone = TiesInX {
            first: p,
            len: 1,
            joint_first: p,
            joint_len: 1,
        };
        let in_x = self.ties.as_ref().map_or(alone, |ties| ties[p as usize]);
        let in_y = self.y.positions(row.class);
        let tied_y = in_y.end - in_y.start;
        let untied =
            self.len() as i64 - i64::from(in_x.len) - i64::from(tied_y) + i64::from(in_x.joint_len);
        let discordant = 2 * i64::from(row.overtaken) + i64::from(p) - q as i64;
        NodeTally {
            rank_xy: p,
            rank_yx: q as u32,
            above_x: in_x.first,
            tied_x: in_x.len,
            above_y: in_y.start,
            tied_y,
            above_both: in_y.start - (in_x.joint_first - in_x.first) - row.overtaken,
            agreement: untied - 2 * discordant,
        }
    }

    /// The sums over all nodes of their `K` terms, in the order by (y, x).
    pub(super) fn sum<const K: usize>(
        &self,
        terms: impl Fn(NodeTally) -> [f64; K] + Sync,
    ) -> [f64; K] {
        sum_blocks(
            self.len(),
            |range: Range<usize>, sums: &mut [Compensated; K]| {
                for q in range {
                    for (sum, term) in sums.iter_mut().zip(terms(self.tally(q))) {
                        sum.add(term);
                    }
                }
            },
        )
    }
}

/// The classes in y in the order by (x, y), and the rows in the order by (y, x).
fn match_many(x: &Ranking, y: &Ranking) -> (Vec<u32>, Vec<CountedRow>) {
    let classes = classes_by_xy(x, y);
    let mut rows = tasks::tabulate(classes.len(), |p| CountedRow {
        class: classes[p],
        rank_xy: p as u32,
        overtaken: 0,
    });
    sort_by_class(&mut rows);
    (classes, rows)
}

/// [`match_many`] when y has few classes.
fn match_few_in_y(x: &Ranking, y: &Ranking) -> (Vec<u32>, Vec<CountedRow>) {
    let classes = classes_by_xy(x, y);
    let moves = few_classes::moves(&classes, y.num_classes());
    let of_place = scatter(moves.len(), |p| {
        let both = u64::from(moves[p].overtaken) << 32 | p as u64;
        (moves[p].place, both)
    });
    let mut rows = tasks::tabulate(of_place.len(), |place| CountedRow {
        class: 0,
        rank_xy: of_place[place] as u32,
        overtaken: (of_place[place] >> 32) as u32,
    });
    fill_classes(y, &mut rows);
    (classes, rows)
}

/// [`match_many`] when x has few classes: with o'(i) = the number of nodes better than i in x and
/// worse in y, D(i) = o(i) + o'(i), so o(i) = o'(i) + q(i) - p(i).
fn match_few_in_x(x: &Ranking, y: &Ranking) -> (Vec<u32>, Vec<CountedRow>) {
    let moves = few_classes::moves(&classes_by_xy(y, x), x.num_classes());
    let mut rows = tasks::tabulate(moves.len(), |q| CountedRow {
        class: 0,
        rank_xy: moves[q].place,
        overtaken: moves[q].overtaken + q as u32 - moves[q].place,
    });
    drop(moves);
    fill_classes(y, &mut rows);
    let by_rank = |q: usize| (rows[q].rank_xy, u64::from(rows[q].class));
    let classes = scatter(rows.len(), by_rank);
    let classes = tasks::tabulate(classes.len(), |p| classes[p] as u32);
    (classes, rows)
}

/// Gives rows in the order by (y, x) their classes in y.
fn fill_classes(y: &Ranking, rows: &mut [CountedRow]) {
    for_batches_of_classes(y, rows, |classes, slice| {
        for (class, positions) in classes.clone().zip(relative_positions(y, classes)) {
            slice[positions]
                .iter_mut()
                .for_each(|row| row.class = class);
        }
    });
}

/// Puts `count` values at their places; the places are a permutation.
fn scatter(count: usize, value: impl Fn(usize) -> (u32, u64) + Sync) -> Vec<u64> {
    // Every place is written once: relaxed stores are plain stores, without a race.
    let places: Vec<AtomicU64> = (0..count).map(|_| AtomicU64::new(0)).collect();
    tasks::for_each(tasks::ranges(count), |range| {
        for (place, value) in range.map(&value) {
            places[place as usize].store(value, Ordering::Relaxed);
        }
    });
    places.into_iter().map(AtomicU64::into_inner).collect()
}

/// The sum of a number for each index below `count`.
fn sum_of(count: usize, number: impl Fn(usize) -> u64 + Sync) -> u64 {
    let part = |range: Range<usize>| range.map(&number).sum();
    tasks::reduce(count, 0, part, |a, b| a + b)
}

/// Fails unless both rankings have the same universe.
pub(super) fn check_same_universe(x: &Ranking, y: &Ranking) -> Result<()> {
    if x.universe() == y.universe() {
        return Ok(());
    }
    Err(Error::argument(
        "the number of rows of the second vector",
        y.universe(),
        format!(
            "join the vectors by key first: the first one has {}",
            x.universe()
        ),
    ))
}

/// The classes in y of all nodes, in the order by (x, y).
fn classes_by_xy(x: &Ranking, y: &Ranking) -> Vec<u32> {
    let class_in_y = |p: usize| y.classes()[x.order()[p] as usize];
    let mut classes = tasks::tabulate(x.len(), class_in_y);
    if x.has_ties() {
        for_batches_of_classes(x, &mut classes, |x_classes, slice| {
            for positions in relative_positions(x, x_classes) {
                slice[positions].par_sort_unstable();
            }
        });
    }
    classes
}

/// The ties in x of every node in the order by (x, y), given the classes in y in that order.
fn ties_in_x(x: &Ranking, classes: &[u32]) -> Vec<TiesInX> {
    let mut ties = vec![TiesInX::default(); classes.len()];
    for_batches_of_classes(x, &mut ties, |x_classes, slice| {
        let base = x.positions(x_classes.start).start;
        for positions in relative_positions(x, x_classes) {
            let (first, len) = (base + positions.start as u32, positions.len() as u32);
            let mut joint_first = first;
            let in_y = &classes[first as usize..(first + len) as usize];
            for joint in in_y.chunk_by(|a, b| a == b) {
                let joint_len = joint.len() as u32;
                let start = (joint_first - base) as usize;
                slice[start..start + joint.len()].fill(TiesInX {
                    first,
                    len,
                    joint_first,
                    joint_len,
                });
                joint_first += joint_len;
            }
        }
    });
    ties
}

/// The positions of each class, counted from the position of the first.
fn relative_positions(
    ranking: &Ranking,
    classes: Range<u32>,
) -> impl Iterator<Item = Range<usize>> + '_ {
    let base = ranking.positions(classes.start).start;
    classes.map(move |class| {
        let Range { start, end } = ranking.positions(class);
        (start - base) as usize..(end - base) as usize
    })
}

/// Calls `work` in parallel on groups of consecutive classes of about equal total size, with their
/// part of `values`, which has one entry per position.
fn for_batches_of_classes<T: Send>(
    ranking: &Ranking,
    values: &mut [T],
    work: impl Fn(Range<u32>, &mut [T]) + Sync,
) {
    const BATCH_ROWS: u32 = 1 << 14;
    let (mut batches, mut ranges) = (Vec::new(), Vec::new());
    let end = ranking.num_classes() as u32;
    let mut class = 0;
    while class < end {
        let start = ranking.positions(class).start;
        let last = start.saturating_add(BATCH_ROWS).min(ranking.len() as u32) - 1;
        let next = ranking.class_at(last) + 1;
        batches.push(class..next);
        ranges.push(start as usize..ranking.positions(next - 1).end as usize);
        class = next;
    }
    let parts = batches.into_iter().zip(split_mut(values, &ranges));
    tasks::for_each(parts, |(classes, slice)| work(classes, slice));
}

#[cfg(test)]
mod tests;
