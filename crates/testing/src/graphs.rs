//! Small graphs as lists of arcs, and strategies that make them.

use crate::oracle::pagerank::Dense;
use ndarray::{Array1, Array2};
use proptest::prelude::*;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::progress::Silent;
use webrank_graph::check::check;
use webrank_graph::{Csr, StoredGraph};
use webrank_linear::Matrix;

/// A graph as its number of nodes and its arcs.
#[derive(Debug, Clone)]
pub struct Arcs(pub usize, pub Vec<(Node, Node)>);

impl Arcs {
    pub fn dense(&self) -> Dense {
        let mut dense = Dense::from_elem((self.0, self.0), false);
        for &(i, j) in &self.1 {
            dense[[i as usize, j as usize]] = true;
        }
        dense
    }

    /// The node `i` becomes `names[i]`.
    pub fn relabelled(&self, names: &[Node]) -> Arcs {
        let arc = |&(i, j): &(Node, Node)| (names[i as usize], names[j as usize]);
        Arcs(self.0, self.1.iter().map(arc).collect())
    }

    /// The matrix whose rows are predecessors.
    pub fn matrix(&self) -> Matrix {
        let reversed = self.1.iter().map(|&(i, j)| (j, i));
        Matrix::new(Csr::from_arcs(self.0, reversed).unwrap())
    }

    /// The adjacency matrix: `a[[i, j]]` is 1 for an arc i -> j.
    pub fn adjacency(&self) -> Array2<f64> {
        self.dense().mapv(f64::from)
    }
}

/// Two undirected paths of n nodes, and an arc from the end of one to the start of the other: the
/// radius of each is 2 cos(pi / (n + 1)), and the second eigenvalue is nearly as large.
pub fn linked_paths(n: Node) -> Arcs {
    let path = |first: Node| {
        let steps = first..first + n - 1;
        steps.flat_map(|i| [(i, i + 1), (i + 1, i)])
    };
    let arcs = path(0).chain(path(n)).chain([(n - 1, n)]);
    Arcs(2 * n as usize, arcs.collect())
}

/// A number that looks random.
pub fn mixed(x: u32) -> u32 {
    let x = (x ^ (x >> 15)).wrapping_mul(0x2c1b_3c6d);
    (x ^ (x >> 12)).wrapping_mul(0x297a_2d39) >> 7
}

/// A ring with a shortcut from each node.
pub fn shortcuts(n: Node) -> Arcs {
    let arcs = (0..n).flat_map(|x| [(x, (x + 1) % n), (x, mixed(x) % n)]);
    Arcs(n as usize, arcs.collect())
}

/// Towns of 30 nodes, with few arcs between them.
pub fn towns(n: Node) -> Arcs {
    let arcs = (0..n).flat_map(|x| {
        let inside = |i: u32| (x, x / 30 * 30 + mixed(x + i * 5000) % 30);
        let far = mixed(x + 99_999) % n;
        [inside(0), inside(1), inside(2), (x / 5 * 5, far)]
    });
    Arcs(n as usize, arcs.collect())
}

pub fn cycle(n: Node) -> Arcs {
    Arcs(n as usize, (0..n).map(|i| (i, (i + 1) % n)).collect())
}

/// A pseudorandom graph large enough for many parallel blocks, with dangling nodes and self-loops.
pub fn large_graph() -> Arcs {
    let n = 30_000u32;
    let mut state = 1u64;
    let mut random = |below: u32| {
        state = state
            .wrapping_mul(0x5851_F42D_4C95_7F2D)
            .wrapping_add(0x1405_7B7E_F767_814F);
        ((state >> 33) % below as u64) as u32
    };
    let mut arcs = Vec::new();
    for i in 0..n {
        let outdegree = [0, 3, 10, 30][random(4) as usize];
        for _ in 0..outdegree {
            // Mostly near, sometimes among the few popular nodes, sometimes anywhere.
            arcs.push((
                i,
                match random(8) {
                    0 => random(n),
                    1 => random(100),
                    _ => (i / 50 * 50 + random(50)).min(n - 1),
                },
            ));
        }
    }
    Arcs(n as usize, arcs)
}

