//! Geometric measures from sampled nodes: a stratified sample, with an interval for every node.
//!
//! The score of x is a sum of terms f(d(y, x)) in [0, 1] over the y that reach x. One search from y, ALONG the
//! arcs for incoming distances, gives the term of y for every x. So k searches serve all nodes, 512 at a
//! time, on a graph in which nodes that are always reached together are one.
//!
//! * **Strata.** Nodes that are close to each other in breadth-first order have nearly equal distances. So one
//!   node is drawn from each of k equal runs of that order (`draws`), and the error is that of the
//!   differences within runs, which is many times smaller than that of uniform draws on crawls. The book's
//!   measurements of distances have the figures.
//! * **Known nodes.** Nodes without arcs in the direction of the search are left out of the draws: they
//!   reach nothing. Neighbours are known: terms are sampled up to f(2) only.
//! * **Small reach.** Nodes that fewer than 32 draws reach are searched from exactly (`small_reach`).
//! * **Intervals** are of two kinds (`estimates`): *estimated* from 16 random groups of draws, narrow, but
//!   not proved; and *proved* for independent draws, which does not see the strata, and so is wide.
//! * **All nodes at once.** By Hoeffding's inequality (1963, theorem 2) and a union bound, with probability
//!   1 - delta every normalised score is within epsilon, for the k of [`Precision`], or the epsilon that
//!   follows from k.
//!
//! If k is as large as the number of nodes that could be drawn, or of searches of the exact engine, scores are
//! exact. Sums are whole numbers: the bits depend only on the graph, the size of the sample and the seed.
//!
//! A measure declares by [`DistanceMeasure::largest`] that it is such a sum: harmonic, decay and reachable do.
//! Closeness and Lin are made of two sums (`formulas`). Integration is a sum once the diameter is known. Eccentricity is
//! a maximum.
//!
//! Cochran, "Sampling techniques", 1977, chapters 5 and 5A (strata); Wolter, "Introduction to variance
//! estimation", 2007, chapter 2 (random groups); Eppstein and Wang 2004 (closeness from uniform draws).

mod columns;
mod draws;
mod estimates;
mod formulas;
mod kept;
mod scale;
mod shards;
mod size;
mod small_reach;
mod spread;
mod sums;
mod swept;

pub use estimates::IntervalKind;
use formulas::num_sums;
pub(super) use formulas::{can_sample, may_sample};
pub use kept::SAMPLED;
pub(super) use shards::{SampleOnShards, bytes_of_held, needs_groups};
pub use size::{DELTA, Precision, SOURCES, SampleSize};
pub(super) use swept::Sweeping;

use super::exact::Exact;
use super::measure::DistanceMeasure;
use super::{Direction, DistanceScores};
use crate::reduction::{Reduced, Reductions};
use columns::{Asked, Findings, Sampled};
use draws::{Draws, GROUPS};
use estimates::ClassesOfNodes;
use kept::State;
use spread::{Found, Searches};
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::parallel::tasks;
use webrank_base::progress::{Progress, Unheard};
use webrank_graph::{Csr, Predecessors, Successors};
use webrank_scores::Scores;
use webrank_scores::intervals::Confidence;

/// The nodes whose error a relative one is about.
const BEST: usize = 1000;

/// The parameters of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sample {
    /// It fixes the number of sampled nodes.
    pub size: SampleSize,
    /// Which interval each node has.
    pub intervals: IntervalKind,
    /// How often it holds.
    pub confidence: Confidence,
    /// It fixes the sampled nodes.
    pub seed: u64,
}

impl Sample {
    /// True for proved intervals.
    fn is_proved(self) -> bool {
        match self.intervals {
            IntervalKind::Auto => self.size.is_proved(),
            IntervalKind::Estimated => false,
            IntervalKind::Proved => true,
        }
    }

    /// The bytes of a node while it is sampled by all threads, at most.
    pub(super) fn bytes_of_node(self, num_nodes: usize, measures: &[&dyn DistanceMeasure]) -> u64 {
        let sums = num_sums(measures, num_nodes);
        let batches = self.size.at_most(num_nodes).div_ceil(512) as usize;
        // A batch may be taken up by another thread, whose room stays.
        let searches = (batches + 1).min(rayon::current_num_threads());
        (searches * spread::bytes_of_class(sums) + 8 * measures.len() + 16) as u64
    }
}

