//! Centrality measures: the trait [`Measure`] and the list of all measures.
//!
//! Each measure is one file, or a folder if it needs several. The file gives first the definition
//! (formula, direction, normalisation, unreachable and dangling nodes, source), then the
//! parameters, whose types exclude invalid values, then the computation. Distance-based measures
//! share their engines, in [`geometric`].

pub mod betweenness;
pub mod degree;
pub mod eigenvector;
pub mod form;
pub mod geometric;
pub mod hits;
pub mod katz;
pub mod kendall_wei;
pub mod leaderrank;
pub mod of_shards;
pub mod pagerank;
pub mod salsa;
pub mod sample_mean;
pub mod seeley;

use crate::checkpoint::unkept;
use crate::error::Result;
use crate::expected::Seconds;
use crate::graph::Graph;
use crate::limits::{Limits, Tolerance};
use crate::progress::{Progress, Silent};
use crate::scores::in_files::RankedInFiles;
use crate::scores::ranked::Ranked;
use serde::Serialize;
use serde_json::{Map, Value};

/// A measure with valid parameters. Serialising it gives the `parameters` of the manifest.
pub trait Measure: Serialize + Sync {
    /// A description of the measure for people.
    const ABOUT: About;

    /// What it is called in messages: the name in [`Self::ABOUT`].
    fn name(&self) -> &'static str {
        Self::ABOUT.name
    }

    /// The bytes that the process holds at most while it ranks the nodes of a graph in the first of
    /// [`Self::forms_of`]. What depends on the arcs, as searches from every node do, is counted when
    /// the arcs are known.
    fn needs(&self, graph: &Graph) -> u64;

    /// The forms in which the measure may be computed: the first that fits into memory is taken.
    fn forms_of(&self, graph: &Graph) -> Vec<FormPlan> {
        vec![FormPlan::in_memory(self.needs(graph))]
    }

    /// The bytes that the process needs to rank the nodes of a graph in the form that fits these
    /// limits.
    ///
    /// # Errors
    /// If none fits; the error tells what the smallest needs.
    fn plan(&self, graph: &Graph, limits: &Limits) -> Result<u64> {
        self.taken(graph, limits).map(|form| form.bytes)
    }

    /// The form that fits these limits.
    ///
    /// # Errors
    /// As for [`Self::plan`].
    fn taken(&self, graph: &Graph, limits: &Limits) -> Result<FormPlan> {
        let forms = self.forms_of(graph);
        let fits = |form: &&FormPlan| limits.admit(self.name(), form.bytes).is_ok();
        let least = || forms.iter().min_by_key(|form| form.bytes);
        let taken = forms.iter().find(fits).or_else(least).copied();
        let taken = taken.unwrap_or(FormPlan::in_memory(0));
        limits.admit(self.name(), taken.bytes).map(|()| taken)
    }

    /// About how long each of [`Self::forms_of`] takes on this machine, in their order, within a factor
    /// of two on the graphs that were measured (`benches/README.md`); none where nothing is known before
    /// the run. Where nodes are searched from, the graph is read, and some searches are timed.
    ///
    /// # Errors
    /// If the graph is damaged or cannot be read; if searches turn out not to fit into memory; if the
    /// user interrupts.
    fn seconds_of(
        &self,
        _graph: &Graph,
        _limits: &Limits,
        _progress: &dyn Progress,
    ) -> Result<Vec<Option<Seconds>>> {
        Ok(Vec::new())
    }

    /// All parameters on which the bits of a run within `limits` depend, vectors by their checksums,
    /// for measures whose runs can be kept in a checkpoint.
    ///
    /// # Errors
    /// If such a run cannot be kept.
    #[doc(hidden)]
    fn kept_parameters(&self, _graph: &Graph, _limits: &Limits) -> Result<Map<String, Value>> {
        Err(unkept(Self::ABOUT.name))
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
    ) -> Result<Option<RankedInFiles>> {
        Ok(None)
    }

    /// Ranks the nodes of a graph within the default limits.
    ///
    /// # Errors
    /// Those of [`Self::compute`]; if the default tolerance is not reached.
    fn run(&self, graph: &Graph) -> Result<Ranked> {
        self.run_within(graph, &Limits::default())
    }

    /// Ranks the nodes of a graph within these limits.
    ///
    /// # Errors
    /// Those of [`Self::compute`]; if it does not fit into memory; if the tolerance is not reached.
    fn run_within(&self, graph: &Graph, limits: &Limits) -> Result<Ranked> {
        self.rank(graph, limits, &Silent)?.converged()
    }

    /// Ranks the nodes of a graph on the threads of these limits, and tells how far it is.
    ///
    /// # Errors
    /// Those of [`Self::compute`]; if it does not fit into memory.
    fn rank(&self, graph: &Graph, limits: &Limits, progress: &dyn Progress) -> Result<Ranked> {
        limits.on_threads(|| {
            self.plan(graph, limits)?;
            self.compute(graph, limits, progress)
        })
    }
}

/// A form in which a measure may be computed, and the memory that it needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FormPlan {
    /// Its name.
    pub name: &'static str,
    /// The bytes that the process holds at most, or if it [takes more](Self::takes_more), at least.
    pub bytes: u64,
    /// Whether it is faster with more, and then holds as much as is allowed; or needs more that shows only
    /// once the graph is read.
    pub takes_more: bool,
}

impl FormPlan {
    /// The form that everything can have.
    pub fn in_memory(bytes: u64) -> Self {
        FormPlan {
            name: "in memory",
            bytes,
            takes_more: false,
        }
    }

    /// What kind of bound the bytes are, in words.
    pub fn bound(&self) -> &'static str {
        match self.takes_more {
            true => "at least",
            false => "at most",
        }
    }
}

/// The parameters of a measure, in the form that manifests hold.
pub(crate) fn parameters(measure: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(measure) {
        Ok(Value::Object(parameters)) => parameters,
        _ => unreachable!("a measure is a structure of plain data"),
    }
}

/// The parameters of a measure and the limits of its iteration, in the form that manifests hold.
pub(crate) fn iteration_parameters(
    measure: &impl Serialize,
    tolerance: Tolerance,
    max_iterations: u32,
) -> Map<String, Value> {
    let mut parameters = parameters(measure);
    parameters.insert("tolerance".into(), tolerance.get().into());
    parameters.insert("max_iterations".into(), max_iterations.into());
    parameters
}

/// The same for a measure computed from a matrix, and whether its arcs have weights.
pub(crate) fn matrix_parameters(
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
    /// What is guaranteed about a score.
    pub guarantee: &'static str,
}

macro_rules! measures {
    ($($($module:ident)::+ => $measure:ident),* $(,)?) => {
        /// All measures, by name.
        pub mod all {
            $(pub use super::$($module)::+::$measure;)*
        }

        /// The description of every measure, as `rank measures` shows them.
        pub const MEASURES: &[About] = &[$(<all::$measure as Measure>::ABOUT),*];
    };
}

measures! {
    betweenness => Betweenness,
    pagerank => PageRank,
    pagerank::trustrank => TrustRank,
    eigenvector => Eigenvector,
    katz => Katz,
    seeley => Seeley,
    kendall_wei => KendallWei,
    leaderrank => LeaderRank,
    hits => Hits,
    salsa => Salsa,
    degree => Indegree,
    degree => Outdegree,
    geometric::harmonic => Harmonic,
    geometric::closeness => Closeness,
    geometric::lin => Lin,
    geometric::reachable => Reachable,
    geometric::eccentricity => Eccentricity,
    geometric::decay => Decay,
    geometric::integration => Integration,
}
