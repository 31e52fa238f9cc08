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
//! proportion to them, and degrees are sums of weights; nodes whose scores are close are ordered by
//! exact sums (`salsa_order.rs`).
//!
//! Without weights, one pass over the compressed graph finds degrees and components, by several
//! threads, and no rows are kept.
//!
//! Source: Lempel and Moran, "SALSA: the stochastic approach for link-structure analysis", ACM
//! TOIS 19, 2001.

use super::distributed::plans_of;
use super::hits::HubsAndAuthorities;
use super::salsa_order::Members;
use ndarray::Array1;
use serde::Serialize;
use serde_json::json;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::limits::Limits;
use webrank_base::parallel::sums::{Compensated, chained};
use webrank_base::parallel::tasks;
use webrank_base::phases::Phases;
use webrank_base::progress::Progress;
use webrank_base::units::counted_as;
use webrank_cluster::Workers;
use webrank_graph::Size;
use webrank_graph::{Direction, DisjointSets, Graph, Predecessors, Rows};
use webrank_linear::Matrix;
use webrank_linear::scaling::is_ordinary;
use webrank_linear::wide::{exponent_of, times_power};
use webrank_measure::cost_model::{CostModel, Times, once};
use webrank_measure::form::Storage;
use webrank_measure::{About, Described, Measure, StoragePlan, parameters};
use webrank_scores::ranked::Ranked;
use webrank_scores::{Outcome, Run, Scores};

/// SALSA; no parameters but who computes.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Salsa {
    /// The workers among which shards are divided.
    #[serde(skip)]
    pub team: Workers,
}

impl Described for Salsa {
    const ABOUT: About = About {
        name: "salsa",
        definition: "a(x) = |C| / |A| indegree(x) / arcs(C), C the authorities connected with x",
        direction: "authority: being pointed at; hub: pointing",
        cost: "O(n + m), one pass over the compressed graph; 80 bytes per node, whatever the arcs; \
               with weights, rows in memory",
        guarantee: "exact",
    };
}

impl Measure for Salsa {
    fn forms_of(&self, graph: &Graph) -> Vec<StoragePlan> {
        plans_of(self.on_shards(graph), || {
            let size = Size::of(graph);
            vec![match graph.source() {
                Some(_) if !graph.has_weights() => StoragePlan {
                    name: "streamed",
                    // The walk and both sides, or both sides and scores; a long row.
                    ..StoragePlan::in_memory(size.of_passes(52) + size.of_long_row(2))
                },
                _ => StoragePlan::in_memory(size.weighted_bytes(220, 6)),
            }]
        })
    }

    fn seconds_of(&self, graph: &Graph, _: &Limits, _: &dyn Progress) -> Result<Times> {
        Ok(once(graph, COUNTED, 2))
    }

    fn compute(&self, graph: &Graph, limits: &Limits, progress: &dyn Progress) -> Result<Ranked> {
        if self.team.shards(graph)?.is_some() {
            return self.sharded(graph, limits, progress);
        }
        let mut phases = Phases::start();
        let (found, form) = match graph.source() {
            _ if graph.has_weights() => {
                let matrix = Matrix::of(graph, Direction::In, progress)?;
                phases.done("load");
                (salsa(Predecessors(&matrix))?, None)
            }
            Some(source) => {
                let rows = source.streamed()?;
                let walk = UnweightedWalk::new(rows.num_nodes());
                rows.scan_all("count", progress, |node, row| walk.see(node, row))?;
                (walk.scores(Direction::Out), Some(Storage::Streamed))
            }
            None => {
                let rows = graph.successors(progress)?;
                (of_rows(&*rows, Direction::Out)?, None)
            }
        };
        phases.done("count");
        let beyond_doubles = found.beyond_doubles.clone();
        let hidden = found.authorities.run.outcome.hidden_order();
        let ranked = found.ranked(graph, phases)?;
        let ranked = ranked.noting(beyond_doubles).noting(hidden);
        Ok(match form {
            Some(form) => ranked.swept(json!({ "name": form })),
            None => ranked,
        })
    }
}

/// The cost of joining hubs and adding up degrees.
const COUNTED: CostModel = CostModel {
    node: 50.0,
    arc: 18.0,
    bit: 0.0,
};

/// Hubs and authorities, from connected components and degrees, without iteration. O(m) up to an
/// inverse Ackermann factor; 40 bytes per node.
///
/// # Errors
/// If a score is not a number.
pub fn salsa(predecessors: Predecessors<Matrix>) -> Result<HubsAndAuthorities> {
    match predecessors.0.weights() {
        None => of_rows(predecessors.0.rows(), Direction::In),
        Some(_) => weighted(predecessors.0),
    }
}

