//! Exact distance measures of every node: any number of them from one traversal.
//!
//! The traversal yields the number of nodes at each distance from a node; these histograms are
//! immediately summed in integers. Scores are computed from the sums once all are known, so a
//! measure may use properties of the whole graph.

use super::exact_number::{ExactNumber, Rounded};
use super::far_nodes::Column;
use super::measure::{DistanceMeasure, Sums, Whole};
use super::terms::{TableView, TermSums};
use super::{Direction, DistanceScores, run_of, share_of_pairs};
use crate::reduction::{Reduced, Reductions};
use crate::traversal::histogram::Histogram;
use crate::traversal::histograms;
use crate::traversal::histograms::{Engine, Searched};
use ethnum::U256;
use ndarray::Array1;
use std::time::Duration;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_graph::{Csr, Predecessors, Successors};
use webrank_scores::Scores;

/// A graph prepared for exact scores in one direction.
///
/// It is made once, so that the time of a run can be estimated in advance.
#[derive(Debug)]
pub struct Exact<'g> {
    pub(super) direction: Direction,
    pub(super) graph: Reduced<'g>,
}

impl<'g> Exact<'g> {
    /// Reduces the graph; `successors` is the transpose of `predecessors`.
    /// See [`Reduced::new`] for time and space.
    pub fn new(
        predecessors: Predecessors<'g, Csr>,
        successors: Successors<'g, Csr>,
        direction: Direction,
    ) -> Self {
        let (rows, reverse) = direction.rows(predecessors, successors);
        Exact {
            direction,
            graph: Reduced::new(rows, reverse, Reductions::ALL),
        }
    }

    /// The number of progress units in a run: sources searched from.
    pub fn units(&self) -> u64 {
        self.graph.leaders().len() as u64
    }

    /// The bytes that a run with `threads` threads takes, without the graph: see
    /// [`histograms::memory`].
    pub fn memory(&self, threads: usize, num_measures: usize) -> u64 {
        let of_node = size_of::<(Node, NodeSums)>() + num_measures * size_of::<(U256, Rounded)>();
        let results = (self.graph.num_nodes() * of_node) as u64;
        histograms::memory(&self.graph, threads) + results
    }

    /// An estimate of how long a run takes with the current number of threads: see
    /// [`histograms::seconds`].
    ///
    /// # Errors
    /// [`Interrupted`](webrank_base::error::Error::Interrupted) when the user stops the run.
    pub fn expected_time(&self, progress: &dyn Progress) -> Result<Duration> {
        let seconds = histograms::seconds(&self.graph, Engine::default(), progress)?;
        Ok(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
    }

    /// The scores of every node by each of `measures`.
    ///
    /// O(m) for each 512 searches at worst, and about one search for each class of nodes with equal
    /// lists. Reports [`units`](Self::units) units to `progress`.
    ///
    /// # Errors
    /// [`Interrupted`](webrank_base::error::Error::Interrupted) when the user stops the run.
    pub fn run(
        &self,
        measures: &[&dyn DistanceMeasure],
        progress: &dyn Progress,
    ) -> Result<DistanceScores> {
        let summing = Summing::new(measures);
        progress.begin("searching", Some(self.units()));
        let searched = match progress.checkpoint() {
            Some(checkpoint) => self.search_kept(&summing, checkpoint, progress)?,
            None => self.search(&summing, self.graph.leaders(), progress)?,
        };
        progress.end();
        let n = self.graph.num_nodes();
        let mut values = vec![Array1::zeros(n); measures.len()];
        let mut rests = vec![vec![Rounded::NO_REST; n]; measures.len()];
        let whole = summing.whole(&searched.states, n);
        for (nodes, scores) in summing.scores(&searched.states, &whole) {
            let rows = scores.chunks_exact(measures.len().max(1));
            for (&node, row) in nodes.iter().zip(rows) {
                for (column, score) in row.iter().enumerate() {
                    values[column][node as usize] = score.value;
                    rests[column][node as usize] = score.rest;
                }
            }
        }
        let mut outcomes = Vec::with_capacity(measures.len());
        for (place, measure) in measures.iter().enumerate() {
            let column = Column {
                exact: self,
                summing: &summing,
                states: &searched.states,
                place,
                measure: *measure,
            };
            let values = values[place].as_slice_mut();
            let values = values.expect("one column is contiguous");
            outcomes.push(column.settle(values, &mut rests[place], progress)?);
        }
        let columns = values.into_iter().zip(measures).zip(outcomes);
        let scores = columns.map(|((values, measure), outcome)| {
            let run = run_of(*measure, self.direction, "exact", outcome);
            Scores::new(values, run)
        });
        let pairs: u64 = searched.states.iter().map(SummedBatch::reached).sum();
        Ok(DistanceScores {
            scores: scores.collect(),
            rests,
            reachable_share: Some(share_of_pairs(pairs as f64, n)),
            arcs: searched.arcs,
        })
    }

    /// Searches from `leaders`, all or some of those of the graph, and sums the histograms.
    pub(super) fn search(
        &self,
        summing: &Summing,
        leaders: &[Node],
        progress: &dyn Progress,
    ) -> Result<Searched<SummedBatch>> {
        histograms::histograms(
            &self.graph,
            leaders,
            Engine::default(),
            || summing.start(),
            |batch, node, histogram| summing.add(batch, node, histogram),
            progress,
        )
    }
}

/// The sums of histograms that the measures need.
pub(super) struct Summing<'m> {
    measures: &'m [&'m dyn DistanceMeasure],
    /// The sums of terms of those measures that have terms.
    terms: Vec<TermSums<'m>>,
    /// The place of each measure's terms among these.
    places: Vec<Option<usize>>,
}

