//! HITS, eigenvector centrality and the Kendall-Wei ranking.

use super::*;
use num_traits::{One, Signed};
use webrank_base::error::Result;
use webrank_base::limits::Limits;
use webrank_base::progress::Silent;
use webrank_graph::{Predecessors, Successors};
use webrank_scores::{Outcome, Scores, Status};
use webrank_testing::oracle::exact::{is_m_matrix, reaches};
use webrank_walks::eigenvector::{Dominance, Eigenvector, eigenvector};
use webrank_walks::hits::{HubsAndAuthorities, hits};
use webrank_walks::kendall_wei::{KendallWei, kendall_wei};

fn run(graph: &Weighted) -> Result<Dominance> {
    let rows = graph.predecessors();
    eigenvector(&rows, &Eigenvector::default(), &Limits::default(), &Silent)
}

fn run_hits(graph: &Weighted) -> HubsAndAuthorities {
    let [successors, predecessors] = [graph.successors(), graph.predecessors()];
    let (forward, backward) = (Successors(&successors), Predecessors(&predecessors));
    hits(forward, backward, &Limits::default(), &Silent).unwrap()
}

struct Eigen {
    status: Status,
    residual: f64,
    eigenvalue: f64,
    bounds: Option<[f64; 2]>,
}

fn outcome(scores: &Scores) -> Eigen {
    match scores.run.outcome {
        Outcome::Eigen {
            status,
            residual,
            eigenvalue,
            eigenvalue_bounds,
            ..
        } => Eigen {
            status,
            residual,
            eigenvalue,
            bounds: eigenvalue_bounds,
        },
        ref other => panic!("{other:?}"),
    }
}

/// Whether the spectral radius is below `radius`.
fn is_radius_below(a: &[Vec<Exact>], radius: &Exact) -> bool {
    let entry = |i: usize, j: usize| match i == j {
        true => radius - &a[i][i],
        false => -a[i][j].clone(),
    };
    let n = a.len();
    is_m_matrix(
        (0..n)
            .map(|i| (0..n).map(|j| entry(i, j)).collect())
            .collect(),
    )
}

/// x times a matrix of rows.
fn times(x: &[Exact], a: &[Vec<Exact>]) -> Vec<Exact> {
    let entry = |j: usize| {
        x.iter()
            .zip(a)
            .fold(Exact::zero(), |sum, (x, row)| sum + x * &row[j])
    };
    (0..x.len()).map(entry).collect()
}

