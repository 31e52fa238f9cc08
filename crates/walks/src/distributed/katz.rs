//! Katz's index on shards: the series, whose partial sums are whole numbers in a common unit, so that a
//! sweep rounds each score once.
//!
//! A sweep gives `beta + alpha z A`, and with it the residual of z, so every sweep certifies the scores
//! before it as `katz/system.rs` does. A certificate proves that alpha is below 1/rho too.

use super::checkpoint::NumberedVector;
use super::hits::OF_TOUCHED;
use super::power::{PowerMethod, SLACK};
use super::radius::{Adjacency, LEAST_RADIUS, SHIFT, largest_degree};
use super::run::{Distributed, OnShards, WorkerResult, check_form, column};
use crate::katz::{AUTO, Attenuation, Katz, KatzMethod, TOLERANCE, check_beta};
use serde_json::{Map, Value};
use webrank_base::error::{Error, Result};
use webrank_base::limits::Limits;
use webrank_base::output::SpillBudget;
use webrank_base::progress::Progress;
use webrank_cluster::fixed_point::FixedPointVector;
use webrank_cluster::pieces::LocalPartition;
use webrank_cluster::products::Products;
use webrank_cluster::{DistributedStage, Exchange, Workers};
use webrank_graph::{Direction, Graph};
use webrank_measure::form::needs_whole;
use webrank_measure::{Described, Measure, iteration_parameters};
use webrank_scores::report::TOTAL;
use webrank_scores::{Outcome, Status};

/// The bytes a node of vectors: x, its image, a w and what it keeps, degrees or the column, sums of
/// values in two directions.
const OF_NODE: u64 = 8 * 7;

/// The residual of the eigenvector from which alpha is made.
const RADIUS_TOLERANCE: f64 = 1e-10;

/// The residual at which it is good enough, after [`RADIUS_SWEEPS`].
const RADIUS_ENOUGH: f64 = 1e-6;

const RADIUS_SWEEPS: u32 = 1000;

/// The relative error of a term: a conversion, a product, a sum, a difference, with a margin.
const ROUNDING: f64 = 8.0 * f64::EPSILON / 2.0;

/// Larger scores are not computed.
const LARGEST: f64 = 1e250;

/// `x = beta + alpha x A`, as a worker has it.
struct System<'a, 'p> {
    direction: Direction,
    alpha: f64,
    /// Entries of this worker's nodes; none if all are 1.
    beta: Option<&'a [f64]>,
    largest_degree: f64,
    tolerance: f64,
    max_sweeps: u32,
    progress: &'p dyn Progress,
}

/// A vector w > 0 with `g = w - alpha w A > 0`, if it is another than the scores.
struct Dominating {
    g: Vec<f64>,
    /// The l1 norm of w.
    norm: f64,
}

/// Scores, their sum, the certified l1 error relative to it, and the sweeps made.
struct Solution {
    x: FixedPointVector,
    total: f64,
    relative: f64,
    sweeps: u32,
}

impl System<'_, '_> {
    fn beta(&self, node: usize) -> f64 {
        self.beta.map_or(1.0, |beta| beta[node])
    }

    /// The unit for x, whose entries are at most `largest`, given what sums over rows of the vector before
    /// are at most, and how far x is from it.
    fn bound(&self, largest: f64, sum: f64, change: f64) -> f64 {
        let sums = (self.largest_degree * largest).min(sum + change);
        SLACK * sums.max(largest)
    }

    /// Finds w from `w = 1 + alpha w A`, with `g >= 1/2`, if `max_sweeps` suffice; takes `sweeps` more.
    fn dominating(&self, products: &mut Products, sweeps: &mut u32) -> Result<Option<Dominating>> {
        let mut w = FixedPointVector::zeros(products.num_nodes())?;
        let mut image = FixedPointVector::zeros(products.num_nodes())?;
        w.set(self.bound(1.0, f64::INFINITY, 0.0), |_, _| 1.0);
        while *sweeps < self.max_sweeps {
            products.multiply(self.direction, &w, &mut image)?;
            *sweeps += 1;
            self.progress.check()?;
            let flow = |node: usize| self.alpha * image.at(node);
            let increase = products.largest(|node| (1.0 + flow(node) - w.at(node)).abs())?;
            if increase <= 0.5 {
                let g = (0..w.units.len())
                    .map(|node| w.at(node) - flow(node) - ROUNDING * (w.at(node) + flow(node)));
                return Ok(Some(Dominating {
                    g: g.collect(),
                    norm: products.total(&w)?,
                }));
            }
            let largest = products.largest(|node| 1.0 + flow(node))?;
            if largest > LARGEST {
                return Err(self.too_large());
            }
            w.set(self.bound(largest, f64::INFINITY, 0.0), |node, _| {
                1.0 + flow(node)
            });
        }
        Ok(None)
    }

