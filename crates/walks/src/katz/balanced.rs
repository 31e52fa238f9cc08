//! Katz's index where weights, alpha or beta span hundreds of orders of magnitude.
//!
//! The score of node i is `y_i 2^(d_i)`, where 2^(d_i) is about the weight of the heaviest walk that
//! ends there: the longest path in logarithms (see [`webrank_linear::scaling`]). As alpha is below
//! 1/rho, no cycle gains. Then
//!
//! ```text
//! y = beta' + M' y,        M'_ij = alpha w_ij 2^(d_j - d_i),        beta'_i = beta_i 2^(-d_i),
//! ```
//!
//! no entry of M' or beta' is above 2, and every y_i is at least 1.

use super::KatzMethod;
use super::goal::{KatzGoal, Solution};
use super::system::{KatzRows, KatzSystem};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_linear::matrix::Matrix;
use webrank_linear::scaling::longest_paths;
use webrank_linear::wide::ExtendedFloat;

/// A solution, and what doubles cannot hold.
pub struct Balanced {
    pub solution: Solution,
    /// The sum of all scores.
    pub total: ExtendedFloat,
    /// The number of positive scores below the least normal double.
    pub num_lost: usize,
}

impl From<Solution> for Balanced {
    /// A solution with finite entries of ordinary size.
    fn from(solution: Solution) -> Self {
        Balanced {
            total: ExtendedFloat::new(webrank_base::parallel::sums::total(&solution.x)),
            num_lost: 0,
            solution,
        }
    }
}

/// Solves `x = beta + alpha M x` in units of their own for all nodes.
///
/// # Errors
/// If a score is more than a double holds, or if there is not enough memory; if the user
/// interrupts.
pub fn balanced(
    matrix: &Matrix,
    alpha: f64,
    beta: &[f64],
    goal: &KatzGoal,
    method: KatzMethod,
    progress: &dyn Progress,
) -> Result<Balanced> {
    let n = matrix.num_nodes();
    let columns = matrix.transposed()?;
    let gain = |weight: f64| ExtendedFloat::new(alpha) * ExtendedFloat::new(weight);
    let starts = beta.iter().map(|&beta| ExtendedFloat::new(beta));
    let starts = starts.map(|beta| (!beta.is_zero()).then(|| beta.exponent()));
    let steps = |node: Node| {
        let row = columns.row(node);
        row.map(|(to, weight)| (to, gain(weight).exponent()))
    };
    let longest = longest_paths(starts.collect(), steps, progress)?;
    let in_units = KatzRows::of_matrix(matrix.mapped(|i, j, weight| {
        let [to, from] = [i, j].map(|node| longest[node as usize]);
        match (to, from) {
            (Some(to), Some(from)) => gain(weight).scaled(from - to).get(),
            // No walk from a node with a positive beta gets here.
            _ => 0.0,
        }
    }));
    let beta: Vec<f64> = tasks::tabulate(n, |node| match longest[node] {
        Some(exponent) => ExtendedFloat::new(beta[node]).scaled(-exponent).get(),
        None => 0.0,
    });
    let largest = longest.iter().flatten().copied().max().unwrap_or(0);
    let sizes = tasks::tabulate(n, |node| match longest[node] {
        Some(exponent) => ExtendedFloat::ONE.scaled(exponent - largest).get(),
        None => 0.0,
    });
    let system = KatzSystem {
        rows: &in_units,
        alpha: 1.0,
        beta: &beta,
        sizes: Some(&sizes),
    };
    let Solution {
        x: y,
        mut relative_bound,
        sweeps,
    } = goal.solve(&system, method, progress)?;
    if let Some(node) = tasks::first(n, |node| !y[node].is_finite()) {
        let remedy = format!(
            "the walks that end at node {node} are too many for doubles: give less, or multiply all \
             weights by one small number"
        );
        return Err(Error::argument(
            "alpha",
            ExtendedFloat::new(alpha).to_string(),
            remedy,
        ));
    }
    let total = ExtendedFloat::new(system.norm(&y)).scaled(largest);
    let score = |node: usize| ExtendedFloat::new(y[node]).scaled(longest[node].unwrap_or(0));
    let x = tasks::tabulate(n, |node| score(node).get());
    if let Some(node) = tasks::first(n, |node| x[node].is_infinite()) {
        let count = tasks::count(n, |node| x[node].is_infinite());
        let remedy = format!(
            "{count} scores are more than a double holds, such as that of node {node}, about {}: \
             give less, or multiply all weights or beta by one small number",
            score(node)
        );
        return Err(Error::argument(
            "alpha",
            ExtendedFloat::new(alpha).to_string(),
            remedy,
        ));
    }
    let is_lost = |node: usize| y[node] > 0.0 && x[node] < f64::MIN_POSITIVE;
    let num_lost = tasks::count(n, is_lost);
    if num_lost > 0 && relative_bound.is_finite() {
        let roundings = ExtendedFloat::new(num_lost as f64).scaled(-1075);
        relative_bound += (roundings / total).get();
    }
    Ok(Balanced {
        solution: Solution {
            x,
            relative_bound,
            sweeps,
        },
        total,
        num_lost,
    })
}
