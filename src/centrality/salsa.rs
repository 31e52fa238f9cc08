//! SALSA: hubs and authorities from a random walk that goes back and forth along arcs.
//!
//! From an authority x the walk goes to a random predecessor of x, then to a random successor of
//! that. It stays among the authorities that such walks connect. If it starts at an authority drawn
//! uniformly, it is at x in the long run with probability
//!
//! ```text
//! a(x) = |C| / |A| * indegree(x) / arcs(C),
//! ```
//!
//! where A is the set of nodes with predecessors, C the set of those connected with x, and arcs(C)
//! the sum of their indegrees. Hub scores are the same with directions exchanged: hubs are nodes
//! with successors, and two of them are connected if they have a successor in common. Authority
//! scores sum to one, and so do hub scores. Nodes without predecessors have authority 0; nodes
//! without successors have hub score 0. Self-loops count. With weights, the walk follows arcs in
//! proportion to them, and degrees are sums of weights.
//!
//! Source: Lempel and Moran, "SALSA: the stochastic approach for link-structure analysis", ACM
//! TOIS 19, 2001.

use super::hits::HubsAndAuthorities;
use super::{About, Measure, parameters};
use crate::error::Result;
use crate::graph::{Csr, Direction, DisjointSets, Graph, Node, Predecessors};
use crate::limits::Limits;
use crate::linear::Matrix;
use crate::linear::scaling::is_ordinary;
use crate::linear::wide::{exponent_of, times_power};
use crate::memory::Size;
use crate::parallel::sums::{Compensated, chained};
use crate::progress::Progress;
use crate::scores::phases::Phases;
use crate::scores::ranked::Ranked;
use crate::scores::{Outcome, Run, Scores};
use ndarray::Array1;
use serde::Serialize;

/// SALSA; no parameters.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Salsa {}

impl Measure for Salsa {
    const ABOUT: About = About {
        name: "salsa",
        definition: "a(x) = |C| / |A| indegree(x) / arcs(C), C the authorities connected with x",
        direction: "authority: being pointed at; hub: pointing",
        cost: "O(n + m); 40 bytes per node",
        guarantee: "exact",
    };

    fn needs(&self, graph: &Graph) -> u64 {
        Size::of(graph).bytes(105, 5)
    }

    fn compute(&self, graph: &Graph, _limits: &Limits, progress: &dyn Progress) -> Result<Ranked> {
        let mut phases = Phases::start();
        let matrix = graph.matrix(Direction::In, progress)?;
        phases.done("load");
        let found = salsa(Predecessors(&matrix));
        phases.done("count");
        let beyond_doubles = found.beyond_doubles.clone();
        Ok(found.ranked(graph, phases)?.noting(beyond_doubles))
    }
}

