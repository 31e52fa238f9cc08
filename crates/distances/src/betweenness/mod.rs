//! Betweenness: b(x) = sum over ordered pairs y != z, both different from x, of the fraction of
//! the shortest y-z paths that pass through x.
//!
//! Pairs without a path add 0. Paths are directed, self-loops are on no shortest path, and parallel
//! arcs count once. With end nodes counted (`endpoints`), every reachable pair also adds 1 to y and
//! to z. Normalised, b(x) is divided by the number of ordered pairs, (n-1)(n-2), or n(n-1) with end
//! nodes, and lies in [0, 1].
//!
//! * [`exact`] computes it for all nodes, with batches of sources on a reduced graph;
//! * [`ties`] gives nodes of equal betweenness equal bits; [`modular`] proves that they are equal;
//! * [`sampled_sources`] estimates it from the paths of some sources, to all nodes: of a sample, with a
//!   proved interval for each node, or of given ones;
//! * [`sampled_paths`] estimates it from single paths, with proved intervals for all nodes at once;
//! * [`single_source`] is the algorithm in its plain form, along any shortest paths;
//! * [`arcs`] computes the betweenness of arcs.
//!
//! Freeman 1977; Brandes 2001.

pub mod arcs;
pub mod dependency_sums;
pub mod exact;
pub mod modular;
mod pairwise;
pub mod path_count;
pub mod sampled_paths;
pub mod sampled_sources;
pub mod seconds;
pub mod single_source;
mod source_ends;
pub mod ties;

use super::geometric::sampled::Precision;
use exact::ExactBetweenness;
use seconds::afford;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};
use std::num::NonZeroUsize;
use std::time::Duration;
use webrank_base::Node;
use webrank_base::checkpoint::hash;
use webrank_base::error::{Error, Result};
use webrank_base::limits::Limits;
use webrank_base::phases::Phases;
use webrank_base::progress::Progress;
use webrank_base::units;
use webrank_graph::Size;
use webrank_graph::{Csr, Graph, Predecessors, Successors};
use webrank_measure::cost_model::Times;
use webrank_measure::{About, Described, Measure, StoragePlan};
use webrank_scores::intervals::Confidence;
use webrank_scores::ranked::Ranked;
use webrank_scores::{Outcome, Run};

/// Betweenness with its parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Betweenness {
    /// Whether to divide by the number of ordered pairs: (n-1)(n-2), or n(n-1) with `endpoints`.
    pub normalize: bool,
    /// Whether paths count for their end nodes too.
    pub endpoints: bool,
    /// The method of computation.
    pub method: BetweennessMethod,
    /// For sources: the number of nodes to search from.
    pub samples: NonZeroUsize,
    /// For sources: the nodes to search from, instead of a sample; repeats count once. The score of
    /// x is n / k times the sum over the pairs y, z whose y is one of the k sources, those with the
    /// end x included if `endpoints` are. Manifests hold their number.
    pub sources: Option<Vec<Node>>,
    /// For approx: every score, divided by (n-1)(n-2), is within epsilon, and all intervals hold
    /// with probability 1 - delta.
    pub precision: Precision,
    /// For approx: stop earlier if the order of this many best nodes is proved.
    pub top: Option<usize>,
    /// For sources and approx: the seed that fixes the sample.
    pub seed: u64,
    /// For sources that are sampled: the confidence of the interval of each node.
    pub confidence: Confidence,
}

/// How betweenness is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum BetweennessMethod {
    /// Exact if it fits the time budget and memory, otherwise approx
    Auto,
    /// Exact; an error if it does not fit the time budget and memory
    #[default]
    Exact,
    /// From the shortest paths of some nodes to all others: of a sample, unbiased and with a proved
    /// error, or of given nodes
    Sources,
    /// From sampled shortest paths: as many as the precision needs, with proved bounds
    Approx,
}

impl BetweennessMethod {
    /// The name used on the command line.
    pub fn name(self) -> &'static str {
        match self {
            BetweennessMethod::Auto => "auto",
            BetweennessMethod::Exact => "exact",
            BetweennessMethod::Sources => "sources",
            BetweennessMethod::Approx => "approx",
        }
    }
}

impl Default for Betweenness {
    fn default() -> Self {
        Betweenness {
            normalize: false,
            endpoints: false,
            method: BetweennessMethod::default(),
            samples: NonZeroUsize::new(1000).expect("not zero"),
            sources: None,
            precision: Precision::new(0.01, 0.1).expect("both are between 0 and 1"),
            top: None,
            seed: 0,
            confidence: Confidence::default(),
        }
    }
}

