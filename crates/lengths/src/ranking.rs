//! Rankings by distances that are sums of lengths.

use super::cutoff::Cutoff;
use super::distance::Distance;
use super::engine::{OnLengths, Prepared, most_in_lanes};
use super::scores::Column;
use super::source::{LengthSource, Lengths};
use super::sums::MOST_TERMS;
use ndarray::Array1;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value, json};
use std::time::Duration;
use webrank_base::checkpoint::Checkpoint;
use webrank_base::error::{Error, Result};
use webrank_base::limits::Limits;
use webrank_base::phases::Phases;
use webrank_base::progress::Progress;
use webrank_distances::geometric::terms::LengthTerm;
use webrank_distances::geometric::{DistanceMeasure, DistanceMethod, Geometric};
use webrank_graph::{Graph, Size};
use webrank_measure::cost_model::{TimeEstimate, Times};
use webrank_measure::{About, Described, Measure, StoragePlan};
use webrank_scores::ranked::Ranked;
use webrank_scores::ranking::Ranking;
use webrank_scores::{Outcome, Run, Scores};

/// Measures of distances, where distances are sums of lengths or paths have an end.
///
/// ```
/// use webrank_distances::geometric::Geometric;
/// use webrank_distances::geometric::closeness::Closeness;
/// use webrank_graph::Graph;
/// use webrank_lengths::{LengthRanking, LengthSource};
/// use webrank_measure::Measure;
///
/// // Two ways of 0.3 from 0 to 2: they tie.
/// let graph = Graph::from_arcs(3, [(0, 1), (0, 2), (1, 2)])?;
/// let lengths = LengthSource::Values([0.1, 0.3, 0.2].into());
/// let ranking = LengthRanking::of(Geometric::of(Closeness::default()), lengths);
/// assert_eq!(ranking.run(&graph)?.values(), [0.0, 10.0, 2.0]);
/// # Ok::<(), webrank_base::error::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct LengthRanking {
    measures: Geometric,
    lengths: LengthSource,
    cutoff: Option<Cutoff>,
}

/// The default time budget.
pub(crate) const TIME_BUDGET: Duration = Duration::from_secs(600);

impl LengthRanking {
    /// The measures of `measures`, in its direction, by these lengths.
    pub fn of(measures: Geometric, lengths: LengthSource) -> Self {
        LengthRanking {
            measures,
            lengths,
            cutoff: None,
        }
    }

    /// Lets only paths up to this length count.
    pub fn cutoff(self, cutoff: Option<Cutoff>) -> Self {
        LengthRanking { cutoff, ..self }
    }

    /// The bytes at most while one source is searched from at a time.
    fn needs_of_one(&self, graph: &Graph) -> u64 {
        let columns = 100 * self.measures.measures().len().max(1) as u64;
        // Memory peaks while lengths are read, as decimals and as whole numbers.
        Size::of(graph).weighted_bytes(200 + columns, 40)
    }

    /// The parameters of a column.
    fn parameters_of(&self, measure: &dyn DistanceMeasure) -> Map<String, Value> {
        let mut parameters = measure.parameters();
        parameters.insert("direction".into(), json!(self.measures.settings().0.name()));
        parameters.insert("lengths".into(), self.lengths.name().into());
        if let Some(cutoff) = self.cutoff {
            parameters.insert("cutoff".into(), json!(cutoff));
        }
        parameters
    }

    fn check_method(&self) -> Result<DistanceMethod> {
        let method = self.measures.settings().1;
        let remedy = "with lengths or a cutoff, only exact searches are made: leave out the method, or take \
                      exact";
        match method {
            DistanceMethod::Auto | DistanceMethod::Exact => Ok(method),
            DistanceMethod::Sample => Err(Error::argument("method", "sample", remedy)),
            DistanceMethod::Hyperball => Err(Error::argument("method", "hyperball", remedy)),
        }
    }

