//! A pivot that is near to all nodes.

use super::{DIRECTIONS, DiameterSearch, NONE, breadth_first};
use crate::traversal::bit_parallel::Workspace;
use std::cmp::Reverse;
use webrank_base::Node;
use webrank_base::error::Result;

/// Centers that are tried in a component.
const MOST_CENTERS: usize = 4;

impl<F: Fn() -> Workspace + Sync> DiameterSearch<'_, F> {
    /// Distances to and from a node of the component that is near to all others.
    ///
    /// The ends of long paths bound the distances that a node has at most from below: the node with the
    /// smallest bound is next, until it is farther from some than the node before.
    pub(super) fn center(&self, component: usize) -> Result<[Vec<u32>; 2]> {
        let members = self.component(component);
        let paths = |x: Node| DIRECTIONS.map(|along| self.rows[along].degree(x));
        let paths = |x: Node| paths(x).into_iter().product::<u64>();
        let busiest = members.iter().max_by_key(|&&x| (paths(x), Reverse(x)));
        let mut center = *busiest.expect("a component has nodes");
        let mut bounds = [vec![0; members.len()], vec![0; members.len()]];
        let mut best: Option<(u32, [Vec<u32>; 2])> = None;
        for _ in 0..MOST_CENTERS {
            let distances = [self.distances(center, 1)?, self.distances(center, 0)?];
            let (farthest_to, _) = farthest(&distances[0]);
            let (farthest_from, end) = farthest(&distances[1]);
            let radius = farthest_to + farthest_from;
            if best.as_ref().is_some_and(|&(least, _)| least < radius) {
                break;
            }
            best = Some((radius, distances));
            let to_end = self.distances(end, 1)?;
            let from_start = self.distances(farthest(&to_end).1, 0)?;
            for (bounds, distances) in bounds.iter_mut().zip([from_start, to_end]) {
                for (bound, &x) in bounds.iter_mut().zip(members) {
                    // The start of a path to the end may not lead to the component.
                    let distance = distances[x as usize];
                    if distance != NONE {
                        *bound = distance.max(*bound);
                    }
                }
            }
            let near = (0..members.len()).min_by_key(|&place| {
                let [to, from] = [bounds[0][place], bounds[1][place]];
                let degrees = Reverse(paths(members[place]));
                (to.max(from), to + from, degrees, place)
            });
            center = members[near.expect("a component has nodes")];
        }
        Ok(best.expect("the first is the best so far").1)
    }

    /// Distances from `start` along, or against, the arcs that are kept.
    fn distances(&self, start: Node, along: usize) -> Result<Vec<u32>> {
        self.progress.check()?;
        let mut distances = vec![NONE; self.sides.len()];
        let (rows, queue) = (self.rows[along], &mut Vec::new());
        breadth_first(rows, start, &mut distances, queue, |x, y| self.keeps(x, y));
        Ok(distances)
    }
}

/// The largest distance, and the first node at it.
fn farthest(distances: &[u32]) -> (u32, Node) {
    let reached = (0..distances.len()).filter(|&x| distances[x] != NONE);
    let farthest = reached.max_by_key(|&x| (distances[x], Reverse(x)));
    let farthest = farthest.expect("a node reaches itself");
    (distances[farthest], farthest as Node)
}
