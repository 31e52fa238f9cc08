//! Seeley's index against numpy: see `fixtures/make_spectral.py`.

use approx::assert_relative_eq;
use webrank_base::limits::Limits;
use webrank_base::progress::Silent;
use webrank_testing::fixtures::*;
use webrank_walks::seeley::{Seeley, seeley};

#[test]
fn seeley_equals_the_extrapolated_limit_of_numpy() {
    for name in GRAPHS {
        let values = values(name, "spectral");
        for (matrix, column) in matrices(name).iter().zip(["seeley", "seeley_weighted"]) {
            let limits = Limits::default();
            let found = seeley(matrix, &Seeley::default(), &limits, &Silent).unwrap();
            for (ours, theirs) in found.scores.values.iter().zip(&values[column]) {
                assert_relative_eq!(ours, theirs, epsilon = 3e-9);
            }
        }
    }
}
