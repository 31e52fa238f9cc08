//! A bound on the length of every shortest path, in linear time.
//!
//! A path visits the strongly connected components in an order of the condensation, each once, and
//! its part in a component C is a shortest path inside C (a detour could not come back). Through any
//! hub h of C that part has at most ecc_in(h) + ecc_out(h) arcs, and at most |C| - 1. The longest
//! chain of components, with these lengths and 1 for each crossing, bounds every path.

use crate::graph::{Csr, Node, Predecessors, Successors};

/// A number of arcs that no shortest path exceeds, and the component of each node, numbered so
/// that a path never leads to a larger number. O(n + m) time, 24 bytes a node.
pub fn longest_shortest_path(
    successors: Successors<Csr>,
    predecessors: Predecessors<Csr>,
) -> (u64, Vec<u32>) {
    let (forward, backward) = (successors.0, predecessors.0);
    let components = Components::new(forward);
    let mut seen = [u32::MAX; 2].map(|never| vec![never; forward.num_nodes()]);
    let mut longest: Vec<u64> = Vec::with_capacity(components.starts.len());
    // Components come after all that they lead to.
    for (c, nodes) in components.iter().enumerate() {
        let inside = match nodes.len() {
            1 => 0,
            size => {
                let crowd = |&x: &Node| forward.degree(x) * backward.degree(x);
                let hub = nodes.iter().copied().max_by_key(crowd).expect("not empty");
                let [out, back] = &mut seen;
                let radius = eccentricity(forward, &components.of, hub, out)
                    + eccentricity(backward, &components.of, hub, back);
                radius.min(size as u64 - 1)
            }
        };
        let targets = nodes.iter().flat_map(|&x| forward.row(x));
        let next = targets.map(|&y| components.of[y as usize] as usize);
        let beyond = next.filter(|&d| d != c).map(|d| longest[d] + 1).max();
        longest.push(inside + beyond.unwrap_or(0));
    }
    (longest.into_iter().max().unwrap_or(0), components.of)
}

/// The largest distance from `start` inside its component; `seen` holds components by node.
fn eccentricity(rows: &Csr, component: &[u32], start: Node, seen: &mut [u32]) -> u64 {
    let own = component[start as usize];
    seen[start as usize] = own;
    let (mut level, mut next, mut radius) = (vec![start], Vec::new(), 0);
    loop {
        for &x in &level {
            for &y in rows.row(x) {
                if component[y as usize] == own && seen[y as usize] != own {
                    seen[y as usize] = own;
                    next.push(y);
                }
            }
        }
        if next.is_empty() {
            return radius;
        }
        radius += 1;
        level.clear();
        std::mem::swap(&mut level, &mut next);
    }
}

/// The strongly connected components, those that a component leads to before it.
struct Components {
    of: Vec<u32>,
    /// Nodes by component.
    nodes: Vec<Node>,
    starts: Vec<usize>,
}

impl Components {
    /// Tarjan 1972, with a stack of its own.
    fn new(rows: &Csr) -> Self {
        const NEW: u32 = u32::MAX;
        let n = rows.num_nodes();
        let (mut of, mut nodes, mut starts) = (vec![NEW; n], Vec::with_capacity(n), Vec::new());
        // The order of discovery, lowered to the first node known to be in the same component.
        let (mut low, mut found) = (vec![NEW; n], 0);
        let (mut open, mut calls): (Vec<Node>, Vec<(Node, usize, u32)>) = (Vec::new(), Vec::new());
        for root in 0..n as Node {
            if low[root as usize] != NEW {
                continue;
            }
            calls.push((root, 0, found));
            while let Some((x, done, discovered)) = calls.pop() {
                if done == 0 {
                    low[x as usize] = found;
                    found += 1;
                    open.push(x);
                }
                let row = rows.row(x);
                let mut at = done.max(1);
                // Arc i is looked at when `at` is i + 1, and again once its target is finished.
                while let Some(&y) = row.get(at - 1) {
                    if low[y as usize] == NEW {
                        break;
                    }
                    if of[y as usize] == NEW {
                        low[x as usize] = low[x as usize].min(low[y as usize]);
                    }
                    at += 1;
                }
                if let Some(&y) = row.get(at - 1) {
                    calls.push((x, at, discovered));
                    calls.push((y, 0, found));
                } else if low[x as usize] == discovered {
                    starts.push(nodes.len());
                    loop {
                        let y = open.pop().expect("x is open");
                        of[y as usize] = starts.len() as u32 - 1;
                        nodes.push(y);
                        if y == x {
                            break;
                        }
                    }
                }
            }
        }
        Components { of, nodes, starts }
    }

    fn iter(&self) -> impl Iterator<Item = &[Node]> {
        let ends = self
            .starts
            .iter()
            .skip(1)
            .copied()
            .chain([self.nodes.len()]);
        let starts = self.starts.iter().copied();
        starts.zip(ends).map(|(start, end)| &self.nodes[start..end])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bound(n: usize, arcs: &[(Node, Node)]) -> u64 {
        let successors = Csr::from_arcs(n, arcs.iter().copied()).unwrap();
        let predecessors = successors.transpose().unwrap();
        longest_shortest_path(Successors(&successors), Predecessors(&predecessors)).0
    }

    #[test]
    fn it_is_exact_on_lines_cycles_and_nothing() {
        let line: Vec<_> = (0..9).map(|x| (x, x + 1)).collect();
        assert_eq!(bound(10, &line), 9);
        assert_eq!(bound(10, &[&line[..], &[(9, 0)]].concat()), 9);
        assert_eq!(bound(3, &[(1, 1)]), 0);
        assert_eq!(bound(0, &[]), 0);
    }

    proptest! {
        #[test]
        fn no_distance_exceeds_it(
            (n, arcs) in (1..=12u32).prop_flat_map(|n| {
                (Just(n as usize), prop::collection::vec((0..n, 0..n), 0..=3 * n as usize))
            }),
        ) {
            // One round over the arcs for each length of a path.
            let far = u64::MAX / 4;
            let mut largest = 0;
            for start in 0..n {
                let mut distance = vec![far; n];
                distance[start] = 0;
                for _ in 0..n {
                    for &(x, y) in &arcs {
                        let via = distance[x as usize] + 1;
                        distance[y as usize] = distance[y as usize].min(via);
                    }
                }
                let finite = distance.into_iter().filter(|&d| d < far);
                largest = largest.max(finite.max().unwrap());
            }
            let bound = bound(n, &arcs);
            prop_assert!(largest <= bound && bound < n as u64);
        }
    }
}
