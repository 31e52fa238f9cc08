//! About how long rankings by distance take, before they begin.

use super::exact::Exact;
use super::sampled::may_sample;
use super::{DistanceMethod, Geometric, choice};
use crate::traversal::bit_parallel::LANES;
use crate::traversal::hyperball::Slicing;
use std::ops::Range;
use std::time::Instant;
use webrank_base::error::{Error, Result};
use webrank_base::limits::Limits;
use webrank_base::progress::Progress;
use webrank_graph::{Graph, Predecessors, Successors};
use webrank_measure::Measure;
use webrank_measure::cost_model::{
    BATCH, FULL_STEPS, Passes, SLICE, STEP, STEP_BY_LINES, TimeEstimate, Times,
};

/// The time of searches from a sample, in times of [`BATCH`]: along the rows of both directions, and by passes
/// over those of one.
const IN_BOTH: Range<f64> = 0.3..3.0;
const IN_ONE: Range<f64> = 1.0..4.0;

/// Searches whose timing would take more seconds than this are guessed at.
const TIMING: f64 = 20.0;

impl Geometric {
    /// About how long the forms take, in their order. Exact searches are timed on the reduced graph.
    pub(super) fn seconds_in(
        &self,
        graph: &Graph,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<Times> {
        let passes = Passes::over(graph);
        let is_cut = graph.shards().is_some();
        let whole = match self.method {
            DistanceMethod::Sample if is_cut => self.sampling(graph, passes, IN_ONE),
            _ if is_cut => self.counting_whole(passes, STEP),
            DistanceMethod::Hyperball => self.counting_whole(passes, self.step()),
            DistanceMethod::Sample => self.sampling(graph, passes, IN_BOTH),
            DistanceMethod::Exact => self.searching(graph, limits, passes, progress)?,
            DistanceMethod::Auto => {
                let budget = limits.time_or(choice::TIME).as_secs_f64();
                let may_count = self.needs_of_one(graph).is_some();
                let n = graph.num_nodes();
                let can_sample = self.measures().iter().all(|it| may_sample(*it, n));
                match self.searching(graph, limits, passes, progress) {
                    Ok(exact) if exact.range.end <= budget => exact.by("exact"),
                    Ok(exact) if !may_count => {
                        exact.by("exact").within(limits.time_or(choice::TIME))
                    }
                    Ok(_) if can_sample => self.sampling(graph, passes, IN_BOTH).by("sampling"),
                    Ok(_) | Err(Error::NeedsMemory { .. }) if may_count => {
                        self.counting_whole(passes, self.step()).by("HyperBall")
                    }
                    other => other?,
                }
            }
        };
        let slices = self.needs_of_one(graph).map(|_| match self.method {
            DistanceMethod::Sample => self.sampling(graph, passes, IN_ONE),
            _ => self.counting(graph, limits, passes),
        });
        Ok(vec![Some(whole), slices])
    }

    /// Searches from a sample, and from nodes of small reach.
    fn sampling(&self, graph: &Graph, passes: Passes, times: Range<f64>) -> TimeEstimate {
        let samples = self.size.at_most(graph.num_nodes()) as usize;
        let searching = samples.div_ceil(LANES) as f64 * passes.of(BATCH);
        let besides = passes.reading_both() + self.writing(passes);
        let [least, most] = [times.start, times.end].map(|times| besides + times * searching);
        TimeEstimate::between(least, most)
    }

    fn writing(&self, passes: Passes) -> f64 {
        passes.writing(self.measures.len())
    }

    /// The time of a step where the rows of both directions are in memory.
    fn step(&self) -> [f64; 2] {
        match self.counters.is_by_lines() {
            true => STEP_BY_LINES,
            false => STEP,
        }
    }

    /// HyperBall with all registers at once.
    fn counting_whole(&self, passes: Passes, step: [f64; 2]) -> TimeEstimate {
        let registers = f64::exp2(f64::from(self.counters.log2m()));
        let [short, long] = step.map(|step| passes.of_arcs(step * registers / 1024.0));
        let besides = passes.reading_both() + self.writing(passes);
        let [least, most] = [FULL_STEPS.start * short, FULL_STEPS.end * long];
        TimeEstimate::between(besides + least, besides + most)
    }

    /// HyperBall in slices, each of which decodes the rows and writes its changes in every step.
    fn counting(&self, graph: &Graph, limits: &Limits, passes: Passes) -> TimeEstimate {
        let (n, least) = (graph.num_nodes(), self.needs_of_one(graph).unwrap_or(0));
        let more = limits.left_after(least) + self.counters.least_memory(n);
        let slicing = Slicing::within(self.counters, n, more, self.temp.clone());
        let slices = slicing.count(self.counters) as f64;
        let whole = self.counting_whole(passes, STEP).range;
        let scanning = slices * passes.of(SLICE);
        let [least, most] = [
            whole.start + FULL_STEPS.start * scanning,
            whole.end + FULL_STEPS.end * scanning,
        ];
        TimeEstimate::between(least, most).by("HyperBall")
    }

    /// Exact searches: the graph is read and reduced, and some are timed, unless that takes long.
    fn searching(
        &self,
        graph: &Graph,
        limits: &Limits,
        passes: Passes,
        progress: &dyn Progress,
    ) -> Result<TimeEstimate> {
        let threads = rayon::current_num_threads() as f64;
        let batches = graph.num_nodes().div_ceil(LANES) as f64;
        let (batch, writing) = (passes.of(BATCH), self.writing(passes));
        if threads * batch > TIMING || limits.admit(self.name(), self.needs_whole(graph)).is_err() {
            // Reduction saves up to nine searches of ten.
            let besides = passes.reading_both() + writing;
            return Ok(TimeEstimate::between(
                besides + 0.1 * batches * batch,
                besides + batches * batch,
            ));
        }
        let started = Instant::now();
        let (successors, predecessors) = graph.both(progress)?;
        let (forward, backward) = (Successors(&*successors), Predecessors(&*predecessors));
        let exact = Exact::new(backward, forward, self.direction);
        let reading = started.elapsed().as_secs_f64();
        let memory = exact.memory(rayon::current_num_threads(), self.measures.len());
        choice::admit(memory, limits)?;
        let searching = exact.expected_time(progress)?.as_secs_f64();
        let all = reading + searching + writing;
        let seconds = match (&self.measures[..], self.top) {
            // Cutting searches short may save nearly all.
            ([_], Some(_)) => TimeEstimate::between(all - 0.95 * searching, all),
            _ => TimeEstimate::about(all),
        };
        Ok(seconds.with(memory))
    }
}
