//! Positions from scores: the best first, ties by one rule everywhere.

use crate::error::{Error, Result};
use crate::graph::Node;
use rayon::prelude::*;

/// The nodes in order of score.
///
/// Larger scores come first and nodes with bit-equal scores in increasing order. The rank of a
/// node is 1 plus the number of nodes with a larger score, so ties share the lowest rank.
#[derive(Debug, Clone)]
pub struct Ranking {
    order: Vec<Node>,
    ranks: Vec<u32>,
}

impl Ranking {
    /// Ranks `scores[x]` for every node x. O(n log n), parallel.
    ///
    /// # Errors
    /// If a score is NaN; the message names the node.
    pub fn new(scores: &[f64]) -> Result<Self> {
        Self::refined(scores, |_| 0)
    }

    /// Ranks `scores[x]`, and nodes with bit-equal scores by `rest(x)`, larger ones first: numbers
    /// that are known better than their doubles tell. Nodes tie if both are equal.
    ///
    /// # Errors
    /// If a score is NaN; the message names the node.
    pub fn refined(scores: &[f64], rest: impl Fn(Node) -> u64 + Sync) -> Result<Self> {
        if let Some(node) = scores.par_iter().position_first(|score| score.is_nan()) {
            return Err(Error::Unsupported(format!(
                "the score of node {node} is not a number, so the nodes cannot be ranked"
            )));
        }
        let key = |node: Node| (!ascending_bits(scores[node as usize]), !rest(node), node);
        // Half the bits of a score and its node make a short key, which decides most comparisons.
        let nodes = (0..scores.len() as Node).into_par_iter();
        let mut keys: Vec<u64> = nodes.map(|node| key(node).0 & HIGH | node as u64).collect();
        keys.par_sort_unstable();
        keys.par_chunk_by_mut(|a, b| a & HIGH == b & HIGH)
            .filter(|group| group.len() > 1)
            .for_each(|group| group.sort_unstable_by_key(|&short| key(short as Node)));
        let order: Vec<Node> = keys.par_iter().map(|&short| short as Node).collect();
        drop(keys);
        let sorted: Vec<f64> = order.par_iter().map(|&x| scores[x as usize]).collect();
        let mut ranks = vec![0; scores.len()];
        let mut rank = 0;
        for (place, &node) in order.iter().enumerate() {
            let ties = place > 0
                && sorted[place] == sorted[place - 1]
                && rest(node) == rest(order[place - 1]);
            if !ties {
                rank = place as u32 + 1;
            }
            ranks[node as usize] = rank;
        }
        Ok(Ranking { order, ranks })
    }

    /// The nodes, best first.
    pub fn order(&self) -> &[Node] {
        &self.order
    }

    /// The rank of every node, from 1.
    pub fn ranks(&self) -> &[u32] {
        &self.ranks
    }
}

/// The upper half of a key.
const HIGH: u64 = 0xFFFF_FFFF << 32;

/// Maps doubles to integers in the same order; the two zeros are alike.
fn ascending_bits(score: f64) -> u64 {
    let bits = (score + 0.0).to_bits();
    match bits >> 63 {
        0 => bits | 1 << 63,
        _ => !bits,
    }
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
            }
            let mut order: Vec<Node> = (0..scores.len() as Node).collect();
            let score = |node: Node| scores[node as usize];
            order.sort_by(|&a, &b| score(b).partial_cmp(&score(a)).unwrap().then(a.cmp(&b)));
            prop_assert_eq!(ranking.order(), &order);
        }
    }

    #[test]
    fn a_rest_orders_equal_scores() {
        let rests = [5, 7, 5, 0];
        let ranking = Ranking::refined(&[0.5, 0.5, 0.5, 1.0], |node| rests[node as usize]);
        let ranking = ranking.unwrap();
        assert_eq!(ranking.order(), [3, 1, 0, 2]);
        assert_eq!(ranking.ranks(), [3, 2, 3, 1]);
    }

    #[test]
    fn nan_is_refused_by_node() {
        let problem = Ranking::new(&[0.0, f64::NAN]).unwrap_err().to_string();
        assert!(problem.contains("node 1"));
    }
}
