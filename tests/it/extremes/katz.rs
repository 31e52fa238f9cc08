//! Katz's index.

use super::*;
use num_traits::One;
use webrank_base::error::Result;
use webrank_base::limits::Limits;
use webrank_base::progress::Silent;
use webrank_scores::Status;
use webrank_testing::oracle::exact::{distance, is_m_matrix, resolvent, solve};
use webrank_testing::outcomes::{Relative, relative};
use webrank_walks::katz::{Attenuation, Katz, KatzMethod, KatzScores, katz};

fn run(rows: &Matrix, alpha: Option<f64>, beta: Option<Vec<f64>>) -> Result<KatzScores> {
    let params = Katz {
        alpha: alpha.map_or(Attenuation::Auto, |alpha| Attenuation::new(alpha).unwrap()),
        beta,
        ..Katz::default()
    };
    katz(rows, &params, &Limits::default(), &Silent)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn katz_is_within_its_bound_or_says_what_it_cannot_hold(
        graph in graphs(),
        alpha in prop_oneof![
            3 => Just(None),
            2 => weight().prop_map(Some),
            1 => (0.01..10.0f64).prop_map(Some),
        ],
        beta in prop::option::of(prop::collection::vec(prop_oneof![Just(0.0), weight()], 5)),
    ) {
        let n = graph.0;
        let beta = beta.map(|mut beta| {
            beta.truncate(n);
            beta[0] = beta[0].max(1.0);
            beta
        });
        let a = graph.exact();
        let right = beta.clone().unwrap_or(vec![1.0; n]);
        let right: Vec<Exact> = right.into_iter().map(exact).collect();
        let largest = exact(f64::MAX);
        match run(&graph.predecessors(), alpha, beta) {
            Ok(found) => {
                let values = found.scores.as_slice();
                prop_assert!(are_scores(values), "{values:?}");
                prop_assert!(found.alpha > 0.0 && found.alpha.is_finite());
                let system = resolvent(&a, &exact(found.alpha));
                prop_assert!(is_m_matrix(system.clone()), "alpha {}", found.alpha);
                let truth = solve(system, right);
                let Relative { status, error_bound: bound, .. } = relative(&found.scores);
                if bound.is_finite() {
                    prop_assert!(distance(values, &truth) <= exact(bound), "{values:?} {bound:e}");
                }
                if alpha.is_none() {
                    prop_assert_eq!(status, Status::Converged);
                }
                for (&x, truth) in values.iter().zip(&truth) {
                    prop_assert!(x > 0.0 || truth.is_zero() || found.num_lost > 0);
                }
            }
            Err(problem) => {
                let text = problem.to_string();
                prop_assert!(text.len() < 400 && !text.contains("inf"), "{text}");
                let Some(alpha) = alpha else {
                    // Auto: 0.85/rho, or a score, is too large.
                    prop_assert!(text.contains("a double holds"), "{text}");
                    return Ok(());
                };
                if text.contains("1/rho") {
                    let above = exact(alpha) * exact(1.0 + 1e-11);
                    prop_assert!(!is_m_matrix(resolvent(&a, &above)), "{text}");
                } else {
                    prop_assert!(text.contains("a double holds"), "{text}");
                    let truth = solve(resolvent(&a, &exact(alpha)), right);
                    let most = truth.iter().max().unwrap();
                    prop_assert!(*most > &largest * exact(1.0 - 1e-8), "{text}");
                }
            }
        }
    }

    #[test]
    fn alphas_next_to_their_limit_are_told_apart(
        weights in prop::collection::vec(weight(), 2..=4),
        below in any::<bool>(),
    ) {
        // On a cycle, rho is the geometric mean.
        let n = weights.len();
        let next = |i: usize| ((i + 1) % n) as Node;
        let arcs = weights.iter().enumerate();
        let arcs = arcs.map(|(i, &weight)| (i as Node, next(i), weight)).collect();
        let graph = Weighted::new(n, arcs);
        let log = weights.iter().map(|weight| weight.log2()).sum::<f64>() / n as f64;
        let near = (-log).exp2();
        prop_assume!(near.is_normal() && near < 1e300);
        let is_valid = |alpha: f64| is_m_matrix(resolvent(&graph.exact(), &exact(alpha)));
        // Bisection: the last double that is valid.
        let (mut valid, mut invalid) = (0.9 * near, 1.1 * near);
        prop_assume!(is_valid(valid) && !is_valid(invalid));
        for _ in 0..60 {
            let middle = valid + (invalid - valid) / 2.0;
            *if is_valid(middle) { &mut valid } else { &mut invalid } = middle;
        }
        let rows = graph.predecessors();
        if below {
            let alpha = valid * (1.0 - 1e-12);
            let params = Katz { alpha: Attenuation::new(alpha).unwrap(), ..Katz::default() };
            let limits = Limits::default().max_iterations(300).unwrap();
            let accepted = match katz(&rows, &params, &limits, &Silent) {
                Ok(found) => are_scores(found.scores.as_slice()),
                Err(problem) => problem.to_string().contains("a double holds"),
            };
            prop_assert!(accepted);
        } else {
            let problem = run(&rows, Some(invalid), None).unwrap_err().to_string();
            prop_assert!(problem.contains("1/rho"), "{problem}");
        }
    }
}

