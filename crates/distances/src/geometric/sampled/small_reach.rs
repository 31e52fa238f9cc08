//! Nodes of small reach, exactly: those whose classes few draws reached.
//!
//! A class that fewer than 32 draws reached has a large relative error, and few nodes reach it. So the exact
//! engine searches from it, against the arcs, the least reached first. This ends once it has followed 8
//! times the arcs of the draws and of the graph: on graphs where nodes of a middling reach are so many that
//! this would take as long as exact scores of all.

use super::sums::Sums;
use crate::geometric::exact::{Exact, SummedBatch, Summing};
use crate::geometric::measure::Whole;
use crate::reduction::Reduced;
use crate::traversal::histograms::{Engine, histograms_by};
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;

/// Classes that fewer draws reached are searched from, by these bounds: one after the other.
const FEWER_THAN: [u32; 6] = [0, 1, 4, 8, 16, 32];

/// The batches between two looks at the arcs that were followed.
const BATCHES: usize = 16;

/// How many times the arcs of the draws and of the graph may be followed.
const TIMES: u64 = 8;

/// Searches from nodes of small reach.
pub(super) struct SmallReach<'a> {
    exact: &'a Exact<'a>,
    summing: Summing<'a>,
    /// Nodes to be searched from, in the order of searching.
    leaders: Vec<Node>,
    /// The most arcs to be followed.
    most: u64,
}

/// The results of these searches.
pub(super) struct ExactScores {
    /// The scores of each measure, one after the other; not a number where they are not known.
    pub(super) scores: Vec<f64>,
    /// The number of leaders that were searched from.
    pub(super) done: usize,
    /// Arcs followed.
    pub(super) arcs: u64,
}

impl<'a> SmallReach<'a> {
    /// Chooses the searches from what the draws found on `graph`, whose rows are those of `exact`
    /// reversed.
    pub(super) fn new(
        exact: &'a Exact<'a>,
        summing: Summing<'a>,
        graph: &Reduced,
        sums: &Sums,
        arcs: u64,
    ) -> Self {
        let n = graph.num_nodes();
        let classes = &graph.quotient().node_of;
        let rows = exact.graph.rows();
        let mut is_taken = vec![false; n];
        let mut leaders = Vec::new();
        for bounds in FEWER_THAN.windows(2) {
            let is_wanted = |&x: &Node| {
                let hits = sums.hits[classes[x as usize] as usize];
                (bounds[0]..bounds[1]).contains(&hits) && rows.degree(x) > 0
            };
            let found = exact.graph.leaders_of((0..n as Node).filter(is_wanted));
            let new = |&leader: &Node| !std::mem::replace(&mut is_taken[leader as usize], true);
            leaders.extend(found.into_iter().filter(new));
        }
        SmallReach {
            exact,
            summing,
            leaders,
            most: TIMES * (arcs + graph.rows().num_arcs()),
        }
    }

    /// The number of leaders to search from.
    pub(super) fn len(&self) -> usize {
        self.leaders.len()
    }

    /// Searches from those that `found` lacks, until the arcs are used up; `keep` is called at every safe
    /// point.
    pub(super) fn run(
        &self,
        found: &mut ExactScores,
        mut keep: impl FnMut(&ExactScores) -> Result<()>,
        progress: &dyn Progress,
    ) -> Result<()> {
        // One call for all batches, so that threads keep their workspaces.
        histograms_by(
            &self.exact.graph,
            &self.leaders[found.done.min(self.leaders.len())..],
            Engine::default(),
            || self.summing.start(),
            |batch, node, histogram| self.summing.add(batch, node, histogram),
            |batches, search| {
                for wave in batches.chunks(BATCHES) {
                    if found.arcs >= self.most {
                        break;
                    }
                    keep(found)?;
                    let searched = tasks::try_map(wave, |leaders| search(leaders))?;
                    found.done += wave.iter().map(|leaders| leaders.len()).sum::<usize>();
                    let (states, arcs): (Vec<_>, Vec<u64>) = searched.into_iter().unzip();
                    found.arcs += arcs.iter().sum::<u64>();
                    self.take(&states, found);
                }
                Ok(Vec::new())
            },
            progress,
        )?;
        Ok(())
    }

    fn take(&self, states: &[SummedBatch], found: &mut ExactScores) {
        let n = self.exact.graph.num_nodes();
        let whole = Whole::of_unknown_diameter(n);
        let measures = found.scores.len() / n;
        for (nodes, scores) in self.summing.scores(states, &whole) {
            for (&node, row) in nodes.iter().zip(scores.chunks_exact(measures)) {
                for (place, score) in row.iter().enumerate() {
                    found.scores[place * n + node as usize] = score.value;
                }
            }
        }
    }
}
