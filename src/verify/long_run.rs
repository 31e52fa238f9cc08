//! Seeley's index, by sweeps.
//!
//! Two systems [`x = b + M x`](super::systems) have a unique solution each. In the first, walks from
//! a uniform start go along arcs until they enter a terminal strong component, and stay where they
//! entered: the entries on a component add up to the probability m of ending up there. In the
//! second, a node of each terminal component, its root, has a fixed entry, and walks go along arcs
//! until they come back to a root: the entries on a component are a multiple of its stationary
//! distribution. Sweeps of the second start from the scores in question.

use super::sweeps::swept;
use super::sweeps::{Claimed, ENTRY, SCALE_TOLERANCE, column_sums, distance, inverses, is_sharp};
use super::systems::{Solved, System};
use super::{ErrorKind, Finding, Question};
use crate::error::Result;
use crate::graph::components::StrongComponents;
use crate::graph::{Direction, Node};
use crate::linear::Matrix;
use crate::parallel::sums::{Compensated, compensated, total};

/// The error of probabilities of components that suffices.
const ARRIVALS: f64 = 1e-13;

/// Seeley's index.
pub fn seeley(question: &Question) -> Result<Finding> {
    let matrix = question.matrix(question.direction(Direction::In))?;
    let n = matrix.num_nodes();
    let components = StrongComponents::new(matrix.rows(), question.progress)?;
    let component_of = components.component_of();
    let is_terminal = terminal(&matrix, &components);
    let ends = |node: usize| is_terminal[component_of[node] as usize];
    let shares = inverses(&column_sums(&matrix));
    let given = question.nonnegative()?;
    let sum = total(&given.0);
    let is_scaled = question.may_be_scaled() && (sum - 1.0).abs() > SCALE_TOLERANCE;
    let scale = if is_scaled { sum } else { 1.0 };
    let claimed = Claimed::new(given, scale, "scores sum to this, not to 1");
    let until_ends: Vec<f64> = (0..n)
        .map(|j| if ends(j) { 0.0 } else { shares[j] })
        .collect();
    let arrivals = System {
        matrix: &matrix,
        factors: until_ends,
        constant: vec![1.0 / n as f64; n],
        is_fixed: Vec::new(),
    };
    let mut roots: Vec<Option<Node>> = vec![None; components.num_components()];
    for node in (0..n).filter(|&node| ends(node)) {
        let root = &mut roots[component_of[node] as usize];
        if root.is_none_or(|root| claimed.x[root as usize] < claimed.x[node]) {
            *root = Some(node as Node);
        }
    }
    let is_root = |node: usize| roots[component_of[node] as usize] == Some(node as Node);
    let enough = |_: f64, error: f64| error <= ARRIVALS;
    let arrived = arrivals.solve(&arrivals.constant, enough, question.progress)?;
    let Some(Solved { z: masses, .. }) = arrived else {
        return Ok(uncertified(&matrix, &shares, claimed));
    };
    // Scores of a component, with the true sum.
    let mut parts = vec![(0.0, 0.0); components.num_components()];
    for node in (0..n).filter(|&node| ends(node)) {
        let (mass, sum) = &mut parts[component_of[node] as usize];
        *mass += masses.z[node];
        *sum += claimed.x[node];
    }
    let start: Vec<f64> = (0..n)
        .map(|node| match parts[component_of[node] as usize] {
            (mass, sum) if ends(node) && sum > 0.0 => mass * (claimed.x[node] / sum),
            (mass, _) if is_root(node) => mass,
            _ => 0.0,
        })
        .collect();
    let returns = System {
        matrix: &matrix,
        factors: shares.clone(),
        constant: (0..n)
            .map(|i| if is_root(i) { start[i] } else { 0.0 })
            .collect(),
        is_fixed: (0..n).map(|i| is_root(i) || !ends(i)).collect(),
    };
    let returned = returns.solve(&start, is_sharp, question.progress)?;
    let Some(Solved {
        z: visits,
        factor,
        w,
    }) = returned
    else {
        return Ok(uncertified(&matrix, &shares, claimed));
    };
    // For each component, the probability, the sum of visits and that of their possible errors.
    let mut sums = vec![[Compensated::default(); 3]; components.num_components()];
    for node in (0..n).filter(|&node| ends(node)) {
        let entries = [masses.z[node], visits.z[node], factor * w[node]];
        let sums = sums[component_of[node] as usize].iter_mut();
        sums.zip(entries).for_each(|(sum, entry)| sum.add(entry));
    }
    let sums: Vec<[f64; 3]> = sums
        .iter()
        .map(|sums| sums.map(|sum| sum.value()))
        .collect();
    let truth: Vec<f64> = (0..n)
        .map(|node| match sums[component_of[node] as usize] {
            [mass, all, _] if ends(node) => mass * visits.z[node] / all,
            _ => 0.0,
        })
        .collect();
    let of_shapes = sums.iter().filter(|[_, all, _]| *all > 0.0);
    let of_shapes = compensated(of_shapes.map(|[mass, all, error]| 2.0 * mass * error / all));
    let error = masses.error + of_shapes * (1.0 + 1e-9) + ENTRY;
    let way = format!(
        "{} plain sweeps, {} of which start from these scores",
        masses.sweeps + visits.sweeps,
        visits.sweeps
    );
    Ok(claimed.against(&truth, error, ErrorKind::L1, way))
}

/// What one sweep tells where walks mix so slowly that sweeps certify nothing: since a step of the
/// walk changes the true scores by nothing, `||x P - x||` is at most twice the error of x.
fn uncertified(matrix: &Matrix, shares: &[f64], claimed: Claimed) -> Finding {
    let mut image = swept(matrix, shares, &claimed.x);
    for node in (0..image.len()).filter(|&node| shares[node] == 0.0) {
        image[node] += claimed.x[node];
    }
    let residual = distance(&image, &claimed.x);
    let way = "one plain sweep over the arcs".to_owned();
    let mut finding = claimed.against(&image, f64::INFINITY, ErrorKind::L1, way);
    finding.error.at_least = (0.5 * residual - ENTRY).max(0.0);
    finding.worst = None;
    finding.notes.push(format!(
        "a step of the walk changes scores by {residual:.1e} in all, but walks mix so slowly that \
         sweeps do not tell how far scores are off"
    ));
    finding
}

/// Whether walks cannot leave each component.
fn terminal(matrix: &Matrix, components: &StrongComponents) -> Vec<bool> {
    let of = components.component_of();
    let mut is_terminal = vec![true; components.num_components()];
    for node in 0..matrix.num_nodes() as Node {
        for &from in matrix.rows().row(node) {
            if of[from as usize] != of[node as usize] {
                is_terminal[of[from as usize] as usize] = false;
            }
        }
    }
    is_terminal
}
