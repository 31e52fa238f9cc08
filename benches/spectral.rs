//! Spectral measures on `graphs/rust-doc.bv`, and on the graph that GRAPH names in the environment.
//!
//!     GRAPH=graphs/debian.bv cargo bench --bench spectral

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use webrank_base::limits::Limits;
use webrank_base::progress::Silent;
use webrank_graph::{Predecessors, StoredGraph, Successors};
use webrank_linear::Matrix;
use webrank_walks::eigenvector::{Eigenvector, eigenvector};
use webrank_walks::hits::hits;
use webrank_walks::katz::{Attenuation, Katz, KatzMethod, katz};
use webrank_walks::salsa::salsa;
use webrank_walks::seeley::{Seeley, seeley};

fn measure(criterion: &mut Criterion, path: &str) {
    let source = StoredGraph::open(path.as_ref()).expect("a graph");
    let (successors, predecessors) = source.both(&Silent).expect("a graph that is whole");
    let mut group = criterion.benchmark_group(path);
    group.sample_size(10);
    group.throughput(Throughput::Elements(predecessors.num_arcs()));
    let forward = Matrix::new(successors);
    let matrix = Matrix::new(predecessors);
    let (rows, limits) = (black_box(&matrix), Limits::default());
    group.bench_function("eigenvector", |bencher| {
        let run = || eigenvector(rows, &Eigenvector::default(), &limits, &Silent);
        bencher.iter(|| run().expect("a cycle"));
    });
    for method in [
        KatzMethod::Bicgstab,
        KatzMethod::Power,
        KatzMethod::GaussSeidel,
    ] {
        let params = Katz {
            method,
            ..Katz::default()
        };
        let found = katz(rows, &params, &limits, &Silent).expect("a default that converges");
        let fixed = Katz {
            alpha: Attenuation::new(found.alpha).expect("a positive number"),
            ..params.clone()
        };
        for (name, params) in [("auto", params), ("given alpha", fixed)] {
            group.bench_function(format!("katz, {name}, {}", method.name()), |bencher| {
                let run = || katz(rows, &params, &limits, &Silent);
                bencher.iter(|| run().expect("nobody interrupts"));
            });
        }
    }
    group.bench_function("hits", |bencher| {
        let run = || hits(Successors(&forward), Predecessors(rows), &limits, &Silent);
        bencher.iter(|| run().expect("nobody interrupts"));
    });
    group.bench_function("salsa", |bencher| {
        bencher.iter(|| salsa(Predecessors(rows)))
    });
    group.bench_function("seeley", |bencher| {
        let run = || seeley(rows, &Seeley::default(), &limits, &Silent);
        bencher.iter(|| run().expect("nobody interrupts"));
    });
    group.finish();
}

fn benches(criterion: &mut Criterion) {
    measure(criterion, "graphs/rust-doc.bv");
    if let Ok(path) = std::env::var("GRAPH") {
        measure(criterion, &path);
    }
}

criterion_group!(all, benches);
criterion_main!(all);
