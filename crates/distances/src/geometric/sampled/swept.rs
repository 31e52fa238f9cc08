//! A sample by passes over the distinct rows of one direction, which may be in a file.
//!
//! The searches from the draws advance level by level ([`Pulled`]): memory grows with the nodes that lead to
//! others, and all threads share it. Draws follow the numbers of nodes: neighbours in this order are alike if
//! numbers follow a crawl or the names of hosts. Nodes that at most 1,024 others reach, or
//! 64 if memory is short, are exact ([`SmallSets`]).
//!
//! Sums of groups take 128 bytes per row and measure. If they do not fit into memory, each row has one sum of
//! all draws, and intervals are proved ones.

use super::Sample;
use super::columns::{Asked, Findings, Sampled};
use super::draws::{Draws, GROUPS};
use super::estimates::ClassesOfNodes;
use super::scale::Scale;
use super::sums::{BlockSums, Sums};
use crate::geometric::exact::Summing;
use crate::geometric::measure::{DistanceMeasure, Whole};
use crate::geometric::{Direction, DistanceScores};
use crate::traversal::bit_parallel::LANES;
use crate::traversal::histogram::Histogram;
use crate::traversal::pulled::{Counts, Pulled, RowNodes};
use crate::traversal::small_sets::{MOST, SmallSets};
use webrank_base::Node;
use webrank_base::checkpoint::{CheckpointReader, Stage};
use webrank_base::error::Result;
use webrank_base::limits::Limits;
use webrank_base::memory;
use webrank_base::parallel::tasks;
use webrank_base::progress::{Progress, Unheard};
use webrank_linear::runs::RunRows;

/// Ranges of nodes whose exact scores are found between two looks at whether the user interrupts.
const RANGES_AT_ONCE: usize = 256;

/// Rows that so many draws reach are not those of small reach.
const FEW: u32 = 8;

/// How many draws reach a row that `most` of the nodes reach with a probability of at most 1/512; at most
/// [`FEW`]. Fewer rows whose sets turn out to be large are followed so.
fn few(draws: usize, nodes: usize, most: usize) -> u32 {
    let expected = draws as f64 * most as f64 / nodes as f64;
    // A bound of the tail of a Poisson distribution.
    let mut tail = 1.0;
    let is_rare = |hits: &u32| {
        tail *= expected / f64::from(*hits);
        tail <= 1.0 / 512.0
    };
    (1..FEW).find(is_rare).unwrap_or(FEW)
}

/// The names of the searches in checkpoints, with groups and without.
const SWEPT: [&str; 2] = [
    "sampled distances by passes",
    "sampled distances by passes, without groups",
];

/// A sample of a graph whose rows of one direction are known.
pub struct Sweeping<'a> {
    /// The distinct rows: of predecessors, for incoming distances.
    pub rows: &'a RunRows,
    /// The measures.
    pub measures: &'a [&'a dyn DistanceMeasure],
    /// The direction of distances.
    pub direction: Direction,
    /// The parameters of the sample.
    pub wanted: Sample,
}

