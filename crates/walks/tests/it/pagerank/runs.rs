//! Runs of PageRank and their parts, for all files of this folder.

use ndarray::Array1;
use proptest::prelude::*;
use webrank_base::progress::Silent;
use webrank_graph::{Csr, IncomingRows};
use webrank_linear::{StopRule, Tolerance};
use webrank_scores::parameters::{Damping, Dangling, Distribution};
use webrank_scores::{Outcome, Scores, Status};
use webrank_testing::graphs::*;
use webrank_walks::pagerank::walk::RandomWalk;
use webrank_walks::pagerank::{Method, PageRank, pagerank};

/// The random walk on a graph.
pub trait Walk {
    fn walk(&self) -> RandomWalk;
}

impl Walk for Arcs {
    fn walk(&self) -> RandomWalk {
        let reversed = self.1.iter().map(|&(i, j)| (j, i));
        RandomWalk::new(IncomingRows {
            rows: Csr::from_arcs(self.0, reversed).unwrap(),
            outdegrees: None,
        })
        .unwrap()
    }
}

pub const METHODS: [Method; 4] = [
    Method::Power,
    Method::Plain,
    Method::GaussSeidel,
    Method::Components,
];

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

pub fn plain(method: Method) -> PageRank {
    params(0.85, method)
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

/// Errors are certified, and as small as requested.
pub fn check(scores: &Scores, truth: &Array1<f64>, tolerance: f64) -> Result<(), TestCaseError> {
    let (status, _, bound) = outcome(scores);
    let error = l1(&scores.values, truth);
    prop_assert!(error <= bound + 1e-15, "{error:e} > {bound:e}");
    prop_assert_eq!(status, Status::Converged, "{:e}", bound);
    prop_assert!(bound <= tolerance);
    Ok(())
}
