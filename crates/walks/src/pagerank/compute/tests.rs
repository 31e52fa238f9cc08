//! Forms, columns and estimates of PageRank that no table shows.

use super::*;
use crate::pagerank::trustrank::{SeedCandidates, TrustRank};
use webrank_graph::Csr;
use webrank_graph::bundle::{BundleOptions, write_bundle};

/// A bundle in a folder.
fn on_disk(folder: &std::path::Path) -> Graph {
    let n = 2000u32;
    let arcs = (0..n).flat_map(|i| (1..9).map(move |k| (i, (i * 7 + k * k * 31) % n)));
    let path = folder.join("g.bv");
    let rows = Csr::from_arcs(n as usize, arcs).unwrap();
    write_bundle(&rows, None, &path, BundleOptions::default()).unwrap();
    Graph::open(&path).unwrap()
}

/// With so many bytes, rows fit into memory flat; but memory has grown since the form was chosen.
#[test]
fn the_form_that_was_chosen_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let graph = on_disk(folder.path());
    let params = PageRank {
        temp: Some(folder.path().to_owned()),
        ..PageRank::default()
    };
    let needs = params.forms(&graph).needs;
    let of = |form| needs.iter().find(|(other, _)| *other == form).unwrap().1;
    assert!(of(Storage::Runs) < of(Storage::Disk), "a small graph");
    let limits = Limits::default().memory(of(Storage::Disk));
    assert_eq!(params.forms(&graph).chosen(&limits).unwrap(), Storage::Runs);
    let (stop, phases) = (params.stop(&limits), Phases::start());
    let ranked = params.packed(&graph, Storage::Disk, &limits, &stop, phases, &Silent);
    // No byte is left for compact rows.
    assert_eq!(ranked.unwrap().form().unwrap()["name"], "disk");
}

#[test]
fn checkpoints_say_of_columns_what_stays_and_is_short() {
    let seeds = Columns::Seeds((0..100_000).collect()).kept();
    let others = Columns::Seeds((1..100_001).collect()).kept();
    assert_ne!(seeds, others);
    assert_eq!(seeds.as_str().unwrap().len(), 32);
    assert_eq!(Columns::Score.kept(), Value::Null);
    assert_eq!(Columns::Derivative.kept(), "derivative");
    let alphas = Columns::alphas(&[0.5, 0.85]).unwrap().kept();
    assert_eq!(alphas, json!([0.5, 0.85]));
}

#[test]
fn trust_needs_what_its_pagerank_needs() {
    let folder = tempfile::tempdir().unwrap();
    let graph = on_disk(folder.path());
    for certify_top in [None, Some(5)] {
        let trust = TrustRank {
            seeds: vec![1],
            damping: Default::default(),
            certify_top,
            team: Default::default(),
        };
        let pagerank = trust.params(&graph).unwrap();
        assert_eq!(trust.needs(&graph), pagerank.needs(&graph));
        let candidates = SeedCandidates {
            certify_top,
            ..SeedCandidates::default()
        };
        let plain = PageRank {
            certify_top,
            ..PageRank::default()
        };
        assert_eq!(candidates.needs(&graph), plain.needs(&graph));
    }
}

#[test]
fn seconds_are_those_of_the_forms_in_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let graph = on_disk(folder.path());
    let limits = Limits::default();
    let trust = TrustRank {
        seeds: vec![1],
        damping: Default::default(),
        certify_top: None,
        team: Default::default(),
    };
    let candidates = SeedCandidates::default();
    let seconds = [
        (
            trust.forms_of(&graph),
            trust.seconds_of(&graph, &limits, &Silent),
        ),
        (
            candidates.forms_of(&graph),
            candidates.seconds_of(&graph, &limits, &Silent),
        ),
    ];
    for (forms, seconds) in seconds {
        assert_eq!(seconds.unwrap().len(), forms.len());
    }
}
