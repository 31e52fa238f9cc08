//! The sums of all nodes, from one source or from 512 at a time, perhaps kept in a checkpoint.

use super::batch::Batch;
use super::distance::Distance;
use super::engine::Prepared;
use super::scores::AllSums;
use super::sums::{NodeSums, TermSum, Terms, sum, sum_in_lanes};
use num_traits::ToPrimitive;
use webrank_base::Node;
use webrank_base::checkpoint::{StateVisitor, map_kept};
use webrank_base::error::{Error, Result};
use webrank_base::parallel::tasks;
use webrank_base::parallel::workspaces::Pool;
use webrank_base::progress::Progress;
use webrank_distances::probe;
use webrank_distances::traversal::bit_parallel::LANES;
use webrank_distances::traversal::ring::{RingSearch, ShortArcs};

/// The sources of a task that searches from one after the other.
const SOURCES: usize = 32;

impl<D: Distance> Prepared<D> {
    /// The sums of all nodes; goes on from what the checkpoint of `progress` holds.
    ///
    /// # Errors
    /// If the user interrupts; if a checkpoint cannot be read or written.
    pub fn sums(self, terms: Vec<Terms>, progress: &dyn Progress) -> Result<(AllSums<D>, Self)> {
        let n = self.arcs.num_nodes();
        progress.begin("searching", Some(n as u64));
        let (sources, batches) = match self.in_lanes() {
            Some((order, graph, longest)) => {
                let rooms = Pool::new(|| RingSearch::new(n, longest));
                let search = |sources: &[Node]| {
                    progress.check()?;
                    Ok(rooms.with(|room| self.batch(room, graph, sources, &terms)))
                };
                let stage = "distances by lengths, from 512 sources at a time";
                let parts: Vec<&[Node]> = order.chunks(LANES).collect();
                (
                    order.to_vec(),
                    all(stage, &parts, terms.len(), search, progress)?,
                )
            }
            None => {
                let rooms = Pool::new(|| self.search_for(&terms));
                let search = |sources: &[Node]| {
                    let mut batch = Batch::default();
                    rooms.with(|room| {
                        for &source in sources {
                            progress.check()?;
                            let found = sum(room, source, &terms, &mut batch.sums);
                            batch.nodes.push(found);
                        }
                        Ok::<_, Error>(())
                    })?;
                    Ok(batch)
                };
                let order: Vec<Node> = (0..n as Node).collect();
                let parts: Vec<&[Node]> = order.chunks(SOURCES).collect();
                let stage = "distances by lengths, from one source at a time";
                let batches = all(stage, &parts, terms.len(), search, progress)?;
                (order, batches)
            }
        };
        progress.end();
        let mut nodes = vec![NodeSums::none(); n];
        let mut sums = vec![TermSum::default(); n * terms.len()];
        let mut sources = sources.into_iter();
        for Batch {
            nodes: of_nodes,
            sums: of_terms,
        } in batches
        {
            let mut of_terms = of_terms.into_iter();
            for (found, source) in of_nodes.into_iter().zip(&mut sources) {
                nodes[source as usize] = found;
                let first = source as usize * terms.len();
                let places = sums[first..first + terms.len()].iter_mut();
                places
                    .zip(&mut of_terms)
                    .for_each(|(place, sum)| *place = sum);
            }
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

    /// The sums of at most 512 sources.
    fn batch(
        &self,
        room: &mut RingSearch,
        graph: ShortArcs,
        sources: &[Node],
        terms: &[Terms],
    ) -> Batch<D> {
        let cutoff = self
            .cutoff
            .as_ref()
            .and_then(|cutoff| cutoff.big().to_u64());
        sum_in_lanes(room, graph, sources, cutoff.unwrap_or(u64::MAX), terms)
    }

    /// About how many seconds the sums of all nodes take with the current number of threads.
    ///
    /// # Errors
    /// If the user interrupts.
    pub fn seconds_of_sums(&self, terms: &[Terms], progress: &dyn Progress) -> Result<f64> {
        let n = self.arcs.num_nodes();
        let Some((order, graph, longest)) = self.in_lanes() else {
            let room = || (self.search_for(terms), Vec::new());
            return probe::seconds_from_each(n, progress, room, |(room, sums), source| {
                sums.clear();
                std::hint::black_box(sum(room, source, terms, sums));
            });
        };
        let batches: Vec<&[Node]> = order.chunks(LANES).collect();
        let rooms = Pool::new(|| RingSearch::new(n, longest));
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
}

/// The sums of all parts of the sources, in their order.
fn all<D: Distance>(
    stage: &'static str,
    parts: &[&[Node]],
    num_terms: usize,
    search: impl Fn(&[Node]) -> Result<Batch<D>> + Sync,
    progress: &dyn Progress,
) -> Result<Vec<Batch<D>>> {
    let search = |sources: &[Node]| {
        let batch = search(sources)?;
        progress.advance(sources.len() as u64);
        Ok(batch)
    };
    let Some(checkpoint) = progress.checkpoint() else {
        return tasks::try_map(parts.iter().copied(), search);
    };
    let (keeping, found) = checkpoint.begin(stage, progress)?;
    let mut done: Vec<Option<Batch<D>>> = parts.iter().map(|_| None).collect();
    if let Some(mut found) = found {
        let visitor = StateVisitor::Restore(Some(&mut found));
        visit(visitor, parts, num_terms, &mut done)?;
        found.end()?;
    }
    let known = parts.iter().zip(&done).filter(|(_, done)| done.is_some());
    progress.resume(known.map(|(sources, _)| sources.len() as u64).sum());
    let save = |done: &mut [Option<Batch<D>>]| {
        let count = done.iter().flatten().count();
        keeping.keep(&format!("part {count} of {}", done.len()), |to| {
            visit(StateVisitor::Save(Some(to)), parts, num_terms, done)
        })
    };
    let found = map_kept(&keeping, parts.iter().copied(), done, search, save)?;
    keeping.end()?;
    Ok(found)
}

/// Visits the sums of the parts that are done.
fn visit<D: Distance>(
    mut visitor: StateVisitor,
    parts: &[&[Node]],
    num_terms: usize,
    done: &mut [Option<Batch<D>>],
) -> Result<()> {
    let mut is_done: Vec<u8> = done.iter().map(|done| u8::from(done.is_some())).collect();
    visitor.numbers(&mut is_done)?;
    for ((done, sources), _) in done
        .iter_mut()
        .zip(parts)
        .zip(is_done)
        .filter(|it| it.1 == 1)
    {
        let mut words = done
            .as_ref()
            .map(|batch| batch.words(num_terms))
            .unwrap_or_default();
        visitor.list(&mut words, Batch::<D>::most_words(sources.len(), num_terms))?;
        if visitor.is_restoring() {
            *done = Batch::of_words(&words, num_terms);
            let is_whole = done
                .as_ref()
                .is_some_and(|it| it.nodes.len() == sources.len());
            visitor.check(is_whole)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cutoff;
    use crate::engine::OnLengths;
    use crate::source::LengthSource;
    use proptest::prelude::*;
    use webrank_base::limits::Limits;
    use webrank_base::progress::Silent;
    use webrank_base::random::SplitMix;
    use webrank_distances::geometric::decay::Base;
    use webrank_distances::geometric::terms::LengthTerm;
    use webrank_graph::Direction;
    use webrank_graph::Graph;

    /// Sums from many sources at a time are those from one after the other.
    struct BothWays;

    impl OnLengths for BothWays {
        type Found = ();

        fn run<D: Distance>(self, graph: Prepared<D>) -> Result<()> {
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
