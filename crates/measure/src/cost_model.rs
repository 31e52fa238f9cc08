//! About how long computations take, before they begin.
//!
//! The seconds of a run are those of its passes: reading the graph, sweeps over its rows, ranking and
//! writing. The times of a pass for a node, an arc and a bit of the file are constants, measured on
//! graphs of very different shapes; how fast this machine is beside the one where they were measured
//! shows in some milliseconds ([`slowness`]). `docs/src/measurements/plans.md` compares.
//! How many sweeps an iteration takes is known from alpha and the tolerance for PageRank; of others, from
//! other graphs. Searches are timed instead: a sample of them, on the graph itself.

use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use webrank_base::progress::Progress;
use webrank_base::units::{self, estimated_seconds, megabytes};
use webrank_graph::Graph;

/// A computation that is expected to take more seconds than this is announced.
pub const ANNOUNCED: f64 = 5.0;

/// Announces a computation that takes long, and its bytes.
pub fn announce(what: &str, seconds: f64, memory: u64, progress: &dyn Progress) {
    if seconds > ANNOUNCED {
        let (time, memory) = (units::seconds(seconds), megabytes(memory));
        progress.announce(&format!("{what} takes about {time} and {memory:.0}"));
    }
}

/// About how many seconds a computation takes, as far as it is known before it begins.
#[derive(Debug, Clone, PartialEq)]
pub struct TimeEstimate {
    /// From the least to the most.
    pub range: Range<f64>,
    /// The seconds of a sweep, of an iteration whose number of sweeps was guessed from other graphs.
    pub of_sweep: Option<f64>,
    /// The engine, where there are several.
    pub engine: Option<&'static str>,
    /// The bytes that searching takes besides, where they show once the graph is reduced.
    pub searching: Option<u64>,
    /// The seconds beyond which the run is refused.
    pub budget: Option<f64>,
}

/// Estimates of the forms of a plan, in their order, as far as they are known.
pub type Times = Vec<Option<TimeEstimate>>;

impl TimeEstimate {
    /// About so many.
    pub fn about(seconds: f64) -> Self {
        Self::between(seconds, seconds)
    }

    /// Between so many.
    pub fn between(least: f64, most: f64) -> Self {
        TimeEstimate {
            range: least..most,
            of_sweep: None,
            engine: None,
            searching: None,
            budget: None,
        }
    }

    /// The seconds of something, and of so many sweeps.
    pub fn of_sweeps(besides: f64, of_sweep: f64, count: Range<f64>) -> Self {
        let [least, most] = [count.start, count.end].map(|count| besides + count * of_sweep);
        TimeEstimate {
            of_sweep: Some(of_sweep),
            ..Self::between(least, most)
        }
    }

    /// This estimate, by this engine.
    pub fn by(self, engine: &'static str) -> Self {
        TimeEstimate {
            engine: Some(engine),
            ..self
        }
    }

    /// This estimate, of a run that is refused where it takes longer than this.
    pub fn within(self, budget: Duration) -> Self {
        TimeEstimate {
            budget: Some(budget.as_secs_f64()),
            ..self
        }
    }

    /// This estimate, and so many bytes for searching.
    pub fn with(self, searching: u64) -> Self {
        TimeEstimate {
            searching: Some(searching),
            ..self
        }
    }
}

impl fmt::Display for TimeEstimate {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if let Some(engine) = self.engine {
            write!(f, "{engine} in ")?;
        }
        let [least, most] = [self.range.start, self.range.end].map(estimated_seconds);
        match least == most {
            true => write!(f, "about {least}")?,
            false => write!(f, "about {least} to {most}")?,
        }
        if let Some(seconds) = self.of_sweep {
            write!(f, " ({} a sweep)", estimated_seconds(seconds))?;
        }
        match self.searching {
            Some(bytes) => write!(f, " (and up to {} to search)", megabytes(bytes)),
            None => Ok(()),
        }
    }
}

/// The cost of a pass: nanoseconds of a core for each node, arc, and bit of the compressed file.
#[derive(Debug, Clone, Copy)]
pub struct CostModel {
    /// Nanoseconds per node.
    pub node: f64,
    /// Nanoseconds per arc.
    pub arc: f64,
    /// Nanoseconds per bit of the compressed file.
    pub bit: f64,
}

const fn cost(node: f64, arc: f64, bit: f64) -> CostModel {
    CostModel { node, arc, bit }
}

