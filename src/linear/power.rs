//! The power method: apply the PageRank map over and over, with extrapolation.
//!
//! Only the scores of nodes with successors are iterated on. Those of dangling nodes are needed
//! through their sum alone, which is one minus the sum of the others ([`super::map`]).
//!
//! Many eigenvalues of the map lie at or near alpha and -alpha, one for each closed set of pages
//! and each pair of sets that point at each other. Their part of the error vanishes in
//! `(x_k - alpha^2 x_{k-2}) / (1 - alpha^2)` (Haveliwala, Kamvar, Klein, Manning and Golub,
//! "Computing PageRank using power extrapolation", 2003), which saves a third of the sweeps on web
//! graphs. Where it does not help it is tried ever more rarely.

use super::map::{Certified, Iteration, PageRankMap};
use super::pull::{PREFIX_BLOCK, Prefixes};
use super::sums::compensated;
use super::walk::share;
use crate::graph::blocks::split_mut;
use rayon::prelude::*;
use std::ops::Range;

/// The state of an iteration.
pub struct Power<'a> {
    map: &'a PageRankMap<'a>,
    row_blocks: Vec<Range<usize>>,
    /// Scores of nondangling nodes.
    scores: Vec<f64>,
    /// Their sum.
    mass: f64,
    /// What each node gives to each of its successors.
    shares: Vec<f64>,
    prefixes: Prefixes,
    /// Sums of shares over the distinct rows.
    inflows: Vec<f64>,
    /// The scores two sweeps before the next extrapolation.
    earlier: Vec<f64>,
    schedule: Schedule,
}

/// When to extrapolate.
struct Schedule {
    sweeps: u32,
    next: u32,
    interval: u32,
    /// What the last sweep changed.
    change: f64,
    /// What the last sweep before the last extrapolation changed.
    before: f64,
}

/// Blocks of prefix sums that a task updates.
const BLOCKS_PER_TASK: usize = 8;

impl<'a> Power<'a> {
    /// Starts from the scores `x`.
    pub fn new(map: &'a PageRankMap<'a>, x: &[f64]) -> Self {
        let walk = map.walk;
        let n = walk.num_nodes();
        // Long enough for the other eigenvalues to fade, and for the scores two sweeps before.
        let interval = (2.0 / (1.0 - map.alpha)).ceil().clamp(4.0, 1e6) as u32;
        let mut power = Power {
            map,
            row_blocks: walk.rows().blocks(),
            scores: x.to_vec(),
            mass: 0.0,
            shares: vec![0.0; n],
            prefixes: Prefixes::new(n),
            inflows: vec![0.0; walk.rows().num_rows()],
            earlier: Vec::new(),
            schedule: Schedule {
                sweeps: 0,
                next: interval,
                interval,
                change: f64::INFINITY,
                before: f64::INFINITY,
            },
        };
        power.update(|_, x| x);
        power
    }

    /// Gives every nondangling node the score `new(node, old)`, and shares and prefixes with it;
    /// returns the l1 distance between old and new scores.
    fn update(&mut self, new: impl Fn(usize, f64) -> f64 + Sync) -> f64 {
        let outdegrees = self.map.walk.outdegrees();
        let changes: Vec<[f64; 2]> = (0..outdegrees.len().div_ceil(PREFIX_BLOCK))
            .into_par_iter()
            .zip(self.prefixes.blocks_mut())
            .zip(self.shares.par_chunks_mut(PREFIX_BLOCK))
            .zip(self.scores.par_chunks_mut(PREFIX_BLOCK))
            .with_min_len(BLOCKS_PER_TASK)
            .map(|(((block, prefixes), shares), scores)| {
                let (mut change, mut mass, mut prefix) = (0.0, 0.0, 0.0);
                for place in 0..scores.len() {
                    let node = block * PREFIX_BLOCK + place;
                    let outdegree = outdegrees[node];
                    if outdegree > 0 {
                        let score = new(node, scores[place]);
                        change += (score - scores[place]).abs();
                        mass += score;
                        scores[place] = score;
                        shares[place] = share(score, outdegree);
                        prefix += shares[place];
                    }
                    prefixes[place + 1] = prefix;
                }
                [change, mass]
            })
            .collect();
        self.mass = compensated(changes.iter().map(|block| block[1]));
        compensated(changes.iter().map(|block| block[0]))
    }

    /// Keeps the scores two sweeps before an extrapolation, and extrapolates when it is due.
    // Before a sweep, not after: so what a sweep changed bounds the error of what it left.
    fn extrapolate(&mut self) {
        let schedule = &mut self.schedule;
        if schedule.sweeps + 2 == schedule.next {
            self.earlier.clone_from(&self.scores);
        }
        if schedule.sweeps < schedule.next {
            return;
        }
        // Between two extrapolations, plain sweeps would have multiplied the change by
        // alpha^interval; an extrapolation that comes out worse than that spoils more than it mends.
        let expected = schedule.before * self.map.alpha.powf(schedule.interval as f64);
        if schedule.change > expected {
            schedule.interval = schedule.interval.saturating_mul(2);
        }
        schedule.before = schedule.change;
        schedule.next = schedule.sweeps.saturating_add(schedule.interval);
        let weight = self.map.alpha * self.map.alpha;
        let earlier = std::mem::take(&mut self.earlier);
        // Scores are not negative, and rows of the map rely on it.
        self.update(|node, x| ((x - weight * earlier[node]) / (1.0 - weight)).max(0.0));
        self.earlier = earlier;
    }
}

impl Iteration for Power<'_> {
    fn sweep(&mut self) -> f64 {
        self.extrapolate();
        let (map, rows) = (self.map, self.map.walk.rows());
        let (shares, prefixes) = (&self.shares, &self.prefixes);
        self.row_blocks
            .par_iter()
            .zip(split_mut(&mut self.inflows, &self.row_blocks))
            .for_each(|(block, inflows)| {
                for (inflow, row) in inflows.iter_mut().zip(block.clone()) {
                    if map.walk.is_live(row) {
                        *inflow = rows.fast_sum(row, shares, prefixes);
                    }
                }
            });
        let inflows = std::mem::take(&mut self.inflows);
        let base = map.base(map.dangling_mass(self.mass));
        let change = self.update(|node, _| map.alpha * inflows[rows.row_of(node)] + base.at(node));
        self.inflows = inflows;
        self.schedule.sweeps += 1;
        self.schedule.change = change;
        change
    }

    fn certify(&self) -> Certified {
        self.map.certify(&self.scores, &self.shares, self.mass)
    }
}
