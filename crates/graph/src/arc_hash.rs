//! A hash of the arcs of a graph that does not depend on their order: the same for rows of
//! successors and for rows of predecessors.
//!
//! It is the sum over all arcs of f(source) g(target) modulo 2^64, where f and g mix the bits of a
//! node. So each arc costs one mixing and an addition, and each row a mixing and a product. Graphs
//! that differ have different hashes, but for one pair in about 2^58, unless they were made to
//! collide: checksums of files, not this hash, protect against forgery.

use super::csr::Csr;
use super::direction::Direction;
use serde::{Deserialize, Serialize};
use webrank_base::Node;
use webrank_base::parallel::tasks;

/// The hash of a graph's arcs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArcHash(u64);

impl ArcHash {
    /// The hash of a graph given by rows of successors ([`Direction::Out`]) or of predecessors.
    /// O(n + m), parallel.
    pub fn of(rows: &Csr, direction: Direction) -> Self {
        let parts = tasks::map(rows.blocks(WEIGHT), |block| {
            block.fold(ArcHash::none(), |hash, node| {
                let node = node as Node;
                hash.with_row(node, rows.row(node), direction)
            })
        });
        parts.into_iter().fold(ArcHash::none(), ArcHash::with)
    }

    /// The hash of a graph without arcs.
    pub fn none() -> Self {
        ArcHash(0)
    }

    /// The hash of one more row.
    pub(crate) fn with_row(self, node: Node, row: &[Node], direction: Direction) -> Self {
        let product = match direction {
            Direction::Out => source(node).wrapping_mul(sum(row, target)),
            Direction::In => target(node).wrapping_mul(sum(row, source)),
        };
        ArcHash(self.0.wrapping_add(product))
    }

    /// The hash of one more row, of whose entries [`Self::entry`] adds up to `sum`.
    pub fn with_sum(self, node: Node, sum: u64, direction: Direction) -> Self {
        let own = match direction {
            Direction::Out => source(node),
            Direction::In => target(node),
        };
        ArcHash(self.0.wrapping_add(own.wrapping_mul(sum)))
    }

    /// The part of an entry in the sum of its row.
    pub fn entry(node: Node, direction: Direction) -> u64 {
        match direction {
            Direction::Out => target(node),
            Direction::In => source(node),
        }
    }

    /// The hash of two graphs together that have no arc in common.
    pub(crate) fn with(self, other: Self) -> Self {
        ArcHash(self.0.wrapping_add(other.0))
    }
}

/// Arcs and nodes of a task.
const WEIGHT: u64 = 1 << 16;

fn sum(row: &[Node], mixed: impl Fn(Node) -> u64) -> u64 {
    row.iter()
        .map(|&node| mixed(node))
        .fold(0, u64::wrapping_add)
}

#[inline(always)]
fn source(node: Node) -> u64 {
    mix(node ^ 0x9E37_79B9)
}

#[inline(always)]
fn target(node: Node) -> u64 {
    mix(node ^ 0x7F4A_7C15).rotate_left(23)
}

/// Products of 32 bits by 32 bits, which vector units have.
#[inline(always)]
fn mix(node: u32) -> u64 {
    let product = |a: u64, b: u32| (a & 0xFFFF_FFFF) * u64::from(b);
    let first = product(node.into(), 0xED5A_D4BB);
    let first = first ^ first >> 29;
    let low = product(first, 0xAC4C_1B51);
    let high = product(first >> 32 ^ low >> 17, 0x3184_8BAB);
    (low ^ high << 24).wrapping_add(high) | 1
}

impl Serialize for ArcHash {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&format!("{:016x}", self.0))
    }
}

impl<'de> Deserialize<'de> for ArcHash {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        let hash = u64::from_str_radix(&text, 16);
        hash.map(ArcHash).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn both_directions_have_one_hash_and_every_change_another() {
        let n = 60u32;
        let arcs: Vec<(Node, Node)> = (0..n)
            .flat_map(|x| [(x, x * x % n), (x, (x + 1) % n), (x, x / 2)])
            .collect();
        let graph = Csr::from_arcs(n as usize, arcs.clone()).unwrap();
        let hash = ArcHash::of(&graph, Direction::Out);
        let transpose = graph.transpose().unwrap();
        assert_eq!(hash, ArcHash::of(&transpose, Direction::In));
        assert_ne!(hash, ArcHash::of(&transpose, Direction::Out));
        let mut hashes = HashSet::from([hash.0]);
        for (place, &(from, to)) in arcs.iter().enumerate() {
            for other in 0..n {
                let mut changed = arcs.clone();
                if !arcs.contains(&(from, other))
                    && arcs.iter().filter(|&&x| x == (from, to)).count() == 1
                {
                    changed[place] = (from, other);
                    let changed = Csr::from_arcs(n as usize, changed).unwrap();
                    let is_new = hashes.insert(ArcHash::of(&changed, Direction::Out).0);
                    assert!(is_new, "{from} -> {to} became {other}");
                }
            }
        }
        assert!(hashes.len() > 5000);
    }

    #[test]
    fn nodes_are_mixed_apart() {
        let nodes = (0..1 << 16).chain(u32::MAX - (1 << 16)..u32::MAX);
        let nodes: Vec<u32> = nodes.collect();
        let mixed: HashSet<u64> = nodes.iter().map(|&node| mix(node)).collect();
        assert!(mixed.len() > nodes.len() - 2);
    }
}
