//! Betweenness of arcs: the sum over ordered pairs y != z of the fraction of shortest y-z paths
//! that take the arc. 0 for self-loops.
//!
//! One search per node: see [`super::single_source`]. O(n m). Girvan and Newman 2002; Brandes 2008.

use super::modular::{self, residues};
use super::pairwise::{added, pairwise_sum};
use super::path_count::{PathRatio, Wide};
use super::seconds::afford;
use super::single_source::DependencySearch;
use super::ties::{RoundingTies, unite};
use rayon::prelude::*;
use serde::Serialize;
use std::sync::Arc;
use std::time::Instant;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::limits::Limits;
use webrank_base::parallel::tasks;
use webrank_base::parallel::workspaces::Pool;
use webrank_base::phases::Phases;
use webrank_base::progress::Progress;
use webrank_graph::Size;
use webrank_graph::{Csr, Graph, Successors};
use webrank_measure::parameters;
use webrank_scores::Run;

/// Betweenness of arcs with its parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct ArcBetweenness {
    /// Whether to divide by n (n - 1), the number of pairs.
    pub normalize: bool,
}

/// The arcs of a graph with their scores.
pub struct RankedArcs {
    successors: Arc<Csr>,
    values: Vec<f64>,
    order: Vec<usize>,
    run: Run,
    notes: Vec<String>,
    phases: Phases,
}

impl ArcBetweenness {
    /// The bytes that reading the graph takes at most. What searching
    /// takes is checked before it begins.
    pub fn needs(&self, graph: &Graph) -> u64 {
        Size::of(graph).bytes(60, 76)
    }

    /// Ranks the arcs of a graph.
    ///
    /// # Errors
    /// If that would exceed the time budget, if there is not enough memory, if a file turns out to
    /// be damaged, or if the user interrupts.
    pub fn compute(
        &self,
        graph: &Graph,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<RankedArcs> {
        let mut phases = Phases::start();
        let successors = graph.successors(progress)?;
        phases.done("load");
        let rows = Successors(&*successors);
        let seconds = || arc_seconds(rows, progress);
        let memory = arc_memory(rows, rayon::current_num_threads());
        let what = "exact betweenness of arcs";
        afford(what, memory, seconds, limits, progress)?;
        let (values, ties) = arc_betweenness(rows, self.normalize, progress)?;
        phases.done("search");
        let mut order: Vec<usize> = (0..values.len()).collect();
        // The sort is stable: arcs with equal scores stay in the order of sources and targets.
        order.par_sort_by(|&a, &b| values[b].total_cmp(&values[a]));
        phases.done("rank");
        let run = Run {
            measure: "arc-betweenness",
            method: "exact",
            parameters: parameters(self),
            outcome: ties.outcome(&values),
        };
        Ok(RankedArcs {
            successors,
            values,
            order,
            run,
            notes: ties.note("arcs").into_iter().collect(),
            phases,
        })
    }
}

impl RankedArcs {
    /// The score of every arc, in the order of sources and targets.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The places of the arcs in [`values`](Self::values), best first; ties by source and target.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// The source and the target of the arc at this place.
    pub fn ends(&self, arc: usize) -> (Node, Node) {
        let offsets = self.successors.offsets();
        let source = offsets.partition_point(|&offset| offset <= arc as u64) - 1;
        (source as Node, self.successors.targets()[arc])
    }

