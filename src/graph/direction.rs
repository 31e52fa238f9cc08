//! Direction as a type: a measure that pulls along incoming arcs takes [`Predecessors`], so that a
//! graph given instead of its transpose is a compile error and not a wrong ranking.

use super::{Csr, Rows};
use serde::Serialize;

/// Which arcs of a node count, for measures that can go by either.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// From the other nodes: being pointed at
    #[default]
    In,
    /// To the other nodes: pointing
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
    pub(crate) fn rows<'g>(
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

// Not derived: a derive would ask `G: Copy` although only a reference is copied.
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
