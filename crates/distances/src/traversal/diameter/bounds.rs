//! Upper bounds on the distances that pivots leave, from the order in which components lead to each other.

use super::{DIRECTIONS, DiameterSearch, NONE};
use crate::traversal::bit_parallel::Workspace;
use webrank_base::Node;
use webrank_graph::Csr;

impl<F: Fn() -> Workspace + Sync> DiameterSearch<'_, F> {
    /// An upper bound for each node on the distances of those that it reaches by arcs that are kept.
    pub(super) fn bounds(&self, along: usize) -> Vec<u32> {
        let mut bounds = vec![0; self.sides.len()];
        let of = self.components.component_of();
        let count = self.components.num_components();
        let mut inner = Inner {
            distances: [vec![NONE; bounds.len()], vec![NONE; bounds.len()]],
            queue: Vec::new(),
        };
        for place in 0..count {
            // Rows of successors lead to components of lower numbers.
            let component = if along == 0 { place } else { count - 1 - place };
            let members = self.component(component);
            let center = members[0];
            for direction in DIRECTIONS {
                inner.search(self.rows[direction], center, direction, of);
            }
            let [from, to] = [&inner.distances[along], &inner.distances[1 - along]];
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

/// Searches within components, one after the other.
struct Inner {
    /// Along arcs, and against them.
    distances: [Vec<u32>; 2],
    queue: Vec<Node>,
}

impl Inner {
    fn search(&mut self, rows: &Csr, start: Node, direction: usize, component_of: &[Node]) {
        let distances = &mut self.distances[direction];
        self.queue.clear();
        self.queue.push(start);
        distances[start as usize] = 0;
        let mut next = 0;
        while let Some(&x) = self.queue.get(next) {
            next += 1;
            for &y in rows.row(x) {
                let is_inside = component_of[y as usize] == component_of[x as usize];
                if is_inside && distances[y as usize] == NONE {
                    distances[y as usize] = distances[x as usize] + 1;
                    self.queue.push(y);
                }
            }
        }
    }
}
