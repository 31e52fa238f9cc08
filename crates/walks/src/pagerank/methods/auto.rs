//! The choice between the power method and Gauss-Seidel by components.
//!
//! By components is faster where few arcs lie on cycles and the power method needs many sweeps. Both are
//! found out at a small part of the cost of either:
//!
//! * walks back along arcs ([`walks_back`]) end at nodes without predecessors where there are few
//!   cycles, and soon come to a node twice where most arcs lie on some: a few thousand steps. Walks along
//!   chains are long, and repeat nothing;
//! * the power method begins. After [`PROBE`] sweeps, the changes tell how many more it would take at
//!   least. Where most walks soon come to dangling nodes, these are few.
//!
//! If the components show that walks have been deceptive, the power method begins again. The choice does
//! not depend on the number of threads, of which the components take one.

use super::by_component::ByComponent;
use super::power;
use crate::pagerank::certificate::{Certified, Iteration, PageRankMap};
use crate::pagerank::parameters::Method;
use crate::pagerank::walk::RandomWalk;
use std::collections::HashSet;
use webrank_base::error::Result;
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_base::random::SplitMix;
use webrank_linear::StopRule;

/// Walks that are tried.
const WALKS: usize = 64;

/// Nodes in a walk that neither ends nor repeats itself, at first.
const STEPS: usize = 64;

/// Nodes in a walk, if few walks have repeated themselves by then.
const MOST_STEPS: usize = 4096;

/// Few arcs lie on cycles if at least so many walks do not repeat themselves.
const MUST_END: usize = WALKS * 3 / 4;

/// Sweeps of the power method before the choice.
const PROBE: u32 = 4;

/// The plain sweeps that are left, as the first changes tell, from which components are faster on two
/// threads (`docs/src/measurements/pagerank.md`). Later changes shrink more slowly than the first.
const MANY_SWEEPS: f64 = 30.0;

/// The most arcs a node.
pub(in crate::pagerank) const ARCS_OF_NODE: u64 = 10;

/// The share of the arcs that may lie within components.
const FEW_WITHIN: f64 = 0.25;

/// The power method, until the choice.
pub(super) struct Auto<'a> {
    map: &'a PageRankMap<'a>,
    /// The iteration; none while a method is chosen, so that there is memory for the next.
    state: Option<Box<dyn Iteration + 'a>>,
    stop: StopRule,
    progress: &'a dyn Progress,
    chosen: Method,
    /// Sweeps and certificates before the choice, if it took any time.
    before: Option<u32>,
    /// Calls so far.
    calls: u32,
    /// The change of the sweep in the middle of the probe.
    middle: f64,
    last: f64,
}

/// The method that is chosen, starting from the preference vector.
pub(super) fn auto<'a>(
    map: &'a PageRankMap<'a>,
    stop: &StopRule,
    progress: &'a dyn Progress,
) -> Box<dyn Iteration + 'a> {
    if !may_be_by_component(map.walk) {
        return power(map);
    }
    Box::new(Auto {
        map,
        state: Some(power(map)),
        stop: *stop,
        progress,
        chosen: Method::Power,
        before: None,
        calls: 0,
        middle: f64::INFINITY,
        last: f64::INFINITY,
    })
}

/// The power method from the preference vector.
fn power<'a>(map: &'a PageRankMap<'a>) -> Box<dyn Iteration + 'a> {
    let (n, v) = (map.equation.num_nodes, map.equation.preference);
    power::power(map, &tasks::tabulate(n, |node| v.weight(node, n)))
}

impl<'a> Auto<'a> {
    fn state(&mut self) -> &mut (dyn Iteration + 'a) {
        let state = self.state.as_deref_mut();
        state.expect("there is one, but for a choice that has failed")
    }

