//! Betweenness by lengths from sampled shortest paths.

use super::betweenness::{LengthBetweenness, with_lengths};
use super::distance::Distance;
use super::engine::{OnLengths, Prepared};
use super::path_sampler::{LengthPathSampler, OF_NODE};
use super::search::{LengthSearch, LongArcs, Uncounted};
use super::source::Lengths;
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::limits::Limits;
use webrank_base::phases::Phases;
use webrank_base::progress::Progress;
use webrank_distances::betweenness::Betweenness;
use webrank_distances::betweenness::sampled_paths::longest_path::longest_by;
use webrank_distances::betweenness::sampled_paths::{
    BoundedBetweenness, GraphPaths, adaptive_by, seconds_by,
};
use webrank_graph::{Direction, Graph, Predecessors, Successors};
use webrank_measure::cost_model::TimeEstimate;
use webrank_scores::ranked::Ranked;

/// Makes what draws paths.
type Samplers<'g, D> = dyn Fn() -> LengthPathSampler<'g, D> + Sync + 'g;

/// The sampling of shortest paths by lengths.
#[derive(Clone, Copy)]
struct Sampled<'a> {
    of: &'a Betweenness,
    graph: &'a Graph,
    progress: &'a dyn Progress,
}

/// Checks that the arcs and the searches fit into memory.
fn admit(lengths: &Lengths, limits: &Limits) -> Result<u64> {
    let memory = lengths.memory(rayon::current_num_threads(), OF_NODE);
    limits.admit_more("sampling paths", memory).map(|()| memory)
}

/// A component of fewer than this share of all nodes is not searched for its longest path.
const LEAST_SHARE: usize = 16;

impl LengthBetweenness {
    /// Estimates from sampled paths.
    ///
    /// # Errors
    /// If lengths cannot be read or are not positive; those of [`adaptive_by`].
    pub(crate) fn of_sampled_paths(
        &self,
        graph: &Graph,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<Ranked> {
        let mut phases = Phases::start();
        let lengths = self.lengths.read(graph, progress)?;
        let note = lengths.note.clone();
        admit(&lengths, limits)?;
        phases.done("load");
        let sampled = self.sampled(graph, progress);
        let mut found = lengths.along(Direction::Out, self.cutoff, sampled)?;
        let parameters = &mut found.scores.run.parameters;
        *parameters = with_lengths(std::mem::take(parameters), &self.lengths, self.cutoff);
        phases.done("search");
        Ok(found.ranked(graph, &self.of, phases)?.noting(note))
    }

    /// An estimate of the seconds that these take, with their memory.
    ///
    /// # Errors
    /// As for [`Self::of_sampled_paths`].
    pub(crate) fn seconds_of_paths(
        &self,
        graph: &Graph,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<TimeEstimate> {
        let lengths = self.lengths.read(graph, progress)?;
        let memory = admit(&lengths, limits)?;
        let sampled = Seconds(self.sampled(graph, progress));
        let seconds = lengths.along(Direction::Out, self.cutoff, sampled)?;
        Ok(TimeEstimate::about(seconds).with(memory))
    }

    fn sampled<'a>(&'a self, graph: &'a Graph, progress: &'a dyn Progress) -> Sampled<'a> {
        Sampled {
            of: &self.of,
            graph,
            progress,
        }
    }
}

impl Sampled<'_> {
    /// Does `job` with the shortest paths.
    fn with<D: Distance, T>(
        self,
        arcs: Prepared<D>,
        job: impl for<'g> FnOnce(GraphPaths<'g, &'g Samplers<'g, D>>) -> Result<T>,
    ) -> Result<T> {
        let (forward, cutoff) = (arcs.arcs, arcs.cutoff);
        let backward = forward.clone().reversed()?;
        let (successors, predecessors) = self.graph.both(self.progress)?;
        // Without arcs, no path has any.
        let shortest = forward.shortest().unwrap_or_else(|| BigUint::from(1u32));
        let arcs_of = |length: BigUint| (length / &shortest).to_u64().unwrap_or(u64::MAX);
        let inside = |nodes: &[Node], hub: Node, component_of: &[Node]| {
            if nodes.len() < component_of.len() / LEAST_SHARE {
                return u64::MAX;
            }
            let radius = |arcs| radius::<D>(arcs, hub, component_of);
            arcs_of(radius(&forward) + radius(&backward))
        };
        let (rows, reversed) = (Successors(&*successors), Predecessors(&*predecessors));
        let (longest, components) = longest_by(rows, reversed, inside, self.progress)?;
        let within = cutoff.as_ref().map(|cutoff| arcs_of(cutoff.big()));
        job(GraphPaths {
            sampler: &|| LengthPathSampler::new(&forward, &backward, cutoff.as_ref()),
            longest: (longest.min(within.unwrap_or(u64::MAX)), components),
            num_arcs: forward.num_arcs() as u64,
            is_between: &|x| !forward.row(x).is_empty() && !backward.row(x).is_empty(),
        })
    }
}

/// The largest distance from a node inside its component.
fn radius<D: Distance>(arcs: &LongArcs<D>, hub: Node, component_of: &[Node]) -> BigUint {
    let mut farthest = D::zero();
    let own = component_of[hub as usize];
    LengthSearch::<D, Uncounted>::new(arcs, None).search(hub, &mut |distance, node| {
        if component_of[node as usize] == own && *distance > farthest {
            farthest = distance.clone();
        }
    });
    farthest.big()
}

impl OnLengths for Sampled<'_> {
    type Found = BoundedBetweenness;

    fn run<D: Distance>(self, arcs: Prepared<D>) -> Result<BoundedBetweenness> {
        self.with(arcs, |paths| adaptive_by(paths, self.of, self.progress))
    }
}

/// Times the sampling.
struct Seconds<'a>(Sampled<'a>);

impl OnLengths for Seconds<'_> {
    type Found = f64;

    fn run<D: Distance>(self, arcs: Prepared<D>) -> Result<f64> {
        let Sampled { of, progress, .. } = self.0;
        self.0.with(arcs, |paths| seconds_by(paths, of, progress))
    }
}
