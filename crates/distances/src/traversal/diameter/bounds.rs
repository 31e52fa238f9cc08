//! Upper bounds on the distances that pivots leave, from the order in which components lead to each other.

use super::{DIRECTIONS, DiameterSearch, NONE, breadth_first};
use crate::traversal::bit_parallel::Workspace;
use webrank_base::Node;

impl<F: Fn() -> Workspace + Sync> DiameterSearch<'_, F> {
    /// An upper bound for each node on the distances of those that it reaches by arcs that are kept.
    pub(super) fn bounds(&self, along: usize) -> Vec<u32> {
        let mut bounds = vec![0; self.sides.len()];
        let of = self.components.component_of();
        let count = self.components.num_components();
        let mut distances = [vec![NONE; bounds.len()], vec![NONE; bounds.len()]];
        let mut queue = Vec::new();
        for place in 0..count {
            // Rows of successors lead to components of lower numbers.
            let component = if along == 0 { place } else { count - 1 - place };
            let members = self.component(component);
            let center = members[0];
            for direction in DIRECTIONS {
                let (rows, distances) = (self.rows[direction], &mut distances[direction]);
                let is_inside = |x: Node, y: Node| of[x as usize] == of[y as usize];
                breadth_first(rows, center, distances, &mut queue, is_inside);
            }
            let [from, to] = [&distances[along], &distances[1 - along]];
            let ends = members.iter().map(|&x| {
                let beyond = self.rows[along].row(x).iter();
                let beyond = beyond.filter(|&&y| of[y as usize] != component as Node);
                let beyond = beyond.filter(|&&y| self.keeps(x, y));
                let farthest = beyond.map(|&y| bounds[y as usize] + 1).max();
                from[x as usize] + farthest.unwrap_or(0)
            });
            let end = ends.max().unwrap_or(0);
            // No pair is left in the component of a pivot.
            let is_kept = self.keeps(center, center);
            for &x in members {
                let bound = to[x as usize] + end;
                let bound = bound.min(self.found[along][x as usize]);
                bounds[x as usize] = if is_kept { bound } else { 0 };
            }
        }
        bounds
    }
}