    /// About the plain sweeps that are left.
    fn sweeps_left(&self) -> f64 {
        let goal = self.stop.tolerance.get() * (1.0 - self.map.equation.alpha);
        let rate = (self.last / self.middle).powf(2.0 / f64::from(PROBE));
        let left = (goal / self.last).ln() / rate.ln();
        left.min(f64::from(self.stop.max_iterations))
    }

    /// Goes on by components if these are faster.
    fn choose(&mut self) -> Result<()> {
        // A certificate may have come in their place, or nothing may change any more.
        let is_known = self.middle.is_normal() && self.last.is_normal();
        if !is_known || self.sweeps_left() < MANY_SWEEPS {
            return Ok(());
        }
        self.state = None;
        // One sweep is for the certificate.
        let max_sweeps = self.stop.max_iterations.saturating_sub(PROBE + 1).max(1);
        let tolerance = self.stop.tolerance.get();
        let by_component = ByComponent::new(self.map, tolerance, max_sweeps, self.progress)?;
        self.before = Some(self.calls);
        let is_fast = by_component.share_within() <= FEW_WITHIN;
        self.chosen = if is_fast {
            Method::Components
        } else {
            Method::Power
        };
        self.state = Some(match self.chosen {
            Method::Components => Box::new(by_component),
            _ => power(self.map),
        });
        Ok(())
    }
}

impl Iteration for Auto<'_> {
    fn sweep(&mut self) -> Result<f64> {
        if self.calls == PROBE && self.before.is_none() {
            self.choose()?;
        }
        let change = self.state().sweep()?;
        self.calls += 1;
        match self.calls {
            calls if calls == PROBE / 2 => self.middle = change,
            PROBE => self.last = change,
            _ => {}
        }
        Ok(change)
    }

    fn certify(&mut self) -> Result<Certified> {
        self.calls += 1;
        self.state().certify()
    }

    fn floor(&self) -> f64 {
        self.map.floor()
    }

    fn sweeps(&self) -> Option<u32> {
        let of_state = self.state.as_ref().and_then(|state| state.sweeps());
        Some(self.before? + of_state?)
    }

    fn method(&self) -> Option<Method> {
        Some(self.chosen)
    }
}

/// Whether few arcs lie on cycles, as far as walks tell, and components take no more memory than what the
/// power method was [planned](crate::pagerank::PageRank::needs_in_memory) with: 75 bytes a node and 12 an arc.
fn may_be_by_component(walk: &RandomWalk) -> bool {
    let is_sparse = walk.num_arcs() <= ARCS_OF_NODE * walk.num_nodes() as u64;
    is_sparse && walks_back(walk).is_some_and(|walks| walks.repeated <= WALKS - MUST_END)
}

/// How walks from the heads of random arcs back along random arcs go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct WalksBack {
    /// Walks that end at a node without predecessors. A loop is no way out, and no cycle either:
    /// components solve it at once.
    ended: usize,
    /// Walks that come to a node twice.
    repeated: usize,
}

impl WalksBack {
    fn count(&mut self, ending: Ending) {
        match ending {
            Ending::Ended => self.ended += 1,
            Ending::Repeated => self.repeated += 1,
            Ending::Open => {}
        }
    }
}

/// One walk: where it is, and where it has been.
#[derive(Default)]
struct WalkBack {
    node: usize,
    path: HashSet<usize>,
}

/// Whether a walk is over.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    Ended,
    Repeated,
    /// It goes on.
    Open,
}