/// Only the parameters that the method depends on.
impl Serialize for Betweenness {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("normalize", &self.normalize)?;
        if self.method != BetweennessMethod::Approx {
            map.serialize_entry("endpoints", &self.endpoints)?;
        }
        match self.method {
            BetweennessMethod::Auto | BetweennessMethod::Exact => {}
            BetweennessMethod::Sources => match &self.sources {
                Some(sources) => map.serialize_entry("sources", &sources.len())?,
                None => {
                    map.serialize_entry("samples", &self.samples)?;
                    map.serialize_entry("seed", &self.seed)?;
                }
            },
            BetweennessMethod::Approx => {
                map.serialize_entry("epsilon", &self.precision.epsilon())?;
                map.serialize_entry("delta", &self.precision.delta())?;
                map.serialize_entry("seed", &self.seed)?;
                if let Some(top) = self.top {
                    map.serialize_entry("top", &top)?;
                }
            }
        }
        map.end()
    }
}

/// The default time budget of an exact computation.
const TIME_BUDGET: Duration = Duration::from_secs(600);

/// The bytes a node that a thread takes to search from one source, those of its sums included.
const SEARCH: u64 = 360;

/// The bytes a node that a thread takes to sample paths.
const SAMPLER: u64 = 50;

impl Described for Betweenness {
    const ABOUT: About = About {
        name: "betweenness",
        definition: "sum over pairs y, z of the fraction of shortest y-z paths through x",
        direction: "both: being between others",
        cost: "O(n m) exact; sampled, at most O(m) per source or path",
        guarantee: "exact; sampled, bounds or intervals for all scores, with a stated probability",
    };
}

impl Measure for Betweenness {
    fn forms_of(&self, graph: &Graph) -> Vec<StoragePlan> {
        use BetweennessMethod::{Approx, Auto, Exact, Sources};
        let (size, threads) = (Size::of(graph), rayon::current_num_threads() as u64);
        vec![StoragePlan {
            takes_more: matches!(self.method, Auto | Exact),
            ..StoragePlan::in_memory(match self.method {
                Sources => size.bytes(110 + SEARCH * threads, 16) + (4 << 20),
                Approx => size.bytes(110 + SAMPLER * threads, 10),
                // The bytes of searching are known once the graph is reduced; on a small graph, this much.
                Auto | Exact => size.bytes(70, 14) + (2 << 20),
            })
        }]
    }

    fn seconds_of(&self, graph: &Graph, limits: &Limits, progress: &dyn Progress) -> Result<Times> {
        Ok(vec![self.seconds(graph, limits, progress)?])
    }

    fn kept_parameters(&self, _graph: &Graph, _limits: &Limits) -> Result<Map<String, Value>> {
        let mut parameters = webrank_measure::parameters(self);
        parameters.insert("method".into(), self.method.name().into());
        if let Some(sources) = &self.sources {
            let sources: Vec<f64> = sources.iter().map(|&source| source.into()).collect();
            parameters.insert("sources".into(), hash(&sources));
        }
        if self.method == BetweennessMethod::Auto {
            let [epsilon, delta] = [self.precision.epsilon(), self.precision.delta()];
            parameters.insert("epsilon".into(), epsilon.into());
            parameters.insert("delta".into(), delta.into());
            parameters.insert("seed".into(), self.seed.into());
            parameters.insert("top".into(), self.top.into());
        }
        Ok(parameters)
    }

    fn compute(&self, graph: &Graph, limits: &Limits, progress: &dyn Progress) -> Result<Ranked> {
        self.check_method()?;
        let mut phases = Phases::start();
        let (successors, predecessors) = graph.both(progress)?;
        let (forward, backward) = (Successors(&*successors), Predecessors(&*predecessors));
        phases.done("load");
        match self.method {
            BetweennessMethod::Sources => {
                let scores = sampled_sources::estimate(forward, backward, self, progress)?;
                phases.done("search");
                Ranked::single(graph, scores, phases)
            }
            BetweennessMethod::Approx => {
                self.approximate(graph, forward, backward, phases, progress)
            }
            BetweennessMethod::Auto | BetweennessMethod::Exact => {
                let exact = ExactBetweenness::new(forward, backward);
                let memory = exact.memory(rayon::current_num_threads());
                // A run that goes on was within its budget when it began, or it was not.
                let goes_on = progress.checkpoint().filter(|kept| kept.is_found());
                if goes_on.is_some_and(|kept| kept.is_found_at(sampled_paths::STAGE)) {
                    drop(exact);
                    let ranked = self.approximate(graph, forward, backward, phases, progress);
                    return Ok(ranked?.noting([GOES_ON.to_owned()]));
                }
                let seconds = || match goes_on {
                    Some(_) => Ok(0.0),
                    None => exact.seconds(progress),
                };
                match afford("exact betweenness", memory, seconds, limits, progress) {
                    Ok(()) => self.exactly(graph, &exact, phases, progress),
                    Err(problem @ (Error::TakesLonger { .. } | Error::NeedsMemory { .. }))
                        if self.may_approximate() =>
                    {
                        drop(exact);
                        limits.admit_more("sampling paths", memory_of_samplers(graph))?;
                        let ranked = self.approximate(graph, forward, backward, phases, progress);
                        Ok(ranked?.noting([why_estimates(&problem)]))
                    }
                    Err(problem) => Err(problem),
                }
            }
        }
    }
}

