//! Direction as a type: a measure that pulls along incoming arcs takes [`Predecessors`], so that a
//! graph given instead of its transpose is a compile error and not a wrong ranking.

use super::Rows;

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
