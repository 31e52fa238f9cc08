//! Katz's index against networkx: see `fixtures/make_spectral.py`.

use webrank_base::limits::Limits;
use webrank_base::progress::Silent;
use webrank_testing::fixtures::*;
use webrank_walks::katz::{Attenuation, Katz, KatzMethod, katz};

#[test]
fn katz_equals_networkx_with_and_without_weights() {
    for name in GRAPHS {
        let values = values(name, "spectral");
        let columns = [("katz", 0.05), ("katz_weighted", 0.02)];
        for (matrix, (column, alpha)) in matrices(name).iter().zip(columns) {
            for method in [
                KatzMethod::Bicgstab,
                KatzMethod::Power,
                KatzMethod::GaussSeidel,
            ] {
                let params = Katz {
                    alpha: Attenuation::new(alpha).unwrap(),
                    method,
                    ..Katz::default()
                };
                let limits = Limits::default().tolerance(1e-12).unwrap();
                let found = katz(matrix, &params, &limits, &Silent).unwrap();
                assert_close(&found.scores.values.to_vec(), &values[column], 1e-10);
            }
        }
    }
}
