//! Absorption: from a uniform start through transient components to the terminal ones.

use super::Terminal;
use crate::error::Result;
use crate::graph::Node;
use crate::graph::components::StrongComponents;
use crate::linear::bicgstab::{self, Goal};
use crate::linear::irreducible::{Irreducible, IrreduciblePart};
use crate::linear::matrix::Matrix;
use crate::linear::stationary::{Walk, stationary};
use crate::parallel::sums::{chained, compensated, sum_of_tasks};
use crate::parallel::tasks;
use crate::progress::Progress;

/// The distribution of where walks end.
pub struct Absorption {
    /// The probability of every node.
    pub values: Vec<f64>,
    /// Terminal components, in topological order.
    pub terminals: Vec<Terminal>,
    /// The number of nodes outside them.
    pub num_transient: usize,
    /// The number of nodes with a positive probability that is below all doubles.
    pub num_lost: usize,
    /// `||x P - x||`.
    pub residual: f64,
    /// A bound on the l1 error, if every terminal component has a certificate.
    pub bound: Option<f64>,
    /// Multiplications, in units of the whole graph.
    pub sweeps: u32,
}

/// Follows walks along the arcs of a matrix with rows of predecessors, to a certified l1 error of
/// `tolerance` if rounding and `max_sweeps` over each component allow.
///
/// # Errors
/// If the user interrupts, or if there is not enough memory.
pub fn absorb(
    matrix: &Matrix,
    components: &StrongComponents,
    (tolerance, max_sweeps): (f64, u32),
    progress: &dyn Progress,
) -> Result<Absorption> {
    let n = matrix.num_nodes();
    let (starts, members) = components.members();
    let irreducible = Irreducible::new(matrix, components);
    let is_terminal = components.terminal(matrix.rows());
    let (totals, rounding) = matrix.column_sums()?;
    let mut walks = Walks {
        matrix,
        totals,
        rounding,
        shares: vec![0.0; n],
        lost: 0.0,
        work: 0,
        tolerance,
        max_sweeps,
        num_parts: irreducible.parts().len(),
    };
    let mut found = Absorption {
        values: vec![0.0; n],
        terminals: Vec::new(),
        num_transient: 0,
        num_lost: 0,
        residual: 0.0,
        bound: Some(0.0),
        sweeps: 0,
    };
    let mut parts = irreducible.parts().iter().peekable();
    for component in 0..components.num_components() {
        progress.check()?;
        let members = &members[starts[component]..starts[component + 1]];
        let part = parts.next_if(|part| part.component as usize == component);
        let part = part.map(|part| (&irreducible, part));
        let inflow = walks.arriving(members);
        if !is_terminal[component] {
            found.num_transient += members.len();
            walks.pass(members, part, &inflow, progress)?;
            continue;
        }
        let mass = total(&inflow);
        walks.lost += walks.roundings(members, |i| inflow[i]);
        found.terminals.push(Terminal {
            first: members[0],
            nodes: members.len(),
            mass,
        });
        match part {
            Some((_, part)) if members.len() > 1 => {
                let walk = walks.within(&irreducible, part);
                let stay = stationary(walk, 0.5 * walks.tolerance, walks.max_sweeps, progress)?;
                walks.work += stay.sweeps as u64 * irreducible.num_arcs(part);
                found.residual += mass * stay.residual;
                let bounds = found.bound.zip(stay.bound);
                found.bound = bounds.map(|(bound, more)| bound + mass * more);
                for (&node, x) in members.iter().zip(&stay.vector) {
                    found.values[node as usize] = mass * x;
                }
            }
            _ => found.values[members[0] as usize] = mass,
        }
    }
    let masses = found.terminals.iter().map(|terminal| terminal.mass);
    let scale = compensated(masses);
    tasks::update(&mut found.values, |_, x| *x /= scale);
    found
        .terminals
        .iter_mut()
        .for_each(|terminal| terminal.mass /= scale);
    // All walks end up in a component that is the only terminal one.
    let lost = match found.terminals[..] {
        [_] => 0.0,
        _ => 2.0 * walks.lost,
    };
    // Scaling to sum one at most doubles the error of masses, with a few roundings.
    let rounded = if n > 0 { 4.0 * f64::EPSILON } else { 0.0 };
    found.bound = found
        .bound
        .map(|bound| (bound + lost) * (1.0 + 1e-9) + rounded);
    found.sweeps = walks.work.div_ceil(matrix.rows().num_arcs().max(1)) as u32;
    Ok(found)
}

