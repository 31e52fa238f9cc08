//! Absorption: from a uniform start through transient components to the terminal ones.

use super::Terminal;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::parallel::sums::{chained, compensated, sum_of_tasks};
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_graph::components::StrongComponents;
use webrank_linear::bicgstab;
use webrank_linear::bicgstab::Goal;
use webrank_linear::irreducible::Irreducible;
use webrank_linear::prepared::PreparedMatrix;
use webrank_linear::runs::RunRows;
use webrank_linear::stationary::{Walk, stationary};

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

/// Rows of successors, given compact rows beside which they must fit, if the others are compact.
pub type SuccessorRows<'a> = &'a dyn Fn(&RunRows) -> Result<RunRows>;

/// Follows walks along the arcs of a matrix with rows of predecessors, to a certified l1 error of
/// `tolerance` if rounding and `max_sweeps` over each component allow.
///
/// # Errors
/// If the user interrupts; if there is not enough memory; if rows are in a file that cannot be read.
pub fn absorb(
    mut matrix: PreparedMatrix,
    columns: SuccessorRows,
    components: &StrongComponents,
    (tolerance, max_sweeps): (f64, u32),
    progress: &dyn Progress,
) -> Result<Absorption> {
    let (n, num_arcs) = (matrix.num_nodes(), matrix.num_arcs());
    let (starts, members) = components.members();
    let irreducible = Irreducible::of(&matrix, components, progress)?;
    let is_terminal = terminal(&matrix, components)?;
    let (totals, rounding) = matrix.column_sums()?;
    let roundings = matrix.roundings()?;
    let mut reversed = Reversed {
        columns,
        components,
        irreducible: &irreducible,
        parts: None,
    };
    let mut walks = Walks {
        matrix: &mut matrix,
        totals,
        rounding,
        roundings,
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
    let mut parts = irreducible.parts().iter().enumerate().peekable();
    for component in 0..components.num_components() {
        progress.check()?;
        let members = &members[starts[component]..starts[component + 1]];
        let part = parts.next_if(|(_, part)| part.component as usize == component);
        let part = part.map(|(part, _)| (&irreducible, part));
        let inflow = walks.arriving(members)?;
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
                let walk = walks.within(&irreducible, part)?;
                let columns = reversed.part(part, progress)?;
                let goal = (0.5 * walks.tolerance, walks.max_sweeps);
                let stay = stationary(walk, columns, goal.0, goal.1, progress)?;
                walks.work += stay.sweeps as u64 * irreducible.parts()[part].num_arcs;
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
    found.sweeps = walks.work.div_ceil(num_arcs.max(1)) as u32;
    Ok(found)
}

/// Whether each component is terminal: no arc leaves it.
fn terminal(matrix: &PreparedMatrix, components: &StrongComponents) -> Result<Vec<bool>> {
    let of = components.component_of();
    let mut is_terminal = vec![true; components.num_components()];
    for node in 0..matrix.num_nodes() {
        matrix.for_entries(node as Node, |from, _| {
            if of[from as usize] != of[node] {
                is_terminal[of[from as usize] as usize] = false;
            }
        })?;
    }
    Ok(is_terminal)
}

/// The rows of successors within components.
struct Reversed<'a> {
    columns: SuccessorRows<'a>,
    components: &'a StrongComponents,
    irreducible: &'a Irreducible,
    /// The rows of all components, once one is needed that is not copied to memory.
    parts: Option<Irreducible>,
}

impl Reversed<'_> {
    fn part(&mut self, part: usize, progress: &dyn Progress) -> Result<PreparedMatrix> {
        let irreducible = self.irreducible;
        let rows = irreducible.matrix().rows();
        let Some(rows) = rows.filter(|_| irreducible.is_swept_in_place(part)) else {
            let part = irreducible.part(&irreducible.parts()[part])?;
            return Ok(PreparedMatrix::new(part.transposed()?));
        };
        if self.parts.is_none() {
            let columns = (self.columns)(rows)?;
            self.parts = Some(Irreducible::of_rows(&columns, self.components, progress)?);
        }
        let parts = self.parts.as_ref().expect("they were just made");
        parts.prepared(part)
    }
}

/// Walks on their way.
struct Walks<'a> {
    matrix: &'a mut PreparedMatrix,
    /// The total weight of arcs that leave each node, and the relative error of these totals.
    totals: Vec<f64>,
    rounding: f64,
    /// The relative error of the inflow of each node.
    roundings: Vec<f64>,
    /// The mass that each processed transient node gives to a successor per unit of weight.
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
    fn arriving(&mut self, nodes: &[Node]) -> Result<Vec<f64>> {
        let start = 1.0 / self.matrix.num_nodes() as f64;
        let mut inflow = self.matrix.multiply_at(nodes, &self.shares)?;
        tasks::update(&mut inflow, |_, inflow| *inflow += start);
        Ok(inflow)
    }

    /// The rounding errors of the inflow of these nodes.
    fn roundings(&self, nodes: &[Node], value: impl Fn(usize) -> f64 + Sync) -> f64 {
        let term = |i: usize| (self.roundings[nodes[i] as usize] + self.rounding) * value(i);
        sum_of_tasks(nodes.len(), |places| chained(places.map(term)))
    }

    /// The walk within a component.
    fn within(&self, irreducible: &Irreducible, part: usize) -> Result<Walk> {
        let places = irreducible.parts()[part].places.clone();
        let nodes = irreducible.nodes()[places].iter();
        let totals = nodes.map(|&node| self.totals[node as usize]);
        let rows = irreducible.prepared(part)?;
        Ok(Walk::new(rows, totals.collect(), self.rounding))
    }

    /// Passes on walks that enter a transient component and leave it for good.
    fn pass(
        &mut self,
        nodes: &[Node],
        part: Option<(&Irreducible, usize)>,
        inflow: &[f64],
        progress: &dyn Progress,
    ) -> Result<()> {
        let visits = match part {
            None => inflow.to_vec(),
            Some(_) if nodes.len() == 1 => {
                let (_, own) = self.matrix.dot_of_others(nodes[0], |_| 0.0)?;
                let own = own / self.totals[nodes[0] as usize];
                // Rounding may leave no more than the least probability of moving on.
                vec![inflow[0] / (1.0 - own).max(f64::EPSILON / 2.0)]
            }
            Some((irreducible, part)) => {
                let mut walk = self.within(irreducible, part)?;
                let share = total(inflow) + 1.0 / self.num_parts as f64;
                let goal = Goal {
                    size: &|residual| total_of(residual.len(), |i| residual[i].abs()),
                    within: self.tolerance / 16.0 * share,
                    max_sweeps: self.max_sweeps,
                };
                let mut visits = inflow.to_vec();
                let push = |x: &[f64], y: &mut [f64]| walk.push(x, y);
                let sweeps = bicgstab::solve(push, inflow, &mut visits, &goal, progress)?;
                self.work += sweeps as u64 * irreducible.parts()[part].num_arcs;
                visits.into_iter().map(|y| y.max(0.0)).collect()
            }
        };
        for (&node, visits) in nodes.iter().zip(&visits) {
            self.shares[node as usize] = visits / self.totals[node as usize];
        }
        let start = 1.0 / self.matrix.num_nodes() as f64;
        let imbalances = self
            .matrix
            .imbalances_at(nodes, start, &self.shares, &self.totals)?;
        // Visits are the shares times the totals of nodes, with only the roundings of totals.
        let lost = |i: usize| {
            let (value, error) = imbalances[i];
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