/// Decoding a direction of the graph into rows.
pub(crate) const DECODE: CostModel = cost(100.0, 3.0, 4.0);
/// Transposing rows.
pub(crate) const TRANSPOSE: CostModel = cost(20.0, 20.0, 0.0);
/// Finding equal rows and runs.
pub const PREPARE: CostModel = cost(90.0, 4.0, 0.5);
/// Ranking by one column, and writing a column as CSV.
pub(crate) const RANK: CostModel = cost(100.0, 0.0, 0.0);
pub(crate) const WRITE: CostModel = cost(80.0, 0.0, 0.0);
/// A sweep of PageRank over rows in memory.
pub const RUNS: CostModel = cost(6.5, 0.0, 0.1);
/// A sweep of PageRank over compact rows, in memory or on disk.
pub const COMPACT: CostModel = cost(10.0, 0.0, 0.2);
/// A sweep of PageRank over the compressed graph.
pub const STREAMED: CostModel = cost(30.0, 4.0, 2.1);
/// A sweep by rows whose new values are used at once.
pub const IN_ORDER: CostModel = cost(8.0, 1.0, 0.3);
/// A sweep with weights.
pub const WEIGHTED: CostModel = cost(10.0, 4.0, 0.0);
/// A sweep of many columns.
pub const LANES: CostModel = cost(40.0, 0.5, 0.1);
/// A sweep over the rows of a matrix, in double precision.
pub const MATRIX: CostModel = cost(12.0, 0.0, 0.2);

/// Searches from 512 nodes at a time, on a graph that is not reduced.
pub const BATCH: CostModel = cost(250.0, 25.0, 0.0);

/// A sweep of PageRank over shards, for an arc: on hosts, most of which are dangling, and on pages.
pub const SHARDS: [f64; 2] = [0.6, 1.5];

/// A step of HyperBall that changes all counters, for an arc and 1,024 registers: counters of a small
/// graph, which caches hold in part, and of a large one.
pub const STEP: [f64; 2] = [60.0, 120.0];

/// [`STEP`] where nodes with equal rows share a counter, by lines.
pub const STEP_BY_LINES: [f64; 2] = [10.0, 40.0];

/// The cost of a slice of the registers in a step besides: its changes go through a file.
pub const SLICE: CostModel = cost(90.0, 0.0, 0.2);

/// How many steps like those that change all counters a run of HyperBall takes: host graphs, pages.
pub const FULL_STEPS: Range<f64> = 10.0..25.0;

/// A process that begins and ends.
const PROCESS: f64 = 0.02;

/// A graph to pass over, on the threads of the current pool.
#[derive(Debug, Clone, Copy)]
pub struct Passes {
    nodes: f64,
    arcs: f64,
    bits: f64,
    is_in_memory: bool,
    has_transpose: bool,
    /// Bytes of the names of all nodes.
    names: f64,
    /// Seconds of this machine for a nanosecond of a core of that where costs were measured.
    pace: f64,
}

impl Passes {
    /// The passes over this graph.
    pub fn over(graph: &Graph) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = rayon::current_num_threads().min(cores);
        let (source, arcs) = (graph.source(), graph.num_arcs() as f64);
        // Rows in memory count for about what a file of them would have.
        let bits = source.map_or(8.0 * arcs, |source| 8.0 * source.largest_graph() as f64);
        Passes {
            nodes: graph.num_nodes() as f64,
            arcs,
            bits,
            is_in_memory: source.is_none(),
            has_transpose: source.is_some_and(|source| source.has_transpose()),
            names: graph.names().map_or(0.0, |names| names.memory() as f64),
            pace: slowness() * 1e-9 / threads as f64,
        }
    }

    /// The seconds of a pass.
    pub fn of(&self, cost: CostModel) -> f64 {
        let nanoseconds = cost.node * self.nodes + cost.arc * self.arcs + cost.bit * self.bits;
        nanoseconds * self.pace
    }

    /// The seconds of work in proportion to the arcs alone.
    pub fn of_arcs(&self, nanoseconds: f64) -> f64 {
        self.of(cost(0.0, nanoseconds, 0.0))
    }

    /// A process, and reading the rows of one direction: the reverse of a graph's own is in a file of
    /// its own, or made.
    pub fn reading(&self, reverse: bool) -> f64 {
        let decoding = match self.is_in_memory {
            true => 0.0,
            false => self.of(DECODE),
        };
        let transposing = match reverse && !self.has_transpose {
            true => self.of(TRANSPOSE),
            false => 0.0,
        };
        PROCESS + decoding + transposing
    }

    /// [`Self::reading`] for the rows of both directions.
    pub fn reading_both(&self) -> f64 {
        let second = match self.has_transpose {
            true => self.of(DECODE),
            false => self.of(TRANSPOSE),
        };
        self.reading(false) + second
    }

    /// Ranking by the first of so many columns, and writing them with the names of the nodes.
    pub fn writing(&self, columns: usize) -> f64 {
        let names = 2.0 * self.names * self.pace;
        names + self.of(RANK) + columns as f64 * self.of(WRITE)
    }
}

/// About how long a measure takes that makes one pass over the rows.
pub fn once(graph: &Graph, cost: CostModel, columns: usize) -> Times {
    if graph.shards().is_some() {
        return Vec::new();
    }
    let passes = Passes::over(graph);
    let seconds = passes.reading(true) + passes.of(cost) + passes.writing(columns);
    vec![Some(TimeEstimate::about(seconds))]
}

