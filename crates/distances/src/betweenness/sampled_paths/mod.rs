//! Betweenness from sampled shortest paths, with simultaneous confidence intervals for all nodes.
//!
//! A sample is a uniformly random ordered pair s != t and a uniformly random shortest path from s
//! to t; a pair without a path is an empty sample. On any graph, the path passes through x, other
//! than as an end, with probability b(x) = betweenness(x) / (n(n-1)).
//!
//! **Theorem.** Let rho be the sum of all b(x), and let the paths be counted at the sizes T_1 <
//! T_2 < ... with shares delta_1 + delta_2 + ... <= delta, all fixed before the first path is
//! drawn. At T_j let rho_j be an upper bound on rho that fails with probability at most delta_j/20,
//! and give every x the interval of its count with tests of level 19/40 delta_j b / rho_j. With
//! probability at least 1 - delta, EVERY interval of EVERY node at EVERY T_j contains b(x), and so
//! do those at which the run stops, by any stopping rule.
//!
//! *Proof.* If rho <= rho_j, the true b(x) is rejected only if its count falls into a tail of
//! probability at most 19/40 delta_j b(x) / rho, on one of two sides. The sum over x is 19/20
//! delta_j, because the b(x) add up to rho; rho_j fails with probability at most delta_j/20; and
//! the delta_j add up to at most delta. ∎
//!
//! The number of nodes does not appear. rho is the mean number of inner nodes; rho_j is the
//! empirical Bernstein bound from the same paths, whose lengths lie below [a bound on every
//! shortest path](longest_path). A pilot of separate paths, never counted, predicts the T at which
//! the error is small enough, and so fixes the T_j. No cap by the Vapnik-Chervonenkis dimension is
//! used (Riondato and Kornaropoulos 2016): the constant in their bound is measured, not proved.
//!
//! KADABRA (Borassi and Natale 2016) splits delta over the nodes by a pilot; SILVAN (Pellegrina and
//! Vandin 2023) groups nodes by variance. Here the tails of the binomial counts themselves are
//! used.
//!
//! [`path_sampler`] draws the paths; path i uses a random sequence determined by the seed and i, so
//! the bits do not depend on the threads.

pub mod binomial;
mod bounded;
mod checkpoint;
pub mod longest_path;
mod numbered_paths;
pub mod path_sampler;
mod paths_through;

pub use bounded::BoundedBetweenness;

use super::Betweenness;
use longest_path::longest_shortest_path;
use numbered_paths::NumberedPaths;
use path_sampler::PathSampler;
use paths_through::{IntervalsByCount, PathsThrough};
use std::time::Instant;
use webrank_base::Node;
use webrank_base::checkpoint::Stage;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::workspaces::Pool;
use webrank_base::progress::Progress;
use webrank_base::random::SplitMix;
use webrank_base::units;
use webrank_graph::{Csr, Predecessors, Successors};
use webrank_measure::cost_model::ANNOUNCED;

/// The name of the sampling in checkpoints.
pub const STAGE: &str = "sampled paths";

/// Draws shortest paths.
pub trait DrawPaths: Send {
    /// Appends to `inner` the inner nodes of a shortest path from `source` to `target`, drawn uniformly from
    /// all of them, in no particular order; false if there is none.
    ///
    /// # Panics
    /// If the two nodes are the same, or not in the graph.
    fn path(
        &mut self,
        source: Node,
        target: Node,
        random: &mut SplitMix,
        inner: &mut Vec<Node>,
    ) -> bool;
}

/// The shortest paths of a graph, by any definition.
pub struct GraphPaths<'a, F> {
    /// Makes what draws them, one for each thread.
    pub sampler: F,
    /// A bound on the number of arcs of each, and the component of each node, numbered so that no path leads to
    /// a larger number: see [`longest_path`].
    pub longest: (u64, Vec<Node>),
    /// The number of arcs of the graph.
    pub num_arcs: u64,
    /// Whether a node has both arcs in and arcs out.
    pub is_between: &'a (dyn Fn(Node) -> bool + Sync),
}