/// Walks on their way.
struct Walks<'a> {
    matrix: &'a Matrix,
    /// The total weight of arcs that leave each node, and the relative error of these totals.
    totals: Vec<f64>,
    rounding: f64,
    /// What each processed transient node gives to a successor per unit of weight.
    shares: Vec<f64>,
    /// The residuals of transient components, which bound the errors of masses.
    lost: f64,
    /// The number of arcs multiplied by.
    work: u64,
    tolerance: f64,
    max_sweeps: u32,
    /// The number of components that may need iteration.
    num_parts: usize,
}

impl Walks<'_> {
    /// The inflow of these nodes from the start and from earlier components.
    fn arriving(&self, nodes: &[Node]) -> Vec<f64> {
        let start = 1.0 / self.matrix.num_nodes() as f64;
        tasks::tabulate(nodes.len(), |i| {
            start + self.matrix.dot(nodes[i], |j| self.shares[j as usize])
        })
    }

    /// The rounding errors of the inflow of these nodes.
    fn roundings(&self, nodes: &[Node], value: impl Fn(usize) -> f64 + Sync) -> f64 {
        let term = |i: usize| (self.matrix.rounding(nodes[i]) + self.rounding) * value(i);
        sum_of_tasks(nodes.len(), |places| chained(places.map(term)))
    }

    /// The walk within a component.
    fn within(&self, irreducible: &Irreducible, part: &IrreduciblePart) -> Walk {
        let nodes = irreducible.nodes()[part.places.clone()].iter();
        let totals = nodes.map(|&node| self.totals[node as usize]);
        Walk::new(irreducible.part(part), totals.collect(), self.rounding)
    }

    /// Passes on walks that enter a transient component and leave it for good.
    fn pass(
        &mut self,
        nodes: &[Node],
        part: Option<(&Irreducible, &IrreduciblePart)>,
        inflow: &[f64],
        progress: &dyn Progress,
    ) -> Result<()> {
        let visits = match part {
            None => inflow.to_vec(),
            Some(_) if nodes.len() == 1 => {
                let own = self.matrix.entry(nodes[0], nodes[0]) / self.totals[nodes[0] as usize];
                // Rounding may leave no more than the least probability of moving on.
                vec![inflow[0] / (1.0 - own).max(f64::EPSILON / 2.0)]
            }
            Some((irreducible, part)) => {
                let mut walk = self.within(irreducible, part);
                let share = total(inflow) + 1.0 / self.num_parts as f64;
                let goal = Goal {
                    size: &|residual| total_of(residual.len(), |i| residual[i].abs()),
                    within: self.tolerance / 16.0 * share,
                    max_sweeps: self.max_sweeps,
                };
                let mut visits = inflow.to_vec();
                let push = |x: &[f64], y: &mut [f64]| walk.push(x, y);
                let sweeps = bicgstab::solve(push, inflow, &mut visits, &goal, progress)?;
                self.work += sweeps as u64 * irreducible.num_arcs(part);
                visits.into_iter().map(|y| y.max(0.0)).collect()
            }
        };
        for (&node, visits) in nodes.iter().zip(&visits) {
            self.shares[node as usize] = visits / self.totals[node as usize];
        }
        let start = 1.0 / self.matrix.num_nodes() as f64;
        // Visits are the shares times the totals of nodes, with only the roundings of totals.
        let lost = |i: usize| {
            let (node, total) = (nodes[i], self.totals[nodes[i] as usize]);
            let (value, error) = self.matrix.imbalance(node, start, &self.shares, total);
            value.abs() + error + 2.0 * self.rounding * visits[i] + f64::EPSILON * start
        };
        self.lost += total_of(nodes.len(), lost);
        Ok(())
    }
}

fn total(x: &[f64]) -> f64 {
    total_of(x.len(), |i| x[i])
}

fn total_of(count: usize, term: impl Fn(usize) -> f64 + Sync) -> f64 {
    sum_of_tasks(count, |range| chained(range.map(&term)))
}
