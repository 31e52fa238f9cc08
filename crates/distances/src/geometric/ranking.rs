//! Rankings by distance measures: the choice of the engine.
//!
//! [`Geometric`] ranks by one measure, or by the first of several from one traversal. Its method
//! selects the engine:
//!
//! * *auto*: exact, if that is expected to fit into the memory and the time budget of [`Limits`]
//!   (ten minutes by default). If it takes too long, from sampled nodes, for measures that can be sampled;
//!   otherwise HyperBall. A note says what is chosen, and why;
//! * *exact*, *sample*, *hyperball*: that engine, however long it takes.
//!
//! If only the best K by one measure are requested, the exact engine may leave out the others,
//! which then have the score minus infinity: see [`best`](super::best).

use super::all_measures;
use super::measure::DistanceMeasure;
use super::sampled::{IntervalKind, Precision, Sample, SampleSize};
use crate::traversal::diameter;
use crate::traversal::hyperball::Counters;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use webrank_base::error::{Error, Result};
use webrank_base::limits::Limits;
use webrank_base::phases::Phases;
use webrank_base::progress::Progress;
use webrank_cluster::Workers;
use webrank_graph::Size;
use webrank_graph::{Direction, Graph};
use webrank_measure::cost_model::Times;
use webrank_measure::{About, Described, Measure, StoragePlan};
use webrank_scores::intervals::Confidence;
use webrank_scores::ranked::Ranked;
use webrank_scores::{Outcome, Scores};

/// The method of computing scores from distances.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum DistanceMethod {
    /// Exact if it fits the time budget and memory, otherwise from sampled nodes or HyperBall
    #[default]
    Auto,
    /// Exact, however long it takes
    Exact,
    /// From sampled nodes, with an interval for each (not for eccentricity)
    Sample,
    /// From probabilistic counters, with a standard error
    Hyperball,
}

/// Distance measures, from one traversal.
///
/// ```
/// use webrank_distances::geometric::Geometric;
/// use webrank_graph::Direction;
/// use webrank_graph::Graph;
/// use webrank_distances::geometric::harmonic::Harmonic;
/// use webrank_measure::Measure;
///
/// let path = Graph::from_arcs(3, [(0, 1), (1, 2)])?;
/// let pointing = Geometric::of(Harmonic::default()).direction(Direction::Out);
/// assert_eq!(pointing.run(&path)?.values(), [1.5, 1.0, 0.0]);
/// # Ok::<(), webrank_base::error::Error>(())
/// ```
#[derive(Debug, Clone, Serialize)]
pub struct Geometric {
    #[serde(serialize_with = "names")]
    pub(super) measures: Vec<Arc<dyn DistanceMeasure>>,
    pub(super) direction: Direction,
    pub(super) method: DistanceMethod,
    #[serde(skip)]
    pub(super) counters: Counters,
    #[serde(skip)]
    pub(super) temp: PathBuf,
    #[serde(skip)]
    pub(super) size: SampleSize,
    #[serde(skip)]
    pub(super) intervals: IntervalKind,
    #[serde(skip)]
    pub(super) confidence: Confidence,
    pub(super) top: Option<usize>,
    #[serde(skip)]
    pub(super) team: Workers,
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
            temp: std::env::temp_dir(),
            size: SampleSize::default(),
            intervals: IntervalKind::default(),
            confidence: Confidence::default(),
            top: None,
            team: Workers::default(),
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

    /// Sets the folder of temporary files, by default the system's: HyperBall needs files if its
    /// counters do not fit into memory.
    pub fn temp(self, temp: PathBuf) -> Self {
        Geometric { temp, ..self }
    }

    /// Sets the precision of samples.
    pub fn precision(self, precision: Precision) -> Self {
        self.size(precision.into())
    }

    /// Sets the size of samples.
    pub fn size(self, size: SampleSize) -> Self {
        Geometric { size, ..self }
    }

    /// Sets the kind of the intervals of samples.
    pub fn intervals(self, intervals: IntervalKind) -> Self {
        Geometric { intervals, ..self }
    }

    /// Sets the confidence of the intervals of estimates.
    pub fn confidence(self, confidence: Confidence) -> Self {
        Geometric { confidence, ..self }
    }

    /// Sets the workers among which the parts of shards are divided.
    pub fn team(self, team: Workers) -> Self {
        Geometric { team, ..self }
    }

    /// The workers among which the parts of shards are divided.
    pub fn workers(&self) -> &Workers {
        &self.team
    }

    /// The direction of distances, and the engine.
    pub fn settings(&self) -> (Direction, DistanceMethod) {
        (self.direction, self.method)
    }

    /// Columns with their headers.
    pub(super) fn headed(&self, scores: Vec<Scores>) -> Vec<(String, Scores)> {
        let header = |scores: &Scores| match self.measures.len() {
            1 => "score".to_owned(),
            _ => scores.run.measure.to_owned(),
        };
        let columns = scores.into_iter();
        columns.map(|scores| (header(&scores), scores)).collect()
    }

    /// The bytes per node of a sample, or of the search for the diameter before it.
    pub(super) fn bytes_of_sample(&self, num_nodes: usize) -> u64 {
        let measures = self.measures();
        let sampling = self.sample().bytes_of_node(num_nodes, &measures);
        match needs_diameter(&measures) {
            true => sampling.max(diameter::memory(1, 0, rayon::current_num_threads())),
            false => sampling,
        }
    }