/// The sums of one node, in integers.
#[derive(Clone, Copy, Default)]
pub(super) struct NodeSums {
    pub(super) distances: u64,
    pub(super) reached: u32,
    pub(super) eccentricity: u32,
}

/// The sums of the nodes of one batch.
pub(super) struct SummedBatch {
    pub(super) nodes: Vec<Node>,
    pub(super) sums: Vec<NodeSums>,
    /// One row per node, one column per term.
    pub(super) grains: Vec<U256>,
    views: Vec<TableView>,
}

impl SummedBatch {
    fn reached(&self) -> u64 {
        self.sums.iter().map(|sums| sums.reached as u64).sum()
    }
}

impl<'m> Summing<'m> {
    pub fn new(measures: &'m [&'m dyn DistanceMeasure]) -> Self {
        let mut terms = Vec::new();
        let mut place = |measure: &&'m dyn DistanceMeasure| {
            measure.term().map(|term| {
                terms.push(TermSums::new(term));
                terms.len() - 1
            })
        };
        Summing {
            measures,
            places: measures.iter().map(&mut place).collect(),
            terms,
        }
    }

    /// The number of measures that have terms.
    pub fn num_terms(&self) -> usize {
        self.terms.len()
    }

    /// The sum of the terms of a measure that has terms, of the node in a row of a batch.
    pub fn grains(&self, batch: &SummedBatch, row: usize, measure: usize) -> U256 {
        let place = self.places[measure].expect("the measure has terms");
        batch.grains[row * self.terms.len() + place]
    }

    pub fn start(&self) -> SummedBatch {
        SummedBatch {
            nodes: Vec::new(),
            sums: Vec::new(),
            grains: Vec::new(),
            views: self.terms.iter().map(TermSums::view).collect(),
        }
    }

    /// Sums the histogram of a node.
    #[inline]
    pub fn add(&self, batch: &mut SummedBatch, node: Node, histogram: Histogram) {
        let eccentricity = histogram.eccentricity();
        let (mut reached, mut distances) = (0i64, 0u64);
        histogram.for_changes(|distance, change| {
            let distance = distance as u64;
            reached += change * distance as i64;
            // The sum of 1, ..., d; intermediate sums may wrap, the last one does not.
            let up_to = distance * (distance + 1) / 2;
            distances = distances.wrapping_add((change as u64).wrapping_mul(up_to));
        });
        batch.nodes.push(node);
        batch.sums.push(NodeSums {
            distances,
            reached: reached as u32,
            eccentricity,
        });
        for (terms, view) in self.terms.iter().zip(&mut batch.views) {
            batch.grains.push(terms.grains(histogram, view));
        }
    }

    /// The properties of a graph of `num_nodes`, known once the histograms of all its nodes are
    /// summed.
    pub fn whole(&self, batches: &[SummedBatch], num_nodes: usize) -> Whole {
        let sums = batches.iter().flat_map(|batch| &batch.sums);
        let diameter = sums.map(|sums| sums.eccentricity).max();
        Whole {
            num_nodes,
            diameter: ExactNumber::integer(diameter.unwrap_or(0) as u64),
        }
    }

    /// The nodes of each batch, and their scores: one row per node, one column per measure.
    pub fn scores<'b>(
        &self,
        batches: &'b [SummedBatch],
        whole: &Whole,
    ) -> Vec<(&'b [Node], Vec<Rounded>)> {
        let scored = |batch: &'b SummedBatch| (&batch.nodes[..], self.scores_of(batch, whole));
        tasks::map(batches, scored)
    }

    /// The score of one node by the only measure.
    pub fn score(&self, node: Node, histogram: Histogram, whole: &Whole) -> Rounded {
        let mut batch = self.start();
        self.add(&mut batch, node, histogram);
        self.scores_of(&batch, whole)[0]
    }

    fn scores_of(&self, batch: &SummedBatch, whole: &Whole) -> Vec<Rounded> {
        let mut scores = Vec::with_capacity(batch.nodes.len() * self.measures.len());
        for (row, &sums) in batch.sums.iter().enumerate() {
            let grains = &batch.grains[row * self.terms.len()..][..self.terms.len()];
            for (measure, place) in self.measures.iter().zip(&self.places) {
                let terms = place.map(|place| self.terms[place].number(grains[place]));
                let sums = Sums {
                    reached: ExactNumber::integer(sums.reached as u64),
                    distances: ExactNumber::integer(sums.distances),
                    eccentricity: ExactNumber::integer(sums.eccentricity as u64),
                    terms: terms.unwrap_or(ExactNumber::UNKNOWN),
                };
                scores.push(measure.score(&sums, whole).rounded());
            }
        }
        scores
    }
}

/// The exact scores of every node by each of `measures`, from one traversal.
///
/// `successors` is the transpose of `predecessors`. See [`Exact`] for the steps.
///
/// # Errors
/// [`Interrupted`](webrank_base::error::Error::Interrupted) when the user stops the run.
pub fn geometric(
    predecessors: Predecessors<Csr>,
    successors: Successors<Csr>,
    direction: Direction,
    measures: &[&dyn DistanceMeasure],
    progress: &dyn Progress,
) -> Result<DistanceScores> {
    Exact::new(predecessors, successors, direction).run(measures, progress)
}