impl Betweenness {
    /// Checks that the method has these options.
    ///
    /// # Errors
    /// If it does not count ends, or takes no sources.
    pub fn check_method(&self) -> Result<()> {
        let remedy = match self.method {
            BetweennessMethod::Approx if self.endpoints => {
                "it does not count end nodes: with endpoints, use exact or sources"
            }
            BetweennessMethod::Sources => return Ok(()),
            _ if self.sources.is_some() => "with given sources, use the method sources",
            _ => return Ok(()),
        };
        Err(Error::argument("method", self.method.name(), remedy))
    }

    /// Whether estimates may stand for exact scores that exceed a limit.
    pub fn may_approximate(&self) -> bool {
        self.method == BetweennessMethod::Auto && !self.endpoints
    }

    fn exactly(
        &self,
        graph: &Graph,
        exact: &ExactBetweenness,
        mut phases: Phases,
        progress: &dyn Progress,
    ) -> Result<Ranked> {
        let (scores, ties) = exact.run(self, progress)?;
        phases.done("search");
        let ranked = Ranked::single(graph, scores, phases)?;
        Ok(ranked.noting(ties.note("nodes")))
    }

    fn approximate(
        &self,
        graph: &Graph,
        forward: Successors<Csr>,
        backward: Predecessors<Csr>,
        mut phases: Phases,
        progress: &dyn Progress,
    ) -> Result<Ranked> {
        let found = sampled_paths::adaptive(forward, backward, self, progress)?;
        phases.done("search");
        found.ranked(graph, self, phases)
    }

    /// The factor that turns a sum over pairs into a score.
    pub fn scale(&self, num_nodes: usize) -> f64 {
        let n = num_nodes as f64;
        let pairs = if self.endpoints {
            n * (n - 1.0)
        } else {
            (n - 1.0) * (n - 2.0)
        };
        if self.normalize && pairs > 0.0 {
            1.0 / pairs
        } else {
            1.0
        }
    }

    /// The factor that turns the error bound of a sample, as a share of the (n - 1)(n - 2) pairs,
    /// into one on scores.
    pub(crate) fn unit(&self, num_nodes: usize) -> f64 {
        let n = num_nodes as f64;
        if self.normalize {
            1.0
        } else {
            (n - 1.0) * (n - 2.0)
        }
    }

    /// The record of a run with this method.
    pub fn record(&self, method: BetweennessMethod, outcome: Outcome) -> Run {
        Run {
            measure: Self::ABOUT.name,
            method: method.name(),
            parameters: webrank_measure::parameters(&Betweenness {
                method,
                ..self.clone()
            }),
            outcome,
        }
    }
}

/// The note on estimates in place of exact scores in a run that goes on.
pub const GOES_ON: &str = "these are estimates, as the run that this one continues chose";

/// The bytes that sampling paths takes, without the graph.
fn memory_of_samplers(graph: &Graph) -> u64 {
    SAMPLER * rayon::current_num_threads() as u64 * graph.num_nodes() as u64
}

/// A note that scores are estimates, because exact ones exceed a limit.
pub fn why_estimates(problem: &Error) -> String {
    let why = match problem {
        Error::TakesLonger {
            seconds, allowed, ..
        } => format!(
            "would take about {}, more than the time budget of {}",
            units::seconds(*seconds),
            units::seconds(*allowed)
        ),
        Error::NeedsMemory {
            needed, allowed, ..
        } => format!(
            "need up to {} of memory, and {} are allowed or free",
            units::megabytes_up(*needed),
            units::megabytes_down(*allowed)
        ),
        other => other.to_string(),
    };
    format!(
        "exact scores {why}: these are estimates; the exact method within larger limits, or a smaller \
         epsilon, gives better scores"
    )
}
