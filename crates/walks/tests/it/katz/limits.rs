//! Limits are respected.

use webrank_base::limits::Limits;
use webrank_base::progress::Silent;
use webrank_scores::Status;
use webrank_testing::graphs::*;
use webrank_testing::outcomes::{Relative, relative};
use webrank_testing::patience::Patience;
use webrank_walks::katz::{Attenuation, Katz, KatzMethod, katz};

/// The outcome on two linked paths within so many sweeps.
fn outcome(params: &Katz, sweeps: u32) -> Relative {
    let limits = Limits::default().max_iterations(sweeps).unwrap();
    let matrix = linked_paths(20_000).matrix();
    let found = katz(&matrix, params, &limits, &Patience::default()).unwrap();
    relative(&found.scores)
}

#[test]
fn it_ends_at_its_limit_and_certifies_nothing_that_it_has_not_proved() {
    let mut beta = vec![0.0; 40_000];
    beta[0] = 1.0;
    let params = Katz {
        alpha: Attenuation::new(0.49999999).unwrap(),
        beta: Some(beta),
        ..Katz::default()
    };
    let found = outcome(&params, 20);
    assert_eq!(found.status, Status::NotConverged);
    assert_eq!(found.error_bound, f64::INFINITY);
    assert!(found.iterations <= 25, "{found:?}");
}

#[test]
fn sweeps_that_find_the_radius_count() {
    for (method, expected) in [
        (KatzMethod::Power, 50..=65),
        // Steps of two sweeps end below the limit.
        (KatzMethod::Bicgstab, 47..=50),
    ] {
        let params = Katz {
            method,
            ..Katz::default()
        };
        let iterations = outcome(&params, 50).iterations;
        assert!(expected.contains(&iterations), "{iterations}");
    }
}

#[test]
fn certificates_near_the_limit_do_not_exceed_it() {
    // A path in both directions, of radius sqrt 2, and an alpha that is 1e-12 below 1/rho.
    let path = Arcs(3, vec![(0, 1), (1, 0), (1, 2), (2, 1)]);
    for method in [
        KatzMethod::Bicgstab,
        KatzMethod::Power,
        KatzMethod::GaussSeidel,
    ] {
        let params = Katz {
            alpha: Attenuation::new(0.7071067811858404).unwrap(),
            method,
            ..Katz::default()
        };
        for sweeps in (110..130).chain([1_000, 9_999, 10_000, 10_001]) {
            let limits = Limits::default().max_iterations(sweeps).unwrap();
            let found = katz(&path.matrix(), &params, &limits, &Silent).unwrap();
            let found = relative(&found.scores);
            assert_eq!(found.status, Status::NotConverged);
            assert!(found.iterations <= sweeps, "{sweeps}: {found:?}");
        }
    }
}
