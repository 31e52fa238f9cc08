//! Gauss-Seidel by strong components, in topological order.
//!
//! The systems are those of [`crate::pagerank::methods::gauss_seidel`]. Nothing flows
//! back into a component from later ones, so each is solved once, after those before it:
//!
//! * inflow from outside the component is summed once;
//! * a component of one node is then solved directly;
//! * other components are swept, using new values immediately, until their part of the residual is
//!   within their share of the tolerance, which is proportional to their arcs.
//!
//! An acyclic graph takes one sweep over its arcs, for any alpha; iterative methods take as many
//! sweeps as its longest path has nodes, or as many as the tolerance requires. If most arcs lie
//! within one component, as on the web, nothing is gained, and
//! [`crate::pagerank::methods::power`] is faster. One thread; 4 bytes per arc and 40
//! per node. (Arasu, Novak, Tomkins and Tomlin, "PageRank computation and the structure of the
//! web", 2002; Avrachenkov and Litvak, "Decomposition of the Google PageRank and optimal linking
//! strategy", 2004.)

use super::gauss_seidel::coefficients;
use crate::pagerank::certificate::{Certified, Iteration, PageRankMap};
use crate::pagerank::equation::ConstantTerm;
use crate::pagerank::parameters::Method;
use std::ops::Range;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::parallel::blocks::{BLOCK_WEIGHT, cut_by, split_mut};
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_graph::Csr;
use webrank_graph::components::StrongComponents;

/// The state of an iteration. Live nodes are numbered in the order of their components.
pub struct ByComponent<'a> {
    map: &'a PageRankMap<'a>,
    order: Ordered,
    /// y, with right-hand side (1 - alpha) v.
    by_preference: ComponentSystem<'a>,
    /// w, with right-hand side alpha u, unless it follows from y.
    by_dangling: Option<ComponentSystem<'a>>,
    /// The residual that the next sweep must reach, relative to the norm.
    goal: f64,
    max_sweeps: u32,
    /// Arcs visited so far.
    work: u64,
    progress: &'a dyn Progress,
}

/// The live nodes by component.
struct Ordered {
    /// The place of each among the live nodes.
    places: Vec<Node>,
    components: Vec<Range<usize>>,
    /// Where the predecessors of each node start: first those in earlier components, then those in
    /// its own.
    starts: Vec<u64>,
    within: Vec<u64>,
    predecessors: Vec<Node>,
    outdegrees: Vec<u32>,
    self_loops: Vec<bool>,
}

/// A system and its current solution.
struct ComponentSystem<'a> {
    right: ConstantTerm<'a>,
    shares: Vec<f64>,
    /// The sum of the entries of live nodes.
    mass: f64,
}

impl<'a> ByComponent<'a> {
    /// Finds the components, which will be solved to an l1 error of about `tolerance`, each in at
    /// most `max_sweeps`. O(n + m).
    ///
    /// # Errors
    /// If the user interrupts.
    pub fn new(
        map: &'a PageRankMap<'a>,
        tolerance: f64,
        max_sweeps: u32,
        progress: &'a dyn Progress,
    ) -> Result<Self> {
        let equation = &map.equation;
        let order = Ordered::new(map, progress)?;
        let system = |right| ComponentSystem {
            right,
            shares: vec![0.0; order.places.len()],
            mass: 0.0,
        };
        let needs_both = equation.dangling.is_some_and(|u| u != equation.preference);
        Ok(ByComponent {
            by_preference: system(equation.combined(1.0 - equation.alpha, 0.0)),
            by_dangling: needs_both.then(|| system(equation.combined(0.0, equation.alpha))),
            goal: 0.5 * tolerance * (1.0 - equation.alpha),
            map,
            order,
            max_sweeps,
            work: 0,
            progress,
        })
    }

    /// The share of the arcs that lie within components of several nodes.
    pub(super) fn share_within(&self) -> f64 {
        let several = self.order.components.iter();
        let several = several.filter(|nodes| nodes.len() > 1);
        let within: u64 = several
            .map(|nodes| self.order.arcs_within(nodes.clone()))
            .sum();
        within as f64 / self.order.predecessors.len().max(1) as f64
    }

