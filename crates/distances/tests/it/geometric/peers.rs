//! Geometric measures and degrees against networkx and igraph: see `fixtures/make_fixtures.py`.

use webrank_base::progress::Silent;
use webrank_distances::geometric::closeness::Closeness;
use webrank_distances::geometric::harmonic::Harmonic;
use webrank_distances::geometric::reachable::Reachable;
use webrank_distances::geometric::{Direction, DistanceMeasure, geometric};
use webrank_graph::{Predecessors, Successors};
use webrank_scores::parameters::Variant;
use webrank_testing::fixtures::*;
use webrank_walks::degree::{indegree, outdegree};

#[test]
fn geometric_measures_equal_networkx_and_igraph() {
    for name in GRAPHS {
        let (graph, values) = (successors(name), values(name, "values"));
        let closeness = |variant| Closeness { variant };
        let measures: [&dyn DistanceMeasure; 4] = [
            &Harmonic::default(),
            &closeness(Variant::Bavelas),
            &closeness(Variant::WassermanFaust),
            &Reachable,
        ];
        let predecessors = graph.transpose().unwrap();
        let result = geometric(
            Predecessors(&predecessors),
            Successors(&graph),
            Direction::In,
            &measures,
            &Silent,
        )
        .unwrap();
        let column = |index: usize| result.scores[index].values.to_vec();
        assert_close(&column(0), &values["harmonic"], 1e-12);
        assert_close(&column(0), &values["harmonic_igraph"], 1e-12);
        assert_close(&column(2), &values["closeness_wf"], 1e-12);
        // networkx multiplies by the number of nodes that reach a node.
        let closeness = column(1).into_iter().zip(column(3)).map(|(c, r)| c * r);
        assert_close(&closeness.collect::<Vec<_>>(), &values["closeness"], 1e-12);
        assert_close(
            &indegree(Predecessors(&predecessors)).values.to_vec(),
            &values["indegree"],
            1e-12,
        );
        assert_close(
            &outdegree(Successors(&graph)).values.to_vec(),
            &values["outdegree"],
            1e-12,
        );
    }
}
