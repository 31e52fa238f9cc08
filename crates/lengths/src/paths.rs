//! The shortest paths from one node to another, by sums of lengths.

use super::cutoff::Cutoff;
use super::distance::Distance;
use super::engine::{OnLengths, Prepared};
use super::source::LengthSource;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::progress::Progress;
use webrank_distances::traversal::paths::ShortestPaths;
use webrank_graph::{Direction, Graph};

/// Searches from the first node, and finds all shortest paths to the second, with exact ties. Their length is
/// the nearest double, and infinite beyond all. O(n + m log n).
///
/// # Errors
/// If lengths cannot be read or are not positive; if memory is short; those of `admit`, which gets the bytes
/// of the paths.
pub fn shortest_paths(
    graph: &Graph,
    ends: [Node; 2],
    (lengths, cutoff): (&LengthSource, Option<Cutoff>),
    admit: &dyn Fn(u64) -> Result<()>,
    progress: &dyn Progress,
) -> Result<ShortestPaths<f64>> {
    let lengths = lengths.read(graph, progress)?;
    lengths.along(Direction::Out, cutoff, Between(ends, admit))
}

struct Between<'a>([Node; 2], &'a dyn Fn(u64) -> Result<()>);

impl OnLengths for Between<'_> {
    type Found = ShortestPaths<f64>;

    fn run<D: Distance>(self, graph: Prepared<D>) -> Result<ShortestPaths<f64>> {
        let [source, target] = self.0;
        let (mut search, mut order, mut length) = (graph.search(), vec![source], None);
        search.search(source, &mut |distance, node| {
            order.push(node);
            if node == target {
                length = Some(distance.clone());
            }
        });
        let length = match source == target {
            true => Some(D::zero()),
            false => length,
        };
        let length = length.map(|length| graph.unit.double(&length.big()));
        let onwards = |node| search.following(node);
        ShortestPaths::along(self.0, length, (&order, onwards), self.1)
    }
}
