//! Searches from all nodes, or some, along arcs of any type of lengths.

use super::distance::Plus;
use super::scores::AllSums;
use super::search::{LengthSearch, LongArcs, Uncounted};
use super::source::Lengths;
use super::sums::{Fraction, NodeSums, TermSum, Terms, sum, sum_in_lanes};
use super::whole::{Unit, Whole};
use super::{Cutoff, decimal::Decimal};
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use std::collections::HashMap;
use std::time::Instant;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::limits::Limits;
use webrank_base::parallel::tasks;
use webrank_base::parallel::workspaces::Pool;
use webrank_base::progress::Progress;
use webrank_distances::geometric::terms::LengthTerm;
use webrank_distances::probe;
use webrank_distances::reduction::order::breadth_first;
use webrank_distances::traversal::bit_parallel::LANES;
use webrank_distances::traversal::ring::{RingSearch, ShortArcs};
use webrank_graph::{Csr, Direction};
use webrank_linear::exact_sum;

/// What is done with the arcs of a graph, whatever the type of their lengths.
pub(crate) trait OnLengths {
    type Found;

    fn run<D: Plus<A>, A: Clone + Ord + Send + Sync>(
        self,
        arcs: Prepared<D, A>,
    ) -> Result<Self::Found>;
}

/// A graph with lengths in one direction.
pub(crate) struct Prepared<D, A> {
    pub arcs: LongArcs<A>,
    pub cutoff: Option<D>,
    pub unit: Unit,
    lanes: Option<(Vec<Node>, u32)>,
}

/// Lengths up to this are searched by from 512 sources at a time: see `docs/src/measurements/lengths.md`.
const MOST_IN_LANES: u32 = 16;

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
        fn prepared<D: Plus<A>, A: Clone + Ord>(
            (rows, lengths): (&Csr, Vec<A>),
            direction: Direction,
            within: Option<BigUint>,
            (unit, lanes): (Unit, Option<(Vec<Node>, u32)>),
        ) -> Result<Prepared<D, A>> {
            let arcs = LongArcs::outgoing::<D>(rows, lengths)?;
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
        let (unit, d) = ((self.unit, self.lanes), direction);
        match self.whole {
            Whole::Narrow(lengths) => {
                job.run(prepared::<u64, u32>((rows, lengths), d, within, unit)?)
            }
            Whole::Middle(lengths) => {
                job.run(prepared::<u64, u64>((rows, lengths), d, within, unit)?)
            }
            Whole::Wide(lengths) => {
                job.run(prepared::<u128, u128>((rows, lengths), d, within, unit)?)
            }
            Whole::Long(lengths) => job.run(prepared::<BigUint, BigUint>(
                (rows, lengths),
                d,
                within,
                unit,
            )?),
        }
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
        let waiting = m.min(4 * n) * (distance + 8);
        2 * m * arc + threads as u64 * (n * (distance + counts + 4) + 2 * waiting)
    }
}

/// The sources of one task.
const SOURCES: usize = 32;

/// Searches timed for each thread, at most and at least.
const TIMED: [usize; 2] = [64, 4];