/// About how long a measure takes that sweeps over the rows of a matrix so many times: as often as on
/// other graphs.
pub fn of_matrix(graph: &Graph, count: Range<f64>) -> Times {
    if graph.shards().is_some() {
        return Vec::new();
    }
    let passes = Passes::over(graph);
    let besides = passes.reading(true) + passes.writing(1);
    vec![Some(TimeEstimate::of_sweeps(
        besides,
        passes.of(MATRIX),
        count,
    ))]
}

/// The sweeps of the power method that certify this l1 error at the latest: k sweeps leave a change of
/// at most 2 alpha^k, which certifies alpha / (1 - alpha) times that.
pub fn most_sweeps(alpha: f64, tolerance: f64) -> f64 {
    let change = first_change(alpha, tolerance);
    match change < 1.0 {
        true => (change.ln() / alpha.ln()).ceil().max(1.0) + 1.0,
        false => 2.0,
    }
}

/// About how many sweeps the power method takes with combinations of its last iterates, which make the
/// number grow with the root of 1 / (1 - alpha): 35 to 46 on pages at alpha 0.85, 66 to 91 at 0.95, 167
/// to 214 at 0.99. Where mass soon comes to rest, a third of that.
pub fn sweeps(alpha: f64, tolerance: f64) -> f64 {
    let combined = -0.75 * first_change(alpha, tolerance).ln() / (1.0 - alpha).sqrt();
    combined.clamp(2.0, most_sweeps(alpha, tolerance).max(2.0))
}

/// The share of the sweeps of the plain method that extrapolation without memory takes.
pub const EXTRAPOLATED: f64 = 0.45;

/// The change that certifies a tolerance, over the first.
fn first_change(alpha: f64, tolerance: f64) -> f64 {
    tolerance * (1.0 - alpha) / alpha.max(f64::MIN_POSITIVE) / 2.0
}

/// How many times as long this machine takes as the one where costs were measured, from additions to
/// distant places in memory: some milliseconds, once a process.
fn slowness() -> f64 {
    static SLOWNESS: OnceLock<f64> = OnceLock::new();
    *SLOWNESS.get_or_init(|| {
        let mut values = vec![0u32; 1 << 20];
        let fastest = (0..PROBES).map(|_| probe(&mut values));
        let fastest = fastest.fold(f64::INFINITY, f64::min);
        (fastest / REFERENCE).clamp(0.25, 8.0)
    })
}

/// The best of so many probes counts: others were disturbed.
const PROBES: usize = 5;

/// The seconds of a probe on the machine where costs were measured.
const REFERENCE: f64 = 0.15e-3;

/// The seconds that additions to pseudo-random places take.
fn probe(values: &mut [u32]) -> f64 {
    let started = Instant::now();
    let mut place = 1u32;
    for _ in 0..1 << 17 {
        // A step of a linear congruential generator whose period is 2^32; its high bits are best.
        place = place.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let value = &mut values[(place >> 12) as usize];
        *value = value.wrapping_add(place);
    }
    std::hint::black_box(&values);
    started.elapsed().as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sweeps_suffice_for_the_bound() {
        for (alpha, tolerance) in [(0.85, 1e-9), (0.5, 1e-3), (0.99, 1e-12), (0.85, 10.0)] {
            let sweeps = most_sweeps(alpha, tolerance);
            let bound = |sweeps: f64| alpha / (1.0 - alpha) * 2.0 * f64::powf(alpha, sweeps - 1.0);
            assert!(
                bound(sweeps) <= tolerance * (1.0 + 1e-9),
                "{alpha} {tolerance}"
            );
            assert!(sweeps <= 2.0 || bound(sweeps - 1.0) > tolerance);
        }
        assert_eq!(most_sweeps(0.0, 1e-9), 2.0);
    }

    #[test]
    fn fewer_sweeps_are_expected_than_suffice() {
        // Sweeps of four graphs, in docs/src/measurements/plans.md.
        for (alpha, measured) in [(0.85, 35.0..56.0), (0.95, 66.0..91.0), (0.99, 167.0..214.0)] {
            let expected = sweeps(alpha, 1e-9);
            assert!(measured.contains(&expected), "{alpha}: {expected}");
            assert!(expected < most_sweeps(alpha, 1e-9));
        }
        for alpha in [0.0, 1e-300, 0.5, 0.999_999] {
            for tolerance in [1e-300, 1e-9, 1.0, 1e300] {
                assert!((2.0..1e12).contains(&sweeps(alpha, tolerance)));
            }
        }
    }

    #[test]
    fn seconds_are_said_in_a_digit_or_two() {
        let said = |seconds: TimeEstimate| seconds.to_string();
        assert_eq!(said(TimeEstimate::about(0.000_02)), "about 20 µs");
        assert_eq!(said(TimeEstimate::about(1.23)), "about 1.2 s");
        assert_eq!(
            said(TimeEstimate::between(0.05, 40.0)),
            "about 50 ms to 40 s"
        );
        let sweeps = TimeEstimate::of_sweeps(1.0, 0.01, 100.0..900.0).by("exact");
        assert_eq!(said(sweeps), "exact in about 2.0 s to 10 s (10 ms a sweep)");
        assert_eq!(said(TimeEstimate::about(7300.0)), "about 2.0 h");
    }
}
