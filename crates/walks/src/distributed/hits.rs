//! HITS on shards: `a <- a A' A`, scaled, from equal scores of all nodes with predecessors.
//!
//! `h = a A'` adds up what a node's successors have, so workers exchange in both directions: a
//! multiplication takes two sweeps.

use super::power::{Largest, Multiplier, PowerMethod};
use super::run::{Distributed, OnShards, WorkerResult, as_distribution, check_form, column};
use crate::hits::{Hits, TOLERANCE, unresolved_note};
use serde_json::{Map, Value};
use webrank_base::error::Result;
use webrank_base::limits::Limits;
use webrank_base::output::SpillBudget;
use webrank_base::progress::Progress;
use webrank_cluster::fixed_point::FixedPointVector;
use webrank_cluster::pieces::LocalPartition;
use webrank_cluster::products::Products;
use webrank_cluster::{Exchange, Workers};
use webrank_graph::{Direction, Graph};
use webrank_measure::{Described, Measure};
use webrank_scores::{Outcome, Status};

/// The bytes a node of vectors: x, its image, hubs, indegrees or the columns, sums of values in two
/// directions.
const OF_NODE: u64 = 8 * 7;

/// The bytes of a node of another part: its value and that of its row.
pub const OF_TOUCHED: u64 = 16;

/// `a A' A`.
struct BackAndForth {
    hubs: FixedPointVector,
    /// The largest indegree.
    indegree: f64,
    /// The largest entry of the image before.
    largest: f64,
}

impl Multiplier for BackAndForth {
    fn sweeps(&self) -> u32 {
        2
    }

    fn apply(
        &mut self,
        products: &mut Products,
        x: &FixedPointVector,
        change: f64,
        image: &mut FixedPointVector,
    ) -> Result<Largest> {
        let sum = products.multiply(Direction::Out, x, &mut self.hubs)?;
        let total = products.total(&self.hubs)?;
        // A change d at hubs, in the l1 norm, changes a sum over a row by at most d.
        let since = self.largest + self.indegree * change;
        let bound = (self.indegree * sum).min(total).min(since);
        self.hubs.rescale(1.000_001 * bound.max(sum));
        self.largest = products.multiply(Direction::In, &self.hubs, image)?;
        Ok(Largest {
            sum,
            entry: self.largest,
        })
    }

    fn memory(&mut self) -> &mut f64 {
        &mut self.largest
    }
}

impl Hits {
    pub(crate) fn on_shards<'a>(&'a self, graph: &'a Graph) -> Result<OnShards<'a>> {
        Ok(OnShards {
            of_touched: OF_TOUCHED,
            columns: 2,
            temp: self.temp.as_deref(),
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
        let tolerance = limits.tolerance_or(TOLERANCE).get();
        let column = |measure, values: Vec<f64>, outcome| {
            column(measure, values, (measure, "power"), parameters, outcome)
        };
        let mut products = Products::new(pieces, exchange)?;
        let indegrees = products.degrees(Direction::In)?;
        let is_authority = |node: usize| indegrees[node] > 0;
        let authorities = products.count(is_authority)?;
        if authorities == 0 {
            let none = |measure| column(measure, vec![0.0; indegrees.len()], Outcome::Exact);
            return on.worked(exchange, vec![none("authority"), none("hub")], None, vec![]);
        }
        let mut both = BackAndForth {
            hubs: FixedPointVector::zeros(indegrees.len())?,
            indegree: products.largest(|node| indegrees[node] as f64)?,
            largest: f64::INFINITY,
        };
        progress.begin("iterate", None);
        let method = PowerMethod {
            // A' A has no negative eigenvalue.
            shift: 0.0,
            tolerance,
            max_sweeps: limits.iterations(),
            stage: Some("the power method"),
            progress,
        };
        let start = 1.0 / authorities as f64;
        let mut found = method.run(&mut products, &mut both, &|node| {
            if is_authority(node) { start } else { 0.0 }
        })?;
        progress.end();
        drop(indegrees);
        found.clear_unresolved(&mut products)?;
        let positive = products.count(|node| found.x.units[node] > 0)?;
        products.multiply(Direction::Out, &found.x, &mut both.hubs)?;
        let outcome = Outcome::Eigen {
            status: Status::of(found.residual <= tolerance),
            iterations: found.sweeps,
            residual: found.residual,
            eigenvalue: found.eigenvalue,
            eigenvalue_bounds: None,
            gap: found.gap,
        };
        let a = as_distribution(&mut products, &found.x.units)?;
        let h = as_distribution(&mut products, &both.hubs.units)?;
        let note = unresolved_note(authorities - positive);
        let notes = note.into_iter().collect();
        let columns = vec![
            column("authority", a, outcome.clone()),
            column("hub", h, outcome),
        ];
        on.worked(exchange, columns, None, notes)
    }
}

impl Distributed for Hits {
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
        let parameters = self.kept_parameters(graph, limits)?;
        let work = |exchange: &mut Exchange,
                    pieces: &LocalPartition,
                    _: &SpillBudget,
                    progress: &dyn Progress| {
            self.work(&on, (exchange, pieces), limits, &parameters, progress)
        };
        on.run(limits, &parameters, progress, work)
    }
}
