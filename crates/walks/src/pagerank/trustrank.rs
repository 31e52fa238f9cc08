//! TrustRank: PageRank whose walks start at nodes that someone has judged trustworthy.
//!
//! Let T be the seeds, `v = 1/|T|` on T and 0 elsewhere, and let dangling nodes lead back to T.
//! Then
//!
//! ```text
//! x = alpha x (G + d v) + (1 - alpha) v,
//! ```
//!
//! is a distribution. Good pages seldom point to spam, so trust flows along arcs and spam gets
//! little: nodes that no seed reaches get 0. (In the paper, the mass that reaches dangling nodes is
//! lost. That multiplies all scores by the same factor, so the ranking is the same.)
//!
//! People inspect the seeds, so seeds should be few and reach many nodes. [`seed_candidates`]
//! scores nodes by *inverse PageRank*, the PageRank of the transposed graph with uniform
//! preference: nodes that reach many others in few steps come first.
//!
//! Source: Gyöngyi, Garcia-Molina and Pedersen, "Combating Web Spam with TrustRank", VLDB 2004.

use super::compute::TOLERANCE;
use super::form::OF_VECTOR;
use super::walk::RandomWalk;
use super::{PageRank, StorageChoice, pagerank};
use crate::distributed::{Distributed, WorkerResult};
use serde::{Serialize, Serializer};
use serde_json::json;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::limits::Limits;
use webrank_base::phases::Phases;
use webrank_base::progress::Progress;
use webrank_base::units::{counted, counted_as};
use webrank_cluster::Workers;
use webrank_graph::Size;
use webrank_graph::{Direction, Graph, IncomingRows};
use webrank_linear::StopRule;
use webrank_measure::cost_model::Times;
use webrank_measure::{About, Described, Measure, StoragePlan};
use webrank_scores::Scores;
use webrank_scores::parameters::{Damping, Distribution};
use webrank_scores::ranked::Ranked;

/// TrustRank with its parameters.
#[derive(Debug, Clone, Serialize)]
pub struct TrustRank {
    /// The nodes at which walks start. Manifests hold their number.
    #[serde(serialize_with = "number_of")]
    pub seeds: Vec<Node>,
    /// alpha.
    #[serde(rename = "alpha")]
    pub damping: Damping,
    /// How many of the first positions must be proved or be exact ties.
    pub certify_top: Option<usize>,
    /// The workers among which shards are divided.
    #[serde(skip)]
    pub team: Workers,
}

fn number_of<S: Serializer>(seeds: &[Node], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(seeds.len() as u64)
}

impl Described for TrustRank {
    const ABOUT: About = About {
        name: "trustrank",
        definition: "x = alpha x (G + d v) + (1 - alpha) v, v uniform over trusted nodes",
        direction: "in: being pointed at by trusted nodes",
        cost: PageRank::ABOUT.cost,
        guarantee: PageRank::ABOUT.guarantee,
    };
}

impl Measure for TrustRank {
    fn forms_of(&self, graph: &Graph) -> Vec<StoragePlan> {
        let (params, size) = (self.without_seeds(), unweighted(graph));
        let bytes = match graph.shards() {
            Some(_) => params.needs_of_shards(graph, size) + OF_VECTOR.saturating_mul(size.nodes),
            None => params.needs_with_preference(size),
        };
        form_of(graph, bytes)
    }

    fn seconds_of(&self, graph: &Graph, limits: &Limits, _: &dyn Progress) -> Result<Times> {
        Ok(seconds_of_form(self.params(graph)?, graph, limits))
    }

    fn compute(&self, graph: &Graph, limits: &Limits, progress: &dyn Progress) -> Result<Ranked> {
        let params = self.params(graph)?;
        let mut phases = Phases::start();
        let ranked = match self.team.shards(graph)? {
            Some(_) => {
                let worked = self.compute_distributed(graph, limits, progress)?;
                phases.done("iterate");
                let ranked = params.ranked_worked(graph, worked, Direction::In, phases)?;
                ranked.within(limits.tolerance_or(TOLERANCE))
            }
            None => {
                let backward = graph.take_predecessors(progress)?;
                phases.done("load");
                on_walk(
                    graph, backward, &params, limits, phases, progress, trustrank,
                )?
            }
        };
        let scores = ranked.values().iter();
        let unreached = scores.filter(|&&score| score == 0.0).count();
        let note = format!(
            "no seed reaches {} score is 0",
            counted_as(unreached, "node: its", "nodes: their")
        );
        Ok(ranked.noting((unreached > 0).then_some(note)))
    }
}

