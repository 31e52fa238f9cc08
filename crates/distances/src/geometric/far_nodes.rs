//! The order of nodes whose sums of terms are too close for a [`Rounded`](super::exact_number::Rounded).
//!
//! Sums are whole numbers of grains unless some node is far away (see [`super::terms`]), and a rounded
//! number keeps 115 bits of them. Nodes whose scores share a double, or neighbouring ones, are ordered by
//! their grains where these are exact. The others are searched from again, and ordered by whole numbers of
//! any length, unless these are too long: then the outcome is not exact.

use super::exact::{Exact, SummedBatch, Summing};
use super::measure::DistanceMeasure;
use super::terms::Term;
use crate::traversal::histogram::Histogram;
use crate::traversal::histograms::{Engine, histograms};
use ethnum::U256;
use num_bigint::BigUint;
use std::collections::HashMap;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::progress::Progress;
use webrank_scores::Outcome;
use webrank_scores::settled::{Settled, close_rows};

/// The bits of a number that a rounded one keeps.
const KEPT: u64 = 114;

/// The most bits of all numbers that are held at a time: 64 MB.
const MOST_BITS: u64 = 1 << 29;

/// How far apart the doubles of equal numbers may be.
const CLOSE: f64 = 2.0 * f64::EPSILON;

/// Whether rounded sums over nodes as far as this may be equal although the sums differ, in a graph of so
/// many nodes.
fn may_hide(term: &dyn Term, distance: u32, num_nodes: usize) -> bool {
    let of_counts = u64::from(usize::BITS - num_nodes.leading_zeros());
    term.exact_bits(distance) + of_counts > KEPT || distance > term.whole_up_to()
}

/// Scores whose order is that of doubles.
fn hidden(values: &[f64]) -> Outcome {
    Outcome::rounded(f64::EPSILON, values)
}

/// The outcome of the best scores by a measure, if no search went further than this.
pub(super) fn of_best(
    measure: &dyn DistanceMeasure,
    farthest: u32,
    num_nodes: usize,
    values: &[f64],
) -> Outcome {
    match measure.term() {
        Some(term) if may_hide(term, farthest, num_nodes) => hidden(values),
        _ => Outcome::Exact,
    }
}

/// A column of scores, and what was searched for it.
pub(super) struct Column<'a> {
    pub(super) exact: &'a Exact<'a>,
    pub(super) summing: &'a Summing<'a>,
    pub(super) states: &'a [SummedBatch],
    /// The place of its measure.
    pub(super) place: usize,
    pub(super) measure: &'a dyn DistanceMeasure,
}

/// A node's sum of terms, and its eccentricity.
type Far = (U256, u32);

impl Column<'_> {
    /// Orders nodes with close scores by exact numbers, which give `rests`; and what is known then.
    ///
    /// # Errors
    /// [`Interrupted`](webrank_base::error::Error::Interrupted) when the user stops the run.
    pub(super) fn settle(
        &self,
        values: &mut [f64],
        rests: &mut Vec<u64>,
        progress: &dyn Progress,
    ) -> Result<Outcome> {
        let farthest = self.states.iter().flat_map(|batch| &batch.sums);
        let farthest = farthest.map(|sums| sums.eccentricity).max().unwrap_or(0);
        let Some(term) = self.measure.term() else {
            return Ok(Outcome::Exact);
        };
        if !may_hide(term, farthest, values.len()) {
            return Ok(Outcome::Exact);
        }
        let rows = close_rows(values, CLOSE)?;
        let found = self.sums_of(&rows);
        let is_far = |node: &Node| found[node].1 > term.whole_up_to();
        let (far, near): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.iter().any(is_far));
        let Some(sums) = self.long_sums(&far, term, &found, progress)? else {
            return Ok(hidden(values));
        };
        let mut settled = Settled::with_rests(values, std::mem::take(rests));
        for row in near {
            let keys = row.iter().map(|&node| (found[&node].0, node)).collect();
            settled.settle_unless_ordered(row, keys, U256::cmp);
        }
        for row in far {
            let keys = row.iter().map(|&node| (&sums[&node], node)).collect();
            settled.settle_unless_ordered(row, keys, |a, b| a.cmp(b));
        }
        *rests = settled.into_rests();
        Ok(Outcome::Exact)
    }

    /// The grains and the eccentricities of the nodes of these rows.
    fn sums_of(&self, rows: &[Vec<Node>]) -> HashMap<Node, Far> {
        let mut found: HashMap<Node, Far> = HashMap::new();
        found.extend(rows.iter().flatten().map(|&node| (node, Far::default())));
        for batch in self.states {
            for (row, node) in batch.nodes.iter().enumerate() {
                if let Some(far) = found.get_mut(node) {
                    let grains = self.summing.grains(batch, row, self.place);
                    *far = (grains, batch.sums[row].eccentricity);
                }
            }
        }
        found
    }

    /// The sums of the nodes of these rows as whole numbers of one unit; none if these are too long.
    fn long_sums(
        &self,
        rows: &[&Vec<Node>],
        term: &dyn Term,
        found: &HashMap<Node, Far>,
        progress: &dyn Progress,
    ) -> Result<Option<HashMap<Node, BigUint>>> {
        let nodes = || rows.iter().copied().flatten().copied();
        let farthest = nodes().map(|node| found[&node].1).max().unwrap_or(0);
        let numbers = nodes().count() as u64 + u64::from(farthest);
        let bits = term.exact_bits(farthest) + 64;
        if numbers.saturating_mul(bits) > MOST_BITS {
            return Ok(None);
        }
        // F(d) = f(1) + ... + f(d) at place d: see [`Histogram::for_changes`].
        let mut up_to = vec![BigUint::default()];
        for value in term.exact(farthest) {
            up_to.push(up_to.last().expect("it begins with 0") + value);
        }
        let sum = |histogram: Histogram| {
            let [mut more, mut less] = [BigUint::default(), BigUint::default()];
            histogram.for_changes(|distance, change| {
                let product = &up_to[distance as usize] * change.unsigned_abs();
                *(if change > 0 { &mut more } else { &mut less }) += product;
            });
            more - less
        };
        let graph = &self.exact.graph;
        let leaders = graph.leaders_of(nodes());
        let is_wanted = |node: &Node| found.contains_key(node) && found[node].1 <= farthest;
        progress.begin("comparing", Some(leaders.len() as u64));
        let searched = histograms(
            graph,
            &leaders,
            Engine::default(),
            Vec::new,
            |sums: &mut Vec<(Node, BigUint)>, node, histogram| {
                if is_wanted(&node) {
                    sums.push((node, sum(histogram)));
                }
            },
            progress,
        )?;
        progress.end();
        Ok(Some(searched.states.into_iter().flatten().collect()))
    }
}
