//! The long run of walks whose weights span many orders of magnitude, by eliminating states.
//!
//! A walk may return to a state only after 1e300 steps, and iteration never sees it. Elimination
//! does: when a state is removed, walks that would enter it go on to where they leave it for. That
//! takes no subtraction, so every score has a small relative error, however small it is
//! (Grassmann, Taksar and Heyman, "Regenerative analysis and steady state distributions for Markov
//! chains", Operations Research 33, 1985; O'Cinneide, "Entrywise perturbation theory and error
//! analysis for Markov chains", Numerische Mathematik 65, 1993).
//!
//! Let z be the visits of a state over the weight that leaves it. Then, for walks that arrive at
//! the states of a component in amounts f,
//!
//! ```text
//! z_i (sum over j != i of w_ij) = f_i + sum over j != i of z_j w_ji.
//! ```

use super::Terminal;
use super::absorption::Absorption;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_graph::components::StrongComponents;
use webrank_linear::matrix::Matrix;
use webrank_linear::wide::{ExtendedFloat, exponent_of};

/// Components of more states are left to iteration; elimination takes their number cubed.
const LARGEST: usize = 128;

/// Work that elimination may take where iteration fails: the sum of the cubes of the numbers of
/// states. A few seconds.
const MOST_WORK: u64 = 1 << 28;

/// Iteration is good at weights within this many powers of two of each other.
const SPREAD: i32 = 32;

/// True if weights spread so far that iteration may fail, and elimination is affordable.
pub fn is_called_for(matrix: &Matrix, components: &StrongComponents) -> bool {
    let Some(weights) = matrix.weights() else {
        return false;
    };
    let exponents = weights.iter().map(|&weight| exponent_of(weight));
    let (least, largest) = exponents.fold((i32::MAX, i32::MIN), |(least, largest), exponent| {
        (least.min(exponent), largest.max(exponent))
    });
    largest.saturating_sub(least) > SPREAD && sizes(components).all(|size| size <= LARGEST)
}

/// True if elimination is affordable where iteration has failed. A component of k states takes
/// about as long as k sweeps over it.
pub fn is_affordable(components: &StrongComponents, max_sweeps: u32) -> bool {
    let most = LARGEST.min(max_sweeps as usize);
    let cubes = sizes(components).map(|size| (size as u64).pow(3));
    sizes(components).all(|size| size <= most) && cubes.sum::<u64>() <= MOST_WORK
}

/// The number of nodes of each component.
fn sizes(components: &StrongComponents) -> impl Iterator<Item = usize> {
    let (starts, _) = components.members();
    let pairs: Vec<usize> = starts.windows(2).map(|pair| pair[1] - pair[0]).collect();
    pairs.into_iter()
}

/// Follows walks along the arcs of a matrix with rows of predecessors. One thread.
///
/// # Errors
/// If the user interrupts, or if there is not enough memory.
pub fn eliminate(
    matrix: &Matrix,
    components: &StrongComponents,
    progress: &dyn Progress,
) -> Result<Absorption> {
    let n = matrix.num_nodes();
    let (starts, members) = components.members();
    let is_terminal = components.terminal(matrix.rows());
    let mut walks = Walks {
        matrix,
        columns: matrix.transposed()?,
        component_of: components.component_of(),
        place_of: vec![0; n],
        shares: vec![ExtendedFloat::ZERO; n],
        errors: vec![0.0; components.num_components()],
    };
    let mut values = vec![ExtendedFloat::ZERO; n];
    let mut terminals = Vec::new();
    let (mut num_transient, mut error) = (0, 0.0f64);
    for component in 0..components.num_components() {
        progress.check()?;
        let members = &members[starts[component]..starts[component + 1]];
        let inflow = walks.enter(component, members);
        if !is_terminal[component] {
            num_transient += members.len();
            let states = walks.states(members, inflow);
            for (&node, share) in members.iter().zip(states.visits()) {
                walks.shares[node as usize] = share;
            }
            continue;
        }
        let mass: ExtendedFloat = inflow.into_iter().sum();
        terminals.push(Terminal {
            first: members[0],
            nodes: members.len(),
            mass: mass.get(),
        });
        error = error.max(walks.errors[component]);
        let states = walks.states(members, vec![ExtendedFloat::ZERO; members.len()]);
        let shares = states.visits();
        let stays = members.iter().zip(&shares);
        let stays: Vec<ExtendedFloat> = match members {
            [_] => vec![ExtendedFloat::ONE],
            _ => stays
                .map(|(&node, &share)| share * walks.leaving(node))
                .collect(),
        };
        let total: ExtendedFloat = stays.iter().copied().sum();
        for (&node, stay) in members.iter().zip(stays) {
            values[node as usize] = mass * (stay / total);
        }
    }
    let scale = values.iter().copied().sum::<ExtendedFloat>();
    let scores = values.iter().map(|&value| match value.is_zero() {
        true => 0.0,
        false => (value / scale).get(),
    });
    let scores: Vec<f64> = scores.collect();
    let is_lost = |node: usize| scores[node] == 0.0 && !values[node].is_zero();
    // Scaling to sum one at most doubles the relative error.
    let bound = if n > 0 {
        2.0 * error + 8.0 * n as f64 * f64::EPSILON * f64::EPSILON + 4.0 * f64::EPSILON
    } else {
        0.0
    };
    Ok(Absorption {
        num_lost: tasks::count(n, is_lost),
        residual: 0.0,
        values: scores,
        terminals,
        num_transient,
        bound: Some(bound),
        sweeps: 1,
    })
}

