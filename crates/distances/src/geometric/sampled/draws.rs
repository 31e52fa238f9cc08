//! Which nodes are drawn: one from each of k equal runs of an order in which neighbours stand together.
//!
//! With u uniform in [0, 1), draw i is the node at place floor((i + u) N / k) of N. So every node is drawn
//! k/N times in expectation, also where N / k is no whole number: a node that two runs share is drawn
//! from each with the probability of its part there. Draws are independent.
//!
//! Draws belong to 16 random groups. One of each 16 successive draws goes to each group, which one is
//! random. So each group is itself spread over the order, and the variance among the groups is, in
//! expectation, no smaller than that of the sum: it holds the variance within the runs, and some of that
//! between neighbouring ones.

use crate::reduction::Reduced;
use crate::traversal::bit_parallel::LANES;
use webrank_base::Node;
use webrank_base::random::{SplitMix, finalised};

/// The number of groups.
pub(super) const GROUPS: usize = 16;

/// The lanes of a batch that belong to a group, side by side.
pub(super) const OF_GROUP: usize = LANES / GROUPS;

/// All nodes with a successor (in the direction of the search), in the order of the searches of a reduced
/// graph, those with equal rows side by side. The others reach nothing.
pub(super) fn order(graph: &Reduced) -> Vec<Node> {
    let (mut order, mut members) = (Vec::new(), Vec::new());
    for &leader in graph.leaders() {
        members.clear();
        graph.members(leader, &mut members);
        let nodes = members.iter().map(|member| member.node);
        order.extend(nodes.filter(|&node| graph.rows().degree(node) > 0));
    }
    order
}

/// The drawn nodes.
pub(super) struct Draws {
    /// In their order.
    pub(super) nodes: Vec<Node>,
    /// The group of each.
    groups: Vec<u8>,
}

impl Draws {
    /// `count` draws from `order`, no more than there are nodes.
    pub(super) fn new(order: &[Node], count: usize, seed: u64) -> Self {
        let mut draws = Self::places(order.len(), count, seed);
        let places = draws.nodes.iter_mut();
        places.for_each(|node| *node = order[*node as usize]);
        draws
    }

    /// The places of `count` draws in an order of so many nodes, fewer than 2^32, in place of the nodes.
    pub(super) fn places(nodes: usize, count: usize, seed: u64) -> Self {
        let mut random = SplitMix::new(finalised(seed));
        // (i + u) N / k, with u a multiple of 2^-64: below 2^128, as i and N are below 2^32.
        let scaled = |i: usize, u: u64| ((i as u128) << 64 | u128::from(u)) * nodes as u128;
        let place = |i: usize, u: u64| ((scaled(i, u) / count as u128) >> 64) as Node;
        let nodes = (0..count).map(|i| place(i, random.next())).collect();
        let mut groups: Vec<u8> = (0..count).map(|i| (i % GROUPS) as u8).collect();
        // The last ones may be fewer: which groups they miss is random, too.
        for block in groups.chunks_mut(GROUPS) {
            let mut all: [u8; GROUPS] = std::array::from_fn(|group| group as u8);
            for (i, group) in block.iter_mut().enumerate() {
                let chosen = i + random.below((GROUPS - i) as u64) as usize;
                all.swap(i, chosen);
                *group = all[i];
            }
        }
        Draws { nodes, groups }
    }

    /// The number of draws.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The group of a draw.
    pub(super) fn group(&self, draw: usize) -> usize {
        self.groups[draw].into()
    }

    /// The lane of a draw in its batch.
    pub(super) fn lane(&self, draw: usize) -> usize {
        self.group(draw) * OF_GROUP + draw % LANES / GROUPS
    }

    /// The number of draws of each group.
    pub(super) fn sizes(&self) -> [u32; GROUPS] {
        let mut sizes = [0; GROUPS];
        self.groups
            .iter()
            .for_each(|&group| sizes[usize::from(group)] += 1);
        sizes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_is_drawn_equally_often_and_from_its_run() {
        let order: Vec<Node> = (0..10).collect();
        // Runs of 10/7 nodes: most nodes belong to two of them.
        let mut drawn = [0u32; 10];
        for seed in 0..20_000 {
            let draws = Draws::new(&order, 7, seed);
            for (i, &node) in draws.nodes.iter().enumerate() {
                let place = node as usize;
                assert!(
                    7 * place < 10 * (i + 1) && 7 * (place + 1) > 10 * i,
                    "{i} {node}"
                );
                drawn[place] += 1;
            }
        }
        // 14,000 each; standard deviation below 65.
        assert!(
            drawn.iter().all(|&count| count.abs_diff(14_000) < 300),
            "{drawn:?}"
        );
    }

    #[test]
    fn as_many_draws_as_nodes_are_all_nodes() {
        for n in [1, 2, 15, 16, 17, 1000] {
            let order: Vec<Node> = (0..n).rev().collect();
            assert_eq!(Draws::new(&order, n as usize, 5).nodes, order);
        }
    }

    #[test]
    fn lanes_of_a_batch_are_different_and_belong_to_their_groups() {
        let order: Vec<Node> = (0..5000).collect();
        for count in [1, 16, 100, 512, 1000, 1024] {
            let draws = Draws::new(&order, count, 3);
            for batch in (0..count).collect::<Vec<_>>().chunks(LANES) {
                let mut lanes: Vec<usize> = batch.iter().map(|&draw| draws.lane(draw)).collect();
                lanes.sort_unstable();
                lanes.dedup();
                assert_eq!(lanes.len(), batch.len());
                assert!(lanes.iter().all(|&lane| lane < LANES));
            }
            let sizes = draws.sizes();
            let [least, most] = [count / GROUPS, count.div_ceil(GROUPS)].map(|size| size as u32);
            assert!(sizes.iter().all(|&size| least <= size && size <= most));
        }
        // No group has the same place in all blocks.
        let draws = Draws::new(&order, 1600, 9);
        let first = (0..100)
            .filter(|block| draws.group(16 * block) == 0)
            .count();
        assert!((1..20).contains(&first), "{first}");
    }
}
