//! Sentences and guarantees of outcomes.

use super::*;
use serde_json::json;

/// One outcome of each kind.
fn outcomes() -> Vec<Outcome> {
    let (status, iterations) = (Status::Converged, 7);
    vec![
        Outcome::Exact,
        Outcome::Sampled {
            sources: 10,
            epsilon: 0.1,
            delta: 0.25,
            unit: Some(3.0),
        },
        Outcome::SampledPaths {
            status: Status::NotConverged,
            paths: 10,
            epsilon: 0.1,
            delta: 0.25,
            unit: Some(6.0),
        },
        Outcome::Estimated {
            relative_standard_error: 0.02,
        },
        Outcome::Iterated {
            status,
            iterations,
            error_bound: 1e-9,
        },
        Outcome::Relative {
            status: Status::NotConverged,
            iterations,
            error_bound: 1e-4,
            relative_error_bound: 1e-9,
        },
        Outcome::Stationary {
            status,
            iterations,
            residual: 1e-12,
            error_bound: Some(1e-8),
        },
        Outcome::Eigen {
            status,
            iterations,
            residual: 1e-12,
            eigenvalue: 2.5,
            eigenvalue_bounds: Some([2.0, 3.0]),
            gap: 0.5,
        },
        Outcome::FromSources { sources: 10 },
        Outcome::Rounded {
            relative_error_bound: 1e-13,
            error_bound: 1e-9,
        },
    ]
}

#[test]
fn outcomes_read_back_as_they_were_written() {
    for outcome in outcomes() {
        let text = serde_json::to_string(&outcome).unwrap();
        assert_eq!(serde_json::from_str::<Outcome>(&text).unwrap(), outcome);
    }
}

#[test]
fn bounds_of_an_eigenvalue_are_shown_as_they_are() {
    let described = |bounds| {
        let outcome = Outcome::Eigen {
            status: Status::Converged,
            iterations: 7,
            residual: 1e-12,
            eigenvalue: 2.5,
            eigenvalue_bounds: Some(bounds),
            gap: 0.5,
        };
        outcome.to_string()
    };
    assert!(described([2.25, 2.625]).contains("proved to be within 2.5e-1,"));
    // No digit is rounded away.
    let loose = described([2.499999999999, 21810.25]);
    assert!(loose.contains("proved to be from 2.499999999999 to 21810.25,"));
}

#[test]
fn what_is_beyond_doubles_is_not_shown_as_the_largest_of_them() {
    let outcome = Outcome::Eigen {
        status: Status::Converged,
        iterations: 7,
        residual: 1e-12,
        eigenvalue: f64::MAX,
        eigenvalue_bounds: Some([2.0, f64::MAX]),
        gap: 0.5,
    };
    let text = outcome.to_string();
    assert!(
        text.contains("eigenvalue beyond 1.797e308, proved to be from 2 to beyond 1.797e308"),
        "{text}"
    );
}

#[test]
fn every_certified_bound_is_a_guarantee_and_no_other() {
    let within = |half_width, probability| Guarantee::Within {
        half_width,
        probability,
    };
    let found: Vec<Guarantee> = outcomes().iter().map(|o| o.guarantee(false)).collect();
    assert_eq!(found[0], Guarantee::Exact);
    assert_eq!(found[1], within(0.1 * 3.0, Some(0.75)));
    assert_eq!(found[2], within(0.1 * 6.0, Some(0.75)));
    assert_eq!(found[4], within(1e-9, None));
    assert_eq!(found[5], within(1e-4, None));
    assert_eq!(found[6], within(1e-8, None));
    assert_eq!(found[9], within(1e-9, None));
    for none in [&found[3], &found[7], &found[8]] {
        assert!(matches!(none, Guarantee::None { .. }), "{none:?}");
    }
}

#[test]
fn a_bound_that_is_no_bound_guarantees_nothing() {
    let read = |outcome| serde_json::from_value::<Outcome>(outcome).unwrap();
    for outcome in [
        json!({"kind": "iterated", "status": "converged", "iterations": 1, "error_bound": null}),
        json!({"kind": "iterated", "status": "converged", "iterations": 1, "error_bound": -1}),
        json!({"kind": "stationary", "status": "not_converged", "iterations": 1,
               "residual": 0.5, "error_bound": null}),
        // As version 0.1.0 wrote it.
        json!({"kind": "sampled", "sources": 4, "epsilon": 0.1, "delta": 0.1}),
    ] {
        let guarantee = read(outcome).guarantee(false);
        assert!(matches!(guarantee, Guarantee::None { .. }), "{guarantee:?}");
    }
}
