//! How far other nodes are from one.

use super::cutoff::Cutoff;
use super::distance::Distance;
use super::engine::{OnLengths, Prepared};
use super::source::LengthSource;
use num_bigint::BigUint;
use serde::Serialize;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::progress::Progress;
use webrank_graph::{Direction, Graph};

/// The distances between a node and the others that a path joins with it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct NodeDistances {
    /// How many there are.
    pub nodes: u64,
    /// The shortest; none without nodes, like those below.
    pub nearest: Option<f64>,
    /// Their mean.
    pub mean: Option<f64>,
    /// The longest.
    pub farthest: Option<f64>,
}

impl NodeDistances {
    /// The distances to `node` ([`Direction::In`]), or from it.
    ///
    /// # Errors
    /// If lengths cannot be read, are not positive, or add up to more than a double holds; if memory is short.
    pub fn of(
        graph: &Graph,
        node: Node,
        direction: Direction,
        (lengths, cutoff): (&LengthSource, Option<Cutoff>),
        progress: &dyn Progress,
    ) -> Result<Self> {
        let lengths = lengths.read(graph, progress)?;
        lengths.admit_sums()?;
        lengths.along(direction, cutoff, From(node))
    }
}

struct From(Node);

impl OnLengths for From {
    type Found = NodeDistances;

    fn run<D: Distance>(self, graph: Prepared<D>) -> Result<NodeDistances> {
        let (mut nodes, mut sum, mut ends) = (0, BigUint::default(), None);
        graph.search().search(self.0, &mut |distance, _| {
            nodes += 1;
            sum += distance.big();
            let (_, farthest) = ends.get_or_insert((distance.clone(), distance.clone()));
            *farthest = distance.clone();
        });
        let length = |distance: D| graph.unit.double(&distance.big());
        let [nearest, farthest] = match ends {
            Some((nearest, farthest)) => [nearest, farthest].map(|it| Some(length(it))),
            None => [None; 2],
        };
        Ok(NodeDistances {
            nodes,
            nearest,
            mean: (nodes > 0).then(|| graph.unit.mean(&sum, nodes)),
            farthest,
        })
    }
}
