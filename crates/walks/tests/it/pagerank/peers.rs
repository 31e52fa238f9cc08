//! PageRank and its variants against networkx, igraph and scipy: see `fixtures/make_fixtures.py`
//! and `fixtures/make_family.py`.

use approx::assert_relative_eq;
use webrank_base::Node;
use webrank_base::progress::Silent;
use webrank_graph::{Csr, IncomingRows, Successors};
use webrank_linear::{StopRule, Tolerance};
use webrank_scores::parameters::{Damping, Dangling, Distribution};
use webrank_testing::fixtures::*;
use webrank_walks::pagerank::derivative::pagerank_with_derivative;
use webrank_walks::pagerank::methods::weighted_power::WeightedWalk;
use webrank_walks::pagerank::seeds::{Seeds, pagerank_of_seeds};
use webrank_walks::pagerank::trustrank::{seed_candidates, trust_in, trustrank};
use webrank_walks::pagerank::walk::RandomWalk;
use webrank_walks::pagerank::weighted::weighted_pagerank;
use webrank_walks::pagerank::{Method, PageRank, pagerank};

fn ranked(graph: &Csr, params: &PageRank) -> Vec<f64> {
    let walk = RandomWalk::new(IncomingRows {
        rows: graph.transpose().unwrap(),
        outdegrees: None,
    });
    let stop = StopRule {
        tolerance: Tolerance::new(1e-12).unwrap(),
        ..StopRule::default()
    };
    let scores = pagerank(&walk.unwrap(), params, &stop, &Silent).unwrap();
    scores.values.to_vec()
}

#[test]
fn pagerank_equals_networkx_and_igraph() {
    for name in GRAPHS {
        let (graph, values) = (successors(name), values(name, "values"));
        for method in [Method::Power, Method::GaussSeidel] {
            let params = PageRank {
                method,
                ..PageRank::default()
            };
            let ours = ranked(&graph, &params);
            assert_close(&ours, &values["pagerank_networkx"], 1e-12);
            assert_close(&ours, &values["pagerank_igraph"], 1e-12);
        }
    }
}

#[test]
fn personalized_pagerank_equals_networkx() {
    for name in GRAPHS {
        let (graph, values) = (successors(name), values(name, "values"));
        let weights = (0..graph.num_nodes()).map(|node| (1 + node % 3) as f64);
        let preference = Distribution::from_weights(weights.collect()).unwrap();
        for (dangling, column) in [
            (Dangling::Preference, "personalized"),
            (Dangling::Uniform, "weak"),
        ] {
            let params = PageRank {
                preference: preference.clone(),
                dangling,
                ..PageRank::default()
            };
            assert_close(&ranked(&graph, &params), &values[column], 1e-12);
        }
    }
}

fn walk(rows: Csr) -> RandomWalk {
    RandomWalk::new(IncomingRows {
        rows,
        outdegrees: None,
    })
    .unwrap()
}

fn precise() -> StopRule {
    StopRule {
        tolerance: Tolerance::new(1e-12).unwrap(),
        ..StopRule::default()
    }
}

#[test]
fn seeds_equal_networkx_and_igraph() {
    for name in GRAPHS {
        let (walk, values) = (walk(predecessors(name)), values(name, "family"));
        let seeded = |seeds: &[Node], dangling| {
            let params = Seeds {
                damping: Damping::default(),
                dangling,
                ..Seeds::default()
            };
            pagerank_of_seeds(&walk, seeds, &params, &precise(), &Silent).unwrap()
        };
        let found = seeded(&[0, 9], Dangling::Preference);
        assert_close(&found[0].values.to_vec(), &values["seed_0"], 1e-11);
        assert_close(&found[1].values.to_vec(), &values["seed_9"], 1e-11);
        if let Some(theirs) = values.get("seed_0_igraph") {
            assert_close(&found[0].values.to_vec(), theirs, 1e-11);
        }
        let found = seeded(&[0], Dangling::Uniform);
        assert_close(&found[0].values.to_vec(), &values["seed_0_uniform"], 1e-11);
    }
}

#[test]
fn trust_and_its_candidates_equal_networkx() {
    for name in GRAPHS {
        let (rows, values) = (predecessors(name), values(name, "family"));
        let transposed = walk(rows.transpose().unwrap());
        let walk = walk(rows);
        let params = trust_in(&[0, 3, 7], Damping::default(), walk.num_nodes()).unwrap();
        let found = trustrank(&walk, &params, &precise(), &Silent).unwrap();
        assert_close(&found.values.to_vec(), &values["trust"], 1e-11);
        let params = PageRank::default();
        let found = seed_candidates(&transposed, &params, &precise(), &Silent).unwrap();
        assert_close(&found.values.to_vec(), &values["inverse"], 1e-11);
    }
}

#[test]
fn derivatives_equal_differences_of_direct_solutions() {
    for name in GRAPHS {
        let (walk, values) = (walk(predecessors(name)), values(name, "family"));
        let stop = StopRule {
            tolerance: Tolerance::new(1e-10).unwrap(),
            ..StopRule::default()
        };
        let params = PageRank::default();
        let found = pagerank_with_derivative(&walk, &params, &stop, &Silent).unwrap();
        // Finite differences with steps of 0.01 give about nine digits.
        let theirs = &values["derivative"];
        for (ours, theirs) in found.derivative.values.iter().zip(theirs) {
            assert_relative_eq!(ours, theirs, max_relative = 1e-8, epsilon = 1e-9);
        }
    }
}

#[test]
fn weighted_walks_equal_networkx_and_igraph() {
    for name in GRAPHS {
        let (rows, values) = (
            predecessors(name).transpose().unwrap(),
            values(name, "family"),
        );
        let weights = (0..rows.num_nodes() as Node).flat_map(|i| {
            let row = rows.row(i).iter();
            row.map(move |&j| weight(i, j))
        });
        let walk = WeightedWalk::new(Successors(&rows), weights.collect()).unwrap();
        let found = weighted_pagerank(&walk, &PageRank::default(), &precise(), &Silent).unwrap();
        assert_close(&found.values.to_vec(), &values["weighted"], 1e-11);
        assert_close(&found.values.to_vec(), &values["weighted_igraph"], 1e-11);
    }
}