#[test]
fn alphas_next_to_their_limit_are_told_apart_on_uneven_cycles() {
    let cycles: [&[f64]; 3] = [&[663.0, 1.0, 1.0, 1e13], &[1e15, 1e-15], &[1e17, 3.0, 5.0]];
    for weights in cycles {
        let n = weights.len();
        let log = weights.iter().map(|weight| weight.log2()).sum::<f64>() / n as f64;
        let limit = (-log).exp2();
        let arcs = weights.iter().enumerate();
        let arcs = arcs.map(|(i, &weight)| (i as Node, ((i + 1) % n) as Node, weight));
        let graph = Weighted::new(n, arcs.collect());
        let rows = graph.predecessors();
        let limits = Limits::default().max_iterations(300).unwrap();
        for (alpha, is_valid) in [
            (limit * (1.0 - 1e-12), true),
            (limit * (1.0 + 1e-12), false),
        ] {
            assert_eq!(
                is_m_matrix(resolvent(&graph.exact(), &exact(alpha))),
                is_valid
            );
            let params = Katz {
                alpha: Attenuation::new(alpha).unwrap(),
                ..Katz::default()
            };
            match katz(&rows, &params, &limits, &Silent) {
                Ok(found) => assert!(is_valid && are_scores(found.scores.as_slice())),
                Err(problem) => assert!(!is_valid, "{weights:?}: {problem}"),
            }
        }
    }
}

