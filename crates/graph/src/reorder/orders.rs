//! Orders that take one look at the graph.

use super::super::Csr;
use rayon::slice::ParallelSliceMut;
use std::cmp::Reverse;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::memory::filled;
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_tables::text::names::Names;

/// By name; as they are, if there are no names.
pub(super) fn by_name(num_nodes: usize, names: Option<&Names>) -> Result<Vec<Node>> {
    let mut nodes = all(num_nodes)?;
    if let Some(names) = names {
        nodes.par_sort_unstable_by(|&a, &b| names.get(a).cmp(names.get(b)));
    }
    Ok(nodes)
}

/// By decreasing degree; of equal ones, the smaller number first.
pub(super) fn by_degree(degrees: &[u32]) -> Result<Vec<Node>> {
    let mut nodes = all(degrees.len())?;
    nodes.par_sort_unstable_by_key(|&node| (Reverse(degrees[node as usize]), node));
    Ok(nodes)
}

/// Breadth-first: a node's successors, in their order, come when the node's turn is. When all that
/// is reached had its turn, the first node that is not reached follows. O(n + m).
pub(super) fn breadth_first(successors: &Csr, progress: &dyn Progress) -> Result<Vec<Node>> {
    let n = successors.num_nodes();
    let mut is_reached = filled(false, n, "nodes")?;
    // Both the queue and the order.
    let mut nodes: Vec<Node> = filled(0, n, "nodes")?;
    let mut reached = 0;
    let mut reach = |node: Node, nodes: &mut [Node], reached: &mut usize| {
        if !std::mem::replace(&mut is_reached[node as usize], true) {
            nodes[*reached] = node;
            *reached += 1;
        }
    };
    let mut turn = 0;
    progress.begin("search", Some(n as u64));
    for start in 0..n as Node {
        reach(start, &mut nodes, &mut reached);
        while turn < reached {
            let node = nodes[turn];
            turn += 1;
            if turn.is_multiple_of(TURNS) {
                progress.check()?;
                progress.advance(TURNS as u64);
            }
            for &target in successors.row(node) {
                reach(target, &mut nodes, &mut reached);
            }
        }
    }
    progress.end();
    Ok(nodes)
}

/// Turns between two looks at the clock.
const TURNS: usize = 1 << 16;

/// All nodes, by their numbers.
pub(super) fn all(num_nodes: usize) -> Result<Vec<Node>> {
    let mut nodes: Vec<Node> = filled(0, num_nodes, "nodes")?;
    tasks::update(&mut nodes, |node, entry| *entry = node as Node);
    Ok(nodes)
}
