//! Betweenness, by Brandes's algorithm from one source after the other: from all nodes, or from the
//! sources of the scores, if that takes seconds, otherwise from a sample of these.
//!
//! The dependency of a random source on x is in [0, n - 1], and n times its mean is the score of x.
//! For k sources, drawn independently, the empirical Bernstein bound (Maurer and Pontil 2009, theorem
//! 4) gives an interval for each score; with its level divided by 2 n, all intervals hold at once with
//! probability 0.95.

use super::compare::{Truths, known_scale, usual_scales};
use super::distances::{Search, SearchRows};
use super::searches::samples;
use super::{ErrorBounds, ErrorKind, Finding, Question, Scale, TableItems, Worst};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::memory::filled;
use webrank_base::parallel::sums::{Compensated, compensated};
use webrank_base::parallel::tasks;
use webrank_base::random::SplitMix;
use webrank_graph::Direction;
use webrank_graph::sources::SearchSources;

/// Nodes and arcs that all searches visit by default, about: some seconds.
const VISITS: u64 = 500_000_000;

/// The probability that some interval does not hold.
const DOUBT: f64 = 0.05;

/// Parts of the sources that are added up by themselves.
const PARTS: usize = 16;

/// The relative error of a sum of dependencies. Each is made by additions and divisions of positive
/// numbers, a few for each step and arc of a path.
const ROUNDING: f64 = 1e-11;

/// Betweenness of nodes.
pub fn betweenness(question: &Question) -> Result<Finding> {
    check(question, TableItems::Nodes)
}

/// Betweenness of arcs, by source and target.
pub fn of_arcs(question: &Question) -> Result<Finding> {
    check(question, TableItems::Arcs)
}

fn check(question: &Question, items: TableItems) -> Result<Finding> {
    let arcs = &SearchRows::of(question, Direction::Out)?;
    let n = arcs.rows.num_nodes();
    let nodes: Vec<Node> = (0..n as Node).collect();
    let given = SearchSources::List(question.parameters.sources.clone()).nodes(n)?;
    let (sources, whose) = match given.len() {
        0 => (&nodes, "all nodes".to_owned()),
        count => (&given, format!("{count} given nodes")),
    };
    let count = samples(question, arcs, VISITS)?;
    if count < sources.len() {
        let mut random = SplitMix::new(0);
        let mut draw = || sources[random.below(sources.len() as u64) as usize];
        let drawn: Vec<Node> = (0..count).map(|_| draw()).collect();
        let sums = dependencies(question, arcs, items, &drawn)?;
        return Ok(sampled(question, items, &sums, count));
    }
    let sums = dependencies(question, arcs, items, sources)?;
    let scale = n as f64 / sources.len() as f64;
    let truth: Vec<f64> = sums.iter().map(|sums| scale * sums[0].value()).collect();
    let places: Vec<Node> = (0..truth.len() as Node).collect();
    let truths = Truths {
        nodes: &places,
        scores: &truth,
        rounding: ROUNDING,
        largest: pairs(question, items),
    };
    let way = format!("the dependencies of {whose} on all, one search after the other");
    Ok(truths.finding(question, way))
}

/// The bytes a node that searches take, and those of a score's sums.
pub fn bytes_of_searches() -> [u64; 2] {
    let search = size_of::<u128>() + 2 * size_of::<f64>() + 2 * size_of::<Node>();
    // The sums, the truth and its place.
    let sums = (PARTS + 1) * size_of::<[Compensated; 2]>() + 16;
    [rayon::current_num_threads() * search, sums].map(|bytes| bytes as u64)
}

/// The divisor of a normalised score.
fn pairs(question: &Question, items: TableItems) -> f64 {
    let n = question.graph.num_nodes() as f64;
    // Both ends of an arc may be those of a path.
    let pairs = match question.parameters.endpoints || items == TableItems::Arcs {
        true => n * (n - 1.0),
        false => (n - 1.0) * (n - 2.0),
    };
    if pairs > 0.0 { pairs } else { 1.0 }
}

/// For each node or arc, the sum of the dependencies of the sources on it, and the sum of their
/// squares.
fn dependencies(
    question: &Question,
    arcs: &SearchRows,
    items: TableItems,
    sources: &[Node],
) -> Result<Vec<[Compensated; 2]>> {
    let progress = question.progress;
    let count = match items {
        TableItems::Arcs => arcs.rows.num_arcs() as usize,
        TableItems::Nodes | TableItems::Best => arcs.rows.num_nodes(),
    };
    progress.begin("searching", Some(sources.len() as u64));
    let parts = sources.chunks(sources.len().div_ceil(PARTS).max(1));
    let parts = tasks::try_map(parts, |sources| {
        let mut search = Dependencies::new(arcs);
        let mut sums = filled([Compensated::default(); 2], count, "sums of dependencies")?;
        let endpoints = question.parameters.endpoints;
        for &source in sources {
            progress.check()?;
            progress.advance(1);
            let mut add = |place: usize, dependency: f64| {
                let [sum, squares] = &mut sums[place];
                sum.add(dependency);
                squares.add(dependency * dependency);
            };
            match items {
                TableItems::Arcs => search.from(source, false, |_, _| (), add),
                _ => search.from(
                    source,
                    endpoints,
                    |node, it| add(node as usize, it),
                    |_, _| (),
                ),
            }
        }
        Ok::<_, Error>(sums)
    })?;
    progress.end();
    let mut sums = filled([Compensated::default(); 2], count, "sums of dependencies")?;
    for part in parts {
        for (sums, part) in sums.iter_mut().zip(part) {
            sums.iter_mut()
                .zip(part)
                .for_each(|(sum, part)| sum.merge(part));
        }
    }
    if sums.iter().any(|[sum, _]| !sum.value().is_finite()) {
        return Err(Error::NoMethod {
            measure: "betweenness",
            method: "rank verify",
            remedy: "some nodes are joined by more than 1e308 shortest paths; 'rank betweenness' \
                     counts them",
        });
    }
    Ok(sums)
}