#[test]
fn tiny_beta_is_only_another_unit() {
    let arc = Weighted::new(2, vec![(0, 1, 1.0)]);
    let rows = [
        arc.predecessors(),
        Matrix::new(arc.predecessors().rows().clone()),
    ];
    for rows in rows {
        for unit in [1e-16, 1e-99, 1e-300, 1e16, 1e99, 1e300] {
            for beta in [
                [1.0, 1.0],
                [1.0, 0.0],
                [0.0, 1.0],
                [1.0, 1e-16],
                [1e-16, 1.0],
            ] {
                for method in [KatzMethod::Power, KatzMethod::GaussSeidel] {
                    let params = Katz {
                        alpha: Attenuation::new(0.5).unwrap(),
                        beta: Some(beta.map(|beta| beta * unit).to_vec()),
                        method,
                        ..Katz::default()
                    };
                    let found = katz(&rows, &params, &Limits::default(), &Silent).unwrap();
                    let values = found.scores.as_slice();
                    let expected = [beta[0] * unit, beta[1] * unit + 0.5 * (beta[0] * unit)];
                    assert_eq!(values, expected, "{unit:e} {beta:?} {method:?}");
                    assert_eq!(
                        relative(&found.scores).status,
                        Status::Converged,
                        "{unit:e} {beta:?} {method:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn scores_beyond_doubles_are_an_error_of_one_short_line() {
    let arcs = (0..4).map(|i| (i, i + 1, 1e200)).collect();
    let rows = Weighted::new(5, arcs).predecessors();
    let problem = run(&rows, Some(1.0), None).unwrap_err().to_string();
    assert_eq!(
        problem,
        "alpha is 1.000000: 3 scores are more than a double holds, such as that of node 2, about \
         1.000e400: give less, or multiply all weights or beta by one small number"
    );
    // Weights of 1 too, if walks are long.
    let arcs = (0..400).map(|i| (i, i + 1, 1.0)).collect();
    let rows = Matrix::new(Weighted::new(401, arcs).predecessors().rows().clone());
    let problem = run(&rows, Some(10.0), None).unwrap_err().to_string();
    assert!(
        problem.contains("are more than a double holds"),
        "{problem}"
    );
    assert!(run(&rows, Some(0.5), None).is_ok());
}

#[test]
fn messages_have_an_exponent_instead_of_300_digits() {
    let cycle = |weight: f64| Weighted::new(2, vec![(0, 1, weight), (1, 0, weight)]);
    for (weight, alpha, limit) in [
        (1e300, 1e-299, "e-301 on this graph"),
        (1e-300, 1e301, "e299 on this graph"),
        (1.7e308, 1e-300, "5.882e-309 on this graph"),
    ] {
        let problem = run(&cycle(weight).predecessors(), Some(alpha), None).unwrap_err();
        let problem = problem.to_string();
        assert!(problem.contains(limit) && problem.len() < 200, "{problem}");
    }
    // 0.85/rho does not exist as a double.
    let problem = run(&cycle(1e-310).predecessors(), None, None)
        .unwrap_err()
        .to_string();
    assert!(
        problem.contains("multiply all weights by one number"),
        "{problem}"
    );
}

#[test]
fn iterations_end_at_their_limit() {
    let arcs = vec![
        (0, 1, 2.0),
        (1, 2, 3.0),
        (2, 0, 1.0),
        (0, 0, 1.0),
        (2, 2, 0.5),
    ];
    let plain = Weighted::new(3, arcs.clone()).predecessors();
    let wide = |(i, j, weight): (Node, Node, f64)| (i, j, weight * 1e250);
    let wide = Weighted::new(3, arcs.into_iter().map(wide).collect()).predecessors();
    for (rows, scale) in [(plain, 1.0), (wide, 1e-250)] {
        for beta in [None, Some(vec![0.0, 1.0, 0.0])] {
            for method in [KatzMethod::Power, KatzMethod::GaussSeidel] {
                for limit in [25, 30, 50] {
                    let params = Katz {
                        alpha: Attenuation::new(0.399 * scale).unwrap(),
                        beta: beta.clone(),
                        method,
                        ..Katz::default()
                    };
                    let limits = Limits::default().max_iterations(limit).unwrap();
                    let limits = limits.tolerance(1e-15).unwrap();
                    let Ok(found) = katz(&rows, &params, &limits, &Silent) else {
                        continue;
                    };
                    let Relative { iterations, .. } = relative(&found.scores);
                    assert!(iterations <= limit, "{iterations} of {limit}");
                }
            }
        }
    }
}

#[test]
fn no_nodes_no_arcs_and_loops_alone() {
    let found = run(&Weighted::new(0, vec![]).predecessors(), None, None).unwrap();
    assert!(found.scores.as_slice().is_empty());
    let found = run(&Weighted::new(2, vec![]).predecessors(), None, None).unwrap();
    assert_eq!(found.scores.as_slice(), [1.0, 1.0]);
    let loops = vec![(0, 0, 1.7e308), (1, 1, 1e-320)];
    let found = run(&Weighted::new(2, loops).predecessors(), None, None).unwrap();
    let values = found.scores.as_slice();
    // 1 / (1 - 0.85), and 1 / (1 - 0).
    assert!(
        (values[0] * 0.15 - 1.0).abs() < 1e-6 && values[1] == 1.0,
        "{values:?}"
    );
    assert!(exact(found.alpha) * exact(1.7e308) < Exact::one());
}
