//! Values made by networkx, igraph and scipy: see `fixtures/make_family.py`.

use approx::assert_relative_eq;
use std::collections::HashMap;
use std::path::PathBuf;
use webrank::centrality::pagerank::derivative::pagerank_with_derivative;
use webrank::centrality::pagerank::methods::weighted_power::WeightedWalk;
use webrank::centrality::pagerank::seeds::{Seeds, pagerank_of_seeds};
use webrank::centrality::pagerank::trustrank::{seed_candidates, trust_in, trustrank};
use webrank::centrality::pagerank::walk::RandomWalk;
use webrank::centrality::pagerank::weighted::weighted_pagerank;
use webrank::centrality::pagerank::{Damping, Dangling, PageRank};
use webrank::graph::{Backward, Csr, Node, Successors};
use webrank::linear::{StopRule, Tolerance};
use webrank::progress::Silent;
use webrank::scores::Scores;

const GRAPHS: [&str; 3] = ["karate", "scattered", "periodic"];

fn read(file: &str) -> String {
    let path = PathBuf::from("tests/fixtures").join(file);
    std::fs::read_to_string(path).unwrap()
}

/// The rows of predecessors.
fn predecessors(name: &str) -> Csr {
    let text = read(&format!("{name}.edges.csv"));
    let mut lines = text.lines();
    let num_nodes = lines.next().unwrap().split(' ').nth(1).unwrap();
    let arcs = lines.map(|line| {
        let (source, target) = line.split_once(',').unwrap();
        (target.parse().unwrap(), source.parse().unwrap())
    });
    Csr::from_arcs(num_nodes.parse().unwrap(), arcs).unwrap()
}

fn walk(rows: Csr) -> RandomWalk {
    RandomWalk::new(Backward {
        rows,
        outdegrees: None,
    })
    .unwrap()
}

/// The columns of a table of values.
fn values(name: &str) -> HashMap<String, Vec<f64>> {
    let text = read(&format!("{name}.family.csv"));
    let mut rows = text.lines().skip(1).map(|line| line.split(','));
    let header: Vec<&str> = rows.next().unwrap().collect();
    let mut columns: HashMap<String, Vec<f64>> = HashMap::new();
    for row in rows {
        for (name, value) in header.iter().zip(row) {
            let column = columns.entry(name.to_string()).or_default();
            column.push(value.parse().unwrap());
        }
    }
    columns
}

fn assert_close(ours: &Scores, theirs: &[f64], relative: f64) {
    assert_eq!(ours.values.len(), theirs.len());
    for (ours, theirs) in ours.values.iter().zip(theirs) {
        assert_relative_eq!(ours, theirs, max_relative = relative, epsilon = 1e-11);
    }
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
        let (walk, values) = (walk(predecessors(name)), values(name));
        let seeded = |seeds: &[Node], dangling| {
            let params = Seeds {
                damping: Damping::default(),
                dangling,
            };
            pagerank_of_seeds(&walk, seeds, &params, &precise(), &Silent).unwrap()
        };
        let found = seeded(&[0, 9], Dangling::Preference);
        assert_close(&found[0], &values["seed_0"], 1e-9);
        assert_close(&found[1], &values["seed_9"], 1e-9);
        if let Some(theirs) = values.get("seed_0_igraph") {
            assert_close(&found[0], theirs, 1e-9);
        }
        let found = seeded(&[0], Dangling::Uniform);
        assert_close(&found[0], &values["seed_0_uniform"], 1e-9);
    }
}

#[test]
fn trust_and_its_candidates_equal_networkx() {
    for name in GRAPHS {
        let (rows, values) = (predecessors(name), values(name));
        let transposed = walk(rows.transpose().unwrap());
        let walk = walk(rows);
        let params = trust_in(&[0, 3, 7], Damping::default(), walk.num_nodes()).unwrap();
        let found = trustrank(&walk, &params, &precise(), &Silent).unwrap();
        assert_close(&found, &values["trust"], 1e-9);
        let params = PageRank::default();
        let found = seed_candidates(&transposed, &params, &precise(), &Silent).unwrap();
        assert_close(&found, &values["inverse"], 1e-9);
    }
}

#[test]
fn derivatives_equal_differences_of_direct_solutions() {
    for name in GRAPHS {
        let (walk, values) = (walk(predecessors(name)), values(name));
        let stop = StopRule {
            tolerance: Tolerance::new(1e-10).unwrap(),
            ..StopRule::default()
        };
        let params = PageRank::default();
        let found = pagerank_with_derivative(&walk, &params, &stop, &Silent).unwrap();
        // Differences with steps of 0.01 know nine digits or so.
        let theirs = &values["derivative"];
        for (ours, theirs) in found.derivative.values.iter().zip(theirs) {
            assert_relative_eq!(ours, theirs, max_relative = 1e-8, epsilon = 1e-9);
        }
    }
}

#[test]
fn weighted_walks_equal_networkx_and_igraph() {
    for name in GRAPHS {
        let (rows, values) = (predecessors(name).transpose().unwrap(), values(name));
        let weights = (0..rows.num_nodes() as Node).flat_map(|i| {
            let row = rows.row(i).iter();
            row.map(move |&j| (1 + (3 * i + 5 * j) % 4) as f64)
        });
        let walk = WeightedWalk::new(Successors(&rows), weights.collect()).unwrap();
        let found = weighted_pagerank(&walk, &PageRank::default(), &precise(), &Silent).unwrap();
        assert_close(&found, &values["weighted"], 1e-9);
        assert_close(&found, &values["weighted_igraph"], 1e-9);
    }
}