/// The group of a node that is no hub, or no authority.
const NONE: Node = Node::MAX;

/// The hubs, or the authorities.
struct Side {
    /// A node that stands for the connected hubs and authorities to which each node belongs.
    groups: Vec<Node>,
    /// The sum of the weights of the arcs of each node.
    degrees: Vec<f64>,
}

impl Side {
    /// The share of each node, given the weight of the arcs of each group.
    fn shares(&self, arcs: &[f64]) -> Array1<f64> {
        let mut members = vec![0u32; self.groups.len()];
        let mut all = 0;
        for &group in self.groups.iter().filter(|&&group| group != NONE) {
            members[group as usize] += 1;
            all += 1;
        }
        let share = |node: usize| match self.groups[node] {
            NONE => 0.0,
            group => {
                let (members, arcs) = (members[group as usize], arcs[group as usize]);
                let score = share(members.into(), all, self.degrees[node], arcs);
                // 0 is for nodes that are in no group.
                score.max(f64::from_bits(1))
            }
        };
        tasks::tabulate(self.groups.len(), share).into()
    }

    /// The number of nodes whose positive score is below all normal doubles.
    fn num_lost(&self, scores: &Array1<f64>) -> usize {
        let groups = self.groups.iter().zip(scores);
        groups
            .filter(|&(&x, &score)| x != NONE && score < f64::MIN_POSITIVE)
            .count()
    }
}

/// The score of a node whose group has so many members and arcs, of so many members in all.
pub(super) fn share(members: u64, of: u64, degree: f64, arcs: f64) -> f64 {
    members as f64 * degree / (of as f64 * arcs)
}

