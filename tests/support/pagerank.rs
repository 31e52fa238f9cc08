//! Small graphs, runs and their parts, for the tests of PageRank.
#![allow(dead_code, reason = "each test file uses what it needs")]

use crate::oracle::pagerank::Dense;
use ndarray::Array1;
use proptest::prelude::*;
use webrank::centrality::pagerank::walk::RandomWalk;
use webrank::centrality::pagerank::{Damping, Dangling, Distribution, Method, PageRank, pagerank};
use webrank::graph::{Backward, Csr, Node};
use webrank::linear::{StopRule, Tolerance};
use webrank::progress::Silent;
use webrank::scores::{Outcome, Scores, Status};

pub const METHODS: [Method; 3] = [Method::Power, Method::GaussSeidel, Method::Components];

/// A graph as its number of nodes and its arcs.
#[derive(Debug, Clone)]
pub struct Arcs(pub usize, pub Vec<(Node, Node)>);

impl Arcs {
    pub fn walk(&self) -> RandomWalk {
        let reversed = self.1.iter().map(|&(i, j)| (j, i));
        RandomWalk::new(Backward {
            rows: Csr::from_arcs(self.0, reversed).unwrap(),
            outdegrees: None,
        })
        .unwrap()
    }

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
}

pub fn params(alpha: f64, method: Method) -> PageRank {
    PageRank {
        damping: Damping::new(alpha).unwrap(),
        method,
        ..PageRank::default()
    }
}

pub fn within(tolerance: f64) -> StopRule {
    StopRule {
        tolerance: Tolerance::new(tolerance).unwrap(),
        ..StopRule::default()
    }
}

pub fn run(graph: &Arcs, params: &PageRank, stop: &StopRule) -> Scores {
    pagerank(&graph.walk(), params, stop, &Silent).unwrap()
}

pub fn outcome(scores: &Scores) -> (Status, u32, f64) {
    match scores.run.outcome {
        Outcome::Iterated {
            status,
            iterations,
            error_bound,
            ..
        } => (status, iterations, error_bound),
        _ => unreachable!("PageRank iterates"),
    }
}

pub fn bits(scores: &Scores) -> Vec<u64> {
    scores.values.iter().map(|score| score.to_bits()).collect()
}

pub fn weights(weights: &[f64]) -> Distribution {
    Distribution::from_weights(weights.to_vec()).unwrap()
}

/// The entries of v or u, without the library's normalisation.
pub fn entries(distribution: &[u8]) -> Vec<f64> {
    let total: u32 = distribution.iter().map(|&weight| weight as u32).sum();
    let entry = |&weight: &u8| weight as f64 / total as f64;
    distribution.iter().map(entry).collect()
}

pub fn l1(a: &Array1<f64>, b: &Array1<f64>) -> f64 {
    (a - b).mapv(f64::abs).sum()
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

pub fn plain(method: Method) -> PageRank {
    params(0.85, method)
}

pub fn cycle(n: Node) -> Arcs {
    Arcs(n as usize, (0..n).map(|i| (i, (i + 1) % n)).collect())
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

pub fn alphas() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), Just(0.5), Just(0.85), Just(0.99), 0.0..0.999f64]
}

/// A graph and two distributions, not all zero, as small integers.
pub fn problems() -> impl Strategy<Value = (Arcs, Vec<u8>, Vec<u8>)> {
    graphs().prop_flat_map(|graph| {
        let weights = prop::collection::vec(prop_oneof![Just(0u8), 1..9u8], graph.0);
        let weights = weights.prop_map(|mut weights| {
            if weights.iter().all(|&weight| weight == 0) {
                weights[0] = 1;
            }
            weights
        });
        (Just(graph), weights.clone(), weights)
    })
}

/// The ways to treat dangling nodes, each with its u.
pub fn danglings(v: &[f64], u: &[f64]) -> [(Dangling, Vec<f64>); 4] {
    let n = v.len();
    [
        (Dangling::Preference, v.to_vec()),
        (Dangling::Uniform, vec![1.0 / n as f64; n]),
        (Dangling::None, vec![0.0; n]),
        (Dangling::Vector(weights(u)), u.to_vec()),
    ]
}
