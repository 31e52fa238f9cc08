//! The terms of a PageRank score: those of x = alpha x G + alpha (x d) u + (1 - alpha) v at one
//! node (see [`crate::pagerank`]).
//!
//! Predecessor p gives alpha x(p) / outdegree(p), or alpha x(p) w(p, node) / W(p) if arcs have weights, where
//! W(p) is the sum of the weights of its arcs. The rest comes from restarts, (1 - alpha) v, and
//! from walks that leave dangling nodes, alpha D u, where D is the sum of the scores of dangling
//! nodes. If u = v, their ratio determines both, for any v. If one of u and v is uniform, its term
//! is known and the other term is what remains.

use super::PageRank;
use super::methods::weighted_power::normalise;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use webrank_base::Node;
use webrank_graph::Csr;
use webrank_measure::Described;
use webrank_scores::Run;

/// The restart rule, in the terms of PageRank's parameters.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct Restart {
    /// The probability of following an arc.
    pub alpha: f64,
    /// Whether the preference vector v is uniform.
    #[serde(rename = "preference", deserialize_with = "is_uniform")]
    pub preference_is_uniform: bool,
    /// The dangling distribution u.
    pub dangling: DanglingTo,
    /// Whether weights of arcs count.
    #[serde(rename = "weights", default, deserialize_with = "is_given")]
    pub is_weighted: bool,
}

/// Both directions of a graph, and the weights of its arcs where they count.
#[derive(Clone, Copy)]
pub struct InflowArcs<'a> {
    /// The rows of successors.
    pub successors: &'a Csr,
    /// The rows of predecessors.
    pub predecessors: &'a Csr,
    /// One weight for each arc, in the order of `successors`.
    pub weights: Option<&'a [f64]>,
}

impl InflowArcs<'_> {
    /// The probability that a walk which follows an arc of `p` comes to its successor `node`.
    fn share(&self, p: Node, node: Node, given: f64) -> f64 {
        let row = self.successors.row(p);
        let Some(weights) = self.weights else {
            return given / row.len() as f64;
        };
        let begin = self.successors.offsets()[p as usize] as usize;
        let place = row.binary_search(&node).expect("both directions agree");
        given * normalise(&weights[begin..begin + row.len()])[place]
    }
}

/// The dangling distribution u, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DanglingTo {
    /// u = v.
    Preference,
    /// Uniform.
    Uniform,
    /// u = 0.
    #[serde(rename = "none")]
    Nowhere,
    /// Some other distribution.
    Vector,
}

/// The parts of a PageRank.
#[derive(Debug, Serialize)]
pub struct PageRankInflow {
    /// The probability of following an arc.
    pub alpha: f64,
    /// The predecessors that give most.
    pub first: Vec<Giver>,
    /// How many other predecessors there are.
    pub others: usize,
    /// The sum that those give.
    pub from_others: f64,
    /// From walks that restart or leave dangling nodes.
    pub restarts: f64,
    /// From walks that restart, if the two parts are known separately.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_start: Option<f64>,
    /// From walks that leave dangling nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_dangling: Option<f64>,
}

/// A predecessor, and what it gives.
#[derive(Debug, Serialize)]
pub struct Giver {
    /// Its number.
    pub node: Node,
    /// Its name, if nodes have names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// alpha x(p) / outdegree(p), or alpha x(p) w(p, node) / W(p).
    pub gives: f64,
}

/// The part of each predecessor in the PageRank of `node`, the largest first. None if `score` does not know
/// all of them. O(d log d) for indegree d; with weights, O(s) more for the s arcs of the predecessors.
pub fn inflow(
    arcs: InflowArcs,
    node: Node,
    alpha: f64,
    score: impl Fn(Node) -> Option<f64>,
) -> Option<Vec<(Node, f64)>> {
    let gives = |&p: &Node| Some((p, arcs.share(p, node, alpha * score(p)?)));
    let predecessors = arcs.predecessors.row(node).iter();
    let mut given: Vec<(Node, f64)> = predecessors.map(gives).collect::<Option<_>>()?;
    given.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    Some(given)
}

/// The sum of the scores of dangling nodes; none if `score` does not know all of them. O(n).
pub fn dangling_mass(successors: &Csr, score: impl Fn(Node) -> Option<f64>) -> Option<f64> {
    let nodes = 0..successors.num_nodes() as Node;
    let dangling = nodes.filter(|&node| successors.degree(node) == 0);
    dangling.map(score).sum()
}

