//! The steps of every ranking command: open the output, open the graph, make the measure, compute,
//! write the table and its manifest.

use super::checkpoint::CheckpointArgs;
use super::plan;
use std::path::Path;
use std::sync::Arc;
use webrank::{Graph, Limits, Measure};
use webrank_base::checkpoint::KEPT;
use webrank_base::error::{Error, Result};
use webrank_base::progress::Traced;
use webrank_cluster::Workers;
use webrank_scores::parts::PartitionedTable;
use webrank_scores::report::Report;
use webrank_tables::trace::TraceFile;
use webrank_terminal::options::{Global, GraphArgs, Output, OutputArgs};
use webrank_terminal::program::is_closed_pipe;
use webrank_terminal::reported::Reported;
use webrank_terminal::signals;
use webrank_walks::distributed::Distributed;

/// A ranking command, apart from its measure.
pub struct RankRun<'a> {
    pub global: &'a Global,
    pub graph: &'a GraphArgs,
    pub output: &'a OutputArgs,
    pub limits: Limits,
    /// Write scores even if a tolerance was not reached.
    pub allow_unconverged: bool,
    /// Where sweeps are written.
    pub trace: Option<&'a Path>,
    pub weights: Weights<'a>,
    /// Where the state is kept, for commands that can keep it.
    pub checkpoint: Option<&'a CheckpointArgs>,
    /// The workers, for commands that several can do together.
    pub team: Option<&'a Workers>,
    /// Whether names of nodes are needed even if workers write them.
    pub is_named: bool,
}

/// Makes the measure of a graph.
type MakeMeasure<'m> = Box<dyn FnOnce(&Graph) -> Result<Box<dyn Measure + 'm>> + 'm>;

/// The weights of the arcs.
#[derive(Clone, Copy)]
pub enum Weights<'a> {
    /// They do not count for the measure.
    Unused,
    /// They might count as lengths, but hops are counted.
    NoLengths,
    /// The weights of the graph, if it has any.
    OfGraph,
    /// The weights in a file.
    Of(&'a Path),
}

impl<'a> Weights<'a> {
    /// The weights in a file if there is one.
    pub fn given(file: Option<&'a Path>) -> Self {
        file.map_or(Weights::OfGraph, Weights::Of)
    }
}

/// The graph without weights; says how they could count, if there are any.
pub fn hops_of(graph: Graph, global: &Global) -> Graph {
    if graph.has_weights() {
        global.summary(
            "rank: distances count hops; --lengths weights takes the weights of arcs as lengths, --lengths \
             inverse 1/weight\n",
        );
    }
    graph.without_weights()
}

/// The words for whoever stops a run at once: what is kept of it, and how to keep more.
pub fn left(checkpoint: Option<&Path>, can_be_kept: bool) -> String {
    match checkpoint {
        Some(path) if path.exists() => {
            let path = path.display();
            format!("stopped; {path} has the last state: the same command goes on from there")
        }
        Some(_) => "stopped; no state was written yet, so nothing is kept".into(),
        None if can_be_kept => {
            "stopped; nothing is kept: --checkpoint FILE keeps the state of such a run".into()
        }
        None => format!("stopped; nothing is kept: {KEPT}"),
    }
}

impl<'a> RankRun<'a> {
    /// A command within the default limits.
    pub fn new(global: &'a Global, graph: &'a GraphArgs, output: &'a OutputArgs) -> Self {
        RankRun {
            global,
            graph,
            output,
            limits: Limits::default(),
            allow_unconverged: false,
            trace: None,
            weights: Weights::Unused,
            checkpoint: None,
            team: None,
            is_named: true,
        }
    }

    /// The table in parts that is to be written.
    fn parts(&self) -> Option<&Arc<PartitionedTable>> {
        self.team.and_then(|team| team.table.as_ref())
    }

    /// Opens the graph, with the weights that count.
    pub fn open_graph(&self) -> Result<Graph> {
        let is_named = self.is_named || self.parts().is_none();
        let graph = self.graph.open_parts(self.global, is_named)?;
        if let Some(table) = self.parts()
            && graph.shards().is_none()
        {
            let problem = "ends with a separator, but the graph is not cut into parts: name a file, \
                           such as scores.parquet, or cut the graph with 'rank shard'";
            return Err(Error::file(table.path(), problem));
        }
        Ok(match self.weights {
            Weights::Of(file) => graph.with_weights(file),
            Weights::Unused if graph.has_weights() => {
                let note = "rank: the weights of arcs do not count for this measure\n";
                self.global.summary(note);
                graph.without_weights()
            }
            Weights::NoLengths => hops_of(graph, self.global),
            Weights::Unused | Weights::OfGraph => graph,
        })
    }

    /// Ranks by a measure that several workers may compute together: worker 0 writes the table, another
    /// process does its part.
    pub fn rank_among<M: Distributed>(self, make: impl FnOnce(&Graph) -> Result<M>) -> Result<()> {
        let shape = self.output;
        self.rank_among_shaped(shape, make)
    }

    /// [`Self::rank_among`] with the rows of the table chosen by `shape`.
    pub fn rank_among_shaped<M: Distributed>(
        self,
        shape: &OutputArgs,
        make: impl FnOnce(&Graph) -> Result<M>,
    ) -> Result<()> {
        if self.global.plan || self.team.is_none_or(|team| team.me() == 0) {
            return self.rank_shaped(shape, make);
        }
        let graph = self.open_graph()?;
        let measure = make(&graph)?;
        let progress = self.global.progress();
        let allows = self.allow_unconverged;
        let worked = measure.assist(&graph, &self.limits, allows, progress.as_ref())?;
        drop(progress);
        let outcome = worked.outcomes.first().map(ToString::to_string);
        self.done(&outcome.unwrap_or_default())
    }

