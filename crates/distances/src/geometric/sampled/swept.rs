//! A sample by passes over the distinct rows of one direction, which may be in a file.
//!
//! Where rows of both directions do not fit into memory, the searches from the draws are made level by level
//! ([`Pulled`]): memory grows with the nodes that lead to others, and one room serves all threads. The
//! order of draws is that of the numbers of nodes: neighbours in it are alike where numbers follow a crawl or
//! names of hosts. Nodes of small reach are not searched from, so their intervals are wide.
//!
//! Groups take 128 bytes for each row and measure. Where they do not fit, there is a sum of all draws
//! alone, and intervals are proved ones.

use super::Sample;
use super::columns::{Asked, Findings, Sampled};
use super::draws::{Draws, GROUPS};
use super::estimates::{ClassesOfNodes, IntervalKind};
use super::size::By;
use super::spread::{Scale, Sums};
use crate::geometric::measure::DistanceMeasure;
use crate::geometric::{Direction, DistanceScores};
use crate::traversal::bit_parallel::LANES;
use crate::traversal::pulled::{Counts, PARTS, Pulled, RowNodes};
use webrank_base::Node;
use webrank_base::checkpoint::{CheckpointReader, Stage};
use webrank_base::error::Result;
use webrank_base::limits::Limits;
use webrank_base::parallel::blocks::split_mut;
use webrank_base::progress::Progress;
use webrank_linear::runs::RunRows;

const _: () = assert!(PARTS == GROUPS, "the lanes of a group are a part");

/// The names of the searches in checkpoints, with groups and without.
const SWEPT: [&str; 2] = [
    "sampled distances by passes",
    "sampled distances by passes, without groups",
];

/// A sample of a graph whose rows of one direction are known.
pub struct Sweeping<'a> {
    /// The distinct rows: of predecessors, for incoming distances.
    pub rows: &'a RunRows,
    /// The measures, all sums of terms.
    pub measures: &'a [&'a dyn DistanceMeasure],
    /// The direction of distances.
    pub direction: Direction,
    /// The parameters of the sample.
    pub wanted: Sample,
    /// The bytes of a node in all columns.
    pub of_columns: u64,
}

impl Sweeping<'_> {
    /// Estimates for every node, and notes on how they were found.
    ///
    /// # Errors
    /// If a measure is not a sum of terms in [0, 1]; if there is not enough memory; if rows are in a file that
    /// cannot be read; if the user interrupts.
    pub fn run(
        &self,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<(DistanceScores, Vec<String>)> {
        let asked = Asked {
            measures: self.measures,
            direction: self.direction,
            wanted: self.wanted,
            num_nodes: self.rows.num_nodes(),
        };
        asked.check()?;
        let nodes = RowNodes::of(self.rows, progress)?;
        let mut searches = Pulled::new(self.rows, &nodes)?;
        let leading = (0..asked.num_nodes as Node).filter(|&x| nodes.leads(x as usize));
        let order: Vec<Node> = leading.collect();
        let sampled = Sampled {
            nodes: ClassesOfNodes {
                class: Box::new(|x| self.rows.row_of(x)),
                is_source: Box::new(|x| nodes.leads(x)),
            },
            degrees: &nodes.degrees,
            sources: order.len(),
        };
        let by_groups = self.is_by_groups(&searches, limits)?;
        let of_sum = if by_groups { GROUPS } else { 1 };
        let all = order.len() as u64;
        let pilot = |count, seed| {
            let draws = Draws::new(&order, count, seed);
            let scales = asked.scales(count, GROUPS);
            let mut sums = self.sums(true)?;
            let sweeps = Sweeps {
                nodes: asked.num_nodes,
                draws: &draws,
                scales: &scales,
            };
            let returned = sweeps.run(&mut searches, &mut sums, None, progress)?;
            let found = Findings::new(&draws, &scales, &sums, &returned);
            Ok(asked.error_of_best(&sampled, &found))
        };
        let (count, note) = asked.count(order.len(), all, pilot)?;
        let count = count.unwrap_or(order.len());
        let draws = Draws::new(&order, count, self.wanted.seed);
        let scales = asked.scales(count, of_sum);
        let mut sums = self.sums(by_groups)?;
        let keeping = match progress.checkpoint() {
            None => None,
            Some(checkpoint) => Some(checkpoint.begin(SWEPT[usize::from(!by_groups)], progress)?),
        };
        let sweeps = Sweeps {
            nodes: asked.num_nodes,
            draws: &draws,
            scales: &scales,
        };
        let returned = sweeps.run(&mut searches, &mut sums, keeping, progress)?;
        searches.end();
        let found = Findings::new(&draws, &scales, &sums, &returned);
        let mut notes: Vec<_> = note.into_iter().collect();
        notes.push(self.note(by_groups));
        let scores = DistanceScores {
            scores: asked.columns(&sampled, &found, |_, _| f64::NAN),
            rests: Vec::new(),
            reachable_share: None,
            arcs: 0,
        };
        Ok((scores, notes))
    }

    fn note(&self, by_groups: bool) -> String {
        let groups = match by_groups {
            true => "",
            false => ", and intervals are proved ones, which are wider",
        };
        format!(
            "the rows of one direction fit into memory: nodes of small reach are not exact, and have wide \
             intervals{groups}; more memory gives better ones"
        )
    }

    fn sums(&self, by_groups: bool) -> Result<Sums> {
        Sums::within_memory(self.rows.num_rows(), self.measures.len(), by_groups)
    }

    /// Whether sums of groups are wanted, and fit into memory.
    fn is_by_groups(&self, searches: &Pulled, limits: &Limits) -> Result<bool> {
        let bytes = |by_groups| {
            let sums = Sums::memory(self.rows.num_rows(), self.measures.len(), by_groups);
            let columns = self.of_columns * self.rows.num_nodes() as u64;
            sums + searches.memory().max(columns)
        };
        let admitted = limits.admit_more("sampling", bytes(true));
        let size = self.wanted.size;
        match self.wanted.intervals {
            _ if matches!(size.by, By::Relative(_)) => admitted.map(|()| true),
            IntervalKind::Estimated => admitted.map(|()| true),
            IntervalKind::Auto if !size.is_proved() && admitted.is_ok() => Ok(true),
            _ => limits.admit_more("sampling", bytes(false)).map(|()| false),
        }
    }
}

