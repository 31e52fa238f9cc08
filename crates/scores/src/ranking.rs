//! A score vector, sorted once: positions, ranks and ties, by one rule everywhere.
//!
//! Tables and all coefficients of agreement read this; none of them sorts the scores again.
//!
//! Larger scores come first, nodes with equal scores in increasing order. The rank of a node is 1
//! plus the number of nodes with a larger score, so ties share the lowest rank.
//!
//! Nodes of equal score form a class (a tie); classes are numbered from 0, the best. The class
//! that begins after `first` better nodes and holds `len` nodes covers the positions `first`
//! to `first + len - 1`. Sorting costs O(n log n), parallel; everything else O(1) per node. A node
//! takes 12 bytes, and 4 more once [`Ranking::ranks`] has been called.

use rayon::prelude::*;
use rdst::RadixSort;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::tasks;

/// The class of a node that has no score.
const ABSENT: u32 = u32::MAX;

/// Nodes ordered by decreasing score, with their ties.
///
/// A ranking is complete if every node has a score. All coefficients need complete rankings, except
/// rank-biased overlap and top-k overlap (crate `webrank-compare`).
#[derive(Debug, Clone)]
pub struct Ranking {
    /// Ranked nodes by decreasing score; ties by increasing node.
    order: Vec<Node>,
    /// `starts[c]..starts[c + 1]` are the positions of class `c` in `order`.
    starts: Vec<u32>,
    /// The class of every node of the universe.
    class: Vec<u32>,
    ranks: OnceLock<Vec<u32>>,
}

/// How to order nodes whose scores are equal.
type Rest<'a> = &'a (dyn Fn(Node) -> u64 + Sync);

impl Ranking {
    /// Ranks all nodes by decreasing score; -0 equals 0.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for the first score that is NaN; [`Error::Argument`] for 2^32 - 1 rows
    /// or more.
    pub fn new(scores: &[f64]) -> Result<Self> {
        Self::ordered(scores, None)
    }