    fn read(&self, graph: &Graph, limits: &Limits, progress: &dyn Progress) -> Result<Lengths> {
        let lengths = self.lengths.read(graph, progress)?;
        lengths.admit_sums()?;
        let memory = lengths.memory(rayon::current_num_threads(), 0);
        limits.admit_more("searching by lengths", memory)?;
        Ok(lengths.in_lanes(limits))
    }
}

impl Serialize for LengthRanking {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let measures = self.measures.measures().into_iter();
        let measures: Vec<_> = measures.map(DistanceMeasure::name).collect();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("measures", &measures)?;
        map.serialize_entry("direction", &self.measures.settings().0)?;
        map.serialize_entry("lengths", self.lengths.name())?;
        map.serialize_entry("cutoff", &self.cutoff)?;
        map.end()
    }
}

impl Described for LengthRanking {
    const ABOUT: About = About {
        name: "geometric",
        definition: "measures of distances that are sums of lengths",
        direction: "either",
        cost: "one search of each node: O(m log of the longest path)",
        guarantee: "exact",
    };
}

impl Measure for LengthRanking {
    fn name(&self) -> &'static str {
        match self.measures.measures()[..] {
            [measure] => measure.name(),
            _ => Self::ABOUT.name,
        }
    }

    fn forms_of(&self, graph: &Graph) -> Vec<StoragePlan> {
        // If many sources do not fit, one is searched from at a time.
        let one = self.needs_of_one(graph);
        let many = one.saturating_add(most_in_lanes(graph.num_nodes()));
        let forms = [("512 at a time", many), ("one at a time", one)];
        let form = |(name, bytes)| StoragePlan {
            name,
            bytes,
            takes_more: true,
        };
        forms.map(form).into()
    }

    fn seconds_of(&self, graph: &Graph, limits: &Limits, progress: &dyn Progress) -> Result<Times> {
        self.check_method()?;
        let lengths = self.read(graph, limits, progress)?;
        let memory = lengths.memory(rayon::current_num_threads(), 0);
        let (direction, terms) = (self.measures.settings().0, self.length_terms());
        let timing = Timing {
            terms: &terms,
            progress,
        };
        let seconds = lengths.along(direction, self.cutoff, timing)?;
        let estimate = TimeEstimate::about(seconds).with(memory);
        Ok(vec![Some(match self.measures.settings().1 {
            DistanceMethod::Auto => estimate.within(limits.time_or(TIME_BUDGET)),
            _ => estimate,
        })])
    }

    fn check_kept(&self, _graph: &Graph, _limits: &Limits) -> Result<()> {
        Ok(())
    }

    fn kept_parameters(&self, graph: &Graph, _limits: &Limits) -> Result<Map<String, Value>> {
        let measures = self.measures.measures().into_iter();
        let of_measure = |measure: &dyn DistanceMeasure| {
            (
                measure.name().to_owned(),
                self.parameters_of(measure).into(),
            )
        };
        let mut parameters: Map<_, _> = measures.map(of_measure).collect();
        parameters.insert("lengths".into(), self.lengths.hash(graph)?);
        Ok(parameters)
    }

    fn compute(&self, graph: &Graph, limits: &Limits, progress: &dyn Progress) -> Result<Ranked> {
        let mut phases = Phases::start();
        let method = self.check_method()?;
        let lengths = self.read(graph, limits, progress)?;
        let note = lengths.note.clone();
        phases.done("load");
        let job = Ranks {
            of: self,
            method,
            limits,
            progress,
        };
        let (columns, reachable_share) =
            lengths.along(self.measures.settings().0, self.cutoff, job)?;
        phases.done("search");
        let measures = self.measures.measures();
        let mut scores = Vec::with_capacity(columns.len());
        let mut ranking = None;
        for (column, measure) in columns.into_iter().zip(&measures) {
            if ranking.is_none() {
                let rests = &column.rests;
                ranking = Some(Ranking::refined(&column.values, |node| {
                    rests[node as usize]
                })?);
            }
            let header = match measures.len() {
                1 => "score",
                _ => measure.name(),
            };
            let run = Run {
                measure: measure.name(),
                method: "exact",
                parameters: self.parameters_of(*measure),
                outcome: column.outcome,
            };
            scores.push((
                header.to_owned(),
                Scores::new(Array1::from(column.values), run),
            ));
        }
        phases.done("rank");
        let ranking = ranking.expect("there is a measure");
        let mut outcomes = scores.iter().map(|(_, scores)| &scores.run.outcome);
        let hidden = outcomes.find_map(Outcome::hidden_order);
        let cautions = measures
            .iter()
            .filter_map(|measure| measure.caution(reachable_share));
        let cautions: Vec<String> = cautions.collect();
        let ranked = Ranked::in_order(graph, scores, ranking, phases);
        Ok(ranked.noting(note).noting(cautions).noting(hidden))
    }
}