    /// The measure, the method, and the certainty of the result.
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// Notes for people.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The durations of the phases.
    pub fn phases(&self) -> &Phases {
        &self.phases
    }
}

/// The number of partial sums, each over consecutive sources.
const PARTS: usize = 64;

/// The betweenness of every arc, in the order of [`Csr::targets`]; with `normalize`, divided by
/// n (n - 1). Scores that rounding may have put in the wrong order are equal: see [`super::ties`].
///
/// Takes 8 bytes per arc for each thread and for each level of a tree of 64 sums. The bits depend
/// on the graph alone. Reports n units to `progress`.
///
/// # Errors
/// [`Interrupted`](Error::Interrupted) when the user stops the run.
pub fn arc_betweenness(
    successors: Successors<Csr>,
    normalize: bool,
    progress: &dyn Progress,
) -> Result<(Vec<f64>, RoundingTies)> {
    let rows = successors.0;
    let n = rows.num_nodes();
    progress.begin("searching", Some(n as u64));
    let workspaces = Pool::new(|| DependencySearch::<f64>::new(n));
    let nodes: Vec<Node> = (0..n as Node).collect();
    let leaf = n.div_ceil(PARTS).max(1);
    let search_all = |sources: &[Node]| {
        let mut values = vec![0.0; rows.num_arcs() as usize];
        let mut roundings = 0;
        workspaces.with(|workspace| {
            for &source in sources {
                progress.check()?;
                roundings = search(rows, workspace, source, &mut values).max(roundings);
            }
            Ok::<_, Error>(())
        })?;
        progress.advance(sources.len() as u64);
        Ok((values, roundings))
    };
    let plus = |left: (Vec<f64>, u64), right: (Vec<f64>, u64)| {
        (added(left.0, right.0), left.1.max(right.1))
    };
    let (mut values, roundings) = pairwise_sum(&nodes, leaf, &search_all, &plus)?;
    progress.end();
    if normalize && n > 1 {
        let pairs = n as f64 * (n - 1) as f64;
        values.iter_mut().for_each(|value| *value /= pairs);
    }
    let residues = if modular::affordable(rows) {
        residues(rows, true, progress)?.map(|residues| residues.arcs)
    } else {
        None
    };
    // The roundings of a share, the additions within a leaf and in the tree above, and the
    // division.
    let roundings = roundings + (leaf as u64 + PARTS.ilog2() as u64 + 1) + 1;
    let ties = unite(&mut values, roundings, residues.as_deref());
    Ok((values, ties))
}

/// The bytes that [`arc_betweenness`] takes with `threads` threads, without the graph.
pub fn arc_memory(successors: Successors<Csr>, threads: usize) -> u64 {
    let rows = successors.0;
    let sums = 8 * rows.num_arcs() * (2 + PARTS.ilog2() as u64);
    threads as u64 * (sums + 24 * rows.num_nodes() as u64)
}

/// An estimate of the seconds that [`arc_betweenness`] takes with the current number of threads,
/// from 32 sources per thread.
///
/// # Errors
/// [`Interrupted`](Error::Interrupted) when the user stops the run.
pub fn arc_seconds(successors: Successors<Csr>, progress: &dyn Progress) -> Result<f64> {
    let rows = successors.0;
    let n = rows.num_nodes();
    let workspaces = Pool::new(|| DependencySearch::<f64>::new(n));
    let threads = rayon::current_num_threads();
    let sampled = (32 * threads).min(n);
    progress.begin("timing searches", None);
    let started = Instant::now();
    tasks::try_map(0..threads, |thread| {
        let mut values = vec![0.0; rows.num_arcs() as usize];
        workspaces.with(|workspace| {
            for i in (thread..sampled).step_by(threads) {
                progress.check()?;
                let source = (2 * i + 1) * n / (2 * sampled);
                search(rows, workspace, source as Node, &mut values);
            }
            Ok(())
        })
    })?;
    progress.end();
    Ok(started.elapsed().as_secs_f64() * n as f64 / sampled.max(1) as f64)
}

/// Adds the dependencies of a source; returns the roundings behind them.
fn search(
    rows: &Csr,
    workspace: &mut DependencySearch<f64>,
    source: Node,
    values: &mut [f64],
) -> u64 {
    if add(rows, workspace, source, values) {
        return workspace.roundings();
    }
    let mut wide = DependencySearch::<Wide>::new(rows.num_nodes());
    add(rows, &mut wide, source, values);
    wide.roundings()
}

fn add<C: PathRatio>(
    rows: &Csr,
    workspace: &mut DependencySearch<C>,
    source: Node,
    values: &mut [f64],
) -> bool {
    workspace.dependencies(rows, source, |arc, share| values[arc] += share, |_, _| ())
}