impl<D: Plus<A>, A: Clone + Ord + Send + Sync> Prepared<D, A> {
    pub fn search(&self) -> LengthSearch<'_, D, A, Uncounted> {
        LengthSearch::new(&self.arcs, self.cutoff.as_ref())
    }

    /// The ways to compute these terms; none for those that are 1.
    pub fn terms(&self, terms: &[LengthTerm]) -> Vec<Terms> {
        let longest = &self.arcs.longest;
        let terms = terms.iter();
        terms
            .filter_map(|&term| Terms::new::<D>(term, &self.unit, longest))
            .collect()
    }

    /// The sums of all nodes.
    pub fn sums(self, terms: Vec<Terms>, progress: &dyn Progress) -> Result<(AllSums<D>, Self)> {
        let n = self.arcs.num_nodes();
        progress.begin("searching", Some(n as u64));
        if let Some((order, graph, longest)) = self.in_lanes() {
            let rooms = Pool::new(|| RingSearch::new(n, longest));
            let batches = tasks::try_map(order.chunks(LANES), |sources| {
                progress.check()?;
                let found = rooms.with(|room| self.batch(room, graph, sources, &terms));
                progress.advance(sources.len() as u64);
                Ok::<_, Error>((sources, found))
            })?;
            progress.end();
            let mut nodes = vec![NodeSums::none(); n];
            let mut sums = vec![TermSum::default(); n * terms.len()];
            for (sources, (of_nodes, of_terms)) in batches {
                let of_terms = of_terms.chunks(terms.len().max(1));
                let mut of_terms = of_terms.map(<[TermSum]>::to_vec);
                for (&source, found) in sources.iter().zip(of_nodes) {
                    nodes[source as usize] = found;
                    let first = source as usize * terms.len();
                    let found = of_terms.next().unwrap_or_default();
                    sums[first..first + found.len()].copy_from_slice(&found);
                }
            }
            let unit = self.unit.clone();
            drop(rooms);
            return Ok((
                AllSums {
                    nodes,
                    sums,
                    terms,
                    unit,
                },
                self,
            ));
        }
        let rooms = Pool::new(|| self.search());
        let blocks = (0..n)
            .step_by(SOURCES)
            .map(|first| first..n.min(first + SOURCES));
        let parts = tasks::try_map(blocks, |block| {
            let (mut nodes, mut sums) = (Vec::with_capacity(block.len()), Vec::new());
            let count = block.len() as u64;
            rooms.with(|room| {
                for source in block {
                    progress.check()?;
                    nodes.push(sum(room, source as Node, &terms, &mut sums));
                }
                Ok(())
            })?;
            progress.advance(count);
            Ok::<_, Error>((nodes, sums))
        })?;
        progress.end();
        drop(rooms);
        let mut nodes: Vec<NodeSums<D>> = Vec::with_capacity(n);
        let mut sums: Vec<TermSum> = Vec::with_capacity(n * terms.len());
        for (of_nodes, of_terms) in parts {
            nodes.extend(of_nodes);
            sums.extend(of_terms);
        }
        let unit = self.unit.clone();
        let all = AllSums {
            nodes,
            sums,
            terms,
            unit,
        };
        Ok((all, self))
    }

    /// The order of sources, the arcs and the longest length, if many sources are searched from at a time.
    fn in_lanes(&self) -> Option<(&[Node], ShortArcs<'_>, u32)> {
        let (order, longest) = self.lanes.as_ref()?;
        Some((order, self.arcs.short::<D>()?, *longest))
    }

    /// The sums of some sources.
    fn batch(
        &self,
        room: &mut RingSearch,
        graph: ShortArcs,
        sources: &[Node],
        terms: &[Terms],
    ) -> (Vec<NodeSums<D>>, Vec<TermSum>) {
        let cutoff = self
            .cutoff
            .as_ref()
            .and_then(|cutoff| cutoff.big().to_u64());
        sum_in_lanes(room, graph, sources, cutoff.unwrap_or(u64::MAX), terms)
    }

    /// About how many seconds the sums of all nodes take with the current number of threads.
    pub fn seconds_of_sums(&self, terms: &[Terms], progress: &dyn Progress) -> Result<f64> {
        let Some((order, graph, longest)) = self.in_lanes() else {
            return self.seconds(progress, |sources| {
                let (mut room, mut sums) = (self.search(), Vec::new());
                sources.for_each(|source| {
                    std::hint::black_box(sum(&mut room, source, terms, &mut sums));
                });
                Ok(())
            });
        };
        let batches: Vec<&[Node]> = order.chunks(LANES).collect();
        let rooms = Pool::new(|| RingSearch::new(self.arcs.num_nodes(), longest));
        probe::seconds(batches.len(), progress, |parts| {
            tasks::try_map(parts.iter(), |&part| {
                progress.check()?;
                let found = rooms.with(|room| self.batch(room, graph, batches[part], terms));
                std::hint::black_box(found);
                Ok::<_, Error>(())
            })?;
            Ok(())
        })
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
                room.search(node, |distance, _| match distances.last_mut() {
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

    /// About how many seconds `work` takes from all nodes, with the current number of threads: of some, it
    /// is timed.
    pub fn seconds(
        &self,
        progress: &dyn Progress,
        work: impl Fn(&mut dyn Iterator<Item = Node>) -> Result<()> + Sync,
    ) -> Result<f64> {
        let n = self.arcs.num_nodes();
        let threads = rayon::current_num_threads();
        let [most, least] = TIMED;
        let sampled = (n / 64).clamp(least * threads, most * threads).min(n);
        progress.begin("timing searches", None);
        let started = Instant::now();
        tasks::try_map(0..threads, |thread| {
            let places = (thread..sampled).step_by(threads);
            let mut nodes = places.map(|i| ((2 * i + 1) * n / (2 * sampled)) as Node);
            let mut checked =
                std::iter::from_fn(|| nodes.next().filter(|_| progress.check().is_ok()));
            work(&mut checked)
        })?;
        progress.check()?;
        progress.end();
        Ok(started.elapsed().as_secs_f64() * n as f64 / sampled.max(1) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::LengthSource;
    use proptest::prelude::*;
    use webrank_base::progress::Silent;
    use webrank_base::random::SplitMix;
    use webrank_distances::geometric::decay::Base;
    use webrank_graph::Graph;

    /// Sums from many sources at a time are those from one after the other.
    struct BothWays;

    impl OnLengths for BothWays {
        type Found = ();

        fn run<D: Plus<A>, A: Clone + Ord + Send + Sync>(
            self,
            graph: Prepared<D, A>,
        ) -> Result<()> {
            let base = Base::new(0.75)?;
            let terms = [LengthTerm::Inverse, LengthTerm::Power(base)];
            assert!(graph.in_lanes().is_some());
            let of_many = graph.terms(&terms);
            let (many, mut graph) = graph.sums(of_many, &Silent)?;
            graph.lanes = None;
            let of_one = graph.terms(&terms);
            let (one, _) = graph.sums(of_one, &Silent)?;
            assert_eq!(many.nodes, one.nodes);
            assert_eq!(many.sums, one.sums);
            Ok(())
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn lanes_change_no_sum(
            n in 1..1300u64, arcs in 0..4u64, longest in 1..=16u64, tenths: bool, cut in 0..50u64,
            seed: u64,
        ) {
            let mut random = SplitMix::new(seed);
            let mut ends = vec![(0, 0)];
            ends.extend((0..arcs * n).map(|_| (random.below(n) as Node, random.below(n) as Node)));
            let graph = Graph::from_arcs(n as usize, ends).unwrap();
            let length = |_| (1 + random.below(longest)) as f64 / if tenths { 10.0 } else { 1.0 };
            let lengths: Vec<f64> = (0..graph.num_arcs()).map(length).collect();
            let lengths = LengthSource::Values(lengths.into());
            let cutoff = (cut > 0).then(|| Cutoff::new(cut as f64 / 2.0).unwrap());
            for direction in [Direction::In, Direction::Out] {
                let lengths = lengths.read(&graph, &Silent).unwrap();
                let lengths = lengths.in_lanes(&Limits::default());
                lengths.along(direction, cutoff, BothWays).unwrap();
            }
        }
    }
}
