//! The order of nodes whose scores are too close for doubles to tell apart, from exact numbers.
//!
//! Scores that are computed in doubles are off by a few roundings. Two of them that are further apart than
//! that are in the right order. The others are neighbours in the order: [`close_rows`] finds them, and
//! [`Settled`] orders them by numbers that are exact, so that nodes tie if and only if these are equal.

use super::ranking::Ranking;
use std::cmp::Ordering;
use webrank_base::Node;
use webrank_base::error::Result;

/// The least positive double: numbers below all normal ones are rounded to a multiple of it.
const LEAST: f64 = f64::from_bits(1);

/// The maximal rows of at least two nodes, best first, in which each positive score is at most `1 + bound`
/// times the next, or the next double.
///
/// # Errors
/// If a score is NaN.
pub fn close_rows(scores: &[f64], bound: f64) -> Result<Vec<Vec<Node>>> {
    let ranking = Ranking::new(scores)?;
    let score = |node: Node| scores[node as usize];
    let positive = ranking.order().partition_point(|&node| score(node) > 0.0);
    let order = &ranking.order()[..positive];
    let rows = order.chunk_by(|&a, &b| score(a) <= score(b) * (1.0 + bound) + LEAST);
    Ok(rows
        .filter(|row| row.len() > 1)
        .map(<[Node]>::to_vec)
        .collect())
}

/// Scores with the numbers that order nodes of equal scores.
#[derive(Debug)]
pub struct Settled<'a> {
    scores: &'a mut [f64],
    rests: Vec<u64>,
}

impl<'a> Settled<'a> {
    /// Scores whose order is that of doubles as yet.
    pub fn new(scores: &'a mut [f64]) -> Self {
        let rests = vec![0; scores.len()];
        Settled { scores, rests }
    }

    /// Scores whose order is that of doubles and of these numbers as yet.
    pub fn with_rests(scores: &'a mut [f64], rests: Vec<u64>) -> Self {
        Settled { scores, rests }
    }

    /// [`Self::settle`] with the doubles that there are, for rows that are not in this order already.
    pub fn settle_unless_ordered<K>(
        &mut self,
        row: &[Node],
        mut keys: Vec<(K, Node)>,
        compare: impl Fn(&K, &K) -> Ordering,
    ) {
        keys.sort_by(|(a, _), (b, _)| compare(b, a));
        let place = |node: Node| (self.scores[node as usize], self.rests[node as usize]);
        let is_ordered = keys.windows(2).all(|two| {
            let [one, other] = [place(two[0].1), place(two[1].1)];
            one.partial_cmp(&other) == Some(compare(&two[0].0, &two[1].0))
        });
        if !is_ordered {
            self.settle(row, keys, compare, |_| None);
        }
    }

    /// Puts the nodes of a [close row](close_rows) in the order of their exact numbers, the largest first;
    /// `nearest` is the double nearest to such a number, or none to keep the doubles that there are.
    pub fn settle<K>(
        &mut self,
        row: &[Node],
        mut keys: Vec<(K, Node)>,
        compare: impl Fn(&K, &K) -> Ordering,
        nearest: impl Fn(&K) -> Option<f64>,
    ) {
        debug_assert_eq!(row.len(), keys.len());
        keys.sort_by(|(a, _), (b, _)| compare(b, a));
        // In the same order, so that no larger number has a smaller double.
        let doubles: Vec<f64> = row.iter().map(|&node| self.scores[node as usize]).collect();
        let mut first = 0;
        let mut rest = keys.len() as u64;
        for class in keys.chunk_by(|(a, _), (b, _)| compare(a, b) == Ordering::Equal) {
            let value = nearest(&class[0].0).unwrap_or(doubles[first]);
            for &(_, node) in class {
                self.scores[node as usize] = value;
                self.rests[node as usize] = rest;
            }
            first += class.len();
            rest -= 1;
        }
    }

    /// The order of all nodes.
    ///
    /// # Errors
    /// If a score is NaN.
    pub fn ranking(&self) -> Result<Ranking> {
        Ranking::refined(self.scores, |node| self.rests[node as usize])
    }

    /// The numbers that order nodes of equal scores: larger ones first.
    pub fn into_rests(self) -> Vec<u64> {
        self.rests
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_scores_are_ordered_by_their_exact_numbers() {
        let up = |x: f64, ulps: u64| f64::from_bits(x.to_bits() + ulps);
        let mut scores = [0.0, 5.0, up(5.0, 1), 7.0, up(5.0, 2), 0.0];
        let rows = close_rows(&scores, 2.0 * f64::EPSILON).unwrap();
        assert_eq!(rows, [[4, 2, 1]]);
        let numbers = [0, 31, 30, 0, 31, 0];
        let mut settled = Settled::new(&mut scores);
        let keys = rows[0].iter().map(|&node| (numbers[node as usize], node));
        settled.settle(&rows[0], keys.collect(), i32::cmp, |_| None);
        assert_eq!(settled.ranking().unwrap().ranks(), [5, 2, 4, 1, 2, 5]);
        assert_eq!(scores[1].to_bits(), scores[4].to_bits());
        assert!(scores[1] >= scores[2]);
    }

    #[test]
    fn the_least_doubles_are_close_to_their_neighbours_alone() {
        let scores = [LEAST, 2.0 * LEAST, 4.0 * LEAST];
        assert_eq!(close_rows(&scores, 0.0).unwrap(), [[1, 0]]);
    }

    #[test]
    fn zeros_and_distant_scores_are_left_alone() {
        assert!(close_rows(&[0.0, 0.0, 1.0, 2.0], 0.5).unwrap().is_empty());
    }
}
