//! Every measure against its definition in exact fractions, on random graphs with many ties.

use super::oracle::*;
use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{One, ToPrimitive, Zero};
use proptest::prelude::*;
use webrank_base::Node;
use webrank_base::limits::Limits;
use webrank_base::progress::Silent;
use webrank_distances::betweenness::arcs::ArcBetweenness;
use webrank_distances::geometric::closeness::{Closeness, Variant};
use webrank_distances::geometric::decay::{Base, Decay};
use webrank_distances::geometric::eccentricity::Eccentricity;
use webrank_distances::geometric::harmonic::Harmonic;
use webrank_distances::geometric::integration::Integration;
use webrank_distances::geometric::lin::Lin;
use webrank_distances::geometric::reachable::Reachable;
use webrank_distances::geometric::{DistanceMeasure, Geometric};
use webrank_graph::Direction;
use webrank_lengths::paths::shortest_paths;
use webrank_lengths::{Cutoff, LengthArcBetweenness, LengthDistribution};
use webrank_measure::Measure;
use webrank_scores::Outcome;

fn number(count: usize) -> Fraction {
    Ratio::from(BigInt::from(count))
}

fn sum(distances: &[Fraction]) -> Fraction {
    distances.iter().fold(Fraction::zero(), |sum, it| sum + it)
}

fn largest<'a>(distances: impl IntoIterator<Item = &'a Fraction>) -> Fraction {
    let zero = Fraction::zero();
    let largest = distances.into_iter().fold(&zero, |a, b| a.max(b));
    largest.clone()
}

/// The score of a node of n that these distances have, in a graph of this diameter.
type Formula = fn(&[Fraction], usize, &Fraction) -> Fraction;

fn formulas() -> Vec<(Geometric, &'static str, Formula)> {
    fn of(measure: impl DistanceMeasure + 'static) -> Geometric {
        Geometric::of(measure)
    }
    let closeness = |variant| of(Closeness { variant });
    vec![
        (of(Harmonic { normalize: false }), "harmonic", |d, _, _| {
            d.iter().fold(Fraction::zero(), |sum, it| sum + it.recip())
        }),
        (of(Harmonic { normalize: true }), "normalised", |d, n, _| {
            let inverses = d.iter().fold(Fraction::zero(), |sum, it| sum + it.recip());
            inverses / number((n - 1).max(1))
        }),
        (closeness(Variant::Bavelas), "bavelas", |d, _, _| match d {
            [] => Fraction::zero(),
            _ => sum(d).recip(),
        }),
        (
            closeness(Variant::WassermanFaust),
            "wasserman-faust",
            |d, n, _| match d {
                [] => Fraction::zero(),
                _ => number(d.len() * d.len()) / number(n - 1) / sum(d),
            },
        ),
        (closeness(Variant::Nieminen), "nieminen", |d, _, _| {
            number((d.len() + 1).pow(2)) - sum(d)
        }),
        (closeness(Variant::Lin), "closeness lin", lin),
        (of(Lin), "lin", lin),
        (of(Reachable), "reachable", |d, _, _| number(d.len())),
        (of(Eccentricity), "eccentricity", |d, _, _| largest(d)),
        (of(Integration), "integration", |d, n, diameter| {
            let nearer = d.iter().fold(Fraction::zero(), |sum, it| {
                sum + (diameter + Fraction::one() - it)
            });
            nearer / number((n - 1).max(1))
        }),
    ]
}

fn lin(d: &[Fraction], _: usize, _: &Fraction) -> Fraction {
    match d {
        [] => Fraction::one(),
        _ => number((d.len() + 1).pow(2)) / sum(d),
    }
}

/// All paths without a node twice, in the order of their nodes, each with its length.
fn simple_paths(
    case: &Case,
    path: &mut Vec<Node>,
    to: Node,
    found: &mut Vec<(Fraction, Vec<Node>)>,
) {
    let from = *path.last().unwrap();
    if from == to {
        let steps = path.windows(2).map(|step| {
            let is_step = |arc: &&(Node, Node)| [arc.0, arc.1] == *step;
            let place = case.arcs.iter().position(|arc| is_step(&arc)).unwrap();
            fraction(case.lengths[place], case.is_binary)
        });
        found.push((
            steps.fold(Fraction::zero(), |sum, it| sum + it),
            path.clone(),
        ));
        return;
    }
    for &(_, next) in case.arcs.iter().filter(|arc| arc.0 == from) {
        if !path.contains(&next) {
            path.push(next);
            simple_paths(case, path, to, found);
            path.pop();
        }
    }
}