fn square(x: &[Exact]) -> Exact {
    x.iter().fold(Exact::zero(), |sum, x| sum + x * x)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn eigenvalues_are_within_their_bounds_for_weights_of_any_size(graph in graphs()) {
        let a = graph.exact();
        let reaches = reaches(&a);
        let on_cycle = |i: usize| {
            !a[i][i].is_zero() || (0..graph.0).any(|j| j != i && reaches[i][j] && reaches[j][i])
        };
        let found = run(&graph);
        if !(0..graph.0).any(on_cycle) {
            prop_assert!(found.is_err());
            return Ok(());
        }
        let found = found.unwrap();
        let values = found.scores.as_slice();
        prop_assert!(are_scores(values), "{values:?}");
        prop_assert!((values.iter().sum::<f64>() - 1.0).abs() < 1e-13, "{values:?}");
        let Eigen { eigenvalue, residual, bounds, .. } = outcome(&found.scores);
        prop_assert!(residual.is_finite() && eigenvalue.is_finite() && eigenvalue > 0.0);
        let tiny = Exact::new(1.into(), num_bigint::BigInt::one() << 80);
        let Some([lower, upper]) = bounds else {
            prop_assert!(found.beyond_doubles.is_some() || eigenvalue > 1e307);
            return Ok(());
        };
        prop_assert!(lower <= eigenvalue && eigenvalue <= upper, "{lower:e} {eigenvalue:e} {upper:e}");
        // A radius that is itself a double may be its own bound.
        let above = exact(upper) * (Exact::one() + &tiny) + exact(f64::from_bits(1)) * &tiny;
        prop_assert!(is_radius_below(&a, &above), "{upper:e}");
        if lower > 0.0 {
            let below = exact(lower) * (Exact::one() - &tiny);
            prop_assert!(!is_radius_below(&a, &below), "{lower:e}");
        }
        // Zeros are those of nodes that no dominant component reaches, or of what is said.
        let zeros = values.iter().filter(|&&x| x == 0.0).count();
        prop_assert_eq!(zeros, graph.0 - found.positive + found.unresolved);
        // The residual, exactly.
        let is_normal = |&x: &f64| x == 0.0 || x > 1e-280;
        if found.unresolved == 0 && values.iter().all(is_normal) && eigenvalue > 1e-290 {
            let x: Vec<Exact> = values.iter().map(|&x| exact(x)).collect();
            let lambda = exact(eigenvalue);
            let image = times(&x, &a);
            let difference: Vec<Exact> =
                image.iter().zip(&x).map(|(y, x)| y - &lambda * x).collect();
            let allowed = exact(residual.max(1e-11)) * exact(2.0) * &lambda;
            prop_assert!(
                square(&difference) <= &allowed * &allowed * square(&x),
                "{values:?} {residual:e}"
            );
        }
    }

    #[test]
    fn eigenvectors_of_cycles_are_accurate(weights in prop::collection::vec(weight(), 1..=6)) {
        let n = weights.len();
        let next = |i: usize| (i + 1) % n;
        let arcs = weights.iter().enumerate();
        let arcs = arcs.map(|(i, &weight)| (i as Node, next(i) as Node, weight)).collect();
        let found = run(&Weighted::new(n, arcs)).unwrap();
        let values = found.scores.as_slice();
        let log = |x: f64| {
            // Numbers below all normal ones too.
            if x < 1e-290 { (x * 1e290).log2() - 290.0 * std::f64::consts::LOG2_10 } else { x.log2() }
        };
        let rho = weights.iter().map(|&weight| log(weight)).sum::<f64>() / n as f64;
        for i in 0..n {
            let (here, there) = (values[i], values[next(i)]);
            if here > 1e-290 && there > 1e-290 {
                let expected = log(weights[i]) - rho;
                prop_assert!((log(there) - log(here) - expected).abs() < 1e-9, "{values:?}");
            }
        }
        prop_assert_eq!(outcome(&found.scores).status, Status::Converged);
    }

    #[test]
    fn authorities_belong_to_the_largest_eigenvalue_for_weights_of_any_size(graph in graphs()) {
        let found = run_hits(&graph);
        let [authorities, hubs] = [found.authorities.as_slice(), found.hubs.as_slice()];
        prop_assert!(are_scores(authorities) && are_scores(hubs), "{authorities:?} {hubs:?}");
        if graph.1.is_empty() {
            return Ok(());
        }
        prop_assert!((authorities.iter().sum::<f64>() - 1.0).abs() < 1e-13);
        let Eigen { eigenvalue, residual, .. } = outcome(&found.authorities);
        prop_assert!(eigenvalue.is_finite() && eigenvalue > 0.0 && residual < 1e-11);
        // In units of the largest weight.
        let a = graph.exact();
        let largest = a.iter().flatten().max().unwrap().clone();
        let a: Vec<Vec<Exact>> = a.iter().map(|row| row.iter().map(|w| w / &largest).collect()).collect();
        let transposed: Vec<Vec<Exact>> =
            (0..graph.0).map(|i| a.iter().map(|row| row[i].clone()).collect()).collect();
        let x: Vec<Exact> = authorities.iter().map(|&x| exact(x)).collect();
        let image = times(&times(&x, &transposed), &a);
        let along = x.iter().zip(&image).fold(Exact::zero(), |sum, (x, y)| sum + x * y);
        let lambda = along / square(&x);
        prop_assert!(lambda > exact(1.0 - 1e-9));
        let difference: Vec<Exact> = image.iter().zip(&x).map(|(y, x)| y - &lambda * x).collect();
        let allowed = exact(1e-10) * &lambda;
        prop_assert!(square(&difference) <= &allowed * &allowed * square(&x), "{authorities:?}");
        prop_assert!(!lambda.is_negative());
    }
}

