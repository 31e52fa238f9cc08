//! How PageRank is computed: the form in which the graph is swept, the columns, the proofs.

#[cfg(test)]
mod tests;

use super::Dangling;
use super::Distribution;
use super::alphas::pagerank_of_alphas;
use super::derivative::pagerank_with_derivative;
use super::methods::auto;
use super::methods::many_seeds::WIDTH;
use super::methods::weighted_power::WeightedWalk;
use super::parameters::{Columns, Method};
use super::seeds::{Seeds, pagerank_of_seeds};
use super::walk::RandomWalk;
use super::weighted::{weighted_certainty, weighted_pagerank};
use super::{PageRank, pagerank, parameters};
use serde_json::{Map, Value, json};
use webrank_base::Node;
use webrank_base::checkpoint::{hash, unkept};
use webrank_base::error::{Error, Result};
use webrank_base::limits::Limits;
use webrank_base::memory::allowed_memory;
use webrank_base::phases::Phases;
use webrank_base::progress::{Progress, Silent};
use webrank_cluster::delivery::Gathered;
use webrank_graph::{Graph, Successors};
use webrank_linear::StopRule;
use webrank_measure::cost_model::Times;
use webrank_measure::form::{Storage, StorageChoice, needs_memory, source_of};
use webrank_measure::{About, Described, Measure, StoragePlan};
use webrank_scores::Scores;
use webrank_scores::external::ExternalRanking;
use webrank_scores::ranked::Ranked;
use webrank_scores::ranking::Ranking;
use webrank_scores::report::CHOSEN;

/// The default tolerance on the l1 error.
pub(crate) const TOLERANCE: f64 = 1e-9;

impl Described for PageRank {
    const ABOUT: About = About {
        name: "pagerank",
        definition: "x = alpha x G + alpha (x d) u + (1 - alpha) v",
        direction: "in: being pointed at by important nodes",
        cost: "O(n + m) per sweep, about log(tolerance) / log(alpha) sweeps",
        guarantee: "certified l1 error; proved ranks",
    };
}

impl Measure for PageRank {
    fn forms_of(&self, graph: &Graph) -> Vec<StoragePlan> {
        let mut plans = self.forms(graph).plans();
        let is_external = |plan: &&mut StoragePlan| plan.name == "external";
        if let Some(plan) = plans.iter_mut().find(is_external) {
            // More memory makes fewer blocks: what they take is known.
            plan.bytes = self.held_external(graph, allowed_memory());
            plan.takes_more = false;
        }
        plans
    }

    fn seconds_of(&self, graph: &Graph, limits: &Limits, _: &dyn Progress) -> Result<Times> {
        Ok(self.seconds_in(graph, limits))
    }

    fn check_kept(&self, graph: &Graph, _limits: &Limits) -> Result<()> {
        self.check_combination(graph)?;
        match self.method {
            method if method.needs_rows_in_memory() => {
                Err(unkept(&format!("pagerank by {}", method.name())))
            }
            _ if self.certify_top.is_some() => Err(unkept("pagerank with certify_top")),
            _ => Ok(()),
        }
    }

    fn kept_parameters(&self, graph: &Graph, limits: &Limits) -> Result<Map<String, Value>> {
        self.check_kept(graph, limits)?;
        let stop = StopRule::new(limits, TOLERANCE);
        let mut parameters = parameters(self, &stop);
        let vectors = [
            ("preference", self.preference.weights()),
            ("dangling", self.dangling.weights()),
            ("start", self.start.as_deref()),
        ];
        for (name, vector) in vectors {
            parameters.extend(vector.map(|vector| (name.to_owned(), hash(vector))));
        }
        parameters.insert("columns".into(), self.columns.kept());
        let weights = graph.weighted_successors(&Silent)?;
        parameters.extend(weights.map(|(_, weights)| ("weights".into(), hash(&weights))));
        Ok(parameters)
    }

    fn compute_in_files(
        &self,
        graph: &Graph,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<Option<ExternalRanking>> {
        if self.forms(graph).chosen(limits)? != Storage::External {
            return Ok(None);
        }
        let ranked = self.ranked_in_files(graph, limits, &self.stop(limits), progress);
        ranked.map(Some)
    }

    fn kept_bytes(&self, graph: &Graph) -> u64 {
        let columns = match &self.columns {
            Columns::Score => 0,
            Columns::Derivative => 3,
            Columns::Alphas(alphas) => alphas.len(),
            // And one for where walks start again.
            Columns::Seeds(seeds) => seeds.len() + 1,
        };
        8 * (columns * graph.num_nodes()) as u64
    }

    fn compute(&self, graph: &Graph, limits: &Limits, progress: &dyn Progress) -> Result<Ranked> {
        self.check(graph.num_nodes())?;
        self.check_combination(graph)?;
        let stop = self.stop(limits);
        let phases = Phases::start();
        let ranked = match self.forms(graph).chosen(limits)? {
            Storage::Streamed => self.streamed(graph, limits, &stop, phases, progress)?,
            Storage::External => self.external(graph, limits, &stop, phases, progress)?,
            form @ (Storage::Compact | Storage::Disk) => {
                self.packed(graph, form, limits, &stop, phases, progress)?
            }
            Storage::Runs if graph.has_weights() => {
                self.weighted(graph, &stop, phases, progress)?
            }
            Storage::Runs => self.in_memory(graph, &stop, phases, progress)?,
            Storage::Shards => self.sharded(graph, limits, progress)?,
        };
        Ok(ranked.within(stop.tolerance))
    }
}

impl PageRank {
    fn stop(&self, limits: &Limits) -> StopRule {
        StopRule {
            certify_top: self.certify_top,
            ..StopRule::new(limits, TOLERANCE)
        }
    }