/// The finding of intervals from a sample of `count` sources.
fn sampled(
    question: &Question,
    items: TableItems,
    sums: &[[Compensated; 2]],
    count: usize,
) -> Finding {
    let num_nodes = question.graph.num_nodes();
    let (n, k, all) = (num_nodes as f64, count as f64, sums.len() as f64);
    let log = (4.0 * all / DOUBT).ln();
    let interval = |[sum, squares]: &[Compensated; 2]| {
        let (sum, squares) = (sum.value(), squares.value());
        let variance = ((squares - sum * sum / k) / (k - 1.0)).max(0.0);
        let width = (2.0 * variance * log / k).sqrt() + 7.0 * (n - 1.0) * log / (3.0 * (k - 1.0));
        // One source tells nothing.
        let width = if count > 1 {
            width * (1.0 + ROUNDING)
        } else {
            n
        };
        let (middle, width) = (n * sum / k, n * width + ROUNDING * n * sum / k);
        (middle, width)
    };
    let scale = scale_of(
        question,
        items,
        compensated(sums.iter().map(|[sum, _]| n / k * sum.value())),
    );
    let (mut at_least, mut outside) = (0.0f64, 0usize);
    let mut worst: Option<(f64, Worst)> = None;
    for (node, sums) in sums.iter().enumerate() {
        let (truth, within) = interval(sums);
        let score = question.scores[node] / scale;
        let beyond = (score - truth).abs() - within;
        if beyond <= 0.0 {
            continue;
        }
        outside += 1;
        at_least = at_least.max(beyond / (truth + within));
        if worst.is_none_or(|(most, _)| beyond > most) {
            let node = node as Node;
            worst = Some((
                beyond,
                Worst {
                    node,
                    score,
                    truth,
                    within,
                },
            ));
        }
    }
    let mut widths: Vec<f64> = sums.iter().map(|sums| interval(sums).1).collect();
    widths.sort_unstable_by(f64::total_cmp);
    let share = |width: f64| 100.0 * width / ((n - 1.0) * (n - 2.0)).max(1.0);
    let note = format!(
        "{outside} of {all} scores are outside their intervals, which all hold at once with probability \
         {}; from the estimate to an end, half of the intervals measure at most {:.1e} ({:.2}% of all \
         pairs), the longest {:.1e}; more --samples narrow them",
        1.0 - DOUBT,
        widths[widths.len() / 2],
        share(widths[widths.len() / 2]),
        widths[widths.len() - 1],
    );
    Finding {
        way: format!("the dependencies of {count} sampled nodes on all"),
        scale,
        scale_is: (scale != 1.0).then(|| known_scale(scale, num_nodes)),
        error: ErrorBounds {
            kind: ErrorKind::Score,
            at_least,
            at_most: f64::INFINITY,
        },
        worst: worst.map(|(_, worst)| worst),
        sample: None,
        eigenvalue_bounds: None,
        eigen: None,
        notes: vec![note],
    }
}

/// The usual factor that brings the sum of scores nearest to an estimate of the sum of true ones.
fn scale_of(question: &Question, items: TableItems, sum: f64) -> f64 {
    match question.parameters.scale {
        Scale::Plain => 1.0,
        Scale::Normalized => 1.0 / pairs(question, items),
        Scale::Unknown => {
            let ratio = compensated(question.scores.iter().copied()) / sum;
            let usual = usual_scales(question.graph.num_nodes()).map(|(scale, _)| scale);
            let far = |scale: f64| (ratio / scale).ln().abs();
            let nearest = usual.into_iter().min_by(|&a, &b| far(a).total_cmp(&far(b)));
            nearest.filter(|&scale| far(scale) < 0.3).unwrap_or(1.0)
        }
    }
}

struct Dependencies<'g> {
    search: Search<'g>,
    paths: Vec<f64>,
    dependency: Vec<f64>,
}

impl<'g> Dependencies<'g> {
    fn new(arcs: &'g SearchRows) -> Self {
        let n = arcs.rows.num_nodes();
        Dependencies {
            search: Search::new(arcs),
            paths: vec![0.0; n],
            dependency: vec![0.0; n],
        }
    }

    /// Calls `add` with each node and the dependency of the source on it, if it is not 0, and `add_arc`
    /// with the place of each arc on a shortest path and the dependency on it.
    fn from(
        &mut self,
        source: Node,
        endpoints: bool,
        mut add: impl FnMut(Node, f64),
        mut add_arc: impl FnMut(usize, f64),
    ) {
        self.search.from(source);
        let search = &self.search;
        self.paths[source as usize] = 1.0;
        for &v in &search.order {
            let paths = self.paths[v as usize];
            search.onward(v).for_each(|(_, w)| self.paths[w] += paths);
        }
        let reached = search.order.len() - 1;
        let end = if endpoints { 1.0 } else { 0.0 };
        for &v in search.order.iter().rev() {
            let paths = self.paths[v as usize];
            let dependency = compensated(search.onward(v).map(|(arc, w)| {
                let given = paths / self.paths[w] * (1.0 + self.dependency[w]);
                add_arc(arc, given);
                given
            }));
            self.dependency[v as usize] = dependency;
            match v == source {
                true if endpoints => add(v, reached as f64),
                false if dependency + end > 0.0 || dependency.is_nan() => add(v, dependency + end),
                _ => {}
            }
        }
        for &v in &search.order {
            (self.paths[v as usize], self.dependency[v as usize]) = (0.0, 0.0);
        }
    }
}