/// Five arcs; a node without predecessors.
fn five_arcs(weight: f64) -> Weighted {
    let arcs = [(0, 1), (0, 2), (1, 2), (2, 0), (3, 0)];
    Weighted::new(4, arcs.map(|(i, j)| (i, j, weight)).to_vec())
}

#[test]
fn equal_weights_of_any_size_give_the_same_scores() {
    let close = |a: &Scores, b: &Scores| {
        let pairs = a.as_slice().iter().zip(b.as_slice());
        pairs.map(|(a, b)| (a - b).abs()).sum::<f64>() < 1e-11
    };
    let one = five_arcs(1.0);
    let (plain, plain_hits) = (run(&one).unwrap(), run_hits(&one));
    for weight in [
        1e-320, 1e-300, 1e-160, 1e-90, 1e-20, 1e20, 1e160, 8e307, 1.7e308,
    ] {
        let graph = five_arcs(weight);
        let (found, found_hits) = (run(&graph).unwrap(), run_hits(&graph));
        assert!(close(&found.scores, &plain.scores), "{weight:e}");
        assert!(
            close(&found_hits.authorities, &plain_hits.authorities),
            "{weight:e}"
        );
        assert!(close(&found_hits.hubs, &plain_hits.hubs), "{weight:e}");
        let eigen = outcome(&found.scores);
        assert!(eigen.residual < 1e-12 && eigen.status == Status::Converged);
        let is_held = (1e-150..1e150).contains(&weight);
        assert_eq!(found_hits.beyond_doubles.is_none(), is_held, "{weight:e}");
    }
    let scores = plain_hits.authorities.as_slice();
    assert!(
        (scores[2] - 0.618).abs() < 1e-3 && scores[0] == 0.0,
        "{scores:?}"
    );
}

#[test]
fn eigenvalues_below_all_normal_doubles_are_within_their_bounds() {
    for (one, other) in [(5e-324, 1e-320), (1e-322, 3e-320), (1e-310, 5e-324)] {
        let graph = Weighted::new(2, vec![(0, 1, one), (1, 0, other)]);
        let [lower, upper] = outcome(&run(&graph).unwrap().scores).bounds.unwrap();
        // The square of the radius is the product.
        let product = exact(one) * exact(other);
        assert!(exact(lower) * exact(lower) <= product, "{lower:e}");
        assert!(exact(upper) * exact(upper) >= product, "{upper:e}");
    }
}

#[test]
fn uneven_cycles_of_weights_of_ordinary_size_converge() {
    let cycles: [&[f64]; 4] = [
        &[1e11, 1.0],
        &[1e18, 1e-18],
        &[1e13, 663.0, 1.0, 1.0],
        &[1e16, 1e-3, 1.0],
    ];
    for weights in cycles {
        let n = weights.len();
        let arcs = weights.iter().enumerate();
        let arcs = arcs.map(|(i, &weight)| (i as Node, ((i + 1) % n) as Node, weight));
        let found = run(&Weighted::new(n, arcs.collect())).unwrap();
        let values = found.scores.as_slice();
        let Eigen {
            status,
            residual,
            eigenvalue,
            bounds,
        } = outcome(&found.scores);
        assert_eq!(status, Status::Converged, "{weights:?}: {residual:e}");
        let rho = (weights.iter().map(|weight| weight.log2()).sum::<f64>() / n as f64).exp2();
        let [lower, upper] = bounds.unwrap();
        assert!(lower <= rho * (1.0 + 1e-14) && rho * (1.0 - 1e-14) <= upper);
        assert!((eigenvalue / rho - 1.0).abs() < 1e-11);
        for i in 0..n {
            let expected = values[i] * weights[i] / rho;
            assert!(
                (values[(i + 1) % n] / expected - 1.0).abs() < 1e-9,
                "{weights:?}: {values:?}"
            );
        }
    }
}