impl LengthRanking {
    /// The terms of the measures that have any.
    fn length_terms(&self) -> Vec<LengthTerm> {
        let measures = self.measures.measures().into_iter();
        let terms = measures.filter_map(|measure| measure.term().map(|term| term.of_lengths()));
        let terms: Vec<_> = terms.filter(|term| *term != LengthTerm::One).collect();
        debug_assert!(terms.len() <= MOST_TERMS);
        terms
    }
}

/// Times searches.
struct Timing<'a> {
    terms: &'a [LengthTerm],
    progress: &'a dyn Progress,
}

impl OnLengths for Timing<'_> {
    type Found = f64;

    fn run<D: Distance>(self, graph: Prepared<D>) -> Result<f64> {
        graph.seconds_of_sums(&graph.terms(self.terms), self.progress)
    }
}

/// Ranks all nodes.
struct Ranks<'a> {
    of: &'a LengthRanking,
    method: DistanceMethod,
    limits: &'a Limits,
    progress: &'a dyn Progress,
}

impl OnLengths for Ranks<'_> {
    /// The columns, and the share of pairs that a path joins.
    type Found = (Vec<Column>, f64);

    fn run<D: Distance>(self, graph: Prepared<D>) -> Result<Self::Found> {
        let terms = self.of.length_terms();
        if self.method == DistanceMethod::Auto && !goes_on(self.progress) {
            let seconds = graph.seconds_of_sums(&graph.terms(&terms), self.progress)?;
            afford(self.of.name(), seconds, self.limits)?;
        }
        let n = graph.arcs.num_nodes();
        let terms = graph.terms(&terms);
        let (sums, graph) = graph.sums(terms, self.progress)?;
        let fractions = |nodes: &[_], terms: &_| graph.fractions(nodes, terms, self.progress);
        let mut places = 0..;
        let columns = self.of.measures.measures().into_iter().map(|measure| {
            let term = measure.term().map(|term| term.of_lengths());
            let has_sums = term.is_some_and(|term| term != LengthTerm::One);
            let place = has_sums.then(|| places.next()).flatten();
            sums.column(measure, place, &fractions)
        });
        let columns = columns.collect::<Result<_>>()?;
        let pairs: u64 = sums.nodes.iter().map(|sums| u64::from(sums.reached)).sum();
        let share = match n as f64 {
            n if n < 2.0 => 1.0,
            n => pairs as f64 / (n * (n - 1.0)),
        };
        Ok((columns, share))
    }
}

/// Whether a run goes on from a checkpoint: it was within its time budget when it began.
pub(crate) fn goes_on(progress: &dyn Progress) -> bool {
    progress.checkpoint().is_some_and(Checkpoint::is_found)
}

/// Refuses a computation that would take longer than its budget.
///
/// # Errors
/// If it would.
pub(crate) fn afford(what: &'static str, seconds: f64, limits: &Limits) -> Result<()> {
    limits.admit_time(what, seconds, TIME_BUDGET)
}
