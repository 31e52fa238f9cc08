//! HITS against igraph and networkx: see `fixtures/make_spectral.py`.

use webrank_base::limits::Limits;
use webrank_base::progress::Silent;
use webrank_graph::{Predecessors, Successors};
use webrank_testing::fixtures::*;
use webrank_walks::hits::hits;

#[test]
fn hits_equals_igraph_and_networkx() {
    for name in GRAPHS {
        let values = values(name, "spectral");
        let weights = ["", "_weighted", "_weighted_networkx"];
        let [plain, weighted] = matrices(name);
        for (matrix, suffix) in [&plain, &weighted, &weighted].into_iter().zip(weights) {
            let Some(authorities) = values.get(&format!("authority{suffix}")) else {
                continue;
            };
            let successors = matrix.transposed().unwrap();
            let (rows, limits) = (Predecessors(matrix), Limits::default());
            let found = hits(Successors(&successors), rows, &limits, &Silent).unwrap();
            assert_close(&found.authorities.values.to_vec(), authorities, 1e-10);
            if let Some(hubs) = values.get(&format!("hub{suffix}")) {
                assert_close(&found.hubs.values.to_vec(), hubs, 1e-10);
            }
        }
    }
}
