//! Searches from all nodes, or some, along arcs of any type of lengths.

use super::distance::{ByWidth, Distance};
use super::search::{LengthSearch, LongArcs, Uncounted};
use super::source::Lengths;
use super::sums::{Fraction, Terms};
use super::whole::{Unit, Whole};
use super::{Cutoff, decimal::Decimal};
use num_bigint::BigUint;
use std::collections::HashMap;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::limits::Limits;
use webrank_base::parallel::tasks;
use webrank_base::parallel::workspaces::Pool;
use webrank_base::progress::Progress;
use webrank_distances::geometric::terms::LengthTerm;
use webrank_distances::reduction::order::breadth_first;
use webrank_distances::traversal::bit_parallel::LANES;
use webrank_distances::traversal::ring::{RingSearch, ShortArcs};
use webrank_distances::traversal::single::SingleSearch;
use webrank_graph::{Csr, Direction};
use webrank_linear::exact_sum;

/// A computation with the arcs of a graph, whatever the type of their lengths.
pub(crate) trait OnLengths {
    type Found;

    fn run<D: Distance>(self, arcs: Prepared<D>) -> Result<Self::Found>;
}

/// A graph with lengths in one direction.
pub(crate) struct Prepared<D> {
    pub arcs: LongArcs<D>,
    pub cutoff: Option<D>,
    pub unit: Unit,
    /// The order of sources that are searched from together, and the longest length.
    pub lanes: Option<(Vec<Node>, u32)>,
}

/// Lengths up to this are searched by from 512 sources at a time: see `docs/src/measurements/lengths.md`.
const MOST_IN_LANES: u32 = 16;

/// Betweenness is searched for from 512 sources at a time where a node reaches this share of all on average: on
/// rust-doc it takes 0.4 of the time, and on debian, where it would be 2, no node is searched from so.
const LEAST_REACH: f64 = 1.0 / 16.0;

/// The share of the nodes that a node reaches, on average over 32 nodes. O(m).
fn reach(rows: &Csr) -> f64 {
    const SOURCES: usize = 32;
    let n = rows.num_nodes();
    let (mut search, mut reached) = (SingleSearch::new(n), 0);
    let sources = (0..n).step_by(n.div_ceil(SOURCES).max(1));
    let count = sources.len().max(1);
    for source in sources {
        search.by_level(rows, source as Node, |_, nodes| {
            reached += nodes.len();
            true
        });
    }
    reached as f64 / (count * n.max(1)) as f64
}

/// The bytes that searches from 512 sources at a time take at most.
pub(crate) fn most_in_lanes(num_nodes: usize) -> u64 {
    let threads = rayon::current_num_threads().min(num_nodes.div_ceil(LANES)) as u64;
    threads.saturating_mul(RingSearch::memory(num_nodes, MOST_IN_LANES))
}

impl Lengths {
    /// Lets 512 sources be searched from at a time, if lengths are small and it fits into memory. It changes
    /// no result.
    pub fn in_lanes(mut self, limits: &Limits) -> Self {
        let n = self.successors.num_nodes();
        let threads = rayon::current_num_threads().min(n.div_ceil(LANES)) as u64;
        let longest = self.whole.longest_within(MOST_IN_LANES);
        let fits = |&longest: &u32| {
            let memory = threads * RingSearch::memory(n, longest) + self.memory(0, 0);
            limits.admit_more("searching", memory).is_ok()
        };
        self.lanes = longest
            .filter(fits)
            .map(|longest| (breadth_first(&self.successors), longest));
        self
    }

    /// Lets 512 sources be searched from at a time, if lengths are small and nodes reach much of the graph.
    /// It depends on the graph alone, since sums of doubles in another order have other bits.
    pub fn in_lanes_by_reach(mut self) -> Self {
        let rows = &self.successors;
        let longest = self.whole.longest_within(MOST_IN_LANES);
        let longest = longest.filter(|_| reach(rows) >= LEAST_REACH);
        self.lanes = longest.map(|longest| (breadth_first(rows), longest));
        self
    }

    /// Checks that sums of distances of all pairs, and of their inverses, are numbers that a double holds.
    ///
    /// # Errors
    /// If they may not be.
    pub fn admit_sums(&self) -> Result<()> {
        let Some([least, most]) = self.whole.range() else {
            return Ok(());
        };
        let nodes = self.successors.num_nodes() as f64 + 1.0;
        let [least, most] = [least, most].map(|length| self.unit.double(&length));
        let problem = if !(nodes * nodes * most).is_finite() {
            "too long"
        } else if !(nodes * nodes / least).is_finite() {
            "too short"
        } else {
            return Ok(());
        };
        let remedy = "sums of distances, or of their inverses, are more than a double holds; multiply all \
                      lengths by one number";
        Err(Error::argument("lengths", problem, remedy))
    }

