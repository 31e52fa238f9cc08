//! Personalised PageRank: for each seed, the PageRank whose preference vector is that node.
//!
//! Let p be the distribution of where a walk from the seed ends if the mass that would leave
//! dangling nodes is lost ([`crate::pagerank::methods::many_seeds`]), and |p| the sum
//! of its entries. Then PageRank is
//!
//! ```text
//! x = p                               if u = 0,
//! x = p / |p|                         if u = v, the default: a dangling node leads back to the seed,
//! x = p + (1 - |p|) w / |w|           if u is another distribution, and w its p.
//! ```
//!
//! If z is within delta of p, in the l1 norm, the first is within delta. The second is within
//! `2 delta / |z|`: half of that is the error of z, half the error of its norm. The third is within
//! `2 delta + 2 c epsilon`, where epsilon is the bound of w and `c = (1 - |z|) / |w|`.
//!
//! One sweep serves [`WIDTH`] seeds.
//!
//! Source: Haveliwala, "Topic-sensitive PageRank", WWW 2002; Del Corso, Gulli and Romani, "Fast
//! PageRank computation via a sparse linear system", Internet Mathematics 2005 (the second).

use super::PageRank;
use super::certificate::Certified;
use super::columns::{packed, pagerank_column, unpacked};
use super::methods::many_seeds::{Lanes, WIDTH, floor};
use super::solver::Stagnation;
use super::walk::RandomWalk;
use crate::late_nodes;
use crate::late_nodes::Teleport;
use ndarray::Array1;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use webrank_base::Node;
use webrank_base::checkpoint;
use webrank_base::checkpoint::{CheckpointReader, Stage, StateVisitor};
use webrank_base::error::{Error, Result};
use webrank_base::parallel::{sums, tasks};
use webrank_base::progress::Progress;
use webrank_base::units::counted;
use webrank_linear::{StopRule, Tolerance};
use webrank_scores::parameters::{Damping, Dangling, Distribution};
use webrank_scores::{Outcome, Run, Scores, Status};

/// The parameters of personalised PageRank.
#[derive(Debug, Clone, Default)]
pub struct Seeds {
    /// alpha; 0.85 by default.
    pub damping: Damping,
    /// u; by default v, the seed.
    pub dangling: Dangling,
    /// The names of seeds in messages; seeds that are not there go by their numbers.
    pub labels: BTreeMap<Node, String>,
}

impl Seeds {
    fn jumps(&self) -> Teleport<'_> {
        Teleport {
            alpha: self.damping.get(),
            // The seed has at least 1 - alpha.
            preference: None,
            dangling: match &self.dangling {
                Dangling::Preference | Dangling::None => None,
                Dangling::Uniform => Some(&Distribution::Uniform),
                Dangling::Vector(u) => Some(u),
            },
        }
    }
}

/// Computes the personalised PageRank of each of these seeds, each to its own certified l1 error.
/// Scores are in the order of the seeds.
///
/// The result does not depend on the number of threads. O(n + m) per sweep, for [`WIDTH`] seeds.
/// About 300 bytes per node besides the graph, and 8 bytes per node and seed.
/// [`StopRule::certify_top`] is ignored.
///
/// # Errors
/// If a seed is not a node, if there is not enough memory, if a distribution is not over the nodes
/// of the graph, or if the user interrupts.
pub fn pagerank_of_seeds(
    walk: &RandomWalk,
    seeds: &[Node],
    params: &Seeds,
    stop: &StopRule,
    progress: &dyn Progress,
) -> Result<Vec<Scores>> {
    let n = walk.num_nodes();
    check(seeds, n)?;
    let mut found: Vec<Scores> = Vec::with_capacity(seeds.len());
    let restarts = restarts(walk, params, stop, progress)?;
    let before = usize::from(restarts.is_some());
    for starts in seeds.chunks(WIDTH) {
        // All of them, once one is asked for.
        let mut solved: Vec<Option<Scores>> = Vec::new();
        for (lane, &seed) in starts.iter().enumerate() {
            let compute = || {
                if solved.is_empty() {
                    let solutions =
                        solutions(walk, starts, params, restarts.as_ref(), stop, progress);
                    solved = solutions?.into_iter().map(Some).collect();
                }
                Ok(solved[lane].take().expect("each is taken once"))
            };
            found.push(checkpoint::column(
                progress,
                (before + found.len(), n + 2),
                compute,
                packed,
                |column| {
                    let (certified, sweeps) = unpacked(column);
                    scores(certified, seed, params, stop, sweeps)
                },
            )?);
        }
    }
    Ok(found)
}