    /// Adds up the series until the certified error is small enough, or until rounding or the limit of
    /// sweeps stops it.
    fn solve(&self, products: &mut Products, mut sweeps: u32) -> Result<Solution> {
        let n = products.num_nodes();
        let has_zero = products.count(|node| self.beta(node) == 0.0)? > 0;
        let dominating = match has_zero {
            true => self.dominating(products, &mut sweeps)?,
            // The scores serve.
            false => None,
        };
        let mut image = FixedPointVector::zeros(n)?;
        let mut x = FixedPointVector::zeros(n)?;
        let largest = products.largest(|node| self.beta(node))?;
        x.set(self.bound(largest, f64::INFINITY, 0.0), |node, _| {
            self.beta(node)
        });
        let mut numbers = [f64::from(sweeps)];
        let (exchange, progress) = (&mut *products.exchange, self.progress);
        let stage = Some("sweeps of Katz's index");
        let mut vector = NumberedVector {
            numbers: &mut numbers,
            x: &mut x,
        };
        let stage = DistributedStage::begin(stage, exchange, progress, &mut vector)?;
        sweeps = numbers[0] as u32;
        loop {
            let at = format!("sweep {sweeps}");
            let mut vector = NumberedVector {
                numbers: &mut [f64::from(sweeps)],
                x: &mut x,
            };
            let last = sweeps + 1 >= self.max_sweeps;
            stage.keep((&at, last), products.exchange, &mut vector)?;
            let sum = products.multiply(self.direction, &x, &mut image)?;
            sweeps += 1;
            let flow = |node: usize| self.alpha * image.at(node);
            let new = |node: usize| self.beta(node) + flow(node);
            let worst = products.largest(|node| {
                let (z, new) = (x.at(node), new(node));
                let residual = (new - z).abs() + ROUNDING * (new + z);
                let g = match &dominating {
                    Some(dominating) => dominating.g[node],
                    None => z - flow(node) - ROUNDING * (z + flow(node)),
                };
                if g > 0.0 { residual / g } else { f64::INFINITY }
            })?;
            let total = products.total(&x)?;
            let relative = match &dominating {
                Some(w) if worst > 0.0 => worst * w.norm / total.max(f64::MIN_POSITIVE),
                _ if has_zero && dominating.is_none() => f64::INFINITY,
                _ => worst,
            };
            let relative = relative * (1.0 + 1e-12);
            progress.sweep(u64::from(sweeps), "relative error below", relative);
            progress.check()?;
            let largest = products.largest(new)?;
            if largest > LARGEST {
                return Err(self.too_large());
            }
            let moved = |node: usize| (new(node) - x.at(node)).abs();
            let most = products.largest(moved)?;
            let [change] = products.totals([most], |node| [moved(node)])?;
            let bound = self.bound(largest, sum, change);
            let stands_still = most <= x.unit() / 2.0 && !x.is_coarser_than(bound);
            if relative <= self.tolerance || stands_still || sweeps >= self.max_sweeps {
                stage.end()?;
                return Ok(Solution {
                    x,
                    total,
                    relative,
                    sweeps,
                });
            }
            x.set(bound, |node, _| new(node));
        }
    }

    /// The nodes whose score is 0 although walks from nodes with a positive score get there: theirs is far
    /// below the error bound, and 0 is for nodes that no walk gets to. A sweep for each step.
    fn late_nodes(&self, products: &mut Products, found: &Solution) -> Result<Vec<bool>> {
        let n = products.num_nodes();
        let mut is_late = vec![false; n];
        if products.count(|node| self.beta(node) == 0.0)? == 0 {
            return Ok(is_late);
        }
        let mut reached = FixedPointVector::zeros(n)?;
        let mut image = FixedPointVector::zeros(n)?;
        loop {
            self.progress.check()?;
            let is_reached = |node: usize| is_late[node] || found.x.at(node) > 0.0;
            reached.set(self.bound(1.0, f64::INFINITY, 0.0), |node, _| {
                f64::from(is_reached(node))
            });
            products.multiply(self.direction, &reached, &mut image)?;
            let is_new = |node: usize| image.at(node) > 0.0 && !is_reached(node);
            if products.count(is_new)? == 0 {
                return Ok(is_late);
            }
            let new: Vec<usize> = (0..n).filter(|&node| is_new(node)).collect();
            new.into_iter().for_each(|node| is_late[node] = true);
        }
    }

    fn too_large(&self) -> Error {
        let remedy = format!(
            "scores exceed {LARGEST:e}, so it is not below 1/rho, or walks get longer than this form \
             counts: give less, such as auto, or name the graph that was cut"
        );
        Error::argument("alpha", self.alpha, remedy)
    }
}

impl Katz {
    pub(crate) fn on_shards<'a>(&'a self, graph: &'a Graph) -> Result<OnShards<'a>> {
        Ok(OnShards {
            of_touched: OF_TOUCHED,
            of_all: if self.beta.is_some() { 8 } else { 0 },
            ..OnShards::new(Self::ABOUT.name, &self.team, graph, OF_NODE)?
        })
    }