/// A preference vector, by name.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Preference {
    Uniform,
    Vector,
}

fn is_uniform<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    let preference = Preference::deserialize(deserializer)?;
    Ok(matches!(preference, Preference::Uniform))
}

fn is_given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    Ok(!Value::deserialize(deserializer)?.is_null())
}

impl Restart {
    /// The parts of the score of `node`, with the `top` predecessors that give most, and their names. None
    /// if `score` does not know `node` or a predecessor, or if weights count and are not there.
    pub fn parts(
        self,
        arcs: InflowArcs,
        node: Node,
        top: usize,
        score: impl Fn(Node) -> Option<f64>,
        name: impl Fn(Node) -> Option<String>,
    ) -> Option<PageRankInflow> {
        let weights = self.is_weighted.then_some(arcs.weights);
        let weights = weights.map_or(Some(None), |weights| weights.map(Some))?;
        let arcs = InflowArcs { weights, ..arcs };
        let given = inflow(arcs, node, self.alpha, &score)?;
        let sum = |part: &[(Node, f64)]| part.iter().fold(0.0, |sum, (_, gives)| sum + gives);
        let rest = (score(node)? - sum(&given)).max(0.0);
        let num_nodes = arcs.successors.num_nodes();
        let parts = dangling_mass(arcs.successors, &score)
            .and_then(|mass| self.split(rest, mass, num_nodes));
        let (first, others) = given.split_at(top.min(given.len()));
        let giver = |&(node, gives): &(Node, f64)| Giver {
            node,
            name: name(node),
            gives,
        };
        Some(PageRankInflow {
            alpha: self.alpha,
            first: first.iter().map(giver).collect(),
            others: others.len(),
            from_others: sum(others),
            restarts: rest,
            from_start: parts.map(|[start, _]| start),
            from_dangling: parts.map(|[_, dangling]| dangling),
        })
    }

    /// The restart rule of a run; none if the run is of another measure.
    pub fn of(run: &Run<String>) -> Option<Self> {
        if run.measure != PageRank::ABOUT.name {
            return None;
        }
        serde_json::from_value(Value::Object(run.parameters.clone())).ok()
    }