    /// Does `job` with the arcs in this direction.
    pub fn along<J: OnLengths>(
        self,
        direction: Direction,
        cutoff: Option<Cutoff>,
        job: J,
    ) -> Result<J::Found> {
        let rows = &*self.successors;
        let within = cutoff.map(|cutoff| {
            let Decimal { digits, exponent } = cutoff.decimal;
            let number = match self.base {
                2 => exact_sum::parts(cutoff.value()),
                _ => (digits, exponent),
            };
            self.unit.within(number, self.base)
        });
        fn prepared<D: Distance>(
            (rows, lengths): (&Csr, ByWidth<Vec<u32>, Vec<D>>),
            direction: Direction,
            within: Option<BigUint>,
            (unit, lanes): (Unit, Option<(Vec<Node>, u32)>),
        ) -> Result<Prepared<D>> {
            let arcs = LongArcs::outgoing(rows, lengths)?;
            let arcs = match direction {
                Direction::Out => arcs,
                Direction::In => arcs.reversed()?,
            };
            let cutoff = within.map(|within| D::at_most(&within));
            Ok(Prepared {
                arcs,
                cutoff,
                unit,
                lanes,
            })
        }
        let unit = (self.unit, self.lanes);
        let of_64_bits = match self.whole {
            Whole::Narrow(lengths) => ByWidth::Short(lengths),
            Whole::Middle(lengths) => ByWidth::Long(lengths),
            Whole::Wide(lengths) => {
                let lengths = (rows, ByWidth::Long(lengths));
                return job.run(prepared::<u128>(lengths, direction, within, unit)?);
            }
            Whole::Long(lengths) => {
                let lengths = (rows, ByWidth::Long(lengths));
                return job.run(prepared::<BigUint>(lengths, direction, within, unit)?);
            }
        };
        job.run(prepared::<u64>(
            (rows, of_64_bits),
            direction,
            within,
            unit,
        )?)
    }

    /// The bytes that searches take with `threads` threads, the arcs in both directions included, and
    /// `counts` for each node besides distances.
    pub fn memory(&self, threads: usize, counts: u64) -> u64 {
        let [distance, arc] = self.whole.sizes();
        let (n, m) = (
            self.successors.num_nodes() as u64,
            self.successors.num_arcs(),
        );
        // Arcs that wait in a queue: on graphs that were measured, fewer than two for each node.
        let waiting = m.min(4 * n) * (distance + 16);
        2 * m * arc + threads as u64 * (n * (distance + counts + 8) + 2 * waiting)
    }
}

impl<D: Distance> Prepared<D> {
    /// Searches in the order of distances.
    pub fn search(&self) -> LengthSearch<'_, D, Uncounted> {
        LengthSearch::new(&self.arcs, self.cutoff.as_ref()).in_order()
    }

    /// Searches for sums of terms: the order matters for those that are rounded.
    pub fn search_for(&self, terms: &[Terms]) -> LengthSearch<'_, D, Uncounted> {
        match terms.iter().any(Terms::are_real) {
            true => self.search(),
            false => LengthSearch::new(&self.arcs, self.cutoff.as_ref()),
        }
    }

    /// The ways to compute these terms; none for those that are 1.
    pub fn terms(&self, terms: &[LengthTerm]) -> Vec<Terms> {
        let longest = &self.arcs.longest;
        let terms = terms.iter();
        terms
            .filter_map(|&term| Terms::new::<D>(term, &self.unit, longest))
            .collect()
    }

    /// The order of sources, the arcs and the longest length, if many sources are searched from at a time.
    pub fn in_lanes(&self) -> Option<(&[Node], ShortArcs<'_>, u32)> {
        let (order, longest) = self.lanes.as_ref()?;
        Some((order, self.arcs.short()?, *longest))
    }

    /// The exact sums of terms of these nodes.
    pub fn fractions(
        &self,
        nodes: &[Node],
        terms: &Terms,
        progress: &dyn Progress,
    ) -> Result<HashMap<Node, Fraction>> {
        progress.begin("comparing", Some(nodes.len() as u64));
        let rooms = Pool::new(|| self.search());
        let found = tasks::try_map(nodes, |&node| {
            progress.check()?;
            let mut distances: Vec<(D, u32)> = Vec::new();
            rooms.with(|room| {
                room.search(node, &mut |distance, _| match distances.last_mut() {
                    Some((last, count)) if last == distance => *count += 1,
                    _ => distances.push((distance.clone(), 1)),
                })
            });
            progress.advance(1);
            Ok::<_, Error>((node, terms.fraction(&distances)))
        })?;
        progress.end();
        Ok(found.into_iter().collect())
    }
}
