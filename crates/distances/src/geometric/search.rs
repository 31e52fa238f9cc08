//! How rankings by distance are found: the rows that are read, the engine, what fits into memory.

use super::best::Way;
use super::checkpoint::EXACT;
use super::exact::Exact;
use super::exact_number::Rounded;
use super::hyperball::{HyperballEstimate, estimate};
use super::measure::DistanceMeasure;
use super::ranking::needs_diameter;
use super::sampled::{SAMPLED, Sampler, may_sample};
use super::{DistanceMethod, DistanceScores, Geometric, choice};
use crate::traversal::diameter;
use crate::traversal::hyperball::{BallRows, Slicing};
use ndarray::Array1;
use webrank_base::checkpoint::Checkpoint;
use webrank_base::error::Result;
use webrank_base::limits::Limits;
use webrank_base::phases::Phases;
use webrank_base::progress::Progress;
use webrank_graph::Size;
use webrank_graph::{Csr, Graph, Predecessors, Successors};
use webrank_scores::Scores;

/// The base-2 logarithm of the registers that are held at a time, at least, beside both directions.
const LEAST_BESIDE_BOTH: u32 = 5;

impl Geometric {
    /// The bytes with the rows of both directions, and of counters at least so many registers that
    /// the time saved by the other direction is worth more than wider slices.
    pub(super) fn needs_of_both(&self, graph: &Graph) -> u64 {
        let columns = self.of_columns();
        match self.method {
            DistanceMethod::Hyperball => {
                let counters = self
                    .counters
                    .memory_of(LEAST_BESIDE_BOTH, graph.num_nodes());
                counters + Size::of(graph).bytes(40 + columns, 9)
            }
            _ => self.needs_whole(graph),
        }
    }

    /// The measures, in the order of their columns.
    pub fn measures(&self) -> Vec<&dyn DistanceMeasure> {
        self.measures.iter().map(|measure| &**measure).collect()
    }

    /// The scores from the rows of both directions, and notes on how they were found.
    pub(super) fn on_both(
        &self,
        graph: &Graph,
        limits: &Limits,
        phases: &mut Phases,
        progress: &dyn Progress,
    ) -> Result<(DistanceScores, Vec<String>)> {
        let (successors, predecessors) = graph.both(progress)?;
        phases.done("load");
        let search = DistanceSearch {
            asked: self,
            measures: self.measures(),
            predecessors: Predecessors(&predecessors),
            successors: Successors(&successors),
            progress,
        };
        search.run(limits)
    }

    /// HyperBall's scores from as many registers at a time as fit into memory.
    pub(super) fn estimate(
        &self,
        rows: BallRows,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<(DistanceScores, Vec<String>)> {
        let (counters, n) = (self.counters, rows.num_nodes());
        limits.admit_more("HyperBall", counters.least_memory(n))?;
        let (left, temp) = (limits.more_memory(), self.temp.clone());
        let slicing = match rows {
            BallRows::Lists {
                rows,
                reverse: Some(_),
            } => Slicing::by_lines_within(counters, (n, rows.num_arcs()), left, temp),
            _ => Slicing::within(counters, n, left, temp),
        };
        let notes = choice::of_slices(&slicing, counters);
        let measures = self.measures();
        let (direction, confidence) = (self.direction, self.confidence);
        let asked = HyperballEstimate {
            direction,
            measures: &measures,
            counters,
            slicing,
            confidence,
        };
        let scores = estimate(rows, asked, progress)?;
        Ok((scores, notes.into_iter().collect()))
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
            DistanceMethod::Hyperball => self.estimate(limits),
            DistanceMethod::Sample => {
                let exact = self.reduced();
                if let Some(found) = self.sample(&exact, limits)? {
                    return Ok(found);
                }
                choice::admit(self.memory(&exact), limits)?;
                let notes = vec![choice::of_all(exact.units())];
                Ok((self.exactly(&exact)?, notes))
            }
            DistanceMethod::Exact => {
                let exact = self.reduced();
                choice::admit(self.memory(&exact), limits)?;
                Ok((self.exactly(&exact)?, Vec::new()))
            }
            // A continued run does not choose again.
            DistanceMethod::Auto if self.goes_on_at(SAMPLED) => {
                let found = self.sample(&self.reduced(), limits)?;
                let (scores, mut notes) = found.expect("the earlier run has sampled it, too");
                notes.insert(0, choice::of_earlier().note_of_sample());
                Ok((scores, notes))
            }
            DistanceMethod::Auto if self.goes_on() && !self.goes_on_at(EXACT) => {
                let (scores, mut notes) = self.estimate(limits)?;
                notes.insert(0, choice::of_earlier().note(self.asked.counters));
                Ok((scores, notes))
            }
            DistanceMethod::Auto if self.goes_on() => {
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
                if why.is_time
                    && self.may_sample(limits)
                    && let Some((scores, mut notes)) = self.sample(&exact, limits)?
                {
                    notes.insert(0, why.note_of_sample());
                    return Ok((scores, notes));
                }
                drop(exact);
                let (scores, mut notes) = self.estimate(limits)?;
                notes.insert(0, why.note(self.asked.counters));
                Ok((scores, notes))
            }
        }
    }

