//! Exact ties of vectors that a nonnegative matrix defines without naming nodes.
//!
//! Partition the nodes into classes such that, for every class, nodes of one class have equal entries in
//! the columns of that class, counted with multiplicity. Products with the matrix keep vectors that are
//! constant on classes, and so do limits of such products that begin with equal scores. So nodes of a class
//! have equal true scores. The coarsest such partition is found by splitting classes until nothing splits.
//!
//! Source: Boldi, Lonati, Santini and Vigna, "Graph fibrations, graph isomorphism, and PageRank", RAIRO
//! Theoretical Informatics and Applications 40, 2006.

use super::prepared::PreparedMatrix;
use std::collections::{BTreeMap, BTreeSet};
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::parallel::sums::compensated;

/// Nodes of matrices whose ties are searched for: each round takes O(m log m), and a path of n nodes takes
/// n / 2 rounds.
pub const SMALL: usize = 1_000;

/// Gives nodes of a class the same score, to the bit: their mean. Nothing changes in large matrices.
///
/// The mean is no further from the common true score than the scores are on average, but for a rounding.
///
/// # Errors
/// If rows cannot be read.
pub fn level(matrix: &PreparedMatrix, x: &mut [f64]) -> Result<()> {
    if x.len() > SMALL {
        return Ok(());
    }
    let first = vec![0; x.len()];
    let classes = classes(first, |node, classes| entries(matrix, node, classes))?;
    average(&classes, x);
    Ok(())
}

/// Gives nodes of a class the same score, to the bit: their mean.
pub fn average(classes: &[usize], x: &mut [f64]) {
    let mut members = BTreeMap::<usize, Vec<usize>>::new();
    for (node, &class) in classes.iter().enumerate() {
        members.entry(class).or_default().push(node);
    }
    for nodes in members.values().filter(|nodes| nodes.len() > 1) {
        let mean = compensated(nodes.iter().map(|&node| x[node])) / nodes.len() as f64;
        nodes.iter().for_each(|&node| x[node] = mean);
    }
}

/// The class of each node: those of `first`, split until nodes of a class have the same entries, each with the
/// class of its column and the bits of its number. O(m log m) per round, at most n rounds.
///
/// # Errors
/// As for `entries`.
pub fn classes(
    first: Vec<usize>,
    entries: impl Fn(usize, &[usize]) -> Result<Vec<(usize, u64)>>,
) -> Result<Vec<usize>> {
    let n = first.len();
    let mut count = first.iter().collect::<BTreeSet<_>>().len();
    let mut classes = first;
    loop {
        let mut found = BTreeMap::new();
        let mut split = Vec::with_capacity(n);
        for node in 0..n {
            let mut entries = entries(node, &classes)?;
            entries.sort_unstable();
            let next = found.len();
            split.push(*found.entry((classes[node], entries)).or_insert(next));
        }
        // Classes only split: as many as before are the same ones.
        if found.len() == count {
            return Ok(split);
        }
        (classes, count) = (split, found.len());
    }
}

/// The entries of a row, each with the class of its column.
fn entries(matrix: &PreparedMatrix, node: usize, classes: &[usize]) -> Result<Vec<(usize, u64)>> {
    let of = |column: Node, weight: f64| (classes[column as usize], weight.to_bits());
    match (matrix.weighted(), matrix.rows()) {
        (Some(matrix), _) => Ok(matrix.row(node as Node).map(|(j, w)| of(j, w)).collect()),
        (None, Some(rows)) => rows.with_row(rows.row_of(node), |row| {
            row.nodes().map(|column| of(column, 1.0)).collect()
        }),
        (None, None) => Ok(Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Matrix;
    use webrank_graph::Csr;

    fn of(rows: &[&[Node]], weights: Option<Vec<f64>>) -> PreparedMatrix {
        let arcs = (0..).zip(rows);
        let arcs = arcs.flat_map(|(node, row)| row.iter().map(move |&other| (node, other)));
        let rows = Csr::from_arcs(rows.len(), arcs).unwrap();
        PreparedMatrix::new(match weights {
            None => Matrix::new(rows),
            Some(weights) => Matrix::weighted(rows, weights).unwrap(),
        })
    }

    fn classes_of(matrix: &PreparedMatrix) -> Vec<usize> {
        let first = vec![0; matrix.num_nodes()];
        classes(first, |node, classes| entries(matrix, node, classes)).unwrap()
    }

    #[test]
    fn nodes_that_mirror_each_other_tie() {
        let path: &[&[Node]] = &[&[1], &[0, 2], &[1, 3], &[2, 4], &[3]];
        assert_eq!(classes_of(&of(path, None)), [0, 1, 2, 1, 0]);
        let mut x = [1.0, 2.0, 5.0, 4.0, 1.5];
        level(&of(path, None), &mut x).unwrap();
        assert_eq!(x, [1.25, 3.0, 5.0, 3.0, 1.25]);
        // A weight breaks the symmetry.
        let weights = vec![1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0];
        assert_eq!(classes_of(&of(path, Some(weights))), [0, 1, 2, 3, 4]);
        assert!(classes_of(&of(&[], None)).is_empty());
        assert_eq!(classes_of(&of(&[&[], &[]], None)), [0, 0]);
    }
}