/// The searches from draws.
struct Sweeps<'a> {
    nodes: usize,
    draws: &'a Draws,
    scales: &'a [Scale<'a>],
}

/// The sums of the rows of a block.
struct Block<'a> {
    first: usize,
    groups: &'a mut [[u64; GROUPS]],
    totals: &'a mut [u64],
    squares: &'a mut [u64],
    hits: &'a mut [u32],
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
        let mut blocks = self.blocks(searches, sums);
        // No distance is longer than the number of nodes.
        for level in 1..=self.nodes as u32 {
            let values: Vec<[u64; 2]> = self
                .scales
                .iter()
                .map(|scale| [scale.units(level), scale.square(level)])
                .collect();
            let add = |block: &mut Block, row: usize, new: &Counts, _: u32| {
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

    fn blocks<'s>(&self, searches: &Pulled, sums: &'s mut Sums) -> Vec<Block<'s>> {
        let measures = self.scales.len();
        let blocks = searches.blocks();
        let times = |by: usize| -> Vec<_> {
            let cut = blocks.iter().map(|block| by * block.start..by * block.end);
            cut.collect()
        };
        let has_groups = usize::from(sums.has_groups());
        let groups = split_mut(&mut sums.groups, &times(measures * has_groups));
        let totals = split_mut(&mut sums.totals, &times(measures * (1 - has_groups)));
        let squares = split_mut(&mut sums.squares, &times(measures));
        let hits = split_mut(&mut sums.hits, blocks);
        let parts = groups
            .into_iter()
            .zip(totals)
            .zip(squares.into_iter().zip(hits));
        parts
            .zip(blocks)
            .map(|(((groups, totals), (squares, hits)), block)| Block {
                first: block.start,
                groups,
                totals,
                squares,
                hits,
            })
            .collect()
    }
}

