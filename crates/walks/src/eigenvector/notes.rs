//! Notes of the summary on an eigenvector.

use super::Dominance;
use webrank_base::units::{counted, counted_as};
use webrank_graph::{Direction, Graph};

impl Dominance {
    /// Notes on the components that count, and on the meaning of zeros.
    pub(super) fn notes(&self, graph: &Graph, direction: Direction) -> Vec<String> {
        let first = self.dominant[0];
        let which = match self.dominant.len() {
            1 => format!(
                "one of {} and {}, that of {}, has the largest spectral radius",
                counted(first.nodes, "node"),
                counted(first.arcs, "arc"),
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
            let (one, many) = match direction {
                Direction::In => (
                    "node is not reached from there: its",
                    "nodes are not reached from there: their",
                ),
                Direction::Out => (
                    "node does not reach it: its",
                    "nodes do not reach it: their",
                ),
            };
            notes.push(format!("{} score is 0", counted_as(zeros, one, many)));
        }
        if self.unresolved > 0 {
            notes.push(format!(
                "{} a positive score below {:.0e} of the vector's length, which the residual cannot \
                 resolve: it is set to 0",
                counted_as(self.unresolved, "node has", "nodes have"),
                self.resolution
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