    /// The p and q with `x = p y + q w`.
    fn coefficients(&self) -> [f64; 2] {
        let w = self.by_dangling.as_ref().map(|w| w.mass);
        coefficients(&self.map.equation, self.by_preference.mass, w)
    }
}

impl Ordered {
    fn new(map: &PageRankMap, progress: &dyn Progress) -> Result<Self> {
        let rows = map.walk.flat_rows("method", Method::Components.name())?;
        let live_rows = map.walk.live_rows();
        let n = live_rows.len();
        let mut offsets = vec![0u64];
        for &row in &live_rows {
            offsets.push(offsets[offsets.len() - 1] + rows.row(row as usize).len() as u64);
        }
        let blocks = cut_by(n, BLOCK_WEIGHT, |place| offsets[place] + place as u64);
        let mut targets = vec![0; offsets[n] as usize];
        let extent = |offsets: &[u64], block: &Range<usize>| {
            offsets[block.start] as usize..offsets[block.end] as usize
        };
        let extents: Vec<_> = blocks.iter().map(|block| extent(&offsets, block)).collect();
        let parts = blocks.iter().zip(split_mut(&mut targets, &extents));
        tasks::for_each(parts, |(block, targets)| {
            let nodes = live_rows[block.clone()].iter();
            let nodes = nodes.flat_map(|&row| rows.row(row as usize).nodes());
            targets
                .iter_mut()
                .zip(nodes)
                .for_each(|(target, node)| *target = node);
        });
        let by_place = Csr::from_checked(offsets, targets);
        let components = StrongComponents::new(&by_place, progress)?;
        let (bounds, places) = components.members();
        let mut position = vec![0; n];
        for (at, &place) in places.iter().enumerate() {
            position[place as usize] = at as Node;
        }
        let mut starts = vec![0u64];
        for &place in &places {
            starts.push(starts[starts.len() - 1] + by_place.degree(place));
        }
        let mut predecessors = vec![0; starts[n] as usize];
        let mut within = vec![0; n];
        let component_of = components.component_of();
        let blocks = cut_by(n, BLOCK_WEIGHT, |at| starts[at] + at as u64);
        let extents: Vec<_> = blocks.iter().map(|block| extent(&starts, block)).collect();
        let parts = blocks
            .iter()
            .zip(split_mut(&mut predecessors, &extents))
            .zip(split_mut(&mut within, &blocks));
        tasks::for_each(parts, |((block, predecessors), within)| {
            let first = starts[block.start];
            for (at, within) in block.clone().zip(within) {
                let place = places[at];
                let is_before =
                    |&&j: &&Node| component_of[j as usize] < component_of[place as usize];
                let row = by_place.row(place).iter();
                let before = row.clone().filter(is_before);
                let inside = row.filter(|j| !is_before(j));
                let row = (starts[at] - first) as usize..(starts[at + 1] - first) as usize;
                *within = starts[at] + before.clone().count() as u64;
                let entries = predecessors[row].iter_mut().zip(before.chain(inside));
                entries.for_each(|(entry, &j)| *entry = position[j as usize]);
            }
        });
        let outdegrees = map.walk.live_outdegrees();
        Ok(Ordered {
            self_loops: (0..n)
                .map(|at| {
                    predecessors[within[at] as usize..starts[at + 1] as usize]
                        .contains(&(at as Node))
                })
                .collect(),
            outdegrees: places
                .iter()
                .map(|&place| outdegrees[place as usize])
                .collect(),
            components: bounds.windows(2).map(|two| two[0]..two[1]).collect(),
            places,
            starts,
            within,
            predecessors,
        })
    }

    /// The predecessors of a node in earlier components, and those in its own.
    #[inline]
    fn predecessors(&self, at: usize) -> (&[Node], &[Node]) {
        let [start, within, end] = [self.starts[at], self.within[at], self.starts[at + 1]];
        let row = &self.predecessors[start as usize..end as usize];
        row.split_at((within - start) as usize)
    }

    /// Arcs within components, self-loops included.
    fn arcs_within(&self, nodes: Range<usize>) -> u64 {
        nodes.map(|at| self.starts[at + 1] - self.within[at]).sum()
    }
}