/// # Errors
/// If a seed is not one of `n` nodes.
pub(super) fn check(seeds: &[Node], n: usize) -> Result<()> {
    match seeds.iter().find(|&&seed| seed as usize >= n) {
        Some(seed) => {
            let remedy = format!("the graph has {}, numbered from 0", counted(n, "node"));
            Err(Error::argument("the seed", seed, remedy))
        }
        None => Ok(()),
    }
}

/// The scores of at most [`WIDTH`] seeds.
fn solutions(
    walk: &RandomWalk,
    starts: &[Node],
    params: &Seeds,
    restarts: Option<&Certified>,
    stop: &StopRule,
    progress: &dyn Progress,
) -> Result<Vec<Scores>> {
    let bytes = (walk.num_nodes() * starts.len()).saturating_mul(8);
    if Vec::<u8>::new().try_reserve_exact(bytes).is_err() {
        return Err(Error::memory("the scores of the seeds", bytes as u64));
    }
    progress.begin("iterate", None);
    let (columns, sweeps) = solve(walk, starts, params, stop, progress)?;
    progress.end();
    let columns = starts.iter().zip(columns).map(|(&seed, certified)| {
        let mut certified = finish(certified, &params.dangling, restarts);
        late_nodes::extend(&mut certified, stop.tolerance.get(), params.jumps(), walk)?;
        Ok(scores(certified, seed, params, stop, sweeps))
    });
    columns.collect()
}

/// w: the probabilities of where walks end that start from u, if u is not the seed.
fn restarts(
    walk: &RandomWalk,
    params: &Seeds,
    stop: &StopRule,
    progress: &dyn Progress,
) -> Result<Option<Certified>> {
    let preference = match &params.dangling {
        Dangling::Preference | Dangling::None => return Ok(None),
        Dangling::Uniform => Distribution::Uniform,
        Dangling::Vector(u) => u.clone(),
    };
    let alone = PageRank {
        damping: params.damping,
        preference,
        dangling: Dangling::None,
        ..PageRank::default()
    };
    // |w| is at least 1 - alpha, so c is at most 1/(1 - alpha).
    let tolerance = 0.2 * stop.tolerance.get() * (1.0 - params.damping.get());
    let stop = StopRule {
        tolerance: Tolerance::new(tolerance.max(f64::MIN_POSITIVE))?,
        certify_top: None,
        ..*stop
    };
    let found = pagerank_column(walk, &alone, None, &stop, progress, 0)?;
    let bound = match found.run.outcome {
        Outcome::Iterated { error_bound, .. } => error_bound,
        _ => unreachable!("PageRank iterates"),
    };
    Ok(Some(Certified {
        scores: found.values.to_vec(),
        bound,
    }))
}

/// The p of at most [`WIDTH`] seeds, and the number of sweeps. The error of each p leaves its
/// PageRank within the tolerance, if there are enough digits and sweeps.
fn solve(
    walk: &RandomWalk,
    starts: &[Node],
    params: &Seeds,
    stop: &StopRule,
    progress: &dyn Progress,
) -> Result<(Vec<Certified>, u32)> {
    let alpha = params.damping.get();
    let mut lanes = Lanes::new(walk, alpha, starts)?;
    // Errors relative to |p|.
    let tolerance = 0.4 * stop.tolerance.get();
    let mut at = Place {
        iterations: 0,
        stall: Stagnation::new(alpha),
        aim: tolerance.max(floor(alpha)) * (1.0 - alpha),
        last_bound: f64::INFINITY,
        strikes: 0,
    };
    let keeping = at.begin(&mut lanes, progress)?;
    let quantity = match params.labels.get(&starts[0]) {
        Some(label) => format!("seeds from {label}: error below"),
        None => format!("seeds from node {}: error below", starts[0]),
    };
    let tick = |at: &mut Place, bound: f64| {
        at.iterations += 1;
        progress.sweep(u64::from(at.iterations), &quantity, bound);
        progress.check()
    };
    let found = loop {
        // The state before the last sweep is kept, too: a run with more sweeps goes on from it.
        let is_last = at.iterations + 2 >= stop.max_iterations;
        let is_due = |keeping: &&Stage| keeping.is_due() || is_last;
        if let Some(keeping) = keeping.as_ref().filter(is_due) {
            at.keep(&mut lanes, keeping)?;
        }
        let changes = lanes.sweep();
        let changes = changes.iter().zip(lanes.norms());
        let change = changes
            .map(|(change, norm)| change / norm)
            .fold(0.0, f64::max);
        tick(&mut at, change / (1.0 - alpha))?;
        let stalled = at.stall.has_come(at.iterations, change);
        let exhausted = at.iterations + 1 >= stop.max_iterations;
        if change > at.aim && !exhausted && !stalled {
            continue;
        }
        let certified = lanes.certify();
        tick(&mut at, change / (1.0 - alpha))?;
        let bounds = certified
            .iter()
            .map(|found| found.bound / sum(&found.scores));
        let bound = bounds.fold(0.0, f64::max);
        at.strikes += u32::from(bound > 0.9 * at.last_bound);
        let at_floor = tolerance < floor(alpha) && bound < 1.3 * floor(alpha);
        if bound <= tolerance || exhausted || stalled || at.strikes > 1 || at_floor {
            break certified;
        }
        at.last_bound = bound;
        at.aim = change.min(at.aim) * (0.9 * tolerance / bound).min(0.5);
    };
    keeping.map_or(Ok(()), Stage::end)?;
    Ok((found, at.iterations))
}