proptest! {
    #[test]
    fn paths_are_the_shortest_of_all(case in cases(), limit in 0usize..4) {
        for from in 0..case.nodes as Node {
            for to in 0..case.nodes as Node {
                let mut all = Vec::new();
                simple_paths(&case, &mut vec![from], to, &mut all);
                let least = all.iter().map(|(length, _)| length.clone()).min();
                all.retain(|(length, _)| Some(length) == least.as_ref());
                let all: Vec<Vec<Node>> = all.into_iter().map(|(_, path)| path).collect();
                let source = case.source();
                let found = shortest_paths(&case.graph(), [from, to], (&source, None), &|_| Ok(()), &Silent).unwrap();
                prop_assert_eq!(found.length(), least.map(|length| double(&length)));
                prop_assert_eq!(found.count(), all.len() as u128);
                let mut shown = Vec::new();
                let Ok(()) = found.visit(limit, &mut |path| {
                    shown.push(path.to_vec());
                    Ok::<_, std::convert::Infallible>(())
                });
                prop_assert_eq!(&shown[..], &all[..limit.min(all.len())]);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    #[test]
    fn scores_and_ranks_are_those_of_exact_fractions(case in cases(), cut in 0..4usize) {
        let cutoff = match cut {
            0 => None,
            // As long as some paths: they count.
            place => case.lengths.get(place).map(|length| 2.0 * length),
        };
        let all = case.distances(cutoff);
        for direction in [Direction::In, Direction::Out] {
            let of_node = |node| case.distances_of(&all, node, direction);
            let distances: Vec<Vec<Fraction>> = (0..case.nodes).map(of_node).collect();
            let diameter = largest(distances.iter().flatten());
            for (measure, name, formula) in formulas() {
                // Differences of numbers so far apart are refused.
                let is_far = case.lengths.iter().any(|&length| !(1e-30..1e30).contains(&length));
                if is_far && ["nieminen", "integration"].contains(&name) {
                    continue;
                }
                let ranked = case.ranking(measure.direction(direction), cutoff);
                let exact: Vec<Fraction> = distances
                    .iter()
                    .map(|distances| formula(distances, case.nodes, &diameter))
                    .collect();
                check(&ranked, 0, &exact, &format!("{name} {direction:?} {cutoff:?} {case:?}"));
                let is_exact = ranked.columns()[0].1.run.outcome == Outcome::Exact;
                prop_assert!(is_exact || is_far, "{} of {:?}", name, case);
            }
        }
    }

    #[test]
    fn betweenness_is_that_of_exact_fractions(
        case in cases(), cut in 0..4usize, endpoints: bool,
    ) {
        let cutoff = match cut {
            0 => None,
            place => case.lengths.get(place).map(|length| 2.0 * length),
        };
        let (nodes, arcs) = case.betweenness_oracle(endpoints, cutoff);
        let ranked = case.betweenness(endpoints, cutoff);
        check(&ranked, 0, &nodes, &format!("betweenness {cutoff:?} {case:?}"));
        let found = LengthArcBetweenness {
            of: ArcBetweenness { normalize: false },
            lengths: case.source(),
            cutoff: cutoff.map(|cutoff| Cutoff::new(cutoff).unwrap()),
        };
        let found = found.compute(&case.graph(), &Limits::default(), &Silent).unwrap();
        for (arc, exact) in arcs.iter().enumerate() {
            let (found, exact) = (found.values()[arc], double(exact));
            prop_assert!((found - exact).abs() <= 1e-13 * exact, "arc {}: {} {}", arc, found, exact);
        }
        // Arcs with equal scores have equal bits.
        for (a, exact) in arcs.iter().enumerate() {
            for (b, other) in arcs.iter().enumerate() {
                let order = found.values()[a].total_cmp(&found.values()[b]);
                prop_assert_eq!(order, exact.cmp(other));
            }
        }
    }

    /// Powers of 3/4 over whole distances are fractions; other distances have real powers.
    #[test]
    fn decay_is_that_of_its_definition(case in cases(), cut in 0..4usize, is_whole: bool) {
        let mut case = case;
        if is_whole {
            case.lengths.iter_mut().for_each(|it| *it = (*it).clamp(1.0, 9.0).round());
            case.is_binary = false;
        }
        prop_assume!(case.lengths.iter().all(|it| (1e-3..10.0).contains(it)));
        let cutoff = case.lengths.get(cut).filter(|_| cut > 0).map(|length| 2.0 * length);
        let all = case.distances(cutoff);
        let base = 0.75;
        for direction in [Direction::In, Direction::Out] {
            let decay = Geometric::of(Decay { base: Base::new(base).unwrap() });
            let ranked = case.ranking(decay.direction(direction), cutoff);
            let distances = (0..case.nodes).map(|node| case.distances_of(&all, node, direction));
            let distances: Vec<Vec<Fraction>> = distances.collect();
            if distances.iter().flatten().all(|it| it.is_integer()) {
                let quarters = Ratio::new(BigInt::from(3), BigInt::from(4));
                let power = |d: &Fraction| quarters.pow(d.to_integer().to_i32().unwrap());
                let of_node = |d: &Vec<Fraction>| d.iter().map(power).fold(Fraction::zero(), |a, b| a + b);
                let exact: Vec<Fraction> = distances.iter().map(of_node).collect();
                check(&ranked, 0, &exact, &format!("decay {direction:?} {cutoff:?} {case:?}"));
                continue;
            }
            for (found, distances) in ranked.values().iter().zip(&distances) {
                let exact: f64 = distances.iter().map(|it| base.powf(double(it))).sum();
                prop_assert!((found - exact).abs() <= 1e-13 * exact, "{} {}", found, exact);
            }
        }
    }

    /// Several columns of one search are those of searches of their own.
    #[test]
    fn columns_are_those_of_single_measures(case in cases(), cut in 0..4usize) {
        prop_assume!(case.lengths.iter().all(|it| (1e-3..10.0).contains(it)));
        let cutoff = case.lengths.get(cut).filter(|_| cut > 0).map(|length| 2.0 * length);
        let names = [
            "harmonic", "closeness", "lin", "reachable", "eccentricity", "decay", "integration",
        ];
        let together = case.ranking(Geometric::named(&names).unwrap(), cutoff);
        for (name, (header, column)) in names.iter().zip(together.columns()) {
            let alone = case.ranking(Geometric::named(&[name]).unwrap(), cutoff);
            prop_assert_eq!(name, header);
            prop_assert_eq!(alone.values(), column.as_slice());
            prop_assert_eq!(&alone.columns()[0].1.run.outcome, &column.run.outcome);
        }
    }

    #[test]
    fn threads_change_no_bit(case in cases()) {
        let graph = case.graph();
        let bits = |threads: usize| {
            let limits = Limits::default().threads(threads).unwrap();
            // Decay is lost where nodes are far, and differences of sums where lengths are far apart.
            let names = ["harmonic", "closeness", "integration", "decay"];
            let within = |range: std::ops::Range<f64>| case.lengths.iter().all(|it| range.contains(it));
            let names = match (within(1e-30..1e30), within(1e-30..10.0)) {
                (false, _) => &names[..2],
                (true, false) => &names[..3],
                (true, true) => &names[..],
            };
            let measures = Geometric::named(names).unwrap();
            let ranking = webrank_lengths::LengthRanking::of(measures, case.source());
            let distances = ranking.run_within(&graph, &limits).unwrap();
            let between = webrank_lengths::LengthBetweenness {
                of: Default::default(),
                lengths: case.source(),
                cutoff: None,
            };
            let between = between.run_within(&graph, &limits).unwrap();
            let columns = distances.columns().iter().chain(between.columns());
            let bits = columns.flat_map(|(_, scores)| scores.values.iter().map(|it| it.to_bits()));
            bits.collect::<Vec<_>>()
        };
        let one = bits(1);
        for threads in [2, 3, 8] {
            prop_assert_eq!(&bits(threads), &one);
        }
    }

    #[test]
    fn a_power_of_ten_changes_no_rank_and_no_betweenness(case in cases(), power in 1..12i32) {
        prop_assume!(case.lengths.iter().all(|&it| (1e-3..1e4).contains(&it)));
        let scale = |length: f64| format!("{length}e{power}").parse::<f64>().unwrap();
        let scaled = Case {
            lengths: case.lengths.iter().map(|&length| scale(length)).collect(),
            ..case.clone()
        };
        let bits = |ranked: &webrank_scores::ranked::Ranked| {
            ranked.values().iter().map(|it| it.to_bits()).collect::<Vec<_>>()
        };
        let [one, other] = [&case, &scaled].map(|case| case.betweenness(true, None));
        prop_assert_eq!(bits(&one), bits(&other));
        for measure in [Geometric::of(Harmonic::default()), Geometric::of(Closeness::default())] {
            let [one, other] = [&case, &scaled].map(|it| it.ranking(measure.clone(), None));
            prop_assert_eq!(one.ranking().ranks(), other.ranking().ranks());
        }
    }

    #[test]
    fn the_distribution_counts_all_pairs(case in cases(), cut in 0..4usize) {
        let cutoff = case.lengths.get(cut).filter(|_| cut > 0).map(|length| 2.0 * length);
        let limit = cutoff.map(|cutoff| Cutoff::new(cutoff).unwrap());
        let asked = LengthDistribution { lengths: case.source(), cutoff: limit };
        let found = asked.compute(&case.graph(), &Limits::default(), &Silent).unwrap();
        let all = case.distances(cutoff);
        let mut distances: Vec<Fraction> = (0..case.nodes)
            .flat_map(|node| case.distances_of(&all, node, Direction::Out))
            .collect();
        distances.sort();
        let count = distances.len();
        prop_assert_eq!(found.reachable_pairs, count as u64);
        let mut runs: Vec<(f64, u64)> = Vec::new();
        for run in distances.chunk_by(|a, b| a == b) {
            runs.push((double(&run[0]), run.len() as u64));
        }
        prop_assert_eq!(&found.pairs, &runs);
        prop_assert_eq!(found.diameter, double(&largest(&distances)));
        if count == 0 {
            prop_assert_eq!((found.average_distance, found.spid), (None, None));
            prop_assert!(found.harmonic_diameter.is_infinite() || case.nodes < 2);
            return Ok(());
        }
        let mean = sum(&distances) / number(count);
        let is_close = |found: f64, exact: &Fraction, within: f64| {
            (found - double(exact)).abs() <= within * double(exact)
        };
        prop_assert!(is_close(found.average_distance.unwrap(), &mean, 1e-14));
        let inverses = distances.iter().fold(Fraction::zero(), |sum, it| sum + it.recip());
        let harmonic = number(case.nodes * (case.nodes - 1)) / inverses;
        prop_assert!(is_close(found.harmonic_diameter, &harmonic, 1e-14));
        let squares = distances.iter().fold(Fraction::zero(), |sum, it| sum + it * it);
        let variance = squares / number(count) - &mean * &mean;
        // The variance is a difference of numbers as large as the square of the mean, or larger.
        let spid = found.spid.unwrap();
        let error = (spid - double(&(&variance / &mean))).abs();
        prop_assert!(error <= 1e-14 * (double(&mean) + spid), "{} {}", spid, error);
        // 90% of the pairs, between the distance before and the one that is reached.
        let goal = 0.9 * count as f64;
        let (mut within, mut last, mut effective) = (0.0, 0.0, 0.0);
        for (distance, pairs) in runs {
            if within + pairs as f64 >= goal {
                effective = last + (distance - last) * ((goal - within) / pairs as f64);
                break;
            }
            (within, last) = (within + pairs as f64, distance);
        }
        let found = found.effective_diameter.unwrap();
        prop_assert!((found - effective).abs() <= 1e-14 * effective, "{} {}", found, effective);
    }
}
