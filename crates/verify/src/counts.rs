//! Scores that can be counted again: degrees, and SALSA from the components of its walk.

use super::compare::Truths;
use super::sweeps::ENTRY;
use super::{Finding, Question};
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::parallel::sums::{Compensated, compensated};
use webrank_graph::{Csr, Direction};
use webrank_linear::Matrix;

/// Indegrees, from the lists of successors.
pub fn indegree(question: &Question) -> Result<Finding> {
    occurrences(question, &*question.graph.successors(question.progress)?)
}

/// Outdegrees, from the lists of predecessors.
pub fn outdegree(question: &Question) -> Result<Finding> {
    occurrences(question, &*question.graph.predecessors(question.progress)?)
}

/// How often each node occurs in the lists.
fn occurrences(question: &Question, rows: &Csr) -> Result<Finding> {
    let mut counts = vec![0u64; rows.num_nodes()];
    rows.targets().iter().for_each(|&x| counts[x as usize] += 1);
    let counts: Vec<f64> = counts.into_iter().map(|count| count as f64).collect();
    let way = "counting in the other direction of the graph";
    Ok(whole(question, &counts, 0.0, way))
}

/// Authorities of SALSA.
pub fn authority(question: &Question) -> Result<Finding> {
    salsa(question, Direction::In)
}

/// Hubs of SALSA.
pub fn hub(question: &Question) -> Result<Finding> {
    salsa(question, Direction::Out)
}

/// `|C| / |A| degree(x) / arcs(C)`, where A are the nodes whose row `there` is not empty, and C those
/// of them that searches back and forth find from x.
fn salsa(question: &Question, direction: Direction) -> Result<Finding> {
    let there = question.matrix(direction)?;
    let back = there.transposed()?;
    let n = there.num_nodes();
    let is_member = |node: usize| there.rows().degree(node as Node) > 0;
    let members = (0..n).filter(|&node| is_member(node)).count() as f64;
    let degree = |node: Node| compensated(there.row(node).map(|(_, weight)| weight));
    let mut truth = vec![0.0; n];
    let (mut is_found, mut is_passed) = (vec![false; n], vec![false; n]);
    for first in (0..n).filter(|&node| is_member(node)) {
        if is_found[first] {
            continue;
        }
        is_found[first] = true;
        let component = connected(first as Node, &there, &back, &mut is_found, &mut is_passed);
        let mut arcs = Compensated::default();
        component.iter().for_each(|&node| arcs.add(degree(node)));
        for &node in &component {
            let share = component.len() as f64 / members;
            truth[node as usize] = share * (degree(node) / arcs.value());
        }
    }
    let way = "searching the components of the walk, and counting in them";
    Ok(whole(question, &truth, ENTRY, way))
}

/// The nodes found from `first`, which is marked as found, by going there and back.
fn connected(
    first: Node,
    there: &Matrix,
    back: &Matrix,
    is_found: &mut [bool],
    is_passed: &mut [bool],
) -> Vec<Node> {
    let mut found = vec![first];
    let mut next = 0;
    while let Some(&node) = found.get(next) {
        next += 1;
        for &middle in there.rows().row(node) {
            if std::mem::replace(&mut is_passed[middle as usize], true) {
                continue;
            }
            for &other in back.rows().row(middle) {
                if !std::mem::replace(&mut is_found[other as usize], true) {
                    found.push(other);
                }
            }
        }
    }
    found
}

fn whole(question: &Question, scores: &[f64], rounding: f64, way: &str) -> Finding {
    let nodes: Vec<Node> = (0..scores.len() as Node).collect();
    let truths = Truths {
        nodes: &nodes,
        scores,
        rounding,
        largest: 1.0,
    };
    truths.finding(question, way.to_owned())
}
