//! Runs by lengths that are stopped go on from their checkpoint: see [`super::checkpoints`].

use super::checkpoints::{Kept, NEVER, check, run, said};
use super::interruption::graph;
use serde_json::{Map, Value};
use std::fs;
use std::num::NonZeroUsize;
use std::time::Duration;
use tempfile::TempDir;
use webrank::{Error, Graph, Harmonic, Limits, Measure, Progress, Result, Silent};
use webrank_base::checkpoint::{Checkpoint, Work};
use webrank_distances::betweenness::arcs::{ArcBetweenness, RankedArcs};
use webrank_distances::betweenness::{Betweenness, BetweennessMethod};
use webrank_distances::geometric::Geometric;
use webrank_distances::geometric::sampled::Precision;
use webrank_lengths::{
    Cutoff, LengthArcBetweenness, LengthBetweenness, LengthRanking, LengthSource,
};

/// Small whole lengths, lengths of 64 and 128 bits, and of any size.
fn lengths(graph: &Graph) -> Vec<LengthSource> {
    let of = |list: &[f64]| {
        let lengths = (0..graph.num_arcs() as usize).map(|arc| list[arc % list.len()]);
        LengthSource::Values(lengths.collect())
    };
    vec![
        of(&[1.0, 2.0, 5.0]),
        of(&[0.1, 0.25, 1234.5, 7e4]),
        of(&[1e18, 3e18, 7.0]),
        of(&[1e-30, 1e30, 3e30]),
    ]
}

#[test]
fn distances_by_lengths_go_on_from_every_part() {
    for (place, name) in ["small", "middle", "wide", "long"].into_iter().enumerate() {
        let (nodes, names): (_, &[&str]) = match name {
            "small" => (1_100, &["harmonic", "closeness", "decay", "integration"]),
            _ => (150, &["harmonic", "closeness", "eccentricity"]),
        };
        let graph = graph(nodes);
        let measures = Geometric::named(names).unwrap();
        let measure = LengthRanking::of(measures, lengths(&graph).swap_remove(place));
        assert!(check(&measure, &graph, &Limits::default()) > 2, "{name}");
    }
}

#[test]
fn betweenness_by_lengths_goes_on_from_every_part() {
    let graph = graph(100);
    for lengths in lengths(&graph) {
        for method in [BetweennessMethod::Exact, BetweennessMethod::Sources] {
            let of = Betweenness {
                method,
                endpoints: method == BetweennessMethod::Exact,
                samples: NonZeroUsize::new(40).unwrap(),
                ..Betweenness::default()
            };
            let measure = LengthBetweenness {
                of,
                lengths: lengths.clone(),
                cutoff: None,
            };
            assert!(check(&measure, &graph, &Limits::default()) > 5);
        }
    }
}

#[test]
fn paths_by_lengths_are_drawn_on() {
    let graph = graph(100);
    let [_, lengths, ..] = &lengths(&graph)[..] else {
        unreachable!()
    };
    let measure = LengthBetweenness {
        of: Betweenness {
            method: BetweennessMethod::Approx,
            precision: Precision::new(0.008, 0.1).unwrap(),
            ..Betweenness::default()
        },
        lengths: lengths.clone(),
        cutoff: None,
    };
    assert!(check(&measure, &graph, &Limits::default()) > 1);
}

/// Arcs by hops and by lengths, stopped at each safe point.
#[test]
fn betweenness_of_arcs_goes_on_from_every_part() {
    let graph = graph(100);
    let of = ArcBetweenness { normalize: true };
    let long = LengthArcBetweenness {
        of,
        lengths: lengths(&graph).swap_remove(1),
        cutoff: None,
    };
    let by_hops = |progress: &dyn Progress| of.compute(&graph, &Limits::default(), progress);
    let by_lengths = |progress: &dyn Progress| long.compute(&graph, &Limits::default(), progress);
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("state");
    let kept = |parameters: &Map<String, Value>, point: u64| {
        let work = Work::new("arcs", "the graph".into(), parameters.clone());
        let checkpoint = Checkpoint::open(work, &path, NEVER).unwrap();
        Kept(checkpoint.stopping_at(point))
    };
    type Run<'r> = &'r dyn Fn(&dyn Progress) -> Result<RankedArcs>;
    let runs: [(_, Run); 2] = [
        (webrank_measure::parameters(&of), &by_hops),
        (long.kept_parameters(&graph).unwrap(), &by_lengths),
    ];
    for (parameters, run) in runs {
        let bits = |ranked: &RankedArcs| -> Vec<u64> {
            ranked.values().iter().map(|it| it.to_bits()).collect()
        };
        let whole = bits(&run(&Silent).unwrap());
        let mut stops = 0;
        let ended = loop {
            match run(&kept(&parameters, 2)) {
                Err(Error::Stopped { .. }) => stops += 1,
                ended => break ended.unwrap(),
            }
            assert!(stops < 100);
        };
        assert!(bits(&ended) == whole && stops > 2, "{stops}");
        fs::remove_file(&path).unwrap();
    }
}

/// A run by other lengths, another cutoff or from another number of sources at a time is other work.
#[test]
fn a_checkpoint_of_other_lengths_is_refused() {
    let graph = graph(600);
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("state");
    let of = |lengths: &LengthSource, cutoff: Option<f64>| {
        let cutoff = cutoff.map(|cutoff| Cutoff::new(cutoff).unwrap());
        let measures = Geometric::of(Harmonic::default());
        LengthRanking::of(measures, lengths.clone()).cutoff(cutoff)
    };
    let (all, limits) = (lengths(&graph), Limits::default());
    let first = of(&all[0], Some(9.0));
    run((&first, &graph, &limits), &path, 1).err().unwrap();
    for (other, words) in [
        (of(&all[1], Some(9.0)), "lengths"),
        (of(&all[0], Some(8.0)), "cutoff"),
    ] {
        let problem = run((&other, &graph, &limits), &path, u64::MAX);
        let problem = problem.err().unwrap().to_string();
        assert!(problem.contains(words), "{problem}");
    }
    let whole = said(&first.compute(&graph, &limits, &Silent).unwrap());
    // A time budget is asked for when a run begins.
    let short = Limits::default().time(Duration::ZERO);
    assert!(said(&run((&first, &graph, &short), &path, u64::MAX).unwrap()) == whole);
}
