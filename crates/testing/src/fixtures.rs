//! Small graphs with values from other programs, in `tests/fixtures`.

use approx::assert_relative_eq;
use std::collections::HashMap;
use std::path::PathBuf;
use webrank_base::Node;
use webrank_graph::Csr;
use webrank_linear::Matrix;

/// The graphs that have fixtures.
pub const GRAPHS: [&str; 3] = ["karate", "scattered", "periodic"];

fn read(file: &str) -> String {
    let path = PathBuf::from(crate::at!("tests/fixtures")).join(file);
    std::fs::read_to_string(path).unwrap()
}

/// The rows of successors.
pub fn successors(name: &str) -> Csr {
    let text = read(&format!("{name}.edges.csv"));
    let mut lines = text.lines();
    let num_nodes = lines.next().unwrap().split(' ').nth(1).unwrap();
    let arcs = lines.map(|line| {
        let (source, target) = line.split_once(',').unwrap();
        (source.parse().unwrap(), target.parse().unwrap())
    });
    Csr::from_arcs(num_nodes.parse().unwrap(), arcs).unwrap()
}

/// The rows of predecessors.
pub fn predecessors(name: &str) -> Csr {
    successors(name).transpose().unwrap()
}

/// The weight that the scripts give to the arc i -> j.
pub fn weight(i: Node, j: Node) -> f64 {
    (1 + (3 * i + 5 * j) % 4) as f64
}

/// The matrix of predecessors, and the same with weights.
pub fn matrices(name: &str) -> [Matrix; 2] {
    let rows = predecessors(name);
    let weights = (0..rows.num_nodes() as Node).flat_map(|j| {
        let row = rows.row(j).iter();
        row.map(move |&i| weight(i, j))
    });
    let weighted = Matrix::weighted(rows.clone(), weights.collect()).unwrap();
    [Matrix::new(rows), weighted]
}

/// The columns of a table of values: `values`, `family`, `spectral` or `flow`.
pub fn values(name: &str, table: &str) -> HashMap<String, Vec<f64>> {
    let text = read(&format!("{name}.{table}.csv"));
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

/// Equal to nine digits; below `epsilon`, equal within `epsilon`.
pub fn assert_close(ours: &[f64], theirs: &[f64], epsilon: f64) {
    assert_eq!(ours.len(), theirs.len());
    for (ours, theirs) in ours.iter().zip(theirs) {
        assert_relative_eq!(ours, theirs, max_relative = 1e-9, epsilon = epsilon);
    }
}