    /// Does the part of a worker.
    fn work(
        &self,
        on: &OnShards,
        (exchange, pieces): (&mut Exchange, &LocalPartition),
        limits: &Limits,
        parameters: &Map<String, Value>,
        progress: &dyn Progress,
    ) -> Result<WorkerResult> {
        let plan = on.shards.plan();
        let first = (pieces.range.start - plan.range().start) as usize;
        let nodes = first..first + pieces.outdegrees.len();
        let mut products = Products::new(pieces, exchange)?;
        let largest_degree = largest_degree(&mut products, self.direction)?;
        let (alpha, radius, sweeps) = match self.alpha {
            Attenuation::Fixed(alpha) => (alpha, None, 0),
            Attenuation::Auto => {
                let max_sweeps = limits.iterations().min(RADIUS_SWEEPS);
                self.automatic(
                    &mut products,
                    plan.nodes,
                    largest_degree,
                    max_sweeps,
                    progress,
                )?
            }
        };
        progress.begin("iterate", None);
        let tolerance = limits.tolerance_or(TOLERANCE).get();
        let system = System {
            direction: self.direction,
            alpha,
            beta: self.beta.as_ref().map(|beta| &beta[nodes.clone()]),
            largest_degree,
            tolerance,
            max_sweeps: limits.iterations(),
            progress,
        };
        let found = system.solve(&mut products, sweeps)?;
        let late = system.late_nodes(&mut products, &found)?;
        progress.end();
        let outcome = Outcome::Relative {
            status: Status::of(found.relative <= tolerance),
            iterations: found.sweeps,
            error_bound: found.relative * found.total,
            relative_error_bound: found.relative,
        };
        let mut notes = vec![];
        if let Some(radius) = radius {
            notes.push(format!(
                "the spectral radius is about {radius}, and alpha is {:.3} of its upper limit",
                alpha * radius
            ));
        }
        if found.relative.is_finite() {
            notes.push("alpha is proved to be below 1/rho by the certificate".into());
        }
        notes.push(format!("{TOTAL}{}", found.total));
        let x = &found.x;
        let least = f64::from_bits(1);
        let value = |node: usize| x.at(node).max(if late[node] { least } else { 0.0 });
        let values = (0..products.num_nodes()).map(value).collect();
        let mut parameters = parameters.clone();
        parameters.insert("alpha".into(), alpha.into());
        let how = (Self::ABOUT.name, KatzMethod::Power.name());
        let column = column("score", values, how, &parameters, outcome);
        on.worked(exchange, vec![column], None, notes)
    }

    /// alpha, the spectral radius from which it is made, and the sweeps that this took.
    fn automatic(
        &self,
        products: &mut Products,
        num_nodes: u64,
        largest_degree: f64,
        max_sweeps: u32,
        progress: &dyn Progress,
    ) -> Result<(f64, Option<f64>, u32)> {
        if largest_degree == 0.0 {
            return Ok((AUTO, None, 0));
        }
        progress.begin("spectral radius", None);
        let method = PowerMethod {
            shift: SHIFT,
            tolerance: RADIUS_TOLERANCE,
            max_sweeps,
            // It is found again by a run that goes on.
            stage: None,
            progress,
        };
        let start = 1.0 / num_nodes as f64;
        let found = method.run(products, &mut Adjacency::new(self.direction), &|_| start)?;
        progress.end();
        let rho = found.eigenvalue;
        if found.residual <= RADIUS_ENOUGH {
            return Ok(match rho < LEAST_RADIUS {
                true => (AUTO / largest_degree, None, found.sweeps),
                false => (AUTO / rho, Some(rho), found.sweeps),
            });
        }
        let remedy = format!(
            "the power method has not found the spectral radius in {} sweeps: give a number; {} is \
             below 1/rho in any case",
            found.sweeps,
            AUTO / largest_degree
        );
        Err(Error::argument("alpha", "auto", remedy))
    }
}

impl Distributed for Katz {
    fn team(&self) -> &Workers {
        &self.team
    }

    fn compute_distributed(
        &self,
        graph: &Graph,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<WorkerResult> {
        let on = self.on_shards(graph)?;
        check_form(self.form)?;
        if self.method == KatzMethod::GaussSeidel {
            return Err(needs_whole("method", self.method.name()));
        }
        if let Some(beta) = &self.beta {
            check_beta(beta, graph.num_nodes())?;
        }
        let kept = self.kept_parameters(graph, limits)?;
        let (tolerance, max) = (limits.tolerance_or(TOLERANCE), limits.iterations());
        let shown = iteration_parameters(self, tolerance, max);
        let work = |exchange: &mut Exchange,
                    pieces: &LocalPartition,
                    _: &SpillBudget,
                    progress: &dyn Progress| {
            self.work(&on, (exchange, pieces), limits, &shown, progress)
        };
        on.run(limits, &kept, progress, work)
    }
}
