//! Measures of distances, by searches from all nodes or from a sample.
//!
//! If s nodes are drawn at random, and a share p of all nodes has an error above the largest in the
//! sample, then no node of that share was drawn: the probability of that is at most (1 - p)^s. So
//! with 95% confidence p is at most `1 - 0.05^(1/s)`, about 3/s. The best nodes of the table, which
//! matter most, are searched from as well; they do not count as drawn at random.

use super::compare::Truths;
use super::distances::{Search, SearchRows};
use super::lengths::LengthUnit;
use super::{Finding, Question, SampleFinding, Scale};
use num_bigint::BigUint;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::sums::compensated;
use webrank_base::parallel::tasks;
use webrank_base::random::SplitMix;
use webrank_graph::Direction;
use webrank_graph::sources::SearchSources;
use webrank_linear::exact_sum::nearest;
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

/// The result of a search: the distances that occur, in units, and how many nodes lie at each.
struct Counts<'u> {
    runs: Vec<(u128, u64)>,
    unit: &'u LengthUnit,
}

impl<'u> Counts<'u> {
    fn of(search: &Search<'u>) -> Self {
        let nodes = search.order.iter().skip(1);
        let mut runs: Vec<(u128, u64)> = Vec::new();
        for distance in nodes.map(|&node| search.distance[node as usize]) {
            match runs.last_mut() {
                Some((last, count)) if *last == distance => *count += 1,
                _ => runs.push((distance, 1)),
            }
        }
        Counts {
            runs,
            unit: &search.arcs.unit,
        }
    }

    fn reached(&self) -> f64 {
        self.runs.iter().map(|run| run.1).sum::<u64>() as f64
    }

    /// The sum of all distances, in units.
    fn whole(&self) -> BigUint {
        let products = self.runs.iter();
        let products = products.map(|&(distance, count)| BigUint::from(distance) * count);
        products.sum()
    }

    fn distances(&self) -> f64 {
        self.unit.times(&self.whole())
    }

    fn farthest(&self) -> u128 {
        self.runs.last().map_or(0, |run| run.0)
    }

    fn sum(&self, term: impl Fn(f64) -> f64) -> f64 {
        let length = |distance| distance as f64 * self.unit.value;
        let terms = self.runs.iter();
        compensated(terms.map(|&(distance, count)| count as f64 * term(length(distance))))
    }
}

impl LengthUnit {
    /// So many units, as the nearest double.
    fn times(&self, count: &BigUint) -> f64 {
        nearest(&(count * &self.numerator), &self.denominator, 0)
    }

    /// A whole number less so many units, exact up to one rounding.
    fn rest_of(&self, number: u128, less: &BigUint) -> f64 {
        let (top, less) = (&self.denominator * number, less * &self.numerator);
        match top >= less {
            true => nearest(&(top - less), &self.denominator, 0),
            false => -nearest(&(less - top), &self.denominator, 0),
        }
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
            Variant::Nieminen => {
                let square = (reached as u128 + 1).pow(2);
                found.unit.rest_of(square, &found.whole())
            }
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
    check(question, |_, found| {
        found.unit.times(&found.farthest().into())
    })
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
    let (n, arcs) = (question.graph.num_nodes(), arcs(question)?);
    let chosen = samples(question, &arcs, VISITS)?;
    if chosen < n {
        let remedy = format!("integration needs the diameter: give {n}, to search from all nodes");
        return Err(Error::argument("samples", chosen, remedy));
    }
    let nodes: Vec<Node> = (0..n as Node).collect();
    let found = search(question, &arcs, &nodes, |found| {
        (found.reached(), found.whole(), found.farthest())
    })?;
    let diameter = found.iter().map(|found| found.2).max().unwrap_or(0);
    let unit = &arcs.unit;
    // Each of the nodes reached counts 1 and what its distance lacks to the diameter.
    let score = |(reached, distances, _): &(f64, BigUint, u128)| {
        let lacks = BigUint::from(*reached as u64) * diameter - distances;
        (reached + unit.times(&lacks)) / others(question)
    };
    let truth: Vec<f64> = found.iter().map(score).collect();
    let way = format!("{} from all nodes", arcs.searches());
    Ok(finding(question, &nodes, &truth, way))
}

/// n - 1, but at least 1.
fn others(question: &Question) -> f64 {
    question.graph.num_nodes().saturating_sub(1).max(1) as f64
}

/// The arcs along which searches go.
fn arcs(question: &Question) -> Result<SearchRows> {
    SearchRows::of(question, question.direction(Direction::In))
}

/// How many nodes to search from: as many as visit about `visits` nodes and arcs, by some searches
/// and one that visits everything.
pub fn samples(question: &Question, arcs: &SearchRows, visits: u64) -> Result<usize> {
    let n = arcs.rows.num_nodes();
    match question.samples {
        Some(0) => return Err(Error::argument("samples", 0, "give at least 1")),
        Some(samples) => return Ok(samples.min(n)),
        None => {}
    }
    let mut search = Search::new(arcs);
    let (mut random, mut trials) = (SplitMix::new(1), 0);
    while trials < TRIALS && search.visits < visits / 20 {
        question.progress.check()?;
        search.from(random.below(n as u64) as Node);
        trials += 1;
    }
    let whole = arcs.cost() * (n as u64 + arcs.rows.num_arcs());
    let mean = (search.visits + whole) / (trials as u64 + 1);
    let affordable = usize::try_from(visits / mean.max(1)).unwrap_or(n);
    // Most of the nodes take hardly longer than all.
    Ok(match affordable.max(MIN_SAMPLES) {
        samples if samples >= n / 2 => n,
        samples => samples,
    })
}

fn check(question: &Question, score: impl Fn(&Question, &Counts) -> f64 + Sync) -> Result<Finding> {
    let n = question.graph.num_nodes();
    let arcs = arcs(question)?;
    let count = samples(question, &arcs, VISITS)?;
    let drawn = SearchSources::Sample { count, seed: 0 }.nodes(n)?;
    let mut nodes = drawn.clone();
    if count < n {
        nodes.extend(best(question.scores).filter(|node| drawn.binary_search(node).is_err()));
    }
    let truth = search(question, &arcs, &nodes, |found| score(question, found))?;
    if count == n {
        let way = format!("{} from all nodes", arcs.searches());
        return Ok(finding(question, &nodes, &truth, way));
    }
    let more = nodes.len() - count;
    let way = format!(
        "{} from {count} sampled nodes and {more} of the best",
        arcs.searches()
    );
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
    arcs: &SearchRows,
    nodes: &[Node],
    take: impl Fn(&Counts) -> T + Sync,
) -> Result<Vec<T>> {
    let progress = question.progress;
    progress.begin("searching", Some(nodes.len() as u64));
    let parts = nodes.chunks(nodes.len().div_ceil(64).max(1));
    let found = tasks::try_map(parts, |nodes| {
        let mut search = Search::new(arcs);
        let found = nodes.iter().map(|&node| {
            progress.check()?;
            progress.advance(1);
            search.from(node);
            Ok(take(&Counts::of(&search)))
        });
        found.collect::<Result<Vec<T>>>()
    })?;
    progress.end();
    Ok(found.into_iter().flatten().collect())
}
