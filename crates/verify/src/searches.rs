//! Measures of distances, by breadth-first searches with a queue, from all nodes or from a sample.
//!
//! If s nodes are drawn at random, and a share p of all nodes has an error above the largest in the
//! sample, then no node of that share was drawn: the probability of that is at most (1 - p)^s. So
//! with 95% confidence p is at most `1 - 0.05^(1/s)`, about 3/s. The best nodes of the table, which
//! matter most, are searched from as well; they do not count as drawn at random.

use super::compare::Truths;
use super::{Finding, Question, SampleFinding, Scale};
use std::sync::Arc;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::sums::compensated;
use webrank_base::parallel::tasks;
use webrank_base::random::SplitMix;
use webrank_graph::sources::SearchSources;
use webrank_graph::{Csr, Direction};
use webrank_scores::parameters::Variant;

/// Nodes and arcs that all searches visit by default, about: some seconds.
const VISITS: u64 = 1_000_000_000;

/// The least number of nodes to search from.
const MIN_SAMPLES: usize = 20;

/// The most searches that tell how much a search visits.
const TRIALS: usize = 64;

/// How many of the best nodes are searched from besides.
const BEST: usize = 20;

/// The probability that what is said of all nodes is wrong.
const DOUBT: f64 = 0.05;

/// The relative error of a formula below.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// What a search finds: how many nodes lie at each distance from 1 on.
struct Counts(Vec<u64>);

impl Counts {
    fn reached(&self) -> f64 {
        self.0.iter().sum::<u64>() as f64
    }

    fn distances(&self) -> f64 {
        let products = self.0.iter().zip(1u64..);
        products
            .map(|(count, distance)| count * distance)
            .sum::<u64>() as f64
    }

    fn sum(&self, term: impl Fn(f64) -> f64) -> f64 {
        let terms = self.0.iter().zip(1u64..);
        compensated(terms.map(|(&count, distance)| count as f64 * term(distance as f64)))
    }
}

pub fn harmonic(question: &Question) -> Result<Finding> {
    check(question, |_, found| found.sum(|distance| 1.0 / distance))
}

pub fn closeness(question: &Question) -> Result<Finding> {
    let others = others(question);
    check(question, |question, found| {
        let (reached, distances) = (found.reached(), found.distances());
        match question.parameters.variant {
            Variant::Lin => lin_of(found),
            Variant::Nieminen => (reached + 1.0) * (reached + 1.0) - distances,
            _ if distances == 0.0 => 0.0,
            Variant::Bavelas => 1.0 / distances,
            Variant::WassermanFaust => reached / others * (reached / distances),
        }
    })
}

pub fn lin(question: &Question) -> Result<Finding> {
    check(question, |_, found| lin_of(found))
}

fn lin_of(found: &Counts) -> f64 {
    match (found.reached(), found.distances()) {
        (_, 0.0) => 1.0,
        (reached, distances) => (reached + 1.0) * (reached + 1.0) / distances,
    }
}

pub fn reachable(question: &Question) -> Result<Finding> {
    check(question, |_, found| found.reached())
}

pub fn eccentricity(question: &Question) -> Result<Finding> {
    check(question, |_, found| found.0.len() as f64)
}

pub fn decay(question: &Question) -> Result<Finding> {
    let base = question.parameters.base;
    if !(base > 0.0 && base < 1.0) {
        let remedy = "give a number above 0 and below 1";
        return Err(Error::argument("base", base, remedy));
    }
    check(question, |_, found| {
        found.sum(|distance| base.powf(distance))
    })
}

/// Integration needs the diameter, so it takes searches from all nodes.
pub fn integration(question: &Question) -> Result<Finding> {
    let (n, rows) = (question.graph.num_nodes(), rows(question)?);
    let chosen = samples(question, &rows, VISITS)?;
    if chosen < n {
        let remedy = format!("integration needs the diameter: give {n}, to search from all nodes");
        return Err(Error::argument("samples", chosen, remedy));
    }
    let nodes: Vec<Node> = (0..n as Node).collect();
    let found = search(question, &rows, &nodes, |found| {
        [found.reached(), found.distances(), found.0.len() as f64]
    })?;
    let diameter = found.iter().map(|found| found[2]).fold(0.0, f64::max);
    let score = |[reached, distances, _]: &[f64; 3]| reached * (diameter + 1.0) - distances;
    let truth: Vec<f64> = found
        .iter()
        .map(|found| score(found) / others(question))
        .collect();
    Ok(finding(
        question,
        &nodes,
        &truth,
        "breadth-first searches from all nodes".into(),
    ))
}

/// n - 1, but at least 1.
fn others(question: &Question) -> f64 {
    question.graph.num_nodes().saturating_sub(1).max(1) as f64
}

/// The rows along which searches go.
fn rows(question: &Question) -> Result<Arc<Csr>> {
    let (graph, progress) = (question.graph, question.progress);
    match question.direction(Direction::In) {
        Direction::In => graph.predecessors(progress),
        Direction::Out => graph.successors(progress),
    }
}