    /// Says that a worker other than the first is done, and what came of it. Its parts of a table appear,
    /// if it could not write them to the folder of worker 0.
    pub fn done(&self, what: &str) -> Result<()> {
        let Some(team) = self.team else { return Ok(()) };
        let writes = match &team.table {
            Some(table) if table.finish(None)? => {
                format!("its parts are in {}", table.path().display())
            }
            Some(_) => "worker 0 finishes the table".into(),
            None => "worker 0 writes the table".into(),
        };
        let (me, workers) = (team.me(), team.count());
        self.global.summary(&format!(
            "rank: worker {me} of {workers} is done: {what}; {writes}\n"
        ));
        Ok(())
    }

    /// Ranks by the measure that `make` returns; `make` may look up nodes of the graph.
    pub fn rank<M: Measure>(self, make: impl FnOnce(&Graph) -> Result<M>) -> Result<()> {
        let shape = self.output;
        self.rank_shaped(shape, make)
    }

    /// [`Self::rank`] with the rows of the table chosen by `shape`.
    pub fn rank_shaped<M: Measure>(
        self,
        shape: &OutputArgs,
        make: impl FnOnce(&Graph) -> Result<M>,
    ) -> Result<()> {
        let path = &self.graph.graph;
        // The steps are compiled once for all measures.
        self.rank_unnamed(shape, Box::new(|graph| Ok(Box::new(make(graph)?))))
            .map_err(|problem| match problem {
                Error::Undefined { .. } => Error::file(path, problem.to_string()),
                other => other,
            })
    }

    /// [`Self::rank_shaped`] where an error of the graph does not name its file.
    fn rank_unnamed(self, shape: &OutputArgs, make: MakeMeasure) -> Result<()> {
        let output = match self.parts() {
            Some(table) => Output::Parts(Arc::clone(table)),
            None => self.output.open(self.global)?,
        };
        let graph = self.open_graph()?;
        let measure = make(&graph)?;
        if self.global.plan {
            let progress = self.global.progress();
            plan::print(
                &*measure,
                &graph,
                &self.limits,
                (self.global, progress.as_ref()),
            )?;
        }
        let form = measure.plan(&graph, &self.limits)?;
        Global::log_memory(measure.name(), &form);
        self.global.end_plan()?;
        // A repeated run writes nothing.
        let checkpoint = self.checkpoint.filter(|_| self.global.repeats.is_none());
        let checkpoint = checkpoint.map(|args| args.of(&*measure, &graph, &self.limits));
        let checkpoint = checkpoint.transpose()?.flatten().map(Arc::new);
        if let Some(checkpoint) = &checkpoint {
            let kept = Arc::clone(checkpoint);
            signals::keep(move || kept.ask_to_stop());
        }
        if !self.global.quiet {
            let path = self.checkpoint.and_then(CheckpointArgs::path);
            let path = path.map(Path::to_owned);
            let has_option = self.checkpoint.is_some();
            let can_be_kept = has_option && measure.check_kept(&graph, &self.limits).is_ok();
            signals::hint(move || left(path.as_deref(), can_be_kept));
        }
        let trace = self.trace.filter(|_| self.global.repeats.is_none());
        let trace = trace.map(TraceFile::create).transpose()?;
        let progress = self.global.progress_kept(checkpoint.clone());
        let said = |problem| match self.checkpoint {
            Some(checkpoint) => checkpoint.said(problem),
            None => problem,
        };
        let traced = Traced::new(progress.as_ref());
        let in_files = measure.compute_in_files(&graph, &self.limits, &traced);
        let in_memory = match in_files {
            Ok(None) => Some(measure.compute(&graph, &self.limits, &traced)),
            _ => None,
        };
        let sweeps = traced.sweeps();
        drop(progress);
        // A run that did not converge is the one to look at.
        trace.map_or(Ok(()), |trace| trace.write(&sweeps))?;
        let written = match (in_files.map_err(said)?, in_memory) {
            (Some(ranked), _) => {
                if !self.allow_unconverged {
                    ranked.check_converged()?;
                }
                let (graph, ranked) = (&graph, &ranked);
                Report { graph, ranked }.write(output, shape, self.global)
            }
            (None, computed) => {
                let computed = computed.expect("what is not in files is in memory");
                let mut ranked = computed.map_err(said)?;
                if !self.allow_unconverged {
                    ranked = ranked.converged()?;
                }
                let (graph, ranked) = (&graph, &ranked);
                Report { graph, ranked }.write(output, shape, self.global)
            }
        };
        let is_done = written.as_ref().err().is_none_or(is_closed_pipe);
        if let Some(checkpoint) = checkpoint.filter(|_| is_done) {
            checkpoint.remove()?;
        }
        written
    }
}

#[cfg(test)]
mod tests {
    use super::left;

    #[test]
    fn who_stops_a_run_reads_what_is_left_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("state");
        assert!(left(Some(&state), true).ends_with("so nothing is kept"));
        std::fs::write(&state, "x").unwrap();
        assert!(left(Some(&state), true).ends_with("the same command goes on from there"));
        assert!(left(None, true).contains("nothing is kept: --checkpoint FILE keeps"));
        assert!(left(None, false).contains("nothing is kept: checkpoints are for pagerank"));
        for text in [left(None, true), left(None, false)] {
            assert!(!text.contains("goes on"), "{text}");
        }
    }
}
