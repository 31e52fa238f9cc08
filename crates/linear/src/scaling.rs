//! Weights that span hundreds of orders of magnitude, brought into the range of doubles.
//!
//! Multiplying by a power of two is exact, as long as the result is a normal number. So measures
//! may choose the units of weights, and of each node's score: with scores `x_i = y_i 2^(d_i)`, the
//! equation `M x = rho x` reads
//!
//! ```text
//! M' y = rho 2^-s y,        M'_ij = w_ij 2^(d_j - d_i - s).
//! ```
//!
//! If s is at least the largest mean of the logarithms of the weights of a cycle (which Howard's
//! policy iteration finds) and the d_i are the lengths of longest paths in these logarithms, then
//! no entry of M' is much above 1, and entries that become 0 are negligible.
//!
//! Source: Cochet-Terrasson, Cohen, Gaubert, McGettrick and Quadrat, "Numerical computation of
//! spectral elements in max-plus algebra", IFAC SSC 1998; Dasdan, "Experimental analysis of the
//! fastest optimum cycle ratio and mean algorithms", ACM TODAES 9, 2004.

use super::irreducible::Irreducible;
use super::matrix::Matrix;
use super::wide::{ExtendedFloat, exponent_of};
use std::collections::VecDeque;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;

/// Weights from 2^-ORDINARY to 2^ORDINARY need no care.
const ORDINARY: i32 = 64;

/// Potentials may miss the longest path by this, in powers of two for each arc.
const SLACK: f64 = 0.25;

/// Rounds of policy iteration; a few suffice in practice.
const ROUNDS: usize = 1000;

/// True if products of a few of these weights are far from the limits of doubles.
pub fn is_ordinary(weights: Option<&[f64]>) -> bool {
    weights.is_none_or(|weights| {
        let ordinary = -ORDINARY..ORDINARY;
        tasks::all(weights.len(), |arc| {
            ordinary.contains(&exponent_of(weights[arc]))
        })
    })
}

/// The largest exponent of a weight; 0 if there are none.
pub fn largest_exponent(weights: Option<&[f64]>) -> i64 {
    weights.map_or(0, |weights| {
        let largest = tasks::largest(weights.len(), |arc| weights[arc]);
        match largest > 0.0 {
            true => exponent_of(largest).into(),
            false => 0,
        }
    })
}

/// The exponent of the largest weight that leaves each node, for a matrix with rows of predecessors;
/// 0 for nodes that none leaves.
///
/// # Errors
/// If there is not enough memory.
pub fn leaving_exponents(matrix: &Matrix) -> Result<Vec<i32>> {
    let columns = matrix.transposed()?;
    Ok(tasks::tabulate(matrix.num_nodes(), |node| {
        let weights = columns.row(node as Node).map(|(_, weight)| weight);
        match weights.fold(0.0, f64::max) {
            largest if largest > 0.0 => exponent_of(largest),
            _ => 0,
        }
    }))
}

/// The matrix of the parts in units in which no entry is much above 1.
pub struct BalancedParts {
    /// The parts: M'.
    pub irreducible: Irreducible,
    /// d, by places.
    pub exponents: Vec<i64>,
    /// s.
    pub shift: i64,
}

impl BalancedParts {
    /// Balances every part by itself. A few times O(n + m) in practice.
    ///
    /// # Errors
    /// If the user interrupts.
    pub fn new(irreducible: &Irreducible, progress: &dyn Progress) -> Result<Self> {
        let mut exponents = Vec::with_capacity(irreducible.nodes().len());
        let mut largest = f64::NEG_INFINITY;
        for part in irreducible.parts() {
            let (mean, potentials) = largest_cycle_mean(&irreducible.part(part)?, progress)?;
            largest = largest.max(mean);
            exponents.extend(potentials.iter().map(|potential| potential.floor() as i64));
        }
        let shift = (largest + 1e-6).ceil() as i64;
        let matrix = irreducible.weighted().expect("only weights need balance");
        let balanced = matrix.mapped(|i, j, weight| {
            let [i, j] = [i, j].map(|place| exponents[place as usize]);
            ExtendedFloat::new(weight).scaled(j - i - shift).get()
        });
        Ok(BalancedParts {
            irreducible: irreducible.with_matrix(balanced),
            exponents,
            shift,
        })
    }
}

/// The largest mean, over the cycles of an irreducible matrix, of the binary logarithms of their
/// weights; and potentials p with `log2 w_ij + p_j - mean <= p_i + SLACK`.
fn largest_cycle_mean(part: &Matrix, progress: &dyn Progress) -> Result<(f64, Vec<f64>)> {
    let n = part.num_nodes();
    let logs = |node: usize| {
        let row = part.row(node as Node);
        row.map(|(j, weight)| (j as usize, ExtendedFloat::new(weight).log2()))
    };
    let heaviest = |node: usize| logs(node).max_by(|a, b| a.1.total_cmp(&b.1));
    // Each node's policy is one of its arcs.
    let mut policy: Vec<(usize, f64)> = (0..n)
        .map(|node| heaviest(node).expect("irreducible rows have entries"))
        .collect();
    let mut potentials = vec![0.0; n];
    let mut mean = f64::NEG_INFINITY;
    for _ in 0..ROUNDS {
        progress.check()?;
        let (best, start) = best_cycle(&policy);
        mean = best.max(mean);
        evaluate(&policy, start, mean, &mut potentials);
        let mut is_better = false;
        for node in 0..n {
            for (j, log) in logs(node) {
                let value = log + potentials[j] - mean;
                if value > potentials[node] {
                    is_better |= value > potentials[node] + SLACK;
                    potentials[node] = value;
                    policy[node] = (j, log);
                }
            }
        }
        if !is_better {
            break;
        }
    }
    Ok((mean, potentials))
}

