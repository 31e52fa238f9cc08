//! Values of networkx and igraph on a graph whose lengths are whole: see
//! `tests/fixtures/make_length_fixtures.py`.

use super::oracle::Case;
use webrank_base::Node;
use webrank_base::limits::Limits;
use webrank_base::progress::Silent;
use webrank_distances::betweenness::arcs::ArcBetweenness;
use webrank_distances::geometric::Geometric;
use webrank_distances::geometric::closeness::{Closeness, Variant};
use webrank_distances::geometric::eccentricity::Eccentricity;
use webrank_distances::geometric::harmonic::Harmonic;
use webrank_graph::Direction;
use webrank_lengths::LengthArcBetweenness;

fn fixture(name: &str) -> Vec<Vec<f64>> {
    let path = std::path::PathBuf::from(webrank_testing::at!("tests/fixtures")).join(name);
    let text = std::fs::read_to_string(path).unwrap();
    let rows = text.lines().skip(2);
    rows.map(|row| row.split(',').map(|value| value.parse().unwrap()).collect())
        .collect()
}

#[test]
fn scores_equal_networkx_and_igraph() {
    let (arcs, nodes) = (fixture("lengths.arcs.csv"), fixture("lengths.values.csv"));
    let case = Case::new(
        nodes.len(),
        arcs.iter()
            .map(|row| (row[0] as Node, row[1] as Node, row[2]))
            .collect(),
    );
    let column = |rows: &[Vec<f64>], i: usize| rows.iter().map(|row| row[i]).collect::<Vec<f64>>();
    let close = |found: &[f64], expected: &[f64], what: &str| {
        assert_eq!(found.len(), expected.len());
        for (node, (found, expected)) in found.iter().zip(expected).enumerate() {
            let error = (found - expected).abs();
            assert!(
                error <= 1e-9 * expected.abs() + 1e-12,
                "{what} {node}: {found} {expected}"
            );
        }
    };
    let out = |measure: Geometric| measure.direction(Direction::Out);
    let variant = Variant::WassermanFaust;
    for (place, measure, cutoff) in [
        (1, Geometric::of(Harmonic::default()), None),
        (2, Geometric::of(Closeness { variant }), None),
        (7, out(Geometric::of(Eccentricity)), None),
        (8, out(Geometric::of(Harmonic::default())), Some(12.0)),
    ] {
        let ranked = case.ranking(measure, cutoff);
        close(
            ranked.values(),
            &column(&nodes, place),
            &format!("column {place}"),
        );
    }
    for (place, endpoints, cutoff) in [
        (3, false, None),
        (4, true, None),
        (5, false, None),
        (6, false, Some(12.0)),
    ] {
        let ranked = case.betweenness(endpoints, cutoff);
        close(
            ranked.values(),
            &column(&nodes, place),
            &format!("column {place}"),
        );
    }
    let found = LengthArcBetweenness {
        of: ArcBetweenness { normalize: false },
        lengths: case.source(),
        cutoff: None,
    };
    let found = found
        .compute(&case.graph(), &Limits::default(), &Silent)
        .unwrap();
    close(found.values(), &column(&arcs, 3), "arcs");
    close(found.values(), &column(&arcs, 4), "arcs");
}