impl Sweeping<'_> {
    /// Estimates for every node, and notes on how they were found.
    ///
    /// # Errors
    /// If a measure cannot be sampled, or not so; if there is not enough memory; if rows are in a file that
    /// cannot be read; if the user interrupts.
    pub fn run(
        &self,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<(DistanceScores, Vec<String>)> {
        let n = self.rows.num_nodes();
        let asked = &Asked::new(self.measures, self.direction, self.wanted, n)?;
        let nodes = RowNodes::of(self.rows, progress)?;
        let leading = (0..n as Node).filter(|&x| nodes.leads(x as usize));
        let order: Vec<Node> = leading.collect();
        let sampled = Sampled {
            nodes: ClassesOfNodes {
                class: Box::new(|x| self.rows.row_of(x)),
                is_source: Box::new(|x| nodes.leads(x)),
            },
            degrees: &nodes.degrees,
            sources: order.len(),
        };
        let mut searches = Pulled::new(self.rows, &nodes)?;
        let by_groups = self.is_by_groups(asked, &searches, limits)?;
        let pilot = |count, seed| {
            let draws = Draws::new(&order, count, seed);
            let found = self.search(
                &mut searches,
                (asked, draws, true),
                None,
                &Unheard(progress),
            )?;
            asked.error_of_best(&sampled, &found, Ok)
        };
        let (count, note) = asked.count(order.len(), order.len() as u64, pilot)?;
        let draws = Draws::new(&order, count.unwrap_or(order.len()), self.wanted.seed);
        let keeping = match progress.checkpoint() {
            None => None,
            Some(checkpoint) => Some(checkpoint.begin(SWEPT[usize::from(!by_groups)], progress)?),
        };
        let found = self.search(&mut searches, (asked, draws, by_groups), keeping, progress)?;
        drop(searches);
        let (exact, most) = self.small_reach(&found, limits, progress)?;
        let mut notes: Vec<_> = note.into_iter().collect();
        notes.push(note_of_rows(by_groups, most));
        let exact = |place, x| exact.get(place * n + x).copied().unwrap_or(f64::NAN);
        let scores = DistanceScores {
            scores: asked.columns(&sampled, &found, exact),
            rests: Vec::new(),
            reachable_share: asked.reachable_share(&sampled, &found),
            arcs: 0,
        };
        Ok((scores, notes))
    }

    /// Searches from draws.
    fn search<'m>(
        &self,
        searches: &mut Pulled,
        (asked, draws, by_groups): (&Asked<'m>, Draws, bool),
        keeping: Option<(Stage, Option<CheckpointReader>)>,
        progress: &dyn Progress,
    ) -> Result<Findings<'m>> {
        let scales = asked.scales(draws.len(), if by_groups { GROUPS } else { 1 });
        let mut sums = Sums::within_memory(self.rows.num_rows(), scales.len(), by_groups)?;
        let sweeps = Sweeps {
            nodes: self.rows.num_nodes(),
            draws: &draws,
            scales: &scales,
        };
        let returned = sweeps.run(searches, &mut sums, keeping, progress)?;
        Ok(Findings::new(draws, scales, (sums, returned)))
    }

    /// The exact scores of nodes that few others reach, of one measure after the other, not a number for
    /// all others; and how many are few. Nothing if there is no room.
    fn small_reach(
        &self,
        found: &Findings,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<(Vec<f64>, Option<usize>)> {
        let (n, measures) = (self.rows.num_nodes(), self.measures.len());
        let room = limits.more_memory().saturating_sub(self.of_scores());
        let mut sets = None;
        for most in MOST {
            let few = few(found.draws.len(), n, most);
            let is_large = |row: usize| found.sums.hits[row] >= few;
            sets = SmallSets::of(self.rows, is_large, (most, room), progress)?;
            if sets.is_some() {
                break;
            }
        }
        let Some(sets) = sets else {
            return Ok((Vec::new(), None));
        };
        let summing = Summing::new(self.measures);
        let whole = Whole::of_unknown_diameter(n);
        let mut exact = memory::filled(f64::NAN, n * measures, "scores")?;
        let ranges: Vec<_> = tasks::ranges(n).collect();
        for ranges in ranges.chunks(RANGES_AT_ONCE) {
            progress.check()?;
            let known = tasks::map(ranges.iter().cloned(), |nodes| {
                let mut batch = summing.start();
                for node in nodes.start as Node..nodes.end as Node {
                    if let Some(counts) = sets.counts(node) {
                        summing.add(&mut batch, node, Histogram::new(&counts));
                    }
                }
                let scores = summing
                    .scores(std::slice::from_ref(&batch), &whole)
                    .remove(0)
                    .1;
                (batch.nodes, scores)
            });
            for (nodes, scores) in known {
                for (node, scores) in nodes.into_iter().zip(scores.chunks_exact(measures)) {
                    for (place, score) in scores.iter().enumerate() {
                        exact[place * n + node as usize] = score.value;
                    }
                }
            }
        }
        Ok((exact, Some(sets.most - 1)))
    }

    /// The bytes of all scores: estimates, the ends of their intervals, and exact ones.
    fn of_scores(&self) -> u64 {
        let of_node = 4 * size_of::<f64>() * self.measures.len();
        (of_node * self.rows.num_nodes()) as u64
    }

    /// True if sums of groups are wanted and fit into memory.
    fn is_by_groups(&self, asked: &Asked, searches: &Pulled, limits: &Limits) -> Result<bool> {
        let bytes = |by_groups| {
            let sums = Sums::memory(self.rows.num_rows(), asked.num_sums(), by_groups);
            sums + searches.memory().max(self.of_scores())
        };
        let admitted = limits.admit_more("sampling", bytes(true));
        if asked.needs_groups() {
            return admitted.map(|()| true);
        }
        match !self.wanted.is_proved() && admitted.is_ok() {
            true => Ok(true),
            false => limits.admit_more("sampling", bytes(false)).map(|()| false),
        }
    }
}