    /// Ranks all nodes by decreasing score, and those with equal scores by decreasing `rest`, which
    /// holds the digits that doubles lack. Nodes tie if both are equal.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn refined(scores: &[f64], rest: impl Fn(Node) -> u64 + Sync) -> Result<Self> {
        Self::ordered(scores, Some(&rest))
    }

    fn ordered(scores: &[f64], rest: Option<Rest>) -> Result<Self> {
        if let Some(row) = tasks::first(scores.len(), |row| scores[row].is_nan()) {
            return Err(Error::not_finite("a score", row, scores[row]));
        }
        check_rows(scores.len())?;
        let nodes = (0..scores.len() as Node).collect();
        let score = |node: Node| scores[node as usize];
        Ok(Self::of(nodes, scores.len(), score, rest))
    }

    /// Ranks the nodes that have a score, in a universe of `scores.len()` nodes. So lists of
    /// different nodes can be compared over the union of their nodes.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn partial(scores: &[Option<f64>]) -> Result<Self> {
        check_rows(scores.len())?;
        let present = |(node, score): (usize, &Option<f64>)| score.map(|score| (node, score));
        let mut ranked = scores.iter().enumerate().filter_map(present);
        if let Some((row, score)) = ranked.find(|(_, score)| score.is_nan()) {
            return Err(Error::not_finite("a score", row, score));
        }
        let nodes = tasks::select(scores.len(), |node| scores[node].map(|_| node as Node));
        let score = |node: Node| scores[node as usize].unwrap_or_default();
        Ok(Self::of(nodes, scores.len(), score, None))
    }

    /// Ranks `nodes`, in a universe of `universe` nodes.
    fn of(
        nodes: Vec<Node>,
        universe: usize,
        score: impl Fn(Node) -> f64 + Sync,
        rest: Option<Rest>,
    ) -> Self {
        let key = |node: Node| !increasing_bits(score(node));
        let rest_of = |node: Node| rest.map_or(0, |rest| !rest(node));
        // Sort by 8 bytes: the upper 32 of the bits in which keys differ, and the node. This orders
        // most nodes.
        let wider = |a: (u64, u64), b: (u64, u64)| (a.0.min(b.0), a.1.max(b.1));
        let extent = |range: Range<usize>| {
            let keys = nodes[range].iter().map(|&node| (key(node), key(node)));
            keys.fold((u64::MAX, 0), wider)
        };
        let (least, most) = tasks::reduce(nodes.len(), (u64::MAX, 0), extent, wider);
        let differing = u64::BITS - most.saturating_sub(least).leading_zeros();
        let dropped = differing.saturating_sub(32);
        let short = |node: Node| ((key(node) - least) >> dropped) << 32 | u64::from(node);
        let mut keys = tasks::tabulate(nodes.len(), |place| short(nodes[place]));
        drop(nodes);
        keys.radix_sort_unstable();
        let whole = |short: u64| (key(short as Node), rest_of(short as Node));
        if dropped > 0 || rest.is_some() {
            keys.par_chunk_by_mut(|a, b| a >> 32 == b >> 32)
                .filter(|group| group.len() > 1)
                .for_each(|group| group.sort_unstable_by_key(|&k| (whole(k), k as Node)));
        }
        let differ = |a: u64, b: u64| a >> 32 != b >> 32 || whole(a) != whole(b);
        let mut starts = tasks::select(keys.len(), |p| {
            (p == 0 || differ(keys[p], keys[p - 1])).then_some(p as u32)
        });
        starts.push(keys.len() as u32);
        let order = tasks::tabulate(keys.len(), |p| keys[p] as Node);
        drop(keys);
        // Every node is written at most once: relaxed stores are plain stores, without a race.
        let class: Vec<AtomicU32> = (0..universe).map(|_| AtomicU32::new(ABSENT)).collect();
        tasks::for_each(tasks::ranges(starts.len() - 1), |classes| {
            for c in classes {
                for &node in &order[starts[c] as usize..starts[c + 1] as usize] {
                    class[node as usize].store(c as u32, Ordering::Relaxed);
                }
            }
        });
        Self {
            order,
            starts,
            class: class.into_iter().map(AtomicU32::into_inner).collect(),
            ranks: OnceLock::new(),
        }
    }

    /// Number of ranked nodes.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// True if no node is ranked.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Number of nodes, ranked or not.
    pub fn universe(&self) -> usize {
        self.class.len()
    }

    /// True if every node is ranked.
    pub fn is_complete(&self) -> bool {
        self.len() == self.universe()
    }

    /// The ranked nodes by decreasing score; ties by increasing node.
    pub fn order(&self) -> &[Node] {
        &self.order
    }

    /// Number of classes, that is, of different scores.
    pub fn num_classes(&self) -> usize {
        self.starts.len() - 1
    }

    /// The class of `node`, 0 being the best; none if the node is not ranked.
    pub fn class(&self, node: Node) -> Option<u32> {
        let class = self.class[node as usize];
        (class != ABSENT).then_some(class)
    }

    /// The rank of a ranked node, from 1.
    pub fn rank(&self, node: Node) -> Option<u32> {
        self.class(node).map(|c| self.starts[c as usize] + 1)
    }

    /// The rank of every node, from 1; 0 if the node is not ranked.
    pub fn ranks(&self) -> &[u32] {
        let rank = |node: usize| self.rank(node as Node).unwrap_or(0);
        self.ranks
            .get_or_init(|| tasks::tabulate(self.universe(), rank))
    }

    /// The classes of all nodes; absent nodes have a class above all others.
    pub fn classes(&self) -> &[u32] {
        &self.class
    }

    /// The positions of a class.
    pub fn positions(&self, class: u32) -> Range<u32> {
        self.starts[class as usize]..self.starts[class as usize + 1]
    }

    /// The class of the node at a position. O(log n).
    pub fn class_at(&self, position: u32) -> u32 {
        (self.starts.partition_point(|&start| start <= position) - 1) as u32
    }

    /// The sum of the first and last position of the node's class: twice its average rank from 0.
    pub fn twice_mid_position(&self, node: usize) -> u64 {
        let Range { start, end } = self.positions(self.class[node]);
        u64::from(start) + u64::from(end) - 1
    }

    /// True if at least two nodes have the same score.
    pub fn has_ties(&self) -> bool {
        self.num_classes() < self.len()
    }

    /// Number of pairs of nodes with the same score.
    pub fn tied_pairs(&self) -> u64 {
        let pairs = |classes: Range<usize>| {
            let ends = self.starts[classes.start..=classes.end].windows(2);
            ends.map(|ends| pairs_of(u64::from(ends[1] - ends[0])))
                .sum()
        };
        tasks::reduce(self.num_classes(), 0, pairs, |a, b| a + b)
    }
}

/// Number of pairs among `n` items.
pub fn pairs_of(n: u64) -> u64 {
    n * n.saturating_sub(1) / 2
}