impl Block<'_> {
    /// Adds terms, and their squares, of each measure.
    fn add(&mut self, row: usize, new: &Counts, values: &[[u64; 2]]) {
        let row = row - self.first;
        let count: u32 = new.iter().map(|&count| u32::from(count)).sum();
        self.hits[row] += count;
        for (place, &[value, square]) in (row * values.len()..).zip(values) {
            self.squares[place] += u64::from(count) * square;
            match self.groups.get_mut(place) {
                Some(groups) => {
                    for (sum, &count) in groups.iter_mut().zip(new) {
                        *sum += u64::from(count) * value;
                    }
                }
                None => self.totals[place] += u64::from(count) * value,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometric::decay::Decay;
    use crate::geometric::exact::geometric;
    use crate::geometric::harmonic::Harmonic;
    use crate::geometric::reachable::Reachable;
    use crate::geometric::sampled::SampleSize;
    use proptest::prelude::*;
    use webrank_base::output::SpillBudget;
    use webrank_base::progress::Silent;
    use webrank_graph::{Csr, Predecessors, Successors};
    use webrank_linear::runs::compact::pack::Windows;

    const HARMONIC: Harmonic = Harmonic { normalize: false };

    /// Scores from so many draws along `rows`, and true scores.
    fn both(
        successors: &Csr,
        direction: Direction,
        sample: (u64, u64, IntervalKind),
        is_packed: bool,
    ) -> (DistanceScores, DistanceScores) {
        let predecessors = successors.transpose().unwrap();
        let half = Decay::default();
        let measures: [&dyn DistanceMeasure; 3] = [&HARMONIC, &half, &Reachable];
        let rows = match direction {
            Direction::In => &predecessors,
            Direction::Out => successors,
        };
        let budget = SpillBudget {
            bytes: u64::MAX,
            folder: None,
        };
        let rows = match is_packed {
            true => RunRows::pack_rows(rows, Windows::LARGEST, budget, &Silent).unwrap(),
            false => RunRows::new(rows.clone()),
        };
        let (sources, seed, intervals) = sample;
        let sweeping = Sweeping {
            rows: &rows,
            measures: &measures,
            direction,
            wanted: Sample {
                size: SampleSize::sources(sources, 0.1).unwrap(),
                seed,
                intervals,
                ..Sample::default()
            },
            of_columns: 0,
        };
        let (found, _) = sweeping.run(&Limits::default(), &Silent).unwrap();
        let (p, s) = (Predecessors(&predecessors), Successors(successors));
        let truth = geometric(p, s, direction, &measures, &Silent).unwrap();
        (found, truth)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// Loops, twins, equal rows, cycles, several components, nodes without arcs.
        #[test]
        fn draws_of_all_nodes_give_the_scores(
            n in 1usize..13,
            arcs in prop::collection::vec((0u32..13, 0u32..13), 0..50),
            is_out: bool,
            is_packed: bool,
            has_groups: bool,
        ) {
            let arcs = arcs.into_iter().map(|(x, y)| (x % n as u32, y % n as u32));
            let graph = Csr::from_arcs(n, arcs).unwrap();
            let direction = if is_out { Direction::Out } else { Direction::In };
            let intervals = match has_groups {
                true => IntervalKind::Auto,
                false => IntervalKind::Proved,
            };
            let (found, truth) = both(&graph, direction, (100, 0, intervals), is_packed);
            for (found, truth) in found.scores.iter().zip(&truth.scores) {
                for (found, truth) in found.values.iter().zip(&truth.values) {
                    prop_assert!((found - truth).abs() <= 1e-12 * truth.max(1.0));
                }
            }
        }
    }

    fn mixed(x: u32) -> u32 {
        let x = (x ^ (x >> 15)).wrapping_mul(0x2c1b_3c6d);
        (x ^ (x >> 12)).wrapping_mul(0x297a_2d39) >> 7
    }

    /// More draws than a batch has, on towns with few roads between them, and on rings with shortcuts.
    #[test]
    fn intervals_hold_as_often_as_they_say() {
        let n = 1500;
        let ring = (0..n).flat_map(|x| [(x, (x + 1) % n), (x, mixed(x) % n)]);
        let towns = (0..n).flat_map(|x| {
            let inside = |i: u32| x / 30 * 30 + mixed(x + i * 5000) % 30;
            let far = mixed(x + 99_999) % n;
            [
                (x, inside(0)),
                (x, inside(1)),
                (x, inside(2)),
                (x / 5 * 5, far),
            ]
        });
        for arcs in [ring.collect::<Vec<_>>(), towns.collect()] {
            let graph = Csr::from_arcs(n as usize, arcs).unwrap();
            for intervals in [IntervalKind::Estimated, IntervalKind::Proved] {
                let (mut inside, mut all, mut width) = (0, 0, 0.0);
                for seed in 0..8 {
                    let (found, truth) = both(&graph, Direction::In, (600, seed, intervals), false);
                    for (found, truth) in found.scores.iter().zip(&truth.scores) {
                        let its = found.intervals.as_ref().unwrap();
                        assert_eq!(its.claim.proved, intervals == IntervalKind::Proved);
                        for (x, truth) in truth.values.iter().enumerate() {
                            let is_inside = its.lower[x] <= *truth && *truth <= its.upper[x];
                            inside += usize::from(is_inside);
                            all += 1;
                            width += (its.upper[x] - its.lower[x]) / truth.max(1.0);
                        }
                    }
                }
                let (share, width) = (inside as f64 / f64::from(all), width / f64::from(all));
                assert!(share > 0.93, "{intervals:?}: {share}, {width}");
                assert!(width < 1.0, "{intervals:?}: {width}");
            }
        }
    }

    #[test]
    fn threads_change_no_bit() {
        let n = 2000;
        let arcs = (0..4 * n).map(|i| (mixed(i) % n, mixed(i + 77_777) % n / 3));
        let graph = Csr::from_arcs(n as usize, arcs).unwrap();
        let bits = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            let (found, _) =
                pool.install(|| both(&graph, Direction::In, (700, 3, IntervalKind::Auto), true));
            let all = found.scores.into_iter().flat_map(|scores| {
                let its = scores.intervals.unwrap();
                [scores.values.to_vec(), its.lower, its.upper].concat()
            });
            all.map(f64::to_bits).collect::<Vec<_>>()
        };
        assert_eq!(bits(1), bits(3));
    }
}