/// The state between two sweeps.
struct Place {
    iterations: u32,
    stall: Stagnation,
    /// The change at which a certificate is due.
    aim: f64,
    last_bound: f64,
    strikes: u32,
}

impl Place {
    /// Begins to keep the state, if the run does, and takes up what its file holds.
    fn begin<'p>(
        &mut self,
        lanes: &mut Lanes,
        progress: &'p dyn Progress,
    ) -> Result<Option<Stage<'p>>> {
        let Some(checkpoint) = progress.checkpoint() else {
            return Ok(None);
        };
        let (stage, mut found) = checkpoint.begin("walks from seeds", progress)?;
        if let Some(found) = &mut found {
            self.visit(lanes, StateVisitor::Restore(Some(found)))?;
        }
        found.map(CheckpointReader::end).transpose()?;
        Ok(Some(stage))
    }

    fn keep(&mut self, lanes: &mut Lanes, stage: &Stage) -> Result<()> {
        stage.keep(&format!("sweep {}", self.iterations), |to| {
            self.visit(lanes, StateVisitor::Save(Some(to)))
        })
    }

    fn visit(&mut self, lanes: &mut Lanes, mut visitor: StateVisitor) -> Result<()> {
        let [least, since] = self.stall.place();
        let mut numbers = [
            u64::from(self.iterations),
            least,
            since,
            self.aim.to_bits(),
            self.last_bound.to_bits(),
            u64::from(self.strikes),
        ];
        visitor.numbers(&mut numbers)?;
        let [iterations, least, since, aim, last_bound, strikes] = numbers;
        visitor.check(since <= iterations && iterations <= u64::from(u32::MAX - 2))?;
        (self.iterations, self.strikes) = (iterations as u32, strikes as u32);
        [self.aim, self.last_bound] = [aim, last_bound].map(f64::from_bits);
        self.stall.go_on([least, since]);
        lanes.visit(&mut visitor)
    }
}

/// x from p.
fn finish(p: Certified, dangling: &Dangling, restarts: Option<&Certified>) -> Certified {
    let norm = sum(&p.scores);
    // Covers the roundings of norms and of the operations here, as x sums to one at most.
    let rounding = 200.0 * f64::EPSILON;
    let Certified { mut scores, bound } = p;
    match (dangling, restarts) {
        (_, Some(w)) => {
            let factor = (1.0 - norm).max(0.0) / sum(&w.scores);
            tasks::update_with(&mut scores, &w.scores, |x, w| *x += factor * w);
            let bound = 2.0 * (bound + factor * w.bound) + rounding;
            Certified { scores, bound }
        }
        (Dangling::None, _) => Certified { scores, bound },
        _ => {
            tasks::update(&mut scores, |_, x| *x /= norm);
            let bound = 2.0 * bound / norm + rounding;
            Certified { scores, bound }
        }
    }
}

fn sum(values: &[f64]) -> f64 {
    sums::sum_of_tasks(values.len(), |nodes| {
        sums::chained(values[nodes].iter().copied())
    })
}

fn scores(
    certified: Certified,
    seed: Node,
    params: &Seeds,
    stop: &StopRule,
    sweeps: u32,
) -> Scores {
    Scores {
        intervals: None,
        run: Run {
            measure: "pagerank",
            method: "power",
            parameters: parameters(seed, (params.damping, &params.dangling), stop),
            outcome: Outcome::Iterated {
                status: if certified.bound <= stop.tolerance.get() {
                    Status::Converged
                } else {
                    Status::NotConverged
                },
                iterations: sweeps,
                error_bound: certified.bound,
            },
        },
        values: Array1::from_vec(certified.scores),
    }
}

/// The parameters of the column of a seed, in the form that manifests hold.
pub(super) fn parameters(
    seed: Node,
    (damping, dangling): (Damping, &Dangling),
    stop: &StopRule,
) -> Map<String, Value> {
    let Value::Object(map) = json!({
        "seed": seed,
        "alpha": damping.get(),
        "dangling": dangling.name(),
        "tolerance": stop.tolerance.get(),
        "max_iterations": stop.max_iterations,
    }) else {
        unreachable!("an object literal is an object")
    };
    map
}
