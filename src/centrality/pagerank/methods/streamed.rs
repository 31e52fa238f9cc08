//! The power method on a graph that stays compressed: every sweep decodes the rows of successors.
//!
//! A node pushes its share `x_i / d_i` to its successors, so neither a transpose nor outdegrees are
//! needed. The memory per node is 8 bytes for x, 8 for what is pushed, and during some sweeps 4 for
//! an extrapolation.
//!
//! # Integers
//!
//! Shares are rounded to multiples of 2^-k and pushed as integers modulo 2^64. Integers add up to
//! the same sum in any order, so threads may add to the same node, and results have the same bits
//! for any number of threads. A share that is pushed to all nodes from a to b - 1 is added to a
//! *difference* at a and subtracted at b. Prefix sums of the differences, modulo 2^64, are exactly
//! the sums over the predecessors, however large the prefixes grow in between. So a run of
//! successors costs two additions, as it does when rows are kept in memory
//! ([`crate::linear::runs`]), and nodes with the same predecessors get the same bits.
//!
//! # The certificate
//!
//! Rounding a share loses at most 2^-k / 2 on each of its arcs, so a sweep over m arcs has an l1
//! error of at most `alpha m 2^-(k+1)`, plus the few roundings of its floating-point operations. k
//! is as large as possible: no entry of x G exceeds the largest of the last sweep by more than the
//! l1 norm of the change of x since, and twice that bound must stay below 2^64.

use super::power_extrapolation::Schedule;
use crate::centrality::pagerank::certificate::{Certified, Iteration};
use crate::centrality::pagerank::equation::Equation;
use crate::checkpoint::{Found, Saving};
use crate::error::{Error, Result};
use crate::graph::{Compressed, Node, Rows};
use crate::parallel::sums::{self, Compensated, INDICES_PER_TASK};
use crate::parallel::tasks;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The state of an iteration.
pub struct Streamed<'a> {
    graph: &'a Compressed,
    blocks: Vec<Range<usize>>,
    equation: Equation<'a>,
    scores: Vec<f64>,
    /// What is pushed: differences between neighbours, modulo 2^64.
    pushed: Vec<AtomicU64>,
    /// An upper bound on the entries of x G.
    largest: f64,
    /// The change of x in the two sweeps before an extrapolation.
    moved: Option<Vec<f32>>,
    schedule: Schedule,
}

/// The number of bits (plus nodes) that a task decodes at a time: a millisecond of work. So
/// decoding the rows before a block that its lists copy from costs comparatively little.
const BLOCK_BITS: u64 = 1 << 19;

/// Units of roundoff in the relative error of an entry of F(x), without the rounding of shares: a
/// quotient, a conversion and a few products and sums, with a margin. Sums over many terms are
/// compensated.
const ENTRY_ROUNDOFFS: f64 = 20.0;

/// The result of a sweep: ||x - F(x)||, and a bound on the l1 error of F(x).
struct Sweep {
    change: f64,
    error: f64,
}

impl<'a> Streamed<'a> {
    /// Starts from these scores. O(n).
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new(graph: &'a Compressed, equation: Equation<'a>, scores: Vec<f64>) -> Result<Self> {
        let n = equation.num_nodes;
        let mut pushed = Vec::new();
        let too_large = |_| Error::memory("the scores", 8 * n as u64);
        pushed.try_reserve_exact(n + 1).map_err(too_large)?;
        pushed.resize_with(n + 1, AtomicU64::default);
        Ok(Streamed {
            graph,
            blocks: graph.blocks(BLOCK_BITS),
            equation,
            scores,
            pushed,
            largest: 1.0,
            moved: None,
            schedule: Schedule::new(equation.alpha),
        })
    }

    /// x <- F(x).
    fn apply(&mut self) -> Result<Sweep> {
        let scale = f64::exp2(63.0 - self.largest.log2().ceil());
        let dangling_mass = match (self.push(scale)?, self.equation.dangling) {
            (mass, Some(_)) => mass,
            (_, None) => 0.0,
        };
        let Pulled {
            change,
            mass,
            largest,
        } = self.pull(scale, dangling_mass);
        self.largest = (largest + change).min(mass.max(1.0));
        let roundoff = f64::EPSILON / 2.0;
        let of_shares = self.equation.alpha * self.graph.num_arcs() as f64 * 0.5 / scale;
        Ok(Sweep {
            change,
            error: of_shares + ENTRY_ROUNDOFFS * roundoff * mass,
        })
    }

