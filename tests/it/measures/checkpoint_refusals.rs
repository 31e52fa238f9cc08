//! A checkpoint of other work, or a damaged one, is refused, and stays as it is. So is what keeps none.

use super::checkpoints::{limits, run, said};
use super::interruption::graph;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use webrank::{
    Columns, Damping, Dangling, Distribution, Error, Graph, Katz, Limits, Measure, Method, PageRank,
};
use webrank_distances::betweenness::{Betweenness, BetweennessMethod};
use webrank_distances::geometric::sampled::{Precision, SampleSize};
use webrank_distances::geometric::{DistanceMethod, Geometric};
use webrank_distances::traversal::hyperball::Counters;
use webrank_testing::damage::is_refused_or_harmless;
use xxhash_rust::xxh3::xxh3_128;

/// The bytes of a checkpoint of a small graph.
fn small(folder: &Path) -> (Graph, PathBuf, Vec<u8>) {
    let graph = Graph::from_arcs(5, [(0, 1), (1, 2), (2, 0), (2, 1), (3, 0), (3, 4)]).unwrap();
    let path = folder.join("state");
    let stopped = run((&PageRank::default(), &graph, &limits()), &path, 12);
    assert!(matches!(stopped, Err(Error::Stopped { .. })));
    let bytes = std::fs::read(&path).unwrap();
    (graph, path, bytes)
}

fn refusal<M: Measure>(work: (&M, &Graph, &Limits), path: &Path) -> String {
    let before = std::fs::read(path).ok();
    let problem = run(work, path, u64::MAX).err().unwrap().to_string();
    assert_eq!(std::fs::read(path).ok(), before, "what is refused stays");
    assert_eq!(problem.lines().count(), 1, "{problem}");
    problem
}

#[test]
fn a_damaged_checkpoint_is_refused() {
    let folder = TempDir::new().unwrap();
    let (graph, path, bytes) = small(folder.path());
    let (measure, limits) = (PageRank::default(), limits());
    let refused = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        let problem = refusal((&measure, &graph, &limits), &path);
        assert!(
            problem.contains("state: ") && problem.contains("remove"),
            "{problem}"
        );
    };
    for length in 0..bytes.len() {
        refused(&bytes[..length]);
    }
    refused(&[&bytes[..], b"\n"].concat());
    for place in 0..bytes.len() {
        let mut flipped = bytes.clone();
        flipped[place] ^= 1 << (place % 8);
        refused(&flipped);
    }
}

/// This file with a checksum that fits.
fn sealed(bytes: &[u8]) -> Vec<u8> {
    let content = &bytes[..bytes.len() - 16];
    [content, &xxh3_128(content).to_le_bytes()].concat()
}

#[test]
fn what_is_made_up_is_refused_or_ends() {
    let folder = TempDir::new().unwrap();
    let (graph, path, bytes) = small(folder.path());
    assert_eq!(sealed(&bytes), bytes);
    let (measure, limits) = (PageRank::default(), limits().max_iterations(100).unwrap());
    std::fs::remove_file(&path).unwrap();
    run((&measure, &graph, &limits), &path, 12).err().unwrap();
    let bytes = std::fs::read(&path).unwrap();
    for place in 0..bytes.len() - 16 {
        for bit in [0, 3, 7] {
            let mut changed = bytes.clone();
            changed[place] ^= 1 << bit;
            std::fs::write(&path, sealed(&changed)).unwrap();
            // Nothing is promised of the scores; nothing panics, or takes more than the file.
            let _ = run((&measure, &graph, &limits), &path, u64::MAX);
        }
    }
}

