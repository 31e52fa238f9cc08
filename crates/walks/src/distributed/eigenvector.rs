//! Eigenvector centrality on shards: the power method with a shift, from equal scores.
//!
//! Its limit is that of Katz's index, by which the measure is defined. Strong components are not known
//! here: where several share the largest spectral radius and feed each other, the method does not
//! converge, and says so.

use super::hits::OF_TOUCHED;
use super::power::{PowerMethod, l2};
use super::radius::{self, Adjacency, LEAST_RADIUS, SHIFT};
use super::run::{Distributed, OnShards, WorkerResult, check_form, column};
use crate::eigenvector::{Eigenvector, EigenvectorMethod, Norm, TOLERANCE, undefined};
use serde_json::{Map, Value};
use webrank_base::error::Result;
use webrank_base::limits::Limits;
use webrank_base::output::SpillBudget;
use webrank_base::progress::Progress;
use webrank_base::units::counted_as;
use webrank_cluster::pieces::LocalPartition;
use webrank_cluster::products::Products;
use webrank_cluster::{Exchange, Workers};
use webrank_graph::Graph;
use webrank_measure::form::needs_whole;
use webrank_measure::{Described, Measure};
use webrank_scores::{Outcome, Status};

/// The bytes a node of vectors: x, its image, w, a vector near x, degrees or the column, sums of values
/// in two directions.
const OF_NODE: u64 = 8 * 7;

impl Eigenvector {
    pub(crate) fn on_shards<'a>(&'a self, graph: &'a Graph) -> Result<OnShards<'a>> {
        Ok(OnShards {
            of_touched: OF_TOUCHED,
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
        let num_nodes = on.shards.plan().nodes;
        let mut products = Products::new(pieces, exchange)?;
        progress.begin("iterate", None);
        let method = PowerMethod {
            shift: SHIFT,
            tolerance,
            max_sweeps: limits.iterations(),
            stage: Some("the power method"),
            progress,
        };
        let start = 1.0 / num_nodes as f64;
        let mut matrix = Adjacency::new(self.direction);
        let mut found = method.run(&mut products, &mut matrix, &|_| start)?;
        if found.residual <= tolerance && found.eigenvalue < LEAST_RADIUS {
            return Err(undefined("the power method finds no cycle in the graph"));
        }
        let bounds = radius::bounds(&mut products, self.direction, &found.x, num_nodes, progress)?;
        progress.end();
        let resolution = found.clear_unresolved(&mut products)?;
        let positive = products.count(|node| found.x.units[node] > 0)?;
        let x = &found.x;
        let norm = match self.norm {
            Norm::L1 => products.total(x)?,
            Norm::L2 => l2(&mut products, |node| x.at(node))?,
            Norm::Max => products.largest(|node| x.at(node))?,
        };
        let values = (0..products.num_nodes()).map(|node| x.at(node) / norm);
        let values: Vec<f64> = values.collect();
        let outcome = Outcome::Eigen {
            status: Status::of(found.residual <= tolerance),
            iterations: found.sweeps + radius::SWEEPS,
            residual: found.residual,
            eigenvalue: found.eigenvalue,
            eigenvalue_bounds: Some([bounds.lower, bounds.upper]),
            gap: found.gap,
        };
        let zeros = num_nodes - positive;
        let note = format!(
            "{} a score that is 0, or below {resolution:.0e} of the vector's length, which the \
             residual cannot resolve: it is set to 0",
            counted_as(zeros, "node has", "nodes have")
        );
        let mut notes: Vec<String> = (zeros > 0).then_some(note).into_iter().collect();
        notes.push(
            "the graph was cut into shards: which strong component dominates is not proved".into(),
        );
        let how = (Self::ABOUT.name, "power");
        let column = column("score", values, how, parameters, outcome);
        on.worked(exchange, vec![column], None, notes)
    }
}

impl Distributed for Eigenvector {
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
        // That of shards has a shift.
        if self.method != EigenvectorMethod::default() {
            return Err(needs_whole("method", self.method.name()));
        }
        let parameters = self.kept_parameters(graph, limits)?;
        if on.shards.plan().arcs == 0 {
            return Err(undefined(
                "the graph has no arcs, so its adjacency matrix has no positive eigenvalue",
            ));
        }
        let work = |exchange: &mut Exchange,
                    pieces: &LocalPartition,
                    _: &SpillBudget,
                    progress: &dyn Progress| {
            self.work(&on, (exchange, pieces), limits, &parameters, progress)
        };
        on.run(limits, &parameters, progress, work)
    }
}
