//! From sums to scores, and the order of nodes whose scores are close.
//!
//! Formulas over counts and sums of distances are fractions, and exact. Sums of inverses are intervals of
//! about 2^-90 of a score: nodes whose intervals are apart are in the right order. The others tie if the sets
//! of their distances are equal; where sets differ, nodes are searched from again, and their sums compared as
//! fractions of integers of any length, unless these are too long.

use super::distance::Distance;
use super::sums::{Fraction, NodeSums, TermSum, Terms, truncated};
use super::whole::Unit;
use ethnum::U256;
use num_bigint::BigUint;
use std::collections::HashMap;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::tasks;
use webrank_distances::geometric::DistanceMeasure;
use webrank_distances::geometric::exact_number::{ExactNumber, Rounded};
use webrank_distances::geometric::measure::{Sums, Whole};
use webrank_distances::geometric::terms::LengthTerm;
use webrank_scores::Outcome;
use webrank_scores::settled::{Settled, close_rows};

/// How far apart the doubles of equal numbers may be.
const CLOSE: f64 = 2.0 * f64::EPSILON;

/// The relative error of a sum of real powers: exponents are rounded twice, and no power that counts has
/// one above 745.
const OF_POWERS: f64 = 1600.0 * f64::EPSILON;

/// The relative error of a formula in doubles.
const OF_FORMULA: f64 = 16.0 * f64::EPSILON;

/// All sums of a graph.
pub(crate) struct AllSums<D: Distance> {
    pub nodes: Vec<NodeSums<D>>,
    /// A row for each node, a column for each of `terms`.
    pub sums: Vec<TermSum>,
    pub terms: Vec<Terms>,
    pub unit: Unit,
}

/// The scores of one measure.
pub(crate) struct Column {
    pub values: Vec<f64>,
    pub rests: Vec<u64>,
    pub outcome: Outcome,
}

/// The exact sums of terms of some nodes.
pub(crate) type Fractions<'a> = dyn Fn(&[Node], &Terms) -> Result<HashMap<Node, Fraction>> + 'a;

/// The most bits of all fractions that are held at a time: 32 MB.
const MOST_BITS: u64 = 1 << 28;

impl<D: Distance> AllSums<D> {
    /// The largest distance.
    pub fn farthest(&self) -> D {
        let farthest = self.nodes.iter().map(|sums| &sums.farthest).max();
        farthest.cloned().unwrap_or(D::zero())
    }

    fn multiple(&self, count: BigUint) -> (ExactNumber, bool) {
        truncated(
            count * &self.unit.numerator,
            self.unit.denominator.clone(),
            0,
        )
    }

    /// The scores by a measure, whose terms are those in the column `place`; `fractions` searches again.
    ///
    /// # Errors
    /// If a difference of too long numbers is asked for; if a score is more than a double holds; those of
    /// `fractions`.
    pub fn column(
        &self,
        measure: &dyn DistanceMeasure,
        place: Option<usize>,
        fractions: &Fractions,
    ) -> Result<Column> {
        let n = self.nodes.len();
        let whole = Whole {
            num_nodes: n,
            diameter: self.multiple(self.farthest().big()).0,
        };
        let scored: Vec<(Rounded, bool)> = tasks::map(0..n.div_ceil(BLOCK), |block| {
            let nodes = block * BLOCK..n.min((block + 1) * BLOCK);
            let score = |node: usize| {
                let (score, is_exact) = self.score(measure, place, node, &whole);
                (
                    score.rounded(),
                    is_exact && matches!(score, ExactNumber::Exact(_)),
                )
            };
            nodes.map(score).collect::<Vec<_>>()
        })
        .concat();
        let values: Vec<f64> = scored.iter().map(|it| it.0.value).collect();
        if let Some(node) = values.iter().position(|value| !value.is_finite()) {
            let remedy = "the score of this node is no number that a double holds: multiply all lengths \
                          by one number";
            return Err(Error::argument(
                "lengths",
                format!("too short or too long at node {node}"),
                remedy,
            ));
        }
        let rests: Vec<u64> = scored.iter().map(|it| it.0.rest).collect();
        let column = Column {
            values,
            rests,
            outcome: Outcome::Exact,
        };
        if let Some(place) = place {
            return self.settle(column, place, fractions);
        }
        let hidden = |column: Column| Column {
            outcome: Outcome::rounded(OF_FORMULA, &column.values),
            ..column
        };
        if scored.iter().all(|it| it.1) {
            let is_decided = self.are_decided(&column, measure, &whole);
            return Ok(if is_decided { column } else { hidden(column) });
        }
        if measure.name() == "integration"
            || measure
                .parameters()
                .get("variant")
                .is_some_and(|it| it == "nieminen")
        {
            return Err(Error::NoMethod {
                measure: measure.name(),
                method: "lengths",
                remedy: "they are so long, or so far apart, that differences of their sums are not exact: \
                         round them, or take harmonic",
            });
        }
        Ok(hidden(column))
    }