/// An order-preserving map of numbers other than NaN to integers; -0 and 0 map to the same.
pub fn increasing_bits(score: f64) -> u64 {
    let bits = (score + 0.0).to_bits();
    let sign = 1 << 63;
    if bits & sign == 0 { bits | sign } else { !bits }
}

/// The number with these [`increasing_bits`]; 0 for -0.
pub fn score_of_bits(bits: u64) -> f64 {
    let sign = 1 << 63;
    f64::from_bits(if bits & sign == 0 { !bits } else { bits ^ sign })
}

/// # Errors
/// [`Error::Argument`] for 2^32 - 1 rows or more.
pub(crate) fn check_rows(rows: usize) -> Result<()> {
    // Positions and classes are u32, and the largest stands for "absent".
    if rows < ABSENT as usize {
        return Ok(());
    }
    Err(Error::argument(
        "the number of rows",
        rows,
        format!("rank fewer than {ABSENT} rows"),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ranks_count_the_larger_scores(
            scores in prop::collection::vec(
                prop_oneof![Just(0.0), Just(-0.0), Just(1e-300), -1.0..1.0f64, Just(f64::INFINITY)],
                0..40,
            ),
        ) {
            let ranking = Ranking::new(&scores).unwrap();
            for (node, score) in scores.iter().enumerate() {
                let larger = scores.iter().filter(|other| *other > score).count();
                prop_assert_eq!(ranking.ranks()[node] as usize, larger + 1);
                prop_assert_eq!(ranking.rank(node as Node), Some(larger as u32 + 1));
            }
            let mut order: Vec<Node> = (0..scores.len() as Node).collect();
            let score = |node: Node| scores[node as usize];
            order.sort_by(|&a, &b| score(b).partial_cmp(&score(a)).unwrap().then(a.cmp(&b)));
            prop_assert_eq!(ranking.order(), &order);
        }
    }

    #[test]
    fn ties_share_a_class_and_order_breaks_them_by_node() {
        let ranking = Ranking::new(&[1.0, 3.0, -0.0, 3.0, 0.0]).unwrap();
        assert_eq!(ranking.order(), [1, 3, 0, 2, 4]);
        assert_eq!(ranking.num_classes(), 3);
        assert_eq!(
            (0..5).map(|v| ranking.rank(v)).collect::<Vec<_>>(),
            [3, 1, 4, 1, 4].map(Some)
        );
        assert_eq!(ranking.tied_pairs(), 2);
        assert_eq!(ranking.twice_mid_position(4), 7);
        assert_eq!(
            [0, 1, 2, 3, 4].map(|p| ranking.class_at(p)),
            [0, 0, 1, 2, 2]
        );
    }

    #[test]
    fn absent_nodes_have_no_rank() {
        let ranking = Ranking::partial(&[None, Some(1.0), Some(2.0)]).unwrap();
        assert_eq!(ranking.order(), [2, 1]);
        assert_eq!(ranking.rank(0), None);
        assert_eq!(ranking.ranks(), [0, 2, 1]);
        assert!(!ranking.is_complete());
    }

    #[test]
    fn nan_is_an_error_that_names_the_row() {
        let bad = f64::NAN;
        for problem in [
            Ranking::new(&[0.0, 1.0, bad, bad]).unwrap_err(),
            Ranking::partial(&[None, None, Some(bad)]).unwrap_err(),
        ] {
            let message = problem.to_string();
            assert!(message.contains("NaN in row 2"), "{message}");
        }
    }

    #[test]
    fn order_of_bits_is_order_of_scores() {
        let scores = [
            f64::MIN,
            -1.0,
            -f64::MIN_POSITIVE,
            0.0,
            5e-324,
            1.0,
            f64::MAX,
        ];
        assert!(scores.is_sorted_by_key(|&s| increasing_bits(s)));
        assert_eq!(increasing_bits(-0.0), increasing_bits(0.0));
        assert!(
            scores
                .iter()
                .all(|&s| score_of_bits(increasing_bits(s)) == s)
        );
    }

    #[test]
    fn a_rest_orders_equal_scores() {
        let rests = [5, 7, 5, 0];
        let ranking = Ranking::refined(&[0.5, 0.5, 0.5, 1.0], |node| rests[node as usize]);
        let ranking = ranking.unwrap();
        assert_eq!(ranking.order(), [3, 1, 0, 2]);
        assert_eq!(ranking.ranks(), [3, 2, 3, 1]);
    }
}