/// Estimates the betweenness of every node.
///
/// `predecessors` is the transpose of `successors`. Takes about 9 b(1-b) / epsilon^2 paths, with b
/// the largest score, and of the order of 10 / epsilon if all scores are small; 32 bytes per node
/// and thread. Reports one unit to `progress` per expected path.
///
/// At most [`most_paths`] are drawn. If neither the precision nor the order is reached by then, the
/// outcome says so.
///
/// # Errors
/// If the precision is expected to take more than [`most_paths`], and no order is requested;
/// [`Interrupted`](Error::Interrupted) when the user stops the run.
pub fn adaptive(
    successors: Successors<Csr>,
    predecessors: Predecessors<Csr>,
    params: &Betweenness,
    progress: &dyn Progress,
) -> Result<BoundedBetweenness> {
    let (forward, backward) = (successors.0, predecessors.0);
    let paths = GraphPaths {
        sampler: || PathSampler::new(Successors(forward), Predecessors(backward)),
        longest: longest_shortest_path(successors, predecessors, progress)?,
        num_arcs: forward.num_arcs(),
        is_between: &|x| forward.degree(x) > 0 && backward.degree(x) > 0,
    };
    adaptive_by(paths, params, progress)
}

/// Estimates the betweenness of every node from these paths, as [`adaptive`] does.
///
/// # Errors
/// As for [`adaptive`].
pub fn adaptive_by<S: DrawPaths, F: Fn() -> S + Sync>(
    paths: GraphPaths<F>,
    params: &Betweenness,
    progress: &dyn Progress,
) -> Result<BoundedBetweenness> {
    let (n, is_between) = (paths.longest.1.len(), paths.is_between);
    let Some(planned) = Planned::new(paths, params, progress)? else {
        // Shortest paths have at most one arc, so none has an inner node.
        let none = PathsThrough::new(n);
        let table = IntervalsByCount::new(&none, 0.0);
        return BoundedBetweenness::new(params, &none, table, 0.0, |_| false);
    };
    let (epsilon, delta) = (params.precision.epsilon(), params.precision.delta());
    let seconds = planned.seconds();
    if seconds > ANNOUNCED {
        progress.announce(&format!(
            "betweenness within {epsilon:e} takes about {}: {} paths",
            units::seconds(seconds),
            planned.expected
        ));
    }
    progress.begin("sampling", Some(planned.expected));
    let (mut counts, keeping) = PathsThrough::begin(n, planned.most, progress)?;
    let checks = schedule(planned.pilot, planned.expected, params.top.is_some());
    let mut checks = checks
        .take_while(|check| check.0 <= planned.most)
        .peekable();
    while let Some((samples, share)) = checks.next() {
        // A run that goes on is past the first sizes.
        if samples < counts.samples {
            continue;
        }
        let numbers = counts.samples..samples;
        planned
            .paths
            .count(numbers, &mut counts, keeping.as_ref(), progress)?;
        let share = counts.share(delta * share, planned.longest_inner);
        let table = IntervalsByCount::new(&counts, share);
        let error = table.error * planned.scale;
        progress.remark(&format!("error {error:.1e}"));
        let ordered = |top| table.ordered(counts.largest(top + 1), top);
        let is_last = checks.peek().is_none();
        if is_last || error <= epsilon || params.top.is_some_and(ordered) {
            progress.end();
            keeping.map_or(Ok(()), Stage::end)?;
            return BoundedBetweenness::new(params, &counts, table, error, is_between);
        }
    }
    unreachable!("the schedule has a last size")
}

/// An estimate of the seconds that sampling takes with the current number of threads, from those of
/// the pilot.
///
/// # Errors
/// As for [`adaptive`].
pub(super) fn seconds(
    successors: Successors<Csr>,
    predecessors: Predecessors<Csr>,
    params: &Betweenness,
    progress: &dyn Progress,
) -> Result<f64> {
    let (forward, backward) = (successors.0, predecessors.0);
    let started = Instant::now();
    let paths = GraphPaths {
        sampler: || PathSampler::new(Successors(forward), Predecessors(backward)),
        longest: longest_shortest_path(successors, predecessors, progress)?,
        num_arcs: forward.num_arcs(),
        is_between: &|_| true,
    };
    let of_bound = started.elapsed().as_secs_f64();
    Ok(of_bound + seconds_by(paths, params, progress)?)
}

/// An estimate of the seconds that sampling these paths takes.
///
/// # Errors
/// As for [`adaptive`].
pub fn seconds_by<S: DrawPaths, F: Fn() -> S + Sync>(
    paths: GraphPaths<F>,
    params: &Betweenness,
    progress: &dyn Progress,
) -> Result<f64> {
    let started = Instant::now();
    let planned = Planned::new(paths, params, progress)?;
    let of_pilot = started.elapsed().as_secs_f64();
    Ok(planned.map_or(of_pilot, |planned| of_pilot + planned.seconds()))
}

