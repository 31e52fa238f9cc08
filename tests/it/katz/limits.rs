//! Limits are respected.

use crate::support::graphs::*;
use crate::support::patience::Patience;
use webrank::internals::centrality::katz::{Attenuation, Katz, katz};
use webrank::internals::limits::Limits;
use webrank::internals::scores::{Outcome, Status};

/// The outcome on two linked paths within so many sweeps: status, sweeps and error bound.
fn outcome(params: &Katz, sweeps: u32) -> (Status, u32, f64) {
    let limits = Limits::default().max_iterations(sweeps).unwrap();
    let matrix = linked_paths(20_000).matrix();
    let found = katz(&matrix, params, &limits, &Patience::default()).unwrap();
    match found.scores.run.outcome {
        Outcome::Relative {
            status,
            iterations,
            error_bound,
            ..
        } => (status, iterations, error_bound),
        other => panic!("{other:?}"),
    }
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
    let (status, iterations, bound) = outcome(&params, 20);
    assert_eq!((status, bound), (Status::NotConverged, f64::INFINITY));
    assert!(iterations <= 25, "{iterations}");
}

#[test]
fn sweeps_that_find_the_radius_count() {
    let (_, iterations, _) = outcome(&Katz::default(), 50);
    assert!((50..=65).contains(&iterations), "{iterations}");
}
