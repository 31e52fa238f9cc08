//! What the summary says of an eigenvector.

use super::Dominance;
use webrank_graph::{Direction, Graph};

impl Dominance {
    /// Notes on the components that count, and on the meaning of zeros.
    pub(super) fn notes(&self, graph: &Graph, direction: Direction) -> Vec<String> {
        let first = self.dominant[0];
        let which = match self.dominant.len() {
            1 => format!(
                "one of {} nodes and {} arcs, that of {}, has the largest spectral radius",
                first.nodes,
                first.arcs,
                graph.label(first.first)
            ),
            several => format!("{several} share the largest spectral radius"),
        };
        let mut notes = Vec::new();
        if self.num_components > 1 {
            notes.push(format!(
                "{} of {} strong components have cycles; {which}",
                self.num_cyclic, self.num_components
            ));
        }
        if !self.proved {
            notes.push("another component's spectral radius is too close to distinguish".into());
        }
        let zeros = graph.num_nodes() - self.positive;
        if zeros > 0 {
            notes.push(match direction {
                Direction::In => {
                    format!("{zeros} nodes are not reached from there: their score is 0")
                }
                Direction::Out => format!("{zeros} nodes do not reach it: their score is 0"),
            });
        }
        if self.unresolved > 0 {
            notes.push(format!(
                "{} nodes have a positive score below {:.0e} of the vector's length, which the \
                 residual cannot resolve: their score is set to 0",
                self.unresolved, self.resolution
            ));
        }
        notes.extend(self.rate.map(|rate| {
            format!(
                "at the end, each sweep multiplied the residual by {rate:.4}, which estimates |lambda_2| / lambda_1"
            )
        }));
        notes.extend(self.beyond_doubles.clone());
        notes
    }
}