/// Walks back; none if there are no arcs, or if rows are not flat.
fn walks_back(walk: &RandomWalk) -> Option<WalksBack> {
    let rows = walk.rows().flat().filter(|_| walk.num_arcs() > 0)?;
    let row = |node: usize| rows.row(walk.rows().row_of(node));
    let mut random = SplitMix::new(0);
    // Nodes are drawn, more than walks, and arcs into them are taken at even steps.
    let mut draw = || random.below(walk.num_nodes() as u64) as usize;
    let nodes: Vec<usize> = (0..4 * WALKS).map(|_| draw()).collect();
    let mut ends: Vec<usize> = Vec::with_capacity(nodes.len());
    for &node in &nodes {
        ends.push(ends.last().unwrap_or(&0) + row(node).len());
    }
    let arcs = ends.last().copied().filter(|&arcs| arcs > 0)?;
    let ends_at = |index: usize| {
        let arc = arcs * (2 * index + 1) / (2 * WALKS);
        nodes[ends.partition_point(|&end| end <= arc)]
    };
    let follow = |going: &mut WalkBack, steps: usize, random: &mut SplitMix| {
        while going.path.len() < steps {
            going.path.insert(going.node);
            let predecessors = row(going.node);
            let count = predecessors.len();
            let choice = random.below(count as u64) as usize;
            let Some(next) = predecessors.nodes().nth(choice) else {
                return Ending::Ended;
            };
            let next = walk.live()[next as usize] as usize;
            if next == going.node && count == 1 {
                return Ending::Ended;
            }
            // A loop takes a step.
            if next != going.node && going.path.contains(&next) {
                return Ending::Repeated;
            }
            going.node = next;
        }
        Ending::Open
    };
    let mut found = WalksBack::default();
    let mut open = Vec::new();
    for index in 0..WALKS {
        let mut going = WalkBack {
            node: ends_at(index),
            ..WalkBack::default()
        };
        let ending = follow(&mut going, STEPS, &mut random);
        found.count(ending);
        open.extend((ending == Ending::Open).then_some((index, going)));
    }
    if found.repeated > WALKS - MUST_END || found.ended >= MUST_END {
        return Some(found);
    }
    for (index, mut going) in open {
        let mut random = SplitMix::new(1 + index as u64);
        found.count(follow(&mut going, MOST_STEPS, &mut random));
    }
    Some(found)
}

/// Why a method was chosen for a walk.
pub(in crate::pagerank) fn reason(walk: &RandomWalk, chosen: &str) -> String {
    let is_other = chosen == Method::Components.name();
    match walks_back(walk) {
        Some(walks) if is_other => format!(
            "few arcs lie on cycles (of {WALKS} walks back along arcs, {} end), and the power \
             method would take many sweeps",
            walks.ended
        ),
        Some(walks) if walks.repeated > WALKS - MUST_END => format!(
            "many arcs lie on cycles: of {WALKS} walks back along arcs, {} come to a node twice",
            walks.repeated
        ),
        _ => "it takes few sweeps, or others are not possible: they take flat rows in memory, at most \
              10 arcs a node, no start and no checkpoint"
            .into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use webrank_base::Node;
    use webrank_graph::{Csr, IncomingRows};

    fn walks(n: u32, arcs: impl Iterator<Item = (Node, Node)>) -> Option<[usize; 2]> {
        let graph = Csr::from_arcs(n as usize, arcs).unwrap();
        let rows = graph.transpose().unwrap();
        let backward = IncomingRows {
            rows,
            outdegrees: None,
        };
        let walks = walks_back(&RandomWalk::new(backward).unwrap())?;
        Some([walks.ended, walks.repeated])
    }

    #[test]
    fn walks_end_where_there_are_no_cycles() {
        let n = 3000;
        let tree = (1..n).map(|node| (node, node / 3));
        let loops = (0..n).map(|node| (node, node));
        assert_eq!(walks(n, tree.clone().chain(loops)), Some([WALKS, 0]));
        let back = tree.map(|(from, to)| (to, from));
        assert_eq!(walks(n, back), Some([WALKS, 0]));
        let path = (1..n).map(|node| (node - 1, node));
        assert_eq!(walks(n, path), Some([WALKS, 0]));
        let circle = (0..n).map(|node| (node, (node + 1) % n));
        assert_eq!(walks(n, circle), Some([0, WALKS]));
        assert_eq!(walks(n, [].into_iter()), None);
        assert_eq!(walks(0, [].into_iter()), None);
    }
}
