//! Nodes with equal or near fingerprints, as pairs and as clusters.

use super::clusters::Clusters;
use super::pairs::near_pairs;
use super::{MAX_DISTANCE, NONE, distance};
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::memory::reserve;
use webrank_base::progress::Progress;
use webrank_graph::DisjointSets;

/// Two nodes whose fingerprints are near.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct NearPair {
    /// The node with the smaller number.
    pub first: Node,
    /// The other one.
    pub second: Node,
    /// How many bits their fingerprints differ in.
    pub distance: u32,
}

/// A taker of the places of near fingerprints, from any thread.
type FoundPlaces<'a> = dyn Fn(&mut dyn Iterator<Item = (Node, Node)>) -> Result<()> + Sync + 'a;

/// The different fingerprints of a list, and the nodes that have each. 16 bytes a node.
pub struct NearDuplicates {
    /// The different fingerprints, increasing.
    distinct: Vec<u64>,
    /// The nodes by their fingerprints; those with the same one increase.
    nodes: Vec<Node>,
    /// Where the nodes of each fingerprint start in `nodes`, and the end.
    starts: Vec<Node>,
}

impl NearDuplicates {
    /// The bytes that the fingerprints of a node, this, and its [`clusters`](Self::clusters) take at
    /// most, unless most fingerprints share most of their bits.
    pub const BYTES_OF_NODE: u64 = 56;

    /// Sorts the fingerprints of the nodes 0, 1, 2 ... O(n log n), parallel. Nodes without one
    /// ([`NONE`]) are like no other if `skips_none` is set.
    ///
    /// # Errors
    /// If there is not enough memory, or if there are 2^32 nodes or more.
    pub fn of(fingerprints: &[u64], skips_none: bool) -> Result<Self> {
        let count = fingerprints.len() as u64;
        if count >= u64::from(Node::MAX) {
            return Err(Error::TooManyNodes { nodes: count });
        }
        let mut sorted: Vec<(u64, Node)> = Vec::new();
        reserve(&mut sorted, fingerprints.len(), "the order of fingerprints")?;
        let all = fingerprints.iter().copied().zip(0..);
        sorted.extend(all.filter(|&(fingerprint, _)| !skips_none || fingerprint != NONE));
        sorted.par_sort_unstable();
        let (mut distinct, mut starts, mut nodes) = (Vec::new(), Vec::new(), Vec::new());
        reserve(&mut distinct, sorted.len(), "fingerprints")?;
        reserve(&mut starts, sorted.len() + 1, "fingerprints")?;
        reserve(&mut nodes, sorted.len(), "fingerprints")?;
        for (place, &(fingerprint, node)) in sorted.iter().enumerate() {
            nodes.push(node);
            if distinct.last() != Some(&fingerprint) {
                distinct.push(fingerprint);
                starts.push(place as Node);
            }
        }
        starts.push(nodes.len() as Node);
        Ok(NearDuplicates {
            distinct,
            nodes,
            starts,
        })
    }

    /// The number of nodes that have a fingerprint.
    pub fn num_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The number of different fingerprints.
    pub fn num_distinct(&self) -> usize {
        self.distinct.len()
    }

    /// The nodes with a fingerprint, by its place among the different ones.
    pub(super) fn nodes_of(&self, place: Node) -> &[Node] {
        let place = place as usize;
        &self.nodes[self.starts[place] as usize..self.starts[place + 1] as usize]
    }

    /// Calls `found` with the places of every two different fingerprints within the distance.
    fn near(&self, max_distance: u32, progress: &dyn Progress, found: &FoundPlaces) -> Result<()> {
        if max_distance > MAX_DISTANCE {
            let remedy = format!("it must be at most {MAX_DISTANCE}");
            return Err(Error::argument("distance", max_distance, remedy));
        }
        let mut words = Vec::new();
        reserve(&mut words, self.distinct.len(), "a table of fingerprints")?;
        words.extend_from_slice(&self.distinct);
        let place = |word: u64| self.distinct.partition_point(|&other| other < word) as Node;
        near_pairs(&mut words, max_distance, progress, &|pairs| {
            found(&mut pairs.iter().map(|&(a, b)| (place(a), place(b))))
        })
    }

    /// The sets of nodes that are connected by steps of at most `max_distance`: within a cluster,
    /// two nodes may be farther from each other. Equal fingerprints are not compared with each other,
    /// and pairs are not kept.
    ///
    /// # Errors
    /// If the distance is larger than [`MAX_DISTANCE`]; if memory is short; if the user interrupts.
    pub fn clusters(&self, max_distance: u32, progress: &dyn Progress) -> Result<Clusters> {
        let sets = DisjointSets::new(self.distinct.len());
        self.near(max_distance, progress, &|pairs| {
            pairs.for_each(|(a, b)| sets.join(a, b));
            Ok(())
        })?;
        Clusters::of(self, &sets)
    }

