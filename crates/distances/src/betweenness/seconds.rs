//! About how long betweenness takes, before it begins: searches are timed, or paths sampled.

use super::arcs::ArcBetweenness;
use super::dependency_sums::{Items, seconds_of_sums};
use super::exact::ExactBetweenness;
use super::{Betweenness, BetweennessMethod, TIME_BUDGET, sampled_paths, sampled_sources};
use webrank_base::error::Result;
use webrank_base::limits::Limits;
use webrank_base::progress::Progress;
use webrank_graph::{Graph, Predecessors, Successors};
use webrank_measure::cost_model::{BATCH, Passes, TimeEstimate, announce};

/// Where it would take more seconds than this to search from 512 nodes on every thread, it is not
/// known how long searches take.
const TIMING: f64 = 20.0;

impl Betweenness {
    /// About how long it takes; none if it takes long to tell.
    ///
    /// # Errors
    /// If the graph cannot be read; if searches do not fit into memory; if the user interrupts.
    pub(super) fn seconds(
        &self,
        graph: &Graph,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<Option<TimeEstimate>> {
        let passes = Passes::over(graph);
        if takes_long_to_tell(passes) {
            return Ok(None);
        }
        let (successors, predecessors) = graph.both(progress)?;
        let (forward, backward) = (Successors(&*successors), Predecessors(&*predecessors));
        let writing = passes.writing(1);
        let sampling = || sampled_paths::seconds(forward, backward, self, progress);
        let (searching, memory) = match self.method {
            BetweennessMethod::Approx => (sampling()?, None),
            BetweennessMethod::Sources => {
                let seconds = sampled_sources::seconds(forward, backward, self, progress)?;
                (seconds, None)
            }
            BetweennessMethod::Auto | BetweennessMethod::Exact => {
                let exact = ExactBetweenness::new(forward, backward);
                let memory = exact.memory(rayon::current_num_threads());
                let seconds = match limits.admit_more("exact betweenness", memory) {
                    Ok(()) => exact.seconds(progress)?,
                    Err(_) if self.may_approximate() => f64::INFINITY,
                    Err(problem) => return Err(problem),
                };
                let is_long = seconds > limits.time_or(TIME_BUDGET).as_secs_f64();
                if self.may_approximate() && is_long {
                    drop(exact);
                    let all = passes.reading_both() + sampling()? + writing;
                    return Ok(Some(TimeEstimate::about(all).by("approx")));
                }
                (seconds, Some(memory))
            }
        };
        let reading = passes.reading_both();
        let seconds = TimeEstimate::about(reading + searching + writing);
        Ok(Some(match memory {
            Some(memory) => seconds.with(memory).within(limits.time_or(TIME_BUDGET)),
            None => seconds,
        }))
    }
}

impl ArcBetweenness {
    /// About how long it takes; none if it takes long to tell.
    ///
    /// # Errors
    /// If the graph cannot be read; if the user interrupts.
    pub fn seconds(
        &self,
        graph: &Graph,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<Option<TimeEstimate>> {
        let passes = Passes::over(graph);
        if takes_long_to_tell(passes) {
            return Ok(None);
        }
        let successors = graph.successors(progress)?;
        let searching = seconds_of_sums(&*successors, Items::Arcs, progress)?;
        let besides = passes.reading_both() + passes.writing(1);
        let seconds = TimeEstimate::about(besides + searching);
        Ok(Some(seconds.within(limits.time_or(TIME_BUDGET))))
    }
}

fn takes_long_to_tell(passes: Passes) -> bool {
    rayon::current_num_threads() as f64 * passes.of(BATCH) > TIMING
}

/// Refuses a computation that exceeds the memory or the time budget, and announces a long one.
///
/// Memory is judged first: estimating the time takes as much as computing.
pub fn afford(
    what: &'static str,
    memory: u64,
    seconds: impl FnOnce() -> Result<f64>,
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<()> {
    limits.admit_more(what, memory)?;
    let seconds = seconds()?;
    limits.admit_time(what, seconds, TIME_BUDGET)?;
    announce(what, seconds, memory, progress);
    Ok(())
}
