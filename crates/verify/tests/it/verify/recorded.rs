//! Parameters that manifests record are read back.

use serde_json::{Map, Value, json};
use webrank_distances::betweenness::Betweenness;
use webrank_distances::geometric::closeness::Closeness;
use webrank_distances::geometric::decay::{Base, Decay};
use webrank_graph::Direction;
use webrank_measure::parameters;
use webrank_scores::parameters::{Damping, Dangling, Variant};
use webrank_verify::{Parameters, Scale};
use webrank_walks::pagerank::PageRank;
use webrank_walks::seeley::Seeley;

fn read(recorded: Map<String, Value>) -> Parameters {
    serde_json::from_value(recorded.into()).unwrap()
}

#[test]
fn parameters_of_measures_are_read_back() {
    for dangling in [Dangling::Preference, Dangling::Uniform, Dangling::None] {
        let found = read(parameters(&PageRank {
            damping: Damping::new(0.3).unwrap(),
            dangling: dangling.clone(),
            ..PageRank::default()
        }));
        assert_eq!((found.alpha, found.dangling), (Some(0.3), dangling));
        assert_eq!(found.scale, Scale::Unknown);
    }
    for variant in [
        Variant::Bavelas,
        Variant::Lin,
        Variant::Nieminen,
        Variant::WassermanFaust,
    ] {
        assert_eq!(read(parameters(&Closeness { variant })).variant, variant);
    }
    for direction in [Direction::In, Direction::Out] {
        let seeley = Seeley {
            direction,
            ..Seeley::default()
        };
        assert_eq!(read(parameters(&seeley)).direction, Some(direction));
    }
    let base = Base::new(0.25).unwrap();
    assert_eq!(read(parameters(&Decay { base })).base, 0.25);
    for (normalize, scale) in [(true, Scale::Normalized), (false, Scale::Plain)] {
        let found = read(parameters(&Betweenness {
            endpoints: true,
            normalize,
            ..Betweenness::default()
        }));
        assert_eq!((found.endpoints, found.scale), (true, scale));
    }
}

#[test]
fn vectors_are_only_mentioned() {
    let mentioned = json!({ "alpha": 0.5, "preference": "vector", "beta": "vector", "seeds": 3 });
    let found: Parameters = serde_json::from_value(mentioned).unwrap();
    assert!(found.preference.weights().is_none() && found.beta.is_none());
    assert!(found.seeds.is_empty());
    let written = json!(Parameters {
        seeds: vec![4, 2],
        beta: Some(vec![1.0, 2.0]),
        ..found
    });
    assert_eq!(written["seeds"], 2);
    assert_eq!(
        (&written["beta"], &written["preference"]),
        (&"vector".into(), &"uniform".into())
    );
}