    /// The score of a node, and whether sums are exact.
    fn score(
        &self,
        measure: &dyn DistanceMeasure,
        place: Option<usize>,
        node: usize,
        whole: &Whole,
    ) -> (ExactNumber, bool) {
        let found = &self.nodes[node];
        let reached = ExactNumber::integer(found.reached.into());
        let (distances, is_sum) = self.multiple(D::of_sum(&found.distances));
        let (eccentricity, is_far) = self.multiple(found.farthest.big());
        let terms = match (place, measure.term().map(|term| term.of_lengths())) {
            (Some(place), _) => {
                self.terms[place].number(&self.sums[node * self.terms.len() + place])
            }
            (None, Some(LengthTerm::One)) => reached,
            _ => ExactNumber::UNKNOWN,
        };
        let sums = Sums {
            reached,
            distances,
            terms,
            eccentricity,
        };
        (measure.score(&sums, whole), is_sum && is_far)
    }

    /// Whether nodes with equal rounded scores have equal scores.
    fn are_decided(&self, column: &Column, measure: &dyn DistanceMeasure, whole: &Whole) -> bool {
        let mut order: Vec<Node> = (0..self.nodes.len() as Node).collect();
        let key = |&node: &Node| (column.values[node as usize], column.rests[node as usize]);
        order.sort_by(|a, b| {
            let ((a, of_a), (b, of_b)) = (key(a), key(b));
            a.total_cmp(&b).then(of_a.cmp(&of_b))
        });
        order.windows(2).all(|two| {
            let [a, b] = [two[0] as usize, two[1] as usize];
            if key(&two[0]) != key(&two[1]) || self.nodes[a] == self.nodes[b] {
                return true;
            }
            let [a, b] = [a, b].map(|node| self.score(measure, None, node, whole).0);
            let difference = a - b;
            matches!(difference, ExactNumber::Exact(_)) && difference.is_zero()
        })
    }

    /// Orders nodes by their sums of terms.
    fn settle(&self, mut column: Column, place: usize, fractions: &Fractions) -> Result<Column> {
        let terms = &self.terms[place];
        if terms.are_real() {
            let bound = match terms {
                Terms::RealInverses { .. } => OF_FORMULA,
                _ => OF_POWERS,
            };
            column.outcome = Outcome::rounded(bound, &column.values);
            return Ok(column);
        }
        let is_lost = |node: Node| {
            let TermSum { units, doubt, .. } = *self.term_sum(node, place);
            units < U256::from(doubt) << 60u32
        };
        if let Some(node) = (0..self.nodes.len() as Node).find(|&node| is_lost(node)) {
            let remedy = "this node is so far from all others that its score is lost in rounding: divide \
                          all lengths by one number, or take a base nearer to 1";
            return Err(Error::argument(
                "lengths",
                format!("too long at node {node}"),
                remedy,
            ));
        }
        let rows = close_rows(&column.values, CLOSE)?;
        let rows: Vec<Vec<Vec<Node>>> = rows
            .into_iter()
            .map(|row| self.clusters(row, place))
            .collect();
        // One node for each set of distances, where sets differ.
        let open = rows
            .iter()
            .flatten()
            .filter(|cluster| !self.are_alike(cluster, place));
        let asked: Vec<Node> = open
            .flat_map(|cluster| self.kinds(cluster).into_values())
            .collect();
        let bits = asked.iter().map(|&node| {
            let NodeSums {
                reached, farthest, ..
            } = &self.nodes[node as usize];
            terms.bits_of_fraction(*reached, &farthest.big())
        });
        let is_hidden = bits.fold(0, u64::saturating_add) > MOST_BITS;
        let found = match is_hidden || asked.is_empty() {
            true => HashMap::new(),
            false => fractions(&asked, terms)?,
        };
        let mut settled = Settled::with_rests(&mut column.values, column.rests);
        for row in rows {
            let classes = row.into_iter().flat_map(|cluster| match is_hidden {
                true => vec![cluster],
                false => self.split(cluster, place, &found),
            });
            let classes = classes.enumerate();
            let keys =
                classes.flat_map(|(class, nodes)| nodes.into_iter().map(move |it| (class, it)));
            let keys: Vec<(usize, Node)> = keys.collect();
            let nodes: Vec<Node> = keys.iter().map(|key| key.1).collect();
            settled.settle(&nodes, keys, |a, b| b.cmp(a), |_| None);
        }
        column.rests = settled.into_rests();
        if is_hidden {
            column.outcome = Outcome::rounded(CLOSE, &column.values);
        }
        Ok(column)
    }

