//! [webrank]: ../webrank/index.html
#![doc = include_str!("../README.md")]

pub mod cost_model;
pub mod form;
pub mod machines;

use crate::cost_model::Times;
use serde::Serialize;
use serde_json::{Map, Value};
use std::path::Path;
use std::time::Duration;
use webrank_base::checkpoint::{Checkpoint, Work, unkept};
use webrank_base::error::Result;
use webrank_base::limits::{Limits, Tolerance};
pub use webrank_base::memory::StoragePlan;
use webrank_base::progress::{Progress, Silent};
use webrank_graph::Graph;
use webrank_scores::external::ExternalRanking;
use webrank_scores::ranked::Ranked;

/// A kind of measure with a description.
pub trait Described {
    /// A description of the measure for people.
    const ABOUT: About;
}

/// The description of a measure, also behind a pointer.
pub trait HasAbout {
    /// A description of the measure for people.
    fn about(&self) -> About;
}

impl<M: Described> HasAbout for M {
    fn about(&self) -> About {
        M::ABOUT
    }
}

/// A measure with valid parameters.
pub trait Measure: HasAbout + Sync {
    /// Its name in messages: that in [`HasAbout::about`].
    fn name(&self) -> &'static str {
        self.about().name
    }

    /// The forms in which the nodes of a graph may be ranked, with the bytes that the process holds at most:
    /// the first that fits into memory is taken. Bytes that depend on the arcs, as for searches from every
    /// node, are counted when the arcs are known.
    fn forms_of(&self, graph: &Graph) -> Vec<StoragePlan>;

    /// The bytes of the first of [`Self::forms_of`].
    fn needs(&self, graph: &Graph) -> u64 {
        self.forms_of(graph).first().map_or(0, |form| form.bytes)
    }

    /// The form that fits these limits.
    ///
    /// # Errors
    /// If none fits; the error tells what the smallest needs.
    fn plan(&self, graph: &Graph, limits: &Limits) -> Result<StoragePlan> {
        let forms = self.forms_of(graph);
        let fits = |form: &&StoragePlan| limits.admit(self.name(), form.bytes).is_ok();
        let least = || forms.iter().min_by_key(|form| form.bytes);
        let taken = forms.iter().find(fits).or_else(least).copied();
        let taken = taken.unwrap_or(StoragePlan::in_memory(0));
        limits.admit(self.name(), taken.bytes).map(|()| taken)
    }

    /// About how long each of [`Self::forms_of`] takes on this machine, in their order, within a factor
    /// of two on the graphs that were measured (`docs/src/measurements/plans.md`); none where nothing is known before
    /// the run. Where nodes are searched from, the graph is read, and some searches are timed.
    ///
    /// # Errors
    /// If the graph is damaged or cannot be read; if searches turn out not to fit into memory; if the
    /// user interrupts.
    fn seconds_of(&self, _: &Graph, _: &Limits, _: &dyn Progress) -> Result<Times> {
        Ok(Vec::new())
    }

    /// All parameters on which the bits of a run within `limits` depend, vectors by their checksums,
    /// for measures whose runs can be kept in a checkpoint.
    ///
    /// # Errors
    /// If such a run cannot be kept.
    #[doc(hidden)]
    fn kept_parameters(&self, _graph: &Graph, _limits: &Limits) -> Result<Map<String, Value>> {
        Err(unkept(self.about().name))
    }

    /// Whether such a run can be kept, without reading vectors.
    ///
    /// # Errors
    /// If it cannot.
    #[doc(hidden)]
    fn check_kept(&self, graph: &Graph, limits: &Limits) -> Result<()> {
        self.kept_parameters(graph, limits).map(drop)
    }

    /// The bytes of columns that a checkpoint holds while others are computed.
    #[doc(hidden)]
    fn kept_bytes(&self, _graph: &Graph) -> u64 {
        0
    }

    /// Ranks the nodes of a graph. [`Self::plan`] tells whether it fits into memory.
    ///
    /// An iteration that ends before its tolerance is reached is a result, not an error: see
    /// [`Ranked::converged`].
    ///
    /// # Errors
    /// If a parameter does not fit the graph, if there is not enough memory, if a file turns out to
    /// be damaged, or if the user interrupts.
    fn compute(&self, graph: &Graph, limits: &Limits, progress: &dyn Progress) -> Result<Ranked>;

    /// Ranks the nodes of a graph like [`Self::compute`], if the form that is taken leaves scores and
    /// ranks in files.
    ///
    /// # Errors
    /// As for [`Self::compute`].
    #[doc(hidden)]
    fn compute_in_files(
        &self,
        _graph: &Graph,
        _limits: &Limits,
        _progress: &dyn Progress,
    ) -> Result<Option<ExternalRanking>> {
        Ok(None)
    }

    /// Ranks the nodes of a graph within the default limits.
    ///
    /// # Errors
    /// As for [`Self::compute`]; if the default tolerance is not reached.
    fn run(&self, graph: &Graph) -> Result<Ranked> {
        self.run_within(graph, &Limits::default())
    }

    /// Ranks the nodes of a graph within these limits.
    ///
    /// # Errors
    /// As for [`Self::compute`]; if it does not fit into memory; if the tolerance is not reached.
    fn run_within(&self, graph: &Graph, limits: &Limits) -> Result<Ranked> {
        self.rank(graph, limits, &Silent)?.converged()
    }

    /// Ranks the nodes of a graph on the threads of these limits, and tells how far it is.
    ///
    /// # Errors
    /// As for [`Self::compute`]; if it does not fit into memory.
    fn rank(&self, graph: &Graph, limits: &Limits, progress: &dyn Progress) -> Result<Ranked> {
        limits.on_threads(|| {
            self.plan(graph, limits)?;
            self.compute(graph, limits, progress)
        })
    }
}

