//! Exact betweenness: the gain of lanes and of each reduction, against one source at a time.
//!
//!     cargo bench --bench betweenness
//!     GRAPH=graph.bv cargo bench --bench betweenness
//!
//! Without GRAPH, the graph is generated and web-like. Times are measured on a number of batches,
//! evenly spaced over the order of searching, and scaled to all (see `BatchedBrandes::seconds`). So
//! GRAPH may be a graph whose run takes minutes.

#[path = "support/webgen.rs"]
mod webgen;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use std::time::{Duration, Instant};
use webrank_base::Node;
use webrank_base::parallel::simd::Simd;
use webrank_base::progress::Silent;
use webrank_distances::betweenness::exact::batched::BatchedBrandes;
use webrank_distances::betweenness::single_source::{DependencySearch, PathGraph};
use webrank_distances::reduction::Reductions;
use webrank_graph::{Csr, Predecessors, StoredGraph, Successors};

const NODES: usize = 20_000;

/// The estimated seconds of a run on as many threads as the machine has.
fn seconds<const L: usize>(
    successors: &Csr,
    predecessors: &Csr,
    steps: Reductions,
    simd: Simd,
) -> f64 {
    let (forward, backward) = (Successors(successors), Predecessors(predecessors));
    let engine = BatchedBrandes::new(forward, backward, None, steps, simd);
    engine.seconds::<L>(&Silent).expect("nobody interrupts")
}

fn bench(criterion: &mut Criterion) {
    let successors = match std::env::var_os("GRAPH") {
        Some(path) => {
            let source = StoredGraph::open(path.as_ref()).expect("GRAPH is a graph");
            source.successors(&Silent).expect("GRAPH can be read")
        }
        None => webgen::pages(NODES),
    };
    let predecessors = successors.transpose().expect("memory suffices");
    let mut group = criterion.benchmark_group("betweenness");
    group.sample_size(10);
    let mut run = |name: &str, case: &str, seconds: &dyn Fn() -> f64| {
        group.bench_function(BenchmarkId::new(name, case), |bencher| {
            bencher.iter_custom(|times| {
                let all: f64 = (0..times).map(|_| seconds()).sum();
                Duration::from_secs_f64(all)
            })
        });
    };
    let (s, p, best) = (&successors, &predecessors, Simd::best());
    run("lanes", "8", &|| seconds::<8>(s, p, Reductions::ALL, best));
    run("lanes", "16", &|| {
        seconds::<16>(s, p, Reductions::ALL, best)
    });
    run("lanes", "32", &|| {
        seconds::<32>(s, p, Reductions::ALL, best)
    });
    run("lanes", "64", &|| {
        seconds::<64>(s, p, Reductions::ALL, best)
    });
    for simd in Simd::available() {
        run("vectors", &format!("{simd:?}"), &|| {
            seconds::<64>(s, p, Reductions::ALL, simd)
        });
    }
    let all = Reductions::ALL;
    let without = |change: &dyn Fn(&mut Reductions)| {
        let mut steps = all;
        change(&mut steps);
        steps
    };
    let cases = [
        ("none", Reductions::NONE),
        ("all but equal rows", without(&|s| s.equal_rows = false)),
        ("all but chains", without(&|s| s.chains = false)),
        ("all but collapse", without(&|s| s.collapse = false)),
        ("all but order", without(&|s| s.order = false)),
    ];
    for (name, steps) in cases {
        run("reductions", name, &|| seconds::<64>(s, p, steps, best));
    }
    // Some 200 sources on one thread, scaled to all sources and two threads.
    run("one source at a time", "two threads", &|| {
        let n = s.num_nodes();
        let mut search = DependencySearch::new(s.paths::<f64>(), n);
        let mut scores = vec![0.0; n];
        let started = Instant::now();
        let sources: Vec<Node> = (0..n as Node).step_by((n / 200).max(1)).collect();
        for &source in &sources {
            let add = |x: Node, dependency| scores[x as usize] += dependency;
            search.dependencies(source, |_, _| (), add);
        }
        assert!(scores.iter().all(|score| score.is_finite()));
        started.elapsed().as_secs_f64() * n as f64 / sources.len() as f64 / 2.0
    });
}

criterion_group!(benches, bench);
criterion_main!(benches);
