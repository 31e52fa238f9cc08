//! Statements on Katz's index are true: zeros, alpha by the spectral radius, bounds below all normal
//! doubles.

use num_traits::Zero;
use webrank_base::Node;
use webrank_base::limits::Limits;
use webrank_base::progress::Silent;
use webrank_graph::Csr;
use webrank_linear::Matrix;
use webrank_testing::oracle::exact::{distance, exact};
use webrank_testing::outcomes::{Relative, relative};
use webrank_walks::katz::{AUTO, Attenuation, Katz, KatzMethod, KatzScores, katz};

/// Arcs (from, to, weight) as a matrix of what flows in.
fn matrix(n: usize, arcs: &[(Node, Node, f64)]) -> Matrix {
    let rows = Csr::from_arcs(n, arcs.iter().map(|&(from, to, _)| (to, from))).unwrap();
    let weight = |to: Node, from: Node, _: f64| {
        let found = arcs.iter().find(|arc| (arc.0, arc.1) == (from, to));
        found.unwrap().2
    };
    Matrix::new(rows).mapped(weight)
}

fn run(matrix: &Matrix, params: &Katz) -> KatzScores {
    katz(matrix, params, &Limits::default(), &Silent).unwrap()
}

#[test]
fn a_score_is_zero_only_where_no_walk_from_beta_gets() {
    let n = 300;
    let rows = Csr::from_arcs(n + 5, (1..n as Node).map(|node| (node, node - 1))).unwrap();
    let mut beta = vec![0.0; n + 5];
    beta[0] = 1.0;
    for (alpha, method) in [
        (0.85, KatzMethod::Bicgstab),
        (0.01, KatzMethod::Bicgstab),
        (0.85, KatzMethod::Power),
        (0.01, KatzMethod::Power),
        (0.85, KatzMethod::GaussSeidel),
    ] {
        let params = Katz {
            alpha: Attenuation::new(alpha).unwrap(),
            beta: Some(beta.clone()),
            method,
            ..Katz::default()
        };
        let found = run(&Matrix::new(rows.clone()), &params).scores;
        let Relative { error_bound, .. } = relative(&found);
        let mut power = exact(1.0);
        let mut truth = Vec::new();
        for node in 0..n + 5 {
            truth.push(if node < n { power.clone() } else { exact(0.0) });
            power *= exact(alpha);
            assert_eq!(found.values[node] > 0.0, node < n, "{alpha} {node}");
        }
        assert!(distance(found.as_slice(), &truth) <= exact(error_bound));
    }
}

#[test]
fn alpha_is_085_of_its_limit_however_unbalanced_cycles_are() {
    let weights: [&[f64]; 3] = [
        &[1e4, 1e2, 1e3, 1e-4, 0.1, 1e-4],
        &[1e5, 1e-5, 1e5, 1e-5],
        &[1e8, 1e-3, 1e-3, 1e-2],
    ];
    for weights in weights {
        let n = weights.len() as Node;
        let arcs = weights.iter().zip(0..);
        let arcs: Vec<_> = arcs.map(|(&weight, i)| (i, (i + 1) % n, weight)).collect();
        let product: f64 = weights.iter().product();
        let rho = product.powf(1.0 / f64::from(n));
        let found = run(&matrix(n as usize, &arcs), &Katz::default());
        assert!(
            (found.alpha * rho / AUTO - 1.0).abs() < 1e-6,
            "{weights:?} {}",
            found.alpha
        );
        assert!(
            found.radius.is_known_to(1e-6),
            "{weights:?} {:?}",
            found.radius
        );
    }
}

#[test]
fn bounds_below_all_normal_doubles_are_rounded_up() {
    for beta in [9e-310, 3e-312, 5e-324] {
        let params = Katz {
            alpha: Attenuation::new(0.3).unwrap(),
            beta: Some(vec![beta]),
            ..Katz::default()
        };
        let found = run(&matrix(1, &[(0, 0, 1.0)]), &params).scores;
        let truth = exact(beta) / (exact(1.0) - exact(0.3));
        let Relative { error_bound, .. } = relative(&found);
        let error = distance(found.as_slice(), &[truth]);
        assert!(
            !error.is_zero() && error <= exact(error_bound),
            "{beta:e} {error_bound:e}"
        );
    }
}
