//! Exact geometric measures of a web-like graph: the gain of each reduction and each vector width,
//! against one search per node.

#[path = "support/webgen.rs"]
mod webgen;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use webrank_base::Node;
use webrank_base::parallel::simd::Simd;
use webrank_base::progress::Silent;
use webrank_distances::reduction::{Reduced, Reductions};
use webrank_distances::traversal::histograms::{Engine, histograms};
use webrank_distances::traversal::single::SingleSearch;
use webrank_graph::Csr;

const NODES: usize = 20_000;

/// Reduces the graph and searches from every node; returns the sum of all distances.
fn every_node(rows: &Csr, reverse: &Csr, steps: Reductions, simd: Simd) -> u64 {
    let reduced = Reduced::new(rows, reverse, steps);
    let engine = Engine {
        simd,
        ..Engine::default()
    };
    let take = |sum: &mut u64, _, histogram: webrank_distances::traversal::histogram::Histogram| {
        *sum += histogram.sum_of_distances()
    };
    let sums = histograms(&reduced, reduced.leaders(), engine, || 0, take, &Silent);
    sums.expect("nobody interrupts").states.iter().sum()
}

fn bench(criterion: &mut Criterion) {
    let successors = webgen::pages(NODES);
    let predecessors = successors.transpose().expect("memory suffices");
    let all = Reductions::ALL;
    let cases = [
        ("all", all),
        ("none", Reductions::NONE),
        (
            "all but equal rows",
            Reductions {
                equal_rows: false,
                ..all
            },
        ),
        (
            "all but chains",
            Reductions {
                chains: false,
                ..all
            },
        ),
        (
            "all but collapse",
            Reductions {
                collapse: false,
                ..all
            },
        ),
        (
            "all but twins",
            Reductions {
                twins: false,
                ..all
            },
        ),
        (
            "all but order",
            Reductions {
                order: false,
                ..all
            },
        ),
    ];
    let mut group = criterion.benchmark_group("distances");
    group.sample_size(10);
    group.throughput(Throughput::Elements(NODES as u64));
    for (name, steps) in cases {
        group.bench_function(BenchmarkId::new("reductions", name), |bencher| {
            bencher.iter(|| every_node(&predecessors, &successors, steps, Simd::best()))
        });
    }
    for simd in Simd::available() {
        group.bench_function(
            BenchmarkId::new("vectors", format!("{simd:?}")),
            |bencher| bencher.iter(|| every_node(&predecessors, &successors, all, simd)),
        );
    }
    // A hundredth of the nodes: compare the throughput.
    group.throughput(Throughput::Elements(NODES as u64 / 100));
    group.bench_function("one search a node", |bencher| {
        let mut search = SingleSearch::new(NODES);
        bencher.iter(|| {
            let sources = (0..NODES as Node).step_by(100);
            let scores = sources.map(|x| search.histogram(&predecessors, x).sum_of_distances());
            scores.sum::<u64>()
        })
    });
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
