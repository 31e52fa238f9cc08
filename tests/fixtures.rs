//! Values made by networkx and igraph: see `fixtures/make_fixtures.py`.

use approx::assert_relative_eq;
use std::collections::HashMap;
use std::path::PathBuf;
use webrank::centrality::degree::{indegree, outdegree};
use webrank::centrality::geometric::closeness::{Closeness, Variant};
use webrank::centrality::geometric::harmonic::Harmonic;
use webrank::centrality::geometric::reachable::Reachable;
use webrank::centrality::geometric::{Direction, DistanceMeasure, geometric};
use webrank::centrality::pagerank::walk::RandomWalk;
use webrank::centrality::pagerank::{Dangling, Distribution, Method, PageRank, pagerank};
use webrank::graph::{Backward, Csr, Predecessors, Successors};
use webrank::linear::{StopRule, Tolerance};
use webrank::progress::Silent;

const GRAPHS: [&str; 3] = ["karate", "scattered", "periodic"];

fn read(file: &str) -> String {
    let path = PathBuf::from("tests/fixtures").join(file);
    std::fs::read_to_string(path).unwrap()
}

fn graph(name: &str) -> Csr {
    let text = read(&format!("{name}.edges.csv"));
    let mut lines = text.lines();
    let num_nodes = lines.next().unwrap().split(' ').nth(1).unwrap();
    let arcs = lines.map(|line| {
        let (source, target) = line.split_once(',').unwrap();
        (source.parse().unwrap(), target.parse().unwrap())
    });
    Csr::from_arcs(num_nodes.parse().unwrap(), arcs).unwrap()
}

/// The columns of a table of values.
fn values(name: &str) -> HashMap<String, Vec<f64>> {
    let text = read(&format!("{name}.values.csv"));
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

fn ranked(graph: &Csr, params: &PageRank) -> Vec<f64> {
    let walk = RandomWalk::new(Backward {
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

fn assert_close(ours: &[f64], theirs: &[f64]) {
    assert_eq!(ours.len(), theirs.len());
    for (ours, theirs) in ours.iter().zip(theirs) {
        assert_relative_eq!(ours, theirs, max_relative = 1e-9, epsilon = 1e-12);
    }
}

#[test]
fn pagerank_equals_networkx_and_igraph() {
    for name in GRAPHS {
        let (graph, values) = (graph(name), values(name));
        for method in [Method::Power, Method::GaussSeidel] {
            let params = PageRank {
                method,
                ..PageRank::default()
            };
            let ours = ranked(&graph, &params);
            assert_close(&ours, &values["pagerank_networkx"]);
            assert_close(&ours, &values["pagerank_igraph"]);
        }
    }
}

#[test]
fn personalized_pagerank_equals_networkx() {
    for name in GRAPHS {
        let (graph, values) = (graph(name), values(name));
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
            assert_close(&ranked(&graph, &params), &values[column]);
        }
    }
}

#[test]
fn geometric_measures_equal_networkx_and_igraph() {
    for name in GRAPHS {
        let (graph, values) = (graph(name), values(name));
        let closeness = |variant| Closeness { variant };
        let measures: [&dyn DistanceMeasure; 4] = [
            &Harmonic::default(),
            &closeness(Variant::Bavelas),
            &closeness(Variant::WassermanFaust),
            &Reachable,
        ];
        let predecessors = graph.transpose().unwrap();
        let result = geometric(
            Predecessors(&predecessors),
            Successors(&graph),
            Direction::In,
            &measures,
            &Silent,
        )
        .unwrap();
        let column = |index: usize| result.scores[index].values.to_vec();
        assert_close(&column(0), &values["harmonic"]);
        assert_close(&column(0), &values["harmonic_igraph"]);
        assert_close(&column(2), &values["closeness_wf"]);
        // networkx multiplies by the number of nodes that reach.
        let closeness = column(1).into_iter().zip(column(3)).map(|(c, r)| c * r);
        assert_close(&closeness.collect::<Vec<_>>(), &values["closeness"]);
        assert_close(
            &indegree(Predecessors(&predecessors)).values.to_vec(),
            &values["indegree"],
        );
        assert_close(
            &outdegree(Successors(&graph)).values.to_vec(),
            &values["outdegree"],
        );
    }
}