/// The plan by the pilot.
struct Planned<S, F> {
    paths: NumberedPaths<S, F>,
    /// The paths of the pilot, and the seconds that they took.
    pilot: u64,
    seconds_of_pilot: f64,
    /// The paths that are expected to be drawn, and the most.
    expected: u64,
    most: u64,
    /// A bound on the inner nodes of a shortest path.
    longest_inner: f64,
    /// A path through x has two other ends, so the largest normalised error is larger by this factor.
    scale: f64,
}

impl<S: DrawPaths, F: Fn() -> S + Sync> Planned<S, F> {
    /// The seconds that the expected paths take, by those of the pilot.
    fn seconds(&self) -> f64 {
        self.seconds_of_pilot * self.expected as f64 / self.pilot as f64
    }

    /// None if no shortest path has an inner node.
    fn new(
        paths: GraphPaths<F>,
        params: &Betweenness,
        progress: &dyn Progress,
    ) -> Result<Option<Self>> {
        let ((longest, component), num_arcs) = (paths.longest, paths.num_arcs);
        let n = component.len();
        if longest < 2 {
            return Ok(None);
        }
        let paths = NumberedPaths::new(component, Pool::new(paths.sampler), params.seed);
        let longest_inner = (longest - 1) as f64;
        let scale = n as f64 / (n as f64 - 2.0);
        let (epsilon, delta) = (params.precision.epsilon(), params.precision.delta());
        let most = most_paths(n, num_arcs);
        let wanted = (4.0 / epsilon).ceil() as u64;
        if wanted > most && params.top.is_none() {
            return Err(too_precise(epsilon, most));
        }
        let pilot_size = wanted.min(LARGEST_PILOT);
        let mut pilot = PathsThrough::new(n);
        progress.begin("pilot", Some(pilot_size));
        let started = Instant::now();
        paths.count(PILOT..PILOT + pilot_size, &mut pilot, None, progress)?;
        let seconds_of_pilot = started.elapsed().as_secs_f64();
        progress.end();
        let expected = match pilot.expected(epsilon / scale, delta, longest_inner, most) {
            Some(expected) => expected,
            // The order may be proved much earlier.
            None if params.top.is_some() => most,
            None => return Err(too_precise(epsilon, most)),
        };
        Ok(Some(Planned {
            paths,
            pilot: pilot_size,
            seconds_of_pilot,
            expected,
            most,
            longest_inner,
            scale,
        }))
    }
}

/// The maximal number of paths drawn in a graph: n (n + m), which bounds the steps of an exact
/// computation, but at least 2^27, which take minutes on small graphs, and at most 2^40.
pub fn most_paths(num_nodes: usize, num_arcs: u64) -> u64 {
    let n = num_nodes as u64;
    n.saturating_mul(n.saturating_add(num_arcs))
        .clamp(1 << 27, 1 << 40)
}

fn too_precise(epsilon: f64, most: u64) -> Error {
    let remedy = format!(
        "that takes more than the {most} sampled paths allowed: give a larger one, or compute \
         exactly"
    );
    Error::argument("epsilon", format!("{epsilon:e}"), remedy)
}

/// The largest size of the pilot. The pilot only predicts how long the run takes, for which more
/// paths are of no use.
const LARGEST_PILOT: u64 = 1 << 20;

/// The number of the first pilot path: far from those that are counted.
const PILOT: u64 = 1 << 62;

/// The growth factor of sizes near the expected one, and of those at which the order is tested.
const FINE: f64 = 1.1;
const COARSE: f64 = 1.5;

/// The number of sizes from the expected one on: 1.1^300 is more than 2^40.
const LATE_SIZES: i32 = 300;

/// The sizes at which to test, and the share of delta to spend at each. From the expected size on,
/// shares halve; with `early`, smaller sizes share half of delta.
fn schedule(first: u64, expected: u64, early: bool) -> impl Iterator<Item = (u64, f64)> {
    let mut sizes = Vec::new();
    let mut size = first as f64;
    while early && size * FINE < expected as f64 {
        sizes.push(size as u64);
        size *= COARSE;
    }
    let rest = if sizes.is_empty() { 1.0 } else { 0.5 };
    let share = 0.5 / sizes.len().max(1) as f64;
    let late = (0..LATE_SIZES).map(move |i| {
        let size = (expected as f64 * FINE.powi(i)).ceil() as u64;
        (size, rest * 0.5f64.powi(i + 1))
    });
    sizes.into_iter().map(move |size| (size, share)).chain(late)
}
