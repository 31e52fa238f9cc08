//! Indegree and outdegree.

use webrank_graph::{Csr, Predecessors, Successors};
use webrank_walks::degree::{indegree, outdegree};

#[test]
fn degrees_count_self_loops() {
    let successors = Csr::from_arcs(3, [(0, 0), (0, 1), (2, 1)]).unwrap();
    let predecessors = successors.transpose().unwrap();
    assert_eq!(
        indegree(Predecessors(&predecessors)).values.to_vec(),
        [1.0, 2.0, 0.0]
    );
    assert_eq!(
        outdegree(Successors(&successors)).values.to_vec(),
        [2.0, 0.0, 1.0]
    );
}