    /// Splits `rest`, the part of a score that does not come from predecessors, into what restarts
    /// give and what dangling nodes give, which hold `mass`. The two add up to `rest`. None if the
    /// distributions are unknown and different.
    pub fn split(&self, rest: f64, mass: f64, num_nodes: usize) -> Option<[f64; 2]> {
        let Restart {
            alpha,
            preference_is_uniform,
            dangling,
            ..
        } = *self;
        let n = num_nodes as f64;
        let from_start = match (preference_is_uniform, dangling) {
            (_, DanglingTo::Nowhere) => rest,
            (_, DanglingTo::Preference) | (true, DanglingTo::Uniform) => {
                rest * (1.0 - alpha) / (1.0 - alpha + alpha * mass)
            }
            (false, DanglingTo::Uniform) => rest - alpha * mass / n,
            (true, DanglingTo::Vector) => (1.0 - alpha) / n,
            (false, DanglingTo::Vector) => return None,
        };
        let from_start = from_start.clamp(0.0, rest);
        Some([from_start, rest - from_start])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pagerank::methods::weighted_power::WeightedWalk;
    use crate::pagerank::walk::RandomWalk;
    use crate::pagerank::weighted::weighted_pagerank;
    use crate::pagerank::{PageRank, pagerank};
    use webrank_base::progress::Silent;
    use webrank_graph::{IncomingRows, Successors};
    use webrank_linear::{StopRule, Tolerance};
    use webrank_scores::parameters::{Damping, Dangling, Distribution};

    /// 0 -> 1 -> 2, 0 -> 2, 3 -> 0; node 2 dangles.
    #[test]
    fn the_terms_of_the_equation_are_found_for_every_kind_of_restart() {
        let graph = Csr::from_arcs(4, [(0, 1), (1, 2), (0, 2), (3, 0)]).unwrap();
        let transpose = graph.transpose().unwrap();
        let vector = |weights: [f64; 4]| Distribution::from_weights(weights.to_vec()).unwrap();
        let (v, u) = (vector([1.0, 2.0, 3.0, 4.0]), vector([4.0, 3.0, 0.0, 1.0]));
        let alpha = 0.7;
        for (preference, v_entries) in [
            (Distribution::Uniform, [0.25; 4]),
            (v, [0.1, 0.2, 0.3, 0.4]),
        ] {
            let is_uniform = preference == Distribution::Uniform;
            for (dangling, to, u_entries) in [
                (Dangling::Preference, DanglingTo::Preference, v_entries),
                (Dangling::Uniform, DanglingTo::Uniform, [0.25; 4]),
                (Dangling::None, DanglingTo::Nowhere, [0.0; 4]),
                (
                    Dangling::Vector(u.clone()),
                    DanglingTo::Vector,
                    [0.5, 0.375, 0.0, 0.125],
                ),
            ] {
                let params = PageRank {
                    damping: Damping::new(alpha).unwrap(),
                    preference: preference.clone(),
                    dangling,
                    ..PageRank::default()
                };
                let stop = StopRule {
                    tolerance: Tolerance::new(1e-14).unwrap(),
                    ..StopRule::default()
                };
                let walk = RandomWalk::new(IncomingRows {
                    rows: transpose.clone(),
                    outdegrees: None,
                })
                .unwrap();
                let scores = pagerank(&walk, &params, &stop, &Silent).unwrap();
                let restart = Restart {
                    alpha,
                    preference_is_uniform: is_uniform,
                    dangling: to,
                    is_weighted: false,
                };
                let run = Run::from(&scores.run);
                assert_eq!(Restart::of(&run), Some(restart));
                let scores = scores.values;
                let score = |node: Node| Some(scores[node as usize]);
                let arcs = InflowArcs {
                    successors: &graph,
                    predecessors: &transpose,
                    weights: None,
                };
                let mass = dangling_mass(&graph, score).unwrap();
                assert!((mass - scores[2]).abs() < 1e-15);
                for node in 0..4 {
                    let given = inflow(arcs, node, alpha, score).unwrap();
                    let given: f64 = given.iter().map(|(_, gives)| gives).sum();
                    let rest = scores[node as usize] - given;
                    let Some([start, dangling]) = restart.split(rest, mass, 4) else {
                        assert!(!is_uniform && to == DanglingTo::Vector);
                        continue;
                    };
                    let x = node as usize;
                    assert!((start - (1.0 - alpha) * v_entries[x]).abs() < 1e-13);
                    assert!((dangling - alpha * mass * u_entries[x]).abs() < 1e-13);
                }
            }
        }
    }

    /// 0 -> 1, 2, 3 with weights 1, 2, 5; 1 -> 2, 2 -> 0, 3 -> 2 with others.
    #[test]
    fn arcs_give_in_proportion_to_their_weights() {
        let arcs = [(0, 1), (0, 2), (0, 3), (1, 2), (2, 0), (3, 2)];
        let graph = Csr::from_arcs(4, arcs).unwrap();
        let transpose = graph.transpose().unwrap();
        let weights = vec![1.0, 2.0, 5.0, 0.5, 3.0, 7.0];
        let walk = WeightedWalk::new(Successors(&graph), weights.clone()).unwrap();
        let stop = StopRule {
            tolerance: Tolerance::new(1e-14).unwrap(),
            ..StopRule::default()
        };
        let scores = weighted_pagerank(&walk, &PageRank::default(), &stop, &Silent).unwrap();
        let restart = Restart::of(&Run::from(&scores.run)).unwrap();
        assert!(restart.is_weighted);
        let scores = scores.values;
        let score = |node: Node| Some(scores[node as usize]);
        let arcs = InflowArcs {
            successors: &graph,
            predecessors: &transpose,
            weights: Some(&weights),
        };
        let found = restart.parts(arcs, 2, 1, score, |_| None).unwrap();
        let given = [0.85 * scores[3], 0.85 * scores[0] / 4.0, 0.85 * scores[1]];
        let (first, rest) = (&found.first[0], given[1] + given[2]);
        assert_eq!((first.node, found.others), (3, 2));
        assert!((first.gives - given[0]).abs() < 1e-15);
        assert!((found.from_others - rest).abs() < 1e-15);
        assert!((found.restarts - 0.15 / 4.0).abs() < 1e-14);
        let without = InflowArcs {
            weights: None,
            ..arcs
        };
        assert!(restart.parts(without, 2, 1, score, |_| None).is_none());
    }
}