    pub(super) fn sample(&self) -> Sample {
        Sample {
            size: self.size,
            intervals: self.intervals,
            confidence: self.confidence,
            seed: self.counters.seed,
        }
    }

    /// The bytes that are held at most, with the rows of both directions in memory or on shards.
    pub(super) fn needs_whole(&self, graph: &Graph) -> u64 {
        if let Some(shards) = graph.shards() {
            return self.needs_of_shards(graph, shards);
        }
        let columns = self.of_columns();
        match self.method {
            DistanceMethod::Sample => {
                let sampling = self.bytes_of_sample(graph.num_nodes());
                Size::of(graph).bytes(100 + sampling + columns, 20)
            }
            DistanceMethod::Hyperball => {
                let (nodes, arcs) = (graph.num_nodes(), graph.num_arcs());
                let counters = self.counters.memory_in(nodes, arcs);
                counters + Size::of(graph).bytes(40 + columns, 9)
            }
            // The bytes of searching are known once the graph is reduced.
            DistanceMethod::Auto | DistanceMethod::Exact => Size::of(graph).bytes(70 + columns, 14),
        }
    }

    /// Allows finding only the best `count` nodes, if that is less work; then the other nodes have
    /// the score minus infinity.
    pub fn top(self, count: usize) -> Self {
        let top = Some(count);
        Geometric { top, ..self }
    }
}

/// True if a sample of one of the measures needs the diameter.
pub(super) fn needs_diameter(measures: &[&dyn DistanceMeasure]) -> bool {
    let mut measures = measures.iter();
    measures.any(|measure| measure.with_diameter(1).is_some())
}

/// The bytes of a node in a column: scores, their intervals, and what ranks them and these.
pub(super) const COLUMN: u64 = 60;

impl Described for Geometric {
    const ABOUT: About = About {
        name: "geometric",
        definition: "several distance measures, one column each",
        direction: "either",
        cost: "one traversal for all of them",
        guarantee: "that of each measure",
    };
}

impl Measure for Geometric {
    fn forms_of(&self, graph: &Graph) -> Vec<StoragePlan> {
        if graph.shards().is_some() {
            return vec![StoragePlan {
                name: "shards",
                bytes: self.needs_whole(graph),
                takes_more: true,
            }];
        }
        let slices = self.needs_of_one(graph).map(|bytes| StoragePlan {
            name: match self.method {
                DistanceMethod::Sample => "one direction",
                _ => "in slices",
            },
            bytes,
            takes_more: true,
        });
        let whole = StoragePlan {
            takes_more: matches!(self.method, DistanceMethod::Auto | DistanceMethod::Exact),
            ..StoragePlan::in_memory(self.needs_whole(graph))
        };
        let smaller = slices.filter(|slices| slices.bytes < whole.bytes);
        [whole].into_iter().chain(smaller).collect()
    }

    fn seconds_of(&self, graph: &Graph, limits: &Limits, progress: &dyn Progress) -> Result<Times> {
        self.seconds_in(graph, limits, progress)
    }

    fn name(&self) -> &'static str {
        match &self.measures[..] {
            [measure] => measure.name(),
            _ => Self::ABOUT.name,
        }
    }

    fn kept_parameters(&self, _graph: &Graph, _limits: &Limits) -> Result<Map<String, Value>> {
        let measures = self.measures().into_iter();
        let mut parameters: Map<_, _> = measures
            .map(|measure| (measure.name().to_owned(), measure.parameters().into()))
            .collect();
        parameters.insert("direction".into(), self.direction.name().into());
        parameters.insert("method".into(), json!(self.method));
        let is = |method| [method, DistanceMethod::Auto].contains(&self.method);
        let seed = self.counters.seed;
        if is(DistanceMethod::Hyperball) {
            parameters.insert("log2m".into(), self.counters.log2m().into());
            parameters.insert("seed".into(), seed.into());
        }
        if is(DistanceMethod::Sample) {
            let (name, value) = self.size.parameter();
            parameters.insert(name.into(), value);
            parameters.insert("delta".into(), self.size.delta().into());
            parameters.insert("seed".into(), seed.into());
        }
        Ok(parameters)
    }

    fn compute(&self, graph: &Graph, limits: &Limits, progress: &dyn Progress) -> Result<Ranked> {
        let mut phases = Phases::start();
        let is_short = || {
            let needed = self.needs_of_both(graph);
            limits.admit(Self::ABOUT.name, needed).is_err()
        };
        let mut form = None;
        let (found, mut notes) = match self.team.shards(graph)? {
            Some(_) => {
                let missing = || Error::argument("process", self.team.me(), "only worker 0 ranks");
                let found = self.compute_distributed(graph, limits, progress)?;
                let (found, notes, described) = found.ok_or_else(missing)?;
                form = Some(described);
                (found, notes)
            }
            None if self.needs_of_one(graph).is_some() && is_short() => {
                self.on_one(graph, limits, &mut phases, progress)?
            }
            None => self.on_both(graph, limits, &mut phases, progress)?,
        };
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
        let mut outcomes = found.scores.iter().map(|scores| &scores.run.outcome);
        notes.extend(outcomes.find_map(Outcome::hidden_order));
        let columns = self.headed(found.scores);
        let ranked = Ranked::in_order(graph, columns, ranking, phases).noting(notes);
        Ok(match form {
            Some(form) => ranked.swept(form),
            None => ranked,
        })
    }
}
