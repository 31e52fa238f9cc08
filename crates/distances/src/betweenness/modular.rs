//! Betweenness modulo a prime: an equality test for sums of fractions, without rounding.
//!
//! A fraction a/b has the residue a b^-1 modulo P, and sums and products of fractions have the sums
//! and products of their residues. So scores that are equal as fractions have equal residues, for
//! any numbers of paths. Scores that differ have different residues unless P happens to divide the
//! numerator of their difference, as it does for one number in 2^63.
//!
//! P is 2^63 - 25. Modulo P the powers of 2 repeat only after (P - 1)/2, so different doublings of
//! paths, as in grids and ladders, never coincide.

use super::path_count::PathCount;
use super::single_source::{PathGraph, PathSearch};
use rayon::prelude::*;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::parallel::workspaces::Pool;
use webrank_base::progress::Progress;

const P: u64 = (1 << 63) - 25;

/// An integer modulo P.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Residue(u64);

impl Residue {
    const ZERO: Self = Residue(0);

    /// The residue of an integer.
    pub fn new(integer: u64) -> Self {
        Residue(integer % P)
    }

    /// The product.
    pub fn times(self, other: Self) -> Self {
        Residue((self.0 as u128 * other.0 as u128 % P as u128) as u64)
    }

    /// The inverse, by Fermat's little theorem; 0 for 0.
    pub fn inverse(self) -> Self {
        let (mut power, mut square, mut exponent) = (Self::ONE, self, P - 2);
        while exponent > 0 {
            if exponent & 1 == 1 {
                power = power.times(square);
            }
            square = square.times(square);
            exponent >>= 1;
        }
        power
    }
}

/// A number of paths modulo P is 0 where P divides it.
impl PathCount for Residue {
    const ONE: Self = Residue(1);

    fn plus(self, other: Self) -> Self {
        let sum = self.0 + other.0;
        Residue(if sum >= P { sum - P } else { sum })
    }
}

/// The residues of all scores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Residues {
    /// The residue of the betweenness of each node.
    pub nodes: Vec<Residue>,
    /// The residue of the betweenness of each arc, in the order of [`targets`](webrank_graph::Csr::targets); empty unless
    /// requested.
    pub arcs: Vec<Residue>,
}

/// The maximal number of steps of [`residues`]: about a tenth of a second.
const MOST_STEPS: u64 = 1 << 25;

/// Whether a graph is small enough for residues to be computed in addition to scores: whether n
/// (n + m), an upper bound on the steps of the searches from all sources, is at most 2^25.
pub fn affordable<G: PathGraph>(graph: &G) -> bool {
    let (n, m) = (graph.num_nodes() as u64, graph.num_arcs());
    n.saturating_mul(n.saturating_add(m)) <= MOST_STEPS
}

/// The residues of the betweenness of all nodes, and with `with_arcs` of all arcs. None if P divides
/// some number of paths. One search for each node.
///
/// # Errors
/// [`Interrupted`](webrank_base::error::Error::Interrupted) when the user stops the run.
pub fn residues<G: PathGraph>(
    graph: &G,
    with_arcs: bool,
    progress: &dyn Progress,
) -> Result<Option<Residues>> {
    let n = graph.num_nodes();
    let searches = Pool::new(|| ResidueSearch::new(graph.paths(), n));
    let none = || Residues {
        nodes: vec![Residue::ZERO; n],
        arcs: vec![
            Residue::ZERO;
            if with_arcs {
                graph.num_arcs() as usize
            } else {
                0
            }
        ],
    };
    // Sums modulo P do not depend on their order.
    (0..n as Node)
        .into_par_iter()
        .try_fold(
            || Some(none()),
            |sums, source| {
                progress.check()?;
                let add = |mut sums| {
                    let all = searches.with(|search| search.add(source, &mut sums));
                    all.then_some(sums)
                };
                Ok(sums.and_then(add))
            },
        )
        .try_reduce(|| Some(none()), |a, b| Ok(a.zip(b).map(|(a, b)| a.plus(b))))
}

impl Residues {
    fn plus(mut self, other: Residues) -> Residues {
        let add = |sums: &mut [Residue], more: Vec<Residue>| {
            let pairs = sums.iter_mut().zip(more);
            pairs.for_each(|(sum, more)| *sum = sum.plus(more));
        };
        add(&mut self.nodes, other.nodes);
        add(&mut self.arcs, other.arcs);
        self
    }
}

/// The working memory of searches, like that of [`DependencySearch`](super::single_source).
struct ResidueSearch<S> {
    paths: S,
    /// For each node of the queue, the product of the numbers of paths to the nodes before it.
    products: Vec<Residue>,
    /// alpha(v) = (1 + delta(v)) / sigma(v).
    alpha: Vec<Residue>,
}

impl<S: PathSearch<Count = Residue>> ResidueSearch<S> {
    fn new(paths: S, num_nodes: usize) -> Self {
        ResidueSearch {
            paths,
            products: Vec::new(),
            alpha: vec![Residue::ZERO; num_nodes],
        }
    }

    /// Adds the dependencies of a source; false if P divides some number of paths.
    fn add(&mut self, source: Node, sums: &mut Residues) -> bool {
        self.paths.search(source);
        let queue = self.paths.order();
        // One inverse yields all inverses: Montgomery 1987.
        self.products.clear();
        let mut product = Residue::ONE;
        for &v in queue {
            self.products.push(product);
            product = product.times(self.paths.number(v));
        }
        if product == Residue::ZERO {
            return false;
        }
        let mut inverse = product.inverse();
        for (&v, &before) in queue.iter().zip(&self.products).rev() {
            let paths = self.paths.number(v);
            let one_over_paths = inverse.times(before);
            inverse = inverse.times(paths);
            let mut sum = Residue::ZERO;
            for (arc, w) in self.paths.arcs_below(v) {
                let alpha = self.alpha[w as usize];
                sum = sum.plus(alpha);
                if let Some(of_arc) = sums.arcs.get_mut(arc) {
                    *of_arc = of_arc.plus(paths.times(alpha));
                }
            }
            let delta = paths.times(sum);
            self.alpha[v as usize] = Residue::ONE.plus(delta).times(one_over_paths);
            if v != source {
                sums.nodes[v as usize] = sums.nodes[v as usize].plus(delta);
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The product, by doubling and adding.
    fn product(a: u64, b: u64) -> Residue {
        let bits = (0..64).rev().map(|i| b >> i & 1);
        bits.fold(Residue::ZERO, |sum, bit| {
            let double = sum.plus(sum);
            if bit == 1 {
                double.plus(Residue::new(a))
            } else {
                double
            }
        })
    }

    proptest! {
        #[test]
        fn products_are_repeated_sums(a: u64, b: u64) {
            prop_assert_eq!(Residue::new(a).times(Residue::new(b)), product(a, b));
        }

        #[test]
        fn a_number_times_its_inverse_is_one(a in 1..P) {
            prop_assert_eq!(Residue(a).times(Residue(a).inverse()), Residue::ONE);
        }
    }
}
