//! PageRank on generated graphs: preparation of rows, one sweep of each method, whole runs to 1e-9.

#[path = "support/webgen.rs"]
mod webgen;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use webrank_base::progress::Silent;
use webrank_graph::{Csr, IncomingRows};
use webrank_linear::StopRule;
use webrank_scores::parameters::Distribution;
use webrank_walks::pagerank::certificate::{Iteration, PageRankMap};
use webrank_walks::pagerank::equation::Equation;
use webrank_walks::pagerank::methods::gauss_seidel::GaussSeidel;
use webrank_walks::pagerank::methods::power::power;
use webrank_walks::pagerank::walk::RandomWalk;
use webrank_walks::pagerank::{Method, PageRank, pagerank};

const NODES: usize = 200_000;

fn walk(predecessors: &Csr) -> RandomWalk {
    RandomWalk::new(IncomingRows {
        rows: predecessors.clone(),
        outdegrees: None,
    })
    .expect("the outdegrees are counted")
}

fn measure(criterion: &mut Criterion, name: &str, successors: &Csr) {
    let predecessors = successors
        .transpose()
        .expect("a CSR is scanned without errors");
    let mut group = criterion.benchmark_group(name);
    group.sample_size(10);
    group.throughput(Throughput::Elements(predecessors.num_arcs()));
    group.bench_function("prepare", |bencher| {
        bencher.iter_batched(|| (), |()| walk(&predecessors), BatchSize::LargeInput);
    });
    let walk = walk(&predecessors);
    let map = PageRankMap {
        walk: &walk,
        equation: Equation {
            num_nodes: walk.num_nodes(),
            alpha: 0.85,
            preference: &Distribution::Uniform,
            dangling: Some(&Distribution::Uniform),
        },
    };
    let start = vec![1.0 / walk.num_nodes() as f64; walk.num_nodes()];
    let mut power = power(&map, &start);
    group.bench_function("power sweep", |bencher| bencher.iter(|| power.sweep()));
    let mut gauss_seidel = GaussSeidel::new(&map, &start).expect("rows are in memory");
    group.bench_function("gauss-seidel sweep", |bencher| {
        bencher.iter(|| gauss_seidel.sweep())
    });
    group.bench_function("certificate", |bencher| bencher.iter(|| power.certify()));
    for method in [Method::Power, Method::GaussSeidel] {
        let params = PageRank {
            method,
            ..PageRank::default()
        };
        group.bench_function(format!("{} to 1e-9", method.name()), |bencher| {
            let run = || pagerank(black_box(&walk), &params, &StopRule::default(), &Silent);
            bencher.iter(|| run().expect("nobody interrupts"));
        });
    }
    group.finish();
}

fn benches(criterion: &mut Criterion) {
    measure(criterion, "pages", &webgen::pages(NODES));
    measure(criterion, "hosts, 83% dangling", &webgen::hosts(NODES));
}

criterion_group!(all, benches);
criterion_main!(all);