    /// Whether an earlier run was stopped at this stage.
    fn goes_on_at(&self, stage: &str) -> bool {
        let checkpoint = self.progress.checkpoint();
        checkpoint.is_some_and(|checkpoint| checkpoint.is_found_at(stage))
    }

    /// Whether one was stopped at all.
    fn goes_on(&self) -> bool {
        let checkpoint = self.progress.checkpoint();
        checkpoint.is_some_and(Checkpoint::is_found)
    }

    /// Whether all measures can be sampled, within memory.
    fn may_sample(&self, limits: &Limits) -> bool {
        let n = self.predecessors.0.num_nodes();
        let arcs = self.predecessors.0.num_arcs();
        let bytes = n as u64 * (100 + self.asked.bytes_of_sample(n)) + 6 * arcs;
        self.measures.iter().all(|it| may_sample(*it, n))
            && limits.admit_more("sampling", bytes).is_ok()
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
        // A checkpoint holds the scores of all.
        let is_kept = self.progress.checkpoint().is_some();
        match (&self.measures[..], self.asked.top) {
            // A warning needs the share of reachable pairs.
            (&[measure], Some(count))
                if count < n && !is_kept && measure.caution(0.0).is_none() =>
            {
                let found = exact.best(measure, count, Way::Cheaper, self.progress)?;
                let mut values = Array1::from_elem(n, f64::NEG_INFINITY);
                let mut rests = vec![Rounded::NO_REST; n];
                for (node, score) in found.best {
                    values[node as usize] = score.value;
                    rests[node as usize] = score.rest;
                }
                let run = found.run;
                Ok(DistanceScores {
                    scores: vec![Scores::new(values, run)],
                    rests: vec![rests],
                    reachable_share: None,
                    arcs: found.arcs,
                })
            }
            _ => exact.run(&self.measures, self.progress),
        }
    }

    fn estimate(&self, limits: &Limits) -> Result<(DistanceScores, Vec<String>)> {
        let asked = self.asked;
        let (rows, reverse) = asked.direction.rows(self.predecessors, self.successors);
        let rows = BallRows::Lists {
            rows,
            reverse: Some(reverse),
        };
        asked.estimate(rows, limits, self.progress)
    }

    /// Estimates from a sample, and notes on it; none if exact scores take no more searches.
    fn sample(
        &self,
        exact: &Exact,
        limits: &Limits,
    ) -> Result<Option<(DistanceScores, Vec<String>)>> {
        let (rows, reverse) = self
            .asked
            .direction
            .rows(self.predecessors, self.successors);
        let mut diameter = None;
        if needs_diameter(&self.measures) {
            let threads = rayon::current_num_threads();
            let needed = diameter::memory(rows.num_nodes(), rows.num_arcs(), threads);
            limits.admit_more("the diameter", needed)?;
            diameter = Some(diameter::diameter(rows, reverse, self.progress)?);
        }
        let measures = self.measures.iter().map(|measure| {
            let known = diameter.and_then(|diameter| measure.with_diameter(diameter));
            (*measure, known)
        });
        let measures: Vec<_> = measures.collect();
        let measures = measures.iter().map(|(measure, known)| match known {
            Some(known) => &**known,
            None => *measure,
        });
        let measures: Vec<&dyn DistanceMeasure> = measures.collect();
        let sampler = Sampler {
            exact,
            rows,
            reverse,
            measures: &measures,
            wanted: self.asked.sample(),
        };
        let found = sampler.run(self.progress)?;
        Ok(found.map(|(scores, mut notes)| {
            notes.extend(diameter.map(|diameter| format!("the diameter is {diameter}, exactly")));
            (scores, notes)
        }))
    }
}