    /// Every node pushes its share, in units of 1 / scale; returns the mass on dangling nodes.
    fn push(&mut self, scale: f64) -> Result<f64> {
        let (scores, pushed) = (&self.scores, &self.pushed);
        let parts = tasks::try_map(&self.blocks, |block| {
            let (mut dangling, mut arcs) = (Compensated::default(), 0);
            let mut adder = Adder::new(pushed);
            self.graph.for_rows(block.clone(), &mut |node, row| {
                arcs += row.len() as u64;
                let score = scores[node as usize];
                if row.is_empty() {
                    return dangling.add(score);
                }
                let share = (score / row.len() as f64 * scale + 0.5) as u64;
                for_runs(row, |first, end| {
                    adder.add(first, share);
                    adder.add(end, share.wrapping_neg());
                });
            })?;
            adder.finish();
            Ok((dangling, arcs))
        })?;
        self.graph
            .check_count(parts.iter().map(|(_, arcs)| arcs).sum())?;
        let mut dangling = Compensated::default();
        parts.iter().for_each(|&(part, _)| dangling.merge(part));
        Ok(dangling.value())
    }

    /// Turns what was pushed into scores, and clears it.
    fn pull(&mut self, scale: f64, dangling_mass: f64) -> Pulled {
        let base = self.equation.base(dangling_mass);
        let alpha = self.equation.alpha;
        let sums = tasks::map(self.pushed.chunks_mut(INDICES_PER_TASK), |chunk| {
            let entries = chunk.iter_mut().map(|pushed| *pushed.get_mut());
            entries.fold(0, u64::wrapping_add)
        });
        let before = sums.iter().scan(0u64, |before, &sum| {
            let this = *before;
            *before = before.wrapping_add(sum);
            Some(this)
        });
        let before: Vec<u64> = before.collect();
        let mut nothing = Vec::new();
        let moved = self.moved.as_mut().unwrap_or(&mut nothing);
        // One part per chunk, empty if nothing is kept.
        let mut moved = moved.chunks_mut(INDICES_PER_TASK);
        let moved = std::iter::repeat_with(|| moved.next().unwrap_or_default());
        let chunks = self
            .scores
            .chunks_mut(INDICES_PER_TASK)
            .zip(self.pushed.chunks_mut(INDICES_PER_TASK))
            .zip(moved)
            .zip(before)
            .enumerate();
        let parts = tasks::map(chunks, |(chunk, (((scores, pushed), moved), mut sum))| {
            let start = chunk * INDICES_PER_TASK;
            let mut largest = 0;
            let (mut change, mut mass) = (Compensated::default(), Compensated::default());
            for (index, (score, pushed)) in scores.iter_mut().zip(pushed).enumerate() {
                sum = sum.wrapping_add(std::mem::take(pushed.get_mut()));
                largest = largest.max(sum);
                let new = alpha * (sum as f64 / scale) + base.at(start + index);
                let old = std::mem::replace(score, new);
                change.add((new - old).abs());
                mass.add(new);
                if let Some(moved) = moved.get_mut(index) {
                    *moved += (new - old) as f32;
                }
            }
            Pulled {
                change: change.value(),
                mass: mass.value(),
                largest: largest as f64 / scale,
            }
        });
        *self.pushed[self.scores.len()].get_mut() = 0;
        Pulled {
            change: sums::compensated(parts.iter().map(|part| part.change)),
            mass: sums::compensated(parts.iter().map(|part| part.mass)),
            largest: parts.iter().map(|part| part.largest).fold(0.0, f64::max),
        }
    }

    /// Starts to record the change of x two sweeps before an extrapolation; extrapolates when it is
    /// due.
    fn extrapolate(&mut self) -> Result<()> {
        if self.schedule.next_needs_memory() {
            let n = self.scores.len();
            let mut moved = Vec::new();
            let too_large = |_| Error::memory("an extrapolation", 4 * n as u64);
            moved.try_reserve_exact(n).map_err(too_large)?;
            moved.resize(n, 0.0);
            self.moved = Some(moved);
        }
        if !self.schedule.is_due() {
            return Ok(());
        }
        // A certificate may have been due when the record was to start.
        let Some(moved) = self.moved.take() else {
            return Ok(());
        };
        let weight = self.equation.alpha * self.equation.alpha;
        let weight = weight / (1.0 - weight);
        tasks::update_with(&mut self.scores, &moved, |x, &moved| {
            *x = (*x + weight * moved as f64).max(0.0);
        });
        let count = moved.len();
        let moved = sums::sum_of_tasks(count, |range| {
            sums::chained(moved[range].iter().map(|moved| moved.abs() as f64))
        });
        self.largest += weight * moved;
        Ok(())
    }
}

