//! Eigenvector centrality against networkx, igraph and numpy: see `fixtures/make_spectral.py`.

use webrank_base::limits::Limits;
use webrank_base::progress::Silent;
use webrank_testing::fixtures::*;
use webrank_walks::eigenvector::{Eigenvector, Norm, eigenvector};

#[test]
fn eigenvector_equals_networkx_igraph_and_numpy() {
    for name in GRAPHS {
        let values = values(name, "spectral");
        let [plain, weighted] = matrices(name);
        for (matrix, norm, column) in [
            (&plain, Norm::L2, "eigenvector"),
            (&plain, Norm::L2, "eigenvector_igraph"),
            (&plain, Norm::L1, "eigenvector_numpy"),
            (&weighted, Norm::L1, "eigenvector_weighted"),
        ] {
            let Some(theirs) = values.get(column) else {
                continue;
            };
            let params = Eigenvector {
                norm,
                ..Eigenvector::default()
            };
            let found = eigenvector(matrix, &params, &Limits::default(), &Silent).unwrap();
            assert_close(&found.scores.values.to_vec(), theirs, 1e-10);
        }
    }
}
