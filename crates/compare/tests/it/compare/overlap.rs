//! Top-k overlap and rank-biased overlap against their definitions: all ways to break ties, and
//! whole tables of contributions.

use oracle::Variant;
use proptest::prelude::*;
use webrank_compare::overlap::curve_sizes;
use webrank_compare::overlap::powers_of_ten;
use webrank_compare::rbo::RankBiasedOverlap;
use webrank_compare::*;
use webrank_testing::oracle::compare as oracle;

fn scores(rows: usize) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec((0..3).prop_map(f64::from), rows)
}

fn same_length() -> impl Strategy<Value = (Vec<f64>, Vec<f64>)> {
    (1usize..6).prop_flat_map(|rows| (scores(rows), scores(rows)))
}

fn partial() -> impl Strategy<Value = (Vec<Option<f64>>, Vec<Option<f64>>)> {
    let score = || prop::option::weighted(0.7, (0..6).prop_map(f64::from));
    prop::collection::vec((score(), score()), 1..14).prop_map(|rows| rows.into_iter().unzip())
}

fn rbo(x: &Ranking, y: &Ranking, p: f64) -> Option<RankBiasedOverlap> {
    rank_biased_overlap(x, y, Persistence::new(p).unwrap()).unwrap()
}

proptest! {
    #[test]
    fn overlap_is_the_mean_over_all_orders_of_ties((x, y) in same_length(), k in 1usize..8) {
        let (orders_x, orders_y) = (oracle::orders(&x), oracle::orders(&y));
        let top = |order: &[usize]| order[..k.min(order.len())].to_vec();
        let mut shared = 0;
        for a in &orders_x {
            for b in &orders_y {
                shared += top(a).iter().filter(|i| top(b).contains(i)).count();
            }
        }
        let expected = shared as f64 / (orders_x.len() * orders_y.len()) as f64;
        let (x, y) = (Ranking::new(&x).unwrap(), Ranking::new(&y).unwrap());
        let ours = top_overlap(&x, &y, k).unwrap();
        prop_assert!((ours.overlap - expected).abs() < 1e-12);
        prop_assert!((ours.agreement - expected / k as f64).abs() < 1e-12);
        prop_assert!((ours.jaccard - expected / (2.0 * k as f64 - expected)).abs() < 1e-12);
    }

    #[test]
    fn rbo_a_is_the_mean_over_all_orders_of_ties((x, y) in same_length(), p in 0.1..0.95f64) {
        let (orders_x, orders_y) = (oracle::orders(&x), oracle::orders(&y));
        let mut sum = 0.0;
        for a in &orders_x {
            for b in &orders_y {
                sum += oracle::rbo_of_orders(a, b, p);
            }
        }
        let expected = sum / (orders_x.len() * orders_y.len()) as f64;
        let ours = rbo(&Ranking::new(&x).unwrap(), &Ranking::new(&y).unwrap(), p).unwrap();
        prop_assert!((ours.a - expected).abs() < 1e-12);
    }

    #[test]
    fn rbo_follows_its_definition((x, y) in partial(), p in 0.1..0.99f64) {
        let (ranking_x, ranking_y) = (Ranking::partial(&x).unwrap(), Ranking::partial(&y).unwrap());
        let Some(ours) = rbo(&ranking_x, &ranking_y, p) else {
            prop_assert!(ranking_x.is_empty() || ranking_y.is_empty());
            return Ok(());
        };
        for (ours, variant) in [(ours.w, Variant::W), (ours.a, Variant::A), (ours.b, Variant::B)] {
            let truth = oracle::rbo(&x, &y, p, variant).clamp(0.0, 1.0);
            prop_assert!((ours - truth).abs() < 1e-12, "{ours} {truth}");
        }
    }

    #[test]
    fn a_ranking_overlaps_itself(x in (1usize..20).prop_flat_map(scores)) {
        let x = Ranking::new(&x).unwrap();
        let ours = rbo(&x, &x, 0.9).unwrap();
        prop_assert!((ours.w - 1.0).abs() < 1e-12 && (ours.b - 1.0).abs() < 1e-12);
        prop_assert!(ours.a <= 1.0 + 1e-12);
    }
}

