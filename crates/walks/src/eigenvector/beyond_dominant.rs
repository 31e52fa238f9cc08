//! From the dominant components to the nodes they reach.
//!
//! Near alpha = 1/rho every entry of Katz's index grows like `c / (1 - alpha rho)^k`, each with an
//! order k and a leading coefficient c. Components are visited in topological order. The order k of
//! a component is the highest of those that flow into it, plus one if it dominates; only inflow of
//! that highest order counts. A dominant component with left and right eigenvectors x and r turns
//! an inflow f into `(f . r) / (x . r) x`; any other component solves `v (rho I - A) = f`, by
//! Gauss-Seidel. Scores are the coefficients of the nodes of the highest order.
//!
//! If one component dominates, the highest order is 1 and scale does not matter.

use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::parallel::sums::{Compensated, compensated};
use webrank_base::progress::Progress;
use webrank_graph::components::StrongComponents;
use webrank_linear::arnoldi::norm;
use webrank_linear::dominant::Dominant;
use webrank_linear::irreducible::Irreducible;
use webrank_linear::perron::dominant_vector;
use webrank_linear::prepared::PreparedMatrix;

/// The vector on all nodes.
pub struct Extended {
    /// The score of every node, up to scale.
    pub values: Vec<f64>,
    /// Whether the true score of every node is positive.
    pub positive: Vec<bool>,
    /// The number of arcs multiplied by.
    pub work: u64,
    /// Whether the limit of sweeps sufficed to find what dominant parts keep.
    pub converged: bool,
}

/// The inputs for extending the eigenvectors of the dominant parts to all nodes.
pub struct Extension<'a> {
    /// The whole matrix.
    pub matrix: &'a PreparedMatrix,
    /// Its strong components.
    pub components: &'a StrongComponents,
    /// The components that have a cycle.
    pub irreducible: &'a Irreducible,
    /// The dominant ones.
    pub found: &'a Dominant,
    /// The residual to reach.
    pub tolerance: f64,
    /// The maximal number of sweeps over each part, including the sweeps that found the dominant
    /// ones.
    pub max_sweeps: u32,
}