/// The parameters of a measure, in the form that manifests hold.
pub fn parameters(measure: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(measure) {
        Ok(Value::Object(parameters)) => parameters,
        _ => unreachable!("a measure is a structure of plain data"),
    }
}

/// The parameters of a measure and the limits of its iteration, in the form that manifests hold.
pub fn iteration_parameters(
    measure: &impl Serialize,
    tolerance: Tolerance,
    max_iterations: u32,
) -> Map<String, Value> {
    let mut parameters = parameters(measure);
    parameters.insert("tolerance".into(), tolerance.get().into());
    parameters.insert("max_iterations".into(), max_iterations.into());
    parameters
}

/// [`iteration_parameters`] of a measure computed from a matrix, and whether its arcs have weights.
pub fn matrix_parameters(
    measure: &impl Serialize,
    is_weighted: bool,
    tolerance: Tolerance,
    max_iterations: u32,
) -> Map<String, Value> {
    let mut parameters = iteration_parameters(measure, tolerance, max_iterations);
    let weights = is_weighted.then_some("vector");
    parameters.insert("weights".into(), weights.into());
    parameters
}

/// A description of a measure: one line per aspect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct About {
    /// Its name: that of its command, also used in manifests.
    pub name: &'static str,
    /// The score of a node x, as a formula.
    pub definition: &'static str,
    /// Whose importance or distance makes x important.
    pub direction: &'static str,
    /// Time and memory, in terms of n nodes and m arcs.
    pub cost: &'static str,
    /// The guarantee about a score.
    pub guarantee: &'static str,
}

/// The checkpoint of a run of `measure` on `graph` within `limits`, in the file at `path`, which is
/// written when `every` has passed. The state that the file holds, if it is there, is taken up. Where a
/// graph is not in a bundle, its fingerprint takes a pass over its file.
///
/// # Errors
/// If runs of the measure keep no checkpoints; if the file belongs to other work, is damaged or is no
/// checkpoint; if there is no place for it, or too little memory for columns that are done.
pub fn checkpoint(
    measure: &dyn Measure,
    graph: &Graph,
    limits: &Limits,
    path: &Path,
    every: Duration,
) -> Result<Checkpoint> {
    let parameters = measure.kept_parameters(graph, limits)?;
    let work = Work::new(measure.about().name, graph.fingerprint()?, parameters);
    let needed = measure.plan(graph, limits)?.bytes;
    let needed = needed.saturating_add(measure.kept_bytes(graph));
    limits.admit(measure.name(), needed)?;
    Checkpoint::open(work, path, every)
}