/// Ties at the cut, by hand: x puts 0 first and then {1, 2}; y puts {0, 1} first and then 2.
#[test]
fn a_cut_tie_counts_in_expectation() {
    let x = Ranking::new(&[9.0, 5.0, 5.0]).unwrap();
    let y = Ranking::new(&[7.0, 7.0, 1.0]).unwrap();
    let one = top_overlap(&x, &y, 1).unwrap();
    assert_eq!(
        (one.overlap, one.tied_at_cut_x, one.tied_at_cut_y),
        (0.5, 0, 2)
    );
    let two = top_overlap(&x, &y, 2).unwrap();
    assert_eq!(
        (two.overlap, two.tied_at_cut_x, two.tied_at_cut_y),
        (1.5, 2, 0)
    );
    assert_eq!(two.jaccard, 0.6);
    assert_eq!(top_overlap(&x, &y, 3).unwrap().overlap, 3.0);
}

/// Two nodes in opposite order: A_1 = 0, A_2 = 1, extrapolated: RBO = p. Tied in one ranking:
/// w: A_1 = 2·1/(1 + 2) = 2/3; a: A_1 = 1/2; b: A_1 = (1/2)/sqrt(1 · 1/2) = 1/sqrt 2.
#[test]
fn two_nodes_by_hand() {
    let ahead = Ranking::new(&[2.0, 1.0]).unwrap();
    let back = Ranking::new(&[1.0, 2.0]).unwrap();
    let tied = Ranking::new(&[1.0, 1.0]).unwrap();
    let p = 0.75;
    let swapped = rbo(&ahead, &back, p).unwrap();
    for value in [swapped.w, swapped.a, swapped.b] {
        assert!((value - p).abs() < 1e-15);
    }
    let half = rbo(&ahead, &tied, p).unwrap();
    for (value, first) in [(half.w, 2.0 / 3.0), (half.a, 0.5), (half.b, 0.5f64.sqrt())] {
        assert!((value - ((1.0 - p) * first + p)).abs() < 1e-15);
    }
}

/// Beyond the shorter list [0] of the lists [0] and [0, 1] all places are assumed to agree as
/// the first does: RBO_EXT = 1; against [1, 0] the first place disagrees: node 0 is seen at depth
/// 2 and half of it shared from there on.
#[test]
fn uneven_lists_by_hand() {
    let short = Ranking::partial(&[Some(1.0), None]).unwrap();
    let long = Ranking::partial(&[Some(2.0), Some(1.0)]).unwrap();
    let turned = Ranking::partial(&[Some(1.0), Some(2.0)]).unwrap();
    for (ranking, expected) in [(&long, 1.0), (&turned, 0.9 * 0.5)] {
        let ours = rbo(&short, ranking, 0.9).unwrap();
        for value in [ours.w, ours.a, ours.b] {
            assert!((value - expected).abs() < 1e-15, "{value}");
        }
    }
    let nobody = Ranking::partial(&[None, None]).unwrap();
    assert_eq!(rbo(&nobody, &long, 0.9), None);
    assert_eq!(top_overlap(&nobody, &long, 1).unwrap().overlap, 0.0);
}

#[test]
fn sizes_for_tables_and_curves() {
    assert_eq!(powers_of_ten(1000), [10, 100]);
    assert_eq!(powers_of_ten(1001), [10, 100, 1000]);
    assert_eq!(powers_of_ten(5), [0; 0]);
    let sizes = curve_sizes(1_000_000, 50);
    assert!(sizes.is_sorted() && sizes[0] == 1 && *sizes.last().unwrap() == 1_000_000);
    assert_eq!(curve_sizes(0, 10), [0; 0]);
    assert!(top_overlap(&Ranking::new(&[]).unwrap(), &Ranking::new(&[]).unwrap(), 0).is_err());
}
