//! Rankings by distance measures: the choice of the engine.
//!
//! [`Geometric`] ranks by one measure, or by the first of several from one traversal. Its method
//! selects the engine:
//!
//! * *auto*: exact, if that is expected to fit into the memory and the time budget of [`Limits`]
//!   (ten minutes by default), otherwise HyperBall; a note says so if HyperBall is chosen, and why;
//! * *exact*, *sample*, *hyperball*: that engine, however long it takes.
//!
//! If only the best K by one measure are requested, the exact engine may leave out the others,
//! which then have the score minus infinity: see [`best`](super::best).

use super::best::Way;
use super::exact::Exact;
use super::measure::{Described, DistanceMeasure};
use super::number::Rounded;
use super::sampled::{Precision, sample};
use super::{DistanceScores, all_measures, choice, hyperball};
use crate::centrality::{About, Measure};
use crate::error::{Error, Result};
use crate::graph::{Csr, Direction, Graph, Predecessors, Successors};
use crate::limits::Limits;
use crate::memory::Size;
use crate::progress::Progress;
use crate::scores::Scores;
use crate::scores::phases::Phases;
use crate::scores::ranked::Ranked;
use crate::traversal::hyperball::Counters;
use ndarray::Array1;
use serde::{Serialize, Serializer};
use std::sync::Arc;

/// The method of computing scores from distances.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum DistanceMethod {
    /// Exact if it fits the time budget and memory, otherwise HyperBall
    #[default]
    Auto,
    /// Exact, however long it takes
    Exact,
    /// From sampled nodes, with a proved error (harmonic, reachable and decay only)
    Sample,
    /// From probabilistic counters, with a standard error
    Hyperball,
}

/// Distance measures, from one traversal.
///
/// ```
/// use webrank::internals::centrality::geometric::Geometric;
/// use webrank::internals::graph::Direction;
/// use webrank::{Graph, Harmonic, Measure};
///
/// let path = Graph::from_arcs(3, [(0, 1), (1, 2)])?;
/// let pointing = Geometric::of(Harmonic::default()).direction(Direction::Out);
/// assert_eq!(pointing.run(&path)?.values(), [1.5, 1.0, 0.0]);
/// # Ok::<(), webrank::Error>(())
/// ```
#[derive(Debug, Clone, Serialize)]
pub struct Geometric {
    #[serde(serialize_with = "names")]
    measures: Vec<Arc<dyn DistanceMeasure>>,
    direction: Direction,
    method: DistanceMethod,
    #[serde(skip)]
    counters: Counters,
    #[serde(skip)]
    precision: Precision,
    top: Option<usize>,
}

fn names<S: Serializer>(measures: &[Arc<dyn DistanceMeasure>], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(measures.iter().map(|measure| measure.name()))
}

impl Geometric {
    /// One measure, with incoming distances.
    pub fn of(measure: impl DistanceMeasure + 'static) -> Self {
        Self::new(vec![Arc::new(measure)])
    }

    /// Several measures by their names, with their default parameters.
    ///
    /// # Errors
    /// If there is no name, if a name is not that of a measure, or if a name occurs twice.
    pub fn named<S: AsRef<str>>(names: &[S]) -> Result<Self> {
        let mut measures: Vec<Arc<dyn DistanceMeasure>> = Vec::new();
        for name in names.iter().map(S::as_ref) {
            if measures.iter().any(|measure| measure.name() == name) {
                return Err(Error::argument("measures", name, "name each measure once"));
            }
            let found = all_measures()
                .into_iter()
                .find(|measure| measure.name() == name)
                .map(Arc::from);
            measures.push(found.ok_or_else(|| {
                let known: Vec<_> = all_measures()
                    .iter()
                    .map(|measure| measure.name())
                    .collect();
                Error::argument(
                    "measures",
                    name,
                    format!("choose from {}", known.join(", ")),
                )
            })?);
        }
        if measures.is_empty() {
            return Err(Error::argument("measures", "empty", "name at least one"));
        }
        Ok(Self::new(measures))
    }

    fn new(measures: Vec<Arc<dyn DistanceMeasure>>) -> Self {
        Geometric {
            measures,
            direction: Direction::In,
            method: DistanceMethod::Auto,
            counters: Counters::default(),
            precision: Precision::default(),
            top: None,
        }
    }

    /// Sets the direction of distances.
    pub fn direction(self, direction: Direction) -> Self {
        Geometric { direction, ..self }
    }

    /// Sets the engine.
    pub fn method(self, method: DistanceMethod) -> Self {
        Geometric { method, ..self }
    }

    /// Sets HyperBall's counters. Their seed is also that of samples.
    pub fn counters(self, counters: Counters) -> Self {
        Geometric { counters, ..self }
    }

    /// Sets the precision of samples.
    pub fn precision(self, precision: Precision) -> Self {
        Geometric { precision, ..self }
    }

    /// Allows finding only the best `count` nodes, if that is less work; then the other nodes have
    /// the score minus infinity.
    pub fn top(self, count: usize) -> Self {
        let top = Some(count);
        Geometric { top, ..self }
    }
}

impl<M: Described> Measure for M {
    const ABOUT: About = <M as Described>::ABOUT;

    fn needs(&self, graph: &Graph) -> u64 {
        Geometric::of(self.clone()).needs(graph)
    }

    fn compute(&self, graph: &Graph, limits: &Limits, progress: &dyn Progress) -> Result<Ranked> {
        Geometric::of(self.clone()).compute(graph, limits, progress)
    }
}

