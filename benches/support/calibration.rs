//! How often the intervals of estimates hold the truth, on real graphs: the rows of a table in
//! `benches/README.md`.
//!
//! `cargo run --release --example calibration -- GRAPH...` computes exact scores, and estimates with
//! 20 seeds and three confidences. Nodes that are known exactly, whose intervals are single numbers, are
//! not counted: they would flatter.

use std::num::NonZeroUsize;
use webrank::internals::centrality::betweenness::BetweennessMethod;
use webrank::internals::centrality::geometric::closeness::{Closeness, Variant};
use webrank::internals::centrality::geometric::sampled::Precision;
use webrank::internals::centrality::geometric::{DistanceMethod, Geometric};
use webrank::internals::scores::intervals::Confidence;
use webrank::internals::traversal::hyperball::Counters;
use webrank::{
    Betweenness, Decay, Graph, Harmonic, Integration, Lin, Measure, Ranked, Reachable, Result,
};

const SEEDS: u64 = 20;
const CONFIDENCES: [f64; 3] = [0.9, 0.95, 0.99];
/// Widths are those of so many best nodes.
const BEST: usize = 1000;

/// What is computed in two ways.
type Run<'a> = Box<dyn Fn(&Graph, Option<(Confidence, u64)>) -> Result<Ranked> + 'a>;

/// Of the nodes that are not known exactly.
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
    fn add(&mut self, found: &Ranked, truth: &Ranked) {
        let (intervals, ranges) = found
            .intervals()
            .zip(found.rank_ranges())
            .expect("estimates");
        let ranks = truth.ranking().ranks();
        let (nodes, inside) = (self.nodes, self.inside);
        for (x, &score) in truth.values().iter().enumerate() {
            let (lower, upper) = (intervals.lower[x], intervals.upper[x]);
            if lower == upper {
                assert!((score - lower).abs() <= 1e-9 * score.abs(), "{x}");
                continue;
            }
            let slack = 1e-9 * score.abs();
            self.nodes += 1;
            self.inside += usize::from(lower - slack <= score && score <= upper + slack);
            self.ranks += usize::from(ranges.from[x] <= ranks[x] && ranks[x] <= ranges.to[x]);
        }
        let seen = (self.nodes - nodes).max(1);
        self.seeds.push((self.inside - inside) as f64 / seen as f64);
        for &node in truth.ranking().order().iter().take(BEST) {
            let x = node as usize;
            let width = intervals.upper[x] - intervals.lower[x];
            self.widths.push(width / 2.0 / truth.values()[x].abs());
            self.ranges
                .push(f64::from(1 + ranges.to[x] - ranges.from[x]));
        }
    }

    fn row(mut self) -> String {
        let share = |count: usize| 100.0 * count as f64 / self.nodes.max(1) as f64;
        let worst = self.seeds.iter().fold(1.0, |a: f64, &b| a.min(b));
        format!(
            "{:.1}% | {:.1}% | {:.1}% | {:.1}% | {:.0}",
            share(self.inside),
            100.0 * worst,
            share(self.ranks),
            100.0 * median(&mut self.widths),
            median(&mut self.ranges),
        )
    }
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// A distance measure by a method, or exactly.
fn distances<'a>(
    make: impl Fn() -> Geometric + 'a,
    method: DistanceMethod,
    epsilon: f64,
) -> Run<'a> {
    Box::new(move |graph, estimate| {
        let Some((confidence, seed)) = estimate else {
            return make().method(DistanceMethod::Exact).run(graph);
        };
        let log2m = std::env::var("LOG2M").map_or(8, |it| it.parse().expect("a number"));
        let counters = Counters::new(log2m, seed)?;
        let measure = make()
            .method(method)
            .counters(counters)
            .confidence(confidence);
        measure.precision(Precision::new(epsilon, 0.1)?).run(graph)
    })
}

fn betweenness(method: BetweennessMethod, samples: usize) -> Run<'static> {
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

fn runs() -> Vec<(&'static str, &'static str, Run<'static>)> {
    let counters = |make: fn() -> Geometric| distances(make, DistanceMethod::Hyperball, 0.1);
    let (close, coarse, fine) = (DistanceMethod::Sample, 0.05, 0.02);
    let harmonic = || Geometric::of(Harmonic::default());
    let reachable = || Geometric::of(Reachable);
    let decay = || Geometric::of(Decay::default());
    vec![
        ("hyperball", "harmonic", counters(harmonic)),
        ("hyperball", "reachable", counters(reachable)),
        ("hyperball", "decay", counters(decay)),
        (
            "hyperball",
            "integration",
            counters(|| Geometric::of(Integration)),
        ),
        (
            "hyperball",
            "closeness",
            counters(|| Geometric::of(Closeness::default())),
        ),
        (
            "hyperball",
            "closeness, nieminen",
            counters(|| {
                Geometric::of(Closeness {
                    variant: Variant::Nieminen,
                })
            }),
        ),
        (
            "hyperball",
            "closeness, wasserman-faust",
            counters(|| {
                Geometric::of(Closeness {
                    variant: Variant::WassermanFaust,
                })
            }),
        ),
        ("hyperball", "lin", counters(|| Geometric::of(Lin))),
        (
            "sample, epsilon 0.05",
            "harmonic",
            distances(harmonic, close, coarse),
        ),
        (
            "sample, epsilon 0.02",
            "harmonic",
            distances(harmonic, close, fine),
        ),
        (
            "sample, epsilon 0.05",
            "reachable",
            distances(reachable, close, coarse),
        ),
        (
            "sample, epsilon 0.05",
            "decay",
            distances(decay, close, coarse),
        ),
        (
            "sources, 1000",
            "betweenness",
            betweenness(BetweennessMethod::Sources, 1000),
        ),
        (
            "approx, epsilon 0.02",
            "betweenness",
            betweenness(BetweennessMethod::Approx, 1000),
        ),
    ]
}

fn main() -> Result<()> {
    println!(
        "| graph | method | measure | stated | inside | worst seed | ranks inside | half-width | ranks open |"
    );
    println!("|---|---|---|---:|---:|---:|---:|---:|---:|");
    let only = std::env::var("ONLY").unwrap_or_default();
    for path in std::env::args().skip(1) {
        let graph = Graph::open(&path)?;
        for (method, measure, run) in runs() {
            if !format!("{method} {measure}").contains(&only) {
                continue;
            }
            let truth = run(&graph, None)?;
            for stated in CONFIDENCES {
                let mut found = Found::default();
                for seed in 0..SEEDS {
                    let confidence = Confidence::new(stated)?;
                    found.add(&run(&graph, Some((confidence, seed)))?, &truth);
                }
                println!(
                    "| {path} | {method} | {measure} | {:.0}% | {} |",
                    100.0 * stated,
                    found.row()
                );
            }
        }
    }
    Ok(())
}
