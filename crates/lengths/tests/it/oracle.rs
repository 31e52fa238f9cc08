//! All distances, sums and numbers of paths in fractions of integers of any size: nothing shared with the
//! crate.

use num_bigint::{BigInt, BigUint};
use num_rational::Ratio;
use num_traits::{One, Zero};
use proptest::prelude::*;
use std::sync::Arc;
use webrank_base::Node;
use webrank_distances::betweenness::Betweenness;
use webrank_distances::geometric::Geometric;
use webrank_graph::{Direction, Graph};
use webrank_lengths::{Cutoff, LengthBetweenness, LengthRanking, LengthSource};
use webrank_measure::Measure;
use webrank_scores::Outcome;
use webrank_scores::ranked::Ranked;

pub type Fraction = Ratio<BigInt>;

/// A decimal as it is written, or with `is_binary` the double that it is read as.
pub fn fraction(length: f64, is_binary: bool) -> Fraction {
    if is_binary {
        let bits = length.to_bits();
        let exponent = (bits >> 52) as i32 - 1075;
        let mantissa = BigInt::from(bits & ((1 << 52) - 1) | 1 << 52);
        let power = BigInt::one() << exponent.unsigned_abs();
        return match exponent < 0 {
            true => Ratio::new(mantissa, power),
            false => Ratio::from(mantissa * power),
        };
    }
    let text = format!("{length:e}");
    let (digits, exponent) = text.split_once('e').unwrap();
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let digits: BigInt = format!("{whole}{part}").parse().unwrap();
    let exponent = exponent.parse::<i32>().unwrap() - part.len() as i32;
    let power = BigInt::from(10).pow(exponent.unsigned_abs());
    match exponent < 0 {
        true => Ratio::new(digits, power),
        false => Ratio::from(digits * power),
    }
}

/// The nearest double, by long division.
pub fn double(value: &Fraction) -> f64 {
    if value.is_zero() {
        return 0.0;
    }
    let is_negative = *value < Fraction::zero();
    let size = |it: &BigInt| it.magnitude().clone();
    let (top, bottom) = (size(value.numer()), size(value.denom()));
    let found = webrank_linear::exact_sum::nearest(&top, &bottom, 0);
    if is_negative { -found } else { found }
}

/// A graph with a length for each arc, by source and target.
#[derive(Debug, Clone)]
pub struct Case {
    pub nodes: usize,
    pub arcs: Vec<(Node, Node)>,
    pub lengths: Vec<f64>,
    /// Whether lengths are the doubles that they are.
    pub is_binary: bool,
}

impl Case {
    pub fn new(nodes: usize, mut arcs: Vec<(Node, Node, f64)>) -> Self {
        arcs.sort_by_key(|&(source, target, _)| (source, target));
        arcs.dedup_by_key(|&mut (source, target, _)| (source, target));
        Case {
            nodes,
            lengths: arcs.iter().map(|arc| arc.2).collect(),
            arcs: arcs.iter().map(|arc| (arc.0, arc.1)).collect(),
            is_binary: false,
        }
    }

    pub fn graph(&self) -> Graph {
        Graph::from_arcs(self.nodes, self.arcs.iter().copied()).unwrap()
    }

    pub fn source(&self) -> LengthSource {
        LengthSource::Values(Arc::from(&self.lengths[..]))
    }

    pub fn ranking(&self, measures: Geometric, cutoff: Option<f64>) -> Ranked {
        let cutoff = cutoff.map(|cutoff| Cutoff::new(cutoff).unwrap());
        let ranking = LengthRanking::of(measures, self.source()).cutoff(cutoff);
        ranking.run(&self.graph()).unwrap()
    }

    pub fn betweenness(&self, endpoints: bool, cutoff: Option<f64>) -> Ranked {
        let ranking = LengthBetweenness {
            of: Betweenness {
                endpoints,
                ..Betweenness::default()
            },
            lengths: self.source(),
            cutoff: cutoff.map(|cutoff| Cutoff::new(cutoff).unwrap()),
        };
        ranking.run(&self.graph()).unwrap()
    }

    pub fn fractions(&self) -> Vec<Fraction> {
        let lengths = self.lengths.iter();
        lengths
            .map(|&length| fraction(length, self.is_binary))
            .collect()
    }

    /// `distances[y][x]`, by Floyd and Warshall; none beyond the cutoff.
    pub fn distances(&self, cutoff: Option<f64>) -> Vec<Vec<Option<Fraction>>> {
        let n = self.nodes;
        let mut d = vec![vec![None; n]; n];
        for (x, row) in d.iter_mut().enumerate() {
            row[x] = Some(Fraction::zero());
        }
        for (&(y, x), length) in self.arcs.iter().zip(self.fractions()) {
            if y != x {
                d[y as usize][x as usize] = Some(length);
            }
        }
        for z in 0..n {
            for y in 0..n {
                for x in 0..n {
                    let Some((a, b)) = d[y][z].clone().zip(d[z][x].clone()) else {
                        continue;
                    };
                    let sum = a + b;
                    if d[y][x].as_ref().is_none_or(|known| sum < *known) {
                        d[y][x] = Some(sum);
                    }
                }
            }
        }
        let cutoff = cutoff.map(|cutoff| fraction(cutoff, self.is_binary));
        for known in d.iter_mut().flatten() {
            if cutoff
                .as_ref()
                .is_some_and(|cutoff| known.as_ref().is_some_and(|it| it > cutoff))
            {
                *known = None;
            }
        }
        d
    }