impl Measure for Geometric {
    const ABOUT: About = About {
        name: "geometric",
        definition: "several distance measures, one column each",
        direction: "either",
        cost: "one traversal for all of them",
        guarantee: "that of each measure",
    };

    fn needs(&self, graph: &Graph) -> u64 {
        let columns = 30 * self.measures.len() as u64;
        match self.method {
            DistanceMethod::Sample => Size::of(graph).bytes(210 + columns, 11),
            DistanceMethod::Hyperball => {
                let counters = self.counters.memory(graph.num_nodes());
                counters + Size::of(graph).bytes(40 + columns, 9)
            }
            // What searching takes is known once the graph is reduced.
            DistanceMethod::Auto | DistanceMethod::Exact => Size::of(graph).bytes(70 + columns, 14),
        }
    }

    fn compute(&self, graph: &Graph, limits: &Limits, progress: &dyn Progress) -> Result<Ranked> {
        let mut phases = Phases::start();
        let (successors, predecessors) = graph.both(progress)?;
        phases.done("load");
        let search = DistanceSearch {
            asked: self,
            measures: self.measures.iter().map(|measure| &**measure).collect(),
            predecessors: Predecessors(&predecessors),
            successors: Successors(&successors),
            progress,
        };
        let (found, mut notes) = search.run(limits)?;
        phases.done("search");
        let ranking = found.ranking(0)?;
        phases.done("rank");
        if let Some(share) = found.reachable_share {
            notes.extend(
                self.measures
                    .iter()
                    .filter_map(|measure| measure.caution(share)),
            );
        }
        let header = |scores: &Scores| match self.measures.len() {
            1 => "score".to_owned(),
            _ => scores.run.measure.to_owned(),
        };
        let columns = found
            .scores
            .into_iter()
            .map(|scores| (header(&scores), scores));
        Ok(Ranked::in_order(graph, columns.collect(), ranking, phases).noting(notes))
    }
}

/// The request and its inputs.
struct DistanceSearch<'a> {
    asked: &'a Geometric,
    measures: Vec<&'a dyn DistanceMeasure>,
    predecessors: Predecessors<'a, Csr>,
    successors: Successors<'a, Csr>,
    progress: &'a dyn Progress,
}

impl DistanceSearch<'_> {
    /// The scores, and notes on how they were found.
    fn run(&self, limits: &Limits) -> Result<(DistanceScores, Vec<String>)> {
        match self.asked.method {
            DistanceMethod::Hyperball => Ok((self.estimate()?, Vec::new())),
            DistanceMethod::Sample => Ok((self.sample()?, Vec::new())),
            DistanceMethod::Exact => {
                let exact = self.reduced();
                choice::admit(self.memory(&exact), limits)?;
                Ok((self.exactly(&exact)?, Vec::new()))
            }
            DistanceMethod::Auto => {
                let exact = self.reduced();
                let (memory, measures) = (self.memory(&exact), &self.measures);
                let why = choice::why_estimate(&exact, memory, measures, limits, self.progress)?;
                let Some(why) = why else {
                    return Ok((self.exactly(&exact)?, Vec::new()));
                };
                drop(exact);
                let counters = self.asked.counters;
                limits.admit_more(
                    "HyperBall",
                    counters.memory(self.predecessors.0.num_nodes()),
                )?;
                Ok((self.estimate()?, vec![why.note(counters)]))
            }
        }
    }

    /// The bytes that an exact search takes.
    fn memory(&self, exact: &Exact) -> u64 {
        exact.memory(rayon::current_num_threads(), self.measures.len())
    }

    fn reduced(&self) -> Exact<'_> {
        Exact::new(self.predecessors, self.successors, self.asked.direction)
    }

    /// All scores, or only the best if the others are not needed.
    fn exactly(&self, exact: &Exact) -> Result<DistanceScores> {
        let n = self.predecessors.0.num_nodes();
        match (&self.measures[..], self.asked.top) {
            // A warning needs the share of reachable pairs.
            (&[measure], Some(count)) if count < n && measure.caution(0.0).is_none() => {
                let found = exact.best(measure, count, Way::Cheaper, self.progress)?;
                let mut values = Array1::from_elem(n, f64::NEG_INFINITY);
                let mut rests = vec![Rounded::NO_REST; n];
                for (node, score) in found.best {
                    values[node as usize] = score.value;
                    rests[node as usize] = score.rest;
                }
                let run = found.run;
                Ok(DistanceScores {
                    scores: vec![Scores { values, run }],
                    rests: vec![rests],
                    reachable_share: None,
                    arcs: found.arcs,
                })
            }
            _ => exact.run(&self.measures, self.progress),
        }
    }

    fn estimate(&self) -> Result<DistanceScores> {
        hyperball::estimate(
            self.predecessors,
            self.successors,
            self.asked.direction,
            &self.measures,
            self.asked.counters,
            self.progress,
        )
    }

    fn sample(&self) -> Result<DistanceScores> {
        let scores = self.measures.iter().map(|measure| {
            sample(
                self.predecessors,
                self.successors,
                self.asked.direction,
                *measure,
                self.asked.precision,
                self.asked.counters.seed,
                self.progress,
            )
        });
        Ok(DistanceScores {
            scores: scores.collect::<Result<_>>()?,
            rests: Vec::new(),
            reachable_share: None,
            arcs: 0,
        })
    }
}