impl Distributed for TrustRank {
    fn team(&self) -> &Workers {
        &self.team
    }

    fn compute_distributed(
        &self,
        graph: &Graph,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<WorkerResult> {
        let params = self.params(graph)?;
        let mut worked = params.compute_distributed(graph, limits, progress)?;
        if let Some(delivered) = &mut worked.delivered {
            let columns = std::mem::take(&mut delivered.columns).into_iter();
            let of_trust = |(header, scores)| (header, of_trust(scores, &params));
            delivered.columns = columns.map(of_trust).collect();
        }
        Ok(worked)
    }
}

/// The form in which a graph is swept: it holds so many bytes.
fn form_of(graph: &Graph, bytes: u64) -> Vec<StoragePlan> {
    vec![match graph.shards() {
        Some(_) => StoragePlan {
            name: "shards",
            bytes,
            takes_more: true,
        },
        None => StoragePlan::in_memory(bytes),
    }]
}

/// About how long the form of [`form_of`] takes.
fn seconds_of_form(params: PageRank, graph: &Graph, limits: &Limits) -> Times {
    let form = match graph.shards() {
        Some(_) => StorageChoice::Auto,
        None => StorageChoice::Runs,
    };
    PageRank { form, ..params }.seconds_in(graph, limits)
}

impl TrustRank {
    /// The PageRank that it is.
    ///
    /// # Errors
    /// As for [`trust_in`].
    pub fn params(&self, graph: &Graph) -> Result<PageRank> {
        let trust = trust_in(&self.seeds, self.damping, graph.num_nodes())?;
        Ok(PageRank {
            preference: trust.preference,
            ..self.without_seeds()
        })
    }

    /// The measure without a preference vector.
    fn without_seeds(&self) -> PageRank {
        PageRank {
            damping: self.damping,
            certify_top: self.certify_top,
            team: self.team.clone(),
            ..PageRank::default()
        }
    }
}

/// The size of a graph whose weights do not count.
fn unweighted(graph: &Graph) -> Size {
    Size {
        weights: false,
        ..Size::of(graph)
    }
}

/// The quality of nodes as seeds of TrustRank: the PageRank of the transposed graph.
#[derive(Debug, Clone, Default, Serialize)]
pub struct SeedCandidates {
    /// alpha.
    #[serde(rename = "alpha")]
    pub damping: Damping,
    /// How many of the first positions must be proved or be exact ties.
    pub certify_top: Option<usize>,
    /// The workers among which shards are divided.
    #[serde(skip)]
    pub team: Workers,
}

impl Described for SeedCandidates {
    const ABOUT: About = About {
        name: "inverse pagerank",
        definition: "the PageRank of the transposed graph",
        direction: "out: pointing to nodes that point to many",
        cost: PageRank::ABOUT.cost,
        guarantee: PageRank::ABOUT.guarantee,
    };
}

impl Measure for SeedCandidates {
    fn forms_of(&self, graph: &Graph) -> Vec<StoragePlan> {
        let bytes = match self.params().on_shards(graph, Direction::Out) {
            Ok(on) => on.needs(),
            Err(_) => self.params().needs_in_memory(unweighted(graph)),
        };
        form_of(graph, bytes)
    }

    fn seconds_of(&self, graph: &Graph, limits: &Limits, _: &dyn Progress) -> Result<Times> {
        Ok(seconds_of_form(self.params(), graph, limits))
    }

    fn compute(&self, graph: &Graph, limits: &Limits, progress: &dyn Progress) -> Result<Ranked> {
        let params = self.params();
        let mut phases = Phases::start();
        if self.team.shards(graph)?.is_some() {
            let worked = self.compute_distributed(graph, limits, progress)?;
            phases.done("iterate");
            let ranked = params.ranked_worked(graph, worked, Direction::Out, phases)?;
            return Ok(ranked.within(limits.tolerance_or(TOLERANCE)));
        }
        // The rows of predecessors in the transposed graph.
        let backward = IncomingRows {
            rows: graph.take_successors(progress)?,
            outdegrees: None,
        };
        phases.done("load");
        let solve = seed_candidates;
        on_walk(graph, backward, &params, limits, phases, progress, solve)
    }
}

impl SeedCandidates {
    /// The PageRank that it is, of the transposed graph.
    fn params(&self) -> PageRank {
        PageRank {
            damping: self.damping,
            certify_top: self.certify_top,
            team: self.team.clone(),
            ..PageRank::default()
        }
    }
}

impl Distributed for SeedCandidates {
    fn team(&self) -> &Workers {
        &self.team
    }

