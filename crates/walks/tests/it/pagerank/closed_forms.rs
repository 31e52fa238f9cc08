//! PageRank on graphs with a closed form, and corner cases.

use crate::pagerank::runs::*;
use ndarray::Array1;
use webrank_scores::Status;
use webrank_scores::parameters::Dangling;
use webrank_testing::graphs::*;
use webrank_walks::pagerank::{Method, PageRank};

/// Checks both methods against closed forms.
fn assert_scores(graph: &Arcs, params_of: impl Fn(Method) -> PageRank, expected: &[f64]) {
    for method in METHODS {
        let scores = run(graph, &params_of(method), &within(1e-12));
        let (status, _, bound) = outcome(&scores);
        assert_eq!(status, Status::Converged, "{method:?}");
        let expected = Array1::from_vec(expected.to_vec());
        assert!(
            l1(&scores.values, &expected) <= bound + 1e-15,
            "{method:?}: {} is not {expected}",
            scores.values
        );
    }
}

#[test]
fn cycles_are_uniform_whatever_their_period() {
    for n in [1, 2, 3, 10] {
        assert_scores(&cycle(n), plain, &vec![1.0 / n as f64; n as usize]);
    }
}

#[test]
fn cliques_are_uniform() {
    let arcs = (0..49u32).map(|k| (k / 7, k % 7)).collect();
    assert_scores(&Arcs(7, arcs), plain, &[1.0 / 7.0; 7]);
}

#[test]
fn a_star_gives_its_centre_what_its_leaves_send() {
    // centre = (1 - a)/n + a leaves, leaves + centre = 1.
    let n = 11;
    let both_ways = (1..n).flat_map(|leaf| [(leaf, 0), (0, leaf)]).collect();
    let a = 0.85;
    let centre = ((1.0 - a) / n as f64 + a) / (1.0 + a);
    let mut expected = vec![(1.0 - centre) / (n - 1) as f64; n as usize];
    expected[0] = centre;
    assert_scores(&Arcs(n as usize, both_ways), plain, &expected);
}

#[test]
fn a_path_sums_powers_of_alpha() {
    // y_k = 1 + a y_(k-1), normalised when the end sends its mass back by the preference.
    let (n, a) = (9u32, 0.85f64);
    let path = Arcs(n as usize, (1..n).map(|i| (i - 1, i)).collect());
    let unscaled: Vec<f64> = (1..=n as i32)
        .map(|k| (1.0 - a.powi(k)) / (1.0 - a))
        .collect();
    let total: f64 = unscaled.iter().sum();
    let scaled: Vec<f64> = unscaled.iter().map(|y| y / total).collect();
    assert_scores(&path, plain, &scaled);
    let lost = |method| PageRank {
        dangling: Dangling::None,
        ..plain(method)
    };
    let scaled: Vec<f64> = unscaled.iter().map(|y| y * (1.0 - a) / n as f64).collect();
    assert_scores(&path, lost, &scaled);
}

#[test]
fn no_nodes_no_scores() {
    assert_scores(&Arcs(0, vec![]), plain, &[]);
}

#[test]
fn one_node_has_everything_unless_its_mass_is_lost() {
    for arcs in [vec![], vec![(0, 0)]] {
        assert_scores(&Arcs(1, arcs), plain, &[1.0]);
    }
    let lost = |method| PageRank {
        dangling: Dangling::None,
        ..plain(method)
    };
    assert_scores(&Arcs(1, vec![]), lost, &[1.0 - 0.85]);
    assert_scores(&Arcs(1, vec![(0, 0)]), lost, &[1.0]);
}

#[test]
fn without_arcs_scores_are_the_preference_and_the_dangling_distribution() {
    let preferred = |method| PageRank {
        preference: weights(&[1.0, 0.0, 3.0]),
        ..plain(method)
    };
    let graph = Arcs(3, vec![]);
    assert_scores(&graph, preferred, &[0.25, 0.0, 0.75]);
    let elsewhere = |method| PageRank {
        dangling: Dangling::Vector(weights(&[0.0, 1.0, 0.0])),
        ..preferred(method)
    };
    assert_scores(&graph, elsewhere, &[0.15 * 0.25, 0.85, 0.15 * 0.75]);
}

#[test]
fn without_damping_scores_are_the_preference() {
    let still = |method| PageRank {
        preference: weights(&[1.0, 1.0, 2.0]),
        ..params(0.0, method)
    };
    assert_scores(&cycle(3), still, &[0.25, 0.25, 0.5]);
}
