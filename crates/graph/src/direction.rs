//! Direction as a type: a measure that pulls along incoming arcs takes [`Predecessors`], so that
//! passing a graph instead of its transpose is a compile error, not a wrong ranking.

use super::{Csr, Rows};
use serde::{Deserialize, Serialize};

/// Which arcs of a node count, for measures defined for both directions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Incoming arcs: being pointed at
    #[default]
    In,
    /// Outgoing arcs: pointing
    Out,
}

impl Direction {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Direction::In => "in",
            Direction::Out => "out",
        }
    }

    /// The rows that searches follow, and those rows reversed.
    pub fn rows<'g>(
        self,
        predecessors: Predecessors<'g, Csr>,
        successors: Successors<'g, Csr>,
    ) -> (&'g Csr, &'g Csr) {
        match self {
            Direction::In => (predecessors.0, successors.0),
            Direction::Out => (successors.0, predecessors.0),
        }
    }
}

/// Rows that list successors: row `x` holds the `y` with an arc `x -> y`.
#[derive(Debug)]
pub struct Successors<'g, G: ?Sized = dyn Rows>(pub &'g G);

/// Rows that list predecessors: row `x` holds the `y` with an arc `y -> x`.
#[derive(Debug)]
pub struct Predecessors<'g, G: ?Sized = dyn Rows>(pub &'g G);

// Not derived: a derive would require `G: Copy`, although only a reference is copied.
impl<G: ?Sized> Clone for Successors<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<G: ?Sized> Copy for Successors<'_, G> {}
impl<G: ?Sized> Clone for Predecessors<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<G: ?Sized> Copy for Predecessors<'_, G> {}