/// The largest mean of a cycle of the policy, and a node of that cycle.
fn best_cycle(policy: &[(usize, f64)]) -> (f64, usize) {
    let mut visit = vec![usize::MAX; policy.len()];
    let mut best = (f64::NEG_INFINITY, 0);
    for start in 0..policy.len() {
        let mut node = start;
        while visit[node] == usize::MAX {
            visit[node] = start;
            node = policy[node].0;
        }
        if visit[node] != start {
            continue;
        }
        let (first, mut sum, mut length) = (node, 0.0, 0.0);
        loop {
            let (next, log) = policy[node];
            (sum, length, node) = (sum + log, length + 1.0, next);
            if node == first {
                break;
            }
        }
        if sum / length > best.0 {
            best = (sum / length, first);
        }
    }
    best
}

/// Sets the potentials of the nodes whose policies lead to `start`.
fn evaluate(policy: &[(usize, f64)], start: usize, mean: f64, potentials: &mut [f64]) {
    let mut first = vec![usize::MAX; policy.len()];
    let mut next = vec![usize::MAX; policy.len()];
    for (node, &(to, _)) in policy.iter().enumerate() {
        next[node] = std::mem::replace(&mut first[to], node);
    }
    let mut stack = vec![start];
    while let Some(to) = stack.pop() {
        let mut node = first[to];
        while node != usize::MAX {
            if node != start {
                potentials[node] = policy[node].1 + potentials[to] - mean;
                stack.push(node);
            }
            node = next[node];
        }
    }
}

/// The exponents of longest paths: `d_i = max(d_j + exponent(j, i))` over the arcs into i, from
/// the starts that are given; `None` for nodes that no start reaches. `exponents` gives the nodes
/// that a node gives to, and no cycle may have a positive sum of exponents.
///
/// # Errors
/// If the user interrupts.
pub fn longest_paths<I: Iterator<Item = (Node, i64)>>(
    starts: Vec<Option<i64>>,
    exponents: impl Fn(Node) -> I,
    progress: &dyn Progress,
) -> Result<Vec<Option<i64>>> {
    let mut longest = starts;
    let nodes = 0..longest.len() as Node;
    let mut queue: VecDeque<Node> = nodes
        .filter(|&node| longest[node as usize].is_some())
        .collect();
    let mut is_queued: Vec<bool> = longest.iter().map(Option::is_some).collect();
    let mut steps = 0u64;
    while let Some(node) = queue.pop_front() {
        is_queued[node as usize] = false;
        let here = longest[node as usize].expect("it was reached");
        for (to, exponent) in exponents(node) {
            let entry = &mut longest[to as usize];
            if entry.is_none_or(|length| length < here + exponent) {
                *entry = Some(here + exponent);
                if !std::mem::replace(&mut is_queued[to as usize], true) {
                    queue.push_back(to);
                }
            }
        }
        steps += 1;
        if steps.is_multiple_of(1 << 12) {
            progress.check()?;
        }
    }
    Ok(longest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use webrank_base::progress::Silent;
    use webrank_graph::Csr;
    use webrank_graph::components::StrongComponents;

    fn balanced(n: usize, arcs: &[(Node, Node, f64)]) -> BalancedParts {
        let rows = Csr::from_arcs(n, arcs.iter().map(|&(j, i, _)| (i, j))).unwrap();
        let mut weights = arcs.to_vec();
        weights.sort_by_key(|&(j, i, _)| (i, j));
        let weights = weights.iter().map(|arc| arc.2).collect();
        let matrix = Matrix::weighted(rows, weights).unwrap();
        let components = StrongComponents::new(matrix.rows(), &Silent).unwrap();
        BalancedParts::new(&Irreducible::new(&matrix, &components), &Silent).unwrap()
    }

    #[test]
    fn balanced_entries_are_at_most_about_one_and_cycles_keep_their_weights() {
        for arcs in [
            vec![(0, 1, 1e300), (1, 0, 1e-300)],
            vec![(0, 1, 1e-320), (1, 0, 1e-320)],
            vec![(0, 0, 1.7e308)],
            vec![
                (0, 1, 1e300),
                (1, 2, 1e300),
                (2, 0, 1e-320),
                (1, 0, 1e-250),
                (2, 2, 1e10),
            ],
        ] {
            let parts = balanced(3, &arcs);
            let weights = parts.irreducible.weights().unwrap();
            let largest = weights.iter().copied().fold(0.0, f64::max);
            assert!((0.1..8.0).contains(&largest), "{weights:?}");
        }
    }

    #[test]
    fn the_mean_of_a_cycle_of_many_nodes_takes_a_few_rounds() {
        let n = 100_000;
        let weight = |i: Node| if i.is_multiple_of(2) { 1e300 } else { 1e-300 };
        let arcs: Vec<_> = (0..n).map(|i| (i, (i + 1) % n, weight(i))).collect();
        let parts = balanced(n as usize, &arcs);
        assert!((0..=2).contains(&parts.shift), "{}", parts.shift);
    }
}