/// Adds to entries that all threads share. Pages of a site often point to the same pages, so sums
/// are kept in a cache until another entry needs their slot.
struct Adder<'p> {
    entries: &'p [AtomicU64],
    /// An entry, and the sum still to be added to it.
    aside: Vec<(Node, u64)>,
}

/// The number of cached sums: few enough for a level-2 cache.
const ASIDE: usize = 1 << 13;

impl<'p> Adder<'p> {
    fn new(entries: &'p [AtomicU64]) -> Self {
        Adder {
            entries,
            aside: vec![(0, 0); ASIDE],
        }
    }

    #[inline]
    fn add(&mut self, entry: Node, value: u64) {
        let kept = &mut self.aside[entry as usize % ASIDE];
        if kept.0 == entry {
            kept.1 = kept.1.wrapping_add(value);
            return;
        }
        let (other, sum) = std::mem::replace(kept, (entry, value));
        self.publish(other, sum);
    }

    fn publish(&self, entry: Node, sum: u64) {
        // Relaxed: sums of integers are the same in any order, and joining the tasks orders them
        // before every read.
        if sum != 0 {
            self.entries[entry as usize].fetch_add(sum, Relaxed);
        }
    }

    fn finish(&self) {
        self.aside
            .iter()
            .for_each(|&(entry, sum)| self.publish(entry, sum));
    }
}

/// The result of pulling: ||x - z||, ||z||, and the largest entry of x G.
struct Pulled {
    change: f64,
    mass: f64,
    largest: f64,
}

impl Iteration for Streamed<'_> {
    fn sweep(&mut self) -> Result<f64> {
        self.extrapolate()?;
        let Sweep { change, .. } = self.apply()?;
        self.schedule.count(change);
        Ok(change)
    }

    fn certify(&mut self) -> Result<Certified> {
        let Sweep { change, error } = self.apply()?;
        self.schedule.count(change);
        Ok(Certified {
            bound: self.equation.bound(change, error),
            scores: self.scores.clone(),
        })
    }

    fn floor(&self) -> f64 {
        let of_shares = self.graph.num_arcs() as f64 * self.largest * f64::exp2(-64.0);
        let error = of_shares + ENTRY_ROUNDOFFS * f64::EPSILON / 2.0;
        self.equation.bound(0.0, error)
    }

    fn stage(&self) -> Option<&'static str> {
        Some("streamed sweeps")
    }

    /// 12 bytes a node at most: between two sweeps, nothing is pushed.
    fn save(&self, to: &mut Saving) -> Result<()> {
        to.numbers(&[self.largest])?;
        to.numbers(&self.schedule.place())?;
        to.numbers(&self.scores)?;
        to.numbers(self.moved.as_deref().unwrap_or(&[]))
    }

    fn restore(&mut self, from: &mut Found) -> Result<()> {
        let (mut largest, mut place) = ([0.0], [0; 5]);
        from.fill(&mut largest)?;
        from.fill(&mut place)?;
        [self.largest] = largest;
        self.schedule.go_on(place);
        from.fill(&mut self.scores)?;
        let n = self.scores.len();
        let moved = from.list(n)?;
        self.moved = match moved.len() {
            0 => None,
            length if length == n => Some(moved),
            _ => return Err(from.damaged()),
        };
        Ok(())
    }
}

/// The runs of consecutive nodes in a row, each as its first node and the node after its last.
#[inline]
fn for_runs(row: &[Node], mut visit: impl FnMut(Node, Node)) {
    let mut rest = row;
    while let [first, ..] = *rest {
        let follows = |&(index, &node): &(usize, &Node)| node == first + index as Node;
        let length = rest.iter().enumerate().take_while(follows).count();
        visit(first, first + length as Node);
        rest = &rest[length..];
    }
}