    /// The nodes of a cluster, largest sum first, in parts with equal sums.
    fn split(
        &self,
        cluster: Vec<Node>,
        place: usize,
        found: &HashMap<Node, Fraction>,
    ) -> Vec<Vec<Node>> {
        if self.are_alike(&cluster, place) {
            return vec![cluster];
        }
        let kinds = self.kinds(&cluster);
        let fraction = |node: Node| &found[&kinds[&self.kind(node)]];
        let compare = |&a: &Node, &b: &Node| {
            let ((top, bottom), (other, below)) = (fraction(a), fraction(b));
            (other * bottom).cmp(&(top * below))
        };
        let mut order = cluster;
        order.sort_by(|a, b| compare(a, b).then(a.cmp(b)));
        let parts = order.chunk_by(|a, b| compare(a, b).is_eq());
        parts.map(<[Node]>::to_vec).collect()
    }

    fn term_sum(&self, node: Node, place: usize) -> &TermSum {
        &self.sums[node as usize * self.terms.len() + place]
    }

    /// The nodes of a row, largest sum first, in parts whose intervals overlap.
    fn clusters(&self, mut row: Vec<Node>, place: usize) -> Vec<Vec<Node>> {
        let sum = |node: Node| self.term_sum(node, place);
        row.sort_by(|&a, &b| sum(b).units.cmp(&sum(a).units).then(a.cmp(&b)));
        let mut clusters: Vec<Vec<Node>> = Vec::new();
        let mut least = U256::MAX;
        for node in row {
            let TermSum { units, doubt, .. } = *sum(node);
            match clusters
                .last_mut()
                .filter(|_| units + U256::from(doubt) >= least)
            {
                Some(cluster) => cluster.push(node),
                None => clusters.push(vec![node]),
            }
            least = units;
        }
        clusters
    }

    /// Whether all nodes have the same sum, as far as is known without another search.
    fn are_alike(&self, cluster: &[Node], place: usize) -> bool {
        let (node, sum) = (
            |node: Node| &self.nodes[node as usize],
            |node| self.term_sum(node, place),
        );
        let first = cluster[0];
        cluster.iter().all(|&other| {
            let are_exact = sum(first).doubt == 0 && sum(other).doubt == 0;
            node(first) == node(other) || are_exact && sum(first).units == sum(other).units
        })
    }

    /// The numbers that tell the set of distances of a node from others.
    fn kind(&self, node: Node) -> (u32, u64) {
        let NodeSums { reached, print, .. } = self.nodes[node as usize];
        (reached, print)
    }

    /// A node of each set of distances.
    fn kinds(&self, cluster: &[Node]) -> HashMap<(u32, u64), Node> {
        cluster
            .iter()
            .rev()
            .map(|&node| (self.kind(node), node))
            .collect()
    }
}

/// The nodes of a task.
const BLOCK: usize = 1 << 12;
