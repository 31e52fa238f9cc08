//! From compressed files to rows in memory: offsets, a scan, successors, predecessors.

#[path = "support/webgen.rs"]
mod webgen;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::path::Path;
use webrank_base::progress::Silent;
use webrank_graph::bundle::{BundleOptions, write_bundle};
use webrank_graph::{Rows, StoredGraph};

fn measure(criterion: &mut Criterion, name: &str, path: &Path) {
    let source = StoredGraph::open(path).expect("the graph is there");
    let mut group = criterion.benchmark_group(name);
    group.sample_size(10);
    group.throughput(Throughput::Elements(source.properties().arcs));
    group.bench_function("read and find offsets", |bencher| {
        bencher.iter(|| source.compressed().expect("the graph is whole"));
    });
    let compressed = source.compressed().expect("the graph is whole");
    group.bench_function("scan, one thread", |bencher| {
        bencher.iter(|| {
            let mut arcs = 0;
            let all = 0..compressed.num_nodes();
            let scan = compressed.for_rows(all, &mut |_, row| arcs += black_box(row).len());
            scan.map(|()| arcs).expect("the graph is whole")
        });
    });
    group.bench_function("successors", |bencher| {
        bencher.iter(|| source.successors(&Silent).expect("the graph is whole"));
    });
    group.bench_function("predecessors", |bencher| {
        bencher.iter(|| source.predecessors(&Silent).expect("the graph is whole"));
    });
    group.finish();
}

fn decode(criterion: &mut Criterion) {
    measure(criterion, "rust-doc", "graphs/rust-doc.bv".as_ref());
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("pages.bv");
    // Without transpose and offsets, like most published graphs.
    let compact = BundleOptions {
        compact: true,
        ..BundleOptions::default()
    };
    write_bundle(&webgen::pages(2_000_000), None, &path, compact).expect("the disk has space");
    measure(criterion, "pages(2,000,000)", &path);
}

criterion_group!(benches, decode);
criterion_main!(benches);
