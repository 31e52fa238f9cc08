//! Clusters of nodes with equal or near fingerprints.

use super::NearDuplicates;
use std::cmp::Reverse;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::memory::{filled, reserve};
use webrank_graph::DisjointSets;

/// Sets of at least two nodes, the largest first; of equal ones, that with the smallest node first.
/// 4 bytes a node in them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clusters {
    /// The nodes of all clusters, increasing in each.
    members: Vec<Node>,
    /// Where the nodes of each cluster start, and the end.
    starts: Vec<Node>,
}

impl Clusters {
    /// The sets of nodes whose fingerprints are in one set.
    pub(super) fn of(duplicates: &NearDuplicates, sets: &DisjointSets) -> Result<Self> {
        let count = duplicates.num_distinct();
        let places = 0..count as Node;
        // The number of nodes in each set, and the smallest of them.
        let mut sizes: Vec<(Node, Node)> = filled((0, Node::MAX), count, WHAT)?;
        for place in places.clone() {
            let nodes = duplicates.nodes_of(place);
            let (size, first) = &mut sizes[sets.find(place) as usize];
            *size += nodes.len() as Node;
            *first = nodes.iter().fold(*first, |first, &node| first.min(node));
        }
        let mut largest: Vec<Node> = Vec::new();
        reserve(&mut largest, count, WHAT)?;
        largest.extend(places.clone().filter(|&place| sizes[place as usize].0 > 1));
        largest.sort_unstable_by_key(|&place| {
            let (size, first) = sizes[place as usize];
            (Reverse(size), first)
        });
        let mut starts: Vec<Node> = Vec::new();
        reserve(&mut starts, largest.len() + 1, WHAT)?;
        let mut end = 0;
        for &place in &largest {
            starts.push(end);
            let (size, next) = &mut sizes[place as usize];
            *next = end;
            end += *size;
        }
        starts.push(end);
        // The second number is now where the next node of the set goes.
        let mut members: Vec<Node> = filled(0, end as usize, WHAT)?;
        for place in places {
            let (size, next) = &mut sizes[sets.find(place) as usize];
            if *size > 1 {
                for &node in duplicates.nodes_of(place) {
                    members[*next as usize] = node;
                    *next += 1;
                }
            }
        }
        let mut clusters = Clusters { members, starts };
        for cluster in 0..clusters.len() {
            let nodes = clusters.starts[cluster] as usize..clusters.starts[cluster + 1] as usize;
            clusters.members[nodes].sort_unstable();
        }
        Ok(clusters)
    }

    /// The number of clusters.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// True if no node is in a cluster.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of nodes in clusters.
    pub fn num_nodes(&self) -> usize {
        self.members.len()
    }

    /// The nodes of a cluster, increasing.
    ///
    /// # Panics
    /// If there is no such cluster.
    pub fn get(&self, cluster: usize) -> &[Node] {
        &self.members[self.starts[cluster] as usize..self.starts[cluster + 1] as usize]
    }

    /// The nodes of each cluster.
    pub fn iter(&self) -> impl Iterator<Item = &[Node]> {
        (0..self.len()).map(|cluster| self.get(cluster))
    }

    /// The cluster and the node of each row of a table of all members.
    pub fn row(&self, row: usize) -> (Node, Node) {
        let cluster = self.starts.partition_point(|&start| start as usize <= row) - 1;
        (cluster as Node, self.members[row])
    }

    /// For each of `num_nodes` nodes, the smallest node of its cluster; nodes of no cluster stand for
    /// themselves.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn representatives(&self, num_nodes: usize) -> Result<Vec<Node>> {
        let mut representative: Vec<Node> = Vec::new();
        reserve(&mut representative, num_nodes, WHAT)?;
        representative.extend(0..num_nodes as Node);
        for nodes in self.iter() {
            for &node in nodes {
                representative[node as usize] = nodes[0];
            }
        }
        Ok(representative)
    }
}

const WHAT: &str = "clusters";