#[test]
fn other_work_is_refused() {
    let folder = TempDir::new().unwrap();
    let (graph, path, bytes) = small(folder.path());
    let (measure, limits) = (PageRank::default(), limits());
    let says = |problem: String, words: &str| assert!(problem.contains(words), "{problem}");
    let other = Graph::from_arcs(5, [(0, 1), (1, 2), (2, 0), (2, 1), (3, 0), (4, 3)]).unwrap();
    says(refusal((&measure, &other, &limits), &path), "fingerprint");
    let alpha = measure.clone().alpha(0.9).unwrap();
    says(
        refusal((&alpha, &graph, &limits), &path),
        "alpha 0.85, not 0.9",
    );
    let dangling = measure.clone().dangling(Dangling::Uniform);
    says(refusal((&dangling, &graph, &limits), &path), "dangling");
    let weights = Distribution::from_weights(vec![1.0, 2.0, 1.0, 1.0, 1.0]).unwrap();
    let preference = measure.clone().preference(weights);
    says(refusal((&preference, &graph, &limits), &path), "preference");
    let start = measure.clone().start(vec![1.0; 5]).unwrap();
    says(refusal((&start, &graph, &limits), &path), "start");
    for columns in [
        Columns::Derivative,
        Columns::Seeds(vec![0]),
        Columns::Alphas(vec![Damping::default()]),
    ] {
        let other = measure.clone().columns(columns);
        says(refusal((&other, &graph, &limits), &path), "columns");
    }
    let looser = limits.tolerance(1e-3).unwrap();
    says(
        refusal((&measure, &graph, &looser), &path),
        "tolerance 1e-12, not 0.001",
    );
    let shorter = limits.max_iterations(20).unwrap();
    says(
        refusal((&measure, &graph, &shorter), &path),
        "max_iterations 10000, not 20",
    );
    let [weighted, otherwise] = [2.0, 3.0].map(|last| {
        let arcs = [(0, 1), (1, 2), (2, 0), (2, 1), (3, 0), (3, 4)];
        let weights = vec![1.0, 1.0, 1.0, 1.0, 1.0, last];
        let graph = Graph::from_arcs(5, arcs).unwrap();
        graph.with_arc_weights(weights).unwrap()
    });
    says(refusal((&measure, &weighted, &limits), &path), "weights");
    let elsewhere = folder.path().join("weighted");
    let stopped = run((&measure, &weighted, &limits), &elsewhere, 5);
    assert!(matches!(stopped, Err(Error::Stopped { .. })));
    says(
        refusal((&measure, &otherwise, &limits), &elsewhere),
        "weights",
    );
    run((&measure, &weighted, &limits), &elsewhere, u64::MAX).unwrap();
    let betweenness = Betweenness::default();
    says(
        refusal((&betweenness, &graph, &limits), &path),
        "the measure pagerank",
    );
    let at = bytes.windows(8).position(|it| it == b"webrank ").unwrap();
    assert_eq!(at, 0, "the first is the kind of the file");
    let at = 8 + bytes[8..]
        .windows(8)
        .position(|it| it == b"webrank ")
        .unwrap();
    let mut of_version = bytes.clone();
    of_version[at + 8] = b'9';
    std::fs::write(&path, sealed(&of_version)).unwrap();
    says(
        refusal((&measure, &graph, &limits), &path),
        "the version webrank 9",
    );
    let mut of_format = bytes.clone();
    of_format[19] = b'1';
    std::fs::write(&path, of_format).unwrap();
    says(
        refusal((&measure, &graph, &limits), &path),
        "another version",
    );
    // The right one still goes on.
    std::fs::write(&path, &bytes).unwrap();
    run((&measure, &graph, &limits), &path, u64::MAX).unwrap();
}

#[test]
fn what_keeps_no_checkpoint_says_so() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("state");
    let graph = Graph::from_arcs(3, [(0, 1), (1, 2), (2, 0)]).unwrap();
    fn check<M: Measure>(measure: M, graph: &Graph, path: &Path) {
        let problem = refusal((&measure, graph, &Limits::default()), path);
        assert!(
            problem.contains("does not support it; checkpoints are for"),
            "{problem}"
        );
    }
    let pagerank = PageRank::default;
    check(pagerank().method(Method::GaussSeidel), &graph, &path);
    check(pagerank().method(Method::Components), &graph, &path);
    check(pagerank().certify_top(1), &graph, &path);
    check(Katz::default(), &graph, &path);
    assert!(!path.exists());
}

/// Checkpoints of every kind: a run goes on to the bits of one that was not stopped, or says in a line that
/// its state is damaged.
#[test]
fn random_damage_of_any_checkpoint_is_refused_or_harmless() {
    fn check<M: Measure>(measure: &M, nodes: u32) {
        let (graph, limits) = (graph(nodes), Limits::default());
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("state");
        run((measure, &graph, &limits), &path, 2).err().unwrap();
        let refused = is_refused_or_harmless(folder.path(), 40, || {
            run((measure, &graph, &limits), &path, u64::MAX).map(|found| said(&found))
        });
        assert!(refused > 30, "{refused}");
    }
    let distances = Geometric::named(&["harmonic", "lin"]).unwrap();
    let sample = SampleSize::sources(1600, 0.1).unwrap();
    let alphas = [0.5, 0.85].map(|alpha| Damping::new(alpha).unwrap());
    check(&PageRank::default(), 400);
    check(
        &PageRank::default().columns(Columns::Alphas(alphas.to_vec())),
        400,
    );
    check(&distances.clone().method(DistanceMethod::Exact), 3_000);
    check(
        &distances
            .clone()
            .method(DistanceMethod::Sample)
            .size(sample),
        4_200,
    );
    let counters = Counters::new(6, 7).unwrap();
    check(
        &distances
            .method(DistanceMethod::Hyperball)
            .counters(counters),
        700,
    );
    check(&Betweenness::default(), 700);
    let paths = Betweenness {
        method: BetweennessMethod::Approx,
        precision: Precision::new(0.01, 0.1).unwrap(),
        ..Betweenness::default()
    };
    check(&paths, 400);
}