/// A note on what fewer rows change.
fn note_of_rows(by_groups: bool, most_of_exact: Option<usize>) -> String {
    let groups = match by_groups {
        true => "",
        false => ", and intervals are proved ones, which are wider",
    };
    let few = match most_of_exact {
        Some(most) => format!("more than {most} and few"),
        None => "few".into(),
    };
    format!(
        "rows of both directions do not fit into memory: nodes that {few} others reach are not exact, and have \
         wide intervals{groups}; more memory gives better ones"
    )
}

/// The searches from draws.
struct Sweeps<'a> {
    nodes: usize,
    draws: &'a Draws,
    scales: &'a [Scale<'a>],
}

impl Sweeps<'_> {
    /// Searches from all draws, and adds what they find to sums of every row: the level at which each draw
    /// came back to its own row, 0 for never.
    fn run(
        &self,
        searches: &mut Pulled,
        sums: &mut Sums,
        keeping: Option<(Stage, Option<CheckpointReader>)>,
        progress: &dyn Progress,
    ) -> Result<Vec<u32>> {
        let count = self.draws.len();
        let (mut done, mut returned) = (0, vec![0; count]);
        let keeping = match keeping {
            None => None,
            Some((stage, None)) => Some(stage),
            Some((stage, Some(mut from))) => {
                let mut counts = [0u64];
                from.fill(&mut counts)?;
                sums.restore(&mut from)?;
                from.fill(&mut returned)?;
                from.end()?;
                done = (counts[0] as usize).min(count);
                Some(stage)
            }
        };
        progress.begin("sampling", Some(count as u64));
        progress.resume(done as u64);
        while done < count {
            if let Some(stage) = keeping.as_ref().filter(|stage| stage.is_due()) {
                stage.keep(&format!("search {done} of {count}"), |to| {
                    to.numbers(&[done as u64])?;
                    sums.keep(to)?;
                    to.numbers(&returned)
                })?;
            }
            let draws = done..count.min(done + LANES);
            self.search(searches, sums, (draws.clone(), &mut returned), progress)?;
            progress.advance(draws.len() as u64);
            done = draws.end;
        }
        progress.end();
        keeping.map_or(Ok(()), Stage::end)?;
        Ok(returned)
    }

    fn search(
        &self,
        searches: &mut Pulled,
        sums: &mut Sums,
        (draws, returned): (std::ops::Range<usize>, &mut [u32]),
        progress: &dyn Progress,
    ) -> Result<()> {
        let sources: Vec<(Node, usize)> = draws
            .clone()
            .map(|draw| (self.draws.nodes[draw], self.draws.lane(draw)))
            .collect();
        searches.start(&sources)?;
        let mut blocks = sums.blocks(searches.blocks());
        // No distance is longer than the number of nodes.
        for level in 1..=self.nodes as u32 {
            let values: Vec<_> = self.scales.iter().map(|it| it.at_level(level)).collect();
            let add = |block: &mut BlockSums, row: usize, new: &Counts, _: u32| {
                block.add(row, new, &values);
            };
            let any = searches.step(&mut blocks, add, progress)?;
            for (draw, &(node, lane)) in draws.clone().zip(&sources) {
                if returned[draw] == 0 && searches.has_returned(node, lane) {
                    returned[draw] = level;
                }
            }
            if !any {
                break;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
