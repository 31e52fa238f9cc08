//! How measures by distances are computed: exactly, from samples, or by HyperBall.

use super::options::Global;
use super::units;
use clap::{Args, ValueEnum};
use ndarray::Array1;
use std::time::Duration;
use webrank::internals::centrality::geometric::best::Way;
use webrank::internals::centrality::geometric::hyperball::estimate;
use webrank::internals::centrality::geometric::number::Rounded;
use webrank::internals::centrality::geometric::sampled::{Precision, sample};
use webrank::internals::centrality::geometric::{Direction, DistanceMeasure, Exact, Geometric};
use webrank::internals::error::Result;
use webrank::internals::graph::{Csr, Predecessors, Successors};
use webrank::internals::progress::Progress;
use webrank::internals::scores::Scores;
use webrank::internals::traversal::hyperball::Counters;

/// How to compute.
#[derive(Args)]
pub struct MethodArgs {
    /// How to compute
    #[arg(long, value_enum, default_value_t = Method::Auto)]
    pub method: Method,
    /// With auto, the time that an exact computation may take (such as 90s, 10m, 2h); if it would
    /// take longer, HyperBall is used
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = humantime::parse_duration)]
    time_budget: Duration,
    /// HyperBall: base-2 logarithm of the registers of a counter, 4 to 16; the relative standard
    /// error is about 1.04 / sqrt(2^N)
    #[arg(long, value_name = "N", default_value_t = 8)]
    log2m: u32,
    /// Sampling: every normalised score is within this...
    #[arg(long, default_value_t = 0.01, allow_hyphen_values = true)]
    epsilon: f64,
    /// ...with probability 1 minus this
    #[arg(long, default_value_t = 0.1, allow_hyphen_values = true)]
    delta: f64,
    /// Seed of sampling and of HyperBall
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

/// How to compute.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Method {
    /// Exact if it fits the time budget, else HyperBall
    Auto,
    /// Exact, however long it takes
    Exact,
    /// From sampled nodes, with a proved error (harmonic, reachable and decay only)
    Sample,
    /// From probabilistic counters, with a standard error
    Hyperball,
}

/// A method whose parameters are known to be valid.
pub struct Chosen {
    pub method: Method,
    time_budget: Duration,
    pub counters: Counters,
    pub precision: Precision,
    pub seed: u64,
}

/// What a search found.
pub struct Searched {
    pub scores: Vec<Scores>,
    /// What orders nodes with equal scores, for each column, where scores are exact.
    pub rests: Vec<Vec<u64>>,
    /// The share of pairs of nodes that are reachable, where it is known.
    pub reachable_share: Option<f64>,
    pub notes: Vec<String>,
}

impl MethodArgs {
    /// Checks the parameters, before any work.
    pub fn check(&self) -> Result<Chosen> {
        Ok(Chosen {
            method: self.method,
            time_budget: self.time_budget,
            counters: Counters::new(self.log2m, self.seed)?,
            precision: Precision::new(self.epsilon, self.delta)?,
            seed: self.seed,
        })
    }
}

impl Chosen {
    /// Whether a computation of this length fits the time budget.
    pub fn affords(&self, seconds: f64) -> bool {
        seconds <= self.time_budget.as_secs_f64()
    }

    /// Computes the `count` best nodes by one measure, if that can be done without the others: the
    /// others get the score minus infinity.
    pub fn best(
        &self,
        backward: Predecessors<Csr>,
        forward: Successors<Csr>,
        direction: Direction,
        measures: &[&dyn DistanceMeasure],
        count: usize,
        progress: &dyn Progress,
    ) -> Result<Option<Searched>> {
        let exact = matches!(self.method, Method::Auto | Method::Exact);
        let &[measure] = measures else {
            return Ok(None);
        };
        // A warning needs the share of reachable pairs.
        let warns = measure.caution(0.0).is_some();
        if !exact || warns || count >= backward.0.num_nodes() {
            return Ok(None);
        }
        let exact = Exact::new(backward, forward, direction);
        if self.method == Method::Auto && !self.affords(exact.seconds(progress)?) {
            return Ok(None);
        }
        let found = exact.best(measure, count, Way::Cheaper, progress)?;
        let mut values = Array1::from_elem(backward.0.num_nodes(), f64::NEG_INFINITY);
        let mut rests = vec![Rounded::NO_REST; backward.0.num_nodes()];
        for (node, score) in found.best {
            values[node as usize] = score.value;
            rests[node as usize] = score.rest;
        }
        let run = found.run;
        Ok(Some(Searched {
            scores: vec![Scores { values, run }],
            rests: vec![rests],
            reachable_share: None,
            notes: Vec::new(),
        }))
    }

    /// Computes the measures of all nodes.
    pub fn search(
        &self,
        backward: Predecessors<Csr>,
        forward: Successors<Csr>,
        direction: Direction,
        measures: &[&dyn DistanceMeasure],
        global: &Global,
        progress: &dyn Progress,
    ) -> Result<Searched> {
        let hyperball = |notes| {
            let estimated = estimate(
                backward,
                forward,
                direction,
                measures,
                self.counters,
                progress,
            )?;
            Ok(Searched::new(estimated, backward.0.num_nodes(), notes))
        };
        match self.method {
            Method::Hyperball => return hyperball(Vec::new()),
            Method::Sample => {
                let scores = measures.iter().map(|&measure| {
                    let (precision, seed) = (self.precision, self.seed);
                    sample(
                        backward, forward, direction, measure, precision, seed, progress,
                    )
                });
                return Ok(Searched {
                    scores: scores.collect::<Result<_>>()?,
                    rests: Vec::new(),
                    reachable_share: None,
                    notes: Vec::new(),
                });
            }
            Method::Auto | Method::Exact => {}
        }
        let exact = Exact::new(backward, forward, direction);
        if self.method == Method::Auto {
            let seconds = exact.seconds(progress)?;
            let memory = exact.memory(rayon::current_num_threads(), measures.len());
            log::info!(
                "exact: about {seconds:.1} s and {} for {} searches",
                units::size(memory),
                exact.units()
            );
            if !self.affords(seconds) {
                let note = format!(
                    "exact scores would take about {}, more than the time budget of {}: these are \
                     HyperBall's, with a relative standard error of {:.1}% a counter; \
                     --method exact, or a larger --time-budget or --log2m, gives better",
                    units::time(seconds),
                    units::time(self.time_budget.as_secs_f64()),
                    100.0 * self.counters.relative_standard_error()
                );
                drop(exact);
                return hyperball(vec![note]);
            }
            if seconds > ANNOUNCED {
                let memory = units::size(memory);
                let text = format!("exact, in about {} and {memory}\n", units::time(seconds));
                global.summary(&text);
            }
        }
        let found = exact.run(measures, progress)?;
        Ok(Searched::new(found, backward.0.num_nodes(), Vec::new()))
    }
}

/// Searches that are expected to take more seconds are announced.
pub const ANNOUNCED: f64 = 5.0;

impl Searched {
    fn new(found: Geometric, num_nodes: usize, notes: Vec<String>) -> Self {
        Searched {
            reachable_share: Some(found.reachable_share(num_nodes)),
            scores: found.scores,
            rests: found.rests,
            notes,
        }
    }
}