/// The scores, given both sides and the weight of the arcs of each group.
fn scores(authorities: &Side, hubs: &Side, arcs: &[f64], is_weighted: bool) -> HubsAndAuthorities {
    let values = [authorities, hubs].map(|side| side.shares(arcs));
    let lost = authorities.num_lost(&values[0]) + hubs.num_lost(&values[1]);
    let said =
        counted_as(lost, "score is", "scores are") + " rounded: below the least normal double";
    let mut parameters = parameters(&Salsa::default());
    if is_weighted {
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
    let [authorities, hubs] = values;
    HubsAndAuthorities {
        authorities: scores("authority", authorities),
        hubs: scores("hub", hubs),
        unresolved: 0,
        beyond_doubles: (lost > 0).then_some(said),
        rests: None,
    }
}

/// The walk along arcs without weights, from rows that are seen once, in any order, by any number of
/// threads. All numbers are integers, so results do not depend on it.
struct UnweightedWalk {
    /// The nodes that are in a row with each other, and so on.
    connected: DisjointSets,
    /// The number of rows that each node is in.
    counts: Vec<AtomicU32>,
    /// A node of each row.
    firsts: Vec<AtomicU32>,
    /// The length of each row.
    lengths: Vec<AtomicU32>,
}

impl UnweightedWalk {
    /// Before any row of this many nodes is seen.
    fn new(num_nodes: usize) -> Self {
        let all = |value: u32| (0..num_nodes).map(|_| AtomicU32::new(value)).collect();
        UnweightedWalk {
            connected: DisjointSets::new(num_nodes),
            counts: all(0),
            firsts: all(NONE),
            lengths: all(0),
        }
    }

    /// Takes account of a row.
    fn see(&self, node: Node, row: &[Node]) {
        let Some(&first) = row.first() else { return };
        self.firsts[node as usize].store(first, Relaxed);
        self.lengths[node as usize].store(row.len() as u32, Relaxed);
        for pair in row.windows(2) {
            self.connected.join(pair[0], pair[1]);
        }
        for &other in row {
            self.counts[other as usize].fetch_add(1, Relaxed);
        }
    }

    /// The scores, once all rows of successors or of predecessors are seen.
    fn scores(self, direction: Direction) -> HubsAndAuthorities {
        let n = self.firsts.len();
        let number = |number: &AtomicU32| f64::from(number.load(Relaxed));
        // Groups stand at the places of their first member that is in a row.
        let owners = Side {
            groups: tasks::tabulate(n, |node| match self.firsts[node].load(Relaxed) {
                NONE => NONE,
                first => self.connected.find(first),
            }),
            degrees: tasks::tabulate(n, |node| number(&self.lengths[node])),
        };
        let entries = Side {
            groups: tasks::tabulate(n, |node| match self.counts[node].load(Relaxed) {
                0 => NONE,
                _ => self.connected.find(node as Node),
            }),
            degrees: tasks::tabulate(n, |node| number(&self.counts[node])),
        };
        drop(self);
        let mut arcs = vec![0.0; n];
        for (&group, degree) in owners.groups.iter().zip(&owners.degrees) {
            if group != NONE {
                arcs[group as usize] += degree;
            }
        }
        match direction {
            Direction::In => scores(&owners, &entries, &arcs, false),
            Direction::Out => scores(&entries, &owners, &arcs, false),
        }
    }
}

/// Hubs and authorities of rows of successors or of predecessors.
fn of_rows(rows: &dyn Rows, direction: Direction) -> Result<HubsAndAuthorities> {
    let walk = UnweightedWalk::new(rows.num_nodes());
    rows.for_rows(0..rows.num_nodes(), &mut |node, row| walk.see(node, row))?;
    Ok(walk.scores(direction))
}

/// Hubs and authorities of a matrix with weights; one thread.
fn weighted(matrix: &Matrix) -> Result<HubsAndAuthorities> {
    let rows = matrix.rows();
    let n = rows.num_nodes();
    let connected = DisjointSets::new(n);
    let mut hubs = Side {
        groups: vec![NONE; n],
        degrees: Vec::new(),
    };
    for node in 0..n as Node {
        let row = rows.row(node);
        row.windows(2)
            .for_each(|pair| connected.join(pair[0], pair[1]));
        row.iter().for_each(|&hub| hubs.groups[hub as usize] = hub);
    }
    for hub in hubs.groups.iter_mut().filter(|hub| **hub != NONE) {
        *hub = connected.find(*hub);
    }
    let units = (!is_ordinary(matrix.weights())).then(|| Units::new(matrix, &hubs.groups));
    let group_of = |node: Node| {
        rows.row(node)
            .first()
            .map_or(NONE, |&hub| hubs.groups[hub as usize])
    };
    // Sums of scaled weights have the bits of scaled sums.
    let indegree = |node: Node, group: Node| match &units {
        None => matrix.dot(node, |_| 1.0),
        Some(units) => {
            let weights = matrix.row(node);
            chained(weights.map(|(_, weight)| units.scaled(weight, group)))
        }
    };
    let mut outdegrees = vec![Compensated::default(); n];
    let mut arcs = vec![Compensated::default(); n];
    let mut authorities = Side {
        groups: vec![NONE; n],
        degrees: vec![0.0; n],
    };
    for node in 0..n as Node {
        let group = group_of(node);
        if group == NONE {
            continue;
        }
        for (hub, weight) in matrix.row(node) {
            outdegrees[hub as usize].add(match &units {
                None => weight,
                Some(units) => units.scaled(weight, group),
            });
        }
        let degree = indegree(node, group);
        arcs[group as usize].add(degree);
        authorities.groups[node as usize] = group;
        authorities.degrees[node as usize] = degree;
    }
    let values = |sums: Vec<Compensated>| sums.iter().map(Compensated::value).collect::<Vec<f64>>();
    hubs.degrees = values(outdegrees);
    let mut found = scores(&authorities, &hubs, &values(arcs), true);
    for (side, of, scores) in [
        (Direction::Out, &hubs, &mut found.hubs),
        (Direction::In, &authorities, &mut found.authorities),
    ] {
        let (groups, side) = (&of.groups[..], side);
        let members = Members {
            matrix,
            side,
            groups,
        };
        let values = scores.values.as_slice_mut();
        let values = values.expect("one column is contiguous");
        let (rests, outcome) = members.settle(values)?;
        scores.run.outcome = outcome;
        found.rests = Some(rests);
    }
    Ok(found)
}

/// Weights in units of the largest one of their group, so that sums do not overflow.
struct Units {
    /// The exponent of the unit of each group.
    exponents: Vec<i32>,
}

impl Units {
    fn new(matrix: &Matrix, groups: &[Node]) -> Self {
        let mut exponents = vec![i32::MIN; matrix.num_nodes()];
        for node in 0..matrix.num_nodes() as Node {
            for (hub, weight) in matrix.row(node) {
                let largest = &mut exponents[groups[hub as usize] as usize];
                *largest = exponent_of(weight).max(*largest);
            }
        }
        Units { exponents }
    }

    fn scaled(&self, weight: f64, group: Node) -> f64 {
        times_power(weight, -i64::from(self.exponents[group as usize]))
    }
}