    /// Rejects combinations of columns and methods that exclude each other.
    pub(super) fn check_combination(&self, graph: &Graph) -> Result<()> {
        let exclude = |one, other| Err(Error::Combination { one, other });
        self.team.shards(graph)?;
        let columns = self.columns.parameter();
        if let Some(parameter) = columns
            && self.columns.count() == 0
        {
            return Err(Error::argument(parameter, "empty", "name at least one"));
        }
        if graph.has_weights() {
            if let Some(parameter) = columns {
                return exclude("weights", parameter);
            }
            if self.certify_top.is_some() {
                return exclude("weights", "certify_top");
            }
            if self.method.needs_rows_in_memory() {
                return exclude("weights", "method");
            }
        }
        if matches!(self.form, StorageChoice::Compact | StorageChoice::Disk) {
            if graph.has_weights() {
                return Err(needs_memory("weights", "given"));
            }
            if self.method.needs_rows_in_memory() {
                return Err(needs_memory("method", self.method.name()));
            }
            if columns == Some("each_seed") {
                return Err(needs_memory("each_seed", "given"));
            }
        }
        if self.start.is_some() {
            // Nodes that no walk reaches would begin, and end, with more than 0.
            if self.preference != Distribution::Uniform {
                return exclude("start", "preference");
            }
            if columns == Some("each_seed") {
                return exclude("start", "each_seed");
            }
            if self.method == Method::Components {
                return exclude("start", "method");
            }
        }
        match columns {
            Some(parameter) if self.certify_top.is_some() => exclude(parameter, "certify_top"),
            Some("each_seed") if self.method.needs_rows_in_memory() => {
                exclude("each_seed", "method")
            }
            _ => Ok(()),
        }
    }

    fn in_memory(
        &self,
        graph: &Graph,
        stop: &StopRule,
        mut phases: Phases,
        progress: &dyn Progress,
    ) -> Result<Ranked> {
        let backward = graph.take_predecessors(progress)?;
        phases.done("load");
        let walk = RandomWalk::new(backward)?;
        phases.done("prepare");
        let scores = self.columns_of((graph, &walk), stop, progress)?;
        phases.done("iterate");
        let columns = self.headed(graph, scores);
        self.ranked(graph, &walk, columns, stop, phases, progress)
    }

    /// The ranking with rows packed in the form that was chosen: free memory may have changed since.
    pub(super) fn packed(
        &self,
        graph: &Graph,
        form: Storage,
        limits: &Limits,
        stop: &StopRule,
        mut phases: Phases,
        progress: &dyn Progress,
    ) -> Result<Ranked> {
        let forms = self.forms(graph);
        let (room, transposing) = forms.room(form, limits)?;
        let walk = RandomWalk::pack(source_of(graph), room, transposing, progress)?;
        let left = forms.room_beside(form, walk.rows(), limits);
        let walk = walk.with_room(left);
        phases.done("pack");
        forms.announce(walk.rows().compact(), progress);
        let scores = self.columns_of((graph, &walk), stop, progress)?;
        phases.done("iterate");
        let columns = self.headed(graph, scores);
        self.ranked(graph, &walk, columns, stop, phases, progress)
    }

    /// The ranking by scores that were computed on this walk.
    ///
    /// # Errors
    /// As for [`Self::certainty`].
    pub(super) fn ranked(
        &self,
        graph: &Graph,
        walk: &RandomWalk,
        columns: Vec<(String, Scores)>,
        stop: &StopRule,
        mut phases: Phases,
        progress: &dyn Progress,
    ) -> Result<Ranked> {
        let scores = &columns[0].1;
        let ranking = Ranking::new(scores.as_slice())?;
        let certainty = match self.columns {
            Columns::Score | Columns::Derivative => {
                Some(self.certainty(walk, stop, scores, &ranking, progress)?)
            }
            Columns::Alphas(_) | Columns::Seeds(_) => None,
        };
        phases.done("rank");
        let rows = walk.rows();
        let per_arc = |count: u64| count as f64 / rows.num_arcs().max(1) as f64;
        let mut form = json!({
            "name": match rows.compact() {
                None => Storage::Runs,
                Some(compact) if compact.is_on_disk() => Storage::Disk,
                Some(_) => Storage::Compact,
            },
            "distinct_rows": rows.num_rows(),
            "reads_per_arc": per_arc(rows.num_reads()),
            "dangling_nodes": walk.num_dangling(),
        });
        if let Some(compact) = rows.compact() {
            form["bytes_per_arc"] = per_arc(compact.num_bytes()).into();
        }
        let method = columns[0].1.run.method;
        let mut choice = None;
        if self.method == Method::Auto {
            let reason = auto::reason(walk, method);
            form["method_chosen"] = json!({ "name": method, "because": reason });
            let is_other = method != Method::Power.name();
            choice = is_other.then(|| format!("{CHOSEN}{method} was chosen: {reason}"));
        }
        Ok(Ranked::in_order(graph, columns, ranking, phases)
            .proved(certainty, self.certify_top)
            .swept(form)
            .noting(choice)
            .noting(self.notes(walk.num_dangling())))
    }