/// Estimates of `measure` for every node, with intervals.
///
/// `successors` is the transpose of `predecessors`. O(m) for each 512 samples at worst, and at most eight
/// times as much for nodes of small reach. For each thread 330 bytes per class of nodes. Reports one unit to
/// `progress` per search.
///
/// # Errors
/// If the measure cannot be sampled, or not so;
/// [`Interrupted`](webrank_base::error::Error::Interrupted) when the user stops the run.
pub fn sample(
    predecessors: Predecessors<Csr>,
    successors: Successors<Csr>,
    direction: Direction,
    measure: &dyn DistanceMeasure,
    wanted: Sample,
    progress: &dyn Progress,
) -> Result<Scores> {
    let exact = Exact::new(predecessors, successors, direction);
    let (rows, reverse) = direction.rows(predecessors, successors);
    let sampler = Sampler {
        exact: &exact,
        rows,
        reverse,
        measures: &[measure],
        wanted,
    };
    let found = match sampler.run(progress)? {
        Some((found, _)) => found,
        None => exact.run(&[measure], progress)?,
    };
    let mut scores = found.scores.into_iter();
    Ok(scores.next().expect("there is one measure"))
}

/// A sample of a graph.
pub(super) struct Sampler<'a> {
    /// The graph, reduced for searches against those from the draws.
    pub(super) exact: &'a Exact<'a>,
    /// Its rows, and these reversed.
    pub(super) rows: &'a Csr,
    pub(super) reverse: &'a Csr,
    pub(super) measures: &'a [&'a dyn DistanceMeasure],
    pub(super) wanted: Sample,
}

/// The graph, reduced for the searches, and the nodes that may be drawn.
struct Population<'a> {
    graph: Reduced<'a>,
    order: Vec<Node>,
    degrees: Vec<u32>,
}

impl Sampler<'_> {
    /// The estimates, and notes on how they were found; none if exact scores take no more searches.
    ///
    /// # Errors
    /// If a measure cannot be sampled, or not so; [`Interrupted`](webrank_base::error::Error::Interrupted) when the user stops the
    /// run.
    pub(super) fn run(
        &self,
        progress: &dyn Progress,
    ) -> Result<Option<(DistanceScores, Vec<String>)>> {
        let asked = self.asked()?;
        let population = self.population();
        let sampled = population.sampled();
        let limit = self.exact.units().min(sampled.sources as u64);
        let pilot = |count, seed| self.pilot(&asked, &population, (count, seed), progress);
        let (count, note) = asked.count(sampled.sources, limit, pilot)?;
        let Some(count) = count else {
            return Ok(None);
        };
        let mut notes: Vec<_> = note.into_iter().collect();
        let draws = Draws::new(&population.order, count, self.wanted.seed);
        let scales = asked.scales(count, GROUPS);
        let searches = Searches {
            graph: &population.graph,
            draws: &draws,
            scales: &scales,
        };
        let state = State::run(&searches, self.exact, self.measures, progress)?;
        notes.extend(state.note(&population.degrees, &population.graph));
        let arcs = state.found.arcs + state.exact.arcs;
        let exact = state.exact.scores;
        let sums = state.found.into_sums();
        let found = Findings::new(draws, scales, sums);
        let n = self.rows.num_nodes();
        let scores = DistanceScores {
            scores: asked.columns(&sampled, &found, |place, x| exact[place * n + x]),
            rests: Vec::new(),
            reachable_share: asked.reachable_share(&sampled, &found),
            arcs,
        };
        Ok(Some((scores, notes)))
    }

    fn asked(&self) -> Result<Asked<'_>> {
        let (direction, n) = (self.exact.direction, self.rows.num_nodes());
        Asked::new(self.measures, direction, self.wanted, n)
    }

    fn population(&self) -> Population<'_> {
        // Members of a class are drawn, so chains are of no use.
        let steps = Reductions {
            chains: false,
            ..Reductions::ALL
        };
        let graph = Reduced::new(self.reverse, self.rows, steps);
        let order = draws::order(&graph);
        let rows = self.exact.graph.rows();
        let degrees = tasks::tabulate(rows.num_nodes(), |x| rows.degree(x as Node) as u32);
        Population {
            graph,
            order,
            degrees,
        }
    }

    /// The relative standard error of the best nodes, from a sample of its own.
    fn pilot(
        &self,
        asked: &Asked,
        population: &Population,
        (count, seed): (usize, u64),
        progress: &dyn Progress,
    ) -> Result<f64> {
        let draws = Draws::new(&population.order, count, seed);
        let scales = asked.scales(count, GROUPS);
        let searches = Searches {
            graph: &population.graph,
            draws: &draws,
            scales: &scales,
        };
        let mut found = Found::new(&searches);
        searches.advance(&mut found, usize::MAX / 512, &Unheard(progress))?;
        let sums = found.into_sums();
        let found = Findings::new(draws, scales, sums);
        asked.error_of_best(&population.sampled(), &found, Ok)
    }
}

impl Population<'_> {
    fn sampled(&self) -> Sampled<'_> {
        let classes = &self.graph.quotient().node_of;
        let rows = self.graph.rows();
        Sampled {
            nodes: ClassesOfNodes {
                class: Box::new(|x| classes[x] as usize),
                is_source: Box::new(|x| rows.degree(x as Node) > 0),
            },
            degrees: &self.degrees,
            sources: self.order.len(),
        }
    }
}

#[cfg(test)]
mod tests;
