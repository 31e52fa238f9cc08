//! A bound on the length of every shortest path, in linear time.
//!
//! A path visits strongly connected components in an order of the condensation, each at most once.
//! Its part in a component C is a shortest path inside C (a detour outside could not come back). By
//! way of any hub h of C, that part has at most ecc_in(h) + ecc_out(h) arcs, and at most |C| - 1.
//! The longest chain of components, with these lengths and 1 for each crossing, bounds every path.

use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::progress::Progress;
use webrank_graph::components::StrongComponents;
use webrank_graph::{Csr, Predecessors, Successors};

/// An upper bound on the number of arcs of shortest paths, and the component of each node, numbered
/// so that a path never leads to a larger number. O(n + m) time, 24 bytes per node.
///
/// # Errors
/// [`Interrupted`](webrank_base::error::Error::Interrupted) when the user stops the run.
pub fn longest_shortest_path(
    successors: Successors<Csr>,
    predecessors: Predecessors<Csr>,
    progress: &dyn Progress,
) -> Result<(u64, Vec<Node>)> {
    let (forward, backward) = (successors.0, predecessors.0);
    let mut seen = [Node::MAX; 2].map(|never| vec![never; forward.num_nodes()]);
    let inside = |_: &[Node], hub: Node, component_of: &[Node]| {
        let [out, back] = &mut seen;
        eccentricity(forward, component_of, hub, out)
            + eccentricity(backward, component_of, hub, back)
    };
    longest_by(successors, predecessors, inside, progress)
}

/// [`longest_shortest_path`], where `inside` bounds the number of arcs of a path between nodes of one strong
/// component, given its nodes, one that has many neighbours, and the component of each node.
///
/// # Errors
/// As for [`longest_shortest_path`].
pub fn longest_by(
    successors: Successors<Csr>,
    predecessors: Predecessors<Csr>,
    mut inside: impl FnMut(&[Node], Node, &[Node]) -> u64,
    progress: &dyn Progress,
) -> Result<(u64, Vec<Node>)> {
    let (forward, backward) = (successors.0, predecessors.0);
    let components = StrongComponents::new(forward, progress)?;
    let component_of = components.component_of();
    let (starts, nodes) = components.members();
    let mut longest: Vec<u64> = Vec::with_capacity(components.num_components());
    // Components come after all components that they lead to.
    for c in 0..components.num_components() {
        let nodes = &nodes[starts[c]..starts[c + 1]];
        let inside = match nodes.len() {
            1 => 0,
            size => {
                let crowd = |&x: &Node| forward.degree(x) * backward.degree(x);
                let hub = nodes.iter().copied().max_by_key(crowd).expect("not empty");
                inside(nodes, hub, component_of).min(size as u64 - 1)
            }
        };
        let targets = nodes.iter().flat_map(|&x| forward.row(x));
        let next = targets.map(|&y| component_of[y as usize] as usize);
        let beyond = next.filter(|&d| d != c).map(|d| longest[d] + 1).max();
        longest.push(inside + beyond.unwrap_or(0));
    }
    let longest = longest.into_iter().max().unwrap_or(0);
    Ok((longest, component_of.to_vec()))
}

/// The largest distance from `start` inside its component; `seen` holds components by node.
fn eccentricity(rows: &Csr, component: &[Node], start: Node, seen: &mut [Node]) -> u64 {
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use webrank_base::progress::Silent;

    fn bound(n: usize, arcs: &[(Node, Node)]) -> u64 {
        let successors = Csr::from_arcs(n, arcs.iter().copied()).unwrap();
        let predecessors = successors.transpose().unwrap();
        let (forward, backward) = (Successors(&successors), Predecessors(&predecessors));
        longest_shortest_path(forward, backward, &Silent).unwrap().0
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
            // One pass over the arcs for each path length.
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