    fn weighted(
        &self,
        graph: &Graph,
        stop: &StopRule,
        mut phases: Phases,
        progress: &dyn Progress,
    ) -> Result<Ranked> {
        let Some((successors, weights)) = graph.weighted_successors(progress)? else {
            return self.in_memory(graph, stop, phases, progress);
        };
        phases.done("load");
        let walk = WeightedWalk::new(Successors(&successors), weights)?;
        drop(successors);
        phases.done("prepare");
        let scores = weighted_pagerank(&walk, self, stop, progress)?;
        phases.done("iterate");
        let ranking = Ranking::new(scores.as_slice())?;
        let certainty = weighted_certainty(&walk, self, &scores, &ranking)?;
        phases.done("rank");
        let columns = self.headed(graph, vec![scores]);
        Ok(Ranked::in_order(graph, columns, ranking, phases)
            .proved(Some(certainty), None)
            .swept(json!({ "name": "weighted", "dangling_nodes": walk.num_dangling() }))
            .noting(self.notes(walk.num_dangling())))
    }

    /// The ranking by columns that were computed without rows that tell which nodes are tied.
    pub(super) fn unproved(
        &self,
        graph: &Graph,
        Gathered { columns, in_parts }: Gathered,
        form: Value,
        mut phases: Phases,
    ) -> Result<Ranked> {
        let is_one = self.columns == Columns::Score;
        let ranked = match in_parts {
            Some(parts) => parts.ranked(graph, columns, phases)?,
            None => {
                let scores = &columns[0].1;
                let ranking = Ranking::new(scores.as_slice())?;
                let certainty = is_one.then(|| self.certainty_streamed(scores, &ranking));
                phases.done("rank");
                Ranked::in_order(graph, columns, ranking, phases).proved(certainty, None)
            }
        };
        Ok(ranked.noting(self.unproved_notes(&form)).swept(form))
    }

    /// The notes on scores that were computed in a form without rows that tell which nodes are tied.
    pub(super) fn unproved_notes(&self, form: &Value) -> Vec<String> {
        let what = match form["name"].as_str() {
            Some("streamed") => "streamed",
            Some("external") => "kept in files",
            _ => "cut into shards",
        };
        let mut notes: Vec<String> = self.notes(1).into_iter().collect();
        if self.columns == Columns::Score {
            notes.push(format!("the graph was {what}: ties are not proved"));
        }
        notes
    }

    fn columns_of(
        &self,
        (graph, walk): (&Graph, &RandomWalk),
        stop: &StopRule,
        progress: &dyn Progress,
    ) -> Result<Vec<Scores>> {
        match &self.columns {
            Columns::Score => Ok(vec![pagerank(walk, self, stop, progress)?]),
            Columns::Derivative => {
                let found = pagerank_with_derivative(walk, self, stop, progress)?;
                Ok(vec![found.scores, found.derivative])
            }
            Columns::Alphas(alphas) => pagerank_of_alphas(walk, self, alphas, stop, progress),
            Columns::Seeds(seeds) => {
                let params = Seeds {
                    damping: self.damping,
                    dangling: self.dangling.clone(),
                    labels: (seeds.iter().step_by(WIDTH))
                        .map(|&seed| (seed, graph.label(seed)))
                        .collect(),
                };
                pagerank_of_seeds(walk, seeds, &params, stop, progress)
            }
        }
    }

    /// Columns with their headers.
    pub(super) fn headed(&self, graph: &Graph, scores: Vec<Scores>) -> Vec<(String, Scores)> {
        let headers: Vec<String> = match &self.columns {
            Columns::Score => vec!["score".into()],
            Columns::Derivative => vec!["score".into(), "derivative".into()],
            Columns::Alphas(alphas) => {
                let header =
                    |alpha: &webrank_scores::parameters::Damping| format!("score_{}", alpha.get());
                alphas.iter().map(header).collect()
            }
            Columns::Seeds(seeds) => {
                let header = |&seed: &Node| format!("score_{}", graph.name(seed));
                seeds.iter().map(header).collect()
            }
        };
        headers.into_iter().zip(scores).collect()
    }

    /// The note on a graph with this number of dangling nodes.
    fn notes(&self, dangling: usize) -> Option<String> {
        let loses = dangling > 0 && self.dangling == Dangling::None;
        let note = "the mass that reaches dangling nodes is lost, so scores sum to less than one";
        loses.then(|| note.into())
    }
}