/// How many nodes to search from: as many as visit about `visits` nodes and arcs, by some searches
/// and one that visits everything.
pub fn samples(question: &Question, rows: &Csr, visits: u64) -> Result<usize> {
    let n = rows.num_nodes();
    match question.samples {
        Some(0) => return Err(Error::argument("samples", 0, "give at least 1")),
        Some(samples) => return Ok(samples.min(n)),
        None => {}
    }
    let mut search = Search::new(rows);
    let (mut random, mut trials) = (SplitMix::new(1), 0);
    while trials < TRIALS && search.visits < visits / 20 {
        question.progress.check()?;
        search.from(random.below(n as u64) as Node);
        trials += 1;
    }
    let mean = (search.visits + n as u64 + rows.num_arcs()) / (trials as u64 + 1);
    let affordable = usize::try_from(visits / mean.max(1)).unwrap_or(n);
    // Most of the nodes take hardly longer than all.
    Ok(match affordable.max(MIN_SAMPLES) {
        samples if samples >= n / 2 => n,
        samples => samples,
    })
}

fn check(question: &Question, score: impl Fn(&Question, &Counts) -> f64 + Sync) -> Result<Finding> {
    let n = question.graph.num_nodes();
    let rows = rows(question)?;
    let count = samples(question, &rows, VISITS)?;
    let drawn = SearchSources::Sample { count, seed: 0 }.nodes(n)?;
    let mut nodes = drawn.clone();
    if count < n {
        nodes.extend(best(question.scores).filter(|node| drawn.binary_search(node).is_err()));
    }
    let truth = search(question, &rows, &nodes, |found| score(question, found))?;
    if count == n {
        let way = "breadth-first searches from all nodes".to_owned();
        return Ok(finding(question, &nodes, &truth, way));
    }
    let more = nodes.len() - count;
    let way = format!("breadth-first searches from {count} sampled nodes and {more} of the best");
    let mut whole = finding(question, &nodes, &truth, way);
    let mut of_drawn = finding(question, &drawn, &truth[..count], String::new());
    // The sample is measured on the same scale as all.
    if of_drawn.scale != whole.scale {
        of_drawn = whole.clone();
    }
    whole.sample = Some(SampleFinding {
        nodes: count,
        share: 1.0 - DOUBT.powf(1.0 / count as f64),
        error: of_drawn.error.at_most,
    });
    Ok(whole)
}

/// The nodes with the largest scores.
fn best(scores: &[f64]) -> impl Iterator<Item = Node> {
    let mut order: Vec<Node> = (0..scores.len() as Node).collect();
    let by_score = |a: &Node, b: &Node| {
        let by_score = scores[*b as usize].total_cmp(&scores[*a as usize]);
        by_score.then(a.cmp(b))
    };
    if order.len() > BEST {
        order.select_nth_unstable_by(BEST, by_score);
        order.truncate(BEST);
    }
    order.sort_unstable_by(by_score);
    order.into_iter()
}

fn finding(question: &Question, nodes: &[Node], truth: &[f64], way: String) -> Finding {
    let largest = match question.parameters.scale {
        Scale::Normalized => others(question),
        _ => 1.0,
    };
    let truths = Truths {
        nodes,
        scores: truth,
        rounding: ROUNDING,
        largest,
    };
    truths.finding(question, way)
}

/// `take` of the search from each of these nodes.
fn search<T: Send>(
    question: &Question,
    rows: &Csr,
    nodes: &[Node],
    take: impl Fn(&Counts) -> T + Sync,
) -> Result<Vec<T>> {
    let progress = question.progress;
    progress.begin("searching", Some(nodes.len() as u64));
    let parts = nodes.chunks(nodes.len().div_ceil(64).max(1));
    let found = tasks::try_map(parts, |nodes| {
        let mut search = Search::new(rows);
        let found = nodes.iter().map(|&node| {
            progress.check()?;
            progress.advance(1);
            Ok(take(&search.from(node)))
        });
        found.collect::<Result<Vec<T>>>()
    })?;
    progress.end();
    Ok(found.into_iter().flatten().collect())
}

struct Search<'g> {
    rows: &'g Csr,
    distance: Vec<u32>,
    queue: Vec<Node>,
    /// Nodes and arcs visited by all searches.
    visits: u64,
}

const FAR: u32 = u32::MAX;

impl<'g> Search<'g> {
    fn new(rows: &'g Csr) -> Self {
        Search {
            rows,
            distance: vec![FAR; rows.num_nodes()],
            queue: Vec::new(),
            visits: 0,
        }
    }

    fn from(&mut self, node: Node) -> Counts {
        let mut counts = Vec::new();
        self.distance[node as usize] = 0;
        self.queue.push(node);
        let mut next = 0;
        while let Some(&node) = self.queue.get(next) {
            next += 1;
            self.visits += 1 + self.rows.degree(node);
            let distance = self.distance[node as usize] + 1;
            for &other in self.rows.row(node) {
                if self.distance[other as usize] == FAR {
                    self.distance[other as usize] = distance;
                    self.queue.push(other);
                    counts.resize(counts.len().max(distance as usize), 0);
                    counts[distance as usize - 1] += 1;
                }
            }
        }
        for node in self.queue.drain(..) {
            self.distance[node as usize] = FAR;
        }
        Counts(counts)
    }
}
