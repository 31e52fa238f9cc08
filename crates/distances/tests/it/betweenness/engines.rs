//! Betweenness by every engine, and graphs to test them on.
use proptest::prelude::*;
use webrank_base::Node;
use webrank_base::parallel::simd::Simd;
use webrank_base::progress::Silent;
use webrank_distances::betweenness::Betweenness;
use webrank_distances::betweenness::arcs::arc_betweenness;
use webrank_distances::betweenness::exact::batched::BatchedBrandes;
use webrank_distances::betweenness::exact::betweenness;
use webrank_distances::betweenness::path_count::PathRatio;
use webrank_distances::betweenness::single_source::{DependencySearch, PathGraph};
use webrank_distances::reduction::Reductions;
use webrank_graph::{Csr, Predecessors, Successors};

/// Sums over ordered pairs, not counting the ends of paths.
pub fn plain() -> Betweenness {
    Betweenness::default()
}

/// [`plain`] sums, divided by the number of ordered pairs of other nodes.
pub fn normalized() -> Betweenness {
    Betweenness {
        normalize: true,
        ..plain()
    }
}

pub fn graph(num_nodes: usize, arcs: &[(Node, Node)]) -> Csr {
    Csr::from_arcs(num_nodes, arcs.iter().copied()).unwrap()
}

/// The exact scores.
pub fn scores(successors: &Csr, params: &Betweenness) -> Vec<f64> {
    let predecessors = successors.transpose().unwrap();
    let (forward, backward) = (Successors(successors), Predecessors(&predecessors));
    let found = betweenness(forward, backward, params, &Silent).unwrap();
    found.values.to_vec()
}

pub fn arc_scores(graph: &Csr) -> Vec<f64> {
    let found = arc_betweenness(Successors(graph), false, &Silent);
    found.unwrap().0
}

/// The sums of the dependencies of some sources (all if `None`), with these reductions.
pub fn by_engine<const L: usize>(
    successors: &Csr,
    sources: Option<&[Node]>,
    steps: Reductions,
    simd: Simd,
) -> Vec<f64> {
    let predecessors = successors.transpose().unwrap();
    let (forward, backward) = (Successors(successors), Predecessors(&predecessors));
    let engine = BatchedBrandes::new(forward, backward, sources, steps, simd);
    engine.run::<L>(&Silent).unwrap().sums
}

/// By one source at a time; `None` if a number of paths is too large for `C`.
pub fn one_by_one<C: PathRatio>(successors: &Csr) -> Option<Vec<f64>> {
    let n = successors.num_nodes();
    let mut scores = vec![0.0; n];
    let mut search = DependencySearch::new(successors.paths::<C>(), n);
    for source in 0..n as Node {
        let add = |x: Node, dependency| scores[x as usize] += dependency;
        if !search.dependencies(source, |_, _| (), add) {
            return None;
        }
    }
    Some(scores)
}

pub fn assert_close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (x, (found, expected)) in found.iter().zip(expected).enumerate() {
        let error = (found - expected).abs();
        assert!(
            error <= 1e-9 * expected.abs() + 1e-12,
            "node {x}: {found} is not {expected}\n"
        );
    }
}

/// Graphs of up to 12 nodes with self-loops, some sparse enough for chains and their cycles, and
/// some whose nodes often have equal rows.
pub fn digraph() -> impl Strategy<Value = (usize, Vec<(Node, Node)>)> {
    (0..=12u32, 0..=3usize, 1..=3u32).prop_flat_map(|(n, density, step)| {
        let node = move || (0..n.max(1)).prop_map(move |x| x / step * step);
        let any = move || 0..n.max(1);
        let arc = prop_oneof![(any(), any()), (any(), node()), (node(), any())];
        let most = if n == 0 { 0 } else { density * n as usize + 1 };
        (Just(n as usize), prop::collection::vec(arc, 0..=most))
    })
}

/// Graphs where most nodes have one successor: chains, and cycles of them.
pub fn chained() -> impl Strategy<Value = (usize, Vec<(Node, Node)>)> {
    (1..=12u32).prop_flat_map(|n| {
        let only = prop::collection::vec(0..n, n as usize);
        let more = prop::collection::vec((0..n, 0..n), 0..=3);
        (only, more).prop_map(move |(only, more)| {
            let arcs = (0..n).zip(only).chain(more).collect();
            (n as usize, arcs)
        })
    })
}

/// Graphs of blown-up nodes: groups with equal lists, with or without arcs inside.
pub fn blown_up() -> impl Strategy<Value = (usize, Vec<(Node, Node)>)> {
    (1..=5u32).prop_flat_map(|n| {
        let sizes = prop::collection::vec(1..=4u32, n as usize);
        let arcs = prop::collection::vec((0..n, 0..n), 0..=3 * n as usize);
        let more = prop::collection::vec((0..4 * n, 0..4 * n), 0..=2);
        (sizes, arcs, more).prop_map(|(sizes, arcs, more)| {
            let first: Vec<u32> = sizes
                .iter()
                .scan(0, |sum, size| {
                    *sum += size;
                    Some(*sum - size)
                })
                .collect();
            let n: u32 = sizes.iter().sum();
            let members = |c: u32| first[c as usize]..first[c as usize] + sizes[c as usize];
            let mut blown: Vec<(u32, u32)> = Vec::new();
            for (a, b) in arcs {
                blown.extend(members(a).flat_map(|x| members(b).map(move |y| (x, y))));
            }
            blown.extend(more.into_iter().filter(|&(x, y)| x < n && y < n));
            (n as usize, blown)
        })
    })
}

/// Every choice of reductions under test.
pub fn all_steps() -> Vec<Reductions> {
    let mut steps = vec![Reductions::NONE];
    for bits in 0..16 {
        steps.push(Reductions {
            equal_rows: bits & 1 != 0,
            chains: bits & 2 != 0,
            collapse: bits & 4 != 0,
            twins: false,
            order: bits & 8 != 0,
        });
    }
    steps
}