    fn compute_distributed(
        &self,
        graph: &Graph,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<WorkerResult> {
        let mut worked = self
            .params()
            .among(graph, limits, Direction::Out, progress)?;
        if let Some(delivered) = &mut worked.delivered {
            for (_, scores) in &mut delivered.columns {
                scores.run.measure = Self::ABOUT.name;
            }
        }
        Ok(worked)
    }
}

/// Finds scores on a walk.
type Solve = fn(&RandomWalk, &PageRank, &StopRule, &dyn Progress) -> Result<Scores>;

/// Ranks nodes by the scores that `solve` finds on the walk along these rows.
fn on_walk(
    graph: &Graph,
    backward: IncomingRows,
    params: &PageRank,
    limits: &Limits,
    mut phases: Phases,
    progress: &dyn Progress,
    solve: Solve,
) -> Result<Ranked> {
    let stop = StopRule {
        certify_top: params.certify_top,
        ..StopRule::new(limits, TOLERANCE)
    };
    let walk = RandomWalk::new(backward)?;
    phases.done("prepare");
    let scores = solve(&walk, params, &stop, progress)?;
    phases.done("iterate");
    let columns = vec![("score".into(), scores)];
    let ranked = params.ranked(graph, &walk, columns, &stop, phases, progress)?;
    Ok(ranked.within(stop.tolerance))
}

/// The PageRank whose preference vector is uniform over `seeds`, in a graph of `num_nodes`.
///
/// # Errors
/// If there is no seed, or if a seed is not a node.
pub fn trust_in(seeds: &[Node], damping: Damping, num_nodes: usize) -> Result<PageRank> {
    let mut weights = vec![0.0; num_nodes];
    for &seed in seeds {
        *weights.get_mut(seed as usize).ok_or_else(|| {
            let remedy = format!(
                "the graph has {}, numbered from 0",
                counted(num_nodes, "node")
            );
            Error::argument("the seed", seed, remedy)
        })? = 1.0;
    }
    if seeds.is_empty() {
        return Err(Error::argument(
            "the number of seeds",
            0,
            "name at least one",
        ));
    }
    Ok(PageRank {
        damping,
        preference: Distribution::from_weights(weights)?,
        ..PageRank::default()
    })
}

/// Computes TrustRank to a certified l1 error, with the parameters that [`trust_in`] makes. The
/// cost is that of [`pagerank`].
///
/// # Errors
/// As for [`pagerank`].
pub fn trustrank(
    walk: &RandomWalk,
    params: &PageRank,
    stop: &StopRule,
    progress: &dyn Progress,
) -> Result<Scores> {
    Ok(of_trust(pagerank(walk, params, stop, progress)?, params))
}

/// Scores by the parameters that [`trust_in`] makes, described as trust.
fn of_trust(mut scores: Scores, params: &PageRank) -> Scores {
    scores.run.measure = "trustrank";
    if let Distribution::Dense(weights) = &params.preference {
        let seeds = weights.iter().filter(|&&weight| weight > 0.0).count();
        scores.run.parameters.insert("seeds".into(), json!(seeds));
    }
    scores.run.parameters.remove("preference");
    scores.run.parameters.remove("dangling");
    scores
}

/// Scores nodes by how good they are as seeds, to a certified l1 error: by the PageRank of the
/// transposed graph, given the walk on it. The cost is that of [`pagerank`].
///
/// # Errors
/// As for [`pagerank`].
pub fn seed_candidates(
    transposed: &RandomWalk,
    params: &PageRank,
    stop: &StopRule,
    progress: &dyn Progress,
) -> Result<Scores> {
    let mut scores = pagerank(transposed, params, stop, progress)?;
    scores.run.measure = "inverse pagerank";
    Ok(scores)
}
