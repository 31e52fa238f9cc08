//! Equal lengths of 1 are hops: the same bits.

use super::oracle::*;
use proptest::prelude::*;
use webrank_base::limits::Limits;
use webrank_base::progress::Silent;
use webrank_distances::betweenness::Betweenness;
use webrank_distances::geometric::decay::{Base, Decay};
use webrank_distances::geometric::distances::DistanceDistribution;
use webrank_distances::geometric::{Geometric, all_measures};
use webrank_graph::{Direction, Graph};
use webrank_lengths::{LengthBetweenness, LengthDistribution, LengthRanking, LengthSource};
use webrank_measure::Measure;

fn same(graph: &Graph, what: &str) {
    let names: Vec<&str> = all_measures()
        .iter()
        .map(|measure| measure.name())
        .collect();
    let decay = |base: f64| {
        Geometric::of(Decay {
            base: Base::new(base).unwrap(),
        })
    };
    let mut measures = vec![Geometric::named(&names).unwrap(), decay(0.75), decay(0.1)];
    measures.extend(names.iter().map(|name| Geometric::named(&[*name]).unwrap()));
    for measure in measures {
        for direction in [Direction::In, Direction::Out] {
            let measure = measure.clone().direction(direction);
            let hops = measure.run(graph).unwrap();
            let ranking = LengthRanking::of(measure, LengthSource::Hops);
            let lengths = ranking.run(graph).unwrap();
            assert_eq!(hops.ranking().ranks(), lengths.ranking().ranks(), "{what}");
            for ((name, a), (_, b)) in hops.columns().iter().zip(lengths.columns()) {
                let bits = |scores: &webrank_scores::Scores| {
                    scores
                        .values
                        .iter()
                        .map(|it| it.to_bits())
                        .collect::<Vec<_>>()
                };
                assert_eq!(bits(a), bits(b), "{what}: {name}");
                assert_eq!(a.run.outcome, b.run.outcome, "{what}: {name}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn on_random_graphs(case in cases()) {
        let graph = case.graph();
        same(&graph, "a random graph");
        let of = Betweenness::default();
        let hops = of.run(&graph).unwrap();
        let lengths = LengthBetweenness { of, lengths: LengthSource::Hops, cutoff: None };
        let lengths = lengths.run(&graph).unwrap();
        prop_assert_eq!(hops.ranking().ranks(), lengths.ranking().ranks());
    }
}

#[test]
fn on_paths_and_trees() {
    let path = |n: u32| Graph::from_arcs(n as usize, (1..n).map(|x| (x - 1, x))).unwrap();
    same(&path(90), "a path");
    let tree = (1..200u32).flat_map(|x| [(x, x / 2), (x / 2, x)]);
    same(&Graph::from_arcs(200, tree).unwrap(), "a tree");
    same(&Graph::from_arcs(3, []).unwrap(), "no arcs");
}

#[test]
fn the_distribution_of_hops_is_that_of_lengths_of_one() {
    let tree = (1..300u32).flat_map(|x| [(x, x / 3), (x / 3, x)]);
    let graph = Graph::from_arcs(300, tree).unwrap();
    let hops = DistanceDistribution::default().run(&graph).unwrap();
    let asked = LengthDistribution {
        lengths: LengthSource::Hops,
        cutoff: None,
    };
    let found = asked.compute(&graph, &Limits::default(), &Silent).unwrap();
    assert_eq!(Some(found.diameter), hops.diameter.map(f64::from));
    let pairs: Vec<f64> = found.pairs.iter().map(|pairs| pairs.1 as f64).collect();
    assert_eq!(pairs, hops.pairs);
    assert_eq!(found.average_distance, hops.average_distance());
    assert_eq!(found.effective_diameter, hops.effective_diameter(0.9));
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12 * b, "{a} {b}");
    close(found.harmonic_diameter, hops.harmonic_diameter());
    close(found.spid.unwrap(), hops.spid().unwrap());
}