/// Digraphs of up to 12 nodes: self-loops, dangling and isolated nodes, several components, some
/// without arcs, some bipartite, whose walk has period 2.
pub fn graphs() -> impl Strategy<Value = Arcs> {
    (1usize..=12, any::<bool>()).prop_flat_map(|(n, bipartite)| {
        let arc = (0..n as Node, 0..n as Node);
        prop::collection::vec(arc, 0..3 * n).prop_map(move |mut arcs| {
            if bipartite {
                arcs.retain(|(i, j)| (i + j) % 2 == 1);
            }
            Arcs(n, arcs)
        })
    })
}

/// Digraphs of up to 12 nodes: self-loops, isolated nodes, several components, some without
/// cycles, some periodic.
pub fn periodic_or_acyclic() -> impl Strategy<Value = Arcs> {
    (1usize..=12, 0u8..4).prop_flat_map(|(n, kind)| {
        let arc = (0..n as Node, 0..n as Node);
        prop::collection::vec(arc, 0..3 * n).prop_map(move |mut arcs| {
            match kind {
                0 => arcs.retain(|(i, j)| (i + j) % 2 == 1),
                1 => arcs.retain(|(i, j)| i < j),
                _ => {}
            }
            Arcs(n, arcs)
        })
    })
}

/// Digraphs of up to 12 nodes, none among them, as numbers of nodes and arcs with repetitions.
pub fn digraphs() -> impl Strategy<Value = (usize, Vec<(Node, Node)>)> {
    (0..=12u32).prop_flat_map(|n| {
        let arc = (0..n.max(1), 0..n.max(1));
        let arcs = prop::collection::vec(arc, 0..=if n == 0 { 0 } else { 3 * n as usize });
        (Just(n as usize), arcs)
    })
}

pub fn l1(a: &Array1<f64>, b: &Array1<f64>) -> f64 {
    (a - b).mapv(f64::abs).sum()
}

/// Verifies a graph and its names, as `rank check` does.
pub fn checked(source: &StoredGraph) -> Result<Vec<String>> {
    let names = source.names()?;
    check(source, names.as_ref(), &Silent)
}

/// Rows of single nodes, runs, and copies of the row before; many self-loops; up to 83% of the
/// nodes dangling.
pub fn webs(nodes: usize) -> impl Strategy<Value = Arcs> {
    let row = prop_oneof![
        2 => prop::collection::vec((any::<Node>(), 1..2 as Node), 0..4),
        2 => prop::collection::vec((any::<Node>(), 1..60 as Node), 0..3),
        1 => Just(vec![(Node::MAX, 0)]),
    ];
    let rows = prop::collection::vec((row, any::<bool>(), 0..100u32), 1..=nodes);
    (rows, prop_oneof![Just(0u32), Just(50), Just(83)]).prop_map(|(rows, dangling)| {
        let n = rows.len() as Node;
        let (mut arcs, mut earlier) = (Vec::new(), Vec::new());
        for (node, (runs, has_loop, chance)) in rows.into_iter().enumerate() {
            if chance < dangling {
                continue;
            }
            let node = node as Node;
            let is_copy = runs.iter().any(|&(_, length)| length == 0);
            let mut row: Vec<Node> = match is_copy {
                true => earlier,
                false => runs
                    .iter()
                    .flat_map(|&(first, length)| first % n..(first % n + length).min(n))
                    .collect(),
            };
            row.extend(has_loop.then_some(node));
            row.sort_unstable();
            row.dedup();
            arcs.extend(row.iter().map(|&target| (node, target)));
            earlier = row;
        }
        Arcs(n as usize, arcs)
    })
}
