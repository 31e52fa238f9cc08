//! SALSA on shards: components of hubs and authorities across workers, and degrees. The bits are those on
//! the whole graph.

use super::run::{Distributed, OnShards, WorkerResult, column};
use crate::salsa::{Salsa, share};
use webrank_base::error::Result;
use webrank_base::limits::Limits;
use webrank_base::output::SpillBudget;
use webrank_base::phases::Phases;
use webrank_base::progress::Progress;
use webrank_cluster::pieces::LocalPartition;
use webrank_cluster::products::Products;
use webrank_cluster::{Exchange, Workers};
use webrank_graph::{Direction, Graph};
use webrank_measure::{Described, parameters};
use webrank_scores::Outcome;
use webrank_scores::ranked::Ranked;

/// The bytes a node: sets of hubs, labels of hubs, authorities and rows, groups, indegrees, columns.
const OF_NODE: u64 = 140;

/// The bytes of a node of another part: its label, and its row's hub and label.
const OF_TOUCHED: u64 = 32;

impl Salsa {
    pub(crate) fn on_shards<'a>(&'a self, graph: &'a Graph) -> Result<OnShards<'a>> {
        Ok(OnShards {
            of_touched: OF_TOUCHED,
            columns: 2,
            ..OnShards::new(Self::ABOUT.name, &self.team, graph, OF_NODE)?
        })
    }

    /// The ranking on shards.
    pub(crate) fn sharded(
        &self,
        graph: &Graph,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<Ranked> {
        let mut phases = Phases::start();
        let worked = self.compute_distributed(graph, limits, progress)?;
        phases.done("count");
        self.on_shards(graph)?.ranked(worked, phases)
    }

    /// Does the part of a worker.
    fn work(
        &self,
        on: &OnShards,
        exchange: &mut Exchange,
        pieces: &LocalPartition,
        progress: &dyn Progress,
    ) -> Result<WorkerResult> {
        let indegrees = Products::new(pieces, exchange)?.degrees(Direction::In)?;
        progress.begin("components", None);
        let groups = pieces.groups(exchange, &indegrees, progress)?;
        progress.end();
        let n = indegrees.len();
        let outdegrees = &pieces.outdegrees;
        let counts = [
            outdegrees.iter().filter(|&&degree| degree > 0).count() as u64,
            indegrees.iter().filter(|&&degree| degree > 0).count() as u64,
        ];
        let [mut hubs, mut authorities] = [0, 0];
        for [of_hubs, of_authorities] in exchange.gather(counts)? {
            hubs += of_hubs;
            authorities += of_authorities;
        }
        let authority = |node: usize| match groups.of_authority(node) {
            Some(group) => share(
                group.authorities,
                authorities,
                indegrees[node] as f64,
                group.arcs as f64,
            ),
            None => 0.0,
        };
        let hub = |node: usize| match groups.of_hub(node) {
            Some(group) => share(group.hubs, hubs, outdegrees[node].into(), group.arcs as f64),
            None => 0.0,
        };
        let parameters = parameters(self);
        let column = |measure, values: Vec<f64>| {
            let how = (measure, "components");
            column(measure, values, how, &parameters, Outcome::Exact)
        };
        let authorities = column("authority", (0..n).map(authority).collect());
        let columns = vec![authorities, column("hub", (0..n).map(hub).collect())];
        on.worked(exchange, columns, None, vec![])
    }
}

impl Distributed for Salsa {
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
        let work =
            |exchange: &mut Exchange,
             pieces: &LocalPartition,
             _: &SpillBudget,
             progress: &dyn Progress| { self.work(&on, exchange, pieces, progress) };
        on.run(limits, &parameters(self), progress, work)
    }
}
