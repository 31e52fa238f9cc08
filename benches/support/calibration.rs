//! How often the intervals of estimates hold the truth, on real graphs: the rows of a table in
//! `docs/src/measurements/estimates.md`.
//!
//! `cargo run --release --example calibration -- GRAPH... [METHOD...]` (methods end in a colon, such as
//! `sample:`; all by default) computes exact scores, and estimates with
//! 20 seeds and three confidences. Nodes that are known exactly, whose intervals are single numbers, are
//! not counted: they would flatter.

use std::num::NonZeroUsize;
use webrank::{Betweenness, Graph, Measure, Ranked, Ranking, Result, Scores};
use webrank_distances::betweenness::BetweennessMethod;
use webrank_distances::geometric::sampled::{IntervalKind, Precision, SampleSize};
use webrank_distances::geometric::{DistanceMethod, Geometric};
use webrank_distances::traversal::hyperball::Counters;
use webrank_scores::intervals::Confidence;

const SEEDS: u64 = 20;
const CONFIDENCES: [f64; 3] = [0.9, 0.95, 0.99];
/// Widths are those of so many best nodes.
const BEST: usize = 1000;

/// A computation in two ways.
type Run = Box<dyn Fn(&Graph, Option<(Confidence, u64)>) -> Result<Ranked>>;

/// Counts over the nodes that are not known exactly.
#[derive(Default)]
struct Found {
    nodes: usize,
    inside: usize,
    ranks: usize,
    /// The share inside with each seed.
    seeds: Vec<f64>,
    /// Half the widths of the best, relative to their scores, and how many ranks are left open.
    widths: Vec<f64>,
    ranges: Vec<f64>,
}

impl Found {
    fn add(&mut self, found: &Scores, truth: &Scores) -> Result<()> {
        let intervals = found.intervals.as_ref().expect("estimates have intervals");
        let ranges = intervals.ranks();
        let ranking = Ranking::new(truth.as_slice())?;
        let ranks = ranking.ranks();
        let (nodes, inside) = (self.nodes, self.inside);
        for (x, &score) in truth.values.iter().enumerate() {
            let (lower, upper) = (intervals.lower[x], intervals.upper[x]);
            let slack = 1e-9 * score.abs();
            if lower == upper {
                assert!((score - lower).abs() <= slack, "{x} is not {lower}");
                continue;
            }
            self.nodes += 1;
            self.inside += usize::from(lower - slack <= score && score <= upper + slack);
            self.ranks += usize::from(ranges.from[x] <= ranks[x] && ranks[x] <= ranges.to[x]);
        }
        let seen = (self.nodes - nodes).max(1);
        self.seeds.push((self.inside - inside) as f64 / seen as f64);
        for &node in ranking.order().iter().take(BEST) {
            let x = node as usize;
            let width = intervals.upper[x] - intervals.lower[x];
            self.widths.push(width / 2.0 / truth.values[x].abs());
            self.ranges
                .push(f64::from(1 + ranges.to[x] - ranges.from[x]));
        }
        Ok(())
    }

    fn inside(&self) -> String {
        format!("{:.1}%", self.share(self.inside))
    }

    /// The other cells.
    fn more(&mut self) -> String {
        let worst = self.seeds.iter().fold(1.0, |a: f64, &b| a.min(b));
        format!(
            "{:.1}% | {:.1}% | {:.1}% | {:.0}",
            100.0 * worst,
            self.share(self.ranks),
            100.0 * median(&mut self.widths),
            median(&mut self.ranges),
        )
    }

    fn share(&self, count: usize) -> f64 {
        100.0 * count as f64 / self.nodes.max(1) as f64
    }
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// Distance measures by HyperBall or from so many sources, or exactly.
fn distances(measures: &'static [&'static str], sample: Option<(u64, IntervalKind)>) -> Run {
    Box::new(move |graph, estimate| {
        let asked = Geometric::named(measures)?;
        let Some((confidence, seed)) = estimate else {
            return asked.method(DistanceMethod::Exact).run(graph);
        };
        let counters = Counters::new(8, seed)?;
        let asked = asked.counters(counters).confidence(confidence);
        match sample {
            None => asked.method(DistanceMethod::Hyperball),
            Some((count, kind)) => asked
                .method(DistanceMethod::Sample)
                .size(SampleSize::sources(count, 0.1)?)
                .intervals(kind),
        }
        .run(graph)
    })
}

fn betweenness(method: BetweennessMethod, samples: usize) -> Run {
    Box::new(move |graph, estimate| {
        let Some((confidence, seed)) = estimate else {
            return Betweenness::default().run(graph);
        };
        let measure = Betweenness {
            method,
            samples: NonZeroUsize::new(samples).expect("not zero"),
            precision: Precision::new(0.02, confidence.miss())?,
            seed,
            confidence,
            ..Betweenness::default()
        };
        measure.run(graph)
    })
}

fn runs() -> [(&'static str, Run); 6] {
    let all = &["harmonic", "reachable", "decay", "closeness", "lin"];
    // Of quotients, nothing is proved.
    let of = |kind| match kind {
        IntervalKind::Proved => &all[..3],
        _ => &all[..],
    };
    let sampled = |count, kind| distances(of(kind), Some((count, kind)));
    let (sources, paths) = (BetweennessMethod::Sources, BetweennessMethod::Approx);
    [
        ("hyperball", distances(all, None)),
        ("sample, 1024", sampled(1024, IntervalKind::Estimated)),
        ("sample, 4096", sampled(4096, IntervalKind::Estimated)),
        ("sample, 1024, proved", sampled(1024, IntervalKind::Proved)),
        ("sources, 1000", betweenness(sources, 1000)),
        ("approx, epsilon 0.02", betweenness(paths, 1000)),
    ]
}

fn main() -> Result<()> {
    println!(
        "| graph | method | measure | inside at 90% | at 95% | at 99% | worst seed | ranks inside | \
         half-width | ranks open |\n|---|---|---|---:|---:|---:|---:|---:|---:|---:|"
    );
    let (methods, paths): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|it| it.ends_with(':'));
    let is_chosen = |method: &str| {
        let mut chosen = methods.iter();
        methods.is_empty() || chosen.any(|it| method.starts_with(it.trim_end_matches(':')))
    };
    for path in paths {
        let graph = Graph::open(&path)?;
        for (method, run) in runs().into_iter().filter(|(method, _)| is_chosen(method)) {
            let truth = run(&graph, None)?;
            let columns = truth.columns();
            let mut found: Vec<[Found; 3]> = Vec::new();
            found.resize_with(columns.len(), Default::default);
            for (place, stated) in CONFIDENCES.into_iter().enumerate() {
                let confidence = Confidence::new(stated)?;
                for seed in 0..SEEDS {
                    let estimates = run(&graph, Some((confidence, seed)))?;
                    let pairs = estimates.columns().iter().zip(columns);
                    for (found, ((_, estimates), (_, truth))) in found.iter_mut().zip(pairs) {
                        found[place].add(estimates, truth)?;
                    }
                }
            }
            for (mut found, (_, truth)) in found.into_iter().zip(columns) {
                let measure = truth.run.measure;
                let inside = found.each_ref().map(Found::inside).join(" | ");
                let more = found[1].more();
                println!("| {path} | {method} | {measure} | {inside} | {more} |");
            }
        }
    }
    Ok(())
}