/// Hubs and authorities, from connected components and degrees, without iteration. O(m) up to an
/// inverse Ackermann factor, one thread; 40 bytes per node.
pub fn salsa(predecessors: Predecessors<Matrix>) -> HubsAndAuthorities {
    let matrix = predecessors.0;
    let rows = matrix.rows();
    let n = rows.num_nodes();
    let mut hubs = DisjointSets::new(n);
    for node in 0..n as Node {
        let row = rows.row(node).windows(2);
        row.for_each(|pair| hubs.join(pair[0], pair[1]));
    }
    let units = (!is_ordinary(matrix.weights())).then(|| Units::new(matrix, &mut hubs));
    let mut outdegrees = vec![Compensated::default(); n];
    for node in 0..n as Node {
        for (hub, weight) in matrix.row(node) {
            outdegrees[hub as usize].add(match &units {
                None => weight,
                Some(units) => units.scaled(weight, hubs.find(hub)),
            });
        }
    }
    let is_hub = has_successors(rows);
    // Sums of scaled weights have the bits of scaled sums.
    let indegree = |node: Node, part: Node| match &units {
        None => matrix.dot(node, |_| 1.0),
        Some(units) => {
            let weights: Vec<f64> = matrix
                .row(node)
                .map(|(_, weight)| units.scaled(weight, part))
                .collect();
            chained(weights.into_iter())
        }
    };
    // Each component of hubs and the authorities they point to is kept at the place of its first
    // hub.
    let mut parts = vec![HubGroup::default(); n];
    let hub_of: Vec<Option<Node>> = (0..n as Node)
        .map(|node| Some(hubs.find(*rows.row(node).first()?)))
        .collect();
    for (node, &hub) in hub_of.iter().enumerate() {
        if let Some(hub) = hub {
            parts[hub as usize].authorities += 1;
            parts[hub as usize].arcs.add(indegree(node as Node, hub));
        }
    }
    for node in (0..n).filter(|&node| is_hub[node]) {
        parts[hubs.find(node as Node) as usize].hubs += 1;
    }
    let all_hubs: u64 = parts.iter().map(|part| part.hubs).sum();
    let all_authorities: u64 = parts.iter().map(|part| part.authorities).sum();
    let share = |members: u64, of: u64, degree: f64, arcs: &Compensated| {
        members as f64 * degree / (of as f64 * arcs.value())
    };
    let authority = |node: usize| match hub_of[node] {
        None => 0.0,
        Some(hub) => {
            let part = &parts[hub as usize];
            share(
                part.authorities,
                all_authorities,
                indegree(node as Node, hub),
                &part.arcs,
            )
        }
    };
    let authorities: Array1<f64> = (0..n).map(authority).collect();
    let hub = |node: usize| match is_hub[node] {
        false => 0.0,
        true => {
            let part = &parts[hubs.find(node as Node) as usize];
            share(part.hubs, all_hubs, outdegrees[node].value(), &part.arcs)
        }
    };
    let hubs: Array1<f64> = (0..n).map(hub).collect();
    let lost = (0..n)
        .filter(|&x| hub_of[x].is_some() && authorities[x] == 0.0 || is_hub[x] && hubs[x] == 0.0)
        .count();
    let note = format!(
        "{lost} nodes have a positive score that is too small for a double: it is set to 0"
    );
    let mut parameters = parameters(&Salsa {});
    if matrix.weights().is_some() {
        parameters.insert("weights".into(), "vector".into());
    }
    let scores = |measure, values| Scores {
        intervals: None,
        values,
        run: Run {
            measure,
            method: "components",
            parameters: parameters.clone(),
            outcome: Outcome::Exact,
        },
    };
    HubsAndAuthorities {
        authorities: scores("authority", authorities),
        hubs: scores("hub", hubs),
        unresolved: 0,
        beyond_doubles: (lost > 0).then_some(note),
    }
}

/// Weights in units of the largest one of their component, so that sums do not overflow.
struct Units {
    /// The exponent of the unit, at the first hub of each component.
    exponents: Vec<i32>,
}

impl Units {
    fn new(matrix: &Matrix, hubs: &mut DisjointSets) -> Self {
        let mut exponents = vec![i32::MIN; matrix.num_nodes()];
        for node in 0..matrix.num_nodes() as Node {
            for (hub, weight) in matrix.row(node) {
                let largest = &mut exponents[hubs.find(hub) as usize];
                *largest = exponent_of(weight).max(*largest);
            }
        }
        Units { exponents }
    }

    fn scaled(&self, weight: f64, first_hub: Node) -> f64 {
        times_power(weight, -i64::from(self.exponents[first_hub as usize]))
    }
}

/// For each node, whether it is in a row.
fn has_successors(rows: &Csr) -> Vec<bool> {
    let mut has = vec![false; rows.num_nodes()];
    rows.targets().iter().for_each(|&j| has[j as usize] = true);
    has
}

/// A set of connected hubs and the authorities they point to.
#[derive(Debug, Clone, Copy, Default)]
struct HubGroup {
    hubs: u64,
    authorities: u64,
    /// The sum of the authorities' indegrees.
    arcs: Compensated,
}