impl Extension<'_> {
    /// Visits all components in topological order.
    ///
    /// # Errors
    /// If rows are in a file that cannot be read; if there is not enough memory; if the user
    /// interrupts.
    pub fn extend(&self, progress: &dyn Progress) -> Result<Extended> {
        let num_components = self.components.num_components();
        let (starts, members) = self.components.members();
        let several = self.found.parts.len() > 1;
        let mut parts = self.irreducible.parts().iter().enumerate().peekable();
        let mut orders = vec![0; num_components];
        let mut extended = Extended {
            values: vec![0.0; self.matrix.num_nodes()],
            positive: Vec::new(),
            work: 0,
            converged: true,
        };
        let mut largest = 0.0f64;
        for component in 0..num_components {
            let members = &members[starts[component]..starts[component + 1]];
            let part = parts.next_if(|(_, part)| part.component as usize == component);
            let part = part.map(|(part, _)| part);
            let dominant = part.and_then(|part| self.found.parts.binary_search(&part).ok());
            let order = self.order_before(component, members, &orders)?;
            orders[component] = order + u32::from(dominant.is_some());
            if orders[component] == 0 && !several {
                continue;
            }
            let inflow = self.inflow(component, members, order, &orders, &extended.values)?;
            let solution = match (part, dominant) {
                (Some(part), Some(dominant)) => {
                    let x = &self.found.perrons[dominant].vector;
                    let mut scale = 1.0;
                    if several {
                        let kept = self.kept(part, x, &inflow, progress)?;
                        scale = kept.share;
                        extended.converged &= kept.converged;
                        extended.work += self.work(part, kept.sweeps);
                    }
                    x.iter().map(|x| scale * x).collect()
                }
                (Some(part), None) => {
                    let least = 0.1 * self.tolerance * largest;
                    let (solution, sweeps) = self.solve(part, &inflow, least, progress)?;
                    extended.work += self.work(part, sweeps);
                    solution
                }
                (None, _) => vec![inflow[0] / self.found.radius()],
            };
            largest = largest.max(norm(&solution));
            for (&node, value) in members.iter().zip(solution) {
                extended.values[node as usize] = value;
            }
        }
        let highest = orders.iter().copied().max().unwrap_or(0);
        let order_of = self.components.component_of().iter();
        let order_of = order_of.map(|&component| orders[component as usize]);
        extended.positive = order_of.map(|order| order == highest).collect();
        for (value, &positive) in extended.values.iter_mut().zip(&extended.positive) {
            if !positive {
                *value = 0.0;
            }
        }
        Ok(extended)
    }

    /// Hands the nodes of other components that flow into a node of a component, with their weights, to
    /// `visit`.
    fn outside(
        &self,
        component: usize,
        node: Node,
        mut visit: impl FnMut(usize, f64),
    ) -> Result<()> {
        let of = self.components.component_of();
        self.matrix.for_entries(node, |j, weight| {
            if of[j as usize] as usize != component {
                visit(j as usize, weight);
            }
        })
    }

    /// The highest order of what flows into a component.
    fn order_before(&self, component: usize, members: &[Node], orders: &[u32]) -> Result<u32> {
        let of = self.components.component_of();
        let mut highest = 0;
        for &node in members {
            self.outside(component, node, |j, _| {
                highest = orders[of[j] as usize].max(highest);
            })?;
        }
        Ok(highest)
    }

    /// The inflow of that order into the members of a component.
    fn inflow(
        &self,
        component: usize,
        members: &[Node],
        order: u32,
        orders: &[u32],
        values: &[f64],
    ) -> Result<Vec<f64>> {
        let of = self.components.component_of();
        let own = if order == 0 { 1.0 } else { 0.0 };
        let arriving = |&node: &Node| {
            let mut sum = Compensated::default();
            self.outside(component, node, |j, weight| {
                if orders[of[j] as usize] == order {
                    sum.add(weight * values[j]);
                }
            })?;
            Ok(own + sum.value())
        };
        members.iter().map(arriving).collect()
    }

    /// The number of arcs that this many sweeps over a part multiply by.
    fn work(&self, part: usize, sweeps: u32) -> u64 {
        u64::from(sweeps) * self.irreducible.parts()[part].num_arcs
    }

    /// The number of sweeps left for a part.
    fn left(&self, part: usize) -> u32 {
        self.max_sweeps.saturating_sub(self.found.sweeps[part])
    }

    /// Finds the right eigenvector r of a dominant part whose left one is x.
    fn kept(
        &self,
        part: usize,
        x: &[f64],
        inflow: &[f64],
        progress: &dyn Progress,
    ) -> Result<Kept> {
        if let [inflow] = inflow {
            return Ok(Kept {
                share: inflow / x[0],
                converged: true,
                sweeps: 0,
            });
        }
        let equal = vec![1.0 / x.len() as f64; x.len()];
        let mut transposed = self.irreducible.transposed(part)?;
        let r = dominant_vector(&mut transposed, &equal, 1e-13, self.left(part), progress)?;
        let along = |a: &[f64]| compensated(a.iter().zip(&r.vector).map(|(a, r)| a * r));
        Ok(Kept {
            share: along(inflow) / along(x),
            converged: r.converged,
            sweeps: r.sweeps,
        })
    }

    /// Solves `v = (inflow + M v) / rho` on a part whose spectral radius is below rho, until a
    /// sweep changes v by at most `least` or 1e-14 of the length of v. Also returns the number of
    /// sweeps.
    fn solve(
        &self,
        part: usize,
        inflow: &[f64],
        least: f64,
        progress: &dyn Progress,
    ) -> Result<(Vec<f64>, u32)> {
        let equation = PropagationEquation {
            matrix: self.irreducible.matrix(),
            first: self.irreducible.parts()[part].places.start,
            rho: self.found.radius(),
            inflow,
        };
        let mut v: Vec<f64> = inflow.iter().map(|f| f / equation.rho).collect();
        let max_sweeps = self.left(part);
        for sweep in 1..=max_sweeps {
            progress.check()?;
            let (change, length) = equation.sweep(&mut v)?;
            if change <= least.max(1e-14 * length) {
                return Ok((v, sweep));
            }
        }
        Ok((v, max_sweeps))
    }
}

/// The share of an inflow f that a dominant part keeps.
struct Kept {
    /// `(f . r) / (x . r)`.
    share: f64,
    /// Whether the limit of sweeps sufficed for r.
    converged: bool,
    sweeps: u32,
}

/// `v = (inflow + M v) / rho` on a part whose spectral radius is below rho.
struct PropagationEquation<'a> {
    /// All parts.
    matrix: &'a PreparedMatrix,
    /// The index at which the part starts.
    first: usize,
    rho: f64,
    inflow: &'a [f64],
}

impl PropagationEquation<'_> {
    /// Solves each row in turn for its own entry; returns the l2 norms of the change and of v.
    fn sweep(&self, v: &mut [f64]) -> Result<(f64, f64)> {
        let (mut change, mut length) = (0.0, 0.0);
        for (place, f) in self.inflow.iter().enumerate() {
            let node = (self.first + place) as Node;
            let value = |j: Node| v[j as usize - self.first];
            let (others, own) = self.matrix.dot_of_others(node, value)?;
            let new = (f + others) / (self.rho - own);
            change += (new - v[place]).powi(2);
            length += new * new;
            v[place] = new;
        }
        Ok((change.sqrt(), length.sqrt()))
    }
}
