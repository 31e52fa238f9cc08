//! Current-flow betweenness against networkx: see `fixtures/make_current_flow.py`.

use webrank_base::Node;
use webrank_base::progress::Silent;
use webrank_graph::Graph;
use webrank_measure::Measure;
use webrank_testing::fixtures::*;
use webrank_walks::current_flow::CurrentFlow;

#[test]
fn current_flow_equals_networkx_with_and_without_weights() {
    for name in GRAPHS {
        let rows = successors(name);
        let n = rows.num_nodes();
        let arcs = (0..n as Node).flat_map(|x| rows.row(x).iter().map(move |&y| (x, y)));
        let both = arcs.flat_map(|(x, y)| [(x, y), (y, x)]);
        let graph = || Graph::from_arcs(n, both.clone()).unwrap();
        let rows = graph().successors(&Silent).unwrap();
        let arcs = (0..n as Node).flat_map(|x| rows.row(x).iter().map(move |&y| (x, y)));
        let weights = arcs.map(|(x, y)| f64::from(1 + (x + y) % 4)).collect();
        let values = values(name, "flow");
        let check = |graph: &Graph, normalize: bool, column: &str| {
            let ranked = CurrentFlow { normalize }.run(graph).unwrap();
            assert_close(ranked.values(), &values[column], 1e-9);
        };
        check(&graph(), false, "flow");
        check(
            &graph().with_arc_weights(weights).unwrap(),
            false,
            "flow_weighted",
        );
        if values.contains_key("flow_normalized") {
            check(&graph(), true, "flow_normalized");
        }
    }
}