    /// The distances that count for a node.
    pub fn distances_of(
        &self,
        all: &[Vec<Option<Fraction>>],
        node: usize,
        direction: Direction,
    ) -> Vec<Fraction> {
        let others = (0..self.nodes).filter(|&other| other != node);
        let distance = |other: usize| match direction {
            Direction::In => all[other][node].clone(),
            Direction::Out => all[node][other].clone(),
        };
        others.filter_map(distance).collect()
    }

    /// The betweenness of nodes: of each pair, the share of paths through each node; and of arcs.
    pub fn betweenness_oracle(
        &self,
        endpoints: bool,
        cutoff: Option<f64>,
    ) -> (Vec<Fraction>, Vec<Fraction>) {
        let n = self.nodes;
        // Paths that count have parts that count.
        let d = self.distances(cutoff);
        let lengths = self.fractions();
        let mut paths = vec![vec![BigUint::zero(); n]; n];
        for y in 0..n {
            let mut order: Vec<usize> = (0..n).filter(|&x| d[y][x].is_some()).collect();
            order.sort_by(|&a, &b| d[y][a].cmp(&d[y][b]));
            paths[y][y] = BigUint::one();
            for &x in order.iter().skip(1) {
                let mut count = BigUint::zero();
                for (&(v, w), length) in self.arcs.iter().zip(&lengths) {
                    let v = v as usize;
                    let through = d[y][v].as_ref().map(|it| it + length);
                    if w as usize == x && v != x && through.is_some() && through == d[y][x] {
                        count += &paths[y][v];
                    }
                }
                paths[y][x] = count;
            }
        }
        let share = |top: BigUint, bottom: &BigUint| {
            Ratio::new(BigInt::from(top), BigInt::from(bottom.clone()))
        };
        let mut nodes = vec![Fraction::zero(); n];
        let mut of_arcs = vec![Fraction::zero(); self.arcs.len()];
        for y in 0..n {
            for z in (0..n).filter(|&z| z != y && d[y][z].is_some()) {
                for x in 0..n {
                    if x == y || x == z {
                        if endpoints {
                            nodes[x] += Fraction::one();
                        }
                        continue;
                    }
                    let through = d[y][x].as_ref().zip(d[x][z].as_ref());
                    if through.map(|(a, b)| a + b) == d[y][z] {
                        nodes[x] += share(&paths[y][x] * &paths[x][z], &paths[y][z]);
                    }
                }
                for (arc, (&(v, w), length)) in self.arcs.iter().zip(&lengths).enumerate() {
                    let (v, w) = (v as usize, w as usize);
                    let through = d[y][v].as_ref().zip(d[w][z].as_ref());
                    if v != w && through.map(|(a, b)| a + length + b) == d[y][z] {
                        of_arcs[arc] += share(&paths[y][v] * &paths[w][z], &paths[y][z]);
                    }
                }
            }
        }
        (nodes, of_arcs)
    }
}

/// Digraphs of up to 9 nodes with loops, and lengths that often tie.
pub fn cases() -> impl Strategy<Value = Case> {
    let tenths = vec![0.1, 0.2, 0.3];
    let powers = vec![1.0, 2.0, 4.0, 8.0, 0.5, 0.25];
    let fibonacci = vec![1.0, 2.0, 3.0, 5.0, 8.0, 13.0];
    let extremes = vec![1e-300, 2e-300, 3e-300, 1e300, 2e300];
    let tiny = vec![2f64.powi(-80), 2f64.powi(-79), 3.0 * 2f64.powi(-80)];
    let long = vec![1e18, 2e18, 3e18, 0.001];
    let lists = vec![tenths, powers, fibonacci, extremes, tiny, long, vec![7.5]];
    (1..10usize, proptest::sample::select(lists), 0..4usize).prop_flat_map(|(n, list, density)| {
        let node = 0..n as Node;
        let length = proptest::sample::select(list.clone());
        let arc = (node.clone(), node, length);
        proptest::collection::vec(arc, 0..=density * n + 1).prop_map(move |arcs| Case {
            is_binary: list[0] < 1e-20,
            ..Case::new(n, arcs)
        })
    })
}

/// Checks scores, and their order, against exact ones.
pub fn check(ranked: &Ranked, column: usize, exact: &[Fraction], what: &str) {
    let scores = &ranked.columns()[column].1;
    let values = scores.as_slice();
    for (node, exact) in exact.iter().enumerate() {
        let (found, expected) = (values[node], double(exact));
        let error = (found - expected).abs();
        assert!(
            error <= 1e-14 * expected.abs() || found == expected,
            "{what}: node {node}: {found} is not {expected}"
        );
    }
    if column > 0 || scores.run.outcome != Outcome::Exact {
        return;
    }
    let ranks = ranked.ranking().ranks();
    for a in 0..exact.len() {
        for b in 0..exact.len() {
            assert_eq!(
                ranks[b].cmp(&ranks[a]),
                exact[a].cmp(&exact[b]),
                "{what}: the order of {a} and {b}"
            );
        }
    }
}
