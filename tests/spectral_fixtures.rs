//! Values made by networkx, igraph and numpy: see `fixtures/make_spectral.py`.

use approx::assert_relative_eq;
use std::collections::HashMap;
use std::path::PathBuf;
use webrank::centrality::eigenvector::{Eigenvector, Norm, eigenvector};
use webrank::centrality::hits::{Hits, hits};
use webrank::centrality::katz::{Attenuation, Katz, Method, katz};
use webrank::centrality::seeley::{Seeley, seeley};
use webrank::graph::{Csr, Node, Predecessors, Successors};
use webrank::linear::{Matrix, Tolerance};
use webrank::progress::Silent;

const GRAPHS: [&str; 3] = ["karate", "scattered", "periodic"];

fn read(file: &str) -> String {
    let path = PathBuf::from("tests/fixtures").join(file);
    std::fs::read_to_string(path).unwrap()
}

/// The predecessors, and the weights that the script gives to arcs.
fn matrices(name: &str) -> [Matrix; 2] {
    let text = read(&format!("{name}.edges.csv"));
    let mut lines = text.lines();
    let num_nodes = lines.next().unwrap().split(' ').nth(1).unwrap();
    let arcs = lines.map(|line| {
        let (source, target) = line.split_once(',').unwrap();
        (target.parse().unwrap(), source.parse().unwrap())
    });
    let rows = Csr::from_arcs(num_nodes.parse().unwrap(), arcs).unwrap();
    let weights = (0..rows.num_nodes() as Node).flat_map(|j| {
        let row = rows.row(j).iter();
        row.map(move |&i| (1 + (3 * i + 5 * j) % 4) as f64)
    });
    let weighted = Matrix::weighted(rows.clone(), weights.collect()).unwrap();
    [Matrix::new(rows), weighted]
}

/// The columns of a table of values.
fn values(name: &str) -> HashMap<String, Vec<f64>> {
    let text = read(&format!("{name}.spectral.csv"));
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

fn assert_close(ours: &[f64], theirs: &[f64]) {
    assert_eq!(ours.len(), theirs.len());
    for (ours, theirs) in ours.iter().zip(theirs) {
        assert_relative_eq!(ours, theirs, max_relative = 1e-9, epsilon = 1e-10);
    }
}

#[test]
fn katz_equals_networkx_with_and_without_weights() {
    for name in GRAPHS {
        let values = values(name);
        let columns = [("katz", 0.05), ("katz_weighted", 0.02)];
        for (matrix, (column, alpha)) in matrices(name).iter().zip(columns) {
            for method in [Method::Power, Method::GaussSeidel] {
                let params = Katz {
                    alpha: Attenuation::new(alpha).unwrap(),
                    method,
                    tolerance: Tolerance::new(1e-12).unwrap(),
                    ..Katz::default()
                };
                let found = katz(Predecessors(matrix), &params, &Silent).unwrap();
                assert_close(&found.scores.values.to_vec(), &values[column]);
            }
        }
    }
}

#[test]
fn eigenvector_equals_networkx_igraph_and_numpy() {
    for name in GRAPHS {
        let values = values(name);
        let [plain, weighted] = matrices(name);
        for (matrix, norm, column) in [
            (&plain, Norm::L2, "eigenvector"),
            (&plain, Norm::L2, "eigenvector_igraph"),
            (&plain, Norm::L1, "eigenvector_numpy"),
            (&weighted, Norm::L1, "eigenvector_weighted"),
        ] {
            let Some(theirs) = values.get(column) else {
                continue;
            };
            let params = Eigenvector {
                norm,
                ..Eigenvector::default()
            };
            let found = eigenvector(Predecessors(matrix), &params, &Silent).unwrap();
            assert_close(&found.scores.values.to_vec(), theirs);
        }
    }
}

#[test]
fn seeley_equals_the_extrapolated_limit_of_numpy() {
    for name in GRAPHS {
        let values = values(name);
        for (matrix, column) in matrices(name).iter().zip(["seeley", "seeley_weighted"]) {
            let found = seeley(Predecessors(matrix), &Seeley::default(), &Silent).unwrap();
            for (ours, theirs) in found.scores.values.iter().zip(&values[column]) {
                assert_relative_eq!(ours, theirs, epsilon = 3e-9);
            }
        }
    }
}

#[test]
fn hits_equals_igraph_and_networkx() {
    for name in GRAPHS {
        let values = values(name);
        let weights = ["", "_weighted", "_weighted_networkx"];
        let [plain, weighted] = matrices(name);
        for (matrix, suffix) in [&plain, &weighted, &weighted].into_iter().zip(weights) {
            let Some(authorities) = values.get(&format!("authority{suffix}")) else {
                continue;
            };
            let successors = matrix.transposed().unwrap();
            let params = Hits::default();
            let rows = Predecessors(matrix);
            let found = hits(Successors(&successors), rows, &params, &Silent).unwrap();
            assert_close(&found.authorities.values.to_vec(), authorities);
            if let Some(hubs) = values.get(&format!("hub{suffix}")) {
                assert_close(&found.hubs.values.to_vec(), hubs);
            }
        }
    }
}