/// Walks on their way.
struct Walks<'a> {
    matrix: &'a Matrix,
    /// Rows of successors.
    columns: Matrix,
    component_of: &'a [Node],
    /// The place of each node in its component.
    place_of: Vec<usize>,
    /// z of each processed transient node.
    shares: Vec<ExtendedFloat>,
    /// A bound on the relative errors of what each component passes on.
    errors: Vec<f64>,
}

impl Walks<'_> {
    /// The inflow of the nodes of a component from the start and from earlier components.
    fn enter(&mut self, component: usize, nodes: &[Node]) -> Vec<ExtendedFloat> {
        let start = ExtendedFloat::ONE / ExtendedFloat::new(self.matrix.num_nodes() as f64);
        let (mut error, mut terms) = (0.0f64, 2.0);
        let mut inflow = Vec::with_capacity(nodes.len());
        for (place, &node) in nodes.iter().enumerate() {
            self.place_of[node as usize] = place;
            let mut sum = start;
            for (j, weight) in self.matrix.row(node) {
                let source = self.component_of[j as usize] as usize;
                if source != component {
                    error = error.max(self.errors[source]);
                    sum += self.shares[j as usize] * ExtendedFloat::new(weight);
                }
            }
            inflow.push(sum);
            let degrees = self.matrix.rows().degree(node) + self.columns.rows().degree(node);
            terms = f64::max(terms, degrees as f64);
        }
        // O'Cinneide's bound for k states is about 2 k^3 roundings, and sums have their own.
        let k = nodes.len() as f64;
        let roundings = 4.0 * k * k * k + 8.0 * k + 2.0 * k * terms + terms;
        self.errors[component] = error + roundings * f64::EPSILON;
        inflow
    }

    /// The states of a component.
    fn states(&self, nodes: &[Node], inflow: Vec<ExtendedFloat>) -> States {
        let k = nodes.len();
        let mut states = States {
            rates: vec![ExtendedFloat::ZERO; k * k],
            exits: vec![ExtendedFloat::ZERO; k],
            inflow,
        };
        for (i, &node) in nodes.iter().enumerate() {
            for (to, weight) in self.columns.row(node) {
                let weight = ExtendedFloat::new(weight);
                if self.component_of[to as usize] != self.component_of[node as usize] {
                    states.exits[i] += weight;
                } else if to != node {
                    states.rates[i * k + self.place_of[to as usize]] = weight;
                }
            }
        }
        states
    }

    /// The weight that leaves a node.
    fn leaving(&self, node: Node) -> ExtendedFloat {
        let weights = self.columns.row(node);
        weights.map(|(_, weight)| ExtendedFloat::new(weight)).sum()
    }
}

/// The states of a component.
struct States {
    /// Row i has the weights of the arcs from state i to other states.
    rates: Vec<ExtendedFloat>,
    /// The weight of arcs out of the component.
    exits: Vec<ExtendedFloat>,
    /// f.
    inflow: Vec<ExtendedFloat>,
}

impl States {
    /// z; up to scale if there are no exits.
    fn visits(self) -> Vec<ExtendedFloat> {
        let k = self.exits.len();
        let States {
            mut rates,
            mut exits,
            mut inflow,
        } = self;
        // The rates from each state to exits or to states that are not eliminated before it.
        let mut departures = vec![ExtendedFloat::ZERO; k];
        for s in (0..k).rev() {
            let to_others: ExtendedFloat = rates[s * k..s * k + s].iter().copied().sum();
            departures[s] = exits[s] + to_others;
            if departures[s].is_zero() {
                continue;
            }
            let from_outside = inflow[s] / departures[s];
            for j in 0..s {
                let more = from_outside * rates[s * k + j];
                inflow[j] += more;
            }
            for i in 0..s {
                let passing = rates[i * k + s] / departures[s];
                if passing.is_zero() {
                    continue;
                }
                let exit = passing * exits[s];
                exits[i] += exit;
                for j in (0..s).filter(|&j| j != i) {
                    let more = passing * rates[s * k + j];
                    rates[i * k + j] += more;
                }
            }
        }
        let mut visits: Vec<ExtendedFloat> = Vec::with_capacity(k);
        for s in 0..k {
            let earlier = visits.iter().enumerate();
            let arriving: ExtendedFloat = earlier.map(|(j, &z)| z * rates[j * k + s]).sum();
            visits.push(match departures[s].is_zero() {
                true => ExtendedFloat::ONE,
                false => (inflow[s] + arriving) / departures[s],
            });
        }
        visits
    }
}
