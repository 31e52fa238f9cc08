//! Searches from all nodes, or some, along arcs of any type of lengths.

use super::distance::Plus;
use super::scores::AllSums;
use super::search::{LengthSearch, LongArcs, Uncounted};
use super::source::Lengths;
use super::sums::{NodeSums, TermSum, Terms, sum};
use super::whole::{Unit, Whole};
use super::{Cutoff, decimal::Decimal};
use num_bigint::BigUint;
use std::collections::HashMap;
use std::time::Instant;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::tasks;
use webrank_base::parallel::workspaces::Pool;
use webrank_base::progress::Progress;
use webrank_distances::betweenness::modular::Residue;
use webrank_distances::geometric::terms::LengthTerm;
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
}

impl Lengths {
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
            unit: Unit,
        ) -> Result<Prepared<D, A>> {
            let arcs = LongArcs::outgoing::<D>(rows, lengths)?;
            let arcs = match direction {
                Direction::Out => arcs,
                Direction::In => arcs.reversed()?,
            };
            let cutoff = within.map(|within| D::at_most(&within));
            Ok(Prepared { arcs, cutoff, unit })
        }
        let (unit, d) = (self.unit, direction);
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
        let least = self.arcs.shortest.as_ref();
        let least = least.map_or(D::zero(), |length| D::of_length(length));
        let longest = &self.arcs.longest;
        let terms = terms.iter();
        terms
            .filter_map(|&term| Terms::new(term, &self.unit, &least, longest))
            .collect()
    }

    /// The sums of all nodes.
    pub fn sums(self, terms: Vec<Terms>, progress: &dyn Progress) -> Result<(AllSums<D>, Self)> {
        let n = self.arcs.num_nodes();
        progress.begin("searching", Some(n as u64));
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

    /// The sums of terms of these nodes modulo a prime.
    pub fn residues(
        &self,
        nodes: &[Node],
        terms: &Terms,
        progress: &dyn Progress,
    ) -> Result<HashMap<Node, Option<Residue>>> {
        progress.begin("comparing", Some(nodes.len() as u64));
        let rooms = Pool::new(|| (self.search(), Vec::new()));
        let found = tasks::try_map(nodes, |&node| {
            progress.check()?;
            let residue = rooms.with(|(room, distances)| {
                distances.clear();
                room.search(node, |distance, _| distances.push(distance.clone()));
                terms.residue(distances)
            });
            progress.advance(1);
            Ok::<_, Error>((node, residue))
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
        let started = Instant::now();
        tasks::try_map(0..threads, |thread| {
            let places = (thread..sampled).step_by(threads);
            let mut nodes = places.map(|i| ((2 * i + 1) * n / (2 * sampled)) as Node);
            let mut checked =
                std::iter::from_fn(|| nodes.next().filter(|_| progress.check().is_ok()));
            work(&mut checked)
        })?;
        progress.check()?;
        Ok(started.elapsed().as_secs_f64() * n as f64 / sampled.max(1) as f64)
    }
}