#[test]
fn residuals_are_those_of_the_scores_that_are_given() {
    // Errors in small entries matter to large ones; a vector of small residual is far off.
    let uneven = vec![(0, 1, 695.7709918374319), (1, 0, 1e-10), (1, 2, 1.0)];
    let near = vec![(0, 0, 1.0), (0, 1, 1e-14), (1, 0, 0.01), (1, 1, 1.0)];
    for (arcs, expected) in [(uneven, Status::Converged), (near, Status::NotConverged)] {
        let graph = Weighted::new(3, arcs);
        let found = run(&graph).unwrap();
        let Eigen {
            status,
            residual,
            eigenvalue,
            ..
        } = outcome(&found.scores);
        assert_eq!(status, expected, "{residual:e}");
        let x: Vec<Exact> = found.scores.as_slice().iter().map(|&x| exact(x)).collect();
        let image = times(&x, &graph.exact());
        let lambda = exact(eigenvalue);
        let difference = image.iter().zip(&x).map(|(y, x)| y - &lambda * x);
        let difference: Vec<Exact> = difference.collect();
        let allowed = exact(2.0 * residual.max(1e-12)) * &lambda;
        assert!(square(&difference) <= &allowed * &allowed * square(&x));
    }
}

#[test]
fn tournaments_of_any_size_are_ranked() {
    for weight in [1e-320, 1e-160, 1.7e308] {
        let arcs = vec![(0, 1, weight), (1, 2, weight), (2, 0, weight)];
        let beaten = Weighted::new(3, arcs).successors();
        let found = kendall_wei(&beaten, &KendallWei::default(), &Limits::default(), &Silent);
        let found = found.unwrap();
        for &score in found.dominance.scores.as_slice() {
            assert!((score - 1.0 / 3.0).abs() < 1e-12, "{weight:e}: {score}");
        }
    }
}

#[test]
fn small_numbers_on_the_way_do_not_end_it() {
    // Down by 1e-600, up again: node 4 scores as much as node 0.
    let arcs = vec![
        (0, 0, 1.0),
        (0, 1, 1e-300),
        (1, 2, 1e-300),
        (2, 3, 1e300),
        (3, 4, 1e300),
    ];
    let found = run(&Weighted::new(5, arcs)).unwrap();
    let values = found.scores.as_slice();
    assert!(
        (values[0] - 0.5).abs() < 1e-12 && (values[4] - 0.5).abs() < 1e-12,
        "{values:?}"
    );
    assert_eq!((found.positive, found.unresolved), (5, 1));
    assert_eq!(values[2], 0.0);
}

/// Eigenvalues that differ by less than doubles can tell, in parts that one leads to the other.
#[test]
fn eigenvalues_that_doubles_cannot_tell_apart_are_scores_or_an_error() {
    let graphs = [
        (
            3,
            vec![
                (0, 0, 1.0),
                (0, 1, 1e-6),
                (1, 0, 1e-16),
                (2, 1, 1e-6),
                (2, 2, 1.0),
            ],
        ),
        (
            3,
            vec![
                (0, 0, 1.0),
                (1, 1, 1.0),
                (1, 2, 1e-16),
                (2, 0, 1e-16),
                (2, 1, 1.0),
                (2, 2, 1.0),
            ],
        ),
        (
            2,
            vec![(0, 0, 1.0), (0, 1, 1e-14), (1, 0, 0.01), (1, 1, 1.0)],
        ),
    ];
    for (n, arcs) in graphs {
        match run(&Weighted(n, arcs)) {
            Ok(found) => assert!(found.scores.values.iter().all(|score| score.is_finite())),
            Err(problem) => assert!(
                problem.to_string().contains("agree to more digits"),
                "{problem}"
            ),
        }
    }
}
