//! The nodes to search from.

use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::random::SplitMix;

/// A choice of nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SearchSources {
    /// Every node.
    All,
    /// These; repeats count once.
    List(Vec<Node>),
    /// A uniform sample of `count` different nodes; all nodes if there are no more.
    Sample {
        /// How many.
        count: usize,
        /// The seed that fixes the sample.
        seed: u64,
    },
}

impl SearchSources {
    /// The nodes chosen from a graph of `num_nodes`, each once, in increasing order.
    ///
    /// # Errors
    /// If a listed node is not in the graph.
    pub fn nodes(&self, num_nodes: usize) -> Result<Vec<Node>> {
        match self {
            SearchSources::All => Ok((0..num_nodes as Node).collect()),
            SearchSources::List(list) => {
                if let Some(outside) = list.iter().find(|&&node| node as usize >= num_nodes) {
                    return Err(Error::argument(
                        "source",
                        outside,
                        format!("the graph's nodes are 0 to n - 1, and n is {num_nodes}"),
                    ));
                }
                let mut nodes = list.clone();
                nodes.sort_unstable();
                nodes.dedup();
                Ok(nodes)
            }
            &SearchSources::Sample { count, seed } => Ok(sample(num_nodes, count, seed)),
        }
    }
}

/// Selection sampling: each node in turn is taken with the probability that leaves every subset
/// of `count` nodes equally likely (Knuth, TAOCP 2, algorithm 3.4.2 S). O(n).
fn sample(num_nodes: usize, count: usize, seed: u64) -> Vec<Node> {
    let mut random = SplitMix::new(seed);
    let mut missing = count.min(num_nodes) as u64;
    let mut nodes = Vec::with_capacity(missing as usize);
    for node in 0..num_nodes {
        if random.below((num_nodes - node) as u64) < missing {
            nodes.push(node as Node);
            missing -= 1;
        }
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_its_size_and_is_fixed_by_its_seed() {
        let pick = |count, seed| SearchSources::Sample { count, seed }.nodes(1000).unwrap();
        assert_eq!(pick(100, 1).len(), 100);
        assert_eq!(pick(100, 1), pick(100, 1));
        assert_ne!(pick(100, 1), pick(100, 2));
        assert_eq!(pick(2000, 1), SearchSources::All.nodes(1000).unwrap());
    }

    #[test]
    fn every_node_is_sampled_equally_often() {
        let mut hits = [0; 10];
        for seed in 0..10_000 {
            for node in sample(10, 3, seed) {
                hits[node as usize] += 1;
            }
        }
        // Standard deviation 46; the seeds are fixed, so the test is deterministic.
        assert!(
            hits.iter().all(|&h: &i32| (h - 3000).abs() < 200),
            "{hits:?}"
        );
    }

    #[test]
    fn nodes_outside_the_graph_are_refused() {
        assert!(SearchSources::List(vec![3, 0]).nodes(3).is_err());
        assert_eq!(SearchSources::List(vec![2, 0, 2]).nodes(3).unwrap(), [0, 2]);
    }
}