    /// All pairs of nodes within a distance, in order. With 100,000 equal fingerprints these are
    /// 5 billion: 12 bytes a pair, none if that is more than the free memory.
    ///
    /// # Errors
    /// As for [`clusters`](Self::clusters); if there are too many pairs for the free memory.
    pub fn pairs(&self, max_distance: u32, progress: &dyn Progress) -> Result<Vec<NearPair>> {
        let near: Mutex<Vec<(Node, Node)>> = Mutex::default();
        self.near(max_distance, progress, &|pairs| {
            let mut near = near.lock().unwrap_or_else(PoisonError::into_inner);
            for pair in pairs {
                reserve(&mut near, 1, PAIRS)?;
                near.push(pair);
            }
            Ok(())
        })?;
        let near = near.into_inner().unwrap_or_else(PoisonError::into_inner);
        let size = |place: Node| self.nodes_of(place).len();
        let product = |&(a, b): &(Node, Node)| size(a).saturating_mul(size(b));
        let equal = (0..self.distinct.len() as Node).map(|place| {
            let size = size(place);
            size * (size - 1) / 2
        });
        let count = near.iter().map(product).chain(equal);
        let count = count.fold(0, usize::saturating_add);
        let mut pairs = Vec::new();
        reserve(&mut pairs, count, PAIRS)?;
        let pair = |a: Node, b: Node, distance| NearPair {
            first: a.min(b),
            second: a.max(b),
            distance,
        };
        for place in 0..self.distinct.len() as Node {
            let nodes = self.nodes_of(place);
            for (i, &a) in nodes.iter().enumerate() {
                pairs.extend(nodes[i + 1..].iter().map(|&b| pair(a, b, 0)));
            }
        }
        for &(a, b) in &near {
            let apart = distance(self.distinct[a as usize], self.distinct[b as usize]);
            for &a in self.nodes_of(a) {
                pairs.extend(self.nodes_of(b).iter().map(|&b| pair(a, b, apart)));
            }
        }
        pairs.par_sort_unstable();
        Ok(pairs)
    }
}

const PAIRS: &str = "pairs of near fingerprints";

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use webrank_base::progress::Silent;

    /// Fingerprints of which many are equal or near, and some are none.
    fn crowded() -> impl Strategy<Value = Vec<u64>> {
        let one = (0u64..40, prop::collection::vec(0u32..64, 0..4));
        let one = one.prop_map(|(centre, flips)| {
            let centre = centre.saturating_sub(4).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            flips.iter().fold(centre, |word, flip| word ^ 1 << flip)
        });
        prop::collection::vec(one, 0..200)
    }

    proptest! {
        #[test]
        fn pairs_are_as_defined(words in crowded(), k in 0u32..8, skips: bool) {
            let mut expected = Vec::new();
            for first in 0..words.len() {
                for second in first + 1..words.len() {
                    let (a, b) = (words[first], words[second]);
                    let is_none = skips && (a == NONE || b == NONE);
                    if distance(a, b) <= k && !is_none {
                        let (first, second) = (first as Node, second as Node);
                        expected.push(NearPair { first, second, distance: distance(a, b) });
                    }
                }
            }
            let duplicates = NearDuplicates::of(&words, skips).unwrap();
            prop_assert_eq!(duplicates.pairs(k, &Silent).unwrap(), expected);
        }

        #[test]
        fn clusters_are_the_components_of_pairs(words in crowded(), k in 0u32..8) {
            let duplicates = NearDuplicates::of(&words, true).unwrap();
            let pairs = duplicates.pairs(k, &Silent).unwrap();
            // The smallest node that each reaches, by as many rounds as it takes.
            let mut smallest: Vec<Node> = (0..words.len() as Node).collect();
            for _ in 0..words.len() {
                for pair in &pairs {
                    let (a, b) = (pair.first as usize, pair.second as usize);
                    let least = smallest[a].min(smallest[b]);
                    (smallest[a], smallest[b]) = (least, least);
                }
            }
            let with = |first: Node| {
                let nodes = 0..words.len() as Node;
                nodes.filter(|&node| smallest[node as usize] == first).collect()
            };
            let sets = (0..words.len() as Node).map(with);
            let mut expected: Vec<Vec<Node>> = sets.filter(|set: &Vec<_>| set.len() > 1).collect();
            expected.sort_by_key(|set| (std::cmp::Reverse(set.len()), set[0]));
            let clusters = duplicates.clusters(k, &Silent).unwrap();
            let found: Vec<&[Node]> = clusters.iter().collect();
            prop_assert_eq!(found, expected);
            let covered: usize = clusters.iter().map(<[Node]>::len).sum();
            prop_assert_eq!(clusters.num_nodes(), covered);
            prop_assert_eq!(clusters.representatives(words.len()).unwrap(), smallest);
        }
    }

    #[test]
    fn equal_fingerprints_take_no_pairs() {
        // 100,000 of these would be 5 billion pairs; there are as many pairs of the two.
        let words: Vec<u64> = (0..200_000).map(|i| 0xfeed + (i & 1)).collect();
        let duplicates = NearDuplicates::of(&words, false).unwrap();
        assert_eq!(
            (duplicates.num_nodes(), duplicates.num_distinct()),
            (200_000, 2)
        );
        let clusters = duplicates.clusters(3, &Silent).unwrap();
        assert_eq!((clusters.len(), clusters.num_nodes()), (1, 200_000));
        let apart = duplicates.clusters(0, &Silent).unwrap();
        assert_eq!((apart.len(), apart.num_nodes()), (2, 200_000));
    }

    #[test]
    fn too_large_a_distance_is_refused() {
        let duplicates = NearDuplicates::of(&[1, 2], false).unwrap();
        let problem = duplicates.pairs(MAX_DISTANCE + 1, &Silent).unwrap_err();
        assert!(problem.to_string().contains("at most 16"), "{problem}");
    }
}