impl ComponentSystem<'_> {
    /// Solves one component after another; returns the l1 norm of the changes of their last sweeps,
    /// and the number of arcs visited.
    fn solve(&mut self, state: &Solve) -> Result<[f64; 2]> {
        let (order, alpha) = (state.order, state.map.equation.alpha);
        let live = state.map.walk.live();
        let all_within = order.arcs_within(0..order.places.len()).max(1) as f64;
        // The norm is at least the mass solved so far plus what flows in without arcs.
        let without_arcs: f64 = live.iter().map(|&node| self.right.at(node as usize)).sum();
        let (mut changed, mut work, mut mass) = (0.0, 0, 0.0f64);
        let mut given = Vec::new();
        for component in &order.components {
            state.progress.check()?;
            given.clear();
            given.extend(component.clone().map(|at| {
                let (before, _) = order.predecessors(at);
                let node = live[order.places[at] as usize];
                alpha * sum(before, &self.shares) + self.right.at(node as usize)
            }));
            let within = order.arcs_within(component.clone());
            work += order.starts[component.end] - order.starts[component.start] - within;
            let goal = state.goal * mass.max(without_arcs) * within as f64 / all_within;
            let mut sweeps = 0;
            let [change, total] = loop {
                let [change, total] = self.sweep(state, component.clone(), &given);
                (sweeps, work) = (sweeps + 1, work + within);
                if component.len() == 1 {
                    break [0.0, total];
                }
                let is_done = change <= goal.max(4.0 * f64::EPSILON * total);
                if is_done || sweeps >= state.max_sweeps {
                    break [change, total];
                }
                state.progress.check()?;
            };
            (changed, mass) = (changed + change, mass + total);
        }
        self.mass = mass;
        Ok([changed, work as f64])
    }

    /// Sweeps a component, using new values immediately; returns the l1 norm of the change and that
    /// of the component.
    fn sweep(&mut self, state: &Solve, component: Range<usize>, given: &[f64]) -> [f64; 2] {
        let (order, alpha) = (state.order, state.map.equation.alpha);
        let (mut change, mut total) = (0.0, 0.0);
        for (at, given) in component.zip(given) {
            let (_, within) = order.predecessors(at);
            let old = self.shares[at];
            let outdegree = order.outdegrees[at] as f64;
            let self_loop = f64::from(order.self_loops[at]);
            let inflow = sum(within, &self.shares) - self_loop * old;
            let new = (alpha * inflow + given) / (outdegree - alpha * self_loop);
            self.shares[at] = new;
            change += outdegree * (new - old).abs();
            total += outdegree * new;
        }
        [change, total]
    }
}

fn sum(nodes: &[Node], shares: &[f64]) -> f64 {
    nodes.iter().map(|&j| shares[j as usize]).sum()
}

/// The inputs of solving a system.
struct Solve<'s> {
    map: &'s PageRankMap<'s>,
    order: &'s Ordered,
    goal: f64,
    max_sweeps: u32,
    progress: &'s dyn Progress,
}

impl Iteration for ByComponent<'_> {
    /// Solves all components, with as many sweeps over the arcs of each as needed.
    fn sweep(&mut self) -> Result<f64> {
        let state = Solve {
            map: self.map,
            order: &self.order,
            goal: self.goal,
            max_sweeps: self.max_sweeps,
            progress: self.progress,
        };
        let [of_y, mut work] = self.by_preference.solve(&state)?;
        let mut of_w = 0.0;
        if let Some(w) = &mut self.by_dangling {
            let [change, more] = w.solve(&state)?;
            (of_w, work) = (change, work + more);
        }
        self.work += work as u64;
        self.goal *= 0.1;
        let [p, q] = self.coefficients();
        Ok(p * of_y + q * of_w)
    }

    fn certify(&mut self) -> Result<Certified> {
        self.work += self.map.walk.num_arcs();
        let [p, q] = self.coefficients();
        let mut shares = vec![0.0; self.order.places.len()];
        for (at, &place) in self.order.places.iter().enumerate() {
            let w = self.by_dangling.as_ref().map_or(0.0, |w| w.shares[at]);
            shares[place as usize] = p * self.by_preference.shares[at] + q * w;
        }
        self.map.certify(&shares)
    }

    fn floor(&self) -> f64 {
        self.map.floor()
    }

    fn sweeps(&self) -> Option<u32> {
        Some(self.work.div_ceil(self.map.walk.num_arcs().max(1)) as u32)
    }
}
