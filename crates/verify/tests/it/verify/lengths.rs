//! Scores by lengths: those of the library pass, and what is changed is seen.

use super::counted::assert_seen;
use super::*;
use proptest::prelude::*;
use std::sync::Arc;
use webrank_base::limits::Limits;
use webrank_distances::betweenness::Betweenness;
use webrank_distances::betweenness::arcs::ArcBetweenness;
use webrank_distances::geometric::Geometric;
use webrank_distances::geometric::closeness::Closeness;
use webrank_graph::Direction;
use webrank_lengths::{
    Cutoff, LengthArcBetweenness, LengthBetweenness, LengthRanking, LengthSource,
};
use webrank_scores::parameters::Variant;
use webrank_testing::graphs::graphs;
use webrank_verify::{ArcLengths, Scale};

/// Weights that tie as decimals, in binary, and in halves.
fn weights() -> impl Strategy<Value = Vec<f64>> {
    let lists = vec![
        vec![0.1, 0.2, 0.3],
        vec![1.0, 2.0, 3.0, 6.0, 1e9],
        vec![2f64.powi(-70), 3.0 * 2f64.powi(-70), 2f64.powi(-68)],
    ];
    proptest::sample::select(lists)
        .prop_flat_map(|list| proptest::collection::vec(proptest::sample::select(list), 400))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn scores_by_lengths_pass_and_errors_are_seen(
        arcs in graphs(), weights in weights(), is_inverse: bool, is_out: bool, cut in 0..4usize,
    ) {
        let graph = graph_of(&arcs);
        prop_assume!(graph.num_arcs() > 0 && graph.num_arcs() < 400);
        let weights = &weights[..graph.num_arcs() as usize];
        let cutoff = (cut > 0).then(|| match is_inverse {
            true => 3.0 / weights[0],
            false => 3.0 * weights[0],
        });
        let graph = graph.with_arc_weights(weights.to_vec()).unwrap();
        let (lengths, source) = match is_inverse {
            true => (ArcLengths::Inverse, LengthSource::Inverse),
            false => (ArcLengths::Weights, LengthSource::Weights),
        };
        let direction = if is_out { Direction::Out } else { Direction::In };
        let parameters = Parameters {
            direction: Some(direction),
            lengths: Some(lengths),
            cutoff,
            scale: Scale::Plain,
            ..Parameters::default()
        };
        let limit = cutoff.map(|cutoff| Cutoff::new(cutoff).unwrap());
        let of = |measures: Geometric| {
            let ranking = LengthRanking::of(measures.direction(direction), source.clone());
            ranking.cutoff(limit).run(&graph).unwrap().values().to_vec()
        };
        for name in ["harmonic", "lin", "reachable", "eccentricity", "integration"] {
            assert_seen(name, &graph, &of(Geometric::named(&[name]).unwrap()), &parameters);
        }
        for variant in [Variant::Bavelas, Variant::Nieminen, Variant::WassermanFaust] {
            let parameters = Parameters { variant, ..parameters.clone() };
            let scores = of(Geometric::of(Closeness { variant }));
            assert_seen("closeness", &graph, &scores, &parameters);
        }
        let nodes = LengthBetweenness {
            of: Betweenness::default(),
            lengths: source.clone(),
            cutoff: limit,
        };
        assert_seen("betweenness", &graph, &scores(&nodes, &graph), &parameters);
        let arcs = LengthArcBetweenness {
            of: ArcBetweenness { normalize: false },
            lengths: source.clone(),
            cutoff: limit,
        };
        let arcs = arcs.compute(&graph, &Limits::default(), &Silent).unwrap();
        assert_seen("arc-betweenness", &graph, arcs.values(), &parameters);
    }

    #[test]
    fn steps_up_to_a_cutoff_pass(arcs in graphs(), cut in 1..5u32) {
        let graph = graph_of(&arcs);
        let parameters = Parameters {
            cutoff: Some(f64::from(cut)),
            scale: Scale::Plain,
            ..Parameters::default()
        };
        let limit = Some(Cutoff::new(f64::from(cut)).unwrap());
        let ranking = LengthRanking::of(Geometric::named(&["decay"]).unwrap(), LengthSource::Hops);
        let scores = ranking.cutoff(limit).run(&graph).unwrap().values().to_vec();
        assert_seen("decay", &graph, &scores, &parameters);
    }
}

#[test]
fn files_of_lengths_are_read_again() {
    let arcs = Arcs(4, vec![(0, 1), (0, 2), (0, 3), (1, 3), (2, 3)]);
    let graph = graph_of(&arcs);
    let lengths: Arc<[f64]> = [0.1, 0.2, 0.3, 0.2, 0.1].into();
    let measure = LengthBetweenness {
        of: Betweenness::default(),
        lengths: LengthSource::Values(lengths),
        cutoff: None,
    };
    let scores = scores(&measure, &graph);
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("lengths.csv");
    let with = |text: &str| {
        std::fs::write(&path, text).unwrap();
        let parameters = Parameters {
            lengths: Some(ArcLengths::File(path.clone())),
            scale: Scale::Plain,
            ..Parameters::default()
        };
        ask("betweenness", &graph, &scores, &parameters)
    };
    let found = with("0,1,.1\n0,2,2e-1\n0,3,0.30\n1,3,0.2\n2,3,1E-1\n").unwrap();
    assert!(found.error.at_most < 2e-11, "{found:?}");
    // The direct arc is longer: both other paths halve.
    let found = with("0,1,.1\n0,2,.2\n0,3,.31\n1,3,.2\n2,3,.1\n").unwrap();
    assert!(found.error.at_least > 0.3, "{found:?}");
    for (text, words) in [
        (
            "0,1,.1\n0,2,.2\n0,3,.3\n1,3,.2\n",
            "arc 4 of the graph has no positive length",
        ),
        (
            "0,1,-1\n0,2,.2\n0,3,.3\n1,3,.2\n2,3,.1\n",
            "no positive decimal",
        ),
        (
            "0,1,1e1500\n0,2,.2\n0,3,.3\n1,3,.2\n2,3,.1\n",
            "more than 128 bits",
        ),
    ] {
        let problem = with(text).unwrap_err().to_string();
        assert!(problem.contains(words), "{problem}");
    }
}
